"""How the pages of task web sites are written, and the moves that fill in their forms.

No templates.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from proctor.tasks.call import Call
from proctor.tasks.shelves import hand

STREETS = ("Mill Lane", "Station Road", "Harbour Street", "Orchard Way", "Church Hill", "Canal Walk")
Choices = Mapping[str, tuple[str, Sequence[str]]]
"""By name of the field: its label and its options."""


def page(title: str, *parts: str, listed: bool = True) -> dict[str, object]:
    """Return a page with its title as heading."""
    return {"title": title, "body": f"<h1>{html.escape(title)}</h1>{''.join(parts)}", "listed": listed}


def paragraph(text: str) -> str:
    """Return a paragraph of plain text."""
    return f"<p>{html.escape(text)}</p>"


def link(text: str, to: str) -> str:
    """Return a link."""
    return f'<a href="{html.escape(to)}">{html.escape(text)}</a>'


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table; cells that begin with `<` are HTML already."""
    lines = [f"<tr>{''.join(f'<th>{html.escape(name)}</th>' for name in head)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows]
    return f"<table>{''.join(lines)}</table>"


def form(
    action: str,
    button: str,
    fields: Mapping[str, str],
    choices: Choices | None = None,
    hidden: Mapping[str, str] | None = None,
) -> str:
    """Return a form: text fields and choices by name with their labels, and hidden fields."""
    lines = [
        f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in (hidden or {}).items()
    ]
    for name, (label, options) in (choices or {}).items():
        listed = "".join(f"<option>{html.escape(option)}</option>" for option in options)
        lines.append(f'{_label(name, label)}<select id="{name}" name="{name}">{listed}</select>')
    for name, label in fields.items():
        lines.append(f'{_label(name, label)}<input type="text" id="{name}" name="{name}" autocomplete="off">')
    return f'<form method="post" action="{action}">{"".join(lines)}<p><button>{html.escape(button)}</button></p></form>'


def fill_in(fields: Mapping[str, str], choices: Mapping[str, str] | None = None) -> tuple[Call, ...]:
    """Return the moves that choose from lists and fill in text fields, both by their labels."""
    moves: list[Call] = []
    for label, option in (choices or {}).items():
        moves += (hand.click(label, role="combo box"), hand.type(option), hand.press("Return"))
    moves += [hand.type_into(text, label, role="entry") for label, text in fields.items()]
    return tuple(moves)


def send(button: str) -> tuple[Call, ...]:
    """Return the moves that press a form's button and see the thanks."""
    return (hand.click(button, role="push button"), hand.await_element("Thank you", role="heading"))


def go_to(address: str) -> tuple[Call, ...]:
    """Return the moves that type an address."""
    return (hand.press("ctrl+l"), hand.type(address), hand.press("Return"))


def post_form(address: str, fields: Mapping[str, str]) -> str:
    """Return Python code that sends a form to an address, as a script would."""
    return (
        "import urllib.parse, urllib.request\n"
        f"urllib.request.urlopen({address!r}, urllib.parse.urlencode({dict(fields)!r}).encode())\n"
    )


def refusal_taken(code: str) -> str:
    """Return code that goes on where a site refuses what is sent."""
    *before, last = code.splitlines()
    return "\n".join([*before, "try:", f"    {last}", "except OSError as refusal:", "    print(refusal)\n"])


def fetch_page(address: str) -> str:
    """Return Python code that looks at a page, as a script would."""
    return f"import urllib.request\nprint(urllib.request.urlopen({address!r}).read().decode())\n"


def _label(name: str, text: str) -> str:
    return f'<label for="{name}">{html.escape(text)}</label>'


def _cell(cell: object) -> str:
    text = str(cell)
    return text if text.startswith("<") else html.escape(text)
