"""How an X server introduces itself to a new client."""

from __future__ import annotations

import struct
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class XScreen:
    """What the server says about itself when a client connects."""

    root: int
    width: int
    height: int
    true_colour: bool
    """Whether pixels are 32-bit little-endian words of the form 0x00RRGGBB."""
    min_keycode: int
    max_keycode: int
    id_base: int
    id_mask: int


def parse_setup(packet: bytes) -> XScreen:
    """Read the server's answer to a new connection; raises struct.error where it is cut short."""
    id_base, id_mask, vendor_bytes = struct.unpack_from("<4xII4xH", packet, 8)
    format_count, image_order = struct.unpack_from("<xBB", packet, 28)
    min_keycode, max_keycode = struct.unpack_from("<BB", packet, 34)
    formats = 40 + (vendor_bytes + 3) // 4 * 4
    bits = dict(struct.unpack_from("<BB", packet, formats + 8 * index) for index in range(format_count))
    screen = formats + 8 * format_count
    root, width, height, visual, depth, depth_count = struct.unpack_from("<I16xHH8xIxxBB", packet, screen)
    masks = _visual_masks(packet, screen + 40, depth_count, visual)
    plain = masks == (0xFF0000, 0xFF00, 0xFF)
    return XScreen(
        root=root,
        width=width,
        height=height,
        true_colour=depth == 24 and bits.get(24) == 32 and image_order == 0 and plain,
        min_keycode=min_keycode,
        max_keycode=max_keycode,
        id_base=id_base,
        id_mask=id_mask,
    )


def _visual_masks(packet: bytes, offset: int, depth_count: int, wanted: int) -> tuple[int, int, int] | None:
    for _ in range(depth_count):
        (visual_count,) = struct.unpack_from("<xxH", packet, offset)
        offset += 8
        for _ in range(visual_count):
            visual, red, green, blue = struct.unpack_from("<I4xIII", packet, offset)
            if visual == wanted:
                return red, green, blue
            offset += 24
    return None
