"""Tasks on documents that say what somebody else decides."""

from __future__ import annotations

from proctor.suites.parts.news import happens, says
from proctor.suites.parts.packages import repack_by_code
from proctor.suites.parts.ways import by_hand
from proctor.suites.parts.writer import convert_document, export_pdf, replace, save
from proctor.tasks.draw import FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

PATH, PDF = "Documents/poster.odt", "Documents/poster.pdf"
OPEN = "to be announced"
PLACES = ("Town hall", "Old mill", "Library", "School yard", "Boathouse", "Market square")


def _poster(draw: Draw, moved: bool) -> Draft:
    me, keeper, other = (name.lower() for name in draw.some(FIRST_NAMES, 3))
    title = draw.choice(("Spring fair", "Book sale", "Plant swap", "Repair day"))
    first, second, third = draw.some(PLACES, 3)
    hour = draw.choice((10, 11, 14))
    news = (
        f"sorry, that's taken, we are in this place: {second}"
        if moved
        else f"in autumn we'll be in another place: {second}"
    )
    right, wrong = (second, first) if moved else (first, second)
    talk = [
        {"who": other, "to": "#fair", "text": f"last year's place was {third}"},
        {"who": keeper, "to": "#fair", "text": f"it's settled, this time the place is: {first}"},
    ]

    def lines(place: str) -> list[str]:
        return [title, f"Saturday 28 March, {hour}:00", f"Where: {place}", "Everybody is welcome."]

    noticed = (
        *replace(OPEN, first),
        *save(PATH),
        hand.await_element(f"/{second}/", role="label", timeout_sec=15),
    )
    again = (*replace(first, second), hand.press("ctrl+s"), hand.await_change(5))
    document, pdf = see.document(PATH), see.pdf(PDF)
    return Draft(
        instruction=f"Please put the place into our poster, which is open in Writer, instead of “{OPEN}”: "
        f"{keeper.capitalize()} says in #fair on HexChat where it is. Save it, and then export it as poster.pdf into "
        "Documents for the printer.",
        paraphrases=(
            f"The poster that's open in Writer lacks the place that {keeper.capitalize()} gives in #fair. Fill it in "
            f"for “{OPEN}”, save, and export Documents/poster.pdf as well.",
        ),
        setup=(
            make.document(PATH, lines(OPEN)),
            make.chat_server([{"name": "#fair", "people": [keeper, other]}]),
            make.hexchat(me, ["#fair"]),
            make.chat_say(talk),
            make.open_in_office(PATH),
        ),
        events=(
            happens(
                f"{keeper.capitalize()} says more about the place",
                expect.document_has_text(document, [first]),
                *says(keeper, "#fair", news),
            ),
        ),
        check=expect.all_of(
            [
                expect.document_text_is(document, lines(right)),
                expect.pdf_has_text(pdf, lines(right)),
                expect.pdf_lacks_text(pdf, [wrong, OPEN]),
                expect.chat_silent(see.chat_log(), me),
            ]
        ),
        expected=(PATH, PDF),
        solution=(*noticed, *(again if moved else ()), *export_pdf(PDF)),
        near_misses=(
            (
                NearMiss(name="the place of the beginning", moves=(*noticed, *export_pdf(PDF))),
                NearMiss(name="put right once the PDF was made", moves=(*noticed, *export_pdf(PDF), *again)),
            )
            if moved
            else (
                NearMiss(name="the place of the autumn", moves=(*noticed, *again, *export_pdf(PDF))),
                NearMiss(name="not exported", moves=noticed),
            )
        ),
        other_ways=(
            by_hand(
                "by the command line",
                repack_by_code(PATH, f"text.replace({OPEN!r}, {first!r})"),
                repack_by_code(PATH, f"text.replace({first!r}, {right!r})"),
                *convert_document(PATH, PDF),
            ),
        ),
        cheats=(
            by_hand(
                "either place",
                repack_by_code(PATH, f"text.replace({OPEN!r}, {f'{first} or {second}'!r})"),
                *convert_document(PATH, PDF),
            ),
        ),
    )


@template(apps=("hexchat", "libreoffice-writer"), level=3, demand="Office/Documentation/Writing", services=("chat",))
def place_on_the_poster(draw: Draw) -> Draft:
    """The place that was just put on a poster turns out to be taken."""
    return _poster(draw, moved=True)


@template(
    apps=("hexchat", "libreoffice-writer"),
    level=3,
    demand="Office/Documentation/Writing",
    services=("chat",),
    twin="place-on-the-poster",
)
def place_on_this_poster(draw: Draw) -> Draft:
    """Somebody names the place of another year's fair once a poster has its own."""
    return _poster(draw, moved=False)
