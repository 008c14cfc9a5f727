"""Addresses of machines and pages."""

from __future__ import annotations

import ipaddress
import urllib.parse


def read_address(text: str) -> int:
    """The number of an IPv4 address."""
    return int(ipaddress.IPv4Address(text))


def address_kind(number: int) -> str:
    """What an IPv4 address is used for."""
    address = ipaddress.IPv4Address(number)
    if address.is_loopback:
        return "loopback"
    if address.is_multicast:
        return "multicast"
    return "private" if address.is_private else "public"


def in_network(number: int, prefix: int) -> bool:
    """Whether an address lies in the network of that many bits around 10.1.2.3."""
    return ipaddress.IPv4Address(number) in ipaddress.IPv4Network(f"10.1.2.3/{prefix}", strict=False)


def host_of(text: str) -> str | None:
    """The host name of an address on the net."""
    return urllib.parse.urlsplit("http://" + text).hostname


def port_of(text: str) -> int | None:
    """The port of an address on the net."""
    return urllib.parse.urlsplit("http://host:" + text).port
