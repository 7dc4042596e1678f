"""What is in the things of a task: a guest list has guests, a timetable has times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources

from proctor.errors import UnknownName
from proctor.graphs.compose.theme import Theme, fill_line
from proctor.tasks.draw import Draw

Row = list[str | int | float]


@dataclass(frozen=True, slots=True)
class Bank:
    """Lines of one sort, of which some are drawn."""

    lines: tuple[str, ...]
    """With placeholders; a single one is drawn again and again."""
    firsts: tuple[str, ...] = ()
    """What it may begin with, such as a headline."""
    headed: bool = False
    """Whether a line above says what it is; a list that may be sorted has none."""
    ordered: bool = False
    """Whether they keep their order, as those of a letter do."""
    timed: bool = False
    """Whether each has a time of its own."""


def _read() -> Iterator[tuple[str, str, list[str]]]:
    """Yield the name, what else is said of it, and the lines of each sort in `lines.txt`."""
    text = resources.files("proctor.graphs.compose").joinpath("lines.txt").read_text(encoding="utf-8")
    for passage in text.removeprefix("# ").split("\n# "):
        title, *lines = passage.splitlines()
        name, _, flags = title.partition(": ")
        yield name, flags, [line for line in lines if line]


BANKS = {
    name: Bank(
        tuple(line for line in lines if not line.startswith("^ ")),
        tuple(line.removeprefix("^ ") for line in lines if line.startswith("^ ")),
        "headed" in flags,
        "ordered" in flags or "timed" in flags or any(line.startswith("^ ") for line in lines),
        "timed" in flags,
    )
    for name, flags, lines in _read()
    if flags != "files"
}
"""Lines by sort."""

MEMBERS = {
    name: {member: sort for member, _, sort in (line.partition(" = ") for line in lines)}
    for name, flags, lines in _read()
    if flags == "files"
}
"""What is in folders and archives: the sorts of their files, by name."""

TABLES: dict[str, tuple[tuple[str, str, str], tuple[str, ...]]] = {
    "stock": (("Item", "Number", "Price"), ("flour", "chairs", "paper cups", "candles", "folding tables", "ribbons",
              "lamps", "tea", "name tags", "umbrellas", "crayons", "blankets", "batteries", "apples")),
    "furniture": (("Furniture", "Pieces", "Value"), ("armchairs", "beds", "bookshelves", "carpets", "chests",
                  "cupboards", "desks", "mirrors", "sofas", "stools", "tables", "wardrobes")),
    "expenses": (("Expense", "Amount", "Planned"), ("hall rent", "printing", "postage", "coffee", "flowers", "parking",
                 "cleaning", "first aid", "stationery", "taxi", "sound system")),
    "tickets": (("Ticket", "Sold", "Price"), ("adults", "children", "students", "pensioners", "families", "members",
                "helpers", "groups", "evening guests")),
    "bookings": (("Guest", "Nights", "Rate"), ("Abbott", "Berger", "Carrasco", "Dahl", "Eriksen", "Fontaine", "Gruber",
                 "Haddad", "Jansen", "Moreau", "Novak")),
    "hours": (("Helper", "Hours", "Pay"), ("Amara", "Boris", "Carla", "Deniz", "Elena", "Farid", "Greta", "Hugo",
              "Ines", "Jonas", "Lena", "Marco")),
    "household": (("Bill", "Amount", "Before"), ("rent", "heating", "water", "electricity", "telephone", "insurance",
                  "newspaper", "groceries", "repairs", "bus pass")),
    "readings": (("Station", "Samples", "Level"), ("bridge", "harbour", "lock", "mill", "north bank", "old pier",
                 "quay", "reservoir", "spring", "weir")),
    "books": (("Book", "Copies", "Price"), ("atlas", "cookbook", "dictionary", "field guide", "grammar", "novel",
              "picture book", "poems", "songbook", "travel guide")),
    "scores": (("Team", "Games", "Average"), ("Badgers", "Cranes", "Foxes", "Herons", "Kites", "Lynxes", "Otters",
               "Ravens", "Swifts", "Wolves")),
    "plants": (("Plant", "Pots", "Price"), ("basil", "chives", "dill", "fennel", "lavender", "mint", "oregano",
               "parsley", "rosemary", "sage", "thyme")),
    "equipment": (("Device", "Pieces", "Rent"), ("amplifier", "cables", "drum kit", "headphones", "light stand",
                  "microphone", "mixing desk", "projector", "screen", "tripod")),
    "wedding": (("Cost", "Amount", "Planned"), ("hall", "band", "photographer", "rings", "dress", "flowers",
                "invitations", "drinks", "dinner", "parking")),
    "medical": (("Treatment", "Amount", "Refund"), ("consultation", "blood test", "x-ray", "physiotherapy", "medicine",
                "bandages", "taxi", "massage", "vaccination", "dentist", "glasses")),
    "trip": (("Cost", "Persons", "Price"), ("coach", "lunch", "museum", "boat trip", "guide", "coffee", "tips",
             "cable car", "ice cream", "parking", "maps")),
    "prints": (("Edition", "Copies", "Price"), ("hardcover", "paperback", "large print", "pocket edition", "box set",
               "school edition", "signed edition", "gift edition", "first edition", "linen edition", "mini edition")),
    "pictures": (("Picture", "Prints", "Price"), ("old bridge", "harbour at dawn", "market day", "fog", "two boats",
                 "back door", "winter light", "the baker", "tram")),
    "parts": (("Part", "Number", "Price"), ("handle", "lid", "seal", "hinge", "foot", "spring", "switch", "cable",
              "screw set", "drawer rail", "ferrule")),
    "stalls": (("Stall", "Tables", "Rent"), ("honey", "cheese", "pottery", "books", "waffles", "toys", "plants",
               "lemonade", "candles")),
    "passengers": (("Traveller", "Seats", "Fare"), ("Abbott", "Berger", "Carrasco", "Dahl", "Eriksen", "Fontaine",
                   "Gruber", "Haddad", "Jansen", "Moreau", "Novak")),
    "issues": (("Module", "Reports", "Days"), ("backup", "calendar", "editor", "export", "import", "login", "printing",
               "search", "settings", "sync")),
}  # fmt: skip
"""Headings and first columns of tables, by what they are about; the other columns are counts and amounts."""
OF_EACH = frozenset(
    {"Price", "Rate", "Pay", "Average", "Level", "Planned", "Before", "Refund", "Fare", "Value", "Days"}
)
"""Columns that say something of each entry, or of another time, so that nobody adds them up."""
MONEY = ("Amount", "Rent", "Price", "Rate", "Pay")
"""Columns that hold money, the likeliest to be paid as a sum first."""

RANGES = {
    "Amount": (20, 480), "Planned": (20, 480), "Before": (20, 480), "Refund": (10, 90), "Nights": (1, 14),
    "Rate": (45, 140), "Hours": (3, 40), "Pay": (9, 28), "Games": (3, 14),
    "Pieces": (1, 9), "Value": (20, 400), "Average": (1, 9), "Persons": (4, 30),
    "Tables": (1, 6), "Rent": (5, 60), "Seats": (1, 6), "Fare": (9, 48), "Days": (1, 60), "Sold": (5, 90),
}  # fmt: skip
"""How large figures are, by what stands above them; others lie between 1 and 60."""

SORT_OF = {
    "guest list": "names", "address list": "names", "shopping list": "groceries", "packing list": "things",
    "checklist": "chores", "rota": "duties", "timetable": "timetable", "minutes": "minutes",
    "invitation": "invitation", "thank-you letter": "report", "programme": "timetable", "flyer": "invitation",
    "house rules": "notice", "application": "answers", "ideas": "questions", "open questions": "questions",
    "phone numbers": "chores", "arrangements": "minutes", "things to bring": "things", "question": "answers",
    "offer": "answers", "confirmation": "answers", "cancellation": "answers", "announcement": "notice",
    "directions": "journey", "press report": "report", "rules": "notice", "opening hours": "notice",
    "talk": "talk", "presentation": "talk", "slide show": "talk", "overview": "talk", "site plan": "notice",
    "seating plan": "names", "sign": "notice", "emblem": "notice", "greeting": "notice", "backup": "chores",
    "cleanup": "chores", "file count": "chores", "planning meeting": "minutes", "dress rehearsal": "timetable",
    "delivery": "chores", "clearing up": "chores", "ticket sales": "tickets", "donations": "stock",
    "expenses": "expenses", "price list": "stock", "stock list": "stock", "room plan": "bookings",
    "booking list": "bookings", "alarm": "notice", "theme": "notice", "time zone": "notice",
    "members": "hours", "bookings": "bookings", "inventory": "stock",
}  # fmt: skip
"""Of which sort something is that goes by a name of its own."""


def lines_about(topic: str, draw: Draw, theme: Theme, name: str = "") -> list[str]:
    """Draw the lines of something by its topic, unless the sort of lines is named."""
    sort = SORT_OF.get(topic, topic)
    bank = BANKS.get(sort)
    if bank is None:
        raise UnknownName("sort of lines", sort, BANKS)
    many = draw.randint(4, 7)
    if len(bank.lines) == 1:
        found = list(dict.fromkeys(fill_line(bank.lines[0], draw, theme) for _ in range(many)))
    else:
        chosen = draw.some(bank.lines, min(many, len(bank.lines)))
        ordered = sorted(chosen, key=bank.lines.index) if bank.ordered else chosen
        found = [fill_line(line, draw, theme) for line in ordered]
    if bank.timed:
        hours = sorted(draw.some(range(8, 20), len(found)))
        found = [
            f"{hour:02}:{draw.choice(('00', '15', '30', '45'))} {line}" for hour, line in zip(hours, found, strict=True)
        ]
    name = name or topic
    if bank.headed:
        return [f"{name[:1].upper()}{name[1:]} for {theme.title}", *found]
    return [fill_line(draw.choice(bank.firsts), draw, theme), *found] if bank.firsts else found


def rows_about(topic: str, draw: Draw) -> list[Row]:
    """Draw the rows of a table by its topic, the headings first."""
    sort = SORT_OF.get(topic, topic)
    headings, names = TABLES.get(sort, TABLES["stock"])
    rows: list[Row] = [[name.capitalize(), *_figures(headings, draw)] for name in draw.some(names, draw.randint(4, 8))]
    return [list(headings), *rows]


def _figures(headings: Sequence[str], draw: Draw) -> tuple[int, float]:
    """Draw the two figures of a row, as large as such figures are."""
    many, price = (RANGES.get(heading) for heading in headings[1:])
    return draw.randint(*(many or (2, 60))), draw.amount(*(price or (1, 40)))


def another_row(headings: Row, there: list[str], draw: Draw, named: str = "") -> tuple[str, int, float]:
    """Draw one more row of a table, with an entry that is not there; `named` says which."""
    names = next((names for known, names in TABLES.values() if list(known) == headings), TABLES["stock"][1])
    others = [name.capitalize() for name in names if name.capitalize() not in there] or ["Other things"]
    item = named or draw.choice(others)
    return item, *_figures([str(heading) for heading in headings], draw)
