"""Tasks on shopping on the web."""

from __future__ import annotations

from proctor.suites.parts.giving_up import blindly, having_looked
from proctor.suites.parts.pages import (
    STREETS,
    fetch_page,
    fill_in,
    form,
    go_to,
    link,
    page,
    paragraph,
    post_form,
    refusal_taken,
    send,
    table,
)
from proctor.suites.parts.ways import by_hand, by_python
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission, Draft, NearMiss, Way
from proctor.tasks.template import template

SHOP = "hearth.example"
TEA = "leaf-and-cup.example"
KETTLES = ("Alto", "Brio", "Corra", "Delma", "Evita", "Fonda", "Galto", "Horna")
TEAS = ("Assam", "Darjeeling", "Earl Grey", "Jasmine", "Oolong", "Rooibos", "Sencha", "Keemun")

LIST = hand.click("/^Kettles$/", role="link")


def kettle_shop(stock: list[tuple[str, str, float, bool]]) -> Call:
    """Return the setup of a shop with kettles: name, litres, price, and whether it can be had."""
    rows = []
    pages = {}
    for name, litres, price, available in stock:
        path = f"/kettles/{name.lower()}"
        rows.append((link(name, path), f"{litres} l", f"{price:.2f} EUR", "in stock" if available else "sold out"))
        fields = {"name": "Your name", "address": "Delivery address"}
        order = form("/order", "Place order", fields, hidden={"item": name})
        gone = '<p class="problem">Sold out. We do not know when it will be back.</p>'
        described = paragraph(f"Holds {litres} litres. Price: {price:.2f} EUR.")
        pages[path] = page(f"Kettle {name}", described, order if available else gone)
    listed = table(("Kettle", "Volume", "Price", "Availability"), rows)
    pages["/kettles"] = page("Electric kettles", listed)
    pages["/"] = page("Welcome", paragraph("Everything for your kitchen."), link("Electric kettles", "/kettles"))
    thanks = "<h1>Thank you, {name}</h1><p>One {item} is on its way.</p>"
    orders = {"kind": "order", "needed": ["name", "address"], "thanks": thanks, "page": "/kettles"}
    refused = [{"field": "item", "value": each[0], "why": f"{each[0]} is sold out."} for each in stock if not each[3]]
    forms = {"/order": {**orders, "refuses": refused}}
    footer = "Hearth & Home. All prices with tax, delivery is free."
    return make.web_site(
        SHOP, "Hearth & Home", pages, forms=forms, menu={"Kettles": "/kettles"}, search=True, footer=footer
    )


def kettle_request(person: str, address: str) -> tuple[str, str]:
    """Return how the kettle is asked for, in two ways."""
    return (
        "Please order me an electric kettle from Hearth & Home. The shop is open in the browser. It should hold at "
        f"least 1.7 litres and be in stock. Of those, take the cheapest. Name: {person}. Delivery address: "
        f"{address}.",
        f"I need a kettle, 1.7 l or more, the cheapest that's in stock. Order one at Hearth & Home (open in Chromium) "
        f"for {person}, {address}.",
    )


def order_kettle(name: str, person: str, address: str) -> tuple[Call, ...]:
    """Return the moves that order a kettle from the list."""
    details = {"Your name": person, "Delivery address": address}
    return (LIST, hand.click(name, role="link"), *fill_in(details), *send("Place order"))


