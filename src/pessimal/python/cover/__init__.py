"""What is particular to Python in ``cover``: what a module offers to be called, drawing of calls, measured coverage."""
