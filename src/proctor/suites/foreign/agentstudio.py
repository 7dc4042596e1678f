"""AgentStudio's tasks, read and put into our words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256

from proctor.errors import SpecError
from proctor.suites.foreign.agentstudio_form import ACCOUNTS as ACCOUNT_VARIABLES
from proctor.suites.foreign.agentstudio_form import (
    VARIABLES,
    AgentStudioForm,
    Procedure,
    read_agentstudio,
)
from proctor.suites.foreign.assets import Assets
from proctor.suites.foreign.code_editor import (
    PROGRAM,
    SETTINGS,
    extension,
    extension_check,
    mentions_code,
    needs_marketplace,
    needs_of_code,
)
from proctor.suites.foreign.collection import ForeignTask, slug, told_by
from proctor.suites.foreign.counterparts import counterparts_of
from proctor.suites.foreign.faults import Data, Faults, Reason, truth
from proctor.suites.foreign.json_file import ForeignFile
from proctor.suites.foreign.names import ACCOUNTS
from proctor.suites.foreign.osworld_form import ForeignComparison, ForeignStep
from proctor.suites.foreign.osworld_looks import Sides, file_of
from proctor.suites.foreign.osworld_metrics import METRICS_IN_OUR_WORDS
from proctor.suites.foreign.osworld_results import refuse_unsound
from proctor.suites.foreign.osworld_setup import setup_calls
from proctor.suites.foreign.programs import machine_for, missing_program
from proctor.suites.foreign.translation import NeededFirst, NotJudgedYet, Translation, check, guest_path, probe, step
from proctor.tasks.call import Call, Kind
from proctor.tasks.task import Limits, Source, Tags, Task

LEAST_STEPS, MOST_STEPS, SECONDS = 15, 1000, 1800
"""Tasks for programs have one step of code there; somebody at a desktop needs more."""
APPS = {
    "docs": "libreoffice-writer",
    "sheets": "libreoffice-calc",
    "slides": "libreoffice-impress",
    "gimp": "gimp",
    "vscode": "mousepad",
}
"""Evaluators that belong to one application."""
PASS_DELETED = ("docs.compare_docx_files",)
"""Functions that pass there once the file has been deleted."""
_DATA = f"{VARIABLES['AS_ROOT']}/data/"
_RESULT = ("docx_file2", "docx_file", "file2", "result", "src_path")
_EXPECTED = ("docx_file1", "docx_ref", "file1", "expected", "tgt_path", "rules", "rule")


def read_task(file: ForeignFile, domain: str, assets: Assets) -> ForeignTask:
    """Return what a file holds: a task that can be run, or all that stands in its way."""
    known = ForeignTask("agentstudio", file, domain=domain, remarks=file.remarks)
    if file.fault:
        return replace(known, reasons=(Reason("malformed", file.fault, str(file.path)),))
    faults = Faults(file)
    form = read_agentstudio(file.data, faults)
    if form is None:
        return replace(known, reasons=tuple(faults.found))
    known = replace(known, id=form.id, instruction=form.instruction)
    if faults.found:
        return replace(known, reasons=tuple(faults.found))
    into = Translation(assets, owner=form.id)
    reasons = [*dict.fromkeys(_needs_of(form, domain))]
    parts: tuple[tuple[str, Kind, Callable[[], object]], ...] = (
        ("reset_procedure", "setup", lambda: reset_calls(form, into)),
        ("eval_procedure", "setup", lambda: before_judgement(form)),
        ("eval_procedure", "check", lambda: check_of(form, into)),
    )
    for name, kind, put in parts:
        reasons += told_by(put, (name,), kind, file)
    reasons += into.missing
    missing = {url: called for url, called in into.wanted.items() if url in into.absent}
    make = None if reasons else partial(make_task, form, file, domain, assets)
    return replace(known, reasons=tuple(reasons), missing=missing, tags=tags_of(form, domain), make=make)


def make_task(form: AgentStudioForm, file: ForeignFile, domain: str, assets: Assets) -> Task:
    """Return a task in our words; raises SpecError where an expected file cannot be read."""
    into = Translation(assets, owner=form.id, fill=True)
    try:
        code = [step("code_command")] if _is_about_code(form) else []
        setup = (step("other_names"), *code, *reset_calls(form, into))
        finish = tuple(before_judgement(form))
        judged, theirs = check_of(form, into), check_of(form, replace(into, faithful=True))
        counterparts = counterparts_of(compared_files(form), into)
    except NotJudgedYet as error:
        raise SpecError(f"{file.path}: {error} has no counterpart here yet") from error
    tags = tags_of(form, domain)
    return Task(
        id=f"agentstudio/{slug(f'{domain}-{form.id}')}-v1",
        instruction=form.instruction,
        setup=setup,
        finish=finish,
        check=judged,
        expected=("**",),
        tags=tags,
        limits=Limits(steps=min(max(form.steps, LEAST_STEPS), MOST_STEPS), seconds=SECONDS),
        machine=machine_for(tags.apps),
        assets=into.used,
        counterparts=counterparts,
        original=None if theirs == judged else theirs,
        source=Source(format="agentstudio", file=f"{domain}/{file.path.name}", digest=file.digest),
    )


def tags_of(form: AgentStudioForm, domain: str) -> Tags:
    """Return how a task is classified, in the words of its own system."""
    apps = dict.fromkeys(APPS.get(each.evaluator, "thunar") for each in form.evaluation)
    return Tags(apps=tuple(apps), level=2, domain=domain, scenario="", demand="", demand_tree="agentstudio")


def reset_calls(form: AgentStudioForm, into: Translation) -> list[Call]:
    """Return the calls that prepare the computer."""
    return [call for each in form.reset for call in _reset(each, into)]


def before_judgement(form: AgentStudioForm) -> list[Call]:
    """Return what is done between the agent's end and judgement."""
    lines = [each for each in form.evaluation if each.name == "system.exec"]
    steps = tuple(
        ForeignStep("execute", {"command": each.params["command"], "shell": True}, each.path) for each in lines
    )
    return setup_calls(steps, Translation(), finish=True)


