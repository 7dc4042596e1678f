"""Subtasks on the list of things to do in GTG."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from proctor.errors import SpecError
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import close_window, lines_of, start_program
from proctor.suites.parts.ways import by_hand, by_python, to_clipboard, typed_and_copied
from proctor.suites.pool.notes import (
    CLOSE,
    EXPECTED,
    NOTES,
    READING,
    draw_title,
    noted_by_others,
    noted_wrong,
    only_note,
    open_note,
    plain_lines,
    read_text,
    write_note,
)
from proctor.suites.pool.notes import QUIT as SAVED_NOTES
from proctor.suites.pool.notes import beside_the_other as note_beside
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss, Way

WINDOW = "Getting Things GNOME!"
TASKS = (".local/share/gtg", ".local/share/gtg/**", ".config/gtg", ".config/gtg/**")
# GTG cannot start without its list; what a task begins with is written over this one.
OTHER = "Water the plants"
SETUP = (make.todo([{"title": OTHER}]),)
SAVED = (make.quit_app("Gtg"),)
"""GTG saves what stands in the window of a task a while later, or when it is closed."""
DEMAND = "Office/Schedule/ToDo"
TITLES = ("Check", "Errand", "Preparation", "Follow-up")


def task_lines(lines: Sequence[str]) -> list[str]:
    """Return lines that stay as they are in a task; raises SpecError where they do not."""
    if any("@" in line or "://" in line for line in lines):
        raise SpecError("GTG would make tags or links of these lines", remedy="give it something else")
    return plain_lines(lines)


def open_list() -> tuple[Call, ...]:
    """Start GTG."""
    return start_program("gtg", WINDOW)


QUIT = close_window(WINDOW)


def open_task(title: str) -> tuple[Call, ...]:
    """Open a task of the list that is shown."""
    return (
        hand.double_click(f"/^{re.escape(title)}$/", role="table cell", window=WINDOW),
        hand.await_window(f"/^{re.escape(title)}$/"),
    )


def close_task(title: str) -> tuple[Call, ...]:
    """Close the window of a task, which keeps it."""
    return (hand.press("Escape"), hand.await_window(f"/^{re.escape(title)}$/", gone=True))


def new_task(title: str, text: Sequence[Call], due: str = "", *, close: bool = True) -> tuple[Call, ...]:
    """Start GTG, make a task with a text and a due date, and close it again unless told otherwise."""
    exact = f"/^{re.escape(title)}$/"
    dated = (hand.type_into(due, role="text", window=exact, nth=1),) if due else ()
    return (
        *open_list(),
        hand.press("ctrl+n"),
        hand.await_window("My new task"),
        hand.press("ctrl+a"),
        hand.type(f"{title}\n"),
        hand.await_window(exact),
        *text,
        *dated,
        *((*close_task(title), *QUIT) if close else ()),
    )


def task_holds(reminder: Resource, due: str = "") -> Call:
    """Return the check that a task is on the list, open, with its text and due date."""
    day: dict[str, Any] = {"due": due} if due else {}
    return expect.all_of(
        [
            expect.todo_exists(see.todo(), reminder.value, **day),
            expect.todo_text_is(see.todo(), reminder.value, "\n".join(reminder.content)),
        ]
    )


def beside_the_other(reminder: Resource, due: str = "") -> tuple[Call, ...]:
    """Return the checks that a task has come to the other one, which is what it was, and no more."""
    new: dict[str, object] = {"title": reminder.value, **({"due": due} if due else {})}
    return (expect.todos_are(see.todo(), [{"title": OTHER}, new]), expect.todo_text_is(see.todo(), OTHER, ""))


def only_task(reminder: Resource) -> tuple[Call, ...]:
    """Return the checks that the one task there was is what it was, and the only one."""
    return (expect.todos_are(see.todo(), [{"title": reminder.value}]), task_holds(reminder))


def in_its_file(name: str, title: str, lines: Sequence[str], due: str = "", *, emptied: bool = False) -> Way:
    """Return a way that adds a task to GTG's file while it is closed, and maybe drops all others."""
    return by_python(name, _TASK.format(title=title, text="\n".join(lines), due=due, emptied=emptied))


