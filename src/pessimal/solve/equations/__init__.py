"""Equations of integers: solved by what number theory knows of them, and for one variable where others are tried."""
