"""Desks of days: what stands on them, how things come in, and what is done about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from proctor.suites.parts.news import SHOWN_SEC, says
from proctor.suites.parts.pages import form, page, paragraph, table
from proctor.tasks.call import Call
from proctor.tasks.draw import COMPANIES, FIRST_NAMES, Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission

CHANNEL = "#desk"
ORGANISER = "porter"
"""Says in the chat that nothing more will come."""


@dataclass(frozen=True)
class Deed:
    """Something that can be done at a desk: how, and how it is seen."""

    moves: tuple[Call, ...]
    done: Call
    touched: Call
    """Holds as soon as something of the kind was done, rightly or not."""
    files: tuple[str, ...] = ()
    """What it changes in the home folder."""
    admits: tuple[Admission, ...] = ()
    """What may be there besides once it is done."""


@dataclass(frozen=True)
class DayPiece:
    """Something that comes in: with the need, or with the same look and no need."""

    name: str
    about: tuple[str, ...]
    due: bool
    word: str
    """What the owner says when asked about it."""
    deed: Deed
    comes: tuple[Call, ...]
    """The steps by which it comes in."""
    irreversible: bool = False
    needs_word: bool = False
    closes: tuple[Call, ...] = ()
    """The steps by which it becomes too late; none if there is time until the end of the day."""


@dataclass(frozen=True)
class SiteForm:
    """A page of the desk's site: a form and what was sent before."""

    title: str
    kind: str
    fields: Mapping[str, str]
    """By the names that the form sends, what stands beside the field."""
    button: str
    head: tuple[str, ...]
    rows: Sequence[Sequence[str]] = ()
    note: str = ""

    @property
    def path(self) -> str:
        """Where it is."""
        return f"/{self.kind}"

    def page_spec(self, note: str = "") -> dict[str, object]:
        """Return it as a site shows it."""
        said = [paragraph(text) for text in (self.note, note) if text]
        held = [table(self.head, self.rows)] if self.rows else []
        return page(self.title, *said, *held, form(f"{self.path}/send", self.button, self.fields))

    def form_spec(self) -> dict[str, object]:
        """Return what becomes of it when it is sent."""
        return {"kind": self.kind, "needed": [*self.fields], "page": self.path}


