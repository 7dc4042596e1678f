"""What an RFB server paints, in every encoding, comes out as it went in; what it may not paint is refused."""

from __future__ import annotations

import io
import struct
import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from proctor.computers.channels.rfb import cursors
from proctor.computers.channels.rfb.clipboard import Clipboard
from proctor.computers.channels.rfb.inflate import Inflater
from proctor.computers.channels.rfb.line import LineCut, RfbLine
from proctor.computers.channels.rfb.pixels import Outside, RfbPicture
from proctor.computers.channels.rfb.tight import Tight
from proctor.computers.channels.rfb.zrle import Zrle
from proctor.errors import ComputerError
from proctor.observations.box import Box

SEVENS = zlib.compress(b"\7" * 512)
PATTERNS = st.sampled_from(["plain", "solid", "few", "many", "runs", "palette runs"])


class Said(RfbLine):
    """What a server has said, without a server."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def take(self, count: int) -> bytes:
        data = self._data.read(count)
        if len(data) < count:
            raise LineCut("it ended")
        return data


line = Said


def picture(width: int = 200, height: int = 150) -> RfbPicture:
    made = RfbPicture()
    made.resize(width, height)
    return made


def triples(colours: np.ndarray, *, red_first: bool) -> bytes:
    planes = [colours >> shift & 255 for shift in ((16, 8, 0) if red_first else (0, 8, 16))]
    return np.stack(planes, axis=-1).astype(np.uint8).tobytes()


def wanted(seed: int, colours: int, width: int, height: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    palette = random.integers(0, 1 << 24, colours, dtype=np.uint32)
    return palette[random.integers(0, colours, (height, width))]


# -- ZRLE -------------------------------------------------------------------------------------------------------------


def zrle_tile(tile: np.ndarray, kind: str) -> bytes:
    flat = tile.reshape(-1)
    palette, numbers = np.unique(flat, return_inverse=True)
    if kind == "solid" and len(palette) == 1:
        return b"\1" + triples(palette, red_first=False)
    if kind == "few" and 2 <= len(palette) <= 16:
        bits = 1 if len(palette) == 2 else 2 if len(palette) <= 4 else 4
        rows = numbers.reshape(tile.shape).astype(np.uint8)
        exploded = np.unpackbits(rows[..., None], axis=2)[..., 8 - bits :].reshape(len(rows), -1)
        return bytes([len(palette)]) + triples(palette, red_first=False) + np.packbits(exploded, axis=1).tobytes()
    if kind in ("runs", "palette runs"):
        starts = [0, *(np.flatnonzero(np.diff(flat.astype(np.int64))) + 1), len(flat)]
        runs = [(int(start), int(end - start)) for start, end in zip(starts, starts[1:], strict=False)]
        if kind == "runs" or not 2 <= len(palette) <= 127:
            written = (triples(flat[at : at + 1], red_first=False) + length(count) for at, count in runs)
            return bytes([128]) + b"".join(written)
        numbered = (
            bytes([numbers[at]]) if count == 1 else bytes([numbers[at] | 128]) + length(count) for at, count in runs
        )
        return bytes([128 + len(palette)]) + triples(palette, red_first=False) + b"".join(numbered)
    return b"\0" + triples(flat, red_first=False)


def length(count: int) -> bytes:
    return b"\xff" * ((count - 1) // 255) + bytes([(count - 1) % 255])


def zrle(packer: zlib._Compress, pixels: np.ndarray, kind: str) -> bytes:
    tiles = b"".join(
        zrle_tile(pixels[y : y + 64, x : x + 64], kind)
        for y in range(0, pixels.shape[0], 64)
        for x in range(0, pixels.shape[1], 64)
    )
    packed = packer.compress(tiles) + packer.flush(zlib.Z_SYNC_FLUSH)
    return struct.pack(">I", len(packed)) + packed


@given(
    kinds=st.lists(PATTERNS, min_size=1, max_size=4),
    seed=st.integers(0, 1 << 30),
    colours=st.integers(1, 200),
    width=st.integers(1, 150),
    height=st.integers(1, 100),
)
def test_zrle_comes_out_as_it_went_in(kinds: list[str], seed: int, colours: int, width: int, height: int) -> None:
    packer, painter = zlib.compressobj(), Zrle()
    for turn, kind in enumerate(kinds):
        pixels = wanted(seed + turn, colours, width, height)
        shown = picture()
        painter.paint(line(zrle(packer, pixels, kind)), shown, Box(7, 5, width, height))
        assert (shown.part(Box(7, 5, width, height)) == pixels).all()


@pytest.mark.parametrize(
    ("tiles", "said"),
    [
        (b"\x80\1\2\3\xff\xff\0", "beyond its tile"),
        (b"\x11", "unknown kind 17"),
        (b"\0\1\2", "middle of a tile"),
        (b"\3" + bytes(9) + b"\xff" * 4, "colour 3 of 3"),
        (b"\1\1\2\3\1\1\2\3", "more than its tiles need"),
        (b"", "middle of a tile"),
    ],
)
def test_zrle_that_makes_no_sense_is_refused(tiles: bytes, said: str) -> None:
    packed = zlib.compress(tiles)
    with pytest.raises(Outside, match=said):
        Zrle().paint(line(struct.pack(">I", len(packed)) + packed), picture(), Box(0, 0, 4, 4))


# -- Tight ------------------------------------------------------------------------------------------------------------


def compact(count: int) -> bytes:
    if count < 1 << 7:
        return bytes([count])
    if count < 1 << 14:
        return bytes([count & 127 | 128, count >> 7])
    return bytes([count & 127 | 128, count >> 7 & 127 | 128, count >> 14])


def gradient(pixels: np.ndarray) -> bytes:
    whole = np.frombuffer(triples(pixels, red_first=True), np.uint8).reshape(*pixels.shape, 3).astype(int)
    padded = np.pad(whole, ((1, 0), (1, 0), (0, 0)))
    guess = np.clip(padded[1:, :-1] + padded[:-1, 1:] - padded[:-1, :-1], 0, 255)
    return ((whole - guess) % 256).astype(np.uint8).tobytes()


def tight(packers: list[zlib._Compress], pixels: np.ndarray, kind: str) -> bytes:
    palette, numbers = np.unique(pixels, return_inverse=True)
    stream = len(kind) % 4
    if kind == "solid":
        return b"\x80" + triples(pixels.reshape(-1)[:1], red_first=True)
    if kind in ("few", "palette runs") and 2 <= len(palette) <= 256:
        rows = numbers.reshape(pixels.shape).astype(np.uint8)
        data = np.packbits(rows, axis=1).tobytes() if len(palette) == 2 else rows.tobytes()
        head = bytes([(4 | stream) << 4, 1, len(palette) - 1]) + triples(palette, red_first=True)
    elif kind == "many":
        head, data = bytes([(4 | stream) << 4, 2]), gradient(pixels)
    else:
        head, data = bytes([stream << 4]), triples(pixels, red_first=True)
    if len(data) < 12:
        return head + data
    packed = packers[stream].compress(data) + packers[stream].flush(zlib.Z_SYNC_FLUSH)
    return head + compact(len(packed)) + packed


@given(
    kinds=st.lists(PATTERNS, min_size=1, max_size=4),
    seed=st.integers(0, 1 << 30),
    colours=st.integers(1, 300),
    width=st.integers(1, 60),
    height=st.integers(1, 40),
)
def test_tight_comes_out_as_it_went_in(kinds: list[str], seed: int, colours: int, width: int, height: int) -> None:
    packers, painter = [zlib.compressobj() for _ in range(4)], Tight()
    for turn, kind in enumerate(kinds):
        pixels = wanted(seed + turn, 1 if kind == "solid" else colours, width, height)
        shown = picture()
        painter.paint(line(tight(packers, pixels, kind)), shown, Box(3, 2, width, height))
        assert (shown.part(Box(3, 2, width, height)) == pixels).all()


def jpeg(size: tuple[int, int], colour: tuple[int, int, int]) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, "JPEG", quality=95)
    return b"\x90" + compact(len(buffer.getvalue())) + buffer.getvalue()


def test_tight_pictures_are_painted() -> None:
    shown = picture()
    Tight().paint(line(jpeg((32, 16), (10, 200, 30))), shown, Box(4, 4, 32, 16))
    red, green, blue = shown.image().getpixel((20, 10))
    assert abs(red - 10) < 6 and abs(green - 200) < 6 and abs(blue - 30) < 6


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (jpeg((33, 16), (0, 0, 0)), "picture of"),
        (b"\x90\4abcd", "cannot be read"),
        (b"\xa0", "unknown kind 10"),
        (b"\x40\3" + bytes([8]) + bytes(8), "unknown filter|cannot be unpacked"),
        (b"\x00\x05hello", "cannot be unpacked"),
        (b"\x00" + compact(len(zlib.compress(bytes(9)))) + zlib.compress(bytes(9)), "9 bytes where"),
        (
            b"\x40\1\2" + bytes(9) + compact(len(zlib.compress(b"\7" * 512))) + zlib.compress(b"\7" * 512),
            "colour 7 of 3",
        ),
    ],
)
def test_tight_that_makes_no_sense_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(Outside, match=said):
        Tight().paint(line(data), picture(), Box(0, 0, 32, 16))


def test_few_bytes_that_hold_gigabytes_are_not_unpacked() -> None:
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(64)) + packer.flush()
    for painter in (Zrle(), Tight()):
        head = struct.pack(">I", len(bomb)) if isinstance(painter, Zrle) else b"\x00" + compact(len(bomb))
        with pytest.raises(Outside, match="packed more"):
            painter.paint(line(head + bomb), picture(), Box(0, 0, 64, 64))
    assert Inflater().exactly(zlib.compress(b"abc"), 3) == b"abc"


# -- the picture ------------------------------------------------------------------------------------------------------


def test_only_what_differs_counts_as_changed() -> None:
    shown = picture(100, 80)
    shown.take_changes()
    shown.paint(Box(10, 10, 20, 20), 0)
    assert shown.take_changes() == []
    shown.paint(Box(10, 10, 20, 20), np.pad(np.full((2, 3), 5, np.uint32), ((4, 14), (6, 11))))
    assert shown.take_changes() == [Box(16, 14, 3, 2)]
    shown.copy(Box(50, 50, 20, 20), 10, 10)
    assert shown.take_changes() == [Box(56, 54, 3, 2)]
    assert shown.image().getpixel((57, 55)) == (0, 0, 5)


@pytest.mark.parametrize("box", [Box(90, 0, 20, 5), Box(0, 79, 1, 2), Box(65535, 65535, 1, 1)])
def test_nothing_is_painted_outside_the_screen(box: Box) -> None:
    with pytest.raises(Outside, match="on a screen of 100x80"):
        picture(100, 80).paint(box, 1)


@pytest.mark.parametrize("size", [(0, 10), (10, 0), (32767, 32767), (65535, 65535)])
def test_screens_nobody_can_hold_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ComputerError, match=f"{size[0]}x{size[1]}"):
        picture(*size)


def test_what_was_there_stays_when_the_size_changes() -> None:
    shown = picture(20, 20)
    shown.paint(Box(0, 0, 20, 20), 7)
    shown.resize(30, 10)
    assert shown.size == (30, 10)
    assert shown.image().getpixel((5, 5)) == (0, 0, 7) and shown.image().getpixel((25, 5)) == (0, 0, 0)


# -- pointers and the clipboard ---------------------------------------------------------------------------------------


def test_pointers_of_every_kind() -> None:
    red = bytes([0, 0, 255, 0])
    rich = cursors.rich(line(red * 18 + b"\xff\x80\x80\0"), (1, 1), (9, 2))
    assert rich and rich.image.getpixel((0, 0)) == (255, 0, 0, 255) and rich.image.getpixel((8, 1))[3] == 0
    plain = cursors.two_coloured(line(b"\1\2\3\4\5\6" + b"\x80\x40"), (0, 0), (2, 1))
    assert plain and plain.image.getpixel((0, 0)) == (1, 2, 3, 0) and plain.image.getpixel((1, 0)) == (4, 5, 6, 255)
    clear = cursors.translucent(line(bytes(4) + bytes([128, 0, 0, 128])), (0, 0), (1, 1))
    assert clear and clear.image.getpixel((0, 0))[3] == 128
    assert cursors.rich(line(b""), (0, 0), (0, 0)) is None
    assert cursors.translucent(line(bytes(8)), (0, 0), (1, 1)) is None
    with pytest.raises(Outside, match="2000x2"):
        cursors.rich(line(b""), (0, 0), (2000, 2))


def extended(flags: int, data: bytes = b"") -> bytes:
    return struct.pack(">xxxiI", -(4 + len(data)), flags) + data


def test_clipboards_exchange_any_text_where_both_can() -> None:
    sent: list[bytes] = []
    board = Clipboard(sent.append)
    board.hear(line(struct.pack(">xxxi", 5) + b"na\xefve"))
    assert board.text == "naïve"
    board.give("plain")
    assert sent.pop().endswith(b"plain")
    with pytest.raises(ComputerError, match="Latin-1"):
        board.give("日本")
    board.hear(line(extended(1 << 24 | 1, bytes(4))))
    board.give("日本\n")
    assert struct.unpack(">I", sent[-1][8:12])[0] & 1 << 27
    board.hear(line(extended(1 << 25 | 1)))
    assert zlib.decompress(sent[-1][12:])[4:] == "日本\r\n\0".encode()
    text = "ελλ\r\nα\0".encode()
    board.hear(line(extended(1 << 28 | 1, zlib.compress(struct.pack(">I", len(text)) + text))))
    assert board.text == "ελλ\nα"


@given(st.binary(max_size=60))
def test_a_clipboard_bears_nonsense(data: bytes) -> None:
    board = Clipboard(lambda _: None)
    with suppress(Outside):
        board.hear(line(struct.pack(">xxxi", -len(data)) + data))
    assert isinstance(board.text, str)
