"""What can be read on a web page in a file, line by line; what nobody can see does not count."""

from __future__ import annotations

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.vocabulary.desktop.checks import text
from proctor.vocabulary.formats.text import probes
from proctor.vocabulary.formats.text.parse_pages import page_text

LINES = ["Directions", "4 caf\u00e9 tables", "12 chairs"]


@pytest.mark.parametrize(
    "body",
    [
        "<body>\n<h1>Directions</h1>\n<p>4 caf&eacute; tables</p>\n<p>12 chairs</p>\n</body>",
        "<body><h1>Directions</h1><h2>4 caf\u00e9\n    tables</h2>12 chairs",
        "<body><div><b>Direct</b>ions<br>\n4 caf\u00e9 tables<br/>\n12 chairs</div></body>",
        "<body><ul><li>Directions<li>4 caf\u00e9 tables<li>12 chairs</ul></body>",
        "<body><pre>Directions\n4 caf\u00e9 tables\n12 chairs</pre></body>",
    ],
)
def test_a_page_says_the_same_however_it_is_written(body: str) -> None:
    page = f"<!DOCTYPE html>\n<HTML><head><title>Aside</title><style>p {{}}</style></head>{body}</HTML>"
    with FakeComputer() as computer:
        computer.write_file("a.html", page.encode())
        of = probes.page(ProbeContext(computer), "a.html")
    assert text.lines_are(of, LINES).passed


@pytest.mark.parametrize(
    "body",
    [
        "<!-- <p>Directions</p><p>4 caf\u00e9 tables</p><p>12 chairs</p> -->",
        "<p>Directions</p><p>4 caf\u00e9 tables</p><p hidden>12 chairs</p>",
        "<p>Directions</p><p>4 caf\u00e9 tables</p><p style='display: none'>12 chairs</p>",
        "<p>Directions</p><p>12 chairs</p><p>4 caf\u00e9 tables</p>",
        "<p>Directions</p><p>4 caf\u00e9 tables</p><p>12 chairs</p><p>and more</p>",
        "<p>Directions</p><p>4 caf\u00e9 tables</p><p>112 chairs</p>",
    ],
)
def test_what_a_page_does_not_show_as_it_should_does_not_count(body: str) -> None:
    shown = page_text(f"<html><body>{body}</body></html>".encode(), "a.html")
    assert not text.lines_are({"path": "a.html", "text": shown}, LINES).passed


def test_a_head_without_an_end_ends_with_the_body() -> None:
    assert page_text(b"<html><head><title>Aside</title><body>Here", "a.html") == "Here"


def test_a_text_is_no_page() -> None:
    with pytest.raises(CannotSee, match="not a web page"):
        page_text("\n".join(LINES).encode(), "a.html")
