"""Proposals as a model might make them, with what must become of each: the good ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Calls = list[dict[str, Any]]
SAVE = {"move": "press", "keys": "ctrl+s"}
TOP, END = {"move": "press", "keys": "ctrl+Home"}, {"move": "press", "keys": "ctrl+End"}
TEXT = "Office/Documentation/Writing"
FILES = "System/Files and Applications/Files"
STEPS = ("propose", "verdict", "moves", "route", "foreign")


@dataclass(frozen=True, kw_only=True)
class Case:
    """One proposal: what is answered to each asking in turn, and what must become of it."""

    name: str
    kind: str
    """`good`, or what is wrong with it."""
    app: str = "mousepad"
    answers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By step; the last answer is given again for ever."""
    at: frozenset[str] = frozenset()
    """The steps at which it may fail; none for what must be accepted."""
    computer: bool = True
    """Whether it takes a computer to tell."""

    @property
    def good(self) -> bool:
        """Whether it must be accepted."""
        return not self.at

    def but(self, name: str, kind: str, *at: str, computer: bool = True, **changed: Any) -> Case:
        """Return the same with other answers, which must fail at one of some steps."""
        answers = {**self.answers, **{step: _texts(answer) for step, answer in changed.items()}}
        return replace(self, name=name, kind=kind, answers=answers, at=frozenset(at), computer=computer)

    def first(self, step: str, *wrong: Any) -> Case:
        """Return the same with answers to a step that are wrong before the right one comes."""
        return replace(self, answers={**self.answers, step: [*_texts(tuple(wrong)), *self.answers[step]]})

    def said(self, step: str) -> Any:
        """Return what is answered at last to a step, as data."""
        return json.loads(self.answers[step][-1])


def _texts(answer: Any) -> Sequence[str]:
    if isinstance(answer, tuple):
        return [each if isinstance(each, str) else json.dumps(each) for each in answer]
    return [answer if isinstance(answer, str) else json.dumps(answer)]


def typed(text: str) -> dict[str, Any]:
    return {"move": "type", "text": text}


def press(keys: str, times: int = 1) -> dict[str, Any]:
    return {"move": "press", "keys": keys, "times": times}


def shell(code: str) -> dict[str, Any]:
    return {"move": "run_code", "code": code}


def near(**misses: Calls) -> dict[str, Any]:
    return {"near_misses": [{"name": name.replace("_", " "), "moves": moves} for name, moves in misses.items()]}


def probe(name: str, path: str) -> dict[str, Any]:
    return {"probe": name, "path": path}


def every(*checks: dict[str, Any]) -> dict[str, Any]:
    return {"check": "all_of", "of": list(checks)}


def text_is(path: str, text: str) -> dict[str, Any]:
    return {"check": "text_is", "of": probe("text", path), "text": text}


def opened(path: str, made: dict[str, Any]) -> Calls:
    return [{**made, "path": path}, {"setup": "launch", "argv": ["mousepad", path], "window": path.rpartition("/")[2]}]


def proposal(
    name: str, instruction: str, setup: Calls, takes: Sequence[str], gives: Sequence[str], kind: str, demand: str
) -> dict[str, Any]:
    return {
        "name": name,
        "instruction": instruction,
        "paraphrases": [f"Could you do this for me? {instruction}"],
        "demand": demand,
        "takes": [{"kind": kind, "value": path} for path in takes],
        "gives": [{"kind": kind, "value": path} for path in gives],
        "setup": setup,
    }


def good(
    name: str,
    asked: dict[str, Any],
    check: dict[str, Any],
    expected: Sequence[str],
    moves: Calls,
    route: Calls,
    misses: dict[str, Any],
    app: str = "mousepad",
) -> Case:
    parts = {
        "propose": asked,
        "verdict": {"check": check, "expected": list(expected)},
        "moves": {"moves": moves},
        "route": {"moves": route},
        "foreign": misses,
    }
    return Case(name=name, kind="good", app=app, answers={step: _texts(part) for step, part in parts.items()})


# -- texts in an editor -------------------------------------------------------------------------------------------