_TASK = """
import uuid
import xml.etree.ElementTree as xml

path = ".local/share/gtg/gtg_data.xml"
tree = xml.parse(path)
tasks = tree.find("tasklist")
if {emptied}:
    tasks.clear()
task = xml.SubElement(tasks, "task", id=str(uuid.uuid4()), status="Active")
xml.SubElement(task, "title").text = {title!r}
xml.SubElement(task, "tags")
dates = xml.SubElement(task, "dates")
xml.SubElement(dates, "added").text = xml.SubElement(dates, "modified").text = "2026-03-12"
if {due!r}:
    xml.SubElement(dates, "due").text = {due!r}
xml.SubElement(task, "subtasks")
xml.SubElement(task, "content").text = {text!r}
tree.write(path, encoding="utf-8", xml_declaration=True)
"""


def _by_others(reminder: Resource, due: str = "") -> tuple[Way, ...]:
    pasted = f"printf %s {shlex.quote(chr(10).join(reminder.content))} | xclip -selection clipboard > /dev/null 2>&1"
    return (
        in_its_file("in its file", reminder.value, reminder.content, due),
        by_hand("pasted", hand.run_code(pasted), *new_task(reminder.value, (hand.press("ctrl+v"),), due)),
        by_hand("left open", *new_task(reminder.value, (hand.type("\n".join(reminder.content)),), due, close=False)),
    )


def _by_cheating(reminder: Resource, due: str = "") -> tuple[Way, ...]:
    wrong_day = f"{due[:-1]}{9 - int(due[-1])}" if due else "2026-03-20"
    dated = in_its_file("on another day", reminder.value, reminder.content, wrong_day)
    return (
        in_its_file("the title alone", reminder.value, [], due),
        in_its_file("everything in the title", " ".join([reminder.value, *reminder.content]), [], due),
        in_its_file("the list emptied for it", reminder.value, reminder.content, due, emptied=True),
        *((dated,) if due else ()),
    )


def due_date(draw: Draw) -> str:
    """Draw a day of the coming weeks, as GTG takes it."""
    return (date(2026, 3, 13) + timedelta(days=draw.randint(1, 40))).isoformat()


class RemindOfAText(Subtask):
    """The lines of a text file become the text of a task with a due date."""

    version = 4
    app = "gtg"
    takes = {"source": "text_file"}
    gives = {"reminder": "reminder"}
    asks = (
        "add a task {reminder} to GTG, due on {day}, with the lines of {source} as its text",
        "put {reminder} on the list in GTG with the due date {day}, and copy the lines of {source} into that task",
    )
    brief = "add a GTG task {reminder} due {day} with the lines of {source}"
    steps = (
        "Open {source} in Mousepad and read it.",
        "Start GTG and make a new task titled {reminder}.",
        "Type the same lines below the title.",
        "Set its due date to {day} and close GTG.",
    )
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = task_lines(lines_of(takes["source"]))
        reminder = Resource("reminder", draw_title(draw, theme, TITLES), lines)
        return Bound(takes=takes, gives={"reminder": reminder}, params={"day": due_date(draw)})

    def work(self, bound: Bound) -> Work:
        reminder, day = bound.gives["reminder"], bound.params["day"]
        typed = (hand.type("\n".join(reminder.content)),)
        return Work(
            moves=(*read_text(bound.takes["source"]), *new_task(reminder.value, typed, day)),
            check=task_holds(reminder, day),
            alone=beside_the_other(reminder, day),
            finish=SAVED,
            near_misses=(
                NearMiss(name="without a due date", moves=new_task(reminder.value, typed)),
                NearMiss(name="without its text", moves=new_task(reminder.value, (), day)),
            ),
            other_ways=_by_others(reminder, day),
            cheats=_by_cheating(reminder, day),
            expected=(*TASKS, *READING),
            setup=SETUP,
        )


