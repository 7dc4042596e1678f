"""Tasks on vector drawings and diagrams."""

from __future__ import annotations

from typing import Any

from proctor.home import HOME
from proctor.suites.parts.pictures import COLOURS
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission, Draft, NearMiss, Way
from proctor.tasks.template import template

STEPS = (
    ("Order", "Delivery"), ("Draft", "Review"), ("Question", "Answer"), ("Seed", "Harvest"), ("Dough", "Bread"),
    ("Letter", "Reply"), ("Booking", "Journey"),
)  # fmt: skip
CANVAS = {"role": "unknown", "app": "dia", "nth": 0}
FLOWCHART_BOX, LINE = 16, 9
"""Places of the tools among the buttons of Dia."""


def _fill_selection(colour: str, *select: Call) -> tuple[Call, ...]:
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


@template(apps=("inkscape",), level=2, demand="Creativity/Digital Content Creation/Diagram Drawing", version=3)
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
    after = [{**shape, "fill": fill} if shape is target else shape for shape in shapes]
    seen = {"stroke": "none", "opacity": 1, "effects": ""}
    keep = [{**seen, **{key: shape[key] for key in ("id", "kind", "fill")}, **_place(shape)} for shape in after]
    words_kept = {"id": "title", "text": "Ground floor", "fill": "#000000", "opacity": 1, "box": [220, 232, 0, 0]}
    words_kept |= {"size": 22, "effects": ""}
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
                expect.drawing_keeps(see.drawing(path), [*keep, words_kept]),
                expect.drawing_count(see.drawing(path), 4),
                expect.drawing_size(see.drawing(path), 420, 300),
            ]
        ),
        expected=(path,),
        solution=(*_fill_selection(fill, *_piece(place)), hand.press("ctrl+s")),
        near_misses=(
            NearMiss(name="not saved", moves=_fill_selection(fill, *_piece(place))),
            NearMiss(
                name="the shape beside it",
                moves=(*_fill_selection(fill, *_piece((place + 1) % 3)), hand.press("ctrl+s")),
            ),
            NearMiss(name="every shape", moves=(*_fill_selection(fill, hand.press("ctrl+a")), hand.press("ctrl+s"))),
        ),
        may_differ=(
            # Of an element dropped and a number changed, one or the other.
            Admission(
                which="Pictures/*-plan.svg: a*[eu][lm]*",
                why="It is what Inkscape notes about its window; of the plan itself every piece is compared.",
            ),
        ),
        other_ways=(
            by_shell("by the command line", f"sed -i 's/{target['fill']}/{fill}/' {path}"),
            by_python("by a script, as an attribute in capitals", _refill_script(path, target["id"], fill)),
            by_shell(
                "by a style sheet",
                f"sed -i 's/fill:{target['fill']};//' {path}",
                f"sed -i 's,<rect,<style>#{target['id']} {{ fill: {fill} }}</style><rect,' {path}",
            ),
            by_shell(
                "by the commands of Inkscape",
                f"inkscape {path} --actions='select-by-id:{target['id']};object-set-attribute:style,fill:{fill};"
                f"export-filename:{path};export-overwrite;export-do' 2>/dev/null",
            ),
        ),
        cheats=_cheats_at_the_plan(path, target, fill),
    )


def _place(shape: dict[str, Any]) -> dict[str, list[float]]:
    """Return left, top, width and height of a shape, or its corners."""
    if "box" in shape:
        return {"box": [*shape["box"]]}
    return {"corners": [value for corner in shape["points"] for value in corner]}


def _refill_script(path: str, name: str, fill: str) -> str:
    """Return a script that writes the fill of a shape as an attribute of its own."""
    return (
        "from lxml import etree\n"
        f"tree = etree.parse({path!r})\n"
        f"(shape,) = tree.xpath('//*[@id={chr(34)}{name}{chr(34)}]')\n"
        f"del shape.attrib['style']\nshape.set('fill', {fill.upper()!r})\n"
        f"tree.write({path!r})\n"
    )


def _cheats_at_the_plan(path: str, target: dict[str, object], fill: str) -> tuple[Way, ...]:
    over = f'<rect id="over" x="40" y="40" width="140" height="90" style="fill:{fill}" />'
    only = f'<rect id="{target["id"]}" fill="{fill}"/>'
    alone = f'<svg xmlns="http://www.w3.org/2000/svg" width="420" height="300">{only}</svg>'
    return (
        by_shell("another shape laid over it", f"sed -i 's,</svg>,{over}</svg>,' {path}"),
        by_shell("nothing else left", f"echo '{alone}' > {path}"),
        by_shell(
            "made small and out of the way",
            f"sed -i 's/{target['fill']}/{fill}/; s,<text,<text transform=\"translate(0 500)\",' {path}",
            f'sed -i \'s,id="{target["id"]}",id="{target["id"]}" transform="scale(0.01)",\' {path}',
        ),
        by_shell("to be seen through", f"sed -i 's/{target['fill']}/{fill};fill-opacity:0.05/' {path}"),
        by_shell("half of it out of the picture", f"sed -i 's/{target['fill']}/{fill}/; s/0 0 420/210 0 420/' {path}"),
        by_shell("every fill", f"sed -i 's/fill:#[0-9a-f]*/fill:{fill}/' {path}"),
    )


