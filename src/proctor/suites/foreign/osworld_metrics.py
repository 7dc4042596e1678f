"""OSWorld's metrics in our words: each becomes a check, or says that there is none yet."""

from __future__ import annotations

import re
from collections.abc import Mapping

from proctor.suites.foreign.faults import several, truth
from proctor.suites.foreign.osworld_code import CODE_METRICS
from proctor.suites.foreign.osworld_course import check_step_actions
from proctor.suites.foreign.osworld_documents import DOCUMENT_METRICS
from proctor.suites.foreign.osworld_form import ForeignComparison, OSWorldForm
from proctor.suites.foreign.osworld_looks import CHROME, SETTINGS, Metric, Sides, hint_of, url_of
from proctor.suites.foreign.osworld_media import MEDIA_METRICS
from proctor.suites.foreign.osworld_pages import (
    PAGE_METRICS,
    check_page_object,
    colours_of_browser,
    part_of_address,
    unpacked_extension,
)
from proctor.suites.foreign.osworld_results import RESULT_METRICS, refuse_unsound, rule_of
from proctor.suites.foreign.osworld_tables import compare_table
from proctor.suites.foreign.translation import ALWAYS, NotJudgedYet, Translation, check, guest_path, probe
from proctor.tasks.call import Call


def checks_of(form: OSWorldForm, into: Translation) -> Call:
    """Return the check that judges a task."""
    if form.infeasible:
        return ALWAYS  # whether it was given up decides
    looks = Sides(form.after, into)
    parts = [_check_of(each, looks) for each in form.comparisons]
    if len(parts) == 1:
        return parts[0]
    if form.any_counts:
        return check("any_of", of=parts)
    # The mean of what each gives, and nothing where one gives nothing.
    return check("mean_of", of=parts)


def _check_of(comparison: ForeignComparison, looks: Sides) -> Call:
    found = METRICS_IN_OUR_WORDS.get(comparison.metric)
    if found is None:
        raise NotJudgedYet(f"the metric {comparison.metric!r}")
    return found(comparison, looks)


def exact_match(each: ForeignComparison, looks: Sides) -> Call:
    """One text is another, or a setting of the browser has a value."""
    wanted = looks.rules(each.expected)["expected"]
    kind = each.result.get("type", "")
    if kind == "url_dashPart":
        return part_of_address(each, looks)
    if kind in SETTINGS:
        value = {"true": True, "false": False}.get(wanted, wanted) if isinstance(wanted, str) else wanted
        return check("browser_setting_is", of=_setting(kind), value=value)
    if not isinstance(wanted, str):
        raise NotJudgedYet(f"'exact_match' of {wanted!r}, which is no text")
    if kind == "data_delete_automacally":
        if wanted != "true":
            raise NotJudgedYet("'data_delete_automacally' that is not wanted")
        name = "profile.default_content_setting_values.cookies"
        return check("browser_setting_is", of=probe("browser_setting", browser=CHROME, name=name), value=4)
    return check("output_is", of=looks.text(each.result), text=wanted)


def match_in_list(each: ForeignComparison, looks: Sides) -> Call:
    """One text is one of several."""
    texts = [str(text) for text in several(looks.rules(each.expected)["expected"])]
    kind = each.result.get("type", "")
    if kind == "chrome_appearance_mode_ui":
        return colours_of_browser(each, looks)
    if kind in SETTINGS:
        return check("any_of", of=[check("browser_setting_is", of=_setting(kind), value=text) for text in texts])
    return check("output_among", of=looks.text(each.result), texts=texts)


def check_include_exclude(each: ForeignComparison, looks: Sides) -> Call:
    """A text holds some pieces and lacks others."""
    rules = looks.rules(each.expected)
    pieces = {"every": several(rules.get("include")), "none": several(rules.get("exclude"))}
    return check("text_includes", of=looks.text(each.result), **pieces)


def file_contains(each: ForeignComparison, looks: Sides) -> Call:
    """A text holds some pieces."""
    return check("text_includes", of=looks.text(each.result), every=several(looks.rules(each.expected)["expected"]))


def is_in_list(each: ForeignComparison, looks: Sides) -> Call:
    """A text holds one piece."""
    if each.result.get("type") == "find_unpacked_extension_path":
        return unpacked_extension(each, looks)
    return check("text_includes", of=looks.text(each.result), every=[str(looks.rules(each.expected)["expected"])])


