"""Cases of AgentStudio: pictures."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw, ImageEnhance

from tests.foreign.case import Case, case, write
from tests.foreign.workshop import Workshop

PLACE = "/home/user/agent_studio/gimp_workspace"
WIDE, HIGH = 320, 240


def photo() -> Image.Image:
    """Return a picture with ground, sky, a tree and a person."""
    made = Image.linear_gradient("L").resize((WIDE, HIGH)).convert("RGB")
    made = Image.blend(made, Image.new("RGB", made.size, (120, 150, 190)), 0.6)
    draw = ImageDraw.Draw(made)
    draw.rectangle((0, 170, WIDE, HIGH), fill=(90, 130, 70))
    draw.rectangle((215, 90, 235, 190), fill=(100, 70, 50))
    draw.ellipse((170, 20, 280, 120), fill=(60, 110, 60))
    draw.ellipse((90, 100, 120, 130), fill=(210, 170, 150))
    draw.polygon(((105, 130), (75, 215), (135, 215)), fill=(170, 60, 60))
    return made


def saved(made: Image.Image, kind: str = "PNG") -> bytes:
    """Return a picture as a file."""
    held = io.BytesIO()
    made.save(held, kind, **({"quality": 95} if kind == "JPEG" else {}))
    return held.getvalue()


def xcf(shop: Workshop, *layers: Image.Image) -> bytes:
    """Return layers as GIMP saves them, the first at the bottom."""
    give = {f"{at}.png": saved(layer) for at, layer in enumerate(layers)}
    more = "".join(
        f'(gimp-image-insert-layer image (car (gimp-file-load-layer RUN-NONINTERACTIVE image "{at}.png")) 0 0)'
        for at in range(1, len(layers))
    )
    code = (
        f'(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "0.png" "0.png")))) {more} '
        '(gimp-xcf-save 0 image (car (gimp-image-get-active-layer image)) "a.xcf" "a.xcf"))'
    )
    [found] = shop.run(f"gimp -i -b '{code}' -b '(gimp-quit 0)'", give=give, take=["a.xcf"])
    return found


@case("agentstudio", "06ca5602")
def a_picture_with_a_palette(shop: Workshop) -> Case:
    made = photo()
    path = f"{PLACE}/palette_computer.png"
    return Case(
        satisfied=write(path, saved(made.quantize(128))),
        # The same picture, and no palette.
        near_miss=write(path, saved(made)),
        files={"computer.png": saved(made)},
    )


@case("agentstudio", "554785e9")
def stronger_colours(shop: Workshop) -> Case:
    made = photo()
    path = f"{PLACE}/edited_colorful.png"
    return Case(
        satisfied=write(path, saved(ImageEnhance.Color(made).enhance(1.6))),
        near_miss=write(path, saved(ImageEnhance.Color(made).enhance(0.6))),
        files={"woman_sitting_by_the_tree2.png": saved(made)},
    )


@case("agentstudio", "7a4deb26")
def a_darker_photo(shop: Workshop) -> Case:
    made = photo()
    path = f"{PLACE}/woman_sitting_by_the_tree2_darker.png"
    return Case(
        satisfied=write(path, saved(ImageEnhance.Brightness(made).enhance(0.6))),
        near_miss=write(path, saved(ImageEnhance.Brightness(made).enhance(1.2))),
        files={"woman_sitting_by_the_tree2.png": saved(made)},
    )


@case("agentstudio", "f723c744")
def more_contrast(shop: Workshop) -> Case:
    made = photo()
    path = f"{PLACE}/berry_contrast.jpeg"
    return Case(
        satisfied=write(path, saved(ImageEnhance.Contrast(made).enhance(1.4), "JPEG")),
        near_miss=write(path, saved(ImageEnhance.Contrast(made).enhance(0.7), "JPEG")),
        files={"berry.jpeg": saved(made, "JPEG")},
    )


@case("agentstudio", "734d6579")
def a_green_ground(shop: Workshop) -> Case:
    def scene(ground: str) -> Image.Image:
        made = Image.new("RGB", (WIDE, HIGH), ground)
        made.paste((200, 40, 40), (120, 80, 200, 160))
        return made

    above = Image.new("RGBA", (WIDE, HIGH))
    above.paste((200, 40, 40, 255), (120, 80, 200, 160))
    path = f"{PLACE}/green_background_with_object.png"
    return Case(
        satisfied=write(path, saved(scene("#00ff00"))),
        near_miss=write(path, saved(scene("#0000ff"))),
        files={
            "white_background_with_object.xcf": xcf(shop, Image.new("RGB", (WIDE, HIGH), "white"), above),
            "white_background_with_object.png": saved(scene("white")),
        },
    )


@case("agentstudio", "d16c99dc")
def a_smaller_layer(shop: Workshop) -> Case:
    made = photo().resize((1200, 900))
    path = f"{PLACE}/resized.png"
    return Case(
        satisfied=write(path, saved(made.resize((round(1200 * 512 / 900), 512)))),
        near_miss=write(path, saved(made.resize((512, round(900 * 512 / 1200))))),
        files={"dog_with_background_two_layers.xcf": xcf(shop, made), "dog_with_background.png": saved(made)},
    )