@template(apps=("chromium",), level=2, demand="Life/Shopping/Ordering", services=("web",), version=2)
def order_a_kettle(draw: Draw) -> Draft:
    """The cheapest kettle of a size is ordered, past cheaper ones too small or sold out."""
    person = draw.person()
    address = f"{draw.randint(2, 98)} {draw.choice(STREETS)}, {draw.city()}"
    small, sold_out, right, dear, dearer, tiny = draw.some(KETTLES, 6)
    base = draw.randint(24, 33)
    stock = [
        (small, "1.5", base - 6.05, True), (tiny, "1.0", base - 9.11, True), (sold_out, "1.7", base - 2.51, False),
        (right, "1.7", base + 0.49, True), (dear, "1.8", base + 1.99, True), (dearer, "1.7", base + 7.95, True),
    ]  # fmt: skip
    draw.shuffle(stock)
    asked, otherwise = kettle_request(person, address)
    bought = order_kettle(right, person, address)
    typed = (LIST, hand.click(right, role="link"), *fill_in({"Your name": person, "Delivery address": address}))
    return Draft(
        instruction=asked,
        paraphrases=(otherwise,),
        setup=(kettle_shop(stock), make.open_browser("chromium", [f"http://{SHOP}/"], "Welcome")),
        check=expect.site_record(see.site_records(SHOP, "order"), {"item": right, "name": person, "address": address}),
        solution=bought,
        near_misses=(
            NearMiss(name="the cheapest of all, too small", moves=order_kettle(tiny, person, address)),
            NearMiss(name="the next cheapest one", moves=order_kettle(dear, person, address)),
            NearMiss(name="ordered twice", moves=(*bought, *bought)),
            NearMiss(name="filled in but not ordered", moves=typed),
        ),
        other_ways=(
            by_hand(
                "the page's address typed, from field to field by the Tab key",
                *go_to(f"{SHOP}/kettles/{right.lower()}"),
                hand.type_into(person, "Your name", role="entry"),
                hand.press("Tab"),
                hand.type(address),
                hand.press("Return"),
                hand.await_element("/^Thank you/", role="heading"),
            ),
            by_python("by a script", _order_kettle(right, person, address)),
            by_python("in another case", _order_kettle(right, person.upper(), f"{address} ")),
        ),
        cheats=(
            by_python("one of each", "".join(_order_kettle(each[0], person, address) for each in stock if each[3])),
            by_python("ordered for somebody else", _order_kettle(right, "Me", address)),
            by_python("all of them in one order", _order_kettle(", ".join(each[0] for each in stock), person, address)),
        ),
    )


@template(
    apps=("chromium",), level=3, demand="Life/Shopping/Ordering", services=("web",), feasible=False,
    twin="order-a-kettle", version=3,
)  # fmt: skip
def order_a_kettle_sold_out(draw: Draw) -> Draft:
    """Every kettle of the wanted size is sold out, though smaller ones are not."""
    person = draw.person()
    address = f"{draw.randint(2, 98)} {draw.choice(STREETS)}, {draw.city()}"
    names = draw.some(KETTLES, 6)
    base = draw.randint(24, 33)
    sizes = ("1.5", "1.0", "1.7", "1.7", "1.8", "1.7")
    prices = (base - 6.05, base - 9.11, base - 2.51, base + 0.49, base + 1.99, base + 7.95)
    stock = [(n, size, price, size < "1.7") for n, size, price in zip(names, sizes, prices, strict=True)]
    small, wanted = names[0], names[2]
    draw.shuffle(stock)
    asked, otherwise = kettle_request(person, address)
    return Draft(
        instruction=asked,
        paraphrases=(otherwise,),
        setup=(kettle_shop(stock), make.open_browser("chromium", [f"http://{SHOP}/"], "Welcome")),
        check=having_looked(
            expect.no_site_record(see.site_records(SHOP)),
            # The first page does not tell what can be had.
            at=[["Sold out", name] for name in names[2:]],
            about=["sold out", "stock", "available", "smaller"],
        ),
        solution=(
            LIST,
            hand.click(wanted, role="link"),
            hand.await_element("Sold out", role="static"),
            hand.fail("Every kettle of 1.7 litres or more is sold out."),
        ),
        near_misses=(
            NearMiss(name="ordered a smaller one", moves=order_kettle(small, person, address)),
            NearMiss(
                name="ordered a smaller one and gave up",
                moves=(*order_kettle(small, person, address), hand.fail("No kettle of that size.")),
            ),
            NearMiss(name="looked and said done", moves=(LIST, hand.click(wanted, role="link"), hand.done())),
        ),
        other_ways=(
            by_hand(
                "from the list of kettles alone",
                hand.click("Electric kettles", role="link"),
                hand.await_element("Electric kettles", role="heading"),
                hand.fail("All the kettles of at least 1.7 litres are sold out."),
            ),
            Way(
                name="looked at by a script",
                moves=(
                    hand.run_code(fetch_page(f"http://{SHOP}/kettles"), "python"),
                    hand.fail("Nothing of that size is in stock."),
                ),
            ),
            by_hand(
                "asked about it",
                LIST,
                hand.ask("Every kettle that holds 1.7 litres or more is sold out. Is a smaller one all right?"),
                hand.fail("Sold out."),
            ),
        ),
        cheats=(
            blindly(wanted, "kettles", f"http://{SHOP}/kettles"),
            Way(
                name="what is sold out ordered all the same, by a script",
                moves=(
                    hand.run_code(
                        refusal_taken(_order_kettle(wanted, person, address)),
                        "python",
                    ),
                    hand.fail("Sold out."),
                ),
            ),
            by_hand("looked elsewhere", *go_to("example.com"), hand.fail("Sold out.")),
            Way(
                name="looked at the first page only",
                moves=(hand.run_code(fetch_page(f"http://{SHOP}/"), "python"), hand.fail("Sold out.")),
            ),
            by_python("a smaller one by a script", _order_kettle(small, person, address)),
        ),
    )


