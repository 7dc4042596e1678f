"""OSWorld's metrics of what programs print and keep, of letters and of players, in our words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from proctor.suites.foreign.faults import Data, several, truth
from proctor.suites.foreign.osworld_form import ForeignComparison
from proctor.suites.foreign.osworld_looks import Metric, Sides, file_of, pair_metric
from proctor.suites.foreign.translation import ALWAYS, NotJudgedYet, check, guest_path, probe
from proctor.tasks.call import Call

SLIDER = "qt-slider-colours"
USUAL_SLIDER = "153;210;153;20;210;20;255;199;15;245;39;29"
"""The colours in which VLC draws how loud it is, unless told otherwise."""


def fuzzy_match(each: ForeignComparison, looks: Sides) -> Call:
    """How much of a text is right."""
    return check("text_near", of=looks.text(each.result), text=str(looks.rules(each.expected)["expected"]))


def literal_match(each: ForeignComparison, looks: Sides) -> Call:
    """A text, a list or the content of a folder is another."""
    kinds = {each.result.get("type"), each.expected.get("type")}
    case = not truth(each.options.get("ignore_case"))
    if kinds == {"vm_dir_file_hashes"}:
        of, other = (probe("folder_digests", path=file_of(side)) for side in (each.result, each.expected))
        return check("same_digests", of=of, other=other)
    if each.result.get("type") == "content_from_vm_file":
        if each.result.get("file_type") != "xlsx" or each.result.get("file_content") != "last_row":
            raise NotJudgedYet(f"the content {each.result.get('file_content')!r} of a file")
        values = looks.rules(each.expected)["expected"]
        of = probe("spreadsheet", path=file_of(each.result))
        return check("last_row_is", of=of, values=list(values), case=case)
    if each.expected.get("type") != "rule":
        return check("same_letters", of=looks.text(each.result), other=looks.text(each.expected), case=case)
    wanted = looks.rules(each.expected)["expected"]
    if isinstance(wanted, list):
        return check("list_is", of=looks.text(each.result), items=wanted, case=case)
    given = {"path": "what is expected", "text": str(wanted)}
    return check("same_letters", of=looks.text(each.result), other=given, case=case)


def check_one_of_equal(each: ForeignComparison, looks: Sides) -> Call:
    """One item of a list is as it should be."""
    return check("one_item", of=looks.text(each.result), item=looks.rules(each.expected)["expected"])


def check_one_of_include(each: ForeignComparison, looks: Sides) -> Call:
    """One item of a list holds some texts."""
    wanted = looks.rules(each.expected)["expected"]
    return check("one_item", of=looks.text(each.result), pieces=[str(piece) for piece in several(wanted)])


def check_csv(each: ForeignComparison, looks: Sides) -> Call:
    """A table has some rows and lacks others."""
    rules = looks.rules(each.expected)
    listed = {side: several(rules.get(side)) for side in ("expect", "unexpect")}
    if looks.is_printed(each.result):
        return check("printed_rows_agree", of=looks.text(each.result), **listed)
    return check("rows_agree", of=looks.side(each.result, "csv"), **listed)


def check_json(each: ForeignComparison, looks: Sides) -> Call:
    """What stands under keys is as rules say."""
    rules = looks.rules(each.expected)
    listed = {side: [rule_of(rule) for rule in rules.get(side) or []] for side in ("expect", "unexpect")}
    word = "yaml" if truth(each.options.get("is_yaml")) else "json"
    return check("json_agrees", of=looks.side(each.result, word), **listed)


def is_included_all_json_objects(each: ForeignComparison, looks: Sides) -> Call:
    """A JSON file has all entries of another, on whichever side that one is given."""
    sides = (each.result, each.expected)
    of, other = sides if each.result.get("type") != "cloud_file" else sides[::-1]
    return check("json_covers", of=looks.side(of, "json"), other=looks.side(other, "json"))


def is_gold_text_included_in_pdf(each: ForeignComparison, looks: Sides) -> Call:
    """A PDF file says all that stands in a JSON file."""
    return check("pdf_holds", of=looks.side(each.result, "pdf"), other=looks.side(each.expected, "json"))


def compare_result_files(each: ForeignComparison, looks: Sides) -> Call:
    """A text is the result that another holds; a number may stand anywhere, as 12.5 in 112.5."""
    of, other = looks.text(each.result), looks.text(each.expected)
    return check("same_result", of=of, other=other, **({"anywhere": True} if looks.into.faithful else {}))


def run_sqlite3(each: ForeignComparison, looks: Sides) -> Call:
    """What a query finds first is not 0."""
    return check("query_holds", of=looks.side(each.result, "query", sql=str(looks.rules(each.expected)["sql"])))


def compare_conference_city_in_order(each: ForeignComparison, looks: Sides) -> Call:
    """The cells of a column, from C2 down, name the right cities."""
    texts = [several(text) for text in several(looks.rules(each.expected)["expected"])]
    return check("cells_say", of=looks.side(each.result, "spreadsheet"), cell="C2", texts=texts)


def check_html_background_image(each: ForeignComparison, looks: Sides) -> Call:
    """A page says which picture lies behind it."""
    name = re.escape(str(looks.rules(each.expected)["value"]))
    pattern = rf"background(?:-image)?\s*:[^;}}]*url\(\s*['\"]?(?:\./)?{name}['\"]?\s*\)"
    return check("text_matches", of=looks.text(each.result), pattern=pattern)


def check_thunderbird_filter(each: ForeignComparison, looks: Sides) -> Call:
    """Thunderbird sorts letters by some rules and not by others."""
    rules = looks.rules(each.expected)
    listed = {side: several(rules.get(side)) for side in ("expect", "unexpect")}
    return check("mail_filters_agree", of=looks.text(each.result), **listed)


def check_thunderbird_folder(each: ForeignComparison, looks: Sides) -> Call:
    """Folders of Thunderbird hold the letters of others; there, whatever they hold is right."""
    if looks.into.faithful:
        return ALWAYS
    count = len(each.result["path"]) if isinstance(each.result.get("path"), list) else 1
    kept = {
        "struck": not truth(each.options.get("remove_deleted", True)),
        "twice": not truth(each.options.get("remove_duplicate", True)),
    }
    pairs = [[looks.side(side, "mail_file", place=at) for side in (each.result, each.expected)] for at in range(count)]
    found = [check("same_letters_kept", of=of, other=other, **kept) for of, other in pairs]
    return found[0] if count == 1 else check("all_of", of=found)


def compare_mail_content(each: ForeignComparison, looks: Sides) -> Call:
    """The first letter that came says what it should, to whom it should."""
    if each.result.get("type") != "vm_first_mail_file_parsed" or each.expected.get("type") != "mail_attachments":
        raise NotJudgedYet(f"the getter {each.result.get('type')!r} where a letter is compared")
    wanted = each.expected
    told: dict[str, object] = {key: str(wanted[key]) for key in ("to", "subject", "body") if wanted.get(key)}
    files = [
        looks.into.digest(str(file["path"]), str(file.get("dest", ""))) for file in wanted.get("attachments") or ()
    ]
    how = "contains" if each.options.get("body_type") == "contains" else "equals"
    blanks = not truth(each.options.get("ignore_blanks"))
    letter = probe("first_letter", path=guest_path("Maildir/new"))
    return check("letter_reads", of=letter, **told, how=how, blanks=blanks, **({"files": files} if files else {}))


def is_vlc_playing(each: ForeignComparison, looks: Sides) -> Call:
    """VLC plays a file, or what lies at an address."""
    rules = looks.rules(each.expected)
    of = probe("player", name="vlc")
    if rules.get("type") == "url" and isinstance(rules.get("url"), str):
        return check("playing_address", of=of, address=rules["url"])
    if rules.get("type") != "file_name" or not isinstance(rules.get("file_name"), str):
        raise NotJudgedYet(f"'is_vlc_playing' of the kind {rules.get('type')!r}")
    return check("playing_file_named", of=of, name=str(rules["file_name"]).rpartition("/")[2])


def is_vlc_fullscreen(each: ForeignComparison, looks: Sides) -> Call:
    """A window is as large as the screen."""
    kinds = {each.result.get("type"): each.result, each.expected.get("type"): each.expected}
    if set(kinds) != {"vm_screen_size", "vm_window_size"}:
        raise NotJudgedYet("'is_vlc_fullscreen' of anything but a window and the screen")
    app = str(kinds["vm_window_size"].get("app_class_name") or "vlc")
    return check("window_fills_screen", of=probe("windows"), screen=probe("screen_size"), app=app)


def check_qt_slider_colours(each: ForeignComparison, looks: Sides) -> Call:
    """VLC draws how loud it is in some colours, or in dark ones."""
    rules = looks.rules(each.expected)
    if rules.get("type") == "blackish":
        return check("colours_dark", of=probe("vlc_settings"), name=SLIDER, usual=USUAL_SLIDER)
    if rules.get("type") != "match" or not rules.get("expected_qt_slider_colours"):
        raise NotJudgedYet(f"'check_qt_slider_colours' of the kind {rules.get('type')!r}")
    values = {SLIDER: str(rules["expected_qt_slider_colours"])}
    return check("player_setting", of=probe("vlc_settings"), values=values, missing={SLIDER: USUAL_SLIDER})


def check_global_key_play_pause(each: ForeignComparison, looks: Sides) -> Call:
    """A key starts and halts VLC wherever one is, or none does."""
    made = truth(looks.rules(each.expected)["expected_global_key_play_pause"])
    return check("player_setting_made", of=probe("vlc_settings"), name="global-key-play-pause", made=made)


def check_file_exists(each: ForeignComparison, looks: Sides) -> Call:
    """A file is there."""
    return check("file_exists", of=looks.side(each.result, "file"))


def rule_of(rule: Data) -> dict[str, object]:
    """Return a rule for one value, without what else stands beside it."""
    found = {key: rule[key] for key in ("key", "method", "ref") if key in rule}
    if str(found.get("method", "")).startswith("re"):
        refuse_unsound(str(found.get("ref")))
    return found


def refuse_unsound(pattern: str) -> None:
    """Raise NotJudgedYet for a pattern that is no regular expression."""
    try:
        re.compile(pattern)
    except (re.error, RecursionError) as error:
        raise NotJudgedYet(f"the pattern {pattern!r}, which is no regular expression: {error}") from error


RESULT_METRICS: Mapping[str, Metric] = {
    "fuzzy_match": fuzzy_match,
    "literal_match": literal_match,
    "check_one_of_equal": check_one_of_equal,
    "check_one_of_include": check_one_of_include,
    "check_csv": check_csv,
    "check_json": check_json,
    "is_included_all_json_objects": is_included_all_json_objects,
    "is_gold_text_included_in_pdf": is_gold_text_included_in_pdf,
    "run_sqlite3": run_sqlite3,
    "compare_conference_city_in_order": compare_conference_city_in_order,
    "compare_python_pure_text": pair_metric("same_without_blanks", "text"),
    "compare_result_files": compare_result_files,
    "compare_htmls": pair_metric("same_html", "text"),
    "compare_terminal_and_txt": pair_metric("same_letters", "text"),
    "check_html_background_image": check_html_background_image,
    "check_thunderbird_filter": check_thunderbird_filter,
    "check_thunderbird_folder": check_thunderbird_folder,
    "compare_mail_content": compare_mail_content,
    "is_vlc_playing": is_vlc_playing,
    "is_vlc_fullscreen": is_vlc_fullscreen,
    "check_qt_slider_colours": check_qt_slider_colours,
    "check_global_key_play_pause": check_global_key_play_pause,
    "check_file_exists": check_file_exists,
}
