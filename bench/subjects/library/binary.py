"""Binary formats: headers, lengths, checksums, encodings."""

from __future__ import annotations

import base64
import struct


def packet_header(data: bytes) -> int:
    if len(data) < 4 or data[:2] != b"PK":
        return 0
    length, check = data[2], data[3]
    body = data[4:]
    if len(body) != length or length == 0:
        return 0
    return 1 if sum(body) % 256 == check else 0


def unpacked_struct(data: bytes) -> int:
    if len(data) != 6:
        return 0
    kind, flags, length = struct.unpack(">HBxH", data)
    return 1 if kind == 0x1F8B and flags & 0x11 == 0x11 and length == 300 else 0


def variable_integer(data: bytes) -> int:
    value, shift = 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            break
    else:
        return 0
    return 1 if value == 70000 else 0


def type_length_value(data: bytes) -> int:
    fields: dict[int, bytes] = {}
    place = 0
    while place + 2 <= len(data):
        kind, length = data[place], data[place + 1]
        fields[kind] = data[place + 2 : place + 2 + length]
        place += 2 + length
    return 1 if place == len(data) and fields.get(7) == b"ok" and 9 in fields else 0


def utf8_text(data: bytes) -> int:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return 0
    return 1 if text == "né" else 0


def base64_encoded(data: bytes) -> int:
    return 1 if base64.b64encode(data) == b"a2V5" else 0


def hexadecimal(data: bytes) -> int:
    return 1 if data.hex() == "cafe07" else 0


WITNESSES: dict[str, tuple[object, ...]] = {
    "packet_header": (b"PK\x02\x03\x01\x02",),
    "unpacked_struct": (b"\x1f\x8b\x11\x00\x01\x2c",),
    "variable_integer": (b"\xf0\xa2\x04",),
    "type_length_value": (b"\x07\x02ok\x09\x00",),
    "utf8_text": ("né".encode(),),
    "base64_encoded": (b"key",),
    "hexadecimal": (b"\xca\xfe\x07",),
}