class RemindOfANote(Subtask):
    """The text of a note becomes the text of a task."""

    version = 4
    app = "gtg"
    takes = {"note": "note"}
    gives = {"reminder": "reminder"}
    asks = (
        "add a task {reminder} to GTG with the text of {note} from Gnote, without the title",
        "make a new task {reminder} in GTG and put below its title what {note} in Gnote has below its own",
    )
    brief = "add a GTG task {reminder} with the text below the title of {note}"
    steps = (
        "Open {note} in Gnote and read it.",
        "Start GTG and make a new task titled {reminder}.",
        "Type the lines of the note below the title and close GTG.",
    )
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = task_lines(lines_of(takes["note"]))
        return Bound(takes=takes, gives={"reminder": Resource("reminder", draw_title(draw, theme, TITLES), lines)})

    def work(self, bound: Bound) -> Work:
        note, reminder = bound.takes["note"], bound.gives["reminder"]
        read = (*open_note(note.value), *CLOSE)
        first, *rest = reminder.content
        return Work(
            moves=(*read, *new_task(reminder.value, (hand.type("\n".join(reminder.content)),))),
            check=task_holds(reminder),
            alone=(*beside_the_other(reminder), *only_note(note)),
            finish=(*SAVED, *SAVED_NOTES),
            near_misses=(
                NearMiss(name="its first line only", moves=new_task(reminder.value, (hand.type(first),))),
                NearMiss(name="another title", moves=new_task(note.value, (hand.type("\n".join([first, *rest])),))),
            ),
            other_ways=_by_others(reminder),
            cheats=_by_cheating(reminder),
            expected=(*TASKS, *EXPECTED),
            setup=SETUP,
        )


class RemindOfTheClipboard(Subtask):
    """What is on the clipboard becomes the text of a task."""

    version = 4
    app = "gtg"
    takes = {"clip": "clipboard_text"}
    gives = {"reminder": "reminder"}
    asks = (
        "add a task {reminder} to GTG, due on {day}, and paste the text on the clipboard into it",
        "put {reminder} on the list in GTG with the due date {day} and the text on the clipboard as its text",
    )
    brief = "paste {clip} into a new GTG task {reminder} due {day}"
    steps = (
        "Start GTG.",
        "Make a new task titled {reminder}.",
        "Paste the clipboard below the title.",
        "Set its due date to {day} and close GTG.",
    )
    demand = DEMAND

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = task_lines(takes["clip"].value.split("\n"))
        reminder = Resource("reminder", draw_title(draw, theme, TITLES), lines)
        return Bound(takes=takes, gives={"reminder": reminder}, params={"day": due_date(draw)})

    def work(self, bound: Bound) -> Work:
        reminder, day = bound.gives["reminder"], bound.params["day"]
        paste = (hand.press("ctrl+v"),)
        return Work(
            moves=new_task(reminder.value, paste, day),
            check=task_holds(reminder, day),
            alone=beside_the_other(reminder, day),
            finish=SAVED,
            near_misses=(
                NearMiss(name="nothing pasted", moves=new_task(reminder.value, (), day)),
                NearMiss(name="without a due date", moves=new_task(reminder.value, paste)),
            ),
            other_ways=(
                in_its_file("in its file", reminder.value, reminder.content, day),
                by_hand(
                    "typed instead of pasted",
                    *new_task(reminder.value, (hand.type("\n".join(reminder.content)),), day),
                ),
            ),
            cheats=_by_cheating(reminder, day),
            expected=TASKS,
            setup=SETUP,
        )


FROM_FILE = "sed -n '/CDATA/,/]]/p' .local/share/gtg/gtg_data.xml | sed 's/.*CDATA.//; s/]].*//'"
"""Prints the text of the one task."""


