"""Sites on which one of several things is chosen from a list and taken on a page of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from proctor.suites.parts.pages import Choices, fill_in, form, link, page, paragraph, post_form, table
from proctor.tasks.call import Call
from proctor.tasks.shelves import expect, hand, make, see

Rows = Mapping[str, Sequence[str]]
"""What is said of each thing, under the headings of the list."""


@dataclass(frozen=True)
class OfferList:
    """A site with such a list."""

    site: str
    title: str
    heading: str
    columns: tuple[str, ...]
    """The first is that of the names."""
    verb: str
    """What is done with a thing: `Book`."""
    fields: Mapping[str, str]
    """By the names that forms send: what stands beside the field."""
    choices: Choices = field(default_factory=dict)
    notes: str = ""
    """Stands above the list."""

    def open_list(self, rows: Rows) -> tuple[Call, Call]:
        """Return the steps that start the site and open its list in Chromium."""
        forms = {"/take": self._form()}
        return (
            make.web_site(self.site, self.title, self._pages(rows), forms=forms, menu={"All": "/"}),
            make.open_browser("chromium", [f"http://{self.site}/"], self.heading),
        )

    def changes(self, rows: Rows, said: str, gone: str = "", why: str = "") -> tuple[Call, Call]:
        """Return the steps by which the list becomes another, perhaps without one thing, and says so."""
        forms = {"/take": self._form(gone, why)}
        return make.site_changed(self.site, self._pages(rows, gone, why), forms), make.notification(
            self.title, said, 20
        )

    def looked_at(self, item: str) -> Call:
        """Return the check that somebody has opened the page of a thing."""
        return expect.page_requested(see.site_log(self.site), _path(item))

    def order_of(self, item: str, values: Mapping[str, str]) -> Call:
        """Return the check that this was taken, and nothing else."""
        return expect.site_record(see.site_records(self.site, "order"), {"item": item, **values})

    def open_page(self, item: str) -> tuple[Call, ...]:
        """Return the moves that open the page of a thing from the list."""
        return (hand.click(f"{self.verb} {item}", role="link"), hand.await_element(f"/{item}/", role="heading"))

    def back(self) -> tuple[Call, ...]:
        """Return the moves that lead back to the list."""
        return (hand.click("All", role="link"), hand.await_element(self.heading, role="heading"))

    def take(self, values: Mapping[str, str], until: str = "Thank you") -> tuple[Call, ...]:
        """Return the moves that fill in the form of the page that is open, and send it."""
        texts = {self.fields[name]: text for name, text in values.items() if name in self.fields}
        chosen = {self.choices[name][0]: text for name, text in values.items() if name in self.choices}
        sent = (hand.click(self.verb, role="push button"), hand.await_element(until, role="heading"))
        return (*fill_in(texts, chosen), *sent)

    def script(self, item: str, values: Mapping[str, str]) -> str:
        """Return code that takes a thing as a script would."""
        return post_form(f"http://{self.site}/take", {"item": item, **values})

    def address(self, item: str) -> str:
        """Return the address of the page of a thing."""
        return f"http://{self.site}{_path(item)}"

    def _pages(self, rows: Rows, gone: str = "", why: str = "") -> dict[str, dict[str, object]]:
        listed = [
            (name, *said, "not available" if name == gone else link(f"{self.verb} {name}", _path(name)))
            for name, said in rows.items()
        ]
        notes = (paragraph(self.notes),) if self.notes else ()
        pages = {"/": page(self.heading, *notes, table((*self.columns, ""), listed))}
        for name, said in rows.items():
            facts = ", ".join(f"{column}: {each}" for column, each in zip(self.columns[1:], said, strict=True))
            ordering = form("/take", self.verb, self.fields, self.choices, {"item": name})
            pages[_path(name)] = page(
                name, paragraph(why if name == gone else facts), *([] if name == gone else [ordering])
            )
        return pages

    def _form(self, gone: str = "", why: str = "") -> dict[str, object]:
        refuses = [{"field": "item", "value": gone, "why": why}] if gone else []
        return {"kind": "order", "needed": [*self.fields], "refuses": refuses, "page": "/"}


def _path(item: str) -> str:
    return f"/{item.lower().replace(' ', '-')}"
