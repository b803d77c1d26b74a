"""The file of one tier: its entries cut into blocks that are packed each for itself, so that one can be read without
the others.

    8 bytes     magic
    u64         entries
    u32         entries in a block
    u32         blocks
    u64 ...     where each block begins in the file, and where the last one ends
    u32 ...     the checksum (CRC-32) of each block as it is unpacked
    u32         the checksum of all of this
    ...         the blocks

Numbers are little-endian. Blocks are packed by Zstandard where that is installed (the extra `tables`), else by zlib;
which of them is said in the manifest of the table. Entries of two bits stand four in a byte.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from zermelo.certificates.certificate import Damaged
from zermelo.compile.paging import PAGE
from zermelo.rules import Unsuitable

MAGIC = b"zermelo\x01"
BLOCK = PAGE
"""How many entries a block has: what is read at a time, few enough to be unpacked in some twenty microseconds."""
ZSTD, ZLIB = "zstd", "zlib"
_HEAD = struct.Struct("<8sQII")


def best_codec() -> str:
    """The packing that new files get."""
    try:
        import zstandard  # noqa: F401
    except ImportError:
        return ZLIB
    return ZSTD


def packer(codec: str) -> Callable[[bytes], bytes]:
    if codec == ZLIB:
        return lambda data: zlib.compress(data, 6)
    import zstandard

    return zstandard.ZstdCompressor(level=3).compress  # type: ignore[no-any-return, unused-ignore]


def unpacker(codec: str) -> Callable[[bytes], bytes]:
    if codec == ZLIB:
        return zlib.decompress
    try:
        import zstandard
    except ImportError:
        raise Unsuitable(
            "the table is packed by Zstandard, which is not installed: pip install zermelo[tables]"
        ) from None
    return zstandard.ZstdDecompressor().decompress  # type: ignore[no-any-return, unused-ignore]


def write_blocks(out: BinaryIO, entries: Any, unused: float, codec: str, bits: int) -> None:
    """Write a file. What is unused is given the value of the entry before it, which packs best."""
    pack, count = packer(codec), -(-len(entries) // BLOCK)
    offsets, sums = np.zeros(count + 1, "<u8"), np.zeros(count, "<u4")
    head = _head(len(entries), offsets, sums)
    offsets[0] = len(head)
    out.write(head)
    for number in range(count):
        plain = _squeezed(_filled(entries[number * BLOCK : (number + 1) * BLOCK], unused), bits)
        packed = pack(plain)
        offsets[number + 1], sums[number] = offsets[number] + len(packed), zlib.crc32(plain)
        out.write(packed)
    out.seek(0)
    out.write(_head(len(entries), offsets, sums))


def _filled(entries: Any, unused: float) -> Any:
    gaps = np.isnan(entries) if unused != unused else entries == unused
    if not gaps.any():
        return entries
    last = np.maximum.accumulate(np.where(gaps, 0, np.arange(len(entries))))
    return np.where(gaps[last], entries.dtype.type(0), entries[last])


def _head(size: int, offsets: Any, sums: Any) -> bytes:
    head: bytes = _HEAD.pack(MAGIC, size, BLOCK, len(sums)) + offsets.tobytes() + sums.tobytes()
    return head + struct.pack("<I", zlib.crc32(head))


def _squeezed(entries: Any, bits: int) -> bytes:
    if bits != 2:
        return bytes(entries.tobytes())
    four = np.zeros((-(-len(entries) // 4), 4), np.uint8)
    four.reshape(-1)[: len(entries)] = entries
    return bytes((four[:, 0] | four[:, 1] << 2 | four[:, 2] << 4 | four[:, 3] << 6).tobytes())


class Blocks:
    """The file of a tier, open for reading. dtype: of an entry; bits: in how many it is kept."""

    def __init__(self, path: Path, size: int, dtype: np.dtype[Any], codec: str, bits: int) -> None:
        self.path, self.size, self.dtype, self.bits = path, size, dtype, bits
        self.unpack = unpacker(codec)
        try:
            with path.open("rb") as file:
                self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as unreadable:
            raise Damaged(f"{path} cannot be read: {getattr(unreadable, 'strerror', None) or 'it is empty'}") from None
        if len(self.data) < _HEAD.size:
            raise self._damaged("it is too short")
        magic, entries, block, count = _HEAD.unpack_from(self.data)
        end = _HEAD.size + 8 * (count + 1) + 4 * count
        if magic != MAGIC or entries != size or block != BLOCK or count != -(-size // BLOCK):
            raise self._damaged("its head is not that of this tier")
        if struct.pack("<I", zlib.crc32(self.data[:end])) != self.data[end : end + 4]:
            raise self._damaged("its head has changed")
        self.offsets = np.frombuffer(self.data, "<u8", count + 1, _HEAD.size)
        self.sums = np.frombuffer(self.data, "<u4", count, _HEAD.size + 8 * (count + 1))
        if int(self.offsets[-1]) != len(self.data):
            raise self._damaged(f"it should have {int(self.offsets[-1]):,} bytes, not {len(self.data):,}")

    def __len__(self) -> int:
        return len(self.sums)

    def read(self, number: int) -> Any:
        """The entries of a block."""
        begin, end = int(self.offsets[number]), int(self.offsets[number + 1])
        length = min(BLOCK, self.size - number * BLOCK)
        try:
            plain = self.unpack(self.data[begin:end])
        except Exception:  # whatever the library raises: its errors have no common name
            plain = b""
        if zlib.crc32(plain) != int(self.sums[number]):
            raise self._damaged(f"block {number} has changed")
        if self.bits != 2:
            return np.frombuffer(plain, self.dtype)
        four = np.frombuffer(plain, np.uint8)
        return np.stack([four >> shift & 3 for shift in (0, 2, 4, 6)], axis=1).reshape(-1)[:length]

    def _damaged(self, why: str) -> Damaged:
        return Damaged(f"{self.path} is damaged, {why}: build it again")