def check_of(form: AgentStudioForm, into: Translation) -> Call:
    """Return the check that judges a task: everything that is asked for must hold."""
    found = [call for each in form.evaluation for call in _checks(each, into)]
    if not found:
        if any(each.evaluator in ACCOUNTS or each.evaluator in ("vscode", "email") for each in form.evaluation):
            raise NeededFirst("what an account or a program of somebody else's holds")
        raise NotJudgedYet("a task that is judged by nothing")
    return found[0] if len(found) == 1 else check("all_of", of=found)


def _needs_of(form: AgentStudioForm, domain: str) -> Iterator[Reason]:
    for name in sorted(form.variables):
        yield Reason("needs account", f"{ACCOUNT_VARIABLES[name]}, for ${{{name}}}")
    for each in (*form.reset, *form.evaluation):
        if each.evaluator in ACCOUNTS:
            yield Reason("needs account", f"{ACCOUNTS[each.evaluator]}, for {each.name!r}")
        if missing := missing_program(each.params.get("cmd")):
            yield Reason("needs application", missing)
        if each.name == "vscode.is_extension_disabled":
            yield Reason("needs application", f"{PROGRAM} itself: it alone knows which extensions are disabled")
        if each.name == "vscode.extension_installed" and truth(each.params.get("exists", True)):
            files = [procedure.params for procedure in form.reset]
            yield from needs_marketplace(str(each.params["extension_id"]), files)
        if each.evaluator == "email":
            yield Reason("needs application", f"a mail server, for {each.name!r}")
    fetched = [f"code --install-extension {each.params['extension_id']}" for each in form.reset if _installs(each)]
    yield from needs_of_code(fetched, [{"path": _place(each)} for each in form.evaluation])


def _place(each: Procedure) -> str:
    """Return what a function looks at, in whatever words."""
    return SETTINGS if each.evaluator == "vscode" else str(each.params)


def _installs(each: Procedure) -> bool:
    return each.name == "vscode.install_extension"


def _is_about_code(form: AgentStudioForm) -> bool:
    return any(
        each.evaluator == "vscode" or mentions_code(each.params.get("cmd")) or each.params.get("name") == "code"
        for each in (*form.reset, *form.evaluation)
    )


def _reset(each: Procedure, into: Translation) -> Iterator[Call]:
    params = each.params
    match each.name:
        case "filesystem.create_file":
            yield step("text_file", path=guest_path(params["path"]), text=str(params.get("content") or ""))
        case "filesystem.mkdir":
            yield step("folder", path=guest_path(params["path"]))
        case "filesystem.rm" | "filesystem.rmdir":
            yield step("command", argv=["rm", "-rf", "--", guest_path(params["path"])])
        case "filesystem.rename" | "filesystem.move":
            source, target = ("old_name", "new_name") if each.function == "rename" else ("src", "dest")
            yield step("move_file", source=guest_path(params[source]), target=guest_path(params[target]))
        case "filesystem.copy":
            yield from _copy(str(params["src"]), guest_path(params["dest"]), into)
        case "filesystem.chmod":
            yield step("command", argv=["chmod", _mode(params["mode"]), "--", guest_path(params["path"])])
        case "process.create_process":
            yield from setup_calls((ForeignStep("launch", {"command": params["cmd"]}, each.path),), into)
        case "system.exec":
            yield from setup_calls(
                (ForeignStep("execute", {"command": params["command"], "shell": True}, each.path),), into
            )
        case "vscode.install_extension":
            yield extension(str(each.params["extension_id"]))
        case (
            "system.sleep" | "process.pkill_by_name" | "vscode.uninstall_extension" | "vscode.uninstall_all_extensions"
        ):
            pass  # nothing runs yet on a fresh computer
        case _:
            if each.evaluator not in ACCOUNTS:
                raise NotJudgedYet(f"{each.name!r}")


