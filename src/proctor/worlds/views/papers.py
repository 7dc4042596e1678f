"""Papers that people write: minutes, reports, letters, offers, slides, tables."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import PurePosixPath

from proctor.vocabulary.formats.office.blocks import DocumentBlock, Paper, Run, Slide
from proctor.vocabulary.formats.office.write_odf import odp, odt
from proctor.vocabulary.formats.office.write_ooxml import docx, pptx
from proctor.vocabulary.formats.spreadsheets.spec import ColumnKind, SheetSpec
from proctor.vocabulary.formats.spreadsheets.write import ods, separated_values, xlsx
from proctor.worlds.chance import exact, in_words, money
from proctor.worlds.life.diary import Diary
from proctor.worlds.model import Circle, Facts, Life, LifeEvent
from proctor.worlds.prose.banks import tables, texts
from proctor.worlds.prose.speak import fill
from proctor.worlds.views.forms import lines_of
from proctor.worlds.writers.pdf import FULL_WIDTH, Pdf
from proctor.worlds.writers.plain import plain_text

Block = DocumentBlock


class Writing:
    """Writes the papers of one life, not saying the same twice."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.owner = life.owner
        # Slots and wordings are drawn as in life itself.
        self.diary = Diary(life.owner, life.seed, life.first, life.last)
        self.events = {event.id: event for event in life.events}

    def paper(self, event: LifeEvent) -> Paper:
        """Return a paper of an event: what is a text document or a printed page."""
        makers: dict[str, Callable[[LifeEvent], Paper]] = {
            "minutes": self._minutes, "report": self._report, "manual": self._manual, "letter": self._letter,
            "offer": self._offer,
        }  # fmt: skip
        return makers[event.kind](event)

    def slides(self, event: LifeEvent) -> list[Slide]:
        """Return a presentation."""
        draw, circle = self._draw(event), self._circle(event)
        first = Slide(title=event.text("project"), bullets=(f"{circle.name}, {event.text('day')}", self.owner.name))
        made = [first]
        for title in draw.sample(texts("papers", "slides", "titles"), draw.randint(5, 7)):
            slots = self._slots(event, draw)
            points = tuple(self._several("papers", "slides", "points", many=draw.randint(3, 5), event=event, draw=draw))
            made.append(
                Slide(
                    title=fill(title, slots, draw),
                    bullets=points,
                    notes=self._say("papers", "slides", "speaker", facts=slots, draw=draw),
                )
            )
        return made

    def sheets(self, event: LifeEvent) -> list[SheetSpec]:
        """Return a table with sums in it."""
        makers = {"costs": self._costs, "budget": self._budget, "expense": self._expense, "tasks": self._tasks}
        return [makers[event.kind](event)]

    def _minutes(self, event: LifeEvent) -> Paper:
        session = self.events[event.cause]
        start, end = event.moment("start"), event.moment("end")
        people = [name for name in [*session.names("people"), self.owner.name] if name != event.text("absent")]
        head = [
            ["Date", f"{in_words(start.date())} {start.year}, {start:%H:%M} to {end:%H:%M}"],
            ["Place", session.text("place")],
            ["Present", ", ".join(people)],
        ]
        head += [["Absent", event.text("absent")]] if event.text("absent") else []
        head.append(["Minutes", event.text("writer")])
        blocks = [Block(text=f"Minutes: {session.text('title')}", heading=1), Block(rows=tuple(map(tuple, head)))]
        items = self._items(event)
        for number, item in enumerate(items, 1):
            blocks.append(Block(text=f"{number}. {item['title']}", heading=2))
            talk = item["talk"]
            assert isinstance(talk, list)
            blocks += [Block(text=str(text)) for text in talk]
            blocks.append(Block(runs=(Run(text="Decision: ", bold=True), Run(text=str(item["decision"])))))
        rows = [
            ("What", "Who", "Until"),
            *((str(item["action"]), str(item["who"]), str(item["until_text"])) for item in items),
        ]
        blocks += [
            Block(text="Actions", heading=2),
            Block(rows=tuple(rows)),
            Block(
                text="Whoever sees it differently writes to me within a week; after that these minutes count as agreed."
            ),
        ]
        return Paper(
            blocks=tuple(blocks),
            title=f"Minutes {session.text('title')}",
            footer=f"{session.text('circle')}, {start:%Y-%m-%d}",
        )

    def _report(self, event: LifeEvent) -> Paper:
        draw = self._draw(event)
        blocks = [
            Block(text=f"{event.text('project')}: report", heading=1),
            Block(text=f"{self.owner.name}, {event.text('day')}, for {event.text('client')}"),
        ]
        for title, part, many in (
            ("Summary", "summary", 1),
            ("Background", "background", 2),
            ("How we worked", "method", 2),
            ("Findings", "finding", 4),
        ):
            blocks.append(Block(text=title, heading=2))
            said = self._several("papers", "report", part, many=many, event=event, draw=draw)
            blocks += [Block(text=text) for text in said]
            if part == "finding":
                blocks.append(self._figures(event, draw))
        blocks.append(Block(text="Risks", heading=2))
        risks, steps = (
            self._several("papers", "report", part, many=3, event=event, draw=draw) for part in ("risk", "next")
        )
        blocks.append(Block(items=tuple(risks)))
        blocks.append(Block(text="Next steps", heading=2))
        blocks.append(Block(items=tuple(steps), ordered=True))
        return Paper(
            blocks=tuple(blocks),
            title=f"{event.text('project')}: report",
            header=f"{self._circle(event).name}",
            footer=event.text("day"),
        )

    def _figures(self, event: LifeEvent, draw: random.Random) -> Block:
        circle = self._circle(event)
        rows = [("", "Planned", "Reached", "Open")]
        for thing in draw.sample(circle.things, min(5, len(circle.things))):
            planned = draw.randint(8, 60)
            reached = draw.randint(planned // 3, planned)
            rows.append((thing.removeprefix("the ").capitalize(), str(planned), str(reached), str(planned - reached)))
        return Block(rows=tuple(rows))

    def _manual(self, event: LifeEvent) -> Paper:
        draw, circle = self._draw(event), self._circle(event)
        blocks = [
            Block(text=f"How we do it: {event.text('project')}", heading=1),
            Block(text=f"Written by {self.owner.name} on {event.text('day')} for whoever comes next."),
        ]
        for thing in draw.sample(circle.things, min(4, len(circle.things))):
            blocks.append(Block(text=thing.removeprefix("the ").capitalize(), heading=2))
            slots = {**self._slots(event, draw), "thing": thing}
            blocks.append(Block(text=self._say("papers", "report", "method", facts=slots, draw=draw)))
            blocks.append(
                Block(
                    items=tuple(
                        self._say(
                            "papers", "minutes", "action", facts={**self._slots(event, draw), "thing": thing}, draw=draw
                        )
                        for _ in range(4)
                    ),
                    ordered=True,
                )
            )
        blocks.append(Block(text="Who knows what", heading=2))
        known = {each.name: each for each in self.owner.contacts}
        blocks.append(
            Block(
                rows=(
                    ("Name", "Telephone", "Mail"),
                    *((name, known[name].phone, known[name].address) for name in circle.members),
                )
            )
        )
        return Paper(blocks=tuple(blocks), title=f"How we do it: {event.text('project')}")

    def _letter(self, event: LifeEvent) -> Paper:
        draw = self._draw(event)
        script = draw.choice(tables("papers", "letter", event.text("letter")))
        facts = {
            **self.diary.slots(draw, event.at),
            "thing": f"the {draw.choice(self.owner.wants)}",
            "thing2": "the list",
            "client": "",
        }
        facts |= self._past_facts(event)
        if event.text("letter") == "notice":
            facts["thing"] = draw.choice(("the second telephone", "the weekly paper", "the gym", "the storage room"))
        parts = script["text"]
        assert isinstance(parts, list)
        me = self.owner.contact
        blocks = [
            Block(text=f"{me.name}\n{me.street}\n{me.town}"),
            Block(text=event.text("to")),
            Block(text=f"{me.town}, {in_words(event.at.date())} {event.at.year}", align="right"),
        ]
        blocks.append(Block(runs=(Run(text=fill(str(script["subject"]), facts, draw), bold=True),)))
        known = next(
            (each for each in self.owner.contacts if each.name == event.text("to") and not each.automatic), None
        )
        blocks.append(Block(text=f"Dear {known.first}," if known else "Dear Sir or Madam,"))
        blocks += [Block(text=self.diary.speech.say(str(part), facts, draw)) for part in parts]
        blocks += [
            Block(text="With kind regards" if known is None else me.habits.farewell or "Yours"),
            Block(text=me.name),
        ]
        return Paper(blocks=tuple(blocks), title=f"Letter to {event.text('to')}")

    def _past_facts(self, event: LifeEvent) -> Facts:
        """Return what a letter may speak of: the last order and the last journey before it."""
        facts: Facts = {"trip_end": ""}
        for each in self.life.events:
            if each.kind == "order" and each.at < event.at:
                line = lines_of(each)[0]
                facts |= {"thing": f"the {line['what']}", "amount4": money(float(str(line["sum"])) * 1.2)}
                facts |= {"pastday": f"{in_words(each.at.date())} {each.at.year}"}
        for trip in self.life.trips:
            if trip.end < event.at.date():
                facts |= {"place": trip.town, "trip_start": f"{in_words(trip.start)} {trip.start.year}"}
                facts |= {"trip_end": f"{in_words(trip.end)} {trip.end.year}"}
        return facts

    def _offer(self, event: LifeEvent) -> Paper:
        me = self.owner.contact
        customer = next(each for each in self.owner.contacts if each.name == event.text("to"))
        rows = [("No.", "What", "Quantity", "Price", "Amount")]
        rows += [
            (str(n), str(line["what"]), str(line["count"]), f"{line['price']:,.2f}", f"{line['sum']:,.2f}")
            for n, line in enumerate(lines_of(event), 1)
        ]
        rows += [
            ("", name, "", "", f"{event.number(fact):,.2f}")
            for name, fact in (("Net", "net"), ("VAT 20%", "tax"), ("Total", "total"))
        ]
        until = event.at.date() + timedelta(days=30)
        blocks = (
            Block(text=f"{me.name}, {me.street}, {me.town}, {me.phone}"),
            Block(text=f"{customer.name}\n{customer.street}\n{customer.town}"),
            Block(text=f"{in_words(event.at.date())} {event.at.year}", align="right"),
            Block(text=f"Offer {event.text('invoice')}: {event.text('what')}", heading=1),
            Block(text="After my visit I offer you the following work. Small changes on site are included; "
                "what I cannot see today, such as what lies behind the old parts, is not."),
            Block(rows=tuple(rows)), Block(text=f"The total is {exact(event.number('total'))}. The offer "
                f"holds until {in_words(until)} {until.year}. I need a third of it before I order the "
                    f"material, the rest within fourteen days of the invoice."),
            Block(text="With kind regards"), Block(text=me.name),
        )  # fmt: skip
        return Paper(blocks=blocks, title=f"Offer {event.text('invoice')}")

    def _costs(self, event: LifeEvent) -> SheetSpec:
        draw = self._draw(event)
        rows: list[tuple[str | float | int | None, ...]] = [("Item", "Planned", "Spent", "Rest", "Share")]
        for number, item in enumerate(texts("papers", "cost", "items"), 2):
            slots = self._slots(event, draw)
            planned = draw.randint(12, 480) * 10
            rows.append(
                (
                    fill(item, slots, draw).removeprefix("The ").capitalize(),
                    planned,
                    round(planned * draw.uniform(0.1, 1.15), 2),
                    f"=B{number}-C{number}",
                    f"=C{number}/B{number}",
                )
            )
        last = len(rows)
        rows.append(("Sum", f"=SUM(B2:B{last})", f"=SUM(C2:C{last})", f"=SUM(D2:D{last})", f"=C{last + 1}/B{last + 1}"))
        return SheetSpec(
            name="Costs",
            rows=tuple(rows),
            widths=(58, 26, 26, 26, 18),
            bold_header=True,
            kinds={"B": "money", "C": "money", "D": "money", "E": "percent"},
        )

    def _budget(self, event: LifeEvent) -> SheetSpec:
        until = event.facts["until"]
        assert isinstance(until, date)
        spent: dict[str, list[float]] = {}
        firsts = [_back(until, count) for count in (3, 2, 1)]
        for payment in self.life.events:
            if payment.kind == "payment" and firsts[0] <= payment.at.date() < until:
                month = firsts.index(payment.at.date().replace(day=1))
                spent.setdefault(payment.text("category"), [0.0, 0.0, 0.0])[month] += payment.number("amount")
        rows: list[tuple[str | float | int | None, ...]] = [("Category", *(f"{day:%B %Y}" for day in firsts), "Sum")]
        rows += [
            (name, *(round(value, 2) for value in months), f"=SUM(B{number}:D{number})")
            for number, (name, months) in enumerate(sorted(spent.items()), 2)
        ]
        last = len(rows)
        rows.append(("Sum", *(f"=SUM({column}2:{column}{last})" for column in "BCDE")))
        kinds: dict[str, ColumnKind] = dict.fromkeys("BCDE", "money")
        return SheetSpec(name="Household", rows=tuple(rows), widths=(40, 32, 32, 32, 28), bold_header=True, kinds=kinds)

    def _expense(self, event: LifeEvent) -> SheetSpec:
        listed = event.facts["rows"]
        assert isinstance(listed, list)
        rows: list[tuple[str | float | int | None, ...]] = [("Date", "Where", "What", "EUR", "Receipt")]
        rows += [
            (f"{row['day']:%Y-%m-%d}", row["firm"], row["what"], row["sum"], PurePosixPath(row["path"]).name)
            for row in listed
        ]
        rows.append((None, None, "Sum", f"=SUM(D2:D{len(rows)})", None))
        return SheetSpec(
            name="Expenses",
            rows=tuple(rows),
            widths=(22, 38, 48, 18, 54),
            bold_header=True,
            kinds={"A": "date", "D": "money"},
        )

    def _tasks(self, event: LifeEvent) -> SheetSpec:
        draw, circle = self._draw(event), self._circle(event)
        rows: list[tuple[str | float | int | None, ...]] = [("number", "task", "who", "until", "state", "hours")]
        for number in range(1, draw.randint(18, 36)):
            slots = self._slots(event, draw)
            day = event.at.date() + timedelta(days=draw.randint(-20, 30))
            state = draw.choice(
                ("done", "done", "open", "waiting") if day < event.at.date() else ("open", "open", "waiting")
            )
            rows.append(
                (
                    number,
                    fill(draw.choice(texts("papers", "minutes", "action")), slots, draw),
                    draw.choice(circle.members),
                    f"{day:%Y-%m-%d}",
                    state,
                    draw.randint(1, 16),
                )
            )
        return SheetSpec(name="Tasks", rows=tuple(rows))

    def _items(self, event: LifeEvent) -> list[Facts]:
        items = event.facts["items"]
        assert isinstance(items, list)
        return items

    def _circle(self, event: LifeEvent) -> Circle:
        return next(each for each in self.owner.circles if each.name == event.text("circle"))

    def _draw(self, event: LifeEvent) -> random.Random:
        return self.diary.chance("paper", event.id)

    def _slots(self, event: LifeEvent, draw: random.Random) -> Facts:
        slots = self.diary.slots(draw, event.at, self._circle(event))
        return {
            **slots,
            "project": event.text("project") or slots["project"],
            "client": event.text("client").split()[0] if event.text("client") else slots["client"],
        }

    def _several(self, *path: str, many: int, event: LifeEvent, draw: random.Random) -> list[str]:
        """Say several texts of a bank, no two of them the same."""
        picked = draw.sample(texts(*path), min(many, len(texts(*path))))
        return [self.diary.speech.say(text, self._slots(event, draw), draw) for text in picked]

    def _say(self, *path: str, facts: Facts, draw: random.Random) -> str:
        return self.diary.speech.any_of(texts(*path), facts, draw)


def write(event: LifeEvent, writing: Writing) -> bytes:
    """Return a paper in the format its name ends with."""
    ending = PurePosixPath(event.text("path")).suffix
    if ending in (".odp", ".pptx"):
        return (odp if ending == ".odp" else pptx)(writing.slides(event), event.text("title"))
    if ending in (".ods", ".xlsx"):
        return (ods if ending == ".ods" else xlsx)(writing.sheets(event))
    if ending == ".csv":
        return separated_values(writing.sheets(event)[0])
    paper = writing.paper(event)
    return {".odt": odt, ".docx": docx, ".pdf": print_paper, ".md": plain_text}[ending](paper)


def print_paper(paper: Paper) -> bytes:
    """Return a text document as PDF."""
    pdf = Pdf(paper.title, paper.footer)
    for block in paper.blocks:
        if block.rows:
            share = FULL_WIDTH / len(block.rows[0])
            pdf.table(block.rows, [share] * len(block.rows[0]))
        elif block.items:
            for number, item in enumerate(block.items, 1):
                pdf.paragraph(f"{number}. {item}" if block.ordered else f"\N{BULLET} {item}", indent=12, after=3)
            pdf.space(6)
        elif block.heading:
            pdf.space(6)
            pdf.paragraph(block.text, 18 - 3 * block.heading, bold=True, after=6)
        else:
            text = "".join(run.text for run in block.pieces)
            pdf.paragraph(text, bold=all(run.bold for run in block.pieces), after=10)
    return pdf.data()


def _back(day: date, months: int) -> date:
    return day if months == 0 else _back((day - timedelta(days=1)).replace(day=1), months - 1)
