"""Measurements behind the claims: the papers' tables again, and the same work done by other tools."""
