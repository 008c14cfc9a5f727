"""Search for inputs that reach goals, guided by distances: the fitness, and the algorithms that minimise it."""
