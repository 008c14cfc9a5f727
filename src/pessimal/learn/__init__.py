"""Networks, replay memory and training loops; all but the rules and the protocol import the learning library."""
