"""Tasks on vector drawings and diagrams."""

from __future__ import annotations

from typing import Any

from proctor.home import HOME
from proctor.suites.parts.pictures import COLOURS
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

STEPS = (
    ("Order", "Delivery"), ("Draft", "Review"), ("Question", "Answer"), ("Seed", "Harvest"), ("Dough", "Bread"),
    ("Letter", "Reply"), ("Booking", "Journey"),
)  # fmt: skip
CANVAS = {"role": "unknown", "app": "dia", "nth": 0}
FLOWCHART_BOX, LINE = 16, 9
"""Places of the tools among the buttons of Dia."""


def _filled(colour: str, *select: Call) -> tuple[Call, ...]:
    """Select something in Inkscape and type its fill."""
    return (
        *select,
        hand.press("ctrl+shift+f"),
        hand.await_element("RGBA:", role="label", app="inkscape"),
        hand.type_into(f"{colour[1:]}ff", role="text", app="inkscape"),
        hand.press("Return"),
    )


def _piece(number: int) -> tuple[Call, ...]:
    """Select one of the shapes in Inkscape, counted from the lowest."""
    return hand.press("Escape"), hand.press("Tab", times=number + 1)


@template(apps=("inkscape",), level=2, demand="Creativity/Digital Content Creation/Diagram Drawing")
def recolour_one_piece_of_the_plan(draw: Draw) -> Draft:
    """One of several shapes in a drawing gets a different fill."""
    path = f"Pictures/{draw.choice(('flat', 'office', 'studio', 'cabin'))}-plan.svg"
    names = draw.some(list(COLOURS), 4)
    wanted = names.pop()
    words = {"table": "rectangle", "rug": "ellipse", "lamp": "triangle"}
    shapes: list[dict[str, Any]] = [
        {"kind": "rectangle", "box": (40, 40, 140, 90), "id": "table"},
        {"kind": "ellipse", "box": (220, 60, 150, 90), "id": "rug"},
        {"kind": "polygon", "points": [(90, 170), (140, 260), (40, 260)], "id": "lamp"},
    ]
    for shape, name in zip(shapes, names, strict=True):
        shape["fill"] = COLOURS[name]
    place = draw.randrange(3)
    target, fill = shapes[place], COLOURS[wanted]
    title = {"kind": "text", "box": (220, 210, 0, 0), "text": "Ground floor", "size": 22, "id": "title"}
    keep = [{"id": shape["id"], "fill": shape["fill"]} for shape in shapes if shape is not target]
    words_of_shape = f"{names[place]} {words[target['id']]}"

    return Draft(
        instruction=f"Please change the fill colour of the {words_of_shape} in the plan that's open in "
        f"Inkscape to {fill} ({wanted}) and save the file. Leave everything else the way it is.",
        paraphrases=(
            f"Fill the {words_of_shape} in {path} with {fill} and save the file in place. Don't touch anything else.",
        ),
        setup=(
            make.drawing(path, 420, 300, [*shapes, title]),
            make.launch(["inkscape", path], window="plan.svg", timeout_sec=120),
        ),
        check=expect.all_of(
            [
                expect.drawing_keeps(
                    see.drawing(path),
                    [{"id": target["id"], "fill": fill}, *keep, {"id": "title", "text": "Ground floor"}],
                ),
                expect.drawing_count(see.drawing(path), 4),
            ]
        ),
        expected=(path,),
        solution=(*_filled(fill, *_piece(place)), hand.press("ctrl+s")),
        near_misses=(
            NearMiss(name="not saved", moves=_filled(fill, *_piece(place))),
            NearMiss(
                name="the shape beside it", moves=(*_filled(fill, *_piece((place + 1) % 3)), hand.press("ctrl+s"))
            ),
            NearMiss(name="every shape", moves=(*_filled(fill, hand.press("ctrl+a")), hand.press("ctrl+s"))),
        ),
    )


@template(apps=("dia",), level=2, demand="Creativity/Digital Content Creation/Diagram Drawing")
def two_steps_with_an_arrow(draw: Draw) -> Draft:
    """A small flow chart with two labelled boxes and an arrow is drawn and saved."""
    first, last = draw.choice(STEPS)
    path = f"Documents/{first.lower()}-{draw.randint(2, 99)}.dia"
    upper, lower = (0.25, 0.2), (0.65, 0.7)

    def box(text: str, corner: tuple[float, float]) -> tuple[Call, ...]:
        across, down = corner
        return (
            hand.click(role="radio button", app="dia", nth=FLOWCHART_BOX),
            hand.draw(CANVAS, [corner, (round(across + 0.3, 2), round(down + 0.2, 2))]),
            hand.type(text),
            hand.press("Escape"),
        )

    def arrow(start: tuple[float, float], end: tuple[float, float]) -> tuple[Call, ...]:
        return hand.click(role="radio button", app="dia", nth=LINE), hand.draw(CANVAS, [start, end])

    boxes = (*box(first, (0.1, 0.1)), *box(last, (0.5, 0.6)))
    saved = (
        *(hand.press("ctrl+s"), hand.await_window("Save Diagram"), hand.press("ctrl+a"), hand.type(f"{HOME}/{path}")),
        *(hand.press("Return"), hand.await_file(path)),
    )
    diagram = see.diagram(path)
    return Draft(
        instruction=f'Please draw me a tiny flow chart in Dia: one box that says "{first}", one that says '
        f'"{last}", and an arrow from {first} to {last} '
        f"that's attached to both. Save it as {path}.",
        paraphrases=(
            f'Dia is open with an empty sheet. Draw two flow chart boxes, "{first}" and "{last}", and connect '
            "them with a line that runs from the first to the second, attached at both ends. Save it as "
            f"{path}.",
        ),
        setup=(make.launch(["dia"], window="Diagram1"),),
        check=expect.all_of(
            [expect.diagram_texts(diagram, [first, last]), expect.diagram_links(diagram, [(first, last)])]
        ),
        expected=(path,),
        solution=(*boxes, *arrow(upper, lower), *saved),
        near_misses=(
            NearMiss(name="without the arrow", moves=(*boxes, *saved)),
            NearMiss(name="the arrow the other way", moves=(*boxes, *arrow(lower, upper), *saved)),
            NearMiss(name="an arrow that touches neither box", moves=(*boxes, *arrow((0.7, 0.1), (0.9, 0.3)), *saved)),
        ),
    )
