"""The memory of an emulated target: read from the stopped process where it is first touched, and put back after a run.

All of it lies in two arenas, one for what may be written. Putting it back copies the original arena over the other.
"""

from __future__ import annotations

import ctypes
import mmap
from dataclasses import dataclass
from typing import Any

from pessimal.binary.image import WRITE, Image, Region

PAGE = 4096
CHUNK, LARGE_CHUNK = 4 * PAGE, 32 * PAGE
"""How much becomes known to the emulator at once: of the image, and of memory that the target asked for."""
MOST_WRITABLE = 512 << 20
MOST_READ_ONLY = 512 << 20
MOST_KEPT = 32 << 20
"""How much that can be written is kept for the next run; all of it is copied then."""


class MemoryExhausted(Exception):
    """A run uses more memory than it may."""


@dataclass(frozen=True, slots=True)
class _Mapped:
    """A chunk that the emulator knows: where it is, and its host memory."""

    start: int
    size: int
    host: int


class _Arena:
    """Host memory that is handed out in order."""

    def __init__(self, size: int) -> None:
        self._map = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)  # no reserve
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        self._size = size
        self.used = 0

    def take(self, size: int) -> int:
        """The address of some more of it."""
        if self.used + size > self._size:
            raise MemoryExhausted
        self.used += size
        return self.base + self.used - size


