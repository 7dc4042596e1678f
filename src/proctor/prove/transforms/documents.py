"""Transforms of documents and slides: OpenDocument, Word and PowerPoint."""

from __future__ import annotations

import re
from random import Random

from proctor.prove.transforms.packages import in_part
from proctor.prove.transforms.shelf import mutant
from proctor.prove.transforms.words import NUMBER, WORD, in_group, one_match, other_number, other_word, without_one

OPEN = ("*.odt", "*.odp", "*.odg", "*.ott")
WORDS = ("*.docx",)
SLIDES = ("*.pptx",)
CONTENT, DOCUMENT, SLIDE = r"content\.xml", r"word/document\.xml", r"ppt/slides/slide\d+\.xml"
_BODY = re.compile(r"(?s)<office:body>.*</office:body>")
_TEXT = re.compile(r">([^<>]*)(?=<)")
_ODF_PARAGRAPH = re.compile(
    r"(?s)<text:(p|h)\b[^>]*(?<!/)>(?:(?!<text:p\b|<text:h\b).)*?[^<>\s](?:(?!<text:p\b).)*?</text:\1>"
)
_WORD_PARAGRAPH = re.compile(r"(?s)<w:p\b[^>]*(?<!/)>(?:(?!</w:p>).)*<w:t\b(?:(?!</w:p>).)*</w:p>")
_PAGE = re.compile(r"(?s)<draw:page\b.*?</draw:page>")
_W = re.compile(r"<w:t\b[^>]*>([^<]*)(?=</w:t>)")
_A = re.compile(r"<a:t>([^<]*)(?=</a:t>)")


def _exchange_slides(text: str, draw: Random) -> str | None:
    found = list(_PAGE.finditer(text))
    if len(found) < 2:
        return None
    at = draw.randrange(len(found) - 1)
    left, right = found[at], found[at + 1]
    between = text[left.end() : right.start()]
    return text[: left.start()] + right.group() + between + left.group() + text[right.end() :]


_DOUBLED = one_match(_ODF_PARAGRAPH, lambda match, draw: match[0] * 2)

mutant("a word changed", *OPEN)(in_part(CONTENT, in_group(_TEXT, other_word, WORD, _BODY)))
mutant("a number changed", *OPEN)(in_part(CONTENT, in_group(_TEXT, other_number, NUMBER, _BODY)))
mutant("a paragraph dropped", "*.odt", "*.ott", "*.odp")(in_part(CONTENT, without_one(_ODF_PARAGRAPH)))
mutant("a paragraph written twice", "*.odt", "*.ott")(in_part(CONTENT, _DOUBLED))
mutant("a word changed", *WORDS)(in_part(DOCUMENT, in_group(_W, other_word, WORD)))
mutant("a number changed", *WORDS)(in_part(DOCUMENT, in_group(_W, other_number, NUMBER)))
mutant("a paragraph dropped", *WORDS)(in_part(DOCUMENT, without_one(_WORD_PARAGRAPH)))
mutant("a slide dropped", "*.odp")(in_part(CONTENT, without_one(_PAGE)))
mutant("two slides exchanged", "*.odp")(in_part(CONTENT, _exchange_slides))
mutant("a word changed", *SLIDES)(in_part(SLIDE, in_group(_A, other_word, WORD)))

# What nobody asked for, beside a result that is right.
mutant("a remark added at its end", "*.odt", "*.ott")(
    in_part(CONTENT, lambda text, draw: text.replace("</office:text>", "<text:p>left over</text:p></office:text>"))
)
mutant("its pages narrower", "*.odt", "*.odp", kept=True)(
    in_part(r"styles\.xml", lambda text, draw: re.sub(r'fo:page-width="[^"]*"', 'fo:page-width="10cm"', text))
)
