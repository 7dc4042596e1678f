"""Task files of smaller suites: read as what they are, and told what each would need to run here.

None of their programs is run, on the host or anywhere else: a check that is somebody else's program is said to be so.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from proctor.suites.foreign import osworld
from proctor.suites.foreign.assets import Assets
from proctor.suites.foreign.collection import ForeignTask
from proctor.suites.foreign.faults import Data, Faults, Reason, kind_of
from proctor.suites.foreign.json_file import ForeignFile
from proctor.suites.foreign.programs import application, missing_application
from proctor.tasks.load import MOST_BYTES

_URL = re.compile(r"https?://(?!localhost|127\.)([\w.-]+)")
ATTACK_KEYS = ("injection", "adversarial_evaluator", "evaluator_adversarial", "adv_evaluator", "attack", "adversarial")
FIELDS = ("id", "instruction", "related_apps", "user_simulator", "intermediate_eval_safe", "volume_size")
"""What of OSWorld 2.0's classes is read."""
_BESIDE = ("instruction.md", "setup.sh", "check.sh")


@dataclass(frozen=True)
class _Told:
    """What a file says of a task."""

    id: str
    instruction: str
    reasons: tuple[Reason, ...] = ()
    remarks: tuple[str, ...] = ()
    domain: str = ""


Tell = Callable[[Data, ForeignFile, Faults], _Told]


def _reader(format: str, tell: Tell) -> Callable[[ForeignFile, str, Assets], ForeignTask]:
    def read_task(file: ForeignFile, domain: str, assets: Assets) -> ForeignTask:
        known = ForeignTask(format, file, domain=domain, remarks=file.remarks)
        if file.fault:
            return replace(known, reasons=(Reason("malformed", file.fault, str(file.path)),))
        faults = Faults(file)
        if not isinstance(file.data, dict):
            faults.add((), f"a task is an object, not {kind_of(file.data)}")
            return replace(known, reasons=tuple(faults.found))
        told = tell(file.data, file, faults)
        return replace(
            known,
            id=told.id,
            domain=told.domain or domain,
            instruction=told.instruction,
            reasons=(*faults.found, *told.reasons),
            remarks=(*file.remarks, *told.remarks),
        )

    return read_task


def _cua_gym(data: Data, file: ForeignFile, faults: Faults) -> _Told:
    folder = file.path.parent
    for name in _BESIDE:
        if not (folder / name).is_file():
            faults.add((), f"{name} does not lie beside it")
    reasons = [Reason("not judged yet", "its check.sh, a program that judges inside the computer")]
    apps = [data[key] for key in ("app", "application", "domain") if isinstance(data.get(key), str)]
    return _Told(folder.name, _text_beside(folder / "instruction.md"), (*_needs_of_apps(apps), *reasons))


def _gym_anything(data: Data, file: ForeignFile, faults: Faults) -> _Told:
    name, text = faults.text(data, "id"), faults.text(data, "description")
    env = faults.text(data, "env_id")
    program = _below(data, "success", "spec", "program")
    if not isinstance(program, str):
        faults.add(("success",), "'success' names no program that judges")
    verifier = str(program or "").partition("::")[0]
    if verifier and (Path(verifier).name != verifier or not (file.path.parent / verifier).is_file()):
        faults.add(("success",), f"{verifier} does not lie beside it")
    reasons = [Reason("needs application", f"the environment {env}, an image of its own")] if env else []
    if verifier:
        reasons.append(Reason("not judged yet", f"{program}, a program that judges on the host there"))
    return _Told(name, text, tuple(reasons), domain=env.partition("@")[0])


def _opencomputer(data: Data, file: ForeignFile, faults: Faults) -> _Told:
    name, text, app = faults.text(data, "id"), faults.text(data, "task"), faults.text(data, "app")
    checks = data.get("verification")
    if not isinstance(checks, list) or not checks:
        faults.add(("verification",) if "verification" in data else (), "'verification' is no list of checks")
        checks = []
    words = dict.fromkeys(_first_word(each) for each in checks if isinstance(each, dict))
    files = _below(data, "env", "files")
    assets = [
        Reason("needs asset", f"{each['filename']}, for its setup: {each.get('sandbox_path', '')}")
        for each in (files if isinstance(files, list) else [])
        if isinstance(each, dict) and isinstance(each.get("filename"), str)
    ]
    judged = [Reason("not judged yet", f"{word!r}, a program of its own that judges") for word in words]
    return _Told(name, text, (*_needs_of_apps([app]), *_needs_of_text(text), *judged, *assets), domain=app)


def _macosworld(data: Data, file: ForeignFile, faults: Faults) -> _Told:
    name, told = faults.text(data, "id"), data.get("task")
    text = told.get("en") if isinstance(told, dict) else told
    if not isinstance(text, str) or not text.strip():
        faults.add(("task",) if "task" in data else (), "'task' says nothing in English")
    if not isinstance(data.get("grading_command"), list):
        faults.add((), "'grading_command' is no list of commands and points")
    remarks = []
    if isinstance(told, dict):
        remarks.append(f"it is told in {', '.join(sorted(map(str, told)))}; the English one is taken")
    if data.get("in_process"):
        remarks.append("a dialog disturbs it meanwhile: gold, distracted and not handled are told apart there")
    return _Told(name, str(text or "").strip(), (Reason("needs application", "macOS"),), tuple(remarks))


