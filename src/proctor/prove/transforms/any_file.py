"""Transforms of any file, whatever it holds."""

from __future__ import annotations

from random import Random

from proctor.prove.transforms.shelf import mutant


@mutant("emptied", "*")
def empty_file(data: bytes, draw: Random) -> bytes | None:
    """Leave a file of no bytes."""
    return b""


@mutant("filled with noise", "*")
def noise(data: bytes, draw: Random) -> bytes | None:
    """Put bytes that mean nothing in place of all of them; the size stays."""
    return draw.randbytes(len(data))


@mutant("cut off in the middle", "*")
def cut_off(data: bytes, draw: Random) -> bytes | None:
    """Leave the first half."""
    return data[: len(data) // 2]
