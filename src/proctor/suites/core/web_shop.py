"""Tasks on shopping on the web."""

from __future__ import annotations

from proctor.suites.parts.giving_up import having_looked
from proctor.suites.parts.pages import STREETS, fill_in, form, link, page, paragraph, send, table
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss
from proctor.tasks.template import template

SHOP = "hearth.example"
TEA = "leaf-and-cup.example"
KETTLES = ("Alto", "Brio", "Corra", "Delma", "Evita", "Fonda", "Galto", "Horna")
TEAS = ("Assam", "Darjeeling", "Earl Grey", "Jasmine", "Oolong", "Rooibos", "Sencha", "Keemun")


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
    pages["/"] = page("Electric kettles", table(("Kettle", "Volume", "Price", "Availability"), rows))
    thanks = "<h1>Thank you, {name}</h1><p>One {item} is on its way.</p>"
    orders = {"kind": "order", "needed": ["name", "address"], "thanks": thanks, "page": "/"}
    refused = [{"field": "item", "value": each[0], "why": f"{each[0]} is sold out."} for each in stock if not each[3]]
    forms = {"/order": {**orders, "refuses": refused}}
    footer = "Hearth & Home. All prices with tax, delivery is free."
    return make.web_site(SHOP, "Hearth & Home", pages, forms=forms, menu={"Kettles": "/"}, search=True, footer=footer)


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
    return (hand.click(name, role="link"), *fill_in(details), *send("Place order"))


@template(apps=("chromium",), level=2, demand="Life/Shopping/Ordering", services=("web",))
def order_a_kettle(draw: Draw) -> Draft:
    """The cheapest kettle of a certain size is ordered, past cheaper ones that are too small or sold out."""
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
    typed = (hand.click(right, role="link"), *fill_in({"Your name": person, "Delivery address": address}))
    return Draft(
        instruction=asked,
        paraphrases=(otherwise,),
        setup=(kettle_shop(stock), make.open_browser("chromium", [f"http://{SHOP}/"], "Electric kettles")),
        check=expect.site_record(see.site_records(SHOP, "order"), {"item": right, "name": person, "address": address}),
        solution=bought,
        near_misses=(
            NearMiss(name="the cheapest of all, too small", moves=order_kettle(tiny, person, address)),
            NearMiss(name="the next cheapest one", moves=order_kettle(dear, person, address)),
            NearMiss(name="ordered twice", moves=(*bought, hand.click("Kettles", role="link"), *bought)),
            NearMiss(name="filled in but not ordered", moves=typed),
        ),
    )


@template(
    apps=("chromium",), level=3, demand="Life/Shopping/Ordering", services=("web",), feasible=False,
    twin="order-a-kettle", version=2,
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
        setup=(kettle_shop(stock), make.open_browser("chromium", [f"http://{SHOP}/"], "Electric kettles")),
        check=having_looked(expect.no_site_record(see.site_records(SHOP)), names=names[2:], words=["hearth.example/"]),
        solution=(
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
            NearMiss(name="looked and said done", moves=(hand.click(wanted, role="link"), hand.done())),
        ),
    )


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
    )
