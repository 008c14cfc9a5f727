"""Inputs that reach every branch: scenarios that are drawn, mutated and flipped, and the coverage that they bring."""
