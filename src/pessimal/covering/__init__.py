"""``cover``: the inputs that reach every branch, as scenarios, and the test file that is written of them."""
