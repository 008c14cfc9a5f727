"""Generators: short Python functions that build the worst input of any size, from those of small sizes."""
