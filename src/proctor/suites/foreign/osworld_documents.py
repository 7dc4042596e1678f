"""OSWorld's metrics of documents, slides and PDF files in our words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from proctor.suites.foreign.faults import several, truth
from proctor.suites.foreign.osworld_form import ForeignComparison
from proctor.suites.foreign.osworld_looks import Metric, Sides, hint_of, pair_metric, url_of
from proctor.suites.foreign.translation import NotJudgedYet, check, probe
from proctor.tasks.call import Call

SWITCHES = {
    "examine_number_of_slides": "count",
    "examine_shape": "places",
    "examine_text": "text",
    "examine_font_name": "font",
    "examine_font_size": "size",
    "examine_font_bold": "bold",
    "examine_font_italic": "italic",
    "examine_font_underline": "underline",
    "examine_color_rgb": "colour",
    "examine_strike_through": "strike",
    "examine_alignment": "align",
    "examine_indent": "level",
    "examine_bullets": "mark",
    "examine_background_color": "background",
    "examine_note": "notes",
    "examine_shape_lenient_height": "lenient_height",
}
"""OSWorld's switches, and what ours are called."""
WITHOUT_EFFECT = frozenset({"examine_run_count", "approximately_tolerance", "enable_debug"})
"""Letters are compared one by one here, so it does not matter how they are cut into runs."""
MOVED: Mapping[str, Mapping[str, object]] = {
    "examine_title_bottom_position": {"edge": "bottom", "line_mm": 100.0, "says": "Product Comparison"},
    "examine_table_bottom_position": {"edge": "bottom", "line_mm": 100.0, "number": 3, "kind": "table"},
    "examine_right_position": {"edge": "right", "line_mm": 120.0, "number": 2, "kind": "no text"},
    "examine_top_position": {"edge": "top", "line_mm": 55.0, "number": 2, "kind": "picture"},
}
"""Switches for shapes that were moved; there, the slides and the title stand in the program."""
OF_SIZES: Mapping[str, Mapping[str, object]] = {
    "examine_image_size": {"picture_size": True},
    "examine_modify_height": {"places": True, "only_height": True},
    "examine_shape_for_shift_size": {"places": True, "anywhere": ["Elaborate on what you want to discuss."]},
}
"""Switches for sizes and places; the last two matter where places are not compared anyway."""


def compare_pptx_files(each: ForeignComparison, looks: Sides) -> Call:
    """A presentation is like another, but for what is to be moved in it."""
    told = {name: truth(value) for name, value in each.options.items() if name not in WITHOUT_EFFECT}
    compared: dict[str, object] = {SWITCHES[name]: value for name, value in told.items() if name in SWITCHES}
    extra = [name for name, value in told.items() if value and name not in SWITCHES]
    if unknown := set(told) - {*SWITCHES, *MOVED, *OF_SIZES}:
        raise NotJudgedYet(f"the option {min(unknown)!r} of 'compare_pptx_files'")
    for name in extra:
        if name in OF_SIZES and not (name != "examine_image_size" and compared.get("places", True)):
            compared |= OF_SIZES[name]
    if looks.into.faithful:
        compared["background"] = False  # what is asked for there sets it, and tells nothing
    of, other = (looks.side(side, "pptx") for side in (each.result, each.expected))
    found = [check("same_slides", of=of, other=other, compared=compared)]
    found += [check("shape_nearer", of=of, other=other, **MOVED[name]) for name in extra if name in MOVED]
    return found[0] if len(found) == 1 else check("all_of", of=found)


