"""Papers of firms as PDF: invoices, bills, tickets, receipts, payslips, confirmations."""

from __future__ import annotations

from datetime import date

from proctor.worlds.chance import exact, in_words, month_name
from proctor.worlds.life.stale import iban
from proctor.worlds.model import Contact, DeskOwner, Facts, Life, LifeEvent
from proctor.worlds.people.load import firms
from proctor.worlds.writers.pdf import FULL_WIDTH, MARGIN, WIDE, Pdf

RIGHT = WIDE - MARGIN


def form(event: LifeEvent, life: Life) -> bytes:
    """Return the paper that a firm made for an event."""
    return _FORMS[event.kind](event, life.owner)


def lines_of(event: LifeEvent) -> list[Facts]:
    """Return the lines of an invoice."""
    lines = event.facts["lines"]
    assert isinstance(lines, list)
    return lines


def _head(firm: str, owner: Contact, title: str, facts: list[tuple[str, str]], footer: str = "") -> Pdf:
    known = firms().get(firm)
    place = f"{known.street}, {known.town}" if known else ""
    pdf = Pdf(f"{firm}: {title}", footer or f"{firm}, {place}")
    pdf.put(MARGIN, 782, firm, 17, bold=True)
    pdf.put(MARGIN, 767, place, 8.5)
    pdf.rule(MARGIN, FULL_WIDTH, 758, 1.2)
    for number, line in enumerate((owner.name, owner.street, owner.town)):
        pdf.put(MARGIN, 712 - 14 * number, line, 10.5)
    for number, (name, value) in enumerate(facts):
        pdf.put(RIGHT - 190, 712 - 14 * number, name, 9)
        pdf.put(RIGHT, 712 - 14 * number, value, 9.5, right=True)
    pdf.y = 630 - 14 * max(0, len(facts) - 5)
    pdf.paragraph(title, 14, bold=True, after=10)
    return pdf


def _amounts(pdf: Pdf, event: LifeEvent, share: str = "20%") -> None:
    rows = [["No.", "Description", "Quantity", "Price", "Amount"]]
    rows += [
        [str(number), str(line["what"]), str(line["count"]), f"{line['price']:,.2f}", f"{line['sum']:,.2f}"]
        for number, line in enumerate(lines_of(event), 1)
    ]
    pdf.table(rows, (32, 239, 60, 70, 70), numbers=(2, 3, 4))
    for name, fact in (("Net", "net"), (f"VAT {share}", "tax"), ("Total", "total")):
        pdf.room(16)
        pdf.y -= 15
        bold = fact == "total"
        pdf.put(RIGHT - 150, pdf.y, name, 10, bold)
        pdf.put(RIGHT - 4, pdf.y, exact(event.number(fact)), 10, bold, right=True)
    pdf.space(20)


def _invoice(event: LifeEvent, owner: DeskOwner) -> bytes:
    firm, due = event.text("firm"), event.facts["due"]
    assert isinstance(due, date)
    facts = [("Invoice", event.text("invoice")), ("Date", f"{event.at:%d.%m.%Y}"), ("Due", f"{due:%d.%m.%Y}")]
    facts += [("Order", event.text("number"))] if event.text("number") else [("Customer", customer_number(firm, owner))]
    pdf = _head(firm, owner.contact, f"Invoice {event.text('invoice')}", facts)
    if event.kind == "bill":
        month = event.facts["month"]
        assert isinstance(month, date)
        pdf.paragraph(f"For {month_name(month)} {month.year} we charge you the following services.")
    else:
        pdf.paragraph("Thank you for your order. We delivered and charge you the following goods.")
    _amounts(pdf, event)
    pdf.paragraph(
        f"Please pay {exact(event.number('total'))} until {in_words(due)} {due.year} to our account "
        f"{iban(firm)} at Meridian Bank and quote {event.text('invoice')}."
    )
    pdf.paragraph(event.text("note"))
    pdf.paragraph(_SMALL_PRINT, 7.5)
    return pdf.data()


def own_invoice(event: LifeEvent, owner: DeskOwner) -> bytes:
    """Return an invoice that the owner writes to a customer."""
    customer = next(each for each in owner.contacts if each.name == event.text("to"))
    due = event.facts["due"]
    assert isinstance(due, date)
    facts = [("Invoice", event.text("invoice")), ("Date", f"{event.at:%d.%m.%Y}"), ("Due", f"{due:%d.%m.%Y}")]
    pdf = _head(
        owner.name,
        customer,
        f"Invoice {event.text('invoice')}",
        facts,
        f"{owner.name}, {owner.contact.street}, {owner.contact.town}, {owner.contact.phone}",
    )
    pdf.paragraph(f"For {event.text('what')} I charge, as agreed:")
    _amounts(pdf, event)
    pdf.paragraph(f"Please pay until {in_words(due)} to {iban(owner.name)}. Thank you for the good work together.")
    pdf.space(12)
    pdf.paragraph(owner.name)
    return pdf.data()


