"""Everyday code in the manner of the standard library's own modules, by topic; each has an outcome 1 that is rare."""