@template(apps=("dia",), level=2, demand="Creativity/Digital Content Creation/Diagram Drawing", version=3)
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
            "them with an arrow that runs from the first to the second, attached at both ends. Save it as "
            f"{path}.",
        ),
        setup=(make.launch(["dia"], window="Diagram1"),),
        check=expect.all_of(
            [
                expect.diagram_texts(diagram, [first, last], in_shapes=True),
                expect.diagram_links(diagram, [(first, last)], arrows=True),
            ]
        ),
        expected=(path,),
        solution=(*boxes, *arrow(upper, lower), *saved),
        near_misses=(
            NearMiss(name="without the arrow", moves=(*boxes, *saved)),
            NearMiss(name="the arrow the other way", moves=(*boxes, *arrow(lower, upper), *saved)),
            NearMiss(name="an arrow that touches neither box", moves=(*boxes, *arrow((0.7, 0.1), (0.9, 0.3)), *saved)),
        ),
        may_differ=(
            Admission(
                which="Documents/*.dia: a number in an attribute changed",
                why="Dia writes down paper, grid, colours and the width of every line, which nobody asked about.",
            ),
            Admission(
                which="Documents/*.dia: an element dropped",
                why="It is one of those that tell how something looks; Dia then takes what it always takes.",
            ),
        ),
        other_ways=(
            by_hand(
                "the lower box first, saved by other keys",
                *(*box(last, (0.5, 0.6)), *box(first, (0.1, 0.1)), *arrow(upper, lower)),
                *(hand.press("ctrl+shift+s"), *saved[1:]),
            ),
            by_python("by a script, texts upon plain boxes", _diagram(path, first, last, boxed="Standard - Box")),
            by_python(
                "by a script, a line with corners between rounded ones",
                _diagram(path, first, last, boxed="Flowchart - Box", line="Standard - ZigZagLine"),
            ),
        ),
        cheats=(
            by_python("words without boxes", _diagram(path, first, last, boxed="")),
            by_python("an arrow that is attached to nothing", _diagram(path, first, last, attached=False)),
            by_python("a line that is no arrow", _diagram(path, first, last, heads=())),
            by_python("an arrow both ways", _diagram(path, first, last, heads=("start", "end"))),
            by_shell("the words in a file of that name", f"echo '{first} -> {last}' > {path}"),
        ),
    )


def _diagram(
    path: str,
    first: str,
    last: str,
    boxed: str = "Flowchart - Box",
    line: str = "Standard - Line",
    attached: bool = True,
    heads: tuple[str, ...] = ("end",),
) -> str:
    """Return a script that writes a diagram: two texts, in or upon boxes if any, and a line."""
    objects, held = [], []
    for number, (text, top) in enumerate(((first, 0), (last, 5))):
        said = (
            "<dia:attribute name='text'><dia:composite type='text'><dia:attribute name='string'>"
            f"<dia:string>#{text}#</dia:string></dia:attribute></dia:composite></dia:attribute>"
        )
        own = said if boxed.startswith("Flowchart") else ""
        if boxed:
            objects.append(_object(boxed, f"O{number}", (0, top, 6, top + 3), own))
        if not own:
            objects.append(_object("Standard - Text", f"O{number}{'T' * bool(boxed)}", (2, top + 1, 4, top + 2), said))
        held.append(f"<dia:connection handle='{number}' to='O{number}' connection='8'/>")
    ends = f"<dia:connections>{''.join(held)}</dia:connections>" if attached else ""
    arrow = "".join(f"<dia:attribute name='{end}_arrow'><dia:enum val='22'/></dia:attribute>" for end in heads)
    objects.append(_object(line, "O9", (3, 1.5, 3, 6.5), arrow + ends))
    whole = (
        "<?xml version='1.0' encoding='UTF-8'?><dia:diagram xmlns:dia='http://www.lysator.liu.se/~alla/dia/'>"
        f"<dia:layer name='Background' visible='true'>{''.join(objects)}</dia:layer></dia:diagram>"
    )
    return f"import gzip\nopen({path!r}, 'wb').write(gzip.compress({whole!r}.encode()))\n"


def _object(kind: str, name: str, box: tuple[float, float, float, float], inner: str) -> str:
    edges = f"<dia:rectangle val='{box[0]},{box[1]};{box[2]},{box[3]}'/>"
    place = f"<dia:attribute name='obj_bb'>{edges}</dia:attribute>"
    return f"<dia:object type='{kind}' id='{name}'>{place}{inner}</dia:object>"
