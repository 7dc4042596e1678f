"""Asks for the check of a task; its writer sees the words and the start, and never a key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proctor.suites.lint import unknown_words
from proctor.synth.answer import refuse_where
from proctor.synth.ask import ProposalAsker, told_again
from proctor.synth.key import words_and_start
from proctor.synth.parts import ProposedTask, WrittenVerdict
from proctor.synth.propose import first_line
from proctor.synth.words import call_faults, path_faults, show_words
from proctor.tasks.call import walk
from proctor.tasks.shelf import Problem

_FORM = (
    '{"check": {"check": "all_of", "of": [{"check": "text_is", "of": {"probe": "text", "path": "Documents/list.txt"}, '
    '"text": "..."}]}, "expected": ["Documents/list.txt"]}'
)


def write_verdict(
    asks: ProposalAsker,
    app: str,
    proposal: ProposedTask,
    last: WrittenVerdict | None = None,
    faults: Sequence[str] = (),
) -> WrittenVerdict:
    """Return how the result of a task is judged, by somebody who sees the words and the start alone."""

    def require(verdict: WrittenVerdict) -> None:
        refuse_where(verdict_problems(verdict, app))

    prompt = (
        f"{first_line(app)}\n{words_and_start(proposal)}\n\n"
        "Write the check that says whether the task was done, by the state of the computer at the end, however it was "
        "done. It must be false at the start, true whenever everything is done that was asked, and false where "
        "anything of it is missing, done to the wrong thing, or not saved, and where content that was to stay is lost: "
        "judge the whole of a file that is changed. `expected` names the files that the task changes, makes or "
        "removes, and no others; a folder of new files may end in /*.\n\n"
        f"Checks, each with an example:\n{show_words(app, 'check')}\n\n"
        f"Probes, which checks look through:\n{show_words(app, 'probe')}\n\n"
        f"Reply with one JSON object of this form and nothing else:\n{_FORM}\n"
    )
    return asks.ask("verdict", prompt + told_again(last, faults), WrittenVerdict, require)


def verdict_problems(verdict: WrittenVerdict, app: str) -> Iterator[Problem]:
    """Yield what is wrong with a check, as far as that can be told without a computer."""
    yield from call_faults(verdict.check, ("check",), app, "check")
    yield from (Problem(("check",), said) for said in unknown_words([verdict.check]))
    if not any(call.kind == "probe" for _, call in walk(verdict.check)):
        yield Problem(("check",), "it looks at nothing; give it a probe")
    for place, path in enumerate(verdict.expected):
        yield from path_faults(path, ("expected", place))
        if "**" in path or path.split("/")[0].startswith("*"):
            yield Problem(("expected", place), f"{path[:80]!r} covers everything; name the files")
