"""Vector drawings and diagrams: what is written is read, and nothing hostile is followed."""

from __future__ import annotations

import base64
import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import CommandResult
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.dia import checks as dia_checks
from proctor.vocabulary.apps.dia import probes as dia_probes
from proctor.vocabulary.apps.dia.parse import parse_objects
from proctor.vocabulary.formats.drawings import checks, probes
from proctor.vocabulary.formats.drawings.parse import parse_drawing
from proctor.vocabulary.formats.drawings.setup import drawing
from proctor.vocabulary.formats.pictures.setup import Shape

PLAN = (
    Shape(kind="rectangle", box=(40, 40, 140, 90), fill="#c1121f", id="table"),
    Shape(kind="ellipse", box=(220, 60, 150, 90), fill="#2a9d4a", id="rug", outline="#000000"),
    Shape(kind="polygon", points=((90, 170), (140, 260), (40, 260)), fill="#1d4ed8", id="lamp"),
    Shape(kind="line", points=((0, 0), (10, 10)), fill="#222222", id="wall"),
    Shape(kind="text", box=(220, 210, 0, 0), text="Ground  floor & hall", id="title"),
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">{}</svg>'
DIA = """<dia:diagram xmlns:dia="http://www.lysator.liu.se/~alla/dia/"><dia:layer>
<dia:object type="Flowchart - Box" id="O0"><dia:attribute name="text"><dia:composite><dia:attribute name="string">
<dia:string>#Order#</dia:string></dia:attribute></dia:composite></dia:attribute></dia:object>
<dia:object type="Flowchart - Box" id="O1"><dia:attribute name="text">
<dia:string>#Delivery#</dia:string></dia:attribute>
</dia:object><dia:object type="Standard - Line" id="O2">{heads}<dia:connections>
<dia:connection handle="0" to="O0" connection="3"/><dia:connection handle="{last}" to="O1" connection="1"/>
</dia:connections></dia:object></dia:layer></dia:diagram>"""


@pytest.fixture
def computer() -> FakeComputer:
    return FakeComputer().start()


def test_a_drawing_holds_its_shapes(computer: FakeComputer) -> None:
    drawing(SetupContext(computer), "plan.svg", 420, 300, PLAN, "#ffffff")
    found = probes.drawing(ProbeContext(computer), "plan.svg")
    assert checks.drawing_count(found, 6).passed
    assert not checks.drawing_count(found, 5).passed
    assert checks.drawing_has_shape(found, kind="ellipse", fill="#2a9d4a", count=1).passed
    assert not checks.drawing_has_shape(found, kind="ellipse", fill="#c1121f").passed
    assert checks.drawing_text(found, "Ground floor & hall").passed
    assert not checks.drawing_text(found, "Ground").passed
    assert checks.drawing_keeps(found, [{"id": "table", "fill": "#c1121f", "box": [40, 40, 140, 90]}]).passed
    wrong = [{"id": "table", "fill": "#2a9d4a", "box": [0, 0, 140, 90]}, {"id": "sofa"}]
    assert len(checks.drawing_keeps(found, wrong).feedback) == 3


@pytest.mark.parametrize(
    ("inner", "fill", "box"),
    [
        ('<rect x="1" y="2" width="3" height="4" fill="red"/>', "#ff0000", [1, 2, 3, 4]),
        ('<g fill="#00f" transform="translate(10 20)"><circle r="5"/></g>', "#0000ff", [5, 15, 10, 10]),
        ('<rect width="2" height="4" style="fill:rgb(0,128,0)" transform="scale(2)"/>', "#008000", [0, 0, 4, 8]),
        ('<rect width="2" height="4" transform="rotate(90)"/>', "#000000", [-4, 0, 4, 2]),
        ('<rect width="2" height="4" fill="url(#a)" transform="matrix(1,0,0,1,7,0)"/>', "url(#a)", [7, 0, 2, 4]),
    ],
)
def test_styles_are_inherited_and_transforms_followed(inner: str, fill: str, box: list[float]) -> None:
    (shape,) = parse_drawing("a.svg", SVG.format(inner).encode())["shapes"]
    assert (shape["fill"], shape["box"]) == (fill, box)


@pytest.mark.parametrize(
    ("inner", "fill", "opacity"),
    [
        ("<style>#a {fill: #00ff00}</style><rect id='a' fill='#ff0000'/>", "#00ff00", 1),
        ("<style>/* x */ .b, rect.c {fill:#00ff00}</style><rect id='a' class='c d' fill='#ff0000'/>", "#00ff00", 1),
        ("<style>#a {fill:#00ff00} rect {fill:#0000ff} g rect {fill:#ff0000}</style><rect id='a'/>", "#00ff00", 1),
        ("<style>rect {fill:#00ff00}</style><rect id='a' style='fill:#ff0000;opacity:1'/>", "#ff0000", 1),
        ("<style>rect {fill-opacity:0}</style><rect id='a' style='fill:#ff0000'/>", "#ff0000", 0),
        ("<g opacity='0.5'><rect id='a' fill='#ff0000' style='opacity:50%'/></g>", "#ff0000", 0.25),
        ("<rect id='a' fill='#ff000000'/>", "#ff0000", 0),
        ("<rect id='a' fill='rgb(255, 0, 0)' opacity='nonsense'/>", "#ff0000", 1),
        ("<rect id='a' fill='rgb(48.2%, 17.3%, 74.9%)'/>", "#7b2cbf", 1),
        ("<rect id='a' fill='rgba(255, 0, 0, 1)'/>", "#ff0000", 1),
        ("<rect id='a' fill='rgb(255 0 0 / 50%)'/>", "#ff0000", 0.5),
        ("<rect id='a' fill='url(#shade)'/>", "url(#shade)", 1),
    ],
)
def test_style_sheets_count_and_so_does_what_can_be_seen_through(inner: str, fill: str, opacity: float) -> None:
    (shape,) = parse_drawing("a.svg", SVG.format(inner).encode())["shapes"]
    assert (shape["fill"], shape["opacity"]) == (fill, opacity)


@pytest.mark.parametrize(
    ("size", "right"),
    [
        ('width="420" height="300"', True), ('width="420px" height="300px" viewBox="0,0,420,300"', True),
        ('width="420" height="300" viewBox="0 0 210 150"', False), ('width="520" height="300"', False), ("", False),
        ('width="420" height="300" viewBox="9 0 420 300"', False), ('width="100%" height="300"', False),
        ('width="420" height="300" viewBox="nan 0 1e999 300"', False),
    ],
)  # fmt: skip
def test_a_drawing_shows_all_of_itself(size: str, right: bool) -> None:
    found = parse_drawing("a.svg", f'<svg xmlns="http://www.w3.org/2000/svg" {size}/>'.encode())
    assert checks.drawing_size(found, 420, 300).passed is right


def test_endless_style_sheets_are_not_read() -> None:
    with pytest.raises(CannotSee):
        parse_drawing("a.svg", SVG.format(f"<style>{'a{b:c}' * 999}</style>").encode())


def test_what_is_hidden_is_no_shape() -> None:
    inner = '<defs><rect/></defs><g style="display:none"><rect/></g><rect visibility="hidden"/>'
    assert parse_drawing("a.svg", SVG.format(inner).encode())["shapes"] == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<html/>",
        SVG.format("<rect"),
        '<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG.format("&a;"),
        SVG.format('<rect transform="matrix(1)"/>'),
        SVG.format('<polygon points="1 2 3"/>'),
        SVG.format("<g>" * 3000 + "</g>" * 3000),
    ],
)
def test_broken_and_hostile_drawings_are_no_drawings(text: str) -> None:
    with pytest.raises(CannotSee):
        parse_drawing("a.svg", text.encode())