def check_list(each: ForeignComparison, looks: Sides) -> Call:
    """Patterns are found in some lines, others in none."""
    rules = looks.rules(each.expected)
    patterns = {"every": several(rules.get("expect")), "none": several(rules.get("unexpect"))}
    for pattern in (*patterns["every"], *patterns["none"]):
        refuse_unsound(pattern)
    return check("lines_match", of=looks.text(each.result), **patterns)


def is_in_vm_clickboard(each: ForeignComparison, looks: Sides) -> Call:
    """The clipboard holds some texts; some tasks give the two sides the other way round."""
    of, rules = (each.expected, each.result) if each.result.get("type") == "rule" else (each.result, each.expected)
    return check("text_includes", of=looks.text(of), every=several(looks.rules(rules)["expected"]))


def is_not_empty(each: ForeignComparison, looks: Sides) -> Call:
    """Something was printed."""
    return check("says_something", of=looks.text(each.result))


def is_utc_0(each: ForeignComparison, looks: Sides) -> Call:
    """The clock goes by world time."""
    return check("lines_match", of=looks.text(each.result), every=[r"\+0000\)$"])


def check_text_enlarged(each: ForeignComparison, looks: Sides) -> Call:
    """The scale of texts is above 1."""
    return check("output_above", of=looks.text(each.result), number=1.0)


def check_gnome_favorite_apps(each: ForeignComparison, looks: Sides) -> Call:
    """The list of favourites has exactly some items."""
    return check("output_items", of=looks.text(each.result), items=several(looks.rules(each.expected)["expected"]))


def check_direct_json_object(each: ForeignComparison, looks: Sides) -> Call:
    """What was printed is an object with some entries."""
    if each.result.get("type") != "vm_command_line":
        return check_page_object(each, looks)
    rules = looks.rules(each.expected)
    within = truth(rules.get("expect_in_result"))
    return check("output_has", of=looks.text(each.result), entries=dict(rules["expected"]), within=within)


def check_moved_jpgs(each: ForeignComparison, looks: Sides) -> Call:
    """A folder holds exactly some files."""
    names = several(looks.rules(each.expected)["expected"])
    return check("folder_holds", of=probe("folder", path=guest_path(each.result["path"])), exactly=names)


def check_line_number(each: ForeignComparison, looks: Sides) -> Call:
    """So many lines have a time of day."""
    count = looks.rules(each.expected)["expected"]
    if not str(count).isdigit():
        raise NotJudgedYet(f"'check_line_number' with {count!r}, which is no number")
    return check("count_of_lines", of=looks.text(each.result), pattern=r"\d{2}:\d{2}:\d{2}", count=int(count))


def compare_text_file(each: ForeignComparison, looks: Sides) -> Call:
    """Two texts are equal."""
    blanks = not truth(each.options.get("ignore_blanks"))
    case = not truth(each.options.get("ignore_case"))
    return check("same_letters", of=looks.text(each.result), other=looks.text(each.expected), blanks=blanks, case=case)


def diff_text_file(each: ForeignComparison, looks: Sides) -> Call:
    """How much of two texts is the same."""
    return check("text_like", of=looks.text(each.result), other=looks.text(each.expected))


def compare_csv(each: ForeignComparison, looks: Sides) -> Call:
    """Two texts have the same lines; of several expected ones, any counts."""
    strict = truth(each.options.get("strict", True))
    case = not truth(each.options.get("ignore_case"))
    count = len(each.expected["path"]) if isinstance(each.expected.get("path"), list) else 1
    others = [looks.side(each.expected, "text", place=place) for place in range(count)]
    of = looks.text(each.result)
    found = [check("same_lines", of=of, other=other, strict=strict, case=case) for other in others]
    return found[0] if len(found) == 1 else check("any_of", of=found)


def compare_config(each: ForeignComparison, looks: Sides) -> Call:
    """A text is another."""
    return check("output_is", of=looks.text(each.result), text=str(looks.rules(each.expected)["expected"]))


def compare_files_exactly(each: ForeignComparison, looks: Sides) -> Call:
    """Two files are equal byte for byte."""
    of = looks.side(each.result, "digest")
    if each.expected.get("type") != "cloud_file":
        return check("same_content", of=of, other=looks.side(each.expected, "digest"))
    return check("digest_is", of=of, sha256=looks.into.digest(url_of(each.expected), hint_of(each.expected)))


