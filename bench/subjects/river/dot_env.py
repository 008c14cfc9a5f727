"""Files of environment variables, as the package python-dotenv reads them."""

from io import StringIO

import dotenv


def parse(text: str) -> object:
    return dotenv.dotenv_values(stream=StringIO(text))
