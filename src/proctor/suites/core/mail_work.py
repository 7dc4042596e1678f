"""Tasks in which what came by mail is kept or entered elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.home import HOME
from proctor.suites.parts.calc import Row, book, click_cell, enter, go_to, save
from proctor.suites.parts.other_programs import in_mailbox
from proctor.suites.parts.post import Owner, Person, people
from proctor.suites.parts.thunderbird import open_letter, run_program, save_attachment
from proctor.suites.parts.ways import by_hand, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

INVOICES = "Documents/Invoices"
EXPENSES = "Documents/expenses.txt"


@template(
    apps=("thunderbird", "mousepad"),
    level=4,
    demand="Life/Finance/Transaction Management",
    services=("mail",),
    version=2,
)
def keep_the_invoice(draw: Draw) -> Draft:
    """An attached invoice is saved, and its total goes on a list."""
    owner, (friend,) = people(draw, 1)
    firm, other = draw.some(("Alder Books", "Beacon Foods", "Gale Sports", "Harbour Coffee", "Iris Optics"), 2)
    net, tax = draw.amount(40, 400), draw.amount(5, 39)
    total = f"{net + tax:.2f}"
    name = f"invoice-{draw.randint(1200, 9800)}.txt"
    invoice = f"{firm}\nInvoice\n\nGoods    {net:.2f}\nTax      {tax:.2f}\nTotal    {total}\n"
    before = f"{other}: {draw.amount(10, 90):.2f}\nCobalt Design: {draw.amount(10, 90):.2f}\n"
    sender = Person(firm, f"billing@{firm.lower().replace(' ', '')}.example")
    letters = [
        owner.letter(sender, f"Your invoice from {firm}", "03-10 07:30", "Please find our invoice attached.\n",
                     attachments=[{"name": name, "text": invoice, "type": "text/plain"}]),
        owner.letter(friend, "Cinema?", "03-11 17:55", f"Tonight at eight?\n\n{friend.first}\n"),
    ]  # fmt: skip
    kept = (*open_letter(f"Your invoice from {firm}"), *save_attachment(f"{HOME}/{INVOICES}/{name}"))
    look = (*run_program(f"mousepad {INVOICES}/{name}", name), hand.press("alt+F4"), hand.await_window(name, gone=True))

    def note(amount: str) -> tuple[Call, ...]:
        write = (hand.press("ctrl+End"), hand.type(f"{firm}: {amount}\n"), hand.press("ctrl+s"))
        return (*run_program(f"mousepad {EXPENSES}", "expenses.txt"), *write)

    return Draft(
        instruction=f"{firm} emailed me an invoice. Please save it in {INVOICES} under its own file name, and "
        f'add its total as a new line at the end of {EXPENSES}, in the same form as the lines above ("{firm}: '
        'amount").',
        paraphrases=(
            f"Save the invoice that {firm} emailed me to {INVOICES} (same file name) and note the total in "
            f"{EXPENSES}, as the last line, in the same form as the others.",
        ),
        setup=(
            make.folder(INVOICES),
            make.text_file(EXPENSES, before),
            owner.mail({"INBOX": letters}),
            owner.thunderbird(),
        ),
        check=expect.all_of(
            [
                expect.text_is(see.text(f"{INVOICES}/{name}"), invoice),
                expect.text_is(see.text(EXPENSES), f"{before}{firm}: {total}\n"),
                owner.keeps(letters),
                expect.nothing_sent(see.posted_mail()),
            ]
        ),
        expected=(f"{INVOICES}/{name}", EXPENSES),
        solution=(*kept, *look, *note(total)),
        near_misses=(
            NearMiss(name="without tax", moves=(*kept, *note(f"{net:.2f}"))),
            NearMiss(name="the invoice not saved", moves=note(total)),
            NearMiss(name="the list not saved", moves=(*kept, *note(total)[:-1])),
        ),
        other_ways=(
            by_hand(
                "the list by the command line",
                *kept,
                hand.run_code(f"printf '%s' '{firm}: {total}' >> {EXPENSES}"),
            ),
            Way(
                name="fetched by another program",
                moves=(
                    hand.run_code(_fetch_code(owner, f"Your invoice from {firm}", f"{INVOICES}/{name}"), "python"),
                    hand.run_code(f"sed -i '$a {firm}: {total}' {EXPENSES}"),
                ),
            ),
        ),
        cheats=(
            by_shell(
                "an invoice with nothing but the total",
                f"echo 'Total    {total}' > {INVOICES}/{name}",
                f"echo '{firm}: {total}' >> {EXPENSES}",
            ),
            by_hand(
                "both amounts",
                *kept,
                hand.run_code(f"printf '%s\n' '{firm}: {net:.2f}' '{firm}: {total}' >> {EXPENSES}"),
            ),
            by_hand("a new list", *kept, hand.run_code(f"echo '{firm}: {total}' > {EXPENSES}")),
        ),
    )


def _fetch_code(owner: Owner, subject: str, path: str) -> str:
    """Return code that saves the file that came with a letter."""
    return in_mailbox(
        owner,
        "import email, email.policy, pathlib",
        f"held = box.fetch(named({subject!r}), '(RFC822)')[1][0][1]",
        "(file,) = email.message_from_bytes(held, policy=email.policy.default).iter_attachments()",
        f"pathlib.Path({path!r}).write_bytes(file.get_payload(decode=True))",
    )


@template(
    apps=("thunderbird", "libreoffice-calc"), level=4, demand="Office/Data/Tabling", services=("mail",), version=3
)
def enter_the_orders(draw: Draw) -> Draft:
    """Two colleagues order by email; the quantities go into the open sheet."""
    owner, (first, second, other) = people(draw, 3)
    goods = draw.some(("Pencils", "Staplers", "Folders", "Markers", "Envelopes", "Notepads"), 5)
    rows = draw.sample(range(5), 2)
    amounts = draw.some(range(4, 60), 2)
    orders = [(first, goods[rows[0]], amounts[0]), (second, goods[rows[1]], amounts[1])]
    letters = [
        owner.letter(person, f"Order from {person.first}", f"03-1{day} 10:2{day}",
                     f"Hi {owner.first},\n\nI need {amount} {item.lower()}, please.\n\n{person.first}\n")
        for day, (person, item, amount) in enumerate(orders)
    ]  # fmt: skip
    letters.append(
        owner.letter(other, "Thanks", "03-11 13:00", f"The {goods[0].lower()} are here, all 12.\n\n{other.first}\n")
    )
    table: list[Row] = [["Item", "Price", "Quantity"], *([item, draw.randint(1, 9), None] for item in goods)]
    cells = [f"C{row + 2}" for row in rows]
    path = "Documents/orders.ods"
    sheet = see.spreadsheet(path)
    read = tuple(move for person, _, _ in orders for move in open_letter(f"Order from {person.first}"))
    switch = (hand.press("alt+Tab"), hand.await_element("orders.ods", role="frame", app="soffice"))

    def type_cells(pairs: Sequence[tuple[str, object]]) -> tuple[Call, ...]:
        return (*read, *switch, *(move for cell, amount in pairs for move in enter(cell, amount)))

    pairs = list(zip(cells, amounts, strict=True))
    swapped = list(zip(cells, reversed(amounts), strict=True))
    return Draft(
        instruction=f"{first.name} and {second.name} have each emailed me an order. Please enter both "
        f"quantities in the Quantity column of {path}, which is open in Calc, each in the row of its item, and "
        "save the file.",
        paraphrases=(
            f"Enter the orders from {first.first}'s and {second.first}'s emails in the Quantity column of "
            f"{path} and save it.",
        ),
        setup=(book(path, ("Orders", table)), make.calc(path), owner.mail({"INBOX": letters}), owner.thunderbird()),
        check=expect.all_of(
            [
                *(expect.cell_is(sheet, *pair) for pair in pairs),
                owner.keeps(letters),
                expect.nothing_sent(see.posted_mail()),
            ]
        ),
        expected=(path,),
        solution=(*type_cells(pairs), *save()),
        near_misses=(
            NearMiss(name="quantities swapped", moves=(*type_cells(swapped), *save())),
            NearMiss(name="not saved", moves=type_cells(pairs)),
            NearMiss(name="only one order", moves=(*type_cells(pairs[:1]), *save())),
        ),
        other_ways=(
            by_hand(
                "the last one first, in cells that are clicked",
                *read,
                *switch,
                *(
                    move
                    for cell, amount in reversed(pairs)
                    for move in (click_cell(cell), hand.type(str(amount)), hand.press("Tab"))
                ),
                *save(),
            ),
            by_hand(
                "all the column typed again",
                *read,
                *switch,
                *go_to("C2"),
                hand.type("".join(f"{dict(pairs).get(f'C{row}', '')}\n" for row in range(2, 7))),
                *save(),
            ),
        ),
        cheats=(
            by_hand(
                "both quantities in every row",
                *type_cells([(f"C{row}", amounts[row % 2]) for row in range(2, 7)]),
                *save(),
            ),
            by_hand("all in one cell", *type_cells([(cells[0], f"{amounts[0]} {amounts[1]}")]), *save()),
            by_hand(
                "the prices overwritten",
                *type_cells(pairs),
                *(move for row in range(2, 7) for move in enter(f"B{row}", 0)),
                *save(),
            ),
        ),
    )