def _copy(source: str, target: str, into: Translation) -> Iterator[Call]:
    if (asset := _asset(source)) and (held := into.folder(asset)):
        for path, name in held.items():
            yield step("asset_file", path=f"{target}/{path}", asset=name)
    elif asset:
        yield step("asset_file", path=target, asset=into.asset(asset, asset))
    else:
        yield step("copy_file", source=guest_path(source), target=target)


def _asset(path: str) -> str:
    """Return the name of a file that comes with a task; empty for one on the computer."""
    if path.startswith(_DATA):
        return f"data/{path.removeprefix(_DATA)}"
    return path if path.startswith("data/") else ""


def _checks(each: Procedure, into: Translation) -> Iterator[Call]:
    if each.evaluator in ACCOUNTS or each.name in ("vscode.is_extension_disabled", "email.exists", "email.match_file"):
        return
    if each.evaluator == "human":
        raise NotJudgedYet(f"a person's own judgement, for {each.name!r}")
    if each.evaluator == "filesystem":
        yield from _file_checks(each, into)
    elif each.name == "process.match_process":
        yield _process_check(str(each.params["name"]))
    elif each.name == "vscode.extension_installed":
        yield extension_check(each.params)
    elif each.name == "qa.string_match":
        yield _answer_check(str(each.params["answer"]))
    elif each.name == "system.diff":
        yield METRICS_IN_OUR_WORDS["compare_files_exactly"](_comparison(each, "compare_files_exactly"), _looks(into))
    elif each.name not in ("system.exec", "system.sleep"):
        name = each.function
        if name not in METRICS_IN_OUR_WORDS:
            raise NotJudgedYet(f"{each.name!r}")
        comparison = _comparison(each, name)
        found = METRICS_IN_OUR_WORDS[name](comparison, _looks(into))
        yield found if each.name not in PASS_DELETED or not into.faithful else _or_deleted(found, comparison)


def _process_check(name: str) -> Call:
    """Return what looks for a program that runs, by its name or by a pattern of names."""
    if name.isidentifier():
        return check("process_running", of=probe("processes"), name=name)
    refuse_unsound(name)
    return check("lines_match", of=probe("output", argv=["ps", "-e", "-o", "comm="]), every=[name])


def _or_deleted(found: Call, comparison: ForeignComparison) -> Call:
    """Return what counts there, where a file that cannot be opened gives 0 and only an error fails."""
    return check("any_of", of=[check("nothing_there", of=probe("file", path=file_of(comparison.result))), found])


def compared_files(form: AgentStudioForm) -> Iterator[ForeignComparison]:
    """Yield what a task compares with files that come with it, in the form of OSWorld."""
    for each in form.evaluation:
        if each.name == "filesystem.match_file":
            for path, wanted in each.params["file_to_check"].items():
                yield ForeignComparison(each.function, _getter(path), _getter(wanted), {}, each.path)
        elif each.name == "filesystem.verify_ini":
            result, expected = (_getter(each.params[key]) for key in ("target_path", "ref_path"))
            yield ForeignComparison(each.function, result, expected, {}, each.path)
        elif each.evaluator != "filesystem":
            yield _comparison(each, each.function)


def _looks(into: Translation) -> Sides:
    return Sides((), into)


def _comparison(each: Procedure, metric: str) -> ForeignComparison:
    """Return what a function compares, in the form of OSWorld, from whose metrics they come."""
    result = next((each.params[key] for key in _RESULT if key in each.params), None)
    expected = next((each.params[key] for key in _EXPECTED if key in each.params), None)
    options = each.params.get("options") or each.params.get("kwargs") or {}
    if result is None or (isinstance(result, str) and _asset(result) and isinstance(expected, str)):
        # Some name the two the other way round, and a single file as if it were to compare with.
        result, expected = expected, result
    return ForeignComparison(metric, _getter(result), _getter(expected), options, each.path)