LISTS = (
    ("shopping", ("milk", "bread", "butter"), "eggs"),
    ("guests", ("Amira", "Boris", "Celia"), "Dunja"),
    ("tools", ("hammer", "pliers"), "spirit level"),
    ("chores", ("sweep the hall", "water the ferns", "take out the glass"), "feed the cat"),
    ("songs", ("Blue Lantern", "Old Harbour"), "Seven Bridges"),
    ("seeds", ("radish", "chard", "dill"), "fennel"),
    ("errands", ("post office", "bakery"), "dry cleaner"),
    ("plants", ("basil", "mint", "sage", "thyme"), "oregano"),
)


def appended(name: str, lines: Sequence[str], line: str, route: bool) -> Case:
    path, text = f"Documents/{name}.txt", "\n".join(lines) + "\n"
    asked = f'Add "{line}" as a new last line to {name}.txt, which is open, and save it. Nothing else may change.'
    return good(
        f"append-to-{name}",
        proposal(f"append-to-{name}", asked, opened(path, {"setup": "text_file", "text": text}), [path], [path],
                 "text_file", TEXT),
        text_is(path, f"{text}{line}\n"),
        [path],
        [END, typed(line), SAVE],
        [shell(f"echo '{line}' >> {path}")] if route else [press("ctrl+a"), typed(f"{text}{line}"), SAVE],
        near(not_saved=[END, typed(line)], at_the_top=[TOP, typed(f"{line}\n"), SAVE]),
    )  # fmt: skip


def inserted(name: str, lines: Sequence[str], line: str, route: bool) -> Case:
    path, text = f"Documents/{name}-notes.txt", "\n".join(lines) + "\n"
    asked = f'Put "{line}" as a new first line into {name}-notes.txt, which is open, and save the file.'
    return good(
        f"first-line-of-{name}",
        proposal(f"first-line-of-{name}", asked, opened(path, {"setup": "text_file", "text": text}), [path], [path],
                 "text_file", TEXT),
        text_is(path, f"{line}\n{text}"),
        [path],
        [TOP, typed(f"{line}\n"), SAVE],
        [shell(f"sed -i '1i {line}' {path}")] if route else [press("ctrl+a"), typed(f"{line}\n{text[:-1]}"), SAVE],
        near(
            not_saved=[TOP, typed(f"{line}\n")],
            at_the_end=[END, typed(line), SAVE],
            run_together=[TOP, typed(line), SAVE],
        ),
    )  # fmt: skip


def replaced(name: str, lines: Sequence[str], line: str, route: bool) -> Case:
    path, text = f"Documents/{name}-plan.txt", "\n".join(lines) + "\n"
    after = "\n".join([lines[0], line, *lines[2:]]) + "\n"
    asked = (
        f'In the open {name}-plan.txt, line 2 is "{lines[1]}"; it should be "{line}" instead. Correct it, leave the '
        "other lines as they are, and save."
    )
    second = [TOP, press("Down"), press("Home"), press("shift+End")]
    return good(
        f"second-line-of-{name}",
        proposal(f"second-line-of-{name}", asked, opened(path, {"setup": "text_file", "text": text}), [path], [path],
                 "text_file", TEXT),
        text_is(path, after),
        [path],
        [*second, typed(line), SAVE],
        [shell(f"sed -i '2s/.*/{line}/' {path}")] if route else [press("ctrl+a"), typed(after[:-1]), SAVE],
        near(
            not_saved=[*second, typed(line)],
            first_line=[TOP, press("Home"), press("shift+End"), typed(line), SAVE],
            added_instead=[TOP, press("Down"), press("Home"), typed(f"{line}\n"), SAVE],
        ),
    )  # fmt: skip


