"""Proposals with every kind of defect, none of which may become a task."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.synth.cases import SAVE, TOP, Case, every, good_cases, near, probe, renamed, shell, text_is, typed

FORM = "form"
_NEIGHBOUR = {"setup": "text_file", "path": "Documents/neighbour.txt", "text": "leave me\n"}


def defective_cases(*, sandbox: bool) -> list[Case]:
    """Return the defective proposals, made of good ones that are not proposed themselves."""
    bases = [case for case in good_cases(sandbox=sandbox) if _is_text(case)]
    makers = (
        *_TRUE_AT_THE_START, *_KEYS_THAT_MISS, *_OWN_KEY_ONLY, *_LETS_FOREIGN_PASS, *_NAMES_NOTHING, *_RESOURCES,
        *_HOSTILE, *_NOT_THE_FORM, *_UNPROVABLE, *_EFFECTS, *_CANNOT_BE_DONE,
    )  # fmt: skip
    appended = [case for case in bases if case.name.startswith("append")]
    found = []
    for number, make in enumerate(makers):
        # What lets a line stand anywhere is wrong where it is to stand at the end.
        of = appended if make in _LETS_FOREIGN_PASS else bases
        found.append(make(renamed(of[number % len(of)], f"defect-{number}")))
    return [*found, *duplicates(bases)]


def _is_text(case: Case) -> bool:
    return case.app == "mousepad" and case.name.startswith(("append", "second", "first"))


def path_of(case: Case) -> str:
    return str(case.said("propose")["gives"][0]["value"])


def changed(case: Case, step: str, change: Callable[[Any], object]) -> Any:
    """Return an answer of a case, changed."""
    said = copy.deepcopy(case.said(step))
    change(said)
    return said


def start_text(case: Case) -> str:
    return str(case.said("propose")["setup"][0]["text"])


def end_text(case: Case) -> str:
    return str(case.said("verdict")["check"]["text"])


def judged(case: Case, *checks: dict[str, Any], expected: Sequence[str] | None = None) -> dict[str, Any]:
    return {"check": every(*checks), "expected": list(expected or [path_of(case)])}


def _look(case: Case, name: str, **rest: Any) -> dict[str, Any]:
    of = "file" if name in ("file_exists", "nothing_there") else "text"
    return {"check": name, "of": probe(of, path_of(case)), **rest}


def _start(name: str, verdict: Callable[[Case], Any]) -> Callable[[Case], Case]:
    return lambda case: case.but(f"{case.name}-{name}", "verdict true at the start", "start", verdict=verdict(case))


def _or(other: Callable[[Case], dict[str, Any]]) -> Callable[[Case], Any]:
    """Return a check that is content with the right end, and with something that was true before."""
    return lambda case: {
        "check": {"check": "any_of", "of": [text_is(path_of(case), end_text(case)), other(case)]},
        "expected": [path_of(case)],
    }


_TRUE_AT_THE_START = (
    _start("exists", _or(lambda case: _look(case, "file_exists"))),
    _start("old-words", _or(lambda case: _look(case, "text_has", phrases=[start_text(case).split("\n")[0]]))),
    _start("start-text", _or(lambda case: text_is(path_of(case), start_text(case)))),
    _start("lacks-nonsense", _or(lambda case: _look(case, "text_lacks", phrases=["zyx"]))),
    _start("not-gone", _or(lambda case: {"check": "none_of", "of": [_look(case, "nothing_there")], "feedback": "-"})),
    _start(
        "half-a-point",
        lambda case: {
            "check": {
                "check": "weighed",
                "of": [_look(case, "file_exists"), text_is(path_of(case), end_text(case))],
                "weights": [1, 1],
            },
            "expected": [path_of(case)],
        },
    ),
)


def _miss(name: str, **parts: Callable[[Case], Any]) -> Callable[[Case], Case]:
    def make(case: Case) -> Case:
        answers = {step: part(case) for step, part in parts.items()}
        return case.but(f"{case.name}-{name}", "key that misses the goal", "keys", FORM, **answers)

    return make


def _cut(case: Case) -> Any:
    return {"moves": case.said("moves")["moves"][:-1]}


def _slip(case: Case) -> Any:
    return changed(case, "moves", lambda said: said["moves"][-2].update(text=said["moves"][-2]["text"][:-1] + "#"))


def _only_saved(_case: Case) -> Any:
    return {"moves": [SAVE]}


_KEYS_THAT_MISS = (
    _miss("unsaved", moves=_cut),
    _miss("slip", moves=_slip),
    _miss("idle-key", moves=_only_saved),
    _miss("second-key-wrong", route=lambda case: {"moves": [TOP, typed("wrong"), SAVE]}),
    _miss("both-wrong", moves=_slip, route=lambda case: {"moves": [TOP, typed("as wrong"), SAVE]}),
    _miss("second-unsaved", route=lambda case: {"moves": [{"move": "press", "keys": "ctrl+a"}, typed("x")]}),
)


def _own(name: str, verdict: Callable[[Case], Any], **parts: Callable[[Case], Any]) -> Callable[[Case], Case]:
    def make(case: Case) -> Case:
        answers = {step: part(case) for step, part in parts.items()}
        return case.but(f"{case.name}-{name}", "verdict that only its own key passes", "keys", FORM,
                        verdict=verdict(case), **answers)  # fmt: skip

    return make


def _retype(text: Callable[[Case], str]) -> Callable[[Case], Any]:
    return lambda case: {"moves": [{"move": "press", "keys": "ctrl+a"}, typed(text(case)), SAVE]}


def _blunder(case: Case) -> str:
    """Return an end that only one who misread the task comes to."""
    return end_text(case).rstrip("\n") + "!\n"


_OWN_KEY_ONLY = (
    _own("misread", lambda case: judged(case, text_is(path_of(case), _blunder(case))), moves=_retype(_blunder)),
    _own("misread-by-code", lambda case: judged(case, text_is(path_of(case), _blunder(case))), route=_retype(_blunder)),
    _own(
        "upper-case",
        lambda case: judged(case, text_is(path_of(case), end_text(case).upper())),
        moves=_retype(lambda case: end_text(case).upper()),
    ),
    _own(
        "extra-blank-line",
        lambda case: judged(case, {**text_is(path_of(case), end_text(case) + "\n\n"), "exactly": True}),
        moves=_retype(lambda case: end_text(case) + "\n\n"),
    ),
    _own("another-file", lambda case: judged(case, text_is("Documents/elsewhere.txt", end_text(case)))),
    _own(
        "old-name-gone",
        lambda case: judged(case, text_is(path_of(case), end_text(case)), _look(case, "nothing_there")),
    ),
)


def _weak(name: str, verdict: Callable[[Case], Any]) -> Callable[[Case], Case]:
    return lambda case: case.but(
        f"{case.name}-{name}",
        "verdict that a foreign trajectory passes",
        "foreign",
        "proof",
        FORM,
        verdict=verdict(case),
    )


def _line(case: Case) -> str:
    return str(case.said("propose")["instruction"]).split('"')[1]


_LETS_FOREIGN_PASS = (
    _weak("somewhere", lambda case: judged(case, _look(case, "text_has", phrases=[_line(case)]))),
    _weak("longer", lambda case: judged(case, _look(case, "line_count", least=end_text(case).count("\n")))),
    _weak(
        "not-as-before",
        lambda case: {
            "check": {"check": "none_of", "of": [text_is(path_of(case), start_text(case))], "feedback": "Unchanged."},
            "expected": [path_of(case)],
        },
    ),
    _weak("first-letters", lambda case: judged(case, _look(case, "text_has", phrases=[_line(case)[:3]]))),
    _weak(
        "two-words",
        lambda case: judged(case, _look(case, "text_has", phrases=[_line(case), start_text(case).split("\n")[0]])),
    ),
    _weak("pattern", lambda case: judged(case, _look(case, "text_matches", pattern=f".*{_line(case)}.*"))),
)


def _asks(name: str, kind: str, *at: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Case], Case]:
    return lambda case: case.but(
        f"{case.name}-{name}", kind, *at, computer=False, propose=changed(case, "propose", change)
    )


def _words(change: Callable[[str], str]) -> Callable[[dict[str, Any]], object]:
    return lambda said: said.update(instruction=change(said["instruction"]))


NOTHING = "instruction that names what is not there"
_NAMES_NOTHING = (
    _asks("absent-file", NOTHING, FORM, change=_words(lambda text: f"{text} Then compare it with budget-2031.ods.")),
    _asks("absent-menu", NOTHING, FORM, change=_words(lambda text: f'{text} Use the menu "Frobnicate" for that.')),
    _asks("absent-button", NOTHING, FORM, change=_words(lambda text: f"{text} Press “Teleport now” at the end.")),
    _asks("absent-line", NOTHING, FORM, change=_words(lambda text: f'{text} Keep the line "quokka supplies".')),
    _asks("absent-picture", NOTHING, FORM, change=_words(lambda text: f"{text} Show holiday.jpg beside it.")),
    _asks("absent-folder", NOTHING, FORM, change=_words(lambda text: f'{text} It belongs into "Secret Vault".')),
)


def _thing(field: str, **values: str) -> Callable[[dict[str, Any]], object]:
    return lambda said: said[field][0].update(values)


RESOURCE = "impossible resource"
_RESOURCES = (
    _asks("hologram", RESOURCE, FORM, change=_thing("takes", kind="hologram")),
    _asks("picture-that-is-text", RESOURCE, FORM, change=_thing("takes", kind="image")),
    _asks("letter-in-an-editor", RESOURCE, FORM, change=_thing("gives", kind="sent_letter", value="Hello")),
    _asks("taken-from-nowhere", RESOURCE, FORM, change=_thing("takes", value="Documents/not-made.txt")),
    _asks("outside", RESOURCE, FORM, change=_thing("gives", value="/etc/passwd")),
    _asks("upward", RESOURCE, FORM, change=_thing("gives", value="Documents/../../root/x.txt")),
    _asks("hidden", RESOURCE, FORM, change=_thing("gives", value=".ssh/authorized_keys")),
    _asks("gives-nothing", RESOURCE, FORM, change=lambda said: said.update(gives=[])),
    _asks("archive-of-a-text", RESOURCE, FORM, change=_thing("gives", kind="archive")),
    _asks("number-for-a-path", RESOURCE, FORM, change=lambda said: said["gives"][0].update(value=7)),
)


def _step(**call: Any) -> Callable[[dict[str, Any]], object]:
    return lambda said: said["setup"].insert(0, call)


HOSTILE = "hostile text"
_HOSTILE = (
    _asks("escape", HOSTILE, FORM, change=_words(lambda text: f"{text}\x1b[2J\x1b]0;owned\x07")),
    _asks("turned-around", HOSTILE, FORM, change=_words(lambda text: f"{text} \u202etxt.exe")),
    _asks("invisible", HOSTILE, FORM, change=_words(lambda text: f"{text} \u200b\u2063")),
    _asks("page-in-a-name", HOSTILE, FORM, change=lambda said: said.update(name="<script>alert(1)</script>")),
    _asks("way-in-a-name", HOSTILE, FORM, change=lambda said: said.update(name="../../outside")),
    _asks("command", HOSTILE, FORM, change=_step(setup="command", argv=["sh", "-c", "id"], root=True)),
    _asks("process", HOSTILE, FORM, change=_step(setup="process", argv=["nc", "-l", "9"])),
    _asks("asset", HOSTILE, FORM, change=_step(setup="asset_file", path="Documents/x", asset="../../../etc/shadow")),
    _asks("big", HOSTILE, FORM, change=_step(setup="big_file", path="Documents/x", size=10**12)),
    _asks("shell", HOSTILE, FORM, change=lambda said: said["setup"][1].update(argv=["sh", "-c", "rm -rf ~"])),
    _asks("option", HOSTILE, FORM, change=lambda said: said["setup"][1]["argv"].insert(1, "--preferences")),
    _asks("start-up-file", HOSTILE, FORM, change=_step(setup="text_file", path=".bashrc", text="id\n")),
    _asks("long", HOSTILE, FORM, change=lambda said: said.update(paraphrases=["A" * 5000])),
    lambda case: case.but(
        f"{case.name}-code-by-hand", HOSTILE, FORM, computer=False, moves={"moves": [shell("id > Documents/x")]}
    ),
    lambda case: case.but(
        f"{case.name}-runs-to-judge", HOSTILE, FORM, computer=False,
        verdict=judged(case, {"check": "output_is", "of": {"probe": "output", "argv": ["id"]}, "text": "root"}),
    ),
    lambda case: case.but(
        f"{case.name}-expects-all", HOSTILE, FORM, computer=False,
        verdict=changed(case, "verdict", lambda said: said.update(expected=["**"])),
    ),
    lambda case: case.but(
        f"{case.name}-looks-outside", HOSTILE, FORM, computer=False,
        verdict=judged(case, text_is("/etc/hostname", "x")),
    ),
)  # fmt: skip


def _says(name: str, step: str, answer: str) -> Callable[[Case], Case]:
    return lambda case: case.but(
        f"{case.name}-{name}", "not the form that was asked for", FORM, computer=False, **{step: answer}
    )


_NOT_THE_FORM = (
    _says("prose", "propose", "I would suggest a task in which somebody tidies up a list. Shall I go on?"),
    _says("code", "propose", "```python\nimport os\nos.system('id')\n```"),
    _says("huge", "propose", "{" + '"a": 1, ' * 1_250_000 + '"b": 2}'),
    _says("german", "propose", '{"name": "liste", "anweisung": "Füge der Liste eine Zeile hinzu", "aufbau": []}'),
    _says("chinese", "propose", "请在列表末尾添加一行并保存文件。"),
    _says("nothing", "propose", ""),
    _says("list", "propose", "[1, 2, 3]"),
    _says("deep", "propose", '{"a": ' * 500 + "1" + "}" * 500),
    _says("cut-off", "verdict", '{"check": {"check": "text_is", "of": {"probe": "text", "path": "Documents/'),
    _says("twice", "verdict", '{"check": {"check": "file_exists"}, "check": {"check": "file_exists"}}'),
    _says("not-a-number", "moves", '{"moves": [{"move": "press", "keys": "ctrl+s", "times": NaN}]}'),
    _says("unknown-word", "moves", '{"moves": [{"move": "teleport", "to": "menu"}]}'),
    _says("unknown-check", "verdict", '{"check": {"check": "looks_good", "of": {"probe": "text", "path": "a.txt"}}}'),
    _says("looks-at-nothing", "verdict", '{"check": {"check": "text_is", "of": "eggs", "text": "eggs"}}'),
    _says("one-miss", "foreign", json.dumps(near(only=[typed("x")]))),
    _says("refusal", "propose", "I am sorry, but I cannot help with that."),
)


KIND_UNPROVEN = "verdict that mutants pass or variants fail"
_UNPROVABLE = (
    lambda case: case.but(
        f"{case.name}-byte-for-byte", KIND_UNPROVEN, "proof", "keys", FORM,
        verdict=judged(case, {**text_is(path_of(case), end_text(case)), "exactly": True}),
    ),
    lambda case: case.but(
        f"{case.name}-neighbour-free", KIND_UNPROVEN, "proof",
        propose=changed(case, "propose", _step(**_NEIGHBOUR)),
        verdict=judged(
            case, text_is(path_of(case), end_text(case)), expected=[path_of(case), str(_NEIGHBOUR["path"])]
        ),
    ),
)  # fmt: skip


def _saved_elsewhere(case: Case) -> Any:
    """Return a key that does the task, and empties what lies beside it."""
    return {"moves": [*case.said("moves")["moves"], *_SPOIL_NEIGHBOUR]}


_SPOIL_NEIGHBOUR = [
    {"move": "press", "keys": "ctrl+w"}, {"move": "press", "keys": "ctrl+a"}, typed("gone"), SAVE,
]  # fmt: skip


def _beside(case: Case) -> Any:
    """Return a start at which another file is open behind the one that is meant."""
    other = [dict(_NEIGHBOUR), {"setup": "launch", "argv": ["mousepad", _NEIGHBOUR["path"]], "window": "neighbour"}]
    return changed(case, "propose", lambda said: said.update(setup=[*other, *said["setup"]]))


_EFFECTS = (
    lambda case: case.but(
        f"{case.name}-spoils-a-neighbour", "key that changes more", "effects", "keys",
        propose=_beside(case), moves=_saved_elsewhere(case),
    ),
    lambda case: case.but(
        f"{case.name}-expects-another-file", "key that changes more", "effects",
        verdict=changed(case, "verdict", lambda said: said.update(expected=["Documents/another.txt"])),
    ),
)  # fmt: skip

_CANNOT_BE_DONE = (
    lambda case: case.but(
        f"{case.name}-no-such-element", "key that cannot be carried out", "keys",
        moves={"moves": [{"move": "click", "name": "Warp Drive", "timeout_sec": 2}, SAVE]},
    ),
    lambda case: case.but(
        f"{case.name}-no-such-menu", "key that cannot be carried out", "keys",
        route={"moves": [{"move": "menu", "path": ["Galaxy", "Expand"]}, SAVE]},
    ),
    lambda case: case.but(
        f"{case.name}-start-fails", "start that cannot be prepared", "start",
        propose=changed(
            case, "propose", _step(setup="copy_file", source="Documents/missing.txt", target="Documents/there.txt")
        ),
    ),
    lambda case: case.but(
        f"{case.name}-keys-alike", "two keys that are one", FORM, computer=False, route=case.said("moves")
    ),
    lambda case: case.but(
        f"{case.name}-miss-is-right", "near miss that is right", FORM, "foreign",
        foreign=near(by_another_way=case.said("route")["moves"], not_saved=case.said("moves")["moves"][:-1]),
    ),
)  # fmt: skip


def duplicates(bases: Sequence[Case]) -> list[Case]:
    """Return what is proposed already, written down in other ways."""
    return list(_duplicates(bases))


def _duplicates(bases: Sequence[Case]) -> Iterator[Case]:
    def again(number: int, name: str, **answers: Any) -> Case:
        case = bases[number]
        return case.but(f"again-{name}", "duplicate", "same", computer=False, **answers)

    def reworded(case: Case, words: str) -> Any:
        return changed(
            case, "propose", lambda said: said.update(instruction=words, paraphrases=[f"{words} Thank you."])
        )

    yield again(0, "as-it-was")
    yield again(1, "shouted", propose=reworded(bases[1], bases[1].said("propose")["instruction"].upper()))
    plain = bases[2].said("verdict")["check"]
    words = f'My list {path_of(bases[2])} lacks "{_line(bases[2])}" below its last line; please see to it, and save.'
    yield again(2, "in-other-words", propose=reworded(bases[2], words), verdict={"check": every(plain)})
    wordy = {**plain, "text": plain["text"].upper().replace("\n", "  \n")}
    yield again(2, "other-letters", propose=reworded(bases[2], f"{words} Now."), verdict={"check": wordy})
    either = {"check": "any_of", "of": [plain]}
    yield again(2, "any-of-one", propose=reworded(bases[2], f"{words} Today."), verdict={"check": either})
    twice = {"check": "all_of", "of": [{"check": "all_of", "of": [plain]}]}
    yield again(2, "nested", propose=reworded(bases[2], f"{words} Soon."), verdict={"check": twice})
