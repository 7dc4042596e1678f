"""Cases of GIMP: what is painted, how it is exported, how the program is set up."""

from __future__ import annotations

import io
import shlex

from PIL import Image, ImageDraw

from proctor.tasks.shelves import hand as do
from tests.foreign.acts import give_up, nothing
from tests.foreign.case import Act, Case, case, moves, shell, then, write
from tests.foreign.workshop import Workshop

BUS = "gdbus call --session --dest org.gimp.GIMP.UI --object-path /org/gimp/GIMP/UI --method org.gimp.GIMP.UI.BatchRun"
OPEN = "(let* ((image (vector-ref (cadr (gimp-image-list)) 0)) (it (car (gimp-image-get-active-drawable image))))"


def script(code: str, *, beside: str = "") -> Act:
    """Return an act that has the GIMP that is open do something to `image` and `it`, its layer."""
    told = beside or f"{OPEN} {code} (gimp-displays-flush))"
    return shell(f"{BUS} plug-in-script-fu-eval {shlex.quote(told)} > /dev/null")


def setting(name: str, value: str) -> Act:
    """Return an act that has GIMP keep a setting."""
    return script("", beside=f'(gimp-gimprc-set "{name}" "{value}")')


def photo(form: str = "PNG") -> bytes:
    """Return a picture of something in several colours."""
    made = Image.linear_gradient("L").resize((240, 180))
    made = Image.merge("RGB", (made, made.transpose(Image.Transpose.ROTATE_180).resize((240, 180)), made))
    pen = ImageDraw.Draw(made)
    pen.ellipse((30, 40, 120, 130), fill="#c04020")
    pen.rectangle((140, 60, 220, 150), fill="#2060c0")
    pen.line((0, 179, 239, 20), fill="#f0e020", width=5)
    held = io.BytesIO()
    made.save(held, form, quality=95) if form == "JPEG" else made.save(held, form)
    return held.getvalue()


def layered(shop: Workshop, ground: str, top: Image.Image | None = None, at: tuple[int, int] = (0, 0)) -> bytes:
    """Return GIMP's own kind of file: a ground, and a layer on it."""
    held = io.BytesIO()
    Image.new("RGB", (400, 300), ground).save(held, "PNG")
    give = {"ground.png": held.getvalue()}
    more = ""
    if top is not None:
        held = io.BytesIO()
        top.save(held, "PNG")
        give["top.png"] = held.getvalue()
        more = (
            '(let* ((top (car (gimp-file-load-layer RUN-NONINTERACTIVE image "top.png"))))'
            f"(gimp-image-insert-layer image top 0 0) (gimp-layer-set-offsets top {at[0]} {at[1]}))"
        )
    code = (
        '(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "ground.png" "ground.png"))))'
        f"{more} (gimp-xcf-save RUN-NONINTERACTIVE image (car (gimp-image-get-active-drawable image))"
        ' "made.xcf" "made.xcf"))'
    )
    return shop.run(f"gimp -i -b {shlex.quote(code)} -b '(gimp-quit 0)'", give=give, take=["made.xcf"])[0]


def export(path: str) -> str:
    """Return code that writes the picture into a file."""
    return f'(gimp-file-save RUN-NONINTERACTIVE image it "{path}" "{path}")'


def written(path: str) -> Act:
    """Return an act that waits for a file."""
    return moves(do.await_file(path))


@case("osworld", "06ca5602")
def use_a_palette(shop: Workshop) -> Case:
    palette = '(gimp-image-convert-indexed image CONVERT-DITHER-NONE CONVERT-PALETTE-GENERATE 255 FALSE FALSE "")'
    return Case(
        files={"computer.png": photo()},
        satisfied=script(palette),
        near_miss=script("(gimp-drawable-posterize it 12)"),
    )


@case("osworld", "5ca86c6f")
def fetch_a_logo(shop: Workshop) -> Case:
    return Case(satisfied=give_up, near_miss=nothing)


@case("osworld", "7767eef2")
def lighten_the_program(shop: Workshop) -> Case:
    return Case(satisfied=setting("theme", "Light"), near_miss=setting("theme", "Gray"))


@case("osworld", "77b8ab4d")
def export_a_photo(shop: Workshop) -> Case:
    path = "/home/user/Desktop/export.jpg"
    turned = f"(gimp-image-flip image ORIENTATION-HORIZONTAL) {export(path)}"
    return Case(
        files={"The_Lost_River_Of_Dreams.jpg": photo("JPEG")},
        satisfied=then(script(export(path)), written(path)),
        near_miss=then(script(turned), written(path)),
    )


@case("osworld", "7a4deb26")
def darken_a_photo(shop: Workshop) -> Case:
    return Case(
        files={"woman_sitting_by_the_tree.png": photo()},
        satisfied=script("(gimp-drawable-brightness-contrast it -0.3 0)"),
        near_miss=script("(gimp-drawable-brightness-contrast it 0.3 0)"),
    )


@case("osworld", "7b7617bd")
def take_more_back(shop: Workshop) -> Case:
    def kept(line: str) -> Act:
        return write("/home/user/.config/GIMP/2.10/gimprc", f"# GIMP gimprc\n\n{line}\n\n# end of gimprc\n".encode())

    return Case(satisfied=kept("(undo-levels 100)"), near_miss=kept("(undo-levels 10)"))


@case("osworld", "a746add2")
def open_a_filter(shop: Workshop) -> Case:
    def asked(name: str) -> Act:
        return moves(do.press("slash"), do.await_window("Search Actions"), do.type(name), do.press("Return"))

    return Case(
        files={"dog_with_background.png": photo()}, satisfied=asked("vignette"), near_miss=asked("lens distortion")
    )


@case("osworld", "b148e375")
def add_a_layer(shop: Workshop) -> Case:
    def named(name: str) -> Act:
        ask = (do.press("ctrl+shift+n"), do.await_window("New Layer"), do.press("ctrl+a"), do.type(f"{name}\n"))
        return moves(*ask, do.await_window("New Layer", gone=True))

    return Case(
        files={"white_background.xcf": layered(shop, "white")}, satisfied=named("Square"), near_miss=named("Squares")
    )


@case("osworld", "e19bd559")
def darken_what_is_not_there(shop: Workshop) -> Case:
    return Case(satisfied=give_up, near_miss=nothing)


@case("osworld", "e2dd0213")
def move_a_text(shop: Workshop) -> Case:
    top = Image.new("RGBA", (120, 40), (0, 0, 0, 0))
    ImageDraw.Draw(top).text((4, 8), "A text box", fill="black", font_size=22)
    return Case(
        files={"orange_background.xcf": layered(shop, "orange", top, (220, 120))},
        satisfied=script("(gimp-layer-set-offsets it 5 120)"),
        near_miss=script("(gimp-layer-set-offsets it 220 20)"),
    )


@case("osworld", "f4aec372")
def move_a_triangle(shop: Workshop) -> Case:
    top = Image.new("RGBA", (100, 80), (0, 0, 0, 0))
    ImageDraw.Draw(top).polygon([(0, 79), (50, 0), (99, 79)], fill="yellow")
    plain = Image.new("RGB", (400, 300), "#204080")
    plain.paste(top, (290, 10), top)
    held = io.BytesIO()
    plain.save(held, "PNG")
    made = layered(shop, "#204080", top, (290, 10))
    return Case(
        files={"Triangle_On_The_Side.xcf": made, "Triangle_On_The_Side.png": held.getvalue()},
        satisfied=script("(gimp-layer-set-offsets it 150 110)"),
        near_miss=script("(gimp-layer-set-offsets it 20 110)"),
    )