def compare_docx_files(each: ForeignComparison, looks: Sides) -> Call:
    """A document has the text of another; of several expected ones, each with its result."""
    options = each.options
    if unknown := set(options) - {
        "ignore_blanks",
        "ignore_case",
        "ignore_order",
        "content_only",
        "fuzzy_match",
        "delete_empty_lines",
        "similarity_threshold",
    }:
        raise NotJudgedYet(f"the option {min(unknown)!r} of 'compare_docx_files'")
    of, other = (looks.side(side, "document") for side in (each.result, each.expected))
    if truth(options.get("content_only")) or truth(options.get("fuzzy_match")):
        least = options.get("similarity_threshold")
        return check("like_document", of=of, other=other, **({} if least is None else {"least": float(least)}))
    return check(
        "same_paragraphs",
        of=of,
        other=other,
        blanks=not truth(options.get("ignore_blanks", True)),
        empty=not truth(options.get("delete_empty_lines")),
        case=not truth(options.get("ignore_case")),
        ordered=not truth(options.get("ignore_order")),
    )


def compare_docx_files_and_ignore_new_lines(each: ForeignComparison, looks: Sides) -> Call:
    """A document has the text of another, empty paragraphs left out."""
    of, other = (looks.side(side, "document") for side in (each.result, each.expected))
    return check("same_paragraphs", of=of, other=other, empty=False)


def compare_references(each: ForeignComparison, looks: Sides) -> Call:
    """How much of the list of references is right."""
    of, other = (looks.side(side, "document") for side in (each.result, each.expected))
    base = float(each.options.get("reference_base_result", 0.5))
    after = str(each.options.get("reference_indicator", "References"))
    return check("like_document", of=of, other=other, base=base, after=after)


def _alone(name: str, **arguments: object) -> Metric:
    """Return a metric that is a check of one document."""

    def metric(each: ForeignComparison, looks: Sides) -> Call:
        return check(name, of=looks.side(each.result, "document"), **arguments)

    return metric


def _of_word(name: str) -> Metric:
    """Return a metric that is a check of two Word documents as they are written."""

    def metric(each: ForeignComparison, looks: Sides) -> Call:
        of, other = (looks.side(side, "docx") for side in (each.result, each.expected))
        return check(name, of=of, other=other)

    return metric


def compare_docx_lines(each: ForeignComparison, looks: Sides) -> Call:
    """A document has the lines of another, in any order."""
    of, other = (looks.side(side, "document") for side in (each.result, each.expected))
    told = {"blanks": False, "empty": False, "ordered": False, **({"once": True} if looks.into.faithful else {})}
    return check("same_paragraphs", of=of, other=other, **told)


def compare_docx_exactly(each: ForeignComparison, looks: Sides) -> Call:
    """A document has the text of another, set out in the same way, and its pictures."""
    of, other = (looks.side(side, "document") for side in (each.result, each.expected))
    return check("all_of", of=[check(name, of=of, other=other) for name in ("same_layout", "same_pictures")])


def compare_subscript_contains(each: ForeignComparison, looks: Sides) -> Call:
    """The same letters are lowered as in another document; there, any are enough."""
    of, other = (looks.side(side, "docx") for side in (each.result, each.expected))
    return check("same_subscripts", of=of, other=other, **({"any_count": True} if looks.into.faithful else {}))


def check_tabstops(each: ForeignComparison, looks: Sides) -> Call:
    """A document has the tab stops of another."""
    words = each.options.get("word_number_split_by_tabstop")
    counted = {} if words is None else {"words": int(words), "part": int(each.options.get("index", 0))}
    of, other = (looks.side(side, "docx") for side in (each.result, each.expected))
    return check("same_tabstops", of=of, other=other, **counted)


def evaluate_colored_words_in_tables(each: ForeignComparison, looks: Sides) -> Call:
    """Words in tables are red where they begin with a vowel, blue otherwise; the text is as it was."""
    of, other = (looks.side(side, "document") for side in (each.result, each.expected))
    colours = {"colours": {"aeiou": "#ff0000"}, "others": "#0000ff"}
    coloured = check("words_coloured", of=looks.side(each.result, "docx"), **colours)
    parts = [check(name, of=of, other=other) for name in ("same_paragraphs", "same_tables")]
    return check("all_of", of=[*parts, coloured])


