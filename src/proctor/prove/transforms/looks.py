"""Transforms of looks in OpenDocument files: the content stays, its look changes."""

from __future__ import annotations

import functools
import re
from random import Random

from proctor.prove.transforms.packages import in_part
from proctor.prove.transforms.shelf import Function, mutant
from proctor.prove.transforms.words import TextChange, one_match

CONTENT = r"content\.xml"
TEXTS, SLIDES, SHEETS = ("*.odt", "*.ott"), ("*.odp", "*.odg"), ("*.ods",)
STYLE = "LeftOver"
_STYLES_END = "</office:automatic-styles>"
_BODY = "<office:body>"
_PARAGRAPH = re.compile(r"<text:p\b[^<>]*(?<!/)>(?=[^<>]*[^<>\s])")
_CELL = re.compile(r"<table:table-cell\b[^<>]*office:value-type=[^<>]*(?<!/)>")
_COLUMN = re.compile(r"<table:table-column\b(?![^<>]*table:visibility)")
_FRAME = re.compile(
    r'<draw:(?:frame|custom-shape|rect)\b(?![^<>]*presentation:class="(?:notes|handout|header|footer|date-time|page-number)")'
    r'[^<>]*\bsvg:x="[^"]*"'
)
"""A box on a slide; not those of the page of notes, which are where the program puts them."""
_SLIDE_END = re.compile(r"</draw:page>")
_REMARK = (
    '<office:annotation><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Somebody</dc:creator>'
    "<text:p>left over</text:p></office:annotation>"
)
_STRUCK = 'style:text-line-through-style="solid" style:text-line-through-type="single"'
_UNSEEN = 'fo:color="#ffffff" style:use-window-font-color="false"'
_OTHER_FONT = 'fo:font-family="Cursive" fo:font-size="29pt"'


def _in_style(element: re.Pattern[str], family: str, attribute: str, looks: str) -> Function:
    """Return what gives one element, drawn, a style of its own."""
    style = f'<style:style style:name="{STYLE}" style:family="{family}"><style:text-properties {looks}/></style:style>'

    def restyle(match: re.Match[str], draw: Random) -> str:
        named = f'{attribute}="{STYLE}"'
        if attribute in match[0]:
            return re.sub(rf'{attribute}="[^"]*"', named, match[0], count=1)
        name, rest = match[0].split(" ", 1) if " " in match[0] else (match[0][:-1], ">")
        return f"{name} {named}{'' if rest == '>' else ' '}{rest}"

    def change(text: str, draw: Random) -> str | None:
        changed = one_match(element, restyle)(text, draw)
        if changed and _STYLES_END not in changed:
            return changed.replace(_BODY, f"<office:automatic-styles>{style}{_STYLES_END}{_BODY}", 1)
        return changed and changed.replace(_STYLES_END, style + _STYLES_END, 1)

    return in_part(CONTENT, change)


def _behind(pattern: re.Pattern[str], more: str) -> TextChange:
    """Return what puts something behind one match of a pattern, drawn."""
    return one_match(pattern, lambda match, draw: match[0] + more)


def _before(pattern: re.Pattern[str], more: str) -> TextChange:
    return one_match(pattern, lambda match, draw: more + match[0])


def _move(match: re.Match[str], draw: Random) -> str:
    return re.sub(r'\bsvg:x="[^"]*"', 'svg:x="0.111cm"', match[0])


_RESTYLED_PARAGRAPH = functools.partial(_in_style, _PARAGRAPH, "paragraph", "text:style-name")
_RESTYLED_CELL = functools.partial(_in_style, _CELL, "table-cell", "table:style-name")
for _words, _looks in (("struck through", _STRUCK), ("in white", _UNSEEN)):
    mutant(f"a paragraph {_words}", *TEXTS)(_RESTYLED_PARAGRAPH(_looks))
    mutant(f"a line {_words}", *SLIDES)(_RESTYLED_PARAGRAPH(_looks))
    mutant(f"a cell {_words}", *SHEETS)(_RESTYLED_CELL(_looks))
mutant("a paragraph in another font", *TEXTS, kept=True)(_RESTYLED_PARAGRAPH(_OTHER_FONT))
mutant("a line in another font", *SLIDES, kept=True)(_RESTYLED_PARAGRAPH(_OTHER_FONT))
mutant("a remark beside a paragraph", *TEXTS)(in_part(CONTENT, _behind(_PARAGRAPH, _REMARK)))
mutant("a remark beside a cell", *SHEETS)(in_part(CONTENT, _behind(_CELL, _REMARK)))
mutant("a column hidden", *SHEETS)(in_part(CONTENT, _behind(_COLUMN, ' table:visibility="collapse"')))
mutant("a box elsewhere", *SLIDES, kept=True)(in_part(CONTENT, one_match(_FRAME, _move)))
mutant("an empty slide added", "*.odp")(
    in_part(CONTENT, one_match(_SLIDE_END, lambda match, draw: f'{match[0]}<draw:page draw:name="{STYLE}"/>'))
)
mutant("a box added", *SLIDES)(
    in_part(
        CONTENT,
        _before(
            _SLIDE_END,
            '<draw:frame svg:width="4cm" svg:height="2cm" svg:x="1cm" svg:y="1cm"><draw:text-box>'
            "<text:p>left over</text:p></draw:text-box></draw:frame>",
        ),
    )
)
