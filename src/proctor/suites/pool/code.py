"""Subtasks on scripts and plain text in Geany."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.equip import text_of
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import (
    close_window,
    lines_of,
    named_in_dialog,
    new_path,
    open_file,
    quote_path,
)
from proctor.suites.parts.scripts import NO_COMMENT, SHELL
from proctor.suites.parts.ways import by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss, Way

GEANY = "/ - Geany$/"
"""The end of its title once a file is open; it shortens the names of files."""
SCRIPTS = ("script", "printout", "notice")


class WriteAScript(Subtask):
    """A script is written that prints a line."""

    app = "geany"
    gives = {"script": "code_file"}
    asks = (
        'write a shell script {script} with two lines, #!/bin/sh and echo "{line}"',
        'make a script {script} that starts with #!/bin/sh and has echo "{line}" as its only other line',
    )
    brief = 'write a script {script} of two lines, #!/bin/sh and echo "{line}"'
    steps = (
        "Open the new file {script} in Geany.",
        'Type #!/bin/sh and, on the line below, echo "{line}".',
        "Save and close it.",
    )
    demand = "Knowledge/Skills Practice/Coding"
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = theme.remark(draw, ("Doors open at {time} in {place}", "Breakfast at {time}", "Welcome in {place}"))
        path = new_path(draw, theme, "Documents", SCRIPTS, ".sh")
        script = Resource("code_file", path, [SHELL, f'echo "{line}"'])
        return Bound(gives={"script": script}, params={"line": line})

    def work(self, bound: Bound) -> Work:
        script = bound.gives["script"]
        typed = (*open_file("geany", script, GEANY), hand.type(text_of(script.content)))
        saved = (hand.press("ctrl+s"), hand.await_saved(script.value))
        return Work(
            moves=(*typed, *saved, *close_window("Geany")),
            check=expect.script_is(see.text(script.value), script.content),
            may_differ=NO_COMMENT,
            near_misses=(NearMiss(name="not saved", moves=typed),),
            other_ways=(
                write_by_code("by Python, with an empty line between", script, "\n\n".join(script.content)),
                by_shell(
                    "by the shell, ready to be run",
                    printed_into(script, script.content),
                    f"chmod +x {quote_path(script)}",
                ),
            ),
            cheats=(
                by_shell("run instead of written", f"{script.content[1]} > {quote_path(script)}"),
                by_shell("for another shell", printed_into(script, ["#!/bin/bash", script.content[1]])),
                by_shell("without its first line", printed_into(script, script.content[1:])),
                write_by_code("with line ends that no shell takes", script, "\r\n".join(script.content)),
            ),
        )


class SignAScript(Subtask):
    """A copy of a script gets a comment that says whose it is."""

    app = "geany"
    takes = {"source": "code_file"}
    gives = {"script": "code_file"}
    asks = (
        'save a copy of {source} as {script} with the comment "{comment}" as its second line',
        'insert "{comment}" as the second line in a copy of {source} and save that as {script}',
    )
    brief = 'insert "{comment}" as line 2 of {source} and save that as {script}'
    steps = (
        "Open {source} in Geany.",
        'Insert "{comment}" as the second line.',
        "Save it as {script} and close Geany.",
    )
    demand = "Knowledge/Skills Practice/Coding"
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        first, *others = lines_of(takes["source"])
        comment = f"# Checked by {theme.person}"
        path = new_path(draw, theme, "Documents", ("checked", "reviewed", "approved"), ".sh")
        script = Resource("code_file", path, [first, comment, *others])
        return Bound(takes=takes, gives={"script": script}, params={"comment": comment})

    def work(self, bound: Bound) -> Work:
        source, script, comment = bound.takes["source"], bound.gives["script"], bound.params["comment"]

        def insert_on_top(text: str) -> tuple[Call, ...]:
            return (*open_file("geany", source, GEANY), hand.press("ctrl+Home"), hand.press("End"), hand.type(text))

        return Work(
            moves=(*insert_on_top(f"\n{comment}"), *_saved_in_geany(script)),
            check=expect.script_is(see.text(script.value), script.content),
            may_differ=NO_COMMENT,
            near_misses=(
                NearMiss(
                    name="no comment", moves=(*insert_on_top(f"\n{comment.strip('# ')}"), *_saved_in_geany(script))
                ),
            ),
            other_ways=(
                by_shell("by the command line", f"sed '1a {comment}' {quote_path(source)} > {quote_path(script)}"),
                write_by_code("by Python", script, text_of(script.content)),
            ),
            cheats=(
                by_shell("at the end", f"(cat {quote_path(source)}; echo '{comment}') > {quote_path(script)}"),
                by_shell("nothing else left", printed_into(script, script.content[:2])),
                by_shell(
                    "in the original",
                    f"sed -i '1a {comment}' {quote_path(source)}",
                    f"cp {quote_path(source)} {quote_path(script)}",
                ),
            ),
        )


class CapitalizeAText(Subtask):
    """A copy of a text is in capital letters."""

    app = "geany"
    takes = {"source": "text_file"}
    gives = {"text": "text_file"}
    asks = (
        "save a copy of {source} as {text}, all in capital letters",
        "change all the letters in {source} to capitals and save that as {text}",
    )
    brief = "save {source} in capitals as {text}"
    steps = (
        "Open {source} in Geany.",
        "Select everything and change the case until all the letters are capitals.",
        "Save it as {text} and close Geany.",
    )
    demand = "Office/Documentation/Writing"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = lines_of(takes["source"])
        capitals = [line.upper() for line in lines]
        if all(line == line.upper() or line == line.lower() for line in ["".join(lines)]):
            raise SpecError("all letters are of one case", remedy="take a text with small and capital letters")
        path = new_path(draw, theme, "Documents", ("capitals", "large", "loud"), ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, capitals)})

    def work(self, bound: Bound) -> Work:
        source, text = bound.takes["source"], bound.gives["text"]

        def toggle_comments(times: int) -> tuple[Call, ...]:
            # Mixed letters become small ones first.
            keys = (hand.press("ctrl+a"), hand.press("ctrl+alt+u", times=times))
            return (*open_file("geany", source, GEANY), *keys, *_saved_in_geany(text))

        return Work(
            moves=toggle_comments(2),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="lower case", moves=toggle_comments(1)),),
            other_ways=(
                by_shell("by the command line", f"perl -CSD -ne 'print uc' {quote_path(source)} > {quote_path(text)}"),
                by_python("by Python", f"open({text.value!r}, 'w').write(open({source.value!r}).read().upper())\n"),
            ),
            cheats=(
                by_shell(
                    "only the first letter of each word",
                    f"sed 's/\\b./\\u&/g' {quote_path(source)} > {quote_path(text)}",
                ),
                by_shell("only the first line", f"sed '1s/.*/\\U&/' {quote_path(source)} > {quote_path(text)}"),
                by_shell("copied as it is", f"cp {quote_path(source)} {quote_path(text)}"),
            ),
        )


def printed_into(file: Resource, lines: Sequence[str]) -> str:
    """Return the command that writes lines into a file."""
    return f"printf '%s\\n' {shlex.join(lines)} > {quote_path(file)}"


def write_by_code(name: str, file: Resource, text: str) -> Way:
    """Return a way that writes a text into a file by Python."""
    return by_python(name, f"open({file.value!r}, 'w').write({text!r})\n")


def _saved_in_geany(resource: Resource) -> tuple[Call, ...]:
    return (
        hand.menu(["File", "Save As..."], app="geany"),
        *named_in_dialog("/^Save File$/", resource),
        *close_window("Geany"),
    )
