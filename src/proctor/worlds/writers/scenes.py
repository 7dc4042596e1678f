"""Paints photographs: scenes of the coast at their hour, with the data a camera writes into them."""

from __future__ import annotations

import io
import random
from datetime import datetime
from functools import cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

WIDE, HIGH = 1024, 768
QUALITY = 82
Colour = tuple[int, int, int]

SKIES: dict[str, tuple[Colour, Colour]] = {
    "morning": ((176, 196, 222), (250, 224, 200)), "day": ((96, 150, 214), (206, 226, 242)), "evening": ((68, 72,
    128), (248, 170, 110)),
    "grey": ((150, 156, 164), (206, 208, 208)),
}  # fmt: skip


def photograph(scene: str, seed: int, at: datetime, town: str, latitude: float, longitude: float, camera: str) -> bytes:
    """Return a JPEG of a scene, taken somewhere at some time."""
    draw = random.Random(seed)
    hour = "morning" if at.hour < 10 else "evening" if at.hour > 17 else draw.choice(("day", "day", "grey"))
    image = _sky(draw, *SKIES[hour])
    brush = ImageDraw.Draw(image)
    _PAINTERS.get(scene, _town)(brush, draw, town)
    image = _grain(image, draw)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=QUALITY, exif=_exif(at, latitude, longitude, camera))
    return buffer.getvalue()


def _exif(at: datetime, latitude: float, longitude: float, camera: str) -> Image.Exif:
    exif = Image.Exif()
    make, _, model = camera.partition(" ")
    moment = f"{at:%Y:%m:%d %H:%M:%S}"
    exif[271], exif[272], exif[306], exif[274] = make, model, moment, 1
    exif.get_ifd(0x8769).update({36867: moment, 36868: moment, 33434: 0.004, 37386: 4.2, 40962: WIDE, 40963: HIGH})
    exif.get_ifd(0x8825).update({1: "N", 2: _degrees(latitude), 3: "E", 4: _degrees(longitude)})
    return exif


def _degrees(value: float) -> tuple[float, float, float]:
    whole = int(value)
    minutes = int((value - whole) * 60)
    return (float(whole), float(minutes), round((value - whole - minutes / 60) * 3600, 2))


