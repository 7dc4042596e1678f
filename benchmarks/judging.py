"""Whether whatever is left or answered comes to a verdict in time: odd ends of core's tasks, and odd answers."""

from __future__ import annotations

import io
import random
import time
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import click

from proctor.actions.action import Done
from proctor.bench.measure import Figure
from proctor.bench.terminal import print_figures, progress
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import CommandResult
from proctor.errors import ProctorError
from proctor.suites import load_suite
from proctor.tasks.call import Call, walk
from proctor.tasks.deadline import JUDGEMENT_SEC
from proctor.tasks.examine import examine, look_back
from proctor.tasks.findings import Finding
from proctor.tasks.judge import judge
from proctor.tasks.probe_context import Ending
from proctor.tasks.shelves import expect, see
from proctor.tasks.task import Task
from proctor.tasks.verdict import Verdict

GRACE_SEC = 2.0
"""Starting and ending processes, on a machine that has other things to do."""
PIECES = (
    "1", "9" * 40, "1,", "1.", "1-", "12 or 13 ", "= ", "not ", "12:30 ", "half past ", "a hundred and ", "5 March ",
    "2026-04-05 ", "€ -", "between 1 and ", "no ", "all ", "any one but ", "<b>", "</b>", "<a href='", "&amp;", "[",
    "{\"a\":", "(", "\\", "find ", " ", "\t", "\n", "\r\n", "\x00", "a", "A b ", "'", "\"", "n't ", "|", "=A1+", "@",
    "\u0315\u0300\u05b0\u0316", "\u0f73\u0315", "\uff9e\u0316", "\u202e", "\ufdfa", "\U0001f600", "\u2028", "\ud800",
    "Subject: x\r\n", "BEGIN:VEVENT\r\n", "--x\r\n", "<p><table><tr><td>", "<?xml version='1.0'?>",
    "%PDF-1.7 ", "1e999 ",
)  # fmt: skip
"""What is repeated: pieces on which patterns, parsers and numbers stumble."""
LENGTHS = (0, 1, 3, 40, 400, 4_000, 20_000)
LONG = (100_000, 312_000, 4_000_000)


@dataclass
class Outcome:
    """What came of many judgements."""

    verdicts: int = 0
    passed: int = 0
    overruns: int = 0
    """Of those, how many say that it took too long, or too much."""
    failures: list[str] = field(default_factory=list)
    """Ends without a verdict, or with a late one."""
    seconds: list[float] = field(default_factory=list)


