"""What OSWorld judges of Visual Studio Code, and of programs written with it, in our words."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.suites.foreign.osworld_form import ForeignComparison
from proctor.suites.foreign.osworld_looks import Metric, Sides, hint_of, url_of
from proctor.suites.foreign.translation import NotJudgedYet, check, guest_path, probe
from proctor.tasks.call import Call


def is_extension_installed(each: ForeignComparison, looks: Sides) -> Call:
    """What is listed has a piece in it, or lacks it."""
    rules = looks.rules(each.expected)
    side = {"contain": "every", "not_contain": "none"}.get(rules["type"])
    if side is None:
        raise NotJudgedYet(f"'is_extension_installed' of the type {rules['type']!r}")
    return check("text_includes", of=looks.text(each.result), **{side: [str(rules["expected"])]})


def check_python_file_by_test_suite(each: ForeignComparison, looks: Sides) -> Call:
    """A function of tests says yes to some Python files; it is called inside the computer."""
    paths = each.result["path"] if isinstance(each.result["path"], list) else [each.result["path"]]
    files = {hint_of(each.result, n) or path.rpartition("/")[2]: guest_path(path) for n, path in enumerate(paths)}
    suite = looks.into.content(url_of(each.expected), hint_of(each.expected))
    function = str(each.options.get("test_function_name", "test"))
    return check("returns", of=probe("suite_verdict", files=files, suite=suite, function=function), values=[True])


def check_json_settings(each: ForeignComparison, looks: Sides) -> Call:
    """An object in a file has some entries."""
    of = looks.side(each.result, "json", comments=True)
    return check("json_includes", of=of, entries=dict(looks.rules(each.expected)["expected"]))


def check_json_keybindings(each: ForeignComparison, looks: Sides) -> Call:
    """A list in a file has an item."""
    of = looks.side(each.result, "json", comments=True)
    return check("json_lists", of=of, item=looks.rules(each.expected)["expected"])


CODE_METRICS: Mapping[str, Metric] = {
    "is_extension_installed": is_extension_installed,
    "check_python_file_by_test_suite": check_python_file_by_test_suite,
    "check_json_settings": check_json_settings,
    "check_json_keybindings": check_json_keybindings,
}
