"""Compressed streams that last as long as a connection, each piece held to the size it said."""

from __future__ import annotations

import zlib

from proctor.computers.channels.rfb.pixels import Outside


class Inflater:
    """One stream of zlib data, in pieces."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj()

    def exactly(self, data: bytes, size: int) -> bytes:
        """Return what a piece unpacks to, which has to be so many bytes."""
        unpacked = self.up_to(data, size)
        if len(unpacked) != size:
            raise Outside(f"packed {len(unpacked)} bytes where {size} were due")
        return unpacked

    def up_to(self, data: bytes, most: int) -> bytes:
        """Return what a piece unpacks to, which may be at most so many bytes."""
        try:
            # One byte more tells whether there is more: a few kilobytes can hold gigabytes.
            unpacked = self._stream.decompress(data, most + 1)
        except zlib.error as error:
            raise Outside(f"sent data that cannot be unpacked ({error})") from error
        if len(unpacked) > most or self._stream.unconsumed_tail:
            raise Outside(f"packed more than the {most} bytes that were due")
        return unpacked