def compare_unique_train_records(each: ForeignComparison, looks: Sides) -> Call:
    """One line of each train is left in a document."""
    paths = each.expected.get("path")
    if not isinstance(paths, list) or len(paths) != 2:
        raise NotJudgedYet("'compare_unique_train_records' without the expected lines and those before")
    wanted, before = (looks.side(each.expected, "document", place=place) for place in (0, 1))
    return check("records_once", of=looks.side(each.result, "document"), before=before, wanted=wanted)


def check_no_duplicates(each: ForeignComparison, looks: Sides) -> Call:
    """One line of each train is left; what was there before is given first."""
    before, of = (looks.side(side, "document") for side in (each.result, each.expected))
    return check("records_once", of=of, before=before)


def fuzzy_place_math(each: ForeignComparison, looks: Sides) -> Call:
    """Three words are near what they should be."""
    words = [str(word) for word in several(looks.rules(each.expected)["expected"])]
    return check("words_near", of=looks.side(each.result, "document"), words=words)


def check_libre_locale(each: ForeignComparison, looks: Sides) -> Call:
    """LibreOffice goes by the habits of one of some countries."""
    wanted = looks.rules(each.expected)["locale_set"]
    lines = [_registry("/org.openoffice.Setup/L10N", "ooSetupSystemLocale", str(each_one)) for each_one in wanted]
    of = looks.text(each.result)
    return check("any_of", of=[check("lines_match", of=of, every=every) for every in lines])


def check_highlighted_words(each: ForeignComparison, looks: Sides) -> Call:
    """Nothing is highlighted any more, and the text is as it should be."""
    of, other = (looks.side(side, "document") for side in (each.result, each.expected))
    return check("all_of", of=[check("same_paragraphs", of=of, other=other), check("nothing_highlighted", of=of)])


def check_italic_font_size_14(each: ForeignComparison, looks: Sides) -> Call:
    """What is in italics has a size, and the text is as it should be."""
    of, other = (looks.side(side, "document") for side in (each.result, each.expected))
    return check("all_of", of=[check("same_paragraphs", of=of, other=other), check("italics_sized", of=of, size=14.0)])


def compare_font_names(each: ForeignComparison, looks: Sides) -> Call:
    """All of a text is in one font."""
    rules = looks.rules(each.expected)
    return check("font_throughout", of=looks.side(each.result, "document"), font=str(rules["font_name"]))


def contains_page_break(each: ForeignComparison, looks: Sides) -> Call:
    """A document has page breaks."""
    count = looks.rules(each.expected).get("page_break_count") if each.expected else None
    return check(
        "page_breaks", of=looks.side(each.result, "document"), **({} if count is None else {"count": int(count)})
    )


def _registry(path: str, name: str, value: str) -> list[str]:
    return [rf'oor:path="{re.escape(path)}">.*oor:name="{re.escape(name)}".*<value>{re.escape(value)}</value>']


def find_default_font(each: ForeignComparison, looks: Sides) -> Call:
    """LibreOffice Writer begins with a font."""
    font = str(looks.rules(each.expected)["font_name"])
    wanted = _registry("/org.openoffice.Office.Writer/DefaultFont", "Standard", font)
    return check("lines_match", of=looks.text(each.result), every=wanted)


def check_auto_saving_time(each: ForeignComparison, looks: Sides) -> Call:
    """LibreOffice saves by itself every so many minutes."""
    minutes = str(looks.rules(each.expected)["minutes"])
    path = "/org.openoffice.Office.Common/Save/Document"
    wanted = [*_registry(path, "AutoSaveTimeIntervall", minutes), *_registry(path, "AutoSave", "true")]
    return check("lines_match", of=looks.text(each.result), every=wanted)


def check_presenter_console_disable(each: ForeignComparison, looks: Sides) -> Call:
    """LibreOffice Impress shows no presenter's console."""
    wanted = _registry("/org.openoffice.Office.Impress/Misc/Start", "EnablePresenterScreen", "false")
    return check("lines_match", of=looks.text(each.result), every=wanted)


