"""Subtasks on texts that are done with a command in LXTerminal."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from proctor.errors import SpecError
from proctor.graphs.compose.equip import text_of
from proctor.graphs.compose.resource import Resource
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.suites.parts.programs import lines_of, new_path, quote_path, start_program
from proctor.suites.parts.scripts import output_of
from proctor.suites.parts.ways import by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, see
from proctor.tasks.task import NearMiss

PROMPT = "user@"
"""What the title of the terminal begins with."""


def run_in_terminal(command: str, result: Resource) -> tuple[Call, ...]:
    """Run a command in a terminal, wait for the file that it writes, and close the terminal."""
    run = (hand.type(f"{command}\n"), hand.await_saved(result.value), hand.type("exit\n"))
    return (*start_program("lxterminal", PROMPT), *run, hand.await_window(PROMPT, gone=True))


def alphabetical(lines: Sequence[str]) -> list[str]:
    """Return lines in the only order that is alphabetical, whether or not blanks and capitals count.

    Raises:
        SpecError: It depends on that.
    """
    ordered = sorted(lines)
    letters = sorted(lines, key=lambda line: "".join(filter(str.isalnum, line.casefold())))
    if not ordered == letters == sorted(lines, key=str.casefold) or len(set(lines)) < len(lines):
        raise SpecError("there is more than one alphabetical order of the lines", remedy="give it something else")
    return ordered


class _OneText(Subtask):
    """A command makes a new text of a text."""

    app = "lxterminal"
    takes = {"source": "text_file"}
    gives = {"text": "text_file"}
    demand = "Knowledge/Skills Practice/Coding"
    version = 2
    words: tuple[str, ...]
    """For the name of the new text."""
    command: str
    wrong: str
    """A command for what is near and still wrong."""
    another: str
    """Another command that is right."""
    code: str
    """A function of Python that makes the new text of the old one."""
    lazy: tuple[str, ...]
    """Commands that only make it look as if something had been done."""

    @abstractmethod
    def lines(self, source: Resource) -> list[str]:
        """Return the lines of the new text."""

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = self.lines(takes["source"])
        path = new_path(draw, theme, "Documents", self.words, ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, lines)})

    def work(self, bound: Bound) -> Work:
        source, text = bound.takes["source"], bound.gives["text"]

        def done_by(command: str) -> tuple[Call, ...]:
            return run_in_terminal(f"{command} {quote_path(source)} > {quote_path(text)}", text)

        return Work(
            moves=done_by(self.command),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name=self.wrong, moves=done_by(self.wrong)),),
            other_ways=(
                by_shell("by another command", f"{self.another} {quote_path(source)} > {quote_path(text)}"),
                by_python("by Python", _write_code(self.code, source, text)),
            ),
            cheats=tuple(by_shell(lazy, f"{lazy} {quote_path(source)} > {quote_path(text)}") for lazy in self.lazy),
        )


def _write_code(code: str, source: Resource, target: Resource) -> str:
    """Return the code that writes what a function of Python makes of a text."""
    return (
        "import subprocess\nfrom pathlib import Path\n"
        f"Path({target.value!r}).write_text(({code})(Path({source.value!r}).read_text()))\n"
    )


class SortTheLines(_OneText):
    """The lines of a text are sorted into a new one."""

    asks = (
        "sort the lines of {source} alphabetically, character by character, into a new text file {text}",
        "write the lines of {source} into a new text file {text} in alphabetical order, character by character",
    )
    brief = "sort the lines of {source} alphabetically in {text}"
    steps = ("Open a terminal.", "Sort the lines of {source} into {text} with a command.", "Close the terminal.")
    words = ("sorted", "a-to-z", "alphabetical")
    command, wrong = "sort", "sort -r"
    another, code = "LC_ALL=C sort -f", "lambda text: '\\n'.join(sorted(text.splitlines()))"
    lazy = ("cat", "true", "head -n 2")

    def lines(self, source: Resource) -> list[str]:
        ordered = alphabetical(lines_of(source))
        if len(ordered) < 2:
            raise SpecError("there is only one line", remedy="take a longer text")
        return ordered


class ReverseTheLines(_OneText):
    """The lines of a text are written into a new one from last to first."""

    asks = (
        "save the lines of {source} in reverse order in a new text file {text}",
        "write the lines of {source} into a new text file {text}, from last to first",
    )
    brief = "reverse the order of the lines of {source} in {text}"
    steps = (
        "Open a terminal.",
        "Write the lines of {source} in reverse order into {text} with a command.",
        "Close it.",
    )
    words = ("reversed", "backwards", "upside-down")
    command, wrong = "tac", "sort -r"
    another, code = "sed '1!G;h;$!d'", "lambda text: '\\n'.join(text.splitlines()[::-1]) + '\\n'"
    lazy = ("cat", "true", "rev")

    def lines(self, source: Resource) -> list[str]:
        lines = lines_of(source)[::-1]
        if lines in (lines[::-1], sorted(lines, reverse=True)):
            raise SpecError("the lines are in order already", remedy="take another text")
        return lines


class CountTheWords(_OneText):
    """The number of words in a text is written down."""

    asks = (
        "count the words in {source} and write just the number into a new text file {text}",
        "find out how many words there are in {source} and save just that number as {text}",
    )
    brief = "save just the word count of {source} as {text}"
    steps = ("Open a terminal.", "Write the number of words in {source} into {text}.", "Close the terminal.")
    words = ("word-count", "number-of-words", "length")
    command, wrong = "wc -w <", "wc -l <"
    another, code = "awk '{n += NF} END {print n}'", "lambda text: str(len(text.split()))"
    lazy = ("seq 1 300 #", "wc", "true")

    def lines(self, source: Resource) -> list[str]:
        lines = lines_of(source)
        number = sum(len(line.split()) for line in lines)
        if number == len(lines):
            raise SpecError("there are as many words as lines", remedy="take another text")
        return [str(number)]


class CountTheLines(_OneText):
    """The number of lines in a text is written down."""

    version = 1
    asks = (
        "count the lines of {source} and write just the number into a new text file {text}",
        "find out how many lines {source} has and save just that number as {text}",
    )
    brief = "save just the number of lines of {source} as {text}"
    steps = ("Open a terminal.", "Write the number of lines of {source} into {text}.", "Close the terminal.")
    words = ("line-count", "number-of-lines", "how-many")
    command, wrong = "wc -l <", "wc -w <"
    another, code = "awk 'END {print NR}'", "lambda text: str(len(text.splitlines()))"
    lazy = ("seq 1 300 #", "wc", "true")

    def lines(self, source: Resource) -> list[str]:
        lines = lines_of(source)
        if sum(len(line.split()) for line in lines) == len(lines):
            raise SpecError("there are as many words as lines", remedy="take another text")
        return [str(len(lines))]


class KeepTheEnd(_OneText):
    """The last lines of a text are saved as a new text."""

    version = 1
    asks = (
        "save only the last three lines of {source} as a new text file {text}",
        "write the last three lines of {source} into a new text file {text}, in the same order",
    )
    brief = "save the last three lines of {source} as {text}"
    steps = ("Open a terminal.", "Write the last three lines of {source} into {text}.", "Close the terminal.")
    words = ("ending", "latest", "tail")
    command, wrong = "tail -n 3", "head -n 3"
    another = "awk '{line[NR] = $0} END {for (n = NR - 2; n <= NR; n++) print line[n]}'"
    code = "lambda text: ''.join(text.splitlines(keepends=True)[-3:])"
    lazy = ("cat", "true", "tail -n 1")

    def lines(self, source: Resource) -> list[str]:
        lines = lines_of(source)
        if len(lines) < 5 or lines[:3] == lines[-3:]:
            raise SpecError(f"{source.value} has nothing before its last three lines", remedy="take a longer text")
        return lines[-3:]


class RunAScript(_OneText):
    """The output of a script is saved as a text."""

    takes = {"source": "code_file"}
    asks = (
        "run {source} and save what it prints in a new text file {text}",
        "run {source} in a terminal and save the output as {text}",
    )
    brief = "run {source} and save the output as {text}"
    steps = ("Open a terminal.", "Run {source} with sh and send its output to {text}.", "Close the terminal.")
    words = ("output", "printed", "result")
    command, wrong = "sh", "cat"
    another, code = "bash", "lambda text: subprocess.run(['sh'], input=text, capture_output=True, text=True).stdout"
    lazy = ("grep echo", "true", "sh -n")

    def lines(self, source: Resource) -> list[str]:
        lines = output_of(lines_of(source))
        if not lines:
            raise SpecError(f"{source.value} prints nothing", remedy="give it another script")
        return lines


class FindTheLines(Subtask):
    """The lines of a text that contain a word are written into a new one."""

    app = "lxterminal"
    takes = {"source": "text_file"}
    gives = {"text": "text_file"}
    asks = (
        'write the lines of {source} that contain the word "{word}" into a new text file {text}',
        'save only the lines of {source} that contain "{word}" as {text}',
    )
    brief = 'save the lines of {source} containing "{word}" as {text}'
    steps = (
        "Open a terminal.",
        'Write the lines of {source} with "{word}" in them into {text}.',
        "Close the terminal.",
    )
    demand = "Knowledge/Knowledge/Data Retrieval"
    version = 2
    keeps = True
    """Whether the lines with the word are what is wanted, or all others."""

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        lines = lines_of(takes["source"])
        chosen = [word for word in sorted({word for line in lines for word in line.split()}) if _is_in(word, lines)]
        if not chosen:
            raise SpecError(f"no word tells some lines of {takes['source'].value} from others", remedy="take another")
        word = theme.among("word", draw, chosen)
        path = new_path(draw, theme, "Documents", ("found", "matching", "selected"), ".txt")
        text = Resource("text_file", path, [line for line in lines if (word in line) is self.keeps])
        return Bound(takes=takes, gives={"text": text}, params={"word": word})

    def work(self, bound: Bound) -> Work:
        source, text, word = bound.takes["source"], bound.gives["text"], bound.params["word"]

        def found_by(command: str) -> tuple[Call, ...]:
            return run_in_terminal(f"{command} {word} {quote_path(source)} > {quote_path(text)}", text)

        grep, other, no = ("grep", "grep -v", "") if self.keeps else ("grep -v", "grep", "!")
        return Work(
            moves=found_by(grep),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="all other lines", moves=found_by(other)),),
            other_ways=(
                by_shell("by another command", f"awk '{no}/{word}/' {quote_path(source)} > {quote_path(text)}"),
                by_python("by Python", _write_code(_lines_with(word, self.keeps), source, text)),
            ),
            cheats=(
                by_shell("all of it", f"cp {quote_path(source)} {quote_path(text)}"),
                by_shell("just the word", f"grep -o {word} {quote_path(source)} > {quote_path(text)}"),
            ),
        )


class DropTheLines(FindTheLines):
    """The lines of a text that do not contain a word are written into a new one."""

    version = 1
    asks = (
        'write the lines of {source} that do not contain the word "{word}" into a new text file {text}',
        'save only the lines of {source} without "{word}" as {text}',
    )
    brief = 'save the lines of {source} without "{word}" as {text}'
    steps = (
        "Open a terminal.",
        'Write the lines of {source} without "{word}" in them into {text}.',
        "Close the terminal.",
    )
    keeps = False


def _lines_with(word: str, kept: bool) -> str:
    """Return a function of Python that keeps or drops the lines with a word."""
    return f"lambda text: ''.join(line for line in text.splitlines(True) if ({word!r} in line) is {kept})"


def _is_in(word: str, lines: Sequence[str]) -> bool:
    """Tell whether a word is in some of the lines, however one looks for it."""
    whole = [word.casefold() in line.casefold().split() for line in lines]
    return (
        word.isalpha() and len(word) > 3 and 0 < sum(whole) < len(lines) and whole == [word in line for line in lines]
    )


class ListAFolder(Subtask):
    """The names of the files in a folder are written into a text."""

    app = "lxterminal"
    takes = {"folder": "folder"}
    gives = {"text": "text_file"}
    asks = (
        "list the names of the files in {folder} in a new text file {text}, one per line in alphabetical order",
        "write the names of the files in {folder} into a new text file {text}, alphabetically and one per line",
    )
    brief = "list the file names in {folder} alphabetically in {text}"
    steps = ("Open a terminal.", "Write the names of the files in {folder} into {text}.", "Close the terminal.")
    demand = "System/Files and Applications/Files"
    version = 2

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        content = takes["folder"].content
        if not isinstance(content, dict) or not content:
            raise SpecError(f"nobody knows what is in {takes['folder'].value}", remedy="give it another folder")
        path = new_path(draw, theme, "Documents", ("contents", "index", "files"), ".txt")
        return Bound(takes=takes, gives={"text": Resource("text_file", path, alphabetical(list(content)))})

    def work(self, bound: Bound) -> Work:
        folder, text = bound.takes["folder"], bound.gives["text"]

        def list_with(options: str) -> tuple[Call, ...]:
            return run_in_terminal(f"ls {options} {quote_path(folder)} > {quote_path(text)}", text)

        return Work(
            moves=list_with("-1"),
            check=expect.text_is(see.text(text.value), text_of(text.content)),
            near_misses=(NearMiss(name="with the file details", moves=list_with("-l")),),
            other_ways=(
                by_shell("by find", f"find {quote_path(folder)} -type f -printf '%f\\n' | sort > {quote_path(text)}"),
                by_python(
                    "by Python",
                    f"import os\nopen({text.value!r}, 'w').write('\\n'.join(sorted(os.listdir({folder.value!r}))))\n",
                ),
            ),
            cheats=(
                by_shell("in the other order", f"ls -r {quote_path(folder)} > {quote_path(text)}"),
                by_shell("what is in the files", f"cat {quote_path(folder)}/* > {quote_path(text)}"),
                by_shell("the folder above", f"ls {quote_path(folder)}/.. > {quote_path(text)}"),
            ),
        )
