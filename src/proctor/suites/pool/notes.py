"""Subtasks on notes in Gnote."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import close_window, lines_of, open_file, start_program
from proctor.suites.parts.ways import by_hand, by_python, to_clipboard, typed_and_copied
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Way

OTHER, OTHER_TEXT = "Club room", "The key is at the bakery."
# Without any note Gnote would write some of its own.
NOTES = (make.gnote_notes([{"title": OTHER, "text": OTHER_TEXT}]),)
EXPECTED = (".local/share/gnote", ".local/share/gnote/**", ".config/gnote", ".config/gnote/**", ".config/enchant/**")
READING = (".config/Mousepad", ".config/Mousepad/**", ".local/share/Mousepad", ".local/share/Mousepad/**")
"""What Mousepad writes when somebody looks at a text."""
MARKS = ("- ", "* ", "• ")
DEMAND = "Knowledge/Knowledge/Notes and Mindmaps"
WINDOW = "Gnote"


def draw_title(draw: Draw, theme: Theme, words: Sequence[str]) -> str:
    """Return the title of the note or task that is being made, or draw one."""
    if theme.part:
        return theme.heading
    return f"{draw.choice(words)} {draw.randint(2, 99)} for {theme.title}"


def plain_lines(lines: Sequence[str]) -> list[str]:
    """Return lines that stay as they are when they are typed into a note.

    Raises:
        SpecError: They do not: there are empty ones, or marks that become those of a list.
    """
    if not lines or any(not line.strip() or line.startswith(MARKS) for line in lines):
        raise SpecError("these lines cannot be typed into a note as they are", remedy="give it something else")
    return list(lines)


def open_note(title: str) -> tuple[Call, ...]:
    """Open a note, by its title."""
    return (
        *start_program(f"gnote --open-note={shlex.quote(title)}", WINDOW),
        hand.await_element(title, role="page tab", window=WINDOW),
    )


def new_note(title: str) -> tuple[Call, ...]:
    """Begin a new note, so that what is typed becomes its text."""
    return (
        *start_program(f"gnote --new-note={shlex.quote(title)}", WINDOW),
        hand.await_element(title, role="page tab", window=WINDOW),
    )


CLOSE = close_window(WINDOW)
QUIT = (make.quit_app(WINDOW),)
"""Gnote saves a while after the last key, or when it is closed."""
FILES = ".local/share/gnote/*.note"


def write_note(title: str, lines: Sequence[str]) -> tuple[Call, ...]:
    """Write a new note and close Gnote, which saves it."""
    return (*new_note(title), hand.type("\n".join(lines)), *CLOSE)


def note_holds(note: Resource) -> Call:
    """Return the check that a note is there and says what it should."""
    return expect.note_is(see.gnote(), note.value, "\n".join(note.content))


def beside_the_other(note: Resource) -> tuple[Call, ...]:
    """Return the checks that a note has come to the other one, which is what it was, and no more."""
    return (expect.notes_are(see.gnote(), [OTHER, note.value]), expect.note_is(see.gnote(), OTHER, OTHER_TEXT))


def only_note(note: Resource) -> tuple[Call, ...]:
    """Return the checks that the one note there was is what it was, and the only one."""
    return (expect.notes_are(see.gnote(), [note.value]), note_holds(note))


def in_its_folder(name: str, title: str, lines: Sequence[str]) -> Way:
    """Return a way that writes a note as Gnote keeps it, while it is closed."""
    return by_python(name, _NOTE.format(text="\n".join([title, "", *lines]), title=title))


_NOTE = """
import uuid
from xml.sax.saxutils import escape

space = "http://beatniksoftware.com/tomboy"
dates = "".join("<%s>2026-03-12T09:30:00.000000Z</%s>" % (each, each) for each in ("last-change-date", "create-date"))
head = '<?xml version="1.0" encoding="utf-8"?>\\n<note version="0.3" xmlns="%s"><title>%s</title>'
body = '<text xml:space="preserve"><note-content version="0.1">%s</note-content></text>'
with open(".local/share/gnote/%s.note" % uuid.uuid4(), "w") as file:
    file.write(head % (space, escape({title!r})) + body % escape({text!r}) + dates + "</note>\\n")
