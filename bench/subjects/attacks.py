"""Functions of real packages, at versions with published flaws of complexity, each on one text."""

from __future__ import annotations

import html.parser
from typing import Any

import idna
import markdown
import sqlparse
import zipp
from wheel.wheelfile import WHEEL_INFO_RE


def idna_encode(text: str) -> bytes:
    """CVE-2024-3651: quadratic in digits of some scripts."""
    return idna.encode(text)


def markdown_convert(text: str) -> str:
    """Quadratic in open brackets."""
    return markdown.markdown(text)


def sqlparse_parse(text: str) -> Any:
    """CVE-2024-4340: recursion as deep as brackets are nested."""
    return sqlparse.parse(text)


def zipp_implied_dirs(text: str) -> list[str]:
    """CVE-2024-5569: does not end for a name that starts with two slashes."""
    return list(zipp.CompleteDirs._implied_dirs([text]))


def html_feed(text: str) -> None:
    """CVE-2025-6069: quadratic in tags that are not closed."""
    parser = html.parser.HTMLParser()
    parser.feed(text)
    parser.close()


def wheel_match(text: str) -> bool:
    """CVE-2022-40898: a regular expression that backtracks, in the fifth power of the length."""
    return WHEEL_INFO_RE.match(text) is not None
