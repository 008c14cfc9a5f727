"""A program with a branch that no input takes."""


def parity(number: int) -> str:
    if (number * 2) % 2 == 1:
        return "never"
    if number > 10:
        return "large"
    return "small"


if __name__ == "__main__":
    print(parity(3))