def check_thunderbird_prefs(each: ForeignComparison, looks: Sides) -> Call:
    """Settings of Thunderbird are as rules say."""
    rules = looks.rules(each.expected)
    listed = {
        side: {name: rule_of(rule) for name, rule in (rules.get(side) or {}).items()} for side in ("expect", "unexpect")
    }
    return check("prefs_agree", of=looks.text(each.result), **listed)


def check_config_status(each: ForeignComparison, looks: Sides) -> Call:
    """A line of GIMP's settings has a key and a value."""
    rules = looks.rules(each.expected)
    key = rules["key"] if isinstance(rules["key"], str) else " ".join(rules["key"])
    pattern = rf"^\s*\(+{re.escape(key)}\s+{re.escape(str(rules['value']))}\s*\)"
    return check("lines_match", of=looks.text(each.result), every=[pattern])


def _vlc(setting: str, usual: str, key: str) -> Metric:
    def metric(each: ForeignComparison, looks: Sides) -> Call:
        wanted = looks.rules(each.expected).get(key)
        if wanted is None:
            raise NotJudgedYet(f"the metric {each.metric!r} without {key!r}")
        value = str(int(wanted)) if isinstance(wanted, bool) else str(wanted)
        missing = {setting: usual} if usual else {}
        return check("player_setting", of=probe("vlc_settings"), values={setting: value}, missing=missing)

    return metric


def check_history_deleted(each: ForeignComparison, looks: Sides) -> Call:
    """No address with some words in it is remembered."""
    words = several(looks.rules(each.expected).get("keywords"))
    if each.result.get("type") != "history" or not words:
        raise NotJudgedYet("'check_history_deleted' without keywords")
    return check("addresses_lack", of=probe("visited_pages", browser=CHROME), words=words)


def check_font_size(each: ForeignComparison, looks: Sides) -> Call:
    """The letters of pages have a size in a range."""
    rules = looks.rules(each.expected)
    exact = rules.get("type") == "value"
    told = (rules.get("value"),) * 2 if exact else (rules.get("min"), rules.get("max"))
    ends = [float(end) for end in told if end is not None]
    if len(ends) < len(told):
        raise NotJudgedYet("'check_font_size' without a size")
    # Neither end of a range is in it; sizes are whole numbers.
    least, most = (end + more for end, more in zip(ends, (0, 0) if exact else (1, -1), strict=True))
    return check("setting_between", of=_setting("chrome_font_size"), least=least, most=most)


def _setting(kind: str) -> Call:
    return probe("browser_setting", browser=CHROME, name=SETTINGS[kind])


METRICS_IN_OUR_WORDS: Mapping[str, Metric] = {
    **DOCUMENT_METRICS,
    **PAGE_METRICS,
    **CODE_METRICS,
    **MEDIA_METRICS,
    **RESULT_METRICS,
    "compare_table": compare_table,
    "exact_match": exact_match,
    "match_in_list": match_in_list,
    "check_include_exclude": check_include_exclude,
    "file_contains": file_contains,
    "is_in_list": is_in_list,
    "check_list": check_list,
    "is_in_vm_clickboard": is_in_vm_clickboard,
    "is_not_empty": is_not_empty,
    "is_utc_0": is_utc_0,
    "check_text_enlarged": check_text_enlarged,
    "check_gnome_favorite_apps": check_gnome_favorite_apps,
    "check_direct_json_object": check_direct_json_object,
    "check_moved_jpgs": check_moved_jpgs,
    "check_line_number": check_line_number,
    "compare_text_file": compare_text_file,
    "diff_text_file": diff_text_file,
    "compare_csv": compare_csv,
    "compare_config": compare_config,
    "compare_files_exactly": compare_files_exactly,
    "check_thunderbird_prefs": check_thunderbird_prefs,
    "check_config_status": check_config_status,
    "is_vlc_recordings_folder": _vlc("input-record-path", "", "recording_file_path"),
    "check_qt_bgcone": _vlc("qt-bgcone", "1", "expected_qt_bgcone"),
    "check_qt_max_volume": _vlc("qt-max-volume", "125", "expected_qt_max_volume"),
    "check_qt_minimal_view": _vlc("qt-minimal-view", "0", "expected_qt_minimal_view"),
    "check_one_instance_when_started_from_file": _vlc(
        "one-instance-when-started-from-file", "1", "expected_one_instance_when_started_from_file"
    ),
    "check_play_and_exit": _vlc("play-and-exit", "0", "expected_play_and_exit"),
    "check_step_actions": check_step_actions,
    "check_history_deleted": check_history_deleted,
    "check_font_size": check_font_size,
}
