"""Subtasks worded with care, and random compositions of any subtasks, for tests of instructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from proctor.errors import SpecError
from proctor.graphs.compose.composition import Binding, Composition, NodePlan
from proctor.graphs.compose.resource import KINDS, Resource, is_a, kind_of
from proctor.graphs.compose.subtask import Subtask
from proctor.graphs.compose.theme import Theme
from proctor.graphs.mathematics.slots import SlotHold, Slots
from proctor.tasks.draw import Draw
from tests.graphs.synthetic import ENDINGS, Synthetic

WORDS = {
    "table_file": ("the guest list", "the price list", "the list of helpers"),
    "image": ("the group photo", "the map", ""),
    "text_file": ("the minutes", "the packing list", ""),
    "document": ("the invitation", "the programme"),
    "folder": ("the photo folder", ""),
}
TITLES = ("What to bring", "Open questions", "Rain plan", "Thank-you list", "Keys and codes", "Last year, in short")


class Worded(Synthetic):
    """Says what it does as people do."""

    demand = "Office/Documentation/Writing"
    steps: ClassVar[tuple[str, ...]] = ()

    def given(self, draw: Draw, theme: Theme, kind: str, takes: Mapping[str, Resource]) -> Resource:
        made = super().given(draw, theme, kind, takes)
        titled = kind in ("note", "reminder", "event", "letter", "message")
        return replace(made, value=f"{draw.choice(TITLES)} {draw.randint(1, 999)}") if titled else made


class SortGuests(Worded):
    app = "libreoffice-calc"
    takes = {"table": "table_file"}
    gives = {"sorted": "table_file"}
    choices = {"column": ("Name", "Amount due", "Town")}
    asks = (
        "sort {table} by the column {column} and save it as {sorted}",
        "put the rows of {table} in the order of the column {column}, saved as {sorted}",
    )
    steps = ("Open {table} in LibreOffice Calc.", "Sort all rows by the column {column}.", "Save it as {sorted}.")


class ShrinkPicture(Worded):
    app = "gimp"
    takes = {"picture": "image"}
    gives = {"small": "image"}
    choices = {"width": ("320", "480", "640")}
    asks = (
        "scale {picture} to a width of {width} pixels and export it as {small}",
        "make a version of {picture} that is {width} pixels wide, called {small}",
    )
    steps = ("Open {picture} in GIMP.", "Scale it to a width of {width} pixels.", "Export it as {small}.")


class JoinImages(Worded):
    app = "gimp"
    takes = {"left": "image", "right": "image"}
    gives = {"joined": "image"}
    asks = (
        "put {left} to the left of {right} in one picture, {joined}",
        "join {left} with {right} on its right, as {joined}",
    )
    steps = ("Open {left} in GIMP.", "Add {right} on its right.", "Export it as {joined}.")


class PackPair(Worded):
    app = "file-roller"
    takes = {"one": "file", "other": "file"}
    alike = ("one", "other")
    gives = {"archive": "archive"}
    asks = (
        "pack {one} and {other} into the archive {archive}",
        "make the archive {archive} with {one} and {other} in it",
    )
    steps = ("Open the archive manager.", "Create {archive}.", "Add {one} and {other}.")


class PackOne(Worded):
    app = "file-roller"
    takes = {"source": "file"}
    gives = {"archive": "archive"}
    asks = ("pack {source} into the archive {archive}", "compress {source} as {archive}")
    steps = ("Open the archive manager.", "Create {archive}.", "Add {source}.")


class MailFile(Worded):
    app = "thunderbird"
    takes = {"attachment": "file"}
    gives = {"letter": "letter"}
    choices = {"person": ("Amara Okafor", "Jonas Weber", "Priya Quinn")}
    asks = (
        "e-mail {attachment} to {person} under the subject {letter}",
        "send {person} an e-mail with the subject {letter} and attach {attachment}",
    )
    steps = (
        "Write a new e-mail in Thunderbird to {person}.",
        "Set the subject to {letter}.",
        "Attach {attachment}.",
        "Send it.",
    )


class ExportLetter(Worded):
    app = "libreoffice-writer"
    takes = {"document": "document"}
    gives = {"pdf": "pdf"}
    asks = ("export {document} as a PDF to {pdf}", "make a PDF of {document}, named {pdf}")
    steps = ("Open {document} in LibreOffice Writer.", "Export it as {pdf}.")


class WriteInvitation(Worded):
    app = "libreoffice-writer"
    gives = {"document": "document"}
    choices = {"line": ("Doors open at seven.", "Bring a cup, please", "Free entry")}
    asks = (
        'write a document {document} that says "{line}"',
        "write {line} into a new document and save it as {document}",
    )
    steps = ("Open LibreOffice Writer.", "Type {line}.", "Save it as {document}.")


class Insert(Worded):
    app = "libreoffice-writer"
    takes = {"document": "document", "picture": "image"}
    gives = {"result": "document"}
    asks = (
        "insert {picture} at the end of {document} and save the result as {result}",
        "put {picture} below the text of {document}, saved under the new name {result}",
    )
    steps = ("Open {document} in LibreOffice Writer.", "Insert {picture} at the end.", "Save it as {result}.")


class CopyHeading(Worded):
    app = "firefox"
    takes = {"page": "web_page"}
    gives = {"clip": "clipboard_text"}
    asks = ("copy the heading of {page} to the clipboard", "open {page} in Firefox and copy its heading")
    steps = ("Open {page} in Firefox.", "Select the heading.", "Press Ctrl+C.")


class CopyTotal(Worded):
    app = "libreoffice-calc"
    takes = {"table": "table_file"}
    gives = {"clip": "clipboard_text"}
    choices = {"column": ("Amount due", "Seats")}
    asks = ("copy the total of the column {column} in {table} to the clipboard",)
    steps = ("Open {table} in LibreOffice Calc.", "Copy the total of the column {column} to the clipboard.")


class PasteNote(Worded):
    app = "gnote"
    takes = {"clip": "clipboard_text"}
    gives = {"note": "note"}
    asks = ("paste {clip} into a new note titled {note}", "make a note {note} from {clip}")
    steps = ("Create a new note in Gnote titled {note}.", "Paste {clip}.")


class PasteText(Worded):
    app = "mousepad"
    takes = {"clip": "clipboard_text"}
    gives = {"text": "text_file"}
    asks = ("paste {clip} into an empty text file and save it as {text}", "save {clip} in {text}")
    steps = ("Open Mousepad.", "Paste {clip}.", "Save it as {text}.")


class Wallpaper(Worded):
    app = "xfce4-settings"
    takes = {"picture": "image"}
    gives = {"wallpaper": "wallpaper"}
    asks = ("set {picture} as the wallpaper", "make {picture} the {wallpaper}")
    steps = ("Open the desktop settings.", "Choose {picture} as the wallpaper.")


class Screenshot(Worded):
    app = "xfce4-screenshooter"
    takes = {"wallpaper": "wallpaper"}
    gives = {"picture": "image"}
    asks = ("take a screenshot of the desktop with {wallpaper} in view and save it as {picture}",)
    steps = ("Show the desktop with {wallpaper}.", "Take a screenshot.", "Save it as {picture}.")


class Remind(Worded):
    app = "gtg"
    takes = {"note": "note"}
    gives = {"reminder": "reminder"}
    choices = {"day": ("14 March 2026", "2 May 2026")}
    asks = ("add a reminder {reminder} for {day} about {note}", "for {day}, enter the reminder {reminder} about {note}")
    steps = ("Open Getting Things GNOME.", "Add the task {reminder} due on {day}.", "Mention {note} in it.")


WORDED: tuple[Subtask, ...] = tuple(
    made()
    for made in (
        SortGuests, ShrinkPicture, JoinImages, PackPair, PackOne, MailFile, ExportLetter, WriteInvitation, Insert,
        CopyHeading, CopyTotal, PasteNote, PasteText, Wallpaper, Screenshot, Remind,
    )
)  # fmt: skip
"""Sixteen of them."""


def initial(draw: Draw, theme: Theme, kind: str) -> Resource:
    """Something that is there from the beginning."""
    narrower = [name for name in ENDINGS if is_a(name, kind)] or [kind]
    kind = draw.choice(narrower)
    value = f"{draw.choice(TITLES)} {draw.randint(1, 999)}"
    if is_a(kind, "file") or kind == "folder":
        value = f"Documents/{theme.slug}/source-{draw.randint(1, 999)}{ENDINGS.get(kind, '')}"
    return Resource(kind, value, word=draw.choice(WORDS.get(kind, ("",))))


def composed(seed: str, pool: Sequence[Subtask], count: int, *, reuse: float = 0.75) -> Composition:
    """Return a random composition; what a node takes was mostly given by another."""
    for attempt in range(50):
        made = _composed(f"{seed}/{attempt}", pool, count, reuse)
        if made is not None:
            return made
    raise AssertionError(f"no composition of {count} nodes for {seed}")


def _composed(seed: str, pool: Sequence[Subtask], count: int, reuse: float) -> Composition | None:
    draw = Draw(seed)
    theme = Theme.draw(draw)
    nodes: list[NodePlan] = []
    bindings: list[Binding] = []
    values: set[str] = set()
    while len(nodes) < count:
        at_hand = {given.kind for node in nodes for given in node.bound.gives.values()}
        going_on = [one for one in pool if any(is_a(kind, wanted) for kind in at_hand for wanted in one.takes.values())]
        subtask, id = draw.choice(going_on if going_on and draw.random() < reuse else pool), f"n{len(nodes) + 1}"
        takes: dict[str, Resource] = {}
        fresh: list[Binding] = []
        for slot, kind in subtask.takes.items():
            given = [
                (node.id, port, resource)
                for node in nodes
                for port, resource in node.bound.gives.items()
                if is_a(resource.kind, kind) and resource not in takes.values()
            ]
            if given and draw.random() < reuse:
                producer, port, takes[slot] = draw.choice(given)
                fresh.append(Binding(producer, port, id, slot))
            else:
                takes[slot] = initial(draw, theme, kind)
        if any(kind_of(kind).slot for kind in subtask.takes.values()) and not fresh:
            continue
        bound = subtask.plan(draw, theme, takes)
        new = [resource.value for resource in bound.gives.values()]
        if len(set(new)) < len(new) or values & set(new):
            continue
        values |= set(new) | {resource.value for resource in takes.values()}
        nodes.append(NodePlan(id=id, subtask=subtask.name, bound=bound))
        bindings += fresh
    made = Composition(seed=seed, theme=theme, nodes=tuple(nodes), bindings=tuple(bindings))
    try:
        return replace(made, ordering=ordered(made))
    except SpecError:
        return None


def ordered(made: Composition) -> frozenset[tuple[str, str]]:
    """Return what must follow one another because of single slots."""
    slots = [name for name, kind in KINDS.items() if kind.slot]
    writers = {
        slot: [node.id for node in made.nodes if any(given.kind == slot for given in node.bound.gives.values())]
        for slot in slots
    }
    holds: dict[tuple[str, str], set[str]] = {}
    for binding in made.bindings:
        kind = made.node(binding.producer).bound.gives[binding.gives].kind
        if kind in writers:
            holds.setdefault((kind, binding.producer), set()).add(binding.consumer)
    listed = [SlotHold(slot, producer, frozenset(consumers)) for (slot, producer), consumers in holds.items()]
    return Slots(made.dag, listed, writers).ordering_edges()
