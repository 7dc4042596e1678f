"""Cases over several programs: repositories, moving pictures, modules, wallpapers, pages."""

from __future__ import annotations

import io
import zipfile

from PIL import Image, ImageFilter

from proctor.tasks.shelves import hand as do
from tests.foreign.case import Act, Case, case, moves, shell, then, write
from tests.foreign.cases.desks_mail import packed
from tests.foreign.cases.desks_pictures import photo
from tests.foreign.cases.desks_player import clip
from tests.foreign.workshop import Workshop

SNAKE = "def eats(snake, food):\n    return {}\n"


def stored(made: Image.Image, form: str = "PNG", **more: object) -> bytes:
    """Return a picture as a file."""
    held = io.BytesIO()
    made.save(held, form, **more)
    return held.getvalue()


def pictured(content: bytes) -> Image.Image:
    """Return a file as a picture."""
    return Image.open(io.BytesIO(content)).convert("RGB")


@case("osworld", "26150609")
def let_the_snake_eat(shop: Workshop) -> Case:
    suite = (
        "import snake\n\ndef test():\n"
        "    return snake.eats((20, 40), (20, 40)) is True and snake.eats((20, 40), (40, 20)) is False\n"
    )
    files = {name: b"x = 1\n" for name in ("food.py", "main.py", "settings.py")}
    path = "Desktop/snake/snake.py"
    return Case(
        files={**files, "snake.py": SNAKE.format("False").encode(), "test.py": suite.encode()},
        satisfied=write(path, SNAKE.format("tuple(snake) == tuple(food)").encode()),
        near_miss=write(path, SNAKE.format("True").encode()),
    )


@case("osworld", "2c9fc0de")
def push_changes(shop: Workshop) -> Case:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        made.writestr("binder/senior.txt", "a\n")
    commit = "cd projects/binder; git add -A; git commit -qm 'daily update'"
    return Case(
        files={"binder.zip": held.getvalue()},
        satisfied=shell(f"{commit}; git push -q origin main"),
        near_miss=shell(commit),
    )


@case("osworld", "2fe4b718")
def make_a_moving_picture(shop: Workshop) -> Case:
    def moving(*colours: str) -> bytes:
        first, *others = [Image.new("RGB", (160, 120), colour) for colour in colours]
        first.paste("white", (40, 30, 90, 80))
        return stored(first, "GIF", save_all=True, append_images=others, duration=200)

    path = "Desktop/src_clip.gif"
    gold = moving("#204080", "#306090", "#4080a0")
    return Case(
        files={"src.mp4": clip(), "src_clip.gif": gold},
        satisfied=write(path, gold),
        near_miss=write(path, moving("#d0c020", "#000000")),
    )


@case("osworld", "69acbb55")
def have_a_module(shop: Workshop) -> Case:
    def module(content: str) -> Act:
        place = 'place="$(python3 -m site --user-site)/InstructorEmbedding"; mkdir -p "$place"'
        return shell(f"{place}; printf '{content}' > \"$place/__init__.py\"")

    return Case(satisfied=module("class INSTRUCTOR: pass\\n"), near_miss=module("class Instructor: pass\\n"))


@case("osworld", "b337d106")
def number_lines(shop: Workshop) -> Case:
    judge = (
        "if grep -qE '^ *set +(number|nu)( |$)' ~/.vimrc 2> /dev/null; then echo 'The File Has Set Number!'; "
        "else echo 'No.'; fi\n"
    )
    return Case(
        files={"eval.sh": judge.encode()},
        satisfied=moves(do.type("echo 'set number' >> ~/.vimrc\n"), do.await_file(".vimrc")),
        near_miss=moves(do.type("echo 'set relativenumber' >> ~/.vimrc\n"), do.await_file(".vimrc")),
    )


@case("osmap", "bb7db4c2")
def sharpen_a_ground(shop: Workshop) -> Case:
    plain = pictured(photo()).filter(ImageFilter.GaussianBlur(1))
    sharp = stored(plain.filter(ImageFilter.UnsharpMask(2, 200, 0)))
    page = "<html><head><style>body { background-image: url('anmi.png'); }</style></head><body>Hi</body></html>"
    there = write("Desktop/index.html", page.replace("anmi.png", "anmi_sharper.png").encode())
    return Case(
        files={"anmi.png": stored(plain), "index.html": page.encode()},
        satisfied=then(write("Desktop/anmi_sharper.png", sharp), there),
        near_miss=then(write("Desktop/anmi_sharper.png", stored(plain)), there),
    )


@case("osworld", "c2751594")
def hang_a_picture(shop: Workshop) -> Case:
    gold, other = photo(), stored(pictured(photo()).transpose(Image.Transpose.ROTATE_90))

    def hung(content: bytes) -> Act:
        path = "/home/user/Pictures/image1.png"
        every = "xfconf-query -c xfce4-desktop -l | grep last-image"
        return then(
            write(path, content),
            shell(f'for each in $({every}); do xfconf-query -c xfce4-desktop -p "$each" -s {path}; done'),
        )

    return Case(files={**packed(), "background.png": gold}, satisfied=hung(gold), near_miss=hung(other))


@case("osworld", "d68204bf")
def order_thirds(shop: Workshop) -> Case:
    parts = [photo_of(colour) for colour in ("#802020", "#e09020", "#c04020")]

    def joined(*order: int) -> bytes:
        made = Image.new("RGB", (300, 120))
        for place, one in enumerate(order):
            made.paste(parts[one], (100 * place, 0))
        return stored(made)

    path = "Desktop/rearranged.png"
    return Case(
        files={"tilearray.png": joined(0, 1, 2), "rearranged_gold.png": joined(1, 2, 0)},
        satisfied=write(path, joined(1, 2, 0)),
        near_miss=write(path, joined(1, 0, 2)),
    )


def photo_of(colour: str) -> Image.Image:
    """Return a third of a picture: something dark on a colour."""
    made = Image.new("RGB", (100, 120), colour)
    made.paste("black", (ord(colour[1]) % 60, 20, ord(colour[1]) % 60 + 30, 90))
    return made
