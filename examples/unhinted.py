"""A function without type hints, to show what is inferred from its code."""


def find(words, prefix):
    """The position of the first word with a prefix; -1 if there is none."""
    for position, word in enumerate(words):
        if word.startswith(prefix):
            return position
    return -1
