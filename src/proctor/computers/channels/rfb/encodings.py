"""The numbers of RFB: which messages there are, and how rectangles may be written."""

from __future__ import annotations

from typing import Literal

Preference = Literal["auto", "raw", "tight", "zrle"]

RAW, COPY_RECT, TIGHT, ZRLE = 0, 1, 7, 16
CURSOR, CURSOR_TWO_COLOURED, CURSOR_TRANSLUCENT = -239, -240, -314
POINTER_AT, DESKTOP_SIZE, DESKTOP_SIZE_EXTENDED, DESKTOP_NAME, LAST_RECT = -232, -223, -308, -307, -224
QEMU_KEYS, CLIPBOARD_EXTENDED, POINTER_AT_TOO = -258, -1063131698, 0x574D5666
BEST_QUALITY = -23
"""The best of ten qualities of JPEG; the worst is nine less. Without one of them, pictures are exact."""

EVERYWHERE = (
    COPY_RECT, CURSOR_TRANSLUCENT, CURSOR, CURSOR_TWO_COLOURED, POINTER_AT, POINTER_AT_TOO,
    DESKTOP_SIZE_EXTENDED, DESKTOP_SIZE, DESKTOP_NAME, LAST_RECT, QEMU_KEYS, CLIPBOARD_EXTENDED,
)  # fmt: skip

SET_PIXEL_FORMAT, SET_ENCODINGS, UPDATE_REQUEST, KEY, POINTER, QEMU_MESSAGE = 0, 2, 3, 4, 5, 255
UPDATE, COLOUR_MAP, BELL, CUT_TEXT = 0, 1, 2, 3


def wanted_encodings(preference: Preference, *, nearby: bool, quality: int | None) -> tuple[int, ...]:
    """Return encodings, best first: on one machine packing takes longer than sending pixels."""
    painted: dict[Preference, tuple[int, ...]] = {
        "raw": (RAW,),
        "tight": (TIGHT, ZRLE, RAW),
        "zrle": (ZRLE, RAW),
        "auto": (RAW,) if nearby else (TIGHT, ZRLE, RAW),
    }
    lossy = () if quality is None else (BEST_QUALITY - (9 - quality),)
    return (*painted[preference], *EVERYWHERE, *lossy)