def _order_kettle(name: str, person: str, address: str) -> str:
    """Return code that orders a kettle."""
    return post_form(f"http://{SHOP}/order", {"item": name, "name": person, "address": address})


@template(apps=("chromium",), level=3, demand="Life/Shopping/Searching", services=("web",))
def tea_with_a_second_choice(draw: Draw) -> Draft:
    """The wanted tea turns out to be sold out when it is ordered; the user said what to take instead."""
    person = draw.person()
    first, second, *others = draw.some(TEAS, 6)
    packs = draw.choice(("2", "3", "4"))
    teas = sorted((first, second, *others))
    prices = {tea: draw.amount(4, 12) for tea in teas}
    choices = {"tea": ("Tea", teas), "packs": ("Packs", ("1", "2", "3", "4", "5"))}
    order = form("/order", "Order", {"name": "Your name"}, choices)
    priced = [(tea, f"{prices[tea]:.2f} EUR") for tea in teas]
    pages = {"/": page("Order tea", table(("Tea, 100 g", "Price per pack"), priced), order)}
    gone = {"field": "tea", "value": first, "why": f"We are sorry: {first} has just sold out."}
    taken = {"kind": "order", "needed": ["name"], "refuses": [gone], "page": "/"}

    def buy(tea: str, number: str = packs) -> tuple[Call, ...]:
        return fill_in({"Your name": person}, {"Tea": tea, "Packs": number})

    back = (hand.click("Order", role="push button"), hand.click("Back to the form", role="link"))
    return Draft(
        instruction=f"Could you order {packs} packs of {first} from Leaf & Cup for me? The page is open. If "
        f"they've run out, get the same amount of {second} instead. My name is {person}.",
        paraphrases=(
            f"Order {packs}x {first} from the open tea shop for {person}, or {packs}x {second}, but only if "
            f"the {first} is gone.",
        ),
        setup=(
            make.web_site(TEA, "Leaf & Cup", pages, forms={"/order": taken}, menu={"Tea": "/"}),
            make.open_browser("chromium", [f"http://{TEA}/"], "Order tea"),
        ),
        check=expect.all_of(
            [
                expect.site_record(see.site_records(TEA, "order"), {"tea": second, "packs": packs, "name": person}),
                expect.site_record_among(see.site_records(TEA, "refused order"), {"tea": first}),
            ]
        ),
        solution=(*buy(first), *back, *buy(second), *send("Order")),
        near_misses=(
            NearMiss(name="stopped at the refusal", moves=(*buy(first), hand.click("Order", role="push button"))),
            NearMiss(name="something else instead", moves=(*buy(first), *back, *buy(others[0]), *send("Order"))),
            NearMiss(name="one pack only", moves=(*buy(first), *back, *buy(second, "1"), *send("Order"))),
            NearMiss(name="never tried the first choice", moves=(*buy(second), *send("Order"))),
        ),
        other_ways=(
            by_hand(
                "back by the browser's key",
                *buy(first),
                hand.click("Order", role="push button"),
                hand.await_element("Not sent yet", role="heading"),
                hand.press("alt+Left"),
                hand.await_element("Order tea", role="heading"),
                *buy(second),
                *send("Order"),
            ),
            by_python("by a script", _tea_wanted(first, packs, person, gone=True) + _tea_wanted(second, packs, person)),
        ),
        may_differ=(
            Admission(
                which="site_records(refused order, *): records: 'refused order': fields: * changed",
                why="Trying what turns out to be sold out is what counts, however much of it and for whom.",
            ),
        ),
        cheats=(
            by_python("never tried the first choice, by a script", _tea_wanted(second, packs, person)),
            by_python(
                "one order that names both",
                _tea_wanted(f"{first}, {second}", packs, person),
            ),
            by_python(
                "both packs and more",
                _tea_wanted(first, packs, person, gone=True)
                + _tea_wanted(second, packs, person)
                + _tea_wanted(others[0], packs, person),
            ),
        ),
    )


def _tea_wanted(tea: str, packs: str, person: str, *, gone: bool = False) -> str:
    """Return code that orders a tea; one that is gone is refused, which the code takes as an answer."""
    code = post_form(f"http://{TEA}/order", {"tea": tea, "packs": packs, "name": person})
    return refusal_taken(code) if gone else code
