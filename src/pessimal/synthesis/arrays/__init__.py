"""One large path condition as arrays: orders, differences, equalities and sums, solved in near-linear time."""
