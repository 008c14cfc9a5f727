"""The header lines of an HTTP request, as the package h11 reads them."""

import h11


def parse(text: str) -> object:
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(b"GET / HTTP/1.1\r\n" + text.encode("ascii", "replace") + b"\r\n\r\n")
    return connection.next_event()
