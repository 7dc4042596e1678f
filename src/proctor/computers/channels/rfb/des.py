"""The DES block cipher, for the one place that still asks for it: VNC's challenge and response."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_INITIAL = [bit for first in (58, 60, 62, 64, 57, 59, 61, 63) for bit in range(first, 0, -8)]
_FINAL = [_INITIAL.index(bit) + 1 for bit in range(1, 65)]
_EXPAND = [(4 * row + column - 1) % 32 + 1 for row in range(8) for column in range(6)]
_MIX = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
]  # fmt: skip
_KEY_BITS = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
]  # fmt: skip
_ROUND_BITS = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
]  # fmt: skip
_TURNS = (1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1)
_BOXES = (
    "e4d12fb83a6c5907 0f74e2d1a6cb9538 41e8d62bfc973a50 fc8249175b3ea06d",
    "f18e6b34972dc05a 3d47f28ec01a69b5 0e7ba4d158c6932f d8a13f42b67c05e9",
    "a09e63f51dc7b428 d709346a285ecbf1 d6498f30b12c5ae7 1ad069874fe3b52c",
    "7de3069a1285bc4f d8b56f03472c1ae9 a690cb7df13e5284 3f06a1d8945bc72e",
    "2c417ab6853fd0e9 eb2c47d150fa3986 421bad78f9c5630e b8c71e2d6f09a453",
    "c1af92680d34e75b af427c9561de0b38 9ef528c3704a1db6 432c95fabe17608d",
    "4b2ef08d3c975a61 d0b7491ae35c2f86 14bdc37eaf680592 6bd814a7950fe23c",
    "d2846fb1a93e50c7 1fd8a374c56b0e92 7b419ce206adf358 21e74a8dfc90356b",
)
"""For each of eight groups of six bits: four rows of sixteen values of four bits."""

Bits = list[int]


def answer(challenge: bytes, password: bytes) -> bytes:
    """Return each half of VNC's challenge, enciphered with eight bytes of a password.

    VNC reads the bits of each byte of the key in the opposite order from everybody else.
    """
    key = bytes(int(f"{byte:08b}"[::-1], 2) for byte in password[:8].ljust(8, b"\0"))
    return b"".join(encipher(challenge[at : at + 8], key) for at in range(0, len(challenge), 8))


def encipher(block: bytes, key: bytes) -> bytes:
    """Return eight bytes enciphered with a key of eight bytes."""
    state = _choose(_bits(block), _INITIAL)
    left, right = state[:32], state[32:]
    for round_key in _round_keys(key):
        mixed = _choose(_substitute(_xor(_choose(right, _EXPAND), round_key)), _MIX)
        left, right = right, _xor(left, mixed)
    return int("".join(map(str, _choose(right + left, _FINAL))), 2).to_bytes(8)


def _round_keys(key: bytes) -> Iterable[Bits]:
    kept = _choose(_bits(key), _KEY_BITS)
    one, other = kept[:28], kept[28:]
    for turn in _TURNS:
        one, other = one[turn:] + one[:turn], other[turn:] + other[:turn]
        yield _choose(one + other, _ROUND_BITS)


def _substitute(bits: Bits) -> Bits:
    found: Bits = []
    for number, box in enumerate(_BOXES):
        six = bits[6 * number : 6 * number + 6]
        row, column = 2 * six[0] + six[5], 8 * six[1] + 4 * six[2] + 2 * six[3] + six[4]
        found += _bits(bytes([int(box[17 * row + column], 16)]))[4:]
    return found


def _bits(data: bytes) -> Bits:
    return [byte >> shift & 1 for byte in data for shift in range(7, -1, -1)]


def _choose(bits: Bits, places: Sequence[int]) -> Bits:
    return [bits[place - 1] for place in places]


def _xor(one: Bits, other: Bits) -> Bits:
    return [a ^ b for a, b in zip(one, other, strict=True)]
