"""A function that is given instances of a class of another module, which it does not import."""


def checks(it):
    return it.celsius_measured
