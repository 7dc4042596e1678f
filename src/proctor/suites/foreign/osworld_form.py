"""The form of OSWorld's and OS-MAP's tasks: what a file says, checked in every part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from proctor.home import HOME
from proctor.suites.foreign.faults import Data, Faults, kind_of, truth
from proctor.suites.foreign.names import GETTERS, METRICS, SETUP_STEPS, words
from proctor.tasks.call import DataPath

RULES = {
    **dict.fromkeys(
        words(
            "exact_match fuzzy_match is_in_list match_in_list file_contains check_direct_json_object "
            "check_json_settings check_json_keybindings is_expected_url_pattern_match check_moved_jpgs "
            "check_one_of_equal check_one_of_include check_json_contains compare_config is_in_vm_clickboard "
            "check_gnome_favorite_apps check_line_number is_expected_installed_extensions"
        ),
        ("expected",),
    ),
    "check_pdf_pages": ("relation", "ref_value"),
    "check_transition": ("slide_idx", "transition_type"),
    "run_sqlite3": ("sql",),
    "check_image_file_size": ("max_size",),
    "check_page_number_colors": ("color",),
    "is_extension_installed": ("type", "expected"),
    "check_config_status": ("key", "value"),
}
"""Metrics that cannot do without some keys of the rules that they are given."""


@dataclass(frozen=True)
class ForeignStep:
    """One step of `config` or `postconfig`."""

    kind: str
    parameters: Data
    path: DataPath

    def true(self, key: str) -> bool:
        """Tell whether a parameter is set, however that is written."""
        return truth(self.parameters.get(key))


@dataclass(frozen=True)
class ForeignComparison:
    """One metric, with what it is to compare."""

    metric: str
    result: Data
    expected: Data
    options: Data
    path: DataPath


@dataclass(frozen=True)
class OSWorldForm:
    """A task as OSWorld writes it."""

    id: str
    instruction: str
    steps: tuple[ForeignStep, ...] = ()
    comparisons: tuple[ForeignComparison, ...] = ()
    after: tuple[ForeignStep, ...] = ()
    """Steps between the agent's end and judgement."""
    any_counts: bool = False
    """Whether one comparison is enough."""
    infeasible: bool = False
    proxy: bool = False
    apps: tuple[str, ...] = ()
    rest: Data = field(default_factory=dict)


def read_osworld(data: object, faults: Faults) -> OSWorldForm | None:
    """Return what a file says, and take down everything that is wrong with it."""
    if not isinstance(data, dict):
        faults.add((), f"a task is an object, not {kind_of(data)}")
        return None
    name, instruction = faults.text(data, "id"), faults.text(data, "instruction")
    apps = data.get("related_apps", [])
    if not _are_texts(apps):
        faults.add(("related_apps",), "'related_apps' is not a list of texts")
        apps = []
    steps = tuple(_steps(data.get("config"), ("config",), faults))
    evaluator = data.get("evaluator")
    if not isinstance(evaluator, dict):
        faults.add(("evaluator",) if "evaluator" in data else (), "'evaluator' is missing, or is no object")
        return None
    after = tuple(_steps(evaluator.get("postconfig"), ("evaluator", "postconfig"), faults))
    conj = evaluator.get("conj", "and")
    if conj not in ("and", "or"):
        faults.add(("evaluator", "conj"), f"'conj' is {conj!r}, not 'and' or 'or'")
    infeasible = evaluator.get("func") in ("infeasible", ["infeasible"])
    comparisons = () if infeasible else tuple(_comparisons(evaluator, faults))
    return OSWorldForm(
        id=name,
        instruction=instruction,
        steps=steps,
        comparisons=comparisons,
        after=after,
        any_counts=conj == "or",
        infeasible=infeasible,
        proxy=truth(data.get("proxy")),
        apps=tuple(apps),
        rest={key: value for key, value in data.items() if key not in ("config", "evaluator")},
    )


def results_of(form: OSWorldForm) -> tuple[str, ...]:
    """Return the files that a task is judged by, relative to the home folder: they may change."""
    found: list[str] = []
    for comparison in form.comparisons:
        path = comparison.result.get("path")
        for each in path if isinstance(path, list) else [path]:
            if isinstance(each, str) and each.startswith(f"{HOME}/"):
                found.append(each.removeprefix(f"{HOME}/"))
    return tuple(dict.fromkeys(found))


def _steps(listed: object, at: DataPath, faults: Faults) -> Iterator[ForeignStep]:
    if listed is None:
        return
    if not isinstance(listed, list):
        faults.add(at, f"{at[-1]!r} is {kind_of(listed)}, not a list of steps")
        return
    for place, step in enumerate(listed):
        path = (*at, place)
        parameters = step.get("parameters") if isinstance(step, dict) else None
        parameters = {} if parameters is None else parameters
        if not isinstance(step, dict) or not isinstance(step.get("type"), str) or not isinstance(parameters, dict):
            faults.add(path, 'a step is an object such as {"type": "open", "parameters": {...}}')
        elif step["type"] not in SETUP_STEPS:
            faults.unknown((*path, "type"), "setup step", step["type"], SETUP_STEPS)
        else:
            found = ForeignStep(step["type"], parameters, (*path, "parameters"))
            _check_step(found, faults)
            yield found


