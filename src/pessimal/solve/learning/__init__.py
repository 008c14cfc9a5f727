"""The learning solver: conditions that no SMT solver likes are solved by samples, with a confidence where they are not.

Its modules are imported when they are needed, since NumPy takes a while to load.
"""
