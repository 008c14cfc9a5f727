"""Programs behind gates that random values hardly ever pass."""

from array import array


def magic(number, text):
    if number * 3 == 4242:
        if text == "magic":
            return "both"
        return "number"
    if text.startswith("ab"):
        return "prefix"
    return "none"


def parity(number):
    doubled = number + number
    if doubled % 2 == 1:
        return "never"
    return "even" if number > 10 else "small"


def short(text):
    if len(text) > 1000:
        return "long"
    return "short" if text else "empty"


def lookup(table, key):
    if key in table:
        if table[key] == 99:
            return "found 99"
        return "found"
    return "missing"


def rooted(number):
    if hash(number) == 12345:
        return "hash"
    return "other"


class Account:
    def __init__(self, limit):
        self.limit = limit
        self.spent = 0

    def pay(self, amount):
        if amount < 0:
            raise ValueError("negative")
        if self.spent + amount > self.limit:
            return "refused"
        if self.limit - amount == 77:
            return "exact"
        self.spent += amount
        return "paid"


def passes(account, amount):
    return account.pay(amount) == "exact"


def packed(number):
    if array("i", [number % 100_000])[0] == 4242:
        return "packed"
    return "other"
