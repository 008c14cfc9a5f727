"""Interval propagation: where solutions can only be, and that there is none where nothing is left."""
