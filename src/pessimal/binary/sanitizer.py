"""What sanitizers print when they end a program: the kind of the mistake, and where it was made."""

from __future__ import annotations

import re

MARK = b"__asan_init"
"""The name of a function that a file has, or needs, if it was built with AddressSanitizer."""
OPTIONS = {
    "ASAN_OPTIONS": "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:print_stacktrace=1",
}
"""A mistake ends the program by a signal, as others do."""
EMULATED_OPTIONS = {**OPTIONS, "ASAN_OPTIONS": f"{OPTIONS['ASAN_OPTIONS']}:symbolize=0"}
"""In the emulator names are found otherwise."""

_ERROR = re.compile(r"(?:ERROR|SUMMARY): (\w+Sanitizer): ([\w-]+)")
_RUNTIME_ERROR = re.compile(r"^(\S+:\d+:\d+): runtime error: (.*)$", re.MULTILINE)
_FRAME = re.compile(r"^ +#\d+ 0x[0-9a-f]+ in (\S+) (\S+)", re.MULTILINE)
_OWN = ("__interceptor_", "__asan", "__ubsan", "__sanitizer", "operator")


def summary(printed: bytes) -> str | None:
    """The kind and the innermost frame of a report; None if there is none."""
    text = printed.decode("utf-8", "replace")
    found = _ERROR.search(text)
    if found is None:
        at = _RUNTIME_ERROR.search(text)
        return None if at is None else f"UndefinedBehaviorSanitizer {at[2]} at {at[1]}"
    frame = next((frame for frame in _FRAME.finditer(text, found.end()) if not frame[1].startswith(_OWN)), None)
    place = "" if frame is None else f" in {frame[1]} {frame[2].rpartition('/')[2]}"
    return f"{found[1]} {found[2]}{place}"