@given(st.binary(max_size=200))
def test_junk_is_unreadable(junk: bytes) -> None:
    for look in (parse_drawing, parse_objects):
        with pytest.raises(CannotSee):
            look("a", junk)


@pytest.mark.parametrize("packed", [True, False])
def test_a_diagram_tells_what_its_lines_connect(computer: FakeComputer, packed: bool) -> None:
    data = DIA.format(heads="", last=1).encode()
    computer.write_file("a.dia", gzip.compress(data) if packed else data)
    found = dia_probes.diagram(ProbeContext(computer), "a.dia")
    assert dia_checks.diagram_texts(found, ["Delivery", "Order"]).passed
    assert len(dia_checks.diagram_texts(found, ["Order", "Payment"]).feedback) == 2
    assert dia_checks.diagram_links(found, [("Order", "Delivery")]).passed
    assert not dia_checks.diagram_links(found, [("Delivery", "Order")]).passed
    assert dia_checks.diagram_links(found, [("Delivery", "Order")], either_way=True).passed
    assert not dia_checks.diagram_links(found, []).passed


def test_an_arrow_head_at_the_start_turns_a_line_round() -> None:
    head = '<dia:attribute name="start_arrow"><dia:enum val="22"/></dia:attribute>'
    found = parse_objects("a.dia", DIA.format(heads=head, last=3).encode())
    assert dia_checks.diagram_links(found, [("Delivery", "Order")]).passed


