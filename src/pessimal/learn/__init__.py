"""Networks, replay memory and training loops; all but the rules import the learning library."""