@click.command("judging")
@click.option("--count", type=click.IntRange(min=1), default=2000, show_default=True, help="Ends, and as many answers.")
@click.option("--first", type=click.IntRange(min=0), default=0, show_default=True, help="The number of the first.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def command(count: int, first: int, as_json: bool) -> None:
    """Whether whatever an agent leaves or answers comes to a verdict in time."""
    figures: list[Figure] = []
    with progress() as say:
        # Reading the suite and starting the judge's reader is no part of the first judgement.
        judge_end(first)
        for what, judged in (("ends", judge_end), ("answers", judge_answer)):
            say(f"{count:,} {what}")
            outcome = judge_all(judged, range(first, first + count))
            figures += figures_of(what, outcome)
            for failure in outcome.failures[:20]:
                click.echo(failure, err=True)
    print_figures(figures, "proctor bench judging", as_json=as_json)


def figures_of(what: str, outcome: Outcome) -> list[Figure]:
    """Return what is told of many judgements."""
    note = f"{outcome.passed} passed, {outcome.overruns} took too much"
    return [
        Figure(
            key=f"{what}_failed",
            what=f"odd {what} without a verdict in time",
            value=len(outcome.failures),
            unit="",
            goal=0.0,
            note=note,
        ),
        Figure(
            key=f"{what}_longest_s",
            what=f"longest judgement of odd {what}",
            value=max(outcome.seconds, default=0.0),
            unit="s",
            goal=JUDGEMENT_SEC,
        ),
    ]


def judge_all(judged: Callable[[int], Verdict | Finding], numbers: Iterable[int]) -> Outcome:
    """Judge once for each number; the same number does the same."""
    outcome = Outcome()
    for number in numbers:
        began = time.monotonic()
        try:
            verdict = judged(number)
        except ProctorError as error:
            outcome.failures.append(f"{number}: {type(error).__name__}: {error.message[:300]}")
            continue
        seconds = time.monotonic() - began
        outcome.seconds.append(seconds)
        outcome.verdicts += 1
        outcome.passed += verdict.passed
        outcome.overruns += any("takes more" in said for said in verdict.feedback)
        if seconds > JUDGEMENT_SEC + GRACE_SEC:
            outcome.failures.append(f"{number}: a verdict after {seconds:.1f} s")
    return outcome


def judge_end(number: int) -> Verdict:
    """Judge a task of core over files, output and whatever else its probes meet, all of it odd."""
    chance = random.Random(number)
    task = chance.choice(_tasks())
    with OddComputer(chance) as computer:
        for path in _files(task):
            computer.write_file(path, odd_file(path, chance))
        # No computer fails here but by what is odd about it.
        return judge(task, computer, Ending(Done()), trouble=lambda _error, **_said: None)


def judge_answer(number: int) -> Finding:
    """Put an odd answer to a check; one in fifty is longer than any action lets it be."""
    chance = random.Random(number)
    check, text = chance.choice(_answers()), odd_text(chance, LONG if chance.random() < 0.02 else LENGTHS)
    return examine(check, look_back({see.answer().key: {"path": "The answer", "text": text}}))


class OddComputer(FakeComputer):
    """A computer on which every command prints something odd."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._chance = chance

    def run(self, argv: Sequence[str], **options: Any) -> CommandResult:
        """Print something odd."""
        return CommandResult(code=self._chance.choice((0, 0, 0, 1)), stdout=odd_text(self._chance, LENGTHS), stderr="")


def odd_text(chance: random.Random, lengths: Sequence[int]) -> str:
    """Return pieces that are repeated, up to a length."""
    length, text = chance.choice(lengths), ""
    while len(text) < length:
        piece = chance.choice(PIECES)
        text += piece * chance.randint(1, max(1, length // len(piece) // chance.choice((1, 1, 3, 20))))
    return text[:length]


def odd_file(path: str, chance: random.Random) -> bytes:
    """Return the content of a file that may be of the kind its name says."""
    text = odd_text(chance, LONG if chance.random() < 0.15 else LENGTHS)
    data = text.encode("utf-8", "surrogatepass")
    kind = path.rpartition(".")[2].lower()
    if kind in ("odt", "ods", "odp", "docx", "xlsx", "pptx", "epub", "zip") and chance.random() < 0.9:
        return _packed(kind, text, chance)
    if "/cur/" in path or kind in ("eml", "ics", "vcf"):
        return b"From: a@example.org\r\nTo: b@example.org\r\nSubject: " + data[:5000] + b"\r\n\r\n" + data
    if kind in ("json", "ipynb"):
        return b'{"a": ' + data + b"}"
    if kind in ("xml", "svg", "html", "dia", "xhb"):
        return b"<a><b>" + data + b"</b></a>"
    return data


def _packed(kind: str, text: str, chance: random.Random) -> bytes:
    """Return an archive with the parts that readers of such files look for."""
    said = text.replace("&", "").replace("<", "") if chance.random() < 0.7 else text
    said = "".join(letter for letter in said if letter.isprintable())
    office, words = "urn:oasis:names:tc:opendocument:xmlns:office:1.0", "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    content = (
        f'<o:document-content xmlns:o="{office}" xmlns:t="{words}"><o:body><o:text><t:p>{said}</t:p>'
        "</o:text></o:body></o:document-content>"
    )
    kinds = {"odt": "text", "ods": "spreadsheet", "odp": "presentation"}
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kinds.get(kind, 'text')}")
        for name in ("content.xml", "styles.xml", "word/document.xml", "xl/workbook.xml", "a.txt"):
            archive.writestr(name, content.encode("utf-8", "surrogatepass"))
    return held.getvalue()


@cache
def _tasks() -> list[Task]:
    return list(load_suite("core").tasks())


@cache
def _answers() -> list[Call]:
    """Return checks of every kind that an answer is put to."""
    said = see.answer()
    return [
        expect.answer_is(said, "12 cats"),
        expect.answer_number(said, 12, names=["Pier 7"], not_any_of=[13]),
        expect.answer_number(said, 0.5, tolerance=0.1),
        expect.answer_has(said, ["12:30", "5 March", "twelve"], not_any_of=["13:30"]),
        expect.answer_has(said, ["2026-04-05", "A b", "1"]),
        expect.text_is(said, "1\n2"),
        expect.text_has(said, ["A b", "12"], case=False),
        expect.text_lacks(said, ["secret"]),
        expect.text_matches(said, r"^(?:\w+ )?12 cats$"),
        expect.text_number(said, 12),
        expect.lines_are(said, ["a", "b"], ordered=False),
        expect.has_lines(said, ["a", "b"], together=True),
        expect.code_kept(said, said, besides=["f"]),
        expect.none_of([expect.answer_is(said, "no")], feedback="It says no."),
    ]


def _files(task: Task) -> list[str]:
    """Return the files that the probes of a task name, without the folders that others of them lie in."""
    given = [call.arguments.get("path") for _, call in walk(task.check) if call.kind == "probe"]
    named = {path for path in given if isinstance(path, str)}
    return sorted(path for path in named if not any(other.startswith(f"{path.rstrip('/')}/") for other in named))