def row_added(name: str, head: Sequence[str], rows: Sequence[Sequence[str]], row: Sequence[str], route: bool) -> Case:
    path = f"Documents/{name}.csv"
    line = ",".join(row)
    whole = [list(head), *map(list, rows), list(row)]
    text = "".join(",".join(each) + "\n" for each in whole)
    asked = (
        f'The table {name}.csv is open as plain text. Add the row "{line}" at its end, as a line of its own, '
        "and save the file."
    )
    return good(
        f"row-for-{name}",
        proposal(f"row-for-{name}", asked, opened(path, {"setup": "csv_file", "rows": whole[:-1]}), [path], [path],
                 "table_file", "Office/Data/Tabling"),
        {"check": "csv_rows", "of": probe("csv", path), "rows": whole},
        [path],
        [END, typed(line), SAVE],
        [shell(f"echo '{line}' >> {path}")] if route else [press("ctrl+a"), typed(text[:-1]), SAVE],
        near(
            not_saved=[END, typed(line)],
            a_cell_short=[END, typed(",".join(row[:-1])), SAVE],
            above_the_head=[TOP, typed(f"{line}\n"), SAVE],
        ),
    )  # fmt: skip


TABLES = (
    ("shifts", ("Day", "Who"), (("Mon", "Ida"), ("Tue", "Paul")), ("Wed", "Noor")),
    ("loans", ("Book", "Reader", "Due"), (("Atlas", "Kim", "3 May"),), ("Fables", "Lou", "9 May")),
    ("stock", ("Item", "Count"), (("rope", "4"), ("lamp", "2")), ("chain", "7")),
    ("scores", ("Team", "Points"), (("Otters", "12"), ("Herons", "9")), ("Badgers", "11")),
    ("rooms", ("Room", "Seats"), (("Garden", "20"),), ("Attic", "8")),
)


# -- files and folders in a terminal ------------------------------------------------------------------------------


def in_terminal(name: str, asked: str, files: Mapping[str, str], **parts: Any) -> Case:
    setup: Calls = [{"setup": "text_file", "path": path, "text": text} for path, text in files.items()]
    setup += [{"setup": "folder", "path": path} for path in parts.get("folders", ())] + [{"setup": "terminal"}]
    told = proposal(name, asked, setup, list(files), parts["gives"], parts.get("kind", "text_file"), FILES)
    told["takes"] = [{"kind": "text_file", "value": path} for path in files]
    return good(
        name, told, parts["check"], parts["expected"], [typed(f"{parts['command']}\n")], [shell(parts["route"])],
        near(**{key: [typed(f"{command}\n")] for key, command in parts["misses"].items()}), app="lxterminal",
    )  # fmt: skip


def moved(name: str, old: str, new: str, text: str) -> Case:
    return in_terminal(
        f"rename-{name}",
        f'Rename the file {old} to "{new}"; it stays as it is otherwise. A terminal is open.',
        {old: text},
        gives=[new],
        check=every(
            text_is(new, text),
            {"check": "nothing_there", "of": probe("file", old)},
        ),
        expected=[old, new],
        command=f"mv {old} {new}",
        route=f"cp -p {old} {new} && rm {old}",
        misses={"copied instead": f"cp {old} {new}", "slip in the name": f"mv {old} {new}x"},
    )


def copied(name: str, old: str, new: str, text: str) -> Case:
    return in_terminal(
        f"copy-{name}",
        f'Make a copy of {old} that is called "{new}", and leave the original where it is. A terminal is open.',
        {old: text},
        gives=[new],
        check=every(text_is(new, text), text_is(old, text)),
        expected=[new],
        command=f"cp {old} {new}",
        route=f"cat {old} > {new}",
        misses={"moved instead": f"mv {old} {new}", "made empty": f"touch {new}"},
    )


def removed(name: str, path: str, kept: str) -> Case:
    return in_terminal(
        f"remove-{name}",
        f"Delete the file {path}, and nothing else: {kept} is still needed. A terminal is open.",
        {path: f"old {name}\n", kept: f"new {name}\n"},
        gives=[path],
        check=every({"check": "nothing_there", "of": probe("file", path)}, text_is(kept, f"new {name}\n")),
        expected=[path],
        command=f"rm {path}",
        route=f"python3 -c 'import os; os.remove(\"{path}\")'",
        misses={"the other one": f"rm {kept}", "both": f"rm {path} {kept}", "emptied": f"truncate -s 0 {path}"},
    )