class CopyAReminder(Subtask):
    """The text of a task is copied to the clipboard."""

    app = "gtg"
    takes = {"reminder": "reminder"}
    gives = {"clip": "clipboard_text"}
    asks = (
        "copy the text of {reminder} in GTG, without the title, to the clipboard",
        "put the text below the title of {reminder} in GTG on the clipboard",
    )
    brief = "copy the text below the title of {reminder} in GTG"
    steps = ("Open {reminder} in GTG.", "Select all lines below its title.", "Copy them and close GTG.")
    demand = DEMAND
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = task_lines(lines_of(takes["reminder"]))
        return Bound(takes=takes, gives={"clip": Resource("clipboard_text", "\n".join(lines), lines)})

    def work(self, bound: Bound) -> Work:
        reminder, clip = bound.takes["reminder"], bound.gives["clip"]
        title, count = reminder.value, len(lines_of(reminder))
        shown = (*open_list(), *open_task(title), _in_text(title))
        up = (hand.press("ctrl+shift+Up", times=count - 1),) if count > 1 else ()
        below = (hand.press("ctrl+End"), *up, hand.press("shift+Home"))
        copied = (hand.press("ctrl+c"), *close_task(title), *QUIT)
        return Work(
            moves=(*shown, *below, *copied),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            alone=only_task(reminder),
            finish=SAVED,
            near_misses=(NearMiss(name="with its title", moves=(*shown, hand.press("ctrl+a"), *copied)),),
            other_ways=(
                to_clipboard("from its file", FROM_FILE),
                typed_and_copied("typed into an editor", clip.value),
            ),
            cheats=(
                to_clipboard("its title", f"echo {shlex.quote(title)}"),
                to_clipboard("its first line", f"{FROM_FILE} | head -n 1"),
                to_clipboard("its file", "cat .local/share/gtg/gtg_data.xml"),
                by_hand("cut out of it", *shown, *below, hand.press("ctrl+x"), *close_task(title), *QUIT),
            ),
            expected=TASKS,
        )


class NoteFromAReminder(Subtask):
    """The text of a task is saved as a note."""

    app = "gnote"
    takes = {"reminder": "reminder"}
    gives = {"note": "note"}
    asks = (
        "make a new note {note} in Gnote with the text of {reminder} from GTG, without the title",
        "write down what {reminder} in GTG says below its title in a new Gnote note titled {note}",
    )
    brief = "make a Gnote note {note} with the text below the title of {reminder}"
    steps = (
        "Open {reminder} in GTG and read it.",
        "Start Gnote and make a new note titled {note}.",
        "Type the lines of the task as its text and close Gnote.",
    )
    demand = "Knowledge/Knowledge/Information Organization"
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = task_lines(lines_of(takes["reminder"]))
        return Bound(takes=takes, gives={"note": Resource("note", draw_title(draw, theme, ("Record", "Log")), lines)})

    def work(self, bound: Bound) -> Work:
        reminder, note = bound.takes["reminder"], bound.gives["note"]
        read = (*open_list(), *open_task(reminder.value), *close_task(reminder.value), *QUIT)
        return Work(
            moves=(*read, *write_note(note.value, note.content)),
            check=expect.note_is(see.gnote(), note.value, "\n".join(note.content)),
            alone=(*note_beside(note), *only_task(reminder)),
            finish=(*SAVED, *SAVED_NOTES),
            near_misses=(
                NearMiss(name="with the title in it", moves=write_note(note.value, [reminder.value, *note.content])),
                NearMiss(name="under the task's title", moves=write_note(reminder.value, note.content)),
            ),
            other_ways=noted_by_others(note),
            cheats=noted_wrong(note),
            expected=(*TASKS, *EXPECTED),
            setup=NOTES,
        )


def _in_text(title: str) -> Call:
    return hand.click(role="text", window=f"/^{re.escape(title)}$/", nth=-1)
