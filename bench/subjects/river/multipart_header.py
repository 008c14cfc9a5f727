"""Headers with options, as the package multipart reads them."""

import multipart


def parse(text: str) -> object:
    return multipart.parse_options_header(text)
