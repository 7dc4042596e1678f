"""A small task and what one would see of it, to try agents without a computer."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from proctor.actions.action import ON_A_DESKTOP
from proctor.observations.box import Box
from proctor.observations.marks import mark
from proctor.observations.observation import Observation, Want
from proctor.observations.outline import outline
from proctor.observations.tree import Node, Tree
from proctor.records import Brief, Told

SIZE = (1280, 720)

_USABLE = frozenset({"enabled", "showing", "visible"})
_ELEMENTS = (
    ("push button", "Print", "", Box(20, 20, 90, 30)),
    ("push button", "Save", "", Box(120, 20, 90, 30)),
    ("text", "", "Dear Ms Novak,", Box(20, 70, 1240, 620)),
)


def sample_brief(*, size: tuple[int, int] = SIZE, actions: Sequence[str] = ON_A_DESKTOP) -> Brief:
    """Return a brief that allows every kind of action on a desktop, or those that are named."""
    return Brief(
        instruction="Sign the letter that is open in the editor with 'Ada' and save it.",
        actions=tuple(actions),
        size=size,
        max_steps=15,
        notes="The letter is ~/letter.txt.",
        intent="The letter is to be sent today.",
        computer="a Linux desktop; its user's home folder is /home/user",
    )


def sample_observation(
    want: Want | None = None, *, told: tuple[Told, ...] = (), size: tuple[int, int] = SIZE, steps: int | None = None
) -> Observation:
    """Return what one would see of the sample task: an editor with two buttons and a text."""
    want = want or Want()
    image = _draw_sample(size).resize(want.image_size(size))
    app = Node(index=0, parent=None, depth=0, role="application", name="editor", app="editor")
    window = Node(
        index=1, parent=0, depth=1, role="frame", name="letter.txt", box=Box(0, 0, *size), states=_USABLE, app="editor",
        window="letter.txt",
    )  # fmt: skip
    nodes = [
        Node(
            index=index, parent=1, depth=2, role=role, name=name, text=text, box=box,
            states=_USABLE | ({"editable"} if role == "text" else set()), app="editor", window="letter.txt",
        )
        for index, (role, name, text, box) in enumerate(_ELEMENTS, start=2)
    ]  # fmt: skip
    tree = Tree(nodes=(app, window, *nodes))
    shown = outline(tree, size=size) if want.tree or want.marks else None
    scale = (image.width / size[0], image.height / size[1])
    return Observation(
        at=0.0,
        desktop=size,
        screenshot=image if want.screenshot else None,
        tree=tree if want.tree else None,
        outline=shown,
        marks=mark(image, shown, scale=scale) if want.marks and shown else None,
        windows=() if want.windows else None,
        terminal="$ ls\nletter.txt" if want.terminal else None,
        told=told,
        steps=steps,
    )


def _draw_sample(size: tuple[int, int]) -> Image.Image:
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    for _, name, text, box in _ELEMENTS:
        pen.rectangle((box.x, box.y, box.x + box.width, box.y + box.height), outline="gray")
        pen.text((box.x + 8, box.y + 8), name or text, fill="black")
    return image