@pytest.mark.parametrize(
    ("heads", "right"),
    [("", False), ("end 0", False), ("end 22", True), ("start 22", False), ("start 1 end 22", False), ("end -", True)],
)
def test_an_arrow_has_its_head_where_it_leads_to(heads: str, right: bool) -> None:
    words = heads.split()
    held = "".join(
        f'<dia:attribute name="{end}_arrow">' + f'<dia:enum val="{kind}"/>' * (kind != "-") + "</dia:attribute>"
        for end, kind in zip(words[::2], words[1::2], strict=True)
    )
    found = parse_objects("a.dia", DIA.format(heads=held, last=1).encode())
    assert dia_checks.diagram_links(found, [("Order", "Delivery")], arrows=True).passed is right


def test_what_lies_in_a_hidden_layer_is_not_there() -> None:
    hidden = DIA.format(heads="", last=1).replace("<dia:layer>", '<dia:layer visible="false">')
    found = parse_objects("a.dia", hidden.encode())
    assert not found["objects"] and not found["lines"]


def test_a_text_upon_a_box_is_the_text_of_the_box() -> None:
    def item(kind: str, number: int, box: str, text: str = "") -> str:
        held = f'<dia:attribute name="text"><dia:string>#{text}#</dia:string></dia:attribute>' if text else ""
        place = f'<dia:attribute name="obj_bb"><dia:rectangle val="{box}"/></dia:attribute>'
        return f'<dia:object type="{kind}" id="O{number}">{place}{held}</dia:object>'

    box, text = item("Standard - Box", 3, "0,0;6,3"), item("Standard - Text", 4, "2,1;4,1.8", "Payment")
    around = item("Standard - Box", 5, "-1,-1;20,20")
    for inner, alone in ((around + box + text, False), (text, True), (text + item("Standard - Box", 3, "a;b"), True)):
        whole = DIA.format(heads="", last=1).replace("</dia:layer>", f"{inner}</dia:layer>")
        found = parse_objects("a.dia", whole.encode())
        assert [each["id"] for each in found["objects"] if each["text"] == "Payment"] == ["O4" if alone else "O3"]
        assert dia_checks.diagram_texts(found, ["Delivery", "Order", "Payment"]).passed
        assert dia_checks.diagram_texts(found, ["Delivery", "Order", "Payment"], in_shapes=True).passed is not alone


def test_bombs_and_wrong_handles_are_not_read(computer: FakeComputer) -> None:
    computer.write_file("a.dia", gzip.compress(b" " * (probes.MOST_BYTES + 10)))
    with pytest.raises(CannotSee, match="unpacks"):
        dia_probes.diagram(ProbeContext(computer), "a.dia")
    with pytest.raises(CannotSee, match="broken"):
        parse_objects("a.dia", DIA.format(heads="", last="x").encode())


def test_a_drawing_is_drawn_by_the_computer(computer: FakeComputer, monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    Image.new("RGB", (64, 48), "teal").save(held, "PNG")
    computer.write_file("a.svg", SVG.format("").encode())
    context = ProbeContext(computer)
    printed = {0: f"{base64.b64encode(held.getvalue()).decode()}\n", 1: "", 2: "no picture"}
    for number, text in printed.items():
        made = CommandResult(code=number % 2, stdout=text, stderr="")
        monkeypatch.setattr(ProbeContext, "run", lambda *_, made=made, **__: made)
        if number:
            with pytest.raises(CannotSee, match="cannot be drawn"):
                probes.drawing_shown(context, "a.svg", 64, 48)
        else:
            assert probes.drawing_shown(context, "a.svg", 64, 48, (0, 0, 8, 8), "Liberation Sans")["width"] == 8


@pytest.mark.parametrize(
    "added",
    [
        "<title>Mine</title>",
        "<desc>Mine</desc>",
        "<script>alert(1)</script>",
        '<animate attributeName="x" dur="1s"/>',
        '<a href="http://x/"><rect width="1" height="1"/></a>',
        '<circle cx="5" cy="5" r="9" style="display:none"/>',
    ],
)
def test_what_lies_beside_the_shapes_is_told(added: str) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">%s</svg>'
    plain, more = (parse_drawing("a.svg", (drawing % held).encode())["extras"] for held in ("", added))
    assert plain == [] and len(more) == 1  # type: ignore[arg-type]
