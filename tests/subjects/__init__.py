"""Programs with known worst cases, the answers beside them; nothing here knows Pessimal.

Every benchmark module offers one or two entry points and ``longest(n)``, the largest number of branches on
any path for an input of ``n`` elements. Where they are known, ``paths(n)`` is the number of leaves of the
execution tree, completed paths plus prefixes ended by an infeasible decision, and ``worst(n)`` takes the
longest path.
"""
