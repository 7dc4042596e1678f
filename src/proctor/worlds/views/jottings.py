"""Small files: notes, recipes, facts written down, programs and what they read."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta

from proctor.worlds.chance import chance, in_words
from proctor.worlds.life.diary import Diary
from proctor.worlds.model import Life, LifeEvent
from proctor.worlds.prose.banks import tables, texts
from proctor.worlds.prose.speak import fill


class Jottings:
    """Writes small files of one life."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.diary = Diary(life.owner, life.seed, life.first, life.last)
        self.facts = [event for event in life.events if event.kind == "fact"]

    def write(self, event: LifeEvent) -> bytes:
        """Return the file of an event."""
        makers: dict[str, Callable[[LifeEvent, random.Random], str]] = {
            "note": self._note, "fact": self._fact, "recipe": self._recipe, "code": self._code,
            "readings": self._readings,
        }  # fmt: skip
        return makers[event.kind](event, self.diary.chance("jotting", event.id)).encode()

    def _note(self, event: LifeEvent, draw: random.Random) -> str:
        circle = next(each for each in self.life.owner.circles if each.name == event.text("circle"))
        lines = []
        for _ in range(int(event.number("points"))):
            lines.append(
                self.diary.speech.any_of(
                    texts("papers", "note", "kinds"), self.diary.slots(draw, event.at, circle), draw
                )
            )
        head = f"{event.text('topic').capitalize()}, {in_words(event.at.date())}"
        if event.text("path").endswith(".md"):
            boxes = "".join(
                f"- [{'x' if draw.random() < 0.5 else ' '}] "
                f"{fill(draw.choice(texts('jottings', 'boxes')), self.diary.slots(draw, event.at, circle), draw)}\n"
                for _ in range(draw.randint(2, 5))
            )
            return f"# {head}\n\n" + "".join(f"- {line}\n" for line in lines) + f"\n## To do\n\n{boxes}"
        return f"{head}\n{'-' * len(head)}\n\n" + "\n\n".join(lines) + "\n"

    def _fact(self, event: LifeEvent, draw: random.Random) -> str:
        """Return a note in which, among other things, a certain line stands."""
        around = texts("jottings", "lines", "any")
        lines = [fill(line, self.diary.slots(draw, event.at), draw) for line in draw.sample(around, 5)]
        lines.insert(draw.randint(1, 4), event.text("line"))
        head = f"{event.text('topic').capitalize()} (as of {in_words(event.at.date())} {event.at.year})"
        return f"{head}\n\n" + "\n".join(lines) + "\n"

    def _recipe(self, event: LifeEvent, draw: random.Random) -> str:
        dish = event.text("dish")
        known = {str(each["dish"]): each for each in tables("jottings", "recipe")}
        script, facts = known.get(dish, known[""]), {"n": draw.randint(3, 6), "m2": draw.randint(8, 14)}
        # What is chosen among the things is what the steps speak of, so all of it is one text.
        parts = [script["things"], script["steps"]]
        things, steps = (
            [fill(str(line), facts, random.Random(event.id)) for line in part]
            for part in parts
            if isinstance(part, list)
        )
        listed = "".join(f"  {thing}\n" for thing in things)
        done = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
        verdict = fill(draw.choice(texts("jottings", "verdicts")), {}, draw)
        return f"{dish.upper()} (for {draw.randint(2, 6)})\n\n{listed}\n{done}\n\n{verdict}\n"

    def _code(self, event: LifeEvent, draw: random.Random) -> str:
        program = draw.choice(tables("jottings", "program"))
        facts = {
            "name": event.text("name"),
            "limit": draw.randint(3, 40),
            "day": in_words(event.at.date()),
            "author": self.life.owner.name,
            "hours": draw.randint(2, 12),
        }
        source = str(program["text"])
        for slot, value in facts.items():
            source = source.replace(f"@{slot}@", str(value))
        return source

    def _readings(self, event: LifeEvent, draw: random.Random) -> str:
        name = next(each.text("name") for each in self.life.events if each.id == event.cause)
        noise = chance("readings", event.id)
        rows, at, value = ["time,station,value,quality"], event.at - timedelta(days=3), noise.uniform(4, 18)
        for _ in range(int(event.number("rows"))):
            at += timedelta(minutes=30)
            value = max(0.0, value + noise.uniform(-1.2, 1.2))
            quality = noise.choice(("ok", "ok", "ok", "ok", "doubtful", ""))
            rows.append(f"{at:%Y-%m-%d %H:%M},{name[:3].upper()}{noise.randint(1, 4)},{value:.2f},{quality}")
        return "\n".join(rows) + "\n"
