"""Instructions: sound English, everything named, deterministic, no order that the graph does not have."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from proctor.errors import SpecError
from proctor.graphs.compose.composition import Binding, Composition, NodePlan
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask
from proctor.graphs.compose.theme import Theme
from proctor.graphs.language.connectives import JOINERS, LEADS, REGISTERS
from proctor.graphs.language.phrases import asks, fullest, needed_slots, steps
from proctor.graphs.language.realise import realise
from proctor.graphs.language.validate import validate, values_to_say
from tests.graphs.synthetic import SUBTASKS
from tests.graphs.wordings import (
    WORDED,
    CopyHeading,
    ExportLetter,
    MailFile,
    PackPair,
    PasteNote,
    PasteText,
    ShrinkPicture,
    Wallpaper,
    WriteInvitation,
    composed,
)

POOL = {subtask.name: subtask for subtask in (*SUBTASKS, *WORDED)}
THEME = Theme("bake sale", "Harwood", "Rosa Dahl", 2026)
MAP = Resource("image", "Pictures/map.png", word="the map")
PHOTO = Resource("image", "Pictures/team.jpg")


def image(name: str) -> Resource:
    return Resource("image", f"Pictures/{name}.png")


def shrunk(id: str, taken: Resource, name: str) -> NodePlan:
    bound = Bound(takes={"picture": taken}, gives={"small": image(name)}, params={"width": "320"})
    return NodePlan(id=id, subtask=ShrinkPicture().name, bound=bound)


def chain() -> Composition:
    nodes = (shrunk("a", MAP, "one"), shrunk("b", image("one"), "two"), shrunk("c", image("two"), "three"))
    bindings = (Binding("a", "small", "b", "picture"), Binding("b", "small", "c", "picture"))
    return Composition(seed="chain", theme=THEME, nodes=nodes, bindings=bindings)


def apart() -> Composition:
    nodes = (shrunk("a", MAP, "one"), shrunk("b", PHOTO, "two"), shrunk("c", image("old"), "three"))
    return Composition(seed="apart", theme=THEME, nodes=nodes)


def joined() -> Composition:
    """Two pictures made in any order, packed together, and mailed."""
    packed = Bound(
        takes={"one": image("one"), "other": image("two")}, gives={"archive": Resource("archive", "sale.zip")}
    )
    mailed = Bound(
        takes={"attachment": Resource("archive", "sale.zip")},
        gives={"letter": Resource("letter", "All of it")},
        params={"person": "Priya Quinn"},
    )
    nodes = (
        shrunk("a", MAP, "one"),
        shrunk("b", PHOTO, "two"),
        NodePlan(id="c", subtask=PackPair().name, bound=packed),
        NodePlan(id="d", subtask=MailFile().name, bound=mailed),
    )
    bindings = (
        Binding("a", "small", "c", "one"),
        Binding("b", "small", "c", "other"),
        Binding("c", "archive", "d", "attachment"),
    )
    return Composition(seed="joined", theme=THEME, nodes=nodes, bindings=bindings)


def clipboard_twice() -> Composition:
    """Two copies, each pasted before the next; the second waits for the first to be pasted."""

    def copied(id: str, page: str) -> NodePlan:
        clip = Resource("clipboard_text", f"heading of {page}")
        bound = Bound(takes={"page": Resource("web_page", page)}, gives={"clip": clip})
        return NodePlan(id=id, subtask=CopyHeading().name, bound=bound)

    first, second = copied("a", "one.html"), copied("c", "two.html")
    note = Bound(takes={"clip": first.bound.gives["clip"]}, gives={"note": Resource("note", "Rain plan")})
    text = Bound(takes={"clip": second.bound.gives["clip"]}, gives={"text": Resource("text_file", "plan.txt")})
    nodes = (
        first,
        NodePlan(id="b", subtask=PasteNote().name, bound=note),
        second,
        NodePlan(id="d", subtask=PasteText().name, bound=text),
    )
    bindings = (Binding("a", "clip", "b", "clip"), Binding("c", "clip", "d", "clip"))
    return Composition(seed="twice", theme=THEME, nodes=nodes, bindings=bindings, ordering=frozenset({("b", "c")}))


def test_every_text_is_sound_and_complete() -> None:
    for pool in (WORDED, SUBTASKS):
        by_name = {subtask.name: subtask for subtask in pool}
        for number in range(30):
            composition = composed(f"sound{number}", pool, 1 + number % 12)
            for style in ("high", "low"):
                text = realise(composition, by_name, style=style)
                assert not validate(composition, by_name, text)
                assert not re.search(r"[{}]|  |\.\.|,,|\s[.,;]", text), text
                assert text[0].isupper()
                assert text.endswith((".", "!"))
                assert all(start.isupper() for start in re.findall(r"\w\. (\w)", text)), text
                for node in composition.nodes:
                    assert all(value in text for value in values_to_say(node, by_name[node.subtask]).values()), text


def test_the_same_seed_and_variant_give_the_same_text_and_variants_differ() -> None:
    composition = joined()
    texts = [realise(composition, POOL, variant=variant) for variant in range(8)]
    assert texts == [realise(composition, POOL, variant=variant) for variant in range(8)]
    assert len(set(texts)) > 5
    starts = {text.index("one.png") < text.index("two.png") for text in texts}
    assert starts == {True, False}, "parallel branches are presented in either order"


def test_a_chain_is_told_by_reference_and_connective() -> None:
    strict = [word for link in ("then", "all") for word in (*LEADS[link], *JOINERS.get(link, ()))]
    words = {word.strip(" ,;").lower() for word in strict}
    for variant in range(6):
        text = realise(chain(), POOL, variant=variant)
        assert sum(text.lower().count(word) for word in words) >= 2
        assert not any(closing in text for register in REGISTERS.values() for closing in register.closings)


def test_parallel_branches_are_left_in_no_order() -> None:
    strict = [word for link in ("then", "all") for word in (*LEADS[link], *JOINERS.get(link, ()))]
    for variant in range(6):
        text = realise(apart(), POOL, variant=variant)
        assert not any(word in text for word in strict), text


def test_things_are_introduced_once_and_then_referred_to() -> None:
    text = realise(joined(), POOL)
    assert text.count("Pictures/map.png") == text.count("Pictures/team.jpg") == 1
    assert "Priya Quinn" in text
    assert '"All of it"' in text


def test_what_waits_for_a_single_slot_says_so() -> None:
    for variant in range(10):
        text = realise(clipboard_twice(), POOL, variant=variant)
        assert not validate(clipboard_twice(), POOL, text)
        assert text.index("one.html") < text.index("Rain plan") < text.index("two.html") < text.index("plan.txt")
    loose = replace(clipboard_twice(), ordering=frozenset())
    assert [fault.kind for fault in validate(loose, POOL, text)][:1] == ["edge added"]


def test_something_far_back_is_named_again_where_it_must_come_first() -> None:
    composition = replace(apart(), ordering=frozenset({("a", "c")}))
    texts = [realise(composition, POOL, variant=variant) for variant in range(20)]
    assert any("Only after you" in text for text in texts)
    assert all(not validate(composition, POOL, text) for text in texts)


def test_steps_are_numbered_and_name_what_they_wait_for() -> None:
    lines = realise(joined(), POOL, style="low").split("\n")
    assert [line.split(".")[0] for line in lines[1:]] == ["1", "2", "3", "4"]
    assert lines[3].startswith("3. (after 1 and 2) ")
    assert lines[4].startswith("4. (after 3) ")
    assert "(after" not in realise(chain(), POOL, style="low")


def test_values_are_quoted_where_they_would_run_into_the_sentence() -> None:
    odd = {"Dr. No, twice": '"Dr. No, twice"', 'the "real" one': '“the "real" one”', "Anna Berger": "Anna Berger"}
    for value, shown in odd.items():
        node = joined().node("d")
        nodes = tuple(
            replace(one, bound=replace(node.bound, params={"person": value})) if one.id == "d" else one
            for one in joined().nodes
        )
        assert shown in realise(replace(joined(), nodes=nodes), POOL)


def test_values_of_several_lines_are_understood() -> None:
    bound = Bound(gives={"document": Resource("document", "list.odt")}, params={"line": "1. Milk\n2. Flour"})
    node = NodePlan(id="a", subtask=WriteInvitation().name, bound=bound)
    composition = Composition(seed="lines", theme=THEME, nodes=(node,))
    assert '"1. Milk\n2. Flour"' in realise(composition, POOL)
    assert '"1. Milk\n2. Flour"' in realise(composition, POOL, style="low")


def test_paths_with_spaces_are_understood() -> None:
    node = shrunk("a", Resource("image", "Pictures/the old map.png"), "new map and all")
    text = realise(Composition(seed="spaces", theme=THEME, nodes=(node,)), POOL)
    assert '"Pictures/the old map.png"' in text
    assert '"Pictures/new map and all.png"' in text


class Twin(Subtask):
    app = "gimp"
    takes = ShrinkPicture.takes
    gives = ShrinkPicture.gives
    asks = ShrinkPicture.asks
    steps = ShrinkPicture.steps
    demand = ShrinkPicture.demand
    plan = ShrinkPicture.plan  # type: ignore[assignment]
    work = ShrinkPicture.work


def test_wordings_that_cannot_be_told_apart_are_refused() -> None:
    twin = replace(shrunk("b", PHOTO, "two"), subtask="twin")
    composition = Composition(seed="twins", theme=THEME, nodes=(shrunk("a", MAP, "one"), twin))
    with pytest.raises(SpecError, match="cannot be put into words"):
        realise(composition, {**POOL, "twin": Twin()})


def test_wordings_know_their_places() -> None:
    insert = asks(ExportLetter())[0]
    assert [(part.slot, part.role, part.titled) for part in insert.parts] == [
        ("document", "take", False),
        ("pdf", "give", True),
    ]
    assert steps(ExportLetter()).slots == {"document", "pdf"}
    assert needed_slots(Wallpaper()) == {"picture"}
    assert [wording.text for wording in fullest(CopyHeading())] == list(CopyHeading.asks)


class Stray(Twin):
    asks = ("scale {picture} to {width} and keep {small",)


def test_a_stray_brace_is_refused() -> None:
    with pytest.raises(SpecError, match="stray brace"):
        asks(Stray())


def test_two_of_a_kind_are_spoken_of_together_where_their_order_makes_no_difference() -> None:
    texts = [realise(two_pictures(), POOL, variant=variant) for variant in range(12)]
    assert any("the two pictures" in text for text in texts)
    assert not any("the two pictures" in realise(joined(), POOL, variant=variant) for variant in range(12)), (
        "the photo is a picture too, so that there are more than two"
    )


def two_pictures() -> Composition:
    """The pictures of `joined`, made from nothing that is a picture."""
    page = Resource("web_page", "fair.html")
    nodes = tuple(
        NodePlan(id=id, subtask="picture-from-page", bound=Bound(takes={"page": page}, gives={"picture": image(name)}))
        for id, name in (("a", "one"), ("b", "two"))
    )
    bindings = (Binding("a", "picture", "c", "one"), Binding("b", "picture", "c", "other"))
    return replace(joined(), seed="two", nodes=(*nodes, joined().node("c")), bindings=bindings)
