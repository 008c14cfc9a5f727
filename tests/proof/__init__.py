"""Proofs: what is claimed holds for every input, and a claim that does not is withdrawn."""
