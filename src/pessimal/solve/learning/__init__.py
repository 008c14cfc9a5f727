"""The learning solver: conditions that no SMT solver likes are solved by samples, with a confidence where they are not.

Its modules are imported when they are needed, since NumPy takes a while to load.
"""

SAMPLES = 3000
"""How many samples a condition gets unless more are asked for: the published figure."""
