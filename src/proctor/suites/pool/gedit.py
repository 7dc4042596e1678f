"""Subtasks on scripts and plain text in gedit."""

from __future__ import annotations

from collections.abc import Mapping

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
from proctor.suites.parts.scripts import NO_COMMENT, SHELL, plain
from proctor.suites.parts.ways import by_shell, to_clipboard, typed_and_copied
from proctor.suites.pool.code import SCRIPTS, printed_into, write_by_code
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

CLIPPED = "xclip -o -selection clipboard"


class AddALastLine(Subtask):
    """A copy of a text gets one more line at the end."""

    app = "gedit"
    takes = {"source": "text_file"}
    gives = {"text": "text_file"}
    asks = (
        'add the line "{line}" at the end of {source} and save that as {text}',
        'save a copy of {source} as {text} with "{line}" as one more line at the end',
    )
    brief = 'add the line "{line}" to the end of {source} as {text}'
    steps = ("Open {source} in gedit.", 'Add "{line}" as the last line.', "Save it as {text} and close gedit.")
    demand = "Office/Documentation/Writing"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = f"{draw.choice(('Signed', 'Seen by', 'Agreed with'))} {theme.person}"
        line = theme.hint("line", draw, line)
        path = new_path(draw, theme, "Documents", ("signed", "extended", "revised"), ".txt")
        text = Resource("text_file", path, [*lines_of(takes["source"]), line])
        return Bound(takes=takes, gives={"text": text}, params={"line": line})

    def work(self, bound: Bound) -> Work:
        source, text, line = bound.takes["source"], bound.gives["text"], bound.params["line"]
        shown, at_the_top = open_file("gedit", source), (hand.press("ctrl+Home"), hand.type(f"{line}\n"))
        return Work(
            # It does not show the line break at the end of a file.
            moves=(*shown, hand.press("ctrl+End"), hand.type(f"\n{line}"), *_saved_in_gedit(text)),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="at the top", moves=(*shown, *at_the_top, *_saved_in_gedit(text))),),
            other_ways=(
                by_shell("by the command line", f"(cat {quote_path(source)}; echo '{line}') > {quote_path(text)}"),
                write_by_code("by Python, without a last line break", text, "\n".join(text.content)),
            ),
            cheats=(
                by_shell("nothing but the line", f"echo '{line}' > {quote_path(text)}"),
                by_shell("on the last line", f"sed '$s/$/ {line}/' {quote_path(source)} > {quote_path(text)}"),
                by_shell(
                    "in the original too",
                    f"echo '{line}' >> {quote_path(source)}",
                    f"cp {quote_path(source)} {quote_path(text)}",
                ),
            ),
        )


class TurnATextIntoAScript(Subtask):
    """A text becomes a script that prints it."""

    app = "gedit"
    takes = {"source": "text_file"}
    gives = {"script": "code_file"}
    asks = (
        "turn {source} into a script {script}, with the lines #!/bin/sh and cat <<END above the text and the "
        "line END below",
        "make a script {script} that prints {source}, with #!/bin/sh and cat <<END on two lines above the text "
        "and END on a line below",
    )
    brief = "make a script {script} of #!/bin/sh, cat <<END, the lines of {source} and END"
    steps = (
        "Open {source} in gedit.",
        "Put the lines #!/bin/sh and cat <<END above the text and END below it.",
        "Save it as {script} and close gedit.",
    )
    demand = "Knowledge/Skills Practice/Coding"
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = plain(lines_of(takes["source"]))
        path = new_path(draw, theme, "Documents", SCRIPTS, ".sh")
        return Bound(takes=takes, gives={"script": Resource("code_file", path, [SHELL, "cat <<END", *lines, "END"])})

    def work(self, bound: Bound) -> Work:
        source, script = bound.takes["source"], bound.gives["script"]
        above = (hand.press("ctrl+Home"), hand.type(f"{SHELL}\ncat <<END\n"))
        below = (hand.press("ctrl+End"), hand.type("\nEND"))
        return Work(
            moves=(*open_file("gedit", source), *above, *below, *_saved_in_gedit(script)),
            check=expect.script_is(see.text(script.value), script.content),
            may_differ=NO_COMMENT,
            near_misses=(
                NearMiss(
                    name="without the last line", moves=(*open_file("gedit", source), *above, *_saved_in_gedit(script))
                ),
            ),
            other_ways=(
                write_by_code("by Python", script, text_of(script.content)),
                by_shell(
                    "by the command line",
                    f"(echo '{SHELL}'; echo 'cat <<END'; cat {quote_path(source)}; echo END) > {quote_path(script)}",
                ),
            ),
            cheats=(
                by_shell(
                    "a script that looks into the text", printed_into(script, [SHELL, f"cat {quote_path(source)}"])
                ),
                by_shell("only the frame", printed_into(script, [SHELL, "cat <<END", "END"])),
                write_by_code("with line ends that no shell takes", script, "\r\n".join(script.content)),
                by_shell("copied as it is", f"cp {quote_path(source)} {quote_path(script)}"),
            ),
        )