def _windows(data: Data, file: ForeignFile, faults: Faults) -> _Told:
    if not isinstance(data.get("evaluator"), dict):
        faults.add(("evaluator",) if "evaluator" in data else (), "'evaluator' is missing, or is no object")
    name, text = faults.text(data, "id"), faults.text(data, "instruction")
    odd = [key for key in data if key.startswith("_comm") or key == "comments"]
    remarks = [f"{key!r} was left out" for key in odd]
    return _Told(name, text, (Reason("needs application", "Windows"), *_needs_of_text(str(data))), tuple(remarks))


def _osworld_2(data: Data, file: ForeignFile, faults: Faults) -> _Told:
    name, text = str(data.get("id") or file.path.stem), faults.text(data, "instruction")
    apps = data.get("related_apps") if isinstance(data.get("related_apps"), list) else []
    remarks = [f"{key}: {data[key]!r}" for key in FIELDS[3:] if data.get(key) is not None]
    reasons = [Reason("not judged yet", "its setup and evaluate, Python that runs on the host there")]
    if data.get("user_simulator"):
        reasons.append(Reason("needs account", "a model that plays the user"))
    needs = (*_needs_of_apps(map(str, apps or ())), *_needs_of_text(text))
    return _Told(name, text, (*reasons, *needs), tuple(remarks))


def read_red_team(file: ForeignFile, domain: str, assets: Assets) -> ForeignTask:
    """Return a task of RedTeamCUA: one of OSWorld's, with an attack and a verdict on that."""
    found = osworld.read_task(file, domain, assets, format="redteamcua")
    held = file.data if isinstance(file.data, dict) else {}
    extra = [key for key in held if key in ATTACK_KEYS or "inject" in key.lower() or "adv" in key.lower()]
    if not extra:
        why = f"it has no attack; keys such as {ATTACK_KEYS[0]!r} and {ATTACK_KEYS[1]!r} say what is planted and judged"
        return replace(found, remarks=(*found.remarks, why))
    reasons = [Reason("not judged yet", f"{key!r}, an attack or what judges it") for key in extra]
    return replace(found, reasons=(*found.reasons, *reasons), make=None)


def read_class(path: Path, within: Path) -> ForeignFile:
    """Read the fields of a class in a Python file; it is parsed, and neither imported nor run."""
    try:
        if not path.resolve().is_relative_to(within.resolve()) or path.stat().st_size > MOST_BYTES:
            return ForeignFile(
                path, fault=f"it is a link that leads out of {within}, or larger than a task file may be"
            )
        content = path.read_bytes()
        tree = ast.parse(content.decode("utf-8-sig"))
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError) as error:
        return ForeignFile(path, fault=f"it cannot be read as Python: {error}"[:300])
    digest = hashlib.sha256(content).hexdigest()
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef) and _sets(each, "instruction")]
    if not classes:
        # A module of helpers, left out as lists of tasks are.
        return ForeignFile(path, data={"tasks": []}, digest=digest)
    data = dict(_fields(classes[0]))
    if "instruction" not in data:
        why = f"the instruction of {classes[0].name} is put together when it runs, and nothing is run here"
        return ForeignFile(path, fault=why, digest=digest)
    others = tuple(f"{each.name} is another task in it, and was left out" for each in classes[1:])
    return ForeignFile(path, data=data, remarks=others, digest=digest)


def _sets(found: ast.ClassDef, field: str) -> bool:
    targets = [
        target
        for node in ast.walk(found)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return field in map(_name_set, targets)


def _fields(found: ast.ClassDef) -> Iterator[tuple[str, object]]:
    """Yield what a class or its functions set, where that can be read as it stands."""
    for node in ast.walk(found):
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        else:
            continue
        for target in targets:
            if (name := _name_set(target)) in FIELDS and (read := _literal(value)) is not None:
                yield name, read


def _name_set(target: ast.expr) -> str:
    """Return the name that an assignment gives a class or its object; empty for others."""
    if isinstance(target, ast.Name):
        return target.id
    own = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
    return target.attr if own and isinstance(target, ast.Attribute) else ""


def _literal(node: ast.expr) -> object:
    try:
        found: object = ast.literal_eval(node)
        return found
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None  # it is reckoned, and nothing is reckoned here


def _needs_of_apps(names: Iterable[str]) -> Iterator[Reason]:
    for name in names:
        if missing := missing_application(name):
            yield Reason("needs application", missing)
        elif not application(name):
            yield Reason("needs application", name)


def _needs_of_text(text: str) -> Iterator[Reason]:
    for host in dict.fromkeys(_URL.findall(text)):
        yield Reason("needs internet", f"it is about {host}")


def _below(data: Data, *keys: str) -> object:
    value: object = data
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _first_word(check: Data) -> str:
    return (str(check.get("command") or "").split() or ["a check without a command"])[0]


def _text_beside(file: Path) -> str:
    if not file.is_file() or file.is_symlink() or file.stat().st_size > 1_000_000:
        return ""
    return file.read_text(encoding="utf-8", errors="replace").strip()


SMALL_FORMATS: Mapping[str, Callable[[ForeignFile, str, Assets], ForeignTask]] = {
    "cuagym": _reader("cuagym", _cua_gym),
    "gymanything": _reader("gymanything", _gym_anything),
    "opencomputer": _reader("opencomputer", _opencomputer),
    "redteamcua": read_red_team,
    "macosworld": _reader("macosworld", _macosworld),
    "windowsagentarena": _reader("windowsagentarena", _windows),
    "osworld2": _reader("osworld2", _osworld_2),
}
"""How a file of each is read."""
FILES: Mapping[str, str] = {
    "cuagym": "meta.json",
    "gymanything": "task.json",
    "opencomputer": "task.json",
    "osworld2": "*.py",
}
"""What the files of tasks are called; `*.json` where nothing else is said."""