def check_slide_orientation(each: ForeignComparison, looks: Sides) -> Call:
    """Slides stand upright."""
    return check("slides_upright", of=looks.side(each.result, "pptx"))


def check_page_number_colors(each: ForeignComparison, looks: Sides) -> Call:
    """The numbers of slides are in a colour."""
    colour = str(looks.rules(each.expected)["color"] if each.expected else "red").lower()
    if colour not in ("red", "green", "blue", "black"):
        raise NotJudgedYet(f"the colour {colour!r} of 'check_page_number_colors'")
    return check("slide_numbers_coloured", of=looks.side(each.result, "pptx"), colour=colour)


def check_left_panel(each: ForeignComparison, looks: Sides) -> Call:
    """LibreOffice Impress shows the small pictures of the slides beside the one at work."""
    of = probe("controls", window="LibreOffice Impress")
    return check("text_in_controls", of=of, text="/^Slides View$/", role="document frame")


def check_strikethrough(each: ForeignComparison, looks: Sides) -> Call:
    """Some paragraphs on slides are struck through."""
    rules = looks.rules(each.expected)
    places = {
        name: [int(at) + 1 for at in rules[f"{name[:-1]}_index_s"]] for name in ("slides", "shapes", "paragraphs")
    }
    return check("paragraphs_struck", of=looks.side(each.result, "pptx"), **places)


def evaluate_presentation_fill_to_rgb_distance(each: ForeignComparison, looks: Sides) -> Call:
    """The ground of slides is near a colour."""
    rules = looks.rules(each.expected)
    colour = "#" + "".join(f"{int(part):02x}" for part in rules["rgb"])
    return check("grounds_near", of=looks.side(each.result, "slides"), colour=colour)


def check_image_stretch_and_center(each: ForeignComparison, looks: Sides) -> Call:
    """A picture fills the first slide."""
    return check("picture_fills_slide", of=looks.side(each.result, "pptx"))


def check_transition(each: ForeignComparison, looks: Sides) -> Call:
    """A slide comes in by a transition."""
    rules = looks.rules(each.expected)
    number = int(rules["slide_idx"]) + 1
    return check(
        "slide_comes_in", of=looks.side(each.result, "slides"), number=number, by=str(rules["transition_type"])
    )


def compare_pdfs(each: ForeignComparison, looks: Sides) -> Call:
    """How much of the text of PDF files is right, on average."""
    count = len(each.expected["path"]) if isinstance(each.expected.get("path"), list) else 1
    found = [
        check("like_pdf", of=looks.side(each.result, "pdf", place=place), other=_expected_pdf(each, looks, place))
        for place in range(count)
    ]
    return found[0] if count == 1 else check("mean_of", of=found)


def _expected_pdf(each: ForeignComparison, looks: Sides, place: int, word: str = "pdf") -> object:
    kind = each.expected.get("type")
    if kind == "vm_file":
        return looks.side(each.expected, word, place=place)
    if kind == "pdf_from_url" and word == "pdf":
        return Call("probe", "printed_page", {"url": url_of(each.expected, place)})
    if kind != "cloud_file":
        raise NotJudgedYet(f"the getter {kind!r} where a PDF file is compared")
    content = looks.into.content(url_of(each.expected, place), hint_of(each.expected, place))
    name = hint_of(each.expected, place) or "the expected PDF"
    return Call("probe", f"given_{word}", {"base64": content, "name": name})


def compare_pdf_images(each: ForeignComparison, looks: Sides) -> Call:
    """The pages of a PDF file look like those of another."""
    other = _expected_pdf(each, looks, 0, "drawn_pdf")
    return check("same_drawn_pages", of=looks.side(each.result, "drawn_pdf"), other=other)


