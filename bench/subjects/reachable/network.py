"""Matching IPv4 addresses against networks."""

from __future__ import annotations


class AddressError(ValueError):
    """A text is not an address or a network."""


def parse_address(text: str) -> int:
    """The number of an address such as ``10.0.0.1``."""
    parts = text.split(".")
    if len(parts) != 4:
        raise AddressError(f"{text!r} does not have four parts")
    number = 0
    for part in parts:
        if not (part.isascii() and part.isdigit()):
            raise AddressError(f"{part!r} is not a number")
        if len(part) > 1 and part.startswith("0"):
            raise AddressError(f"{part!r} has leading zeros")
        octet = int(part)
        if octet > 255:
            raise AddressError(f"{octet} is more than 255")
        number = number << 8 | octet
    return number


def parse_network(text: str) -> tuple[int, int]:
    """The first address and the prefix length of a network such as ``10.0.0.0/8``."""
    address, slash, suffix = text.partition("/")
    number = parse_address(address)
    if not slash:
        return number, 32
    if suffix.isdigit() and suffix.isascii():
        length = int(suffix)
        if length > 32:
            raise AddressError(f"prefix length {length} is more than 32")
    else:
        mask = parse_address(suffix)
        length = 0
        while length < 32 and mask & 1 << (31 - length):
            length += 1
        if mask & (1 << (32 - length)) - 1:
            raise AddressError(f"{suffix!r} is not a mask")
    if number & (1 << (32 - length)) - 1:
        raise AddressError(f"{text!r} has host bits set")
    return number, length


def matches(address: str, network: str) -> bool:
    """Whether an address is in a network."""
    number = parse_address(address)
    first, length = parse_network(network)
    if length == 0:
        return True
    return number >> (32 - length) == first >> (32 - length)


def kind(address: str) -> str:
    """What an address is used for."""
    if matches(address, "127.0.0.0/8"):
        return "loopback"
    if matches(address, "224.0.0.0/4"):
        return "multicast"
    for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"):
        if matches(address, network):
            return "private"
    if address == "255.255.255.255":
        return "broadcast"
    return "public"
