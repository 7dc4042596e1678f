"""Asks for a task: an instruction, what it begins with, and what it takes and gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proctor import taxonomy
from proctor.errors import UnknownName
from proctor.graphs.compose.resource import KINDS, is_a, kind_of
from proctor.home import HOME
from proctor.suites.lint import unknown_words
from proctor.synth.answer import refuse_where
from proctor.synth.ask import ProposalAsker, told_again
from proctor.synth.parts import ProposedTask
from proctor.synth.words import call_faults, path_faults, show_words
from proctor.tasks.provenance import NamedResource
from proctor.tasks.shelf import Problem
from proctor.tasks.words import loose

SUFFIXES = {
    "archive": (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".7z"),
    "audio": (".wav", ".mp3", ".ogg", ".flac"),
    "code_file": (".py", ".sh", ".js", ".c", ".html", ".css"),
    "database": (".db", ".sqlite", ".sqlite3"),
    "document": (".odt", ".docx"),
    "drawing": (".svg", ".dia"),
    "image": (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff"),
    "pdf": (".pdf",),
    "slides": (".odp", ".pptx"),
    "spreadsheet": (".ods", ".xlsx", ".csv"),
    "table_file": (".csv", ".tsv"),
    "video": (".mp4", ".mkv", ".webm", ".avi"),
    "web_page": (".html", ".htm"),
}
"""How files of a kind are called; others may be called anything but these."""
MOST_TOLD = 30
"""Tasks that are there already and are named in a prompt, the latest."""
_FORM = (
    '{"name": "water-the-plants", "instruction": "...", "paraphrases": ["..."], "demand": "Office/Documentation/'
    'Writing", "takes": [{"kind": "text_file", "value": "Documents/list.txt"}], "gives": [{"kind": "text_file", '
    '"value": "Documents/list.txt"}], "setup": [{"setup": "text_file", "path": "Documents/list.txt", "text": "..."}]}'
)


def propose(
    asks: ProposalAsker,
    app: str,
    outline: str,
    number: int,
    known: Sequence[str],
    last: ProposedTask | None = None,
    faults: Sequence[str] = (),
) -> ProposedTask:
    """Return a task that a model proposes on an application.

    Args:
        asks: Whom to ask.
        app: The application.
        outline: What it shows, in words.
        number: Of the proposal, so that no two requests are the same.
        known: The instructions of tasks that are there already.
        last: What it wrote before, if that failed.
        faults: What was wrong with it.
    """

    def require(proposal: ProposedTask) -> None:
        refuse_where(proposal_problems(proposal, app))

    prompt = _prompt(app, outline, number, known) + told_again(last, faults)
    return asks.ask("propose", prompt, ProposedTask, require)


def first_line(app: str) -> str:
    """Return the first line of every prompt on an application."""
    return f"The application is {app}, on a Linux desktop; the home folder is {HOME}."


def _prompt(app: str, outline: str, number: int, known: Sequence[str]) -> str:
    listed = "\n".join(f"- {each}" for each in known[-MOST_TOLD:]) or "- none yet"
    demands = "; ".join(
        f"{domain}/{scenario}/({'|'.join(names)})"
        for domain, scenarios in taxonomy.DEMANDS.items()
        for scenario, names in scenarios.items()
    )
    return (
        f"{first_line(app)}\n"
        f"Propose a task for somebody who works with it, your proposal number {number}. What the application shows:\n"
        f"{outline}\n\n"
        "The task asks for one result that can be seen afterwards in files or settings, and says everything one has to "
        "know: exact names, values and places, and that the result is to be saved. It names only what is there, and "
        "puts texts that must be exact in double quotes. It spells out no steps. It is impossible to do by accident, "
        "and not true before anybody has done anything. `setup` prepares the computer before: it makes every file that "
        "the task takes, with content of your own, and opens the application where that helps. `takes` and `gives` "
        "are what the task works on and what it leaves behind, each of a kind: "
        f"{', '.join(KINDS)}. `demand` is one of: {demands}.\n\n"
        f"Setup steps, each with an example:\n{show_words(app, 'setup')}\n\n"
        f"These tasks are there already; propose another kind of work:\n{listed}\n\n"
        f"Reply with one JSON object of this form and nothing else:\n{_FORM}\n"
        "`paraphrases` are one to four other wordings of the whole instruction.\n"
    )


def proposal_problems(proposal: ProposedTask, app: str) -> Iterator[Problem]:
    """Yield what is wrong with a proposal, as far as that can be told without a computer."""
    yield from call_faults(proposal.setup, ("setup",), app, "setup")
    yield from (Problem(("setup",), said) for said in unknown_words(list(proposal.setup)))
    parts = proposal.demand.split("/")
    if len(parts) != 3 or parts[2] not in taxonomy.DEMANDS.get(parts[0], {}).get(parts[1], ()):
        yield Problem(("demand",), f"{proposal.demand[:80]!r} is not one of the demands that were listed")
    wordings = [loose(each) for each in (proposal.instruction, *proposal.paraphrases)]
    if len(set(wordings)) < len(wordings):
        yield Problem(("paraphrases",), "two wordings are the same; write others")
    made = _files_made(proposal)
    for field, things in (("takes", proposal.takes), ("gives", proposal.gives)):
        for place, thing in enumerate(things):
            yield from _resource_problems(thing, (field, place), app)
    for place, thing in enumerate(proposal.takes):
        if _is_file(thing.kind) and not _is_made(thing.value, made):
            yield Problem(("takes", place, "value"), f"{thing.value[:80]!r} is made by no setup step; add one")


def _resource_problems(thing: NamedResource, at: tuple[str, int], app: str) -> Iterator[Problem]:
    try:
        kind = kind_of(thing.kind)
    except UnknownName as error:
        yield Problem((*at, "kind"), f"{error.message}; {error.remedy}")
        return
    if _is_file(kind.name):
        yield from path_faults(thing.value, (*at, "value"))
        meant = [name for name, ends in SUFFIXES.items() if thing.value.lower().endswith(ends)]
        wanted = SUFFIXES.get(kind.name)
        suits = kind.name in meant if wanted else kind.name == "file" or not meant or _holds(kind.name, meant)
        if not suits:
            yield Problem((*at, "value"), f"{thing.value[:80]!r} is no name of a {kind.noun}; give another kind")
    elif kind.kept and kind.name != "setting" and kind.name not in _kinds_kept_by(app):
        yield Problem((*at, "kind"), f"{app} keeps no {kind.noun}; take a kind of file, or `setting`")


def _holds(kind: str, meant: Sequence[str]) -> bool:
    return any(is_a(name, kind) for name in meant)


def _kinds_kept_by(app: str) -> set[str]:
    """Return what the subtasks on an application take and give."""
    from proctor.suites.pool import POOL  # hundreds of modules, and few proposals name such things

    own = [subtask for subtask in POOL.by_name.values() if subtask.app == app]
    return {kind for subtask in own for kind in (*subtask.takes.values(), *subtask.gives.values())}


def _is_file(kind: str) -> bool:
    return kind in KINDS and (is_a(kind, "file") or kind == "folder")


def _files_made(proposal: ProposedTask) -> set[str]:
    found = {call.arguments.get(name) for call in proposal.setup for name in ("path", "target")}
    return {path.removeprefix(f"{HOME}/") for path in found if isinstance(path, str)}


def _is_made(path: str, made: set[str]) -> bool:
    inside = path.removeprefix(f"{HOME}/").rstrip("/")
    return any(each == inside or each.startswith(f"{inside}/") for each in made)
