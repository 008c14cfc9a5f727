"""Templates of URIs (RFC 6570), as the package uri_template reads them."""

from uri_template import URITemplate


def parse(text: str) -> object:
    return URITemplate(text)
