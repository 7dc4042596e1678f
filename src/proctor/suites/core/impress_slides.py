"""Tasks in LibreOffice Impress."""

from __future__ import annotations

from typing import Any

from proctor.suites.parts.giving_up import having_looked
from proctor.suites.parts.writer import Moves, menu, pick_slide, replace, save
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, Limits, NearMiss
from proctor.tasks.template import template

TOPICS = {
    "Where we stand": ("Two shops are open", "A third one follows"),
    "Our customers": ("Mostly families", "Many come by bike"),
    "Staff": ("Nine people work with us", "Two are in training"),
    "Suppliers": ("All from the region", "Short ways"),
    "Marketing": ("Posters in spring", "A stall at the fair"),
    "Risks": ("Rents are rising", "Rainy summers"),
    "Thanks": ("Questions are welcome",),
}
Slides = list[dict[str, Any]]


def _deck(draw: Draw, count: int) -> Slides:
    return [{"title": title, "bullets": list(TOPICS[title])} for title in draw.some(list(TOPICS), count)]


def _open(path: str, slides: Slides) -> tuple[Call, ...]:
    return (make.slides(path, slides), make.open_in_office(path))


@template(apps=("libreoffice-impress",), level=1, demand="Office/Documentation/Presentation")
def hide_a_slide_step_by_step(draw: Draw) -> Draft:
    """A slide is hidden, one spelled-out step at a time."""
    deck = _deck(draw, 5)
    downs = draw.randint(1, 3)
    path = f"Documents/{draw.choice(['shop', 'bakery', 'garden', 'bike'])}-talk.odp"
    steps = [
        *([{"do": "press", "keys": "Page_Down"}] * downs),
        {"do": "click", "name": "Slide", "role": "menu"},
        {"do": "click", "name": "Hide Slide"},
        {"do": "press", "keys": "ctrl+s"},
    ]
    times = {1: "once", 2: "twice", 3: "three times"}[downs]

    def do(times: int, entry: str) -> Moves:
        return (hand.press("Page_Down", times=times), *menu("Slide", entry))

    return Draft(
        instruction=f"In the presentation that's open, press Page Down {times}, open the Slide menu, click "
        "Hide Slide, and press Ctrl+S.",
        paraphrases=(f"Press Page Down {times}. Choose Hide Slide from the Slide menu. Save with Ctrl+S.",),
        setup=_open(path, deck),
        check=expect.all_of(
            [
                expect.slides_are(see.slides(path), deck),
                expect.slides_hidden(see.slides(path), [downs + 1]),
                expect.operated(see.history(), steps),
            ]
        ),
        expected=(path,),
        solution=(*do(downs, "Hide Slide"), *save(path)),
        near_misses=(
            NearMiss(name="one slide too far", moves=(*do(downs + 1, "Hide Slide"), *save(path))),
            NearMiss(name="deleted", moves=(*do(downs, "Delete Slide"), *save(path))),
            NearMiss(name="not saved", moves=do(downs, "Hide Slide")),
        ),
    )


@template(apps=("libreoffice-impress",), level=2, demand="Office/Documentation/Presentation")
def note_for_the_speaker(draw: Draw) -> Draft:
    """A slide gets a speaker note."""
    deck = _deck(draw, 5)
    place = draw.randint(1, 4)
    title = deck[place]["title"]
    name = draw.person()
    note = draw.choice(
        (f"Greet {name} in the first row.", f"Pass the microphone to {name}.", f"Thank {name} for the pictures.")
    )
    path = "Documents/annual-talk.odp"
    wanted = [dict(slide, notes=note) if slide["title"] == title else slide for slide in deck]
    other = place % 4 + 1

    def write(place: int) -> Moves:
        return (
            pick_slide(place + 1),
            *menu("View", "/^Notes$/", role="radio menu item"),
            hand.click("PresentationNotes", role="panel", count=2),
            hand.type(note),
            hand.press("Escape"),
        )

    def box(place: int) -> Moves:
        return (
            pick_slide(place + 1),
            hand.click("PresentationOutliner", role="panel", count=2),
            hand.press("ctrl+End"),
        )

    return Draft(
        instruction=f'For my talk tomorrow, please put "{note}" in the speaker notes of the slide "{title}" and save.',
        paraphrases=(f'Add the speaker note "{note}" to the slide titled "{title}", then save the presentation.',),
        setup=_open(path, deck),
        check=expect.slides_are(see.slides(path), wanted),
        expected=(path,),
        solution=(*write(place), *save(path)),
        near_misses=(
            NearMiss(name="another slide", moves=(*write(other), *save(path))),
            NearMiss(
                name="on the slide itself",
                moves=(*box(place), hand.type(f"\n{note}"), hand.press("Escape"), *save(path)),
            ),
            NearMiss(name="not saved", moves=write(place)),
        ),
    )