def _check_step(step: ForeignStep, faults: Faults) -> None:
    for key in SETUP_STEPS[step.kind]:
        if step.parameters.get(key) is None:
            faults.add(step.path, f"the step {step.kind!r} lacks {key!r}")
    for key in ("path", "window_name", "window_name1", "window_name2", "tab_url", "script", "element_xpath"):
        if key in step.parameters and not isinstance(step.parameters[key], str):
            faults.add((*step.path, key), f"{key!r} is {kind_of(step.parameters[key])}, not a text")
    command = step.parameters.get("command")
    whole = isinstance(command, str) or (_are_texts(command) and any(command or ()))
    if command is not None and not whole:
        faults.add((*step.path, "command"), "'command' is neither a text nor a list of texts")
    for key in ("urls_to_open", "urls_to_close"):
        if key in step.parameters and not _are_texts(step.parameters[key]):
            faults.add((*step.path, key), f"{key!r} is not a list of texts")
    if step.kind == "sleep" and not _is_number(step.parameters.get("seconds")):
        faults.add(step.path, f"'seconds' is {step.parameters.get('seconds')!r}, not a number")
    files = step.parameters.get("files")
    if step.kind in ("download", "upload_file") and files is not None:
        source = "url" if step.kind == "download" else "local_path"
        for place, file in enumerate(files if isinstance(files, list) else [None]):
            if not isinstance(file, dict) or not all(isinstance(file.get(key), str) for key in (source, "path")):
                faults.add((*step.path, "files", place), f"a file is an object with the texts {source!r} and 'path'")


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_number(value: object) -> bool:
    if isinstance(value, bool):
        return False
    try:
        return 0 <= float(value) < 86_400  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


def _comparisons(evaluator: Data, faults: Faults) -> Iterator[ForeignComparison]:
    func = evaluator.get("func")
    at: DataPath = ("evaluator", "func")
    if isinstance(func, str):
        names, several = [func], False
    elif isinstance(func, list) and func and all(isinstance(name, str) for name in func):
        names, several = func, True
    else:
        faults.add(at if "func" in evaluator else at[:1], "'func' is neither the name of a metric nor a list of names")
        return
    columns = {key: _column(evaluator, key, len(names), several, faults) for key in ("result", "expected", "options")}
    if any(column is None for column in columns.values()):
        return
    for place, name in enumerate(names):
        result, expected, options = (columns[key][place] for key in ("result", "expected", "options"))  # type: ignore[index]
        where = (*at, place) if several else at
        if name not in METRICS:
            faults.unknown(where, "metric", name, dict.fromkeys(METRICS))
        if name == "infeasible":
            faults.add(where, "'infeasible' stands among other metrics")
        for side, getter in (("result", result), ("expected", expected)):
            _check_getter(getter, ("evaluator", side, *((place,) if several else ())), faults)
        if not result:
            faults.add(("evaluator",), f"the metric {name!r} has no 'result'")
        _check_rules(name, result, expected, where, faults)
        yield ForeignComparison(name, result, expected, options, where)


def _column(evaluator: Data, key: str, count: int, several: bool, faults: Faults) -> list[Data] | None:
    """Return what each metric is given of one kind, nothing where nothing is said."""
    value = evaluator.get(key)
    if value is None or (several and value == {}):
        return [{}] * count
    listed = value if isinstance(value, list) and (several or key != "options") else [value]
    if not several and isinstance(value, list) and len(value) == 1:
        listed = value
    if len(listed) != count:
        faults.add(("evaluator", key), f"{key!r} has {len(listed)} parts, and 'func' has {count}")
        return None
    wrong = next((each for each in listed if each is not None and not isinstance(each, dict)), None)
    if wrong is not None:
        faults.add(("evaluator", key), f"{key!r} is {kind_of(wrong)}, not an object")
        return None
    return [each or {} for each in listed]


def _check_getter(getter: Data, path: DataPath, faults: Faults) -> None:
    if not getter:
        return
    kind = getter.get("type")
    if not isinstance(kind, str) or kind not in GETTERS:
        faults.unknown((*path, "type"), "getter", kind, GETTERS)
        return
    for key in GETTERS[kind]:
        if getter.get(key) is None:
            faults.add(path, f"the getter {kind!r} lacks {key!r}")
    place = getter.get("path")
    # Google Drive takes a list of names, or a list of such lists.
    if place is not None and not isinstance(place, str) and not _are_texts(place) and kind != "googledrive_file":
        faults.add((*path, "path"), f"'path' is {kind_of(place)}, neither a text nor a list of texts")
    command = getter.get("command")
    if command is not None and not isinstance(command, str) and not _are_texts(command):
        faults.add((*path, "command"), f"'command' is {kind_of(command)}, neither a text nor a list of texts")


def _check_rules(metric: str, result: Data, expected: Data, path: DataPath, faults: Faults) -> None:
    if expected.get("type") == "step_actions" or result.get("type") == "rule":
        if metric == "check_step_actions":
            faults.add(path, "'result' and 'expected' are the wrong way round")
        return
    rules = expected.get("rules")
    if expected.get("type") != "rule" or rules is None:
        return
    for key in RULES.get(metric, ()):
        if not isinstance(rules, dict):
            faults.add(path, f"the rules of {metric!r} are {kind_of(rules)}, not an object")
            return
        if key not in rules:
            faults.add(path, f"the rules of {metric!r} lack {key!r}")
