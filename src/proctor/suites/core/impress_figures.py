"""Tasks in LibreOffice Impress that put figures from other files on slides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from proctor.suites.parts.packages import in_package
from proctor.suites.parts.slides import Slides, hide_slide, open_slides
from proctor.suites.parts.ways import by_hand
from proctor.suites.parts.writer import Moves, menu, pick_slide, replace, replace_everywhere, save
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, Limits, NearMiss, Way
from proctor.tasks.template import template


@template(
    apps=("libreoffice-impress", "libreoffice-writer"),
    level=2,
    demand="Knowledge/Knowledge/Data Retrieval",
    version=2,
)
def figures_from_the_report(draw: Draw) -> Draft:
    """Two figures on a slide are updated from a report."""
    last_year = [draw.randint(100, 199), draw.randint(300, 399)]
    this_year = [draw.randint(200, 299), draw.randint(400, 499)]
    stale = [last_year[0] - 7, last_year[1] - 9]
    path, report = "Documents/assembly.odp", "Documents/annual-report.odt"

    def deck(members: int, loans: int) -> Slides:
        return [
            {"title": "Tool library", "bullets": ["Annual assembly"]},
            {"title": "The year in figures", "bullets": [f"Members: {members}", f"Loans: {loans}", "Repairs: 52"]},
            {"title": "Thank you", "bullets": ["See you in the yard"]},
        ]

    text: list[str | dict[str, object]] = [
        {"heading": 1, "text": "Annual report"},
        {"heading": 2, "text": "Members"},
        f"At the end of 2024 the library had {last_year[0]} members. At the end of 2025 it had {this_year[0]}.",
        {"heading": 2, "text": "Loans"},
        f"In 2025 tools were lent {this_year[1]} times, after {last_year[1]} times in 2024.",
    ]

    def update(members: int, loans: int) -> Moves:
        return (
            *replace(f"Members: {stale[0]}", f"Members: {members}"),
            hand.press("Escape"),
            *replace(f"Loans: {stale[1]}", f"Loans: {loans}"),
            hand.press("Escape"),
        )

    return Draft(
        instruction="The numbers of members and loans in our assembly slides are out of date. Please replace "
        "them with the 2025 figures from the annual report (annual-report.odt, also open) and save the slides.",
        paraphrases=(
            "In assembly.odp, there's a slide with the year's figures. Update members and loans there to the "
            "2025 numbers in annual-report.odt, and save the presentation.",
        ),
        setup=(
            make.document(report, text),
            make.open_in_office(report),
            *open_slides(path, deck(*stale)),
        ),
        check=expect.all_of(
            [expect.slides_are(see.slides(path), deck(*this_year)), expect.slides_hidden(see.slides(path), [])]
        ),
        expected=(path,),
        solution=(*update(*this_year), *save(path)),
        near_misses=(
            NearMiss(name="the figures of 2024", moves=(*update(*last_year), *save(path))),
            NearMiss(name="members only", moves=(*update(this_year[0], stale[1]), *save(path))),
            NearMiss(name="not saved", moves=update(*this_year)),
        ),
        other_ways=(
            in_package("by Python on the file", path, _figures(stale, this_year)),
            by_hand(
                "by the dialog, saved by the menu",
                *replace_everywhere(str(stale[0]), str(this_year[0])),
                *replace_everywhere(str(stale[1]), str(this_year[1])),
                *(*menu("File", "/^Save$/", window="assembly"), hand.await_saved(path)),
            ),
        ),
        cheats=(
            in_package("the slide hidden", path, f"(lambda text: {hide_slide(2)})({_figures(stale, this_year)})"),
            in_package(
                "the figures of both years",
                path,
                _figures(stale, [f"{new} or {old}" for new, old in zip(this_year, last_year, strict=True)]),
            ),
            in_package(
                "only the figures kept",
                path,
                f"re.sub('>(Tool|Annual|Thank|See)[^<]*<', '><', {_figures(stale, this_year)})",
            ),
        ),
    )


def _figures(old: list[int], new: Sequence[int | str]) -> str:
    """Return the expression that puts new figures in the place of old ones."""
    return f"text.replace('Members: {old[0]}<', 'Members: {new[0]}<').replace('Loans: {old[1]}<', 'Loans: {new[1]}<')"


@template(
    apps=("libreoffice-impress", "libreoffice-calc"),
    level=4,
    demand="Office/Documentation/Presentation",
    limits=Limits(steps=80, seconds=1200),
    version=2,
)
def sales_into_the_slides(draw: Draw) -> Draft:
    """Totals are worked out from a table and put on a slide, and a draft slide is deleted."""
    regions = draw.some(("North", "South", "East", "West", "Coast"), 3)
    numbers = {region: [draw.randint(11, 98) for _ in range(4)] for region in regions}
    totals = {region: sum(amounts) for region, amounts in numbers.items()}
    rows: list[list[Any]] = [
        ["Region", "Q1", "Q2", "Q3", "Q4"],
        *([region, *amounts] for region, amounts in numbers.items()),
    ]
    path, table = "Documents/review.odp", "Documents/sales.csv"

    def deck(shown: dict[str, Any]) -> Slides:
        return [
            {"title": "Review of the year", "bullets": [draw_name]},
            {"title": "Sales by region", "bullets": [f"{region}: {shown[region]}" for region in regions]},
            {"title": "DRAFT ideas", "bullets": ["Not for the meeting"]},
            {"title": "Outlook", "bullets": ["More bikes, fewer vans"]},
        ]

    draw_name = draw.company()
    full = deck(totals)

    def fill(shown: dict[str, int]) -> Moves:
        steps = (
            (*replace(f"{region}: open", f"{region}: {shown[region]}"), hand.press("Escape")) for region in regions
        )
        return tuple(move for step in steps for move in step)

    delete = (pick_slide(3), hand.press("Delete"))
    return Draft(
        instruction='Please get review.odp ready for the meeting. On the sales slide, replace the word "open" '
        "with each region's total for the whole year (the quarters are in sales.csv, also in Documents). Then "
        "delete the draft slide and save.",
        paraphrases=(
            "Finish the presentation that's open: on the sales slide, replace "
            '"open" for each region with the sum of its four quarters from Documents/sales.csv. Delete the '
            "draft slide. Save.",
        ),
        setup=(make.csv_file(table, rows), *open_slides(path, deck(dict.fromkeys(regions, "open")))),
        check=expect.all_of(
            [
                expect.slides_are(see.slides(path), [each for each in full if not each["title"].startswith("DRAFT")]),
                expect.slides_hidden(see.slides(path), []),
            ]
        ),
        expected=(path,),
        solution=(*fill(totals), *delete, *save(path)),
        near_misses=(
            NearMiss(
                name="the last quarter only",
                moves=(*fill({region: amounts[-1] for region, amounts in numbers.items()}), *delete, *save(path)),
            ),
            NearMiss(name="draft slide kept", moves=(*fill(totals), *save(path))),
            NearMiss(name="not saved", moves=(*fill(totals), *delete)),
        ),
        other_ways=_ways_to_the_review(path, totals),
        cheats=(
            in_package("the draft slide hidden", path, f"(lambda text: {hide_slide(3)})({_fill_totals(totals)})"),
            in_package(
                "the draft slide emptied", path, f"re.sub('>(DRAFT|Not for)[^<]*<', '><', {_fill_totals(totals)})"
            ),
            in_package(
                "every total with all of its quarters",
                path,
                _drop_draft(_fill_totals({region: "+".join(map(str, amounts)) for region, amounts in numbers.items()})),
            ),
        ),
    )


def _fill_totals(totals: Mapping[str, int | str]) -> str:
    return "text" + "".join(f".replace('{region}: open', '{region}: {total}')" for region, total in totals.items())


def _drop_draft(text: str) -> str:
    """Return the expression that leaves the draft slide out of a text."""
    return f"re.sub('<draw:page (?:(?!<draw:page ).)*?DRAFT.*?</draw:page>', '', {text})"


def _ways_to_the_review(path: str, totals: Mapping[str, int]) -> tuple[Way, ...]:
    filled = (replace_everywhere(f"{region}: open", f"{region}: {total}") for region, total in totals.items())
    return (
        in_package("by Python on the file", path, _drop_draft(_fill_totals(totals))),
        by_hand(
            "the slide deleted first, by the menu; then by the dialog",
            *(pick_slide(3), *menu("Slide", "Delete Slide")),
            *(move for moves in filled for move in moves),
            *(*menu("File", "/^Save$/"), hand.await_saved(path)),
        ),
    )
