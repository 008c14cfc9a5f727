"""Functions with a rare outcome, for the breadth bench: everyday code, written for no tool."""