class CopyTheLastLine(Subtask):
    """The last line of a text is copied to the clipboard."""

    app = "gedit"
    takes = {"source": "text_file"}
    gives = {"clip": "clipboard_text"}
    asks = ("copy the last line of {source} to the clipboard", "put the last line of {source} on the clipboard")
    brief = "copy the last line of {source}"
    steps = ("Open {source} in gedit.", "Select its last line and copy it.", "Close gedit.")
    demand = "Office/Documentation/Writing"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        line = lines_of(takes["source"])[-1]
        return Bound(takes=takes, gives={"clip": Resource("clipboard_text", line, [line])})

    def work(self, bound: Bound) -> Work:
        source, clip = bound.takes["source"], bound.gives["clip"]
        selected = (*open_file("gedit", source), hand.press("ctrl+End"), hand.press("shift+Home"))
        return Work(
            moves=(*selected, hand.press("ctrl+c"), *close_window(base(source))),
            check=expect.clipboard_is(see.clipboard(), clip.value),
            near_misses=(NearMiss(name="selected and not copied", moves=selected),),
            other_ways=(
                to_clipboard("by the command line", f"tail -n 1 {quote_path(source)}"),
                typed_and_copied("typed into another editor", clip.value),
            ),
            cheats=(
                to_clipboard("all of it", f"cat {quote_path(source)}"),
                to_clipboard("the first line", f"head -n 1 {quote_path(source)}"),
            ),
        )


class PasteIntoAScript(Subtask):
    """A script prints what is on the clipboard."""

    app = "gedit"
    takes = {"clip": "clipboard_text"}
    gives = {"script": "code_file"}
    asks = (
        "make a script {script} with two lines, #!/bin/sh and the word echo followed by {clip} in double quotes",
        "paste {clip} into a new script {script}, in double quotes after the word echo on the line below #!/bin/sh",
    )
    brief = "paste {clip} into a new script {script}, in double quotes after echo on the line below #!/bin/sh"
    steps = (
        'Start gedit, type #!/bin/sh and, on the line below, echo "".',
        "Paste {clip} between the quotes.",
        "Save it as {script} and close gedit.",
    )
    demand = "Knowledge/Skills Practice/Coding"
    version = 3

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = plain(takes["clip"].value.splitlines())
        if len(lines) != 1:
            raise SpecError("there is more than one line on the clipboard", remedy="copy a single line")
        path = new_path(draw, theme, "Documents", SCRIPTS, ".sh")
        return Bound(takes=takes, gives={"script": Resource("code_file", path, [SHELL, f'echo "{lines[0]}"'])})

    def work(self, bound: Bound) -> Work:
        script = bound.gives["script"]
        begun = (*start_program("gedit", "Untitled Document"), hand.type(f'{SHELL}\necho "'))
        return Work(
            # It ends the last line by itself; one more would be an empty line.
            moves=(*begun, hand.press("ctrl+v"), hand.type('"'), *_saved_in_gedit(script)),
            check=expect.script_is(see.text(script.value), script.content),
            may_differ=NO_COMMENT,
            near_misses=(NearMiss(name="nothing pasted", moves=(*begun, hand.type('"'), *_saved_in_gedit(script))),),
            other_ways=(
                write_by_code("by Python", script, text_of(script.content)),
                by_shell(
                    "by the command line",
                    f'(echo \'{SHELL}\'; echo "echo \\"$({CLIPPED})\\"") > {quote_path(script)}',
                ),
            ),
            cheats=(
                by_shell("a script that looks at the clipboard", printed_into(script, [SHELL, f'echo "$({CLIPPED})"'])),
                by_shell("nothing to print", printed_into(script, [SHELL, 'echo ""'])),
            ),
        )


def _saved_in_gedit(resource: Resource) -> tuple[Call, ...]:
    return (hand.press("ctrl+shift+s"), *named_in_dialog("/^Save As$/", resource), *close_window(base(resource)))