def check_pdf_pages(each: ForeignComparison, looks: Sides) -> Call:
    """A PDF file has a number of pages."""
    rules = looks.rules(each.expected)
    value = int(rules["ref_value"])
    ranges = {
        "eq": {"least": value, "most": value},
        "ge": {"least": value},
        "gt": {"least": value + 1},
        "le": {"most": value},
        "lt": {"most": value - 1},
    }
    of = looks.side(each.result, "pdf")
    if rules["relation"] == "ne":
        return check("any_of", of=[check("pdf_length", of=of, **ranges[name]) for name in ("lt", "gt")])
    if rules["relation"] not in ranges:
        raise NotJudgedYet(f"the relation {rules['relation']!r} of 'check_pdf_pages'")
    return check("pdf_length", of=of, **ranges[rules["relation"]])


def check_pdf_requirements(each: ForeignComparison, looks: Sides) -> Call:
    """A PDF file says what it must, on a few pages that are full."""
    wanted = looks.rules(each.expected)["expected"]
    of = looks.side(each.result, "pdf")
    parts = [check("like_pdf", of=of, other={"path": "the page", "pages": [str(wanted["text"])]}, least=1.0)]
    if wanted.get("max_pages") is not None:
        parts.append(check("pdf_length", of=of, least=1, most=int(wanted["max_pages"])))
    if wanted.get("max_margin") is not None:
        margins = looks.side(each.result, "pdf_margins")
        parts.append(check("pdf_reaches_down", of=margins, most=float(wanted["max_margin"])))
    return check("mean_of", of=parts)


DOCUMENT_METRICS: Mapping[str, Metric] = {
    "compare_pptx_files": compare_pptx_files,
    "compare_docx_files": compare_docx_files,
    "compare_docx_files_and_ignore_new_lines": compare_docx_files_and_ignore_new_lines,
    "compare_references": compare_references,
    "compare_docx_tables": pair_metric("same_tables", "document"),
    "compare_docx_images": pair_metric("same_pictures", "document"),
    "compare_line_spacing": pair_metric("same_line_spacing", "document"),
    "compare_highlighted_text": pair_metric("same_highlights", "document"),
    "check_highlighted_words": check_highlighted_words,
    "check_italic_font_size_14": check_italic_font_size_14,
    "compare_font_names": compare_font_names,
    "is_first_line_centered": _alone("first_line_centred"),
    "has_page_numbers_in_footers": _alone("pages_numbered"),
    "contains_page_break": contains_page_break,
    "evaluate_strike_through_last_paragraph": pair_metric("last_paragraph_struck", "document"),
    "compare_docx_lines": compare_docx_lines,
    "compare_docx_exactly": compare_docx_exactly,
    "compare_init_lines": pair_metric("begins_like", "document"),
    "compare_subscript_contains": compare_subscript_contains,
    "compare_insert_equation": _of_word("same_equations"),
    "compare_contains_image": _of_word("pictures_placed"),
    "check_tabstops": check_tabstops,
    "evaluate_colored_words_in_tables": evaluate_colored_words_in_tables,
    "evaluate_conversion": _alone("no_capitals"),
    "evaluate_spacing": _alone("line_distances", percents=[100, 200, 150]),
    "compare_unique_train_records": compare_unique_train_records,
    "check_no_duplicates": check_no_duplicates,
    "fuzzy_place_math": fuzzy_place_math,
    "check_libre_locale": check_libre_locale,
    "find_default_font": find_default_font,
    "check_auto_saving_time": check_auto_saving_time,
    "check_presenter_console_disable": check_presenter_console_disable,
    "check_slide_orientation_Portrait": check_slide_orientation,
    "check_page_number_colors": check_page_number_colors,
    "check_left_panel": check_left_panel,
    "check_slide_numbers_color": check_page_number_colors,
    "check_strikethrough": check_strikethrough,
    "evaluate_presentation_fill_to_rgb_distance": evaluate_presentation_fill_to_rgb_distance,
    "check_image_stretch_and_center": check_image_stretch_and_center,
    "check_transition": check_transition,
    "compare_pdfs": compare_pdfs,
    "compare_pdf_images": compare_pdf_images,
    "check_pdf_pages": check_pdf_pages,
    "check_pdf_requirements": check_pdf_requirements,
}
