"""Programs that call compiled functions without a symbolic meaning; each has outcomes 0 and 1."""

import binascii
import cmath
import hashlib
import hmac
import math
import struct
import unicodedata
import zlib


def checksum(data: bytes) -> int:
    return 1 if zlib.crc32(data) % 7 == 3 else 0


def checksum_of_a_part(data: bytes) -> int:
    return 1 if zlib.crc32(data[1:], zlib.crc32(b"head")) & 15 == 9 else 0


def short_checksum(data: bytes) -> int:
    return 1 if binascii.crc_hqx(data, 0xFFFF) % 11 == 5 else 0


def exponent(x: float) -> int:
    _, power = math.frexp(x)
    return 1 if power == 7 else 0


def scaled(n: int) -> int:
    try:
        return 1 if math.ldexp(1.5, n) > 1e9 else 0
    except OverflowError:
        return 0


def gap(x: float) -> int:
    return 1 if math.ulp(x) > 1e-9 else 0


def angle(x: float, y: float) -> int:
    return 1 if cmath.phase(complex(-1, 0)) > 3 and math.nextafter(x, y) < x - 0.0 else 0


def kind_of_letter(s: str) -> int:
    return 1 if unicodedata.category(s[0]) == "Nd" else 0


def width_of_letter(s: str) -> int:
    return 1 if unicodedata.east_asian_width(s[0]) == "W" else 0


def compressed(data: bytes) -> int:
    return 1 if zlib.compress(data)[-1] % 4 == 2 else 0


def sign_bit(x: float) -> int:
    return 1 if struct.unpack("<Q", struct.pack("<d", x))[0] >> 63 else 0


def exponent_bits(x: float) -> int:
    bits = int.from_bytes(struct.pack(">d", x), "big")
    return 1 if (bits >> 52) & 0x7FF > 1060 else 0


def too_large_for_a_single(x: float) -> int:
    try:
        struct.pack("<f", x)
    except OverflowError:
        return 1
    return 0


def unpacked_float(data: bytes) -> int:
    (value,) = struct.unpack("<e", data[:2])
    return 1 if value > 5 else 0


def hashed(data: bytes) -> int:
    return 1 if hashlib.sha256(data).digest()[0] % 16 == 7 else 0


def hash_as_text(data: bytes) -> int:
    return 1 if hashlib.md5(b"salt" + data).hexdigest().startswith("a") else 0


def hashed_in_parts(data: bytes) -> int:
    made = hashlib.new("sha1", b"head")
    made.update(data[:1])
    other = made.copy()
    other.update(b"tail")
    return 1 if other.hexdigest()[0] == "3" and made.digest_size == 20 else 0


def keyed(data: bytes) -> int:
    return 1 if hmac.new(b"key", data, "sha256").digest()[3] % 8 == 5 else 0


def short_hash(data: bytes) -> int:
    return 1 if hashlib.blake2b(data, digest_size=2).digest()[0] % 8 == 1 and hashlib.shake_128(data).digest(2) else 0
