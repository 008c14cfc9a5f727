def worst_case(n):
    """The worst input of size n for `insertion_sort`.

    It costs (3 * n ** 2 + 7 * n - 4) // 2, checked at n = 1 to 10 and 2000.

    >>> worst_case(5)
    {'xs': [4, 3, 2, 1, 0]}
    """
    return {"xs": list(range(n - 1, -1, -1))}