"""


def noted_by_others(note: Resource) -> tuple[Way, ...]:
    """Return other ways to a new note."""
    pasted = f"printf %s {shlex.quote(chr(10).join(note.content))} | xclip -selection clipboard > /dev/null 2>&1"
    return (
        in_its_folder("in its folder", note.value, note.content),
        by_hand("pasted, and Gnote left open", hand.run_code(pasted), *new_note(note.value), hand.press("ctrl+v")),
    )


def noted_wrong(note: Resource) -> tuple[Way, ...]:
    """Return cheats at a new note."""
    return (
        in_its_folder("the title alone", note.value, []),
        in_its_folder("everything in the title", " ".join([note.value, *note.content]), []),
        in_its_folder("with more below", note.value, [*note.content, "And so on"]),
        Way(name="twice", moves=2 * in_its_folder("once", note.value, note.content).moves),
        Way(
            name="the other note thrown away",
            moves=(hand.run_code(f"rm {FILES}"), *in_its_folder("anew", note.value, note.content).moves),
        ),
    )


class _WriteNote(Subtask):
    """Whatever gives a new note whose lines are known."""

    version = 3
    app = "gnote"
    demand = DEMAND

    def look(self, bound: Bound) -> tuple[Call, ...]:
        """Return the moves by which a person would see what is to be written."""
        return ()

    def wrong(self, bound: Bound) -> list[str]:
        """Return lines that are tempting but wrong."""
        return list(bound.gives["note"].content[:-1]) or ["Nothing yet"]

    def work(self, bound: Bound) -> Work:
        note = bound.gives["note"]
        reading = self.look(bound)
        return Work(
            moves=(*reading, *write_note(note.value, note.content)),
            check=note_holds(note),
            alone=beside_the_other(note),
            finish=QUIT,
            near_misses=(
                NearMiss(name="the last line forgotten", moves=write_note(note.value, self.wrong(bound))),
                NearMiss(name="another title", moves=write_note(f"{note.value} again", note.content)),
            ),
            other_ways=noted_by_others(note),
            cheats=noted_wrong(note),
            expected=(*EXPECTED, *READING),
            setup=NOTES,
        )


class WriteANote(_WriteNote):
    """A line is written down as a new note."""

    gives = {"note": "note"}
    asks = (
        'make a new note in Gnote with the title {note} and the text "{line}"',
        'write "{line}" into a new Gnote note titled {note}',
    )
    brief = 'make a Gnote note {note} that says "{line}"'
    steps = ("Start Gnote.", "Make a new note titled {note}.", 'Type "{line}" as its text.')

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        what = ("the keys", "the posters", "the tickets", "the projector", "the first-aid box")
        line = theme.remark(draw, [f"Ask {{person}} about {each}" for each in what])
        note = Resource("note", draw_title(draw, theme, ("Question", "Memo", "Errand")), [line])
        return Bound(gives={"note": note}, params={"line": line})


class NoteFromAText(_WriteNote):
    """The lines of a text file become a note."""

    takes = {"source": "text_file"}
    gives = {"note": "note"}
    asks = (
        "copy the lines of {source} into a new Gnote note titled {note}",
        "make a new note {note} in Gnote that has exactly the lines of {source} as its text",
    )
    brief = "make a Gnote note {note} with the lines of {source}"
    steps = (
        "Open {source} in Mousepad and read it.",
        "Start Gnote and make a new note titled {note}.",
        "Type the same lines as its text.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = plain_lines(lines_of(takes["source"]))
        return Bound(
            takes=takes, gives={"note": Resource("note", draw_title(draw, theme, ("Copy", "List", "File")), lines)}
        )

    def look(self, bound: Bound) -> tuple[Call, ...]:
        return read_text(bound.takes["source"])


class NoteOfTwoTexts(_WriteNote):
    """The first lines of two text files are put together in a note."""

    takes = {"first": "text_file", "second": "text_file"}
    gives = {"note": "note"}
    asks = (
        "write the first line of each of {first} and {second} into a new Gnote note titled {note}, in that "
        "order, each on its own line",
        "make a new note {note} in Gnote with two lines of text: the first line of each of {first} and "
        "{second}, in that order",
    )
    brief = "make a Gnote note {note} with the first lines of {first} and {second}"
    steps = (
        "Open {first} in Mousepad and read its first line.",
        "Do the same with {second}.",
        "Start Gnote, make a new note titled {note} and type the two lines.",
    )

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = plain_lines([lines_of(takes["first"])[0], lines_of(takes["second"])[0]])
        note = Resource("note", draw_title(draw, theme, ("Overview", "Headings", "Summary")), lines)
        return Bound(takes=takes, gives={"note": note})

    def look(self, bound: Bound) -> tuple[Call, ...]:
        return (*read_text(bound.takes["first"]), *read_text(bound.takes["second"]))


FROM_FILE = (
    "sed -n '/<note-content/,/<.note-content/p' .local/share/gnote/*.note | sed 's/<[^>]*>//g' | sed 's/2026-.*//'"
)
"""Prints what the one note says."""


class CopyANote(Subtask):
    """The text of a note is copied to the clipboard."""

    app = "gnote"
    takes = {"note": "note"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "copy the text of {note} in Gnote, without its title, to the clipboard",
        "put the text of {note} from Gnote on the clipboard, leaving out its title",
    )
    brief = "copy the text below the title of {note}"
    steps = ("Open {note} in Gnote.", "Select all lines below its title.", "Copy them and close Gnote.")
    demand = DEMAND
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = plain_lines(lines_of(takes["note"]))
        return Bound(takes=takes, gives={"clip": Resource("clipboard_text", "\n".join(lines), lines)})

    def work(self, bound: Bound) -> Work:
        note, clip = bound.takes["note"], bound.gives["clip"]
        shown = open_note(note.value)
        below = (
            hand.press("ctrl+End"),
            # By paragraphs, as long lines may be wrapped; this takes the empty line below the title as well.
            hand.press("ctrl+shift+Up", times=len(lines_of(note))),
            hand.press("shift+Right"),
        )
        copied = hand.press("ctrl+c")
        return Work(
            moves=(*shown, *below, copied, *CLOSE),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            alone=only_note(note),
            finish=QUIT,
            near_misses=(
                NearMiss(name="with its title", moves=(*shown, hand.press("ctrl+a"), copied, *CLOSE)),
                NearMiss(name="not copied", moves=(*shown, *below, *CLOSE)),
            ),
            other_ways=(
                to_clipboard("from its file", f"{FROM_FILE} | tail -n +2"),
                typed_and_copied("typed into an editor", clip.value),
            ),
            cheats=(
                to_clipboard("from its file, with its title", FROM_FILE),
                to_clipboard("its last line", f"{FROM_FILE} | tail -n 1"),
                to_clipboard("its file", f"cat {FILES}"),
                by_hand("cut out of it", *shown, *below, hand.press("ctrl+x"), *CLOSE),
            ),
            expected=EXPECTED,
        )


class PasteIntoANote(Subtask):
    """What is on the clipboard becomes a note."""

    app = "gnote"
    takes = {"clip": "clipboard_text"}
    gives = {"note": "note"}
    asks = (
        "paste the text on the clipboard into a new Gnote note titled {note}, with nothing else in it",
        "make a new note {note} in Gnote whose text is just what is on the clipboard",
    )
    brief = "paste {clip} into a new Gnote note {note}"
    steps = ("Start Gnote.", "Make a new note titled {note}.", "Paste the clipboard as its text and close Gnote.")
    demand = DEMAND
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = plain_lines(takes["clip"].value.split("\n"))
        return Bound(
            takes=takes, gives={"note": Resource("note", draw_title(draw, theme, ("Snippet", "Clipping")), lines)}
        )

    def work(self, bound: Bound) -> Work:
        note = bound.gives["note"]
        pasted = (*new_note(note.value), hand.press("ctrl+v"), *CLOSE)
        return Work(
            moves=pasted,
            check=note_holds(note),
            alone=beside_the_other(note),
            finish=QUIT,
            near_misses=(
                NearMiss(name="left as it was created", moves=(*new_note(note.value), *CLOSE)),
                NearMiss(
                    name="after the placeholder text",
                    moves=(*new_note(note.value), hand.press("ctrl+End"), hand.press("ctrl+v"), *CLOSE),
                ),
            ),
            other_ways=(
                in_its_folder("in its folder", note.value, note.content),
                by_hand("typed instead of pasted", *write_note(note.value, note.content)),
            ),
            cheats=noted_wrong(note),
            expected=EXPECTED,
            setup=NOTES,
        )


def read_text(source: Resource) -> tuple[Call, ...]:
    """Look at a text file and close it again."""
    return (*open_file("mousepad", source), *close_window("Mousepad"))