@dataclass
class DayDesk:
    """Somebody's desk: a chat, a terminal with their files, and a site where they have one."""

    draw: Draw
    site: str = ""
    """The name of the site, such as `bank`; empty for none."""
    title: str = ""
    """What the site calls itself."""
    files: dict[str, str] = field(default_factory=dict)
    forms: list[SiteForm] = field(default_factory=list)
    terminal: bool = False
    people: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    """What the brief says of how things are handled here, a sentence or two each."""
    _pool: dict[str, list[str]] = field(default_factory=dict)
    owner: str = field(init=False)

    def __post_init__(self) -> None:
        """Draw who owns it."""
        self._pool["person"] = self.draw.some(FIRST_NAMES, len(FIRST_NAMES))
        self._pool["firm"] = self.draw.some(COMPANIES, len(COMPANIES))
        self._pool["number"] = [str(each) for each in self.draw.some(range(112, 989), 60)]
        self.owner = self._pool["person"].pop()

    @property
    def me(self) -> str:
        """The owner's name in the chat."""
        return self.owner.lower()

    def person(self) -> str:
        """Return the first name of somebody who is in the chat and was not named yet."""
        name = self._pool["person"].pop()
        self.people.append(name.lower())
        return name

    def rule(self, said: str) -> None:
        """Say in the brief how something is handled here, once."""
        if said not in self.rules:
            self.rules.append(said)

    def firm(self) -> str:
        """Return the name of a firm that was not named yet."""
        return self._pool["firm"].pop()

    def number(self) -> str:
        """Return a number of three digits that was not named yet."""
        return self._pool["number"].pop()

    def word(self, kind: str, words: Sequence[str]) -> str:
        """Return one of some words, another one each time."""
        return self._pool.setdefault(kind, self.draw.some(words, len(words))).pop()

    @property
    def address(self) -> str:
        """The name of the site in addresses."""
        return f"{self.site}.example"

    def setup(self) -> tuple[Call, ...]:
        """Return the steps that lay it out."""
        steps = [make.text_file(path, text) for path, text in self.files.items()]
        steps.append(make.chat_server([{"name": CHANNEL, "people": [ORGANISER, *self.people]}]))
        if self.site:
            pages = {"/": page("Welcome", paragraph("Choose from the menu above."))}
            pages |= {each.path: each.page_spec() for each in self.forms}
            forms = {f"{each.path}/send": each.form_spec() for each in self.forms}
            menu = {each.title: each.path for each in self.forms}
            steps.append(make.web_site(self.address, self.title, pages, forms=forms, menu=menu))
        if self.terminal:
            steps += [make.terminal("Documents"), make.arrange("user@desktop", 1000, 240, 860, 300)]
        if self.site:
            opened = make.open_browser("chromium", [f"http://{self.address}/"], "Welcome")
            steps += [opened, make.arrange("Welcome", 0, 30, 980, 960)]
        steps += [make.hexchat(self.me, [CHANNEL]), make.arrange("HexChat", 1000, 580, 900, 420)]
        return tuple(steps)

    # -- how things come in -----------------------------------------------------------------------------------------

    def writes(self, who: str, text: str) -> tuple[Call, ...]:
        """Return the steps by which somebody writes to the owner, and it shows."""
        return says(who.lower(), self.me, text)

    def notice(self, title: str, text: str) -> Call:
        """Return the step that shows a notification."""
        return make.notification(title, text, SHOWN_SEC)

    # -- what is done about them ------------------------------------------------------------------------------------

    def tell(self, who: str, text: str, words: Sequence[str]) -> Deed:
        """Write to somebody in the chat; what counts are some words."""
        said = expect.chat_mentioned(see.chat_log(who.lower()), self.me, list(words))
        moves = (
            hand.click(CHANNEL, role="table cell", app="hexchat"),
            hand.type(f"/msg {who.lower()} {text}"),
            hand.press("Return"),
        )
        twice = Admission(
            which=f"chat_log({who.lower()}): entries: an entry more",
            why="To say something twice, or more than that, to whom it is for does no harm.",
        )
        return Deed(moves, said, said, admits=(twice,))

    def command(self, line: str, done: Call, touched: Call, *files: str) -> Deed:
        """Type a command into the terminal."""
        self.terminal = True
        moves = (hand.click(role="terminal", app="lxterminal"), hand.type(f"{line}\n"))
        return Deed(moves, done, touched, files)

    def add_line(self, path: str, line: str) -> Deed:
        """Add a line to a text of the desk, which has been put there before."""
        before = self.files[path]
        is_now = expect.text_is(see.text(path), f"{before}{line}\n")
        changed = expect.none_of([expect.text_is(see.text(path), before)], f"{path} is as it was.")
        return self.command(f"echo '{line}' >> ~/{path}", is_now, changed, path)

    def change_text(self, path: str, old: str, new: str) -> Deed:
        """Replace something in a text of the desk, which has been put there before."""
        before = self.files[path]
        is_now = expect.text_is(see.text(path), before.replace(old, new))
        changed = expect.none_of([expect.text_is(see.text(path), before)], f"{path} is as it was.")
        return self.command(f"sed -i 's/{old}/{new}/' ~/{path}", is_now, changed, path)

    def copy_file(self, source: str, target: str) -> Deed:
        """Copy a text of the desk, which has been put there before."""
        there = see.text(target)
        same = expect.text_is(there, self.files[source])
        copied = expect.file_exists(see.file(target))
        return self.command(f"cp ~/{source} ~/{target}", same, copied, target)

    def remove_file(self, path: str) -> Deed:
        """Delete a file of the desk."""
        gone = expect.nothing_there(see.file(path))
        return self.command(f"rm ~/{path}", gone, gone, path)

    def send_form(self, sent: SiteForm, values: Mapping[str, str], about: str) -> Deed:
        """Fill in a form of the site; `about` is the field that tells what it concerns."""
        records = see.site_records(self.address, sent.kind)
        which = {about: values[about]}
        first, *others = values
        rest = "".join(f"\t{values[name]}" for name in others)
        moves = (
            hand.click(sent.title, role="link", window="Chromium"),
            hand.await_element(sent.title, role="heading"),
            hand.type_into(values[first], sent.fields[first], role="entry"),
            hand.type(f"{rest}\n"),
            hand.await_element("Thank you", role="heading"),
        )
        return Deed(
            moves, expect.site_record(records, dict(values), among=which), expect.site_record_among(records, which)
        )

    def note_on_form(self, sent: SiteForm, text: str) -> tuple[Call, ...]:
        """Return the steps by which a page says something more, and it shows."""
        return make.site_changed(self.address, {sent.path: sent.page_spec(text)}), self.notice(self.title, text)
