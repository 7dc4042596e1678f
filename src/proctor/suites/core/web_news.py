"""Tasks on news from the web that are needed elsewhere."""

from __future__ import annotations

from proctor.suites.parts.pages import fetch_page, link, page, paragraph
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

NEWS = "valley-news.example"
BRIDGES = ("Iron Bridge", "Long Bridge", "Miller Bridge", "Toll Bridge", "Abbey Bridge")
REASONS = ("new railings", "a fresh surface", "work on its pillars", "a gas pipe", "new lamps")


@template(apps=("chromium", "mousepad"), level=2, demand="Life/Information/News", services=("web",), version=2)
def bridge_news_into_the_note(draw: Draw) -> Draft:
    """The day a bridge reopens is looked up in the news and added to a note."""
    bridges = draw.some(BRIDGES, 3)
    sought = bridges[0]
    closes = [f"{day} March" for day in draw.some(range(13, 18), 3)]
    opens = [f"{day} April" for day in draw.some(range(2, 28), 3)]
    pages = {}
    for bridge, first, last, reason in zip(bridges, closes, opens, draw.some(REASONS, 3), strict=True):
        text = f"The {bridge} will be closed to all traffic from {first} on because of {reason}. "
        more = f"The council expects to open it again on {last}. Buses take another way until then."
        pages[f"/{bridge.lower().replace(' ', '-')}"] = page(f"{bridge} to be closed", paragraph(text), paragraph(more))
    pages["/choir"] = page("Choir wins prize", paragraph("Our choir has come home with a silver cup."))
    heads = [f"<p>{link(str(each['title']), at)}</p>" for at, each in pages.items()]
    draw.shuffle(heads)
    pages["/"] = page("Valley News", *heads)
    note = "Documents/deliveries.txt"
    driver = draw.person()
    text = f"Deliveries, {driver}\n\nTake the long way round for now.\n{sought} open again:"

    def look(bridge: str) -> tuple[Call, ...]:
        title = f"{bridge} to be closed"
        return (hand.click(title, role="link"), hand.await_element(title, role="heading"))

    def write(day: str) -> tuple[Call, ...]:
        return (hand.click("deliveries.txt", app="xfce4-panel"), hand.press("ctrl+End"), hand.type(day))

    save = hand.press("ctrl+s")
    place = f"/{sought.lower().replace(' ', '-')}"
    return Draft(
        instruction=f"When can we use the {sought} again? It must be in the Valley News, which is open in "
        "Chromium. Please add the date (like this: 5 April) to the end of the last line of deliveries.txt, "
        "which is open in Mousepad, and save the file.",
        paraphrases=(
            f"Look up in the Valley News when the {sought} reopens, and write the date, e.g. 5 April, after "
            "the colon at the end of deliveries.txt (open in Mousepad). Save it.",
        ),
        setup=(
            make.text_file(note, text),
            make.launch(["mousepad", note], window="deliveries.txt"),
            make.web_site(NEWS, "Valley News", pages, menu={"Front page": "/"}),
            make.open_browser("chromium", [f"http://{NEWS}/"], "Valley News"),
        ),
        check=expect.all_of(
            [
                expect.text_is(see.text(note), text + opens[0]),
                expect.page_requested(see.site_log(NEWS), place),
            ]
        ),
        expected=(note,),
        solution=(*look(sought), *write(opens[0]), save),
        near_misses=(
            NearMiss(name="another bridge", moves=(*look(bridges[1]), *write(opens[1]), save)),
            NearMiss(name="the day it closes", moves=(*look(sought), *write(closes[0]), save)),
            NearMiss(name="not saved", moves=(*look(sought), *write(opens[0]))),
        ),
        other_ways=(
            Way(
                name="by the command line",
                moves=(
                    hand.run_code(fetch_page(f"http://{NEWS}{place}"), "python"),
                    hand.run_code(f"printf ' %s\n' '{opens[0]}' >> {note}"),
                ),
            ),
            by_hand(
                "a blank before it, saved by the menu",
                *look(sought),
                *write(f" {opens[0]}"),
                hand.menu(["File", "Save"]),
            ),
        ),
        cheats=(
            by_shell("every date in April", f"printf '{', '.join(f'{n} April' for n in range(1, 31))}' >> {note}"),
            by_hand("without looking", *write(opens[0]), save),
            by_shell("nothing but the date", f"echo '{sought} open again: {opens[0]}' > {note}"),
        ),
    )
