"""Work as a cost: the statements that are executed, counted by counters in the code."""
