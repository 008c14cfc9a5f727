"""Walks towards goals that an agent steers: each step changes the input, and the distance tells what that was worth."""