class Memory:
    """The memory of one emulator."""

    def __init__(self, image: Image, emulator: Any, limit: int) -> None:
        self._image = image
        self._emulator = emulator
        self._limit = min(limit, MOST_WRITABLE)
        self.is_limited_by_user = limit <= MOST_WRITABLE
        self._writable, self._original = _Arena(MOST_WRITABLE), _Arena(MOST_WRITABLE)
        self._fixed = _Arena(MOST_READ_ONLY)
        self._pages: dict[int, _Mapped] = {}
        self._own: list[Region] = []
        self._added: list[Region] = []
        self._previous: list[Region] = []
        self._has_replaced = False
        self._spare: dict[tuple[int, int], int] = {}
        self._kept = MOST_KEPT

    def reserve(self, start: int, size: int) -> None:
        """Make memory available that every run has, filled with zeros."""
        self._own.append(Region(start, start + size, 3, ""))

    def add(self, start: int, size: int, rights: int) -> None:
        """Make memory available to this run; the emulator still knows that which the last run had, too."""
        region = Region(start, start + size, rights, "")
        if region in self._previous:
            self._previous.remove(region)
        else:
            self.forget_previous()
        self._added.append(region)

    def replace(self, start: int, size: int, rights: int) -> None:
        """Make memory available to this run where there is some already, which may have been out of reach."""
        self._has_replaced = True
        self._added.insert(0, Region(start, start + size, rights, ""))
        for page in range(start // PAGE, (start + size) // PAGE):
            if page in self._pages:
                self._emulator.mem_protect(page * PAGE, PAGE, rights)

    def clear(self, start: int, size: int) -> None:
        """Fill with zeros what the emulator knows of a range of pages."""
        for page in [page for page in self._pages if start <= page * PAGE < start + size]:
            self.write(page * PAGE, bytes(PAGE))

    def region_at(self, address: int) -> Region | None:
        """What an address belongs to."""
        for region in (*self._added, *self._own):
            if region.start <= address < region.end:
                return region
        return self._image.region_at(address)

    def _is_of_image(self, region: Region) -> bool:
        return self._image.region_at(region.start) is region

    def touch(self, address: int) -> bool:
        """Make the emulator know the memory at an address; False if there is none."""
        if address // PAGE in self._pages:
            return True
        region = self.region_at(address)
        if region is None or region.rights == 0:
            return False
        chunk = CHUNK if self._is_of_image(region) else LARGE_CHUNK
        start = max(region.start, address // chunk * chunk)
        end = min(region.end, address // chunk * chunk + chunk)
        if not all(self._is_free(page, region) for page in range(start // PAGE, end // PAGE)):
            start, end = address // PAGE * PAGE, address // PAGE * PAGE + PAGE
        self._map(start, end - start, region)
        return True

    def _is_free(self, page: int, region: Region) -> bool:
        """Whether a page can become known as part of a region; later mappings may have replaced parts of it."""
        return page not in self._pages and self.region_at(page * PAGE) is region

    def _map(self, start: int, size: int, region: Region) -> None:
        host = self._spare.pop((start, size), None) or self._new(start, size, region)
        self._emulator.mem_map_ptr(start, size, region.rights, host)
        mapped = _Mapped(start, size, host)
        for page in range(start // PAGE, (start + size) // PAGE):
            self._pages[page] = mapped

    def _new(self, start: int, size: int, region: Region) -> int:
        """Host memory for a chunk, with what the chunk holds before the first run."""
        is_writable = bool(region.rights & WRITE)
        content = self._image.read(start, size) if self._is_of_image(region) else bytes(size)
        host = (self._writable if is_writable else self._fixed).take(size)
        if is_writable:
            ctypes.memmove(self._original.take(size), content, size)
            if self._writable.used > self._limit:
                raise MemoryExhausted
        ctypes.memmove(host, content, size)
        return host

    def reset(self) -> None:
        """Put everything back as it was before the first run, or where it was kept."""
        ctypes.memmove(self._writable.base, self._original.base, self._writable.used)
        self._previous, self._added = self._previous + self._added, []
        is_large = self._writable.used > 2 * self._kept
        if self._has_replaced or is_large:
            self.forget_previous()
        if is_large:
            self._shrink()

    def keep(self) -> None:
        """Let every later run begin with what memory holds now."""
        ctypes.memmove(self._original.base, self._writable.base, self._writable.used)
        self._own, self._added = self._added + self._own, []
        self._kept = max(MOST_KEPT, self._writable.used)

    def forget_previous(self) -> None:
        """Let the emulator forget what only runs before had, so that this one cannot touch it."""
        previous, self._previous, self._has_replaced = self._previous, [], False
        for mapped in self._chunks() if previous else ():
            if any(region.start <= mapped.start < region.end for region in previous):
                self._unmap(mapped)
                self._spare[mapped.start, mapped.size] = mapped.host

    def _shrink(self) -> None:
        """Give back what a run took that needed far more than others, so that the next ones are quick again."""
        most = self._writable.base + self._kept
        end = self._writable.base + self._writable.used
        large = [mapped for mapped in self._chunks() if most <= mapped.host < end]
        for mapped in large:
            self._unmap(mapped)
        self._spare = {key: host for key, host in self._spare.items() if not most <= host < end}
        first = min((mapped.host for mapped in large), default=end)
        self._writable.used = self._original.used = first - self._writable.base

    def _chunks(self) -> list[_Mapped]:
        return list({mapped.start: mapped for mapped in self._pages.values()}.values())

    def _unmap(self, mapped: _Mapped) -> None:
        self._emulator.mem_unmap(mapped.start, mapped.size)
        for page in range(mapped.start // PAGE, (mapped.start + mapped.size) // PAGE):
            del self._pages[page]

    def read(self, address: int, size: int) -> bytes | None:
        """The content of memory now; None if some of it is not there."""
        parts = []
        while size:
            mapped = self._at(address)
            if mapped is None:
                return None
            here = min(size, mapped.start + mapped.size - address)
            parts.append(ctypes.string_at(mapped.host + address - mapped.start, here))
            address, size = address + here, size - here
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def write(self, address: int, content: bytes) -> bool:
        """Change memory; False if some of it is not there."""
        while content:
            mapped = self._at(address)
            if mapped is None:
                return False
            here = min(len(content), mapped.start + mapped.size - address)
            ctypes.memmove(mapped.host + address - mapped.start, content, here)
            address, content = address + here, content[here:]
        return True

    def _at(self, address: int) -> _Mapped | None:
        mapped = self._pages.get(address // PAGE)
        if mapped is None and self.touch(address):
            mapped = self._pages[address // PAGE]
        return mapped