def packed(name: str, files: Mapping[str, str]) -> Case:
    archive = f"Documents/{name}.tar.gz"
    names = " ".join(path.rpartition("/")[2] for path in files)
    inner = {path.rpartition("/")[2]: text for path, text in files.items()}
    return in_terminal(
        f"pack-{name}",
        f'Pack the files {" and ".join(files)} into the archive "{archive}", at its top level and without folders; '
        "the files stay where they are. A terminal is open.",
        files,
        gives=[archive],
        kind="archive",
        check={"check": "archive_holds", "of": probe("archive", archive), "files": inner},
        expected=[archive],
        command=f"tar -C Documents -czf {archive} {names}",
        route=f'cd Documents && python3 -c \'import tarfile, sys; t = tarfile.open("{name}.tar.gz", "w:gz"); '
        f"[t.add(n) for n in sys.argv[1:]]; t.close()' {names}",
        misses={
            "with the folder": f"tar -czf {archive} {' '.join(files)}",
            "one left out": f"tar -C Documents -czf {archive} {names.split()[0]}",
        },
    )


def good_cases(*, sandbox: bool) -> list[Case]:
    """Return the good proposals; on a fake computer nothing runs code, and there is no terminal."""
    found = [appended(name, lines, line, sandbox) for name, lines, line in LISTS]
    found += [inserted(name, lines, line, sandbox) for name, lines, line in LISTS[:6]]
    found += [replaced(name, lines, line, sandbox) for name, lines, line in LISTS[:6]]
    found += [row_added(name, head, rows, row, sandbox) for name, head, rows, row in TABLES]
    if sandbox:
        found += terminal_cases()
    return [*found, *repaired(found)]


def terminal_cases() -> list[Case]:
    return [
        moved("minutes", "Documents/minutes.txt", "Documents/minutes-march.txt", "Present: all\n"),
        moved("report", "Documents/report.txt", "Documents/report-final.txt", "All is well.\n"),
        moved("poem", "Music/poem.txt", "Music/song.txt", "Row, row\n"),
        copied("letter", "Documents/letter.txt", "Documents/letter-copy.txt", "Dear Ann\n"),
        copied("recipe", "Documents/soup.txt", "Public/soup.txt", "Leeks and stock\n"),
        copied("rules", "Documents/rules.txt", "Documents/rules-2026.txt", "No running\n"),
        removed("draft", "Documents/draft.txt", "Documents/final.txt"),
        removed("log", "Documents/old.log", "Documents/new.log"),
        packed("papers", {"Documents/rent.txt": "410\n", "Documents/power.txt": "62\n"}),
        packed("trip", {"Documents/route.txt": "north\n", "Documents/packing.txt": "boots\n"}),
    ]


def repaired(found: Sequence[Case]) -> list[Case]:
    """Return good proposals of which one part is wrong at first, and right once that was told."""
    texts = [renamed(case, f"mended-{number}") for number, case in enumerate(found[:7], 1)]
    prose = "Certainly! Here is a task that I would propose."
    weak = {"check": {"check": "file_exists", "of": probe("file", _path(texts[2]))}, "expected": [_path(texts[2])]}
    unsaved = {"moves": texts[3].said("moves")["moves"][:-1]}
    missing = {"moves": [{"move": "press", "keys": "ctrl+Sp"}]}
    bad_path = {**texts[5].said("verdict"), "expected": ["/etc/hosts"]}
    same = {"near_misses": [{"name": "the same", "moves": texts[6].said("moves")["moves"]}] * 2}
    return [
        texts[0].first("propose", prose),
        texts[1].first("propose", f"```json\n{texts[1].answers['propose'][-1][:-9]}\n```", prose),
        texts[2].first("verdict", weak),
        texts[3].first("moves", unsaved),
        texts[4].first("route", missing),
        texts[5].first("verdict", bad_path),
        texts[6].first("foreign", same),
    ]


def _path(case: Case) -> str:
    return str(case.said("propose")["gives"][0]["value"])


def renamed(case: Case, name: str) -> Case:
    """Return a case on another file, so that it is another task."""
    path = _path(case)
    other = f"Documents/{name}.{path.rpartition('.')[2]}"
    old, new = path.rpartition("/")[2], other.rpartition("/")[2]
    answers = {
        step: [text.replace(path, other).replace(old, new).replace(case.name, name) for text in texts]
        for step, texts in case.answers.items()
    }
    return replace(case, name=name, answers=answers)