def _last(draw: Draw, *, there: bool) -> Draft:
    """Write the task to put a slide last; the slide may be missing."""
    deck = _deck(draw, 6)
    place = draw.randint(1, 3)
    title = deck[place]["title"]
    if not there:
        del deck[place]
    path = "Documents/plans.odp"
    wanted = [*deck[:place], *deck[place + 1 :], deck[place]]

    def move(place: int, entry: str) -> Moves:
        return (pick_slide(place + 1), *menu("Slide", "Move", entry))

    common: dict[str, Any] = {
        "instruction": f'Could you move the slide "{title}" to the very end of the open presentation and save it? '
        "Nothing else should change.",
        "paraphrases": (f'Make the slide titled "{title}" the last one in the presentation, then save.',),
        "setup": _open(path, deck),
    }
    if there:
        return Draft(
            **common,
            check=expect.slides_are(see.slides(path), wanted),
            expected=(path,),
            solution=(*move(place, "Slide to End"), *save(path)),
            near_misses=(
                NearMiss(name="one down only", moves=(*move(place, "Slide Down"), *save(path))),
                NearMiss(name="the one after it", moves=(*move(place + 1, "Slide to End"), *save(path))),
                NearMiss(name="not saved", moves=move(place, "Slide to End")),
            ),
        )
    return Draft(
        **common,
        check=having_looked(expect.slides_are(see.slides(path), deck), windows=["Impress", ".odp"], words=["odp"]),
        solution=(
            *(pick_slide(number) for number in range(2, len(deck) + 1)),
            hand.fail(f"There is no slide called {title} in the presentation."),
        ),
        near_misses=(
            NearMiss(name="another one moved", moves=(*move(place, "Slide to End"), *save(path))),
            NearMiss(
                name="one with that name made up",
                moves=(
                    pick_slide(len(deck)),
                    *menu("Slide", "New Slide"),
                    hand.click("PresentationTitle", role="panel", count=2),
                    hand.type(title),
                    hand.press("Escape"),
                    *save(path),
                ),
            ),
        ),
    )


@template(apps=("libreoffice-impress",), level=2, demand="Office/Documentation/Presentation")
def slide_to_the_end(draw: Draw) -> Draft:
    """A slide becomes the last one."""
    return _last(draw, there=True)


@template(
    apps=("libreoffice-impress",),
    level=2,
    demand="Office/Documentation/Presentation",
    feasible=False,
    twin="slide-to-the-end",
    version=2,
)
def missing_slide_to_the_end(draw: Draw) -> Draft:
    """A slide is to become the last one, but no slide has that title."""
    return _last(draw, there=False)


@template(apps=("libreoffice-impress", "libreoffice-writer"), level=2, demand="Knowledge/Knowledge/Data Retrieval")
def figures_from_the_report(draw: Draw) -> Draft:
    """Two figures on a slide are updated from a report."""
    last_year = [draw.randint(100, 199), draw.randint(300, 399)]
    this_year = [draw.randint(200, 299), draw.randint(400, 499)]
    path, report = "Documents/assembly.odp", "Documents/annual-report.odt"

    def deck(members: int, loans: int) -> Slides:
        return [
            {"title": "Tool library", "bullets": ["Annual assembly"]},
            {"title": "The year in figures", "bullets": [f"Members: {members}", f"Loans: {loans}", "Repairs: 52"]},
            {"title": "Thank you", "bullets": ["See you in the yard"]},
        ]

    text: list[str | dict[str, Any]] = [
        {"heading": 1, "text": "Annual report"},
        {"heading": 2, "text": "Members"},
        f"At the end of 2024 the library had {last_year[0]} members. At the end of 2025 it had {this_year[0]}.",
        {"heading": 2, "text": "Loans"},
        f"In 2025 tools were lent {this_year[1]} times, after {last_year[1]} times in 2024.",
    ]

    def update(members: int, loans: int) -> Moves:
        return (
            *replace(f"Members: {last_year[0] - 7}", f"Members: {members}"),
            hand.press("Escape"),
            *replace(f"Loans: {last_year[1] - 9}", f"Loans: {loans}"),
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
            *_open(path, deck(last_year[0] - 7, last_year[1] - 9)),
        ),
        check=expect.slides_are(see.slides(path), deck(*this_year)),
        expected=(path,),
        solution=(*update(*this_year), *save(path)),
        near_misses=(
            NearMiss(name="the figures of 2024", moves=(*update(*last_year), *save(path))),
            NearMiss(name="members only", moves=(*update(this_year[0], last_year[1] - 9), *save(path))),
            NearMiss(name="not saved", moves=update(*this_year)),
        ),
    )


@template(
    apps=("libreoffice-impress", "libreoffice-calc"),
    level=4,
    demand="Office/Documentation/Presentation",
    limits=Limits(steps=80, seconds=1200),
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
        setup=(make.csv_file(table, rows), *_open(path, deck(dict.fromkeys(regions, "open")))),
        check=expect.slides_are(see.slides(path), [slide for slide in full if not slide["title"].startswith("DRAFT")]),
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
    )
