"""Networks, replay memory and training loops; importing it imports the learning library."""