def _ticket(event: LifeEvent, owner: DeskOwner) -> bytes:
    leaves, arrives = event.moment("leaves"), event.moment("arrives")
    facts = [("Booking", event.text("code")), ("Booked", f"{event.at:%d.%m.%Y %H:%M}"), ("Traveller", owner.name)]
    pdf = _head(event.text("firm"), owner.contact, f"Ticket {event.text('from')} - {event.text('to')}", facts)
    rows = [["Date", "From", "To", "Train", "Coach", "Seat"]]
    seat = f"{event.text('place')} ({event.text('side')})"
    rows.append(
        [
            f"{leaves:%d.%m.%Y}",
            f"{event.text('from')} {leaves:%H:%M}",
            f"{event.text('to')} {arrives:%H:%M}",
            event.text("train"),
            event.text("coach"),
            seat,
        ]
    )
    pdf.table(rows, (66, 110, 110, 62, 43, 80))
    pdf.paragraph(
        f"Valid on {in_words(leaves.date())} {leaves.year} on this train only. Please carry a document with "
        f"your photograph."
    )
    _amounts(pdf, event, "10%")
    _bars(pdf, event.text("code"))
    pdf.paragraph(
        "A refund is possible up to the day before the journey for a fee of 10 EUR. Delays of more than 60 "
        "minutes entitle you to a quarter of the price; the form is at every counter.",
        8,
    )
    return pdf.data()


def _hotel(event: LifeEvent, owner: DeskOwner) -> bytes:
    arrival, departure = event.facts["arrival"], event.facts["departure"]
    assert isinstance(arrival, date) and isinstance(departure, date)
    facts = [
        ("Confirmation", event.text("code")),
        ("Arrival", f"{arrival:%d.%m.%Y}"),
        ("Departure", f"{departure:%d.%m.%Y}"),
        ("Breakfast", event.text("breakfast")),
    ]
    pdf = _head(
        event.text("firm"),
        owner.contact,
        "Confirmation of your stay",
        facts,
        f"{event.text('firm')}, {event.text('town')}",
    )
    pdf.paragraph(f"We are glad to welcome you in {event.text('town')} and have reserved a {event.text('room')}.")
    _amounts(pdf, event, "10%")
    pdf.paragraph(
        "Check-in is from 15:00, check-out until 11:00. You can cancel free of charge until two days before "
        "your arrival. Later, or if you do not come, we charge 80% of the price. Pets only after a word with us."
    )
    return pdf.data()


def _receipt(event: LifeEvent, owner: DeskOwner) -> bytes:
    pdf = Pdf(f"Receipt {event.text('firm')}", event.text("firm"))
    pdf.paragraph(event.text("firm"), 15, bold=True, after=2)
    pdf.paragraph(event.text("town"), 9)
    pdf.paragraph(f"Receipt {event.id[-4:]}   {event.at:%d.%m.%Y %H:%M}", 10, after=12)
    rows = [
        ["", "", "EUR"],
        *([str(line["count"]), str(line["what"]), f"{line['sum']:,.2f}"] for line in lines_of(event)),
    ]
    pdf.table(rows, (26, 160, 60), numbers=(2,))
    pdf.paragraph(f"Total {exact(event.number('total'))}, VAT 10% {exact(event.number('tax'))} included", 10, bold=True)
    pdf.paragraph("Paid by card. Thank you for your visit.", 9)
    return pdf.data()


def _payslip(event: LifeEvent, owner: DeskOwner) -> bytes:
    month = event.facts["month"]
    assert isinstance(month, date)
    facts = [
        ("Month", f"{month_name(month)} {month.year}"),
        ("Paid", f"{event.at:%d.%m.%Y}"),
        ("Personnel no.", customer_number(event.text("firm"), owner)),
    ]
    pdf = _head(event.text("firm"), owner.contact, f"Payslip {month_name(month)} {month.year}", facts)
    rows = [
        ["", "EUR"],
        ["Gross", f"{event.number('gross'):,.2f}"],
        ["Income tax", f"-{event.number('tax'):,.2f}"],
        ["Social insurance", f"-{event.number('insurance'):,.2f}"],
        ["Paid out", f"{event.number('total'):,.2f}"],
    ]
    pdf.table(rows, (340, 130), numbers=(1,))
    since = (month.month - 1) % 12 + 1
    pdf.paragraph(
        f"This year up to this month: {since} {'month' if since == 1 else 'months'}. Transferred to {iban(owner.name)}."
    )
    pdf.paragraph(
        "Please keep this slip. Questions are answered by the payroll office on weekdays from 9:00 to 12:00.", 9
    )
    return pdf.data()


def _bars(pdf: Pdf, code: str) -> None:
    x = float(MARGIN)
    pdf.space(46)
    for number in "".join(f"{ord(letter):08b}" for letter in code):
        wide = 2.6 if number == "1" else 1.2
        pdf.box(x, pdf.y, wide, 40, 0.05)
        x += wide + 1.7
    pdf.space(18)


def customer_number(firm: str, owner: DeskOwner) -> str:
    """Return the number under which a firm knows the owner."""
    return f"{sum(map(ord, firm)) % 90 + 10}-{sum(map(ord, owner.key)) * 17 % 90000 + 10000}"


_SMALL_PRINT = (
    "Goods remain ours until they are paid. Complaints are accepted within fourteen days of delivery. For "
    "late payments we charge 4% a year. "
    "We keep your data as long as the law demands it and give it to nobody but the carrier. Place of "
    "performance is our seat."
)
_FORMS = {
    "bill": _invoice, "order.billed": _invoice, "ticket": _ticket, "hotel": _hotel, "receipt": _receipt,
    "salary": _payslip,
    "invoice": own_invoice,
}  # fmt: skip
PAPERS_OF_FIRMS = frozenset(_FORMS)
"""Events that leave a paper of this kind."""