def _sky(draw: random.Random, top: Colour, bottom: Colour) -> Image.Image:
    ramp = Image.new("RGB", (1, 2))
    ramp.putpixel((0, 0), top)
    ramp.putpixel((0, 1), bottom)
    image = ramp.resize((WIDE, HIGH), Image.Resampling.BILINEAR)
    # Clouds are soft anyway, so they are painted small.
    clouds = Image.new("L", (WIDE // 8, HIGH // 8))
    brush = ImageDraw.Draw(clouds)
    for _ in range(draw.randint(3, 14)):
        x, y, wide = draw.randint(-10, WIDE // 8), draw.randint(1, 38), draw.randint(11, 40)
        for _ in range(6):
            dx, dy = draw.randint(-wide // 3, wide // 3), draw.randint(-2, 2)
            brush.ellipse((x + dx, y + dy, x + dx + wide // 2, y + dy + wide // 6), fill=draw.randint(70, 170))
    soft = clouds.filter(ImageFilter.GaussianBlur(2)).resize((WIDE, HIGH), Image.Resampling.BILINEAR)
    image.paste((250, 250, 252), (0, 0), soft)
    return image


def _grain(image: Image.Image, draw: random.Random) -> Image.Image:
    """Return the picture with the noise of a small sensor."""
    moved = ImageChops.offset(_noise(), draw.randrange(WIDE), draw.randrange(HIGH))
    return ImageChops.add(image, moved, offset=-5)


@cache
def _noise() -> Image.Image:
    grey = Image.frombytes(
        "L", (WIDE, HIGH), bytes(value % 11 for value in random.Random("noise").randbytes(WIDE * HIGH))
    )
    return Image.merge("RGB", (grey, grey, grey))


def _ridge(
    brush: ImageDraw.ImageDraw, draw: random.Random, base: int, height: int, colour: Colour, step: int = 64
) -> None:
    points = [(0, HIGH)]
    points += [(x, base - draw.randint(0, height)) for x in range(0, WIDE + step, step)]
    brush.polygon([*points, (WIDE, HIGH)], fill=colour)


def _water(brush: ImageDraw.ImageDraw, draw: random.Random, top: int) -> None:
    for y in range(top, HIGH, 3):
        shade = 90 + (y - top) // 8
        brush.line((0, y, WIDE, y), fill=(40 + shade // 5, 70 + shade // 3, min(200, 60 + shade)), width=3)
    for _ in range(160):
        x, y = draw.randint(0, WIDE), draw.randint(top, HIGH)
        brush.line((x, y, x + draw.randint(8, 40), y), fill=(170, 196, 214))


def _harbour(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    _houses(brush, draw, 430, 60)
    _water(brush, draw, 430)
    for _ in range(draw.randint(3, 6)):
        x, y, long = draw.randint(20, WIDE - 220), draw.randint(470, 680), draw.randint(90, 200)
        hull = draw.choice(((150, 40, 36), (30, 60, 110), (236, 232, 220), (40, 90, 70)))
        brush.polygon([(x, y), (x + long, y), (x + long - 24, y + 34), (x + 20, y + 34)], fill=hull)
        mast = x + long // 2
        brush.line((mast, y, mast, y - long), fill=(70, 60, 50), width=4)
        brush.polygon([(mast + 4, y - long + 6), (mast + 4, y - 8), (mast + long // 2, y - 8)], fill=(240, 238, 230))


def _houses(brush: ImageDraw.ImageDraw, draw: random.Random, base: int, least: int) -> None:
    x = -10
    while x < WIDE:
        wide, high = draw.randint(70, 130), draw.randint(least, least + 150)
        wall = draw.choice(
            ((196, 120, 92), (222, 204, 170), (170, 178, 176), (206, 164, 120), (138, 98, 84), (232, 226, 214))
        )
        brush.rectangle((x, base - high, x + wide, base), fill=wall)
        brush.polygon(
            [(x - 4, base - high), (x + wide // 2, base - high - draw.randint(24, 60)), (x + wide + 4, base - high)],
            fill=(110, 60, 48),
        )
        for row in range(base - high + 16, base - 30, 42):
            for column in range(x + 12, x + wide - 18, 32):
                lit = draw.random() < 0.2
                brush.rectangle((column, row, column + 16, row + 24), fill=(250, 222, 140) if lit else (74, 88, 104))
        x += wide


def _town(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    _houses(brush, draw, 600, 140)
    brush.polygon([(0, 600), (WIDE, 600), (WIDE, HIGH), (0, HIGH)], fill=(128, 124, 118))
    for row in range(606, HIGH, 18):
        for x in range((row // 18 % 2) * 18 - 18, WIDE, 38):
            tone = draw.randint(108, 144)
            brush.rectangle((x, row, x + 34, row + 14), fill=(tone, tone - 3, tone - 8))
    for _ in range(draw.randint(2, 7)):
        _person(brush, draw, draw.randint(40, WIDE - 40), draw.randint(610, 720), draw.randint(70, 120))


def _street(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    _houses(brush, draw, 560, 200)
    brush.polygon([(0, 560), (WIDE, 560), (WIDE, HIGH), (0, HIGH)], fill=(96, 96, 100))
    brush.line((0, 640, WIDE, 640), fill=(220, 220, 200), width=5)
    x = draw.randint(80, 620)
    colour = draw.choice(((200, 46, 40), (36, 110, 90), (232, 190, 60)))
    brush.rounded_rectangle((x, 520, x + 300, 660), 18, fill=colour)
    for window in range(x + 16, x + 280, 56):
        brush.rectangle((window, 540, window + 44, 592), fill=(180, 206, 222))
    brush.text((x + 20, 610), f"{town}  {draw.randint(1, 19)}", fill=(255, 255, 255), font=ImageFont.load_default(28))
    for wheel in (x + 60, x + 230):
        brush.ellipse((wheel - 26, 636, wheel + 26, 688), fill=(30, 30, 32))


def _sign(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    _ridge(brush, draw, 520, 80, (86, 122, 78))
    _ridge(brush, draw, 640, 40, (112, 146, 84))
    x = draw.randint(180, 440)
    brush.rectangle((x + 150, 300, x + 166, 720), fill=(90, 74, 60))
    back, ink = draw.choice(
        (((24, 62, 120), (255, 255, 255)), ((250, 246, 232), (40, 40, 40)), ((30, 96, 60), (255, 255, 255)))
    )
    brush.rounded_rectangle((x - 40, 260, x + 370, 370), 12, fill=back, outline=ink, width=5)
    brush.text((x - 12, 284), town, fill=ink, font=ImageFont.load_default(52))
    brush.text(
        (x + 4, 344), f"{draw.randint(2, 19)}.{draw.randint(0, 9)} km", fill=ink, font=ImageFont.load_default(20)
    )


def _beach(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    _water(brush, draw, 360)
    brush.polygon([(0, 560), (WIDE, draw.randint(500, 600)), (WIDE, HIGH), (0, HIGH)], fill=(226, 204, 158))
    for _ in range(draw.randint(3, 7)):
        x, y = draw.randint(40, WIDE - 80), draw.randint(590, 700)
        shade = draw.choice(((204, 60, 52), (44, 110, 170), (240, 180, 50)))
        brush.line((x, y, x, y - 90), fill=(90, 80, 70), width=4)
        brush.pieslice((x - 60, y - 130, x + 60, y - 40), 180, 360, fill=shade)


def _mountain(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    _ridge(brush, draw, 420, 240, (132, 142, 160), 110)
    _ridge(brush, draw, 520, 180, (92, 108, 112), 90)
    _ridge(brush, draw, 640, 90, (70, 98, 66), 60)
    for _ in range(70):
        x, y, high = draw.randint(0, WIDE), draw.randint(610, HIGH), draw.randint(40, 110)
        green = draw.randint(52, 96)
        brush.polygon([(x, y - high), (x - high // 3, y), (x + high // 3, y)], fill=(28, green, 46))


def _forest(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    _ridge(brush, draw, 420, 60, (60, 96, 58))
    for depth in range(3):
        for _ in range(16):
            x, wide = draw.randint(0, WIDE), 10 + depth * 9
            brush.rectangle(
                (x, 60 + depth * 40, x + wide, 640 + depth * 40), fill=(70 - depth * 10, 54 - depth * 6, 40 - depth * 6)
            )
    brush.polygon([(420, 480), (600, 480), (900, HIGH), (120, HIGH)], fill=(150, 126, 94))
    for _ in range(420):
        x, y, size = draw.randint(0, WIDE), draw.randint(0, 420), draw.randint(8, 34)
        brush.ellipse((x, y, x + size, y + size * 2 // 3), fill=(draw.randint(40, 120), draw.randint(90, 150), 50))


def _river(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    _ridge(brush, draw, 430, 70, (98, 132, 84))
    _water(brush, draw, 470)
    brush.polygon([(0, 640), (WIDE, 700), (WIDE, HIGH), (0, HIGH)], fill=(104, 140, 72))
    for x in range(draw.randint(0, 120), WIDE, 260):
        brush.arc((x, 380, x + 240, 600), 180, 360, fill=(120, 112, 104), width=26)
    brush.rectangle((0, 376, WIDE, 400), fill=(136, 128, 118))


def _garden(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    brush.rectangle((0, 380, WIDE, HIGH), fill=(92, 136, 70))
    for row in range(420, HIGH, 54):
        colour = draw.choice(((212, 60, 84), (240, 190, 60), (150, 90, 170), (240, 240, 240), (226, 120, 60)))
        for _ in range(46):
            x, y, size = draw.randint(0, WIDE), row + draw.randint(-14, 22), draw.randint(8, 18)
            brush.line((x, y, x, y + 26), fill=(50, 100, 50), width=3)
            brush.ellipse((x - size // 2, y - size // 2, x + size // 2, y + size // 2), fill=colour)


def _food(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    brush.rectangle((0, 0, WIDE, HIGH), fill=draw.choice(((150, 110, 76), (206, 196, 180), (92, 70, 58))))
    for x in range(0, WIDE, 128):
        brush.line((x, 0, x + draw.randint(-10, 10), HIGH), fill=(120, 90, 64), width=2)
    x, y, size = draw.randint(320, 520), draw.randint(280, 400), draw.randint(230, 290)
    brush.ellipse((x - size, y - size, x + size, y + size), fill=(244, 242, 236), outline=(214, 210, 200), width=8)
    brush.ellipse(
        (x - size + 60, y - size + 60, x + size - 60, y + size - 60),
        fill=draw.choice(((204, 120, 50), (150, 44, 36), (120, 140, 60), (226, 196, 120))),
    )
    for _ in range(60):
        dx, dy, dot = draw.randint(-size + 90, size - 90), draw.randint(-size + 90, size - 90), draw.randint(8, 26)
        brush.ellipse(
            (x + dx, y + dy, x + dx + dot, y + dy + dot),
            fill=draw.choice(((70, 120, 50), (236, 214, 150), (190, 60, 40))),
        )
    brush.ellipse((850, 60, 990, 200), fill=(230, 226, 216))
    brush.ellipse((872, 82, 968, 178), fill=(74, 46, 30))


def _just_sky(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    x, y = draw.randint(200, 820), draw.randint(300, 520)
    brush.ellipse((x - 46, y - 46, x + 46, y + 46), fill=(255, 236, 190))
    _ridge(brush, draw, 650, 50, (44, 48, 62), 40)


def _group(brush: ImageDraw.ImageDraw, draw: random.Random, town: str) -> None:
    _ridge(brush, draw, 500, 60, (104, 140, 84))
    brush.rectangle((0, 560, WIDE, HIGH), fill=(120, 154, 88))
    for number in range(draw.randint(2, 5)):
        _person(brush, draw, 200 + number * 150 + draw.randint(-20, 20), 640, draw.randint(230, 300))


def _person(brush: ImageDraw.ImageDraw, draw: random.Random, x: int, foot: int, high: int) -> None:
    skin = draw.choice(((236, 200, 172), (196, 150, 116), (122, 84, 62), (88, 60, 46)))
    coat = draw.choice(((40, 70, 120), (170, 50, 46), (60, 110, 80), (210, 170, 70), (90, 80, 100)))
    head = high // 8
    brush.rectangle((x - head, foot - high * 4 // 9, x + head, foot), fill=(52, 54, 66))
    brush.rounded_rectangle(
        (x - head * 3 // 2, foot - high + 2 * head, x + head * 3 // 2, foot - high * 4 // 9), head // 2, fill=coat
    )
    brush.ellipse((x - head, foot - high, x + head, foot - high + 2 * head), fill=skin)
    brush.pieslice(
        (x - head, foot - high - 2, x + head, foot - high + 2 * head),
        180,
        360,
        fill=draw.choice(((60, 44, 30), (196, 160, 90), (120, 120, 124))),
    )


_PAINTERS = {
    "harbour": _harbour, "town": _town, "street": _street, "sign": _sign, "beach": _beach, "island": _beach,
    "mountain": _mountain,
    "forest": _forest, "river": _river, "lake": _river, "garden": _garden, "vineyard": _garden, "food": _food,
    "sky": _just_sky, "group": _group,
}  # fmt: skip
"""By what is seen; where nothing fits, a square in a town."""