def _getter(value: object) -> Data:
    if isinstance(value, str):
        if asset := _asset(value):
            return {"type": "cloud_file", "path": asset, "dest": asset.rpartition("/")[2]}
        return {"type": "vm_file", "path": value}
    return {"type": "rule", "rules": value} if isinstance(value, dict) else {}


def _file_checks(each: Procedure, into: Translation) -> Iterator[Call]:
    params = each.params
    if each.function == "check_json_settings":
        of = probe("json", path=guest_path(params["path"]), comments=True)
        yield check("json_includes", of=of, entries=dict(params["settings"]))
        return
    if each.function == "verify_ini":
        asset = _asset(str(params["ref_path"]))
        other = into.gold(asset, asset, "ini") if asset else probe("ini", path=guest_path(str(params["ref_path"])))
        yield check("same_sections", of=probe("ini", path=guest_path(params["target_path"])), other=other)
        return
    for name, wanted in params["file_to_check"].items():
        yield _file_check(each, name, wanted, into)


def _file_check(each: Procedure, name: str, wanted: object, into: Translation) -> Call:
    path = guest_path(name)
    there = probe("file", path=path)
    match each.function:
        case "exists":
            if not truth(wanted):
                return check("nothing_there", of=there)
            return check("any_of", of=[check("file_exists", of=there), check("folder_exists", of=there)])
        case "type_check":
            return check("folder_exists" if wanted == "folder" else "file_exists", of=there)
        case "permissions_check":
            return check("mode_is", of=there, mode=_mode(wanted))
        case "content_check":
            return _content_check(path, str(wanted), each.params.get("method", "exact") == "strip", into)
        case "match_file":
            asset = _asset(str(wanted))
            if not asset:
                return check(
                    "same_content", of=probe("digest", path=path), other=probe("digest", path=guest_path(str(wanted)))
                )
            return check("digest_is", of=probe("digest", path=path), sha256=into.digest(asset, asset))
        case "metadata_check":
            told: Data = each.params["file_to_check"][name]
            return check("all_of", of=[_metadata_check(path, key, value) for key, value in told.items()])
    raise NotJudgedYet(f"{each.name!r}")


def _metadata_check(path: str, key: str, wanted: object) -> Call:
    """Return what compares a size, or to whom a file belongs."""
    if key == "size":
        return check("size_between", of=probe("file", path=path), least=int(str(wanted)), most=int(str(wanted)))
    letters = {"owner": "%U", "group": "%G", "last_modified": "%Y"}
    if key not in letters:
        raise NotJudgedYet(f"{key!r} of a file")
    told = _seconds(wanted) if key == "last_modified" else wanted
    return check("output_is", of=probe("output", argv=["stat", "-c", letters[key], "--", path]), text=f"{told}\n")


def _seconds(wanted: object) -> int:
    """Return a time as whole seconds, whether it is written so or as a date."""
    told = str(wanted)
    if re.fullmatch(r"\d{9,11}(\.\d+)?", told):
        return int(float(told))
    try:
        found = datetime.fromisoformat(told)
    except ValueError as error:
        raise NotJudgedYet(f"the time {wanted!r}, which is neither a date nor seconds") from error
    return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())


def _answer_check(wanted: str) -> Call:
    """Return what compares an answer: all of it, or what stands between three brackets."""
    inside = rf"(?i)\[\[\[\s*{re.escape(wanted)}\s*\]\]\]"
    other = rf"(?i)\[\[\[(?!\s*{re.escape(wanted)}\s*\]\]\])"
    bracketed = check("lines_match", of=probe("answer"), every=[inside], none=[other])
    return check("any_of", of=[check("answer_is", of=probe("answer"), text=wanted), bracketed])


def _content_check(path: str, wanted: str, strip: bool, into: Translation) -> Call:
    """Return what compares a text; there, a line break more at its end counts as well."""
    if not wanted and not strip:
        return check("size_between", of=probe("file", path=path), least=0, most=0)
    if into.faithful and not strip:
        return check("digest_is", of=probe("digest", path=path), sha256=sha256(wanted.encode()).hexdigest())
    return check("output_is", of=probe("text", path=path), text=wanted, strip=strip)


def _mode(text: object) -> str:
    """Return permissions as three digits, however they are written."""
    told = str(text)
    if len(told) == 10 and told[0] in "-d":
        bits = "".join("0" if letter == "-" else "1" for letter in told[1:])
        return f"{int(bits, 2):03o}"
    digits = told.removeprefix("0o")
    if not digits.isdigit() or len(digits) > 4:
        raise NotJudgedYet(f"the permissions {text!r}")
    return digits[-3:].rjust(3, "0")
