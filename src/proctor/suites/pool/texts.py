"""Subtasks on plain text in Mousepad."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.equip import text_of
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import (
    base,
    close_window,
    lines_of,
    named_in_dialog,
    new_path,
    open_file,
    quote_path,
    start_program,
)
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss


class WriteDownAnAppointment(Subtask):
    """A line about when and where is written into a new file."""

    app = "mousepad"
    gives = {"text": "text_file"}
    asks = (
        'write "{line}" into a new text file {text}',
        'make a text file {text} that says "{line}"',
        'note down "{line}" in a new text file {text}',
    )
    brief = 'save "{line}" as the text file {text}'
    steps = ("Start Mousepad.", 'Type "{line}".', "Save it as {text} and close Mousepad.")
    demand = "Office/Documentation/Writing"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        usual = [f"{what} at {{time}}, {{place}}" for what in ("Meeting", "Delivery", "Call")]
        line = theme.with_dates().remark(draw, usual)
        text = Resource("text_file", new_path(draw, theme, "Documents", ("memo", "slip", "jotting"), ".txt"), [line])
        return Bound(gives={"text": text}, params={"line": line})

    def work(self, bound: Bound) -> Work:
        text, line = bound.gives["text"], bound.params["line"]
        typed = (*start_program("mousepad", "Untitled"), hand.type(line))
        return Work(
            moves=(*typed, hand.press("ctrl+shift+s"), *named_in_dialog("Save As", text), *close_window(base(text))),
            check=expect.text_is(see.text(text.value), line),
            near_misses=(NearMiss(name="not saved", moves=typed),),
            other_ways=(
                by_shell("by the command line", f"echo {shlex.quote(line)} > {quote_path(text)}"),
                by_hand(
                    "named before anything is typed",
                    *start_program(f"mousepad {quote_path(text)}", base(text)),
                    hand.type(f"{line}\n"),
                    *(hand.press("ctrl+s"), hand.await_saved(text.value), *close_window(base(text))),
                ),
            ),
            cheats=(
                by_shell("an empty file", f"touch {quote_path(text)}"),
                by_shell(
                    "every hour of the day", f"for hour in $(seq 8 18); do echo $hour:30; done > {quote_path(text)}"
                ),
            ),
        )


class NumberTheLines(Subtask):
    """A copy of a text gets a number before every line."""

    version = 3
    app = "mousepad"
    takes = {"source": "text_file"}
    gives = {"text": "text_file"}
    asks = (
        "save a copy of {source} as {text} with the lines numbered 1., 2. and so on",
        "number the lines of {source} 1., 2. and so on and save that as {text}",
    )
    brief = "number the lines of {source} 1., 2. and so on as {text}"
    steps = ("Open {source} in Mousepad.", "Put 1., 2. and so on in front of the lines.", "Save it as {text}.")
    demand = "Office/Documentation/Writing"

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = [f"{number}. {line}" for number, line in enumerate(lines_of(takes["source"]), 1)]
        path = new_path(draw, theme, "Documents", ("numbered", "counted", "in-order"), ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, lines)})

    def work(self, bound: Bound) -> Work:
        source, text = bound.takes["source"], bound.gives["text"]
        before = [hand.press("ctrl+Home")]
        for number in range(1, len(text.content) + 1):
            before += [hand.type(f"{number}. "), hand.press("Down"), hand.press("Home")]
        numbered = (*open_file("mousepad", source), *before)
        return Work(
            moves=(*numbered, hand.press("ctrl+shift+s"), *named_in_dialog("Save As", text), *close_window(base(text))),
            # Programs that number lines put the numbers below one another.
            check=expect.lines_are(see.text(text.value), text.content),
            near_misses=(
                NearMiss(
                    name="copied unchanged",
                    moves=(
                        *open_file("mousepad", source),
                        hand.press("ctrl+shift+s"),
                        *named_in_dialog("Save As", text),
                        *close_window(base(text)),
                    ),
                ),
            ),
            other_ways=(
                by_shell("by a command that numbers lines", f"nl -s '. ' {quote_path(source)} > {quote_path(text)}"),
                by_python(
                    "by Python",
                    f"with open({source.value!r}) as source, open({text.value!r}, 'w') as text:\n"
                    "    for number, line in enumerate(source, 1):\n        text.write(f'{number}. {line}')\n",
                ),
            ),
            cheats=(
                by_shell("only the numbers", f"seq -f '%g.' {len(text.content)} > {quote_path(text)}"),
                by_shell("only the first line numbered", f"sed '1s/^/1. /' {quote_path(source)} > {quote_path(text)}"),
            ),
        )


CLIP = "xclip -selection clipboard > /dev/null 2>&1"
KEPT = 3
"""How many lines make a beginning."""


class JoinTwoTexts(Subtask):
    """The lines of two texts are put into a new one."""

    app = "mousepad"
    takes = {"first": "text_file", "second": "text_file"}
    gives = {"text": "text_file"}
    asks = (
        "combine {first} and {second}, in that order, into a new text file {text}",
        "write the lines of {first}, and below them the lines of {second}, into a new text file {text}",
    )
    brief = "join the lines of {first} and {second} as {text}"
    steps = ("Open {second} in Mousepad.", "Put the lines of {first} above it.", "Save it as {text}.")
    demand = "Office/Documentation/Writing"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = lines_of(takes["first"]) + lines_of(takes["second"])
        path = new_path(draw, theme, "Documents", ("joined", "together", "combined"), ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, lines)})

    def work(self, bound: Bound) -> Work:
        first, second, text = bound.takes["first"], bound.takes["second"], bound.gives["text"]
        above = (hand.press("ctrl+Home"), hand.type(text_of(first.content)))
        return Work(
            moves=(*open_file("mousepad", second), *above, *_saved_as(text)),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="only one of them", moves=(*open_file("mousepad", second), *_saved_as(text))),),
            other_ways=(
                by_shell("by the command line", f"cat {quote_path(first)} {quote_path(second)} > {quote_path(text)}"),
                by_hand(
                    "the second one below, with an empty line between",
                    *open_file("mousepad", first),
                    *(hand.press("ctrl+End"), hand.type(f"\n{text_of(second.content)}"), *_saved_as(text)),
                ),
            ),
            cheats=(
                by_shell("the other way round", f"cat {quote_path(second)} {quote_path(first)} > {quote_path(text)}"),
                by_shell("only the first one", f"cp {quote_path(first)} {quote_path(text)}"),
            ),
        )


class GatherThreeTexts(Subtask):
    """The lines of three texts are collected in a new one."""

    app = "mousepad"
    takes = {"first": "text_file", "second": "text_file", "third": "text_file"}
    gives = {"text": "text_file"}
    asks = (
        "collect the lines of {first}, {second} and {third}, in that order, in a new text file {text}",
        "make one text file {text} out of {first}, {second} and {third}, one below the other",
    )
    brief = "join the lines of {first}, {second} and {third} as {text}"
    steps = ("Open {third} in Mousepad.", "Put the lines of {first} and then {second} above it.", "Save it as {text}.")
    demand = "Office/Documentation/Writing"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = [line for port in self.takes for line in lines_of(takes[port])]
        path = new_path(draw, theme, "Documents", ("gathered", "all-in-one", "collected"), ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, lines)})

    def work(self, bound: Bound) -> Work:
        first, second, third = (bound.takes[port] for port in self.takes)
        text = bound.gives["text"]

        def put_above(*sources: Resource) -> tuple[Call, ...]:
            above = "".join(text_of(source.content) for source in sources)
            return (*open_file("mousepad", third), hand.press("ctrl+Home"), hand.type(above), *_saved_as(text))

        return Work(
            moves=put_above(first, second),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="only two of them", moves=put_above(second)),),
            other_ways=(
                by_shell("by the command line", _join_command((first, second, third), text)),
                by_python(
                    "by Python",
                    f"paths = {[first.value, second.value, third.value]!r}\n"
                    f"open({text.value!r}, 'w').writelines(line for path in paths for line in open(path))\n",
                ),
            ),
            cheats=(
                by_shell("from last to first", _join_command((third, second, first), text)),
                by_shell("the second one left out", _join_command((first, third), text)),
            ),
        )


class KeepTheBeginning(Subtask):
    """The first lines of a text are saved as a new text."""

    app = "mousepad"
    takes = {"source": "text_file"}
    gives = {"text": "text_file"}
    asks = (
        "save only the first three lines of {source} as {text}",
        "make a shorter copy of {source} with only the first three lines and save it as {text}",
    )
    brief = "save the first three lines of {source} as {text}"
    steps = ("Open {source} in Mousepad.", "Delete everything after the third line.", "Save it as {text}.")
    demand = "Office/Documentation/Writing"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = lines_of(takes["source"])
        if len(lines) <= KEPT:
            raise SpecError(f"{takes['source'].value} has nothing after its third line", remedy="take a longer text")
        path = new_path(draw, theme, "Documents", ("short", "beginning", "excerpt"), ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, lines[:KEPT])})

    def work(self, bound: Bound) -> Work:
        source, text = bound.takes["source"], bound.gives["text"]

        def cut_after(lines: int) -> tuple[Call, ...]:
            rest = (hand.press("Down", times=lines), hand.press("ctrl+shift+End"), hand.press("Delete"))
            return (*open_file("mousepad", source), hand.press("ctrl+Home"), *rest, *_saved_as(text))

        return Work(
            moves=cut_after(KEPT),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="one line too few", moves=cut_after(KEPT - 1)),),
            other_ways=(
                by_shell("by the command line", f"head -n {KEPT} {quote_path(source)} > {quote_path(text)}"),
                by_hand(
                    "typed anew",
                    *start_program("mousepad", "Untitled"),
                    hand.type("\n".join(text.content)),
                    *_saved_as(text),
                ),
            ),
            cheats=(
                by_shell("all of it", f"cp {quote_path(source)} {quote_path(text)}"),
                by_shell("the end", f"tail -n {KEPT} {quote_path(source)} > {quote_path(text)}"),
            ),
        )


class CopyTheFirstLine(Subtask):
    """The first line of a text is copied to the clipboard."""

    app = "mousepad"
    takes = {"source": "text_file"}
    gives = {"clip": "clipboard_text"}
    asks = ("copy the first line of {source} to the clipboard", "put the first line of {source} on the clipboard")
    brief = "copy the first line of the text {source}"
    steps = ("Open {source} in Mousepad.", "Select its first line and copy it.", "Close Mousepad.")
    demand = "Office/Documentation/Writing"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = lines_of(takes["source"])[0]
        return Bound(takes=takes, gives={"clip": Resource("clipboard_text", line, [line])})

    def work(self, bound: Bound) -> Work:
        source, clip = bound.takes["source"], bound.gives["clip"]
        selected = (*open_file("mousepad", source), hand.press("ctrl+Home"), hand.press("shift+End"))
        return Work(
            moves=(*selected, hand.press("ctrl+c"), *close_window(base(source))),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            near_misses=(NearMiss(name="selected and not copied", moves=selected),),
            other_ways=(
                by_shell("by the command line", f"head -n 1 {quote_path(source)} | {CLIP}"),
                by_hand(
                    "by the menu",
                    *(*selected, hand.menu(["Edit", "Copy"]), *close_window(base(source))),
                ),
            ),
            cheats=(
                by_shell("all of it", f"{CLIP} < {quote_path(source)}"),
                by_shell("its name", f"echo {quote_path(source)} | {CLIP}"),
            ),
        )


class PasteIntoAText(Subtask):
    """What is on the clipboard becomes a text file."""

    app = "mousepad"
    takes = {"clip": "clipboard_text"}
    gives = {"text": "text_file"}
    asks = ("paste {clip} into a new text file {text}", "save {clip} as a text file {text}")
    brief = "paste {clip} into a new text file {text}"
    steps = ("Start Mousepad.", "Paste {clip}.", "Save it as {text} and close Mousepad.")
    demand = "Office/Documentation/Writing"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        path = new_path(draw, theme, "Documents", ("pasted", "kept", "scrap"), ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, takes["clip"].value.splitlines())})

    def work(self, bound: Bound) -> Work:
        text = bound.gives["text"]
        pasted = (*start_program("mousepad", "Untitled"), hand.press("ctrl+v"))
        return Work(
            moves=(*pasted, *_saved_as(text)),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="not saved", moves=pasted),),
            other_ways=(
                by_shell("by the command line", f"xclip -selection clipboard -o > {quote_path(text)}"),
                by_hand(
                    "pasted by the menu into a file that has its name",
                    *start_program(f"mousepad {quote_path(text)}", base(text)),
                    hand.menu(["Edit", "Paste"]),
                    *(hand.press("ctrl+s"), hand.await_saved(text.value), *close_window(base(text))),
                ),
            ),
            cheats=(
                by_shell("an empty file", f"touch {quote_path(text)}"),
                by_shell("other words", f"echo 'the text on the clipboard' > {quote_path(text)}"),
            ),
        )


def _join_command(sources: Sequence[Resource], text: Resource) -> str:
    return f"cat {' '.join(map(quote_path, sources))} > {quote_path(text)}"


def _saved_as(text: Resource) -> tuple[Call, ...]:
    return (hand.press("ctrl+shift+s"), *named_in_dialog("Save As", text), *close_window(base(text)))
