"""Checks of where things stand in a text, beside another: tab stops, low letters, records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Annotated

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import short
from proctor.vocabulary.formats.visible import Look

Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$", examples=["#0000ff"])]
NEAR_MM = 0.3
"""How far distances may be off: programs round them."""
ALIKE = 24
"""How far red, green and blue of two colours may lie apart, of 255, where they count as one."""
LAYOUT = ("left_mm", "right_mm", "first_line_mm", "above_mm", "below_mm")


@CHECKS.register
def same_tabstops(
    of: Seen, other: Seen, words: Annotated[int, Field(ge=0)] | None = None, part: Annotated[int, Field(ge=0)] = 0
) -> Finding:
    """Paragraphs have tab stops where those of another document do; the closeness is the score.

    With `words`, each holds as many in one part of what its tabs divide, counted from 0.
    """
    mine, theirs = ([each for each in side["paragraphs"] if each["text"].strip()] for side in (of, other))
    if len(mine) != len(theirs) or not mine:
        return wrong(f"{of['path']} has {len(mine)} paragraphs, expected {len(theirs)}.")
    if words is not None:
        for paragraph in mine:
            pieces = paragraph["text"].split("\t")
            if len(pieces) <= part or len(pieces[part].split()) != words:
                return wrong(f"{short(paragraph['text'])} does not have {words} words in part {part + 1}.")
    off = 0.0
    for one, two in zip(mine, theirs, strict=True):
        if [stop["align"] for stop in one["tabs"]] != [stop["align"] for stop in two["tabs"]]:
            return wrong(f"{short(one['text'])} has other tab stops than it should.")
        off += sum(abs(a["at_mm"] - b["at_mm"]) for a, b in zip(one["tabs"], two["tabs"], strict=True))
    score = 1 - off / max(other["width_mm"], 1.0) / len(mine)
    if score > 0.999:
        return right()
    return Finding(max(round(score, 6), 0.0), (f"The tab stops of {of['path']} are off by {off / len(mine):.1f} mm.",))


@CHECKS.register
def same_subscripts(of: Seen, other: Seen, any_count: bool = False) -> Finding:
    """The same characters of a document are subscript as in another, and there are some."""
    mine, theirs = (list(_low_letters(each)) for each in (of, other))
    if not theirs:
        return wrong(f"{other['path']} has no subscripts to compare with.")
    same = bool(mine) if any_count else mine == theirs
    return right() if same else wrong(f"{of['path']} does not have the right subscripts.")


@CHECKS.register
def same_equations(of: Seen, other: Seen) -> Finding:
    """A document has as many equations as another, and the same ones where both can be read."""
    mine, theirs = of["equations"], other["equations"]
    if len(mine) != len(theirs) or not theirs:
        return wrong(f"{of['path']} has {len(mine)} equations, expected {len(theirs) or 'one at least'}.")
    return unless(
        f"Equation {place} of {of['path']} is {short(one)}, expected {short(two)}."
        for place, (one, two) in enumerate(zip(mine, theirs, strict=True), 1)
        if one and two and one != two
    )


@CHECKS.register
def pictures_placed(of: Seen, other: Seen) -> Finding:
    """A document has its pictures after the same paragraphs as another one."""
    mine, theirs = (list(_places_of_pictures(each)) for each in (of, other))
    if mine == theirs:
        return right()
    return wrong(f"{of['path']} has {len(mine)} pictures, or in other places; expected {len(theirs)}.")


@CHECKS.register
def words_coloured(of: Seen, colours: Annotated[dict[str, Colour], Field(min_length=1)], others: Colour) -> Finding:
    """Words in a document's tables have colours by their first letters, all `others` one colour.

    `colours` gives, for the letters that words may begin with (`aeiou`), the colour of such words.
    """
    words = list(_words_in_tables(of))
    if not words:
        return wrong(f"{of['path']} has no words in tables.")

    def colour_for(word: str) -> str:
        return next((colour for letters, colour in colours.items() if word[0].casefold() in letters), others)

    return unless(
        f"{word!r} is {colour or 'in no colour of its own'}, expected {colour_for(word)}."
        for word, colour in words
        if not _near(colour, colour_for(word))
    )


@CHECKS.register
def same_layout(of: Seen, other: Seen) -> Finding:
    """A document has the paragraphs of another with the same layout, and pictures of the same sizes."""
    one, two = ([block for block in each["blocks"] if block["kind"] == "paragraph"] for each in (of, other))
    if [block["text"] for block in one] != [block["text"] for block in two]:
        return wrong(f"The text of {of['path']} is not the one it should be.")
    problems = [
        f"Paragraph {place} of {of['path']} is not laid out as it should be."
        for place, (mine, theirs) in enumerate(zip(one, two, strict=True), 1)
        if mine["align"] != theirs["align"]
        or mine.get("line_height", "") != theirs.get("line_height", "")
        or any(abs(mine.get(name, 0) - theirs.get(name, 0)) > NEAR_MM for name in LAYOUT)
    ]
    mine, theirs = ([picture["size_mm"] for picture in each["pictures"]] for each in (of, other))
    near = len(mine) == len(theirs) and all(
        abs(a - b) <= NEAR_MM for pair in zip(mine, theirs, strict=True) for a, b in zip(*pair, strict=True)
    )
    return unless(problems + ([] if near else [f"The pictures in {of['path']} are not as large as they should be."]))


@CHECKS.register
def begins_like(of: Seen, other: Seen) -> Finding:
    """A document begins with exactly the paragraphs of another."""
    mine, theirs = ([block["text"] for block in each["blocks"] if "text" in block] for each in (of, other))
    same = mine[: len(theirs)] == theirs
    return right() if same else wrong(f"{of['path']} does not begin as {other['path']}.")


@CHECKS.register
def records_once(
    of: Seen,
    before: Seen,
    wanted: Seen | None = None,
    key: Annotated[int, Field(ge=0)] = 1,
    separator: str = ",",
) -> Finding:
    """Of the lines of a document with the same field, such as a number, one each is left, unchanged.

    `key` is the place of the field, counted from 0; `wanted` is a document with one line of each, if not all count.
    """
    held, were = ([line for line in _lines(each) if separator in line] for each in (of, before))
    keys, all_keys = ([_field(line, key, separator) for line in each] for each in (held, were))
    needed = {_field(line, key, separator) for line in _lines(wanted)} if wanted is not None else set(all_keys)
    problems = [f"{of['path']} has {name} {times} times." for name, times in Counter(keys).items() if times > 1]
    problems += [f"{of['path']} lacks {name}." for name in sorted(needed - {*keys})]
    problems += [f"{of['path']} has {name}, which should not be there." for name in sorted({*keys} - needed)]
    known = set(were)
    return unless(problems + [f"{short(line)} is no line of {before['path']}." for line in held if line not in known])


@CHECKS.register
def no_capitals(of: Seen) -> Finding:
    """No text in a document, tables included, is in capitals."""
    runs = [run["text"] for block in of["blocks"] for run in block.get("runs", ())]
    cells = [cell for block in of["blocks"] for row in block.get("rows", ()) for cell in row]
    return unless(f"{short(text)} in {of['path']} is in capitals." for text in (*runs, *cells) if text.isupper())


@CHECKS.register
def line_distances(of: Seen, percents: Annotated[list[int], Field(min_length=1)]) -> Finding:
    """The first paragraphs of a document have this line spacing, in percent: 100 is single."""
    paragraphs = [block for block in of["blocks"] if block["kind"] == "paragraph"]
    held = [int((block.get("line_height") or "100%").rstrip("%")) for block in paragraphs[: len(percents)]]
    return right() if held == percents else wrong(f"The line spacing in {of['path']} is {held}.")


@CHECKS.register
def words_near(of: Seen, words: Annotated[list[str], Field(min_length=1)], count: int = 3) -> Finding:
    """A document has this many words, each similar to one of these; the mean similarity is the score."""
    held = [word for block in of["blocks"] if "text" in block for word in block["text"].split()]
    if len(held) != count or not held:
        return wrong(f"{of['path']} has {len(held)} words, expected {count}.")
    likes = [max(SequenceMatcher(None, word, each, autojunk=False).ratio() for each in words) for word in held]
    score = sum(likes) / len(likes)
    return right() if score > 0.999999 else Finding(round(score, 6), (f"{' '.join(held)} is not quite right.",))


def _low_letters(of: Look) -> Iterator[tuple[str, str]]:
    for paragraph in of["paragraphs"]:
        low = "".join(run["text"] if run["place"] == "subscript" else "|" for run in paragraph["runs"])
        if pieces := "|".join(piece for piece in re.split(r"\|+", low) if piece.strip()):
            yield paragraph["text"].strip(), pieces


def _places_of_pictures(of: Look) -> Iterator[int]:
    """Yield after how many paragraphs that say something each picture stands."""
    before = 0
    for paragraph in of["paragraphs"]:
        yield from [before] * paragraph["pictures"]
        before += bool(paragraph["text"].strip())


def _words_in_tables(of: Look) -> Iterator[tuple[str, str | None]]:
    """Yield the words in tables, each with the colour of its letters; None where they have several."""
    paragraphs: Iterator[Look] = (
        paragraph for table in of["tables"] for row in table for cell in row for paragraph in cell
    )
    for paragraph in paragraphs:
        letters = [(letter, run["colour"]) for run in paragraph["runs"] for letter in run["text"]]
        for found in re.finditer(r"\S+", "".join(letter for letter, _ in letters)):
            colours = {colour for _, colour in letters[found.start() : found.end()]}
            if found[0][0].isalpha():
                yield found[0], colours.pop() if len(colours) == 1 else None


def _near(colour: str | None, wanted: str) -> bool:
    if colour is None or not re.fullmatch("#[0-9a-f]{6}", colour):
        return False
    parts = ([int(each[at : at + 2], 16) for at in (1, 3, 5)] for each in (colour, wanted))
    return all(abs(a - b) <= ALIKE for a, b in zip(*parts, strict=True))


def _lines(of: Look) -> list[str]:
    return [line for block in of["blocks"] if (line := block.get("text", "").strip())]


def _field(line: str, key: int, separator: str) -> str:
    parts = line.split(separator)
    return parts[key].strip() if key < len(parts) else ""
