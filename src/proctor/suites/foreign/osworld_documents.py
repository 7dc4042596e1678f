"""OSWorld's metrics of documents, slides and PDF files in our words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from proctor.suites.foreign.faults import truth
from proctor.suites.foreign.names import words
from proctor.suites.foreign.osworld_form import ForeignComparison
from proctor.suites.foreign.osworld_looks import Sides, hint_of, url_of
from proctor.suites.foreign.translation import NotJudgedYet, check
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
PLACES = words(
    "examine_title_bottom_position examine_table_bottom_position examine_right_position examine_top_position "
    "examine_shape_for_shift_size examine_image_size examine_modify_height"
)
"""Switches that compare places of certain shapes only."""


def compare_pptx_files(each: ForeignComparison, looks: Sides) -> Call:
    """A presentation is like another."""
    compared: dict[str, object] = {}
    for name, value in each.options.items():
        if name in SWITCHES:
            compared[SWITCHES[name]] = truth(value)
        elif name not in WITHOUT_EFFECT and (truth(value) or name not in PLACES):
            raise NotJudgedYet(f"the option {name!r} of 'compare_pptx_files'")
    if compared.get("count") is False or compared.get("text") is False:
        raise NotJudgedYet("'compare_pptx_files' without numbers of slides or texts")
    of, other = (looks.side(side, "pptx") for side in (each.result, each.expected))
    return check("same_slides", of=of, other=other, compared=compared)


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
    }:
        raise NotJudgedYet(f"the option {min(unknown)!r} of 'compare_docx_files'")
    of, other = (looks.side(side, "document") for side in (each.result, each.expected))
    if truth(options.get("content_only")) or truth(options.get("fuzzy_match")):
        return check("like_document", of=of, other=other)
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


def _beside(name: str) -> Callable[[ForeignComparison, Sides], Call]:
    """Return a metric that is a check of two documents."""

    def metric(each: ForeignComparison, looks: Sides) -> Call:
        of, other = (looks.side(side, "document") for side in (each.result, each.expected))
        return check(name, of=of, other=other)

    return metric


def _alone(name: str) -> Callable[[ForeignComparison, Sides], Call]:
    """Return a metric that is a check of one document."""

    def metric(each: ForeignComparison, looks: Sides) -> Call:
        return check(name, of=looks.side(each.result, "document"))

    return metric


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
    found = []
    for place in range(count):
        content = looks.into.content(url_of(each.expected, place), hint_of(each.expected, place))
        if each.expected.get("type") != "cloud_file":
            raise NotJudgedYet(f"the getter {each.expected.get('type')!r} where a PDF file is compared")
        name = hint_of(each.expected, place) or "the expected PDF"
        other = Call("probe", "given_pdf", {"base64": content, "name": name})
        found.append(check("like_pdf", of=looks.side(each.result, "pdf", place=place), other=other))
    return found[0] if count == 1 else check("mean_of", of=found)


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
    if rules["relation"] not in ranges:
        raise NotJudgedYet(f"the relation {rules['relation']!r} of 'check_pdf_pages'")
    return check("pdf_length", of=looks.side(each.result, "pdf"), **ranges[rules["relation"]])


DOCUMENT_METRICS: Mapping[str, Callable[[ForeignComparison, Sides], Call]] = {
    "compare_pptx_files": compare_pptx_files,
    "compare_docx_files": compare_docx_files,
    "compare_docx_files_and_ignore_new_lines": compare_docx_files_and_ignore_new_lines,
    "compare_references": compare_references,
    "compare_docx_tables": _beside("same_tables"),
    "compare_docx_images": _beside("same_pictures"),
    "compare_line_spacing": _beside("same_line_spacing"),
    "compare_highlighted_text": _beside("same_highlights"),
    "check_highlighted_words": check_highlighted_words,
    "check_italic_font_size_14": check_italic_font_size_14,
    "compare_font_names": compare_font_names,
    "is_first_line_centered": _alone("first_line_centred"),
    "has_page_numbers_in_footers": _alone("pages_numbered"),
    "contains_page_break": contains_page_break,
    "evaluate_strike_through_last_paragraph": _beside("last_paragraph_struck"),
    "find_default_font": find_default_font,
    "check_auto_saving_time": check_auto_saving_time,
    "check_presenter_console_disable": check_presenter_console_disable,
    "check_slide_orientation_Portrait": check_slide_orientation,
    "check_image_stretch_and_center": check_image_stretch_and_center,
    "check_transition": check_transition,
    "compare_pdfs": compare_pdfs,
    "check_pdf_pages": check_pdf_pages,
}
