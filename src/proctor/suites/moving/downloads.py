"""Tasks on downloads that are replaced on the page they come from."""

from __future__ import annotations

from proctor.suites.parts.news import happens
from proctor.suites.parts.pages import go_to, link, page, paragraph
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission, Draft, NearMiss
from proctor.tasks.template import template

SITE = "fern-garden.example"
TITLE = "Fern Garden Centre"
GOODS = ("Roses", "Tulips", "Heather", "Ivy", "Lavender", "Mint", "Sage", "Thyme")


def _fetch(name: str, target: str) -> Call:
    """Return the move that downloads a file of the site as a script would."""
    code = f"import urllib.request\nurllib.request.urlretrieve('http://{SITE}/{name}', 'Downloads/{target}')\n"
    return hand.run_code(code, "python")


def _download(draw: Draw, moved: bool) -> Draft:
    number, other = draw.some(range(11, 90), 2)
    goods = draw.some(GOODS, 5)
    prices = [draw.amount(2, 30) for _ in goods]
    changed = draw.randrange(5)
    raised = [price + (1 if place == changed else 0) for place, price in enumerate(prices)]

    def csv(costs: list[float]) -> str:
        return "".join(f"{name},{cost:.2f}\n" for name, cost in zip(goods, costs, strict=True))

    old, new = f"prices-{number}.csv", f"prices-{number + 1}.csv"
    hours, late = f"hours-{other}.csv", f"hours-{other + 1}.csv"
    files = {f"/{old}": csv(prices), f"/{hours}": "Mon-Fri,9-18\nSat,9-16\n"}

    def start(prices_are: str, hours_are: str) -> dict[str, dict[str, object]]:
        return {
            "/": page(
                TITLE,
                paragraph("What everything costs, and when we are there."),
                f"<p>{link('Price list', f'/{prices_are}')}: {prices_are}</p>",
                f"<p>{link('Opening hours', f'/{hours_are}')}: {hours_are}</p>",
            )
        }

    more = {f"/{new}": csv(raised)} if moved else {f"/{late}": "Mon-Fri,9-19\nSat,9-17\n"}
    said = f"New price list: {new} takes the place of {old}." if moved else f"New opening hours: {late}."
    right, text = (new, csv(raised)) if moved else (old, csv(prices))
    fetched = (hand.click("Price list", role="link"), hand.await_closed(f"Downloads/{old}"))
    again = (
        hand.press("F5"),
        hand.await_element(f"/{new if moved else late}/", role="static"),
        hand.click("Price list" if moved else "Opening hours", role="link"),
        hand.await_closed(f"Downloads/{new if moved else late}"),
    )
    names = [old, new] if moved else [old]
    held = [
        expect.folder_holds(see.folder("Downloads"), exactly=some) for some in ((names, [new]) if moved else (names,))
    ]
    return Draft(
        instruction=f"Please download the current price list of the {TITLE} for me; their page is open. I take "
        "Downloads with me on a stick afterwards.",
        paraphrases=(f"I need the {TITLE}'s current price list in Downloads. The page is in the browser.",),
        setup=(
            make.web_site(SITE, TITLE, start(old, hours), files=files),
            make.open_browser("chromium", [f"http://{SITE}/"], TITLE),
        ),
        events=(
            happens(
                "the page has a new file",
                expect.page_requested(see.site_log(SITE), f"/{old}"),
                make.site_changed(SITE, start(new, hours) if moved else start(old, late), files=more),
                make.notification(TITLE, said, 20),
            ),
        ),
        check=expect.all_of(
            [expect.text_is(see.text(f"Downloads/{right}"), text), expect.any_of(held)]
        ),
        expected=tuple(f"Downloads/{name}" for name in names),
        may_differ=(
            Admission(which="*: every cell in quotes", why="It is the file of the page, as it stands there."),
            *([Admission(which=f"Downloads/{old}: *", why="The old list may stay or go.")] if moved else []),
        ),
        solution=(*fetched, *again) if moved else fetched,
        near_misses=(
            (
                NearMiss(name="the list that was current at first", moves=fetched),
                NearMiss(name="looked at the new page, and left it", moves=(*fetched, *again[:2])),
            )
            if moved
            else (
                NearMiss(name="the new opening hours as well", moves=(*fetched, *again)),
                NearMiss(name="looked at in the browser only", moves=(hand.press("F5"),)),
            )
        ),
        other_ways=(
            by_hand(
                "by its address",
                _fetch(old, old),
                *((*go_to(f"{SITE}/{right}"), hand.await_closed(f"Downloads/{right}")) if moved else ()),
            ),
        ),
        cheats=(
            by_shell("an empty file of its name", f": > Downloads/{right}"),
            by_hand("the old list under the new name" if moved else "the hours under its name",
                    _fetch(old if moved else hours, right)),
        ),
    )  # fmt: skip


@template(apps=("chromium",), level=3, demand="Knowledge/Knowledge/Data Retrieval", services=("web",))
def current_price_list(draw: Draw) -> Draft:
    """A list is replaced by a newer one while it is being downloaded."""
    return _download(draw, moved=True)


@template(
    apps=("chromium",),
    level=3,
    demand="Knowledge/Knowledge/Data Retrieval",
    services=("web",),
    twin="current-price-list",
)
def price_list_that_stays(draw: Draw) -> Draft:
    """Another file of the page is replaced while a list is being downloaded."""
    return _download(draw, moved=False)
