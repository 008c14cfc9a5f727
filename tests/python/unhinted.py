"""Functions without hints, from which inputs are inferred."""

import math


def by_default(x=3, y="a", flag=False, names=["a"], nothing=None):  # noqa: B006
    return x, y, flag, names, nothing


def by_test(x):
    if isinstance(x, (str, bytes)):
        return 1
    return 2


def by_operators(n, ratio, text, key, table):
    for _ in range(n):
        pass
    return ratio / 2 + math.sqrt(ratio), text + "!", key == "k", table["k"]


def by_attributes(word, rows, mapping):
    word.strip()
    rows.append(1)
    return mapping.items(), len(word)


def by_iteration(things):
    return [thing is None for thing in things]


def by_elements(words, rows):
    return [len(row) > 1 and row[0] == 3 for row in rows], [word.upper() for _, word in enumerate(words)]


def by_truth(quiet_please):
    return 1 if quiet_please else 2


def by_call(amount_of_it):
    return _half(amount_of_it)


def _half(it):
    return it // 2


def by_sphinx(a, b):
    """Something.

    :param a: an integer
    :type b: str
    """


def by_google(a, b):
    """Something.

    Args:
        a (float): how much.
        b: A string to show.
    """


def by_numpy(a, b):
    """Something.

    Parameters
    ----------
    a : list of int
    b : bool, optional
    """


def by_name(width, file_name, is_open, qqq):
    return width, file_name, is_open, qqq


def applied(action, it):
    return action(it[1:])


class Account:
    def __init__(self, owner, balance):
        self._owner = owner
        self._balance = balance

    def greet(self):
        return self._owner.title()

    def has(self, amount):
        return self._balance >= amount + 5

    def __lt__(self, other):
        return self._balance < other._balance


def audited(account: Account):
    return 1 if account.has(10) else 0


class Registry(type):
    """Its annotations cannot be read like those of other classes."""

    members: dict[str, type]


class Reading:
    """Has an attribute that only its constructor names."""

    def __init__(self, celsius: float) -> None:
        self.celsius_measured = celsius


class Thermometer:
    def warm(self, sample):
        return self._is_above(sample, 20)

    def _is_above(self, found, limit):
        return found.celsius_measured > limit


def by_constructor(seen):
    return seen.celsius_measured > 30
