"""Tasks in LibreOffice Writer: single documents, nothing in the way."""

from __future__ import annotations

import re
from typing import Any

from proctor.suites.parts.by_the_book import by_the_book
from proctor.suites.parts.packages import in_package, plain_document, repack_by_code, words_only
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.suites.parts.writer import (
    convert_document,
    export_pdf,
    menu,
    named_for_export,
    replace,
    replace_everywhere,
    save,
    save_keeping_format,
    select,
)
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


@template(apps=("libreoffice-writer",), level=1, demand="Office/Documentation/Writing", version=4)
def replace_a_weekday_step_by_step(draw: Draw) -> Draft:
    """A weekday is replaced with the dialog, one spelled-out step at a time."""
    old, new, other = draw.some(DAYS, 3)
    path = f"Documents/{draw.choice(['choir', 'chess', 'sewing', 'pottery'])}-notice.odt"
    hour = draw.randint(5, 8)

    def notice(day: str) -> list[str]:
        return [
            "News from the club",
            f"From April we meet every {day} at {hour} pm.",
            f"The first {day} of each month is open to guests.",
            f"The {other} group stays as it is.",
            f"If you cannot come on a {day}, please ring the bell of the caretaker.",
        ]

    steps = [
        {"do": "press", "keys": "ctrl+h"},
        {"do": "type", "text": old},
        {"do": "type", "text": new},
        {"do": "click", "name": "Replace All"},
        {"do": "press", "keys": "ctrl+s"},
    ]
    first, *rest = notice(old)
    edits = [{"was": line, "now": line.replace(old, new)} for line in rest if old in line]
    return Draft(
        instruction=f"In the document that's open, press Ctrl+H. Type {old} in the Find box and {new} in the "
        "Replace box, click Replace All, close the dialog with its Close button, and press Ctrl+S.",
        paraphrases=(
            f"Press Ctrl+H in the open document. Enter {old} under Find and {new} under Replace. Click Replace "
            "All, then Close, and save with Ctrl+S.",
        ),
        setup=(make.document(path, [{"heading": 1, "text": first}, *rest]), make.open_in_office(path)),
        check=expect.all_of(
            [
                expect.document_unchanged_except(see.document(path), see.document_before(path), edits),
                by_the_book(steps, "libreoffice-writer"),
            ]
        ),
        expected=(path,),
        solution=(*replace_everywhere(old, new), *save(path)),
        near_misses=(
            NearMiss(name="not saved", moves=replace_everywhere(old, new)),
            NearMiss(name="one by one, but not all of them", moves=(*replace(old, new), *save(path))),
            NearMiss(name="the wrong way round", moves=(*replace_everywhere(other, new), *save(path))),
        ),
        other_ways=_ways_of_the_steps(old, new, path),
        cheats=(
            in_package("by the command line", path, f"text.replace({old!r}, {new!r})"),
            by_hand(
                "the steps taken, and a text of nothing but the words put in the place of the notice",
                *replace_everywhere(old, new),
                *save(path),
                plain_document(path, notice(new)),
            ),
        ),
    )


def _ways_of_the_steps(old: str, new: str, path: str) -> tuple[Way, ...]:
    dialog: dict[str, Any] = {"window": "Find and Replace"}
    end = (
        hand.click("Replace All", role="push button", **dialog),
        hand.click("Close", role="push button", **dialog),
        *save(path),
    )
    return (
        by_hand(
            "typed where the cursor is, and in two goes",
            hand.press("ctrl+h"),
            hand.await_window(dialog["window"]),
            *(hand.type(old[:2]), hand.type(old[2:])),
            hand.type_into(new, role="text", nth=1, **dialog),
            *end,
        ),
        by_hand(
            "looked at all of them first",
            hand.press("ctrl+Home"),
            hand.press("ctrl+h"),
            hand.type_into(old, role="text", nth=0, **dialog),
            hand.click("Find All", role="push button", **dialog),
            hand.type_into(new, role="text", nth=1, **dialog),
            *end,
        ),
    )


FAMILIES = (
    ("Berg", "Lund", "Bergmann"), ("Stein", "Roth", "Steinway"), ("Hart", "Vale", "Hartley"),
    ("Marsh", "Ford", "Marshall"), ("Wood", "Lake", "Woodward"), ("Hill", "Brook", "Hillary"),
    ("Rich", "Noble", "Richter"), ("King", "Porter", "Kingston"),
)  # fmt: skip


@template(apps=("libreoffice-writer",), level=2, demand="Office/Documentation/Writing", version=2)
def client_with_a_new_name(draw: Draw) -> Draft:
    """A client's name changes everywhere, but not inside a longer name."""
    old, new, longer = draw.choice(FAMILIES)
    street = draw.randint(3, 90)
    path = f"Documents/contract-{draw.randint(100, 999)}.odt"
    lines = [
        f"Agreement with {old}",
        f"This agreement is made between {longer} Gardens and {old}, {street} Mill Lane.",
        f"{longer} Gardens looks after the lawn of {old} from April to October.",
        f"Bills go to {old} by the tenth of each month.",
        f"Signed for {old}: ________",
        f"Signed for {longer} Gardens: ________",
    ]
    blocks: list[str | dict[str, object]] = [{"heading": 1, "text": lines[0]}, *lines[1:3]]
    blocks += [{"runs": [{"text": "Bills", "bold": True}, {"text": lines[3].removeprefix("Bills")}]}, *lines[4:]]
    edits = [{"was": line, "now": re.sub(rf"\b{old}\b", new, line)} for line in lines if re.search(rf"\b{old}\b", line)]
    return Draft(
        instruction=f"Our client {old} got married and is called {new} now. Please change the name everywhere "
        f"in the open contract and save it. {longer} Gardens is us, so that stays, of course.",
        paraphrases=(
            f"{old} -> {new} throughout {path.rpartition('/')[2]} (it's open), then save. {longer} Gardens stays.",
        ),
        setup=(make.document(path, blocks), make.open_in_office(path)),
        check=expect.document_unchanged_except(see.document(path), see.document_before(path), edits),
        expected=(path,),
        solution=(*replace_everywhere(old, new, whole_words=True), *save(path)),
        near_misses=(
            NearMiss(name="inside the longer name too", moves=(*replace_everywhere(old, new), *save(path))),
            NearMiss(name="only the first one", moves=(*replace(old, new), *save(path))),
            NearMiss(name="not saved", moves=replace_everywhere(old, new, whole_words=True)),
        ),
        other_ways=(
            in_package("by Python on the file", path, rf"re.sub(r'\b{old}\b', {new!r}, text)"),
            by_hand(
                "everywhere, and the longer name put back; saved by the menu",
                *replace_everywhere(old, new),
                *replace_everywhere(longer.replace(old, new), longer),
                *menu("File", "/^Save$/"),
                hand.await_saved(path),
            ),
        ),
        cheats=(
            words_only("nothing but the right words", path, [re.sub(rf"\b{old}\b", new, line) for line in lines]),
            by_hand(
                "only recorded as changes",
                *menu("Edit", "Track Changes", "Record", role="check menu item"),
                *(*replace_everywhere(old, new, whole_words=True), *save(path)),
            ),
            in_package("the longer name too", path, f"text.replace({old!r}, {new!r})"),
            in_package("only where it is signed", path, f"text.replace('Signed for {old}', 'Signed for {new}')"),
        ),
    )


SECTIONS = ("Arrival", "Where we stayed", "What we saw", "Food", "Costs", "Weather", "Getting around", "Next time")


@template(apps=("libreoffice-writer",), level=2, demand="Office/Documentation/Writing", version=2)
def bold_line_to_heading(draw: Draw) -> Draft:
    """A line that is only bold becomes a proper heading like the others."""
    city = draw.city()
    names = draw.some(SECTIONS, 4)
    odd = draw.choice(names[1:])
    path = f"Documents/{city.lower()}-report.odt"
    blocks: list[str | dict[str, Any]] = [{"heading": 1, "text": f"Three days in {city}"}]
    lines = [f"Three days in {city}"]
    for place, name in enumerate(names, 1):
        plain = {"runs": [{"text": name, "bold": True}]}
        part = [f"{draw.person()} wrote this part, {draw.randint(2, 9)} photos go with it.", f"End of part {place}."]
        blocks += [plain if name == odd else {"heading": 2, "text": name}, *part]
        lines += [name, *part]
    headings = [{"level": 1, "text": f"Three days in {city}"}, *({"level": 2, "text": name} for name in names)]
    text = see.document(path)
    to_odd = hand.click(text=odd, role="paragraph", at=(0.02, 0.5))
    bold = f'<text:p text:style-name="P_left"><text:span text:style-name="T_b">{odd}</text:span></text:p>'
    heading = f'<text:h text:style-name="Heading_20_2" text:outline-level="2">{odd}</text:h>'
    return Draft(
        instruction=f'In my travel report, the title "{odd}" is only bold, so it '
        "doesn't show up in the table of contents. Please make it a proper heading, on the same level as the "
        "other sections, and save the report.",
        paraphrases=(
            f'Turn "{odd}" into a real heading like the titles of the other sections, then save the document.',
        ),
        setup=(make.document(path, blocks), make.open_in_office(path)),
        check=expect.all_of(
            [
                expect.headings_are(text, headings),
                expect.document_text_is(text, lines),
                *(expect.runs_formatted(text, look, []) for look in ("bold", "italic", "underline")),
            ]
        ),
        expected=(path,),
        solution=(to_odd, hand.press("ctrl+2"), *save(path)),
        near_misses=(
            NearMiss(name="level of the main title", moves=(to_odd, hand.press("ctrl+1"), *save(path))),
            NearMiss(name="not saved", moves=(to_odd, hand.press("ctrl+2"))),
            NearMiss(
                name="only made large",
                moves=(*select(odd), hand.press("ctrl+bracketright", times=4), *save(path)),
            ),
        ),
        other_ways=(
            in_package("by Python on the file", path, f"text.replace({bold!r}, {heading!r})"),
            by_hand("by the menu of styles", to_odd, *menu("Styles", "Heading 2", role="radio menu item"), *save(path)),
        ),
        cheats=(
            in_package("a heading above the bold line", path, f"text.replace({bold!r}, {heading + bold!r})"),
            in_package(
                "the headings, and nothing below them",
                path,
                f"re.sub('<text:p [^>]*>(?:(?!<text:[ph] ).)*</text:p>', '', text.replace({bold!r}, {heading!r}))",
            ),
        ),
    )


@template(apps=("libreoffice-writer",), level=2, demand="Office/Documentation/Writing")
def one_page_as_pdf(draw: Draw) -> Draft:
    """One page of a document is exported as a PDF."""
    company, client = draw.company(), draw.person()
    prices = [
        (name, draw.amount(20, 90)) for name in draw.some(("Table", "Lamp", "Shelf", "Chair", "Mirror", "Rug"), 3)
    ]
    page = draw.choice([1, 2, 3])
    path, target = "Documents/offer.odt", f"Documents/offer-page-{page}.pdf"
    pages = [
        [f"Dear {client},", f"thank you for asking {company} for an offer."],
        ["Prices", *(f"{name}: {price} euros" for name, price in prices)],
        ["Terms", f"This offer holds for {draw.randint(10, 60)} days. Delivery is free."],
    ]
    blocks: list[str | dict[str, object]] = [*pages[0]]
    for lines in pages[1:]:
        blocks += [{"page_break": True}, *lines]
    pdf = see.pdf(target)
    others = [line for place, lines in enumerate(pages, 1) if place != page for line in lines]
    return Draft(
        instruction=f"I need just page {page} of the quote that's open (offer.odt) as a PDF, without the other "
        f"two pages. Please export it to Documents as offer-page-{page}.pdf.",
        paraphrases=(f"Export only page {page} of offer.odt to Documents/offer-page-{page}.pdf.",),
        setup=(make.document(path, blocks), make.open_in_office(path)),
        check=expect.all_of(
            [expect.pdf_pages(pdf, 1), expect.pdf_has_text(pdf, pages[page - 1]), expect.pdf_lacks_text(pdf, others)]
        ),
        expected=(target,),
        solution=export_pdf(target, pages=str(page)),
        near_misses=(
            NearMiss(name="the whole offer", moves=export_pdf(target)),
            NearMiss(name="another page", moves=export_pdf(target, pages=str(page % 3 + 1))),
            NearMiss(name="another name", moves=export_pdf("Documents/offer.pdf", pages=str(page))),
        ),
        other_ways=_ways_to_one_page(page, pages[page - 1], target),
        cheats=(
            by_hand(
                "the other pages deleted in the offer itself",
                repack_by_code(path, _without_other_pages(page, pages)),
                *convert_document(path, target),
            ),
            by_shell("the offer under the name of a PDF", f"cp {path} {target}"),
            by_python(
                "a PDF that shows nothing",
                f"from PIL import Image\nImage.new('RGB', (595, 842), 'white').save({target!r}, 'PDF')",
            ),
        ),
    )


def _without_other_pages(page: int, pages: list[list[str]]) -> str:
    others = [line for place, lines in enumerate(pages, 1) if place != page for line in lines]
    breaks = "re.sub('<text:p[^>]*P_break\"/>', '', text)"
    return f"re.sub('<text:p[^>]*>({'|'.join(map(re.escape, others))})</text:p>', '', {breaks})"


def _ways_to_one_page(page: int, lines: list[str], target: str) -> tuple[Way, ...]:
    return (
        by_hand(
            "all of it by the command line, then the page cut out",
            *convert_document("Documents/offer.odt", "Documents/offer.pdf"),
            hand.run_code(f"pdfseparate -f {page} -l {page} Documents/offer.pdf {target} && rm Documents/offer.pdf"),
        ),
        by_hand(
            "the page marked and the selection exported",
            *select(lines[0]),
            hand.press("Home"),
            hand.press("shift+Down", times=len(lines) - 1),
            hand.press("shift+End"),
            *menu("File", "Export As", "Export as PDF..."),
            hand.click("/^Selection$/", role="radio button", window="PDF Options"),
            hand.click("Export", role="push button", window="PDF Options"),
            *named_for_export(target),
        ),
    )


@template(apps=("libreoffice-writer",), level=2, demand="Office/Documentation/Writing", version=3)
def roster_on_its_side(draw: Draw) -> Draft:
    """A Word document is changed to landscape and stays a Word document."""
    people = [name.split()[0] for name in draw.people(4)]
    week = draw.randint(11, 40)
    path = f"Documents/roster-week-{week}.docx"
    rows = [["", *DAYS], *([name, *(draw.choice(["early", "late", "off"]) for _ in DAYS)] for name in people)]
    blocks: list[str | dict[str, object]] = [
        {"heading": 1, "text": f"Roster, week {week}"},
        {"rows": rows},
        "Changes only with the office, please.",
    ]
    seen = see.document(path)
    page = (
        *menu("Format", "Page Style..."),
        hand.click("/^Page$/", role="page tab"),
        hand.click("Landscape", role="radio button"),
        hand.click("OK", role="push button", window="Page Style"),
    )
    return Draft(
        instruction="The roster is too wide for the paper. Could you switch the page to landscape and save "
        "it? It needs to stay a Word document, because the others open it in Word.",
        paraphrases=(f"Make the page of {path.rpartition('/')[2]} landscape and save it in its Word format.",),
        setup=(make.document(path, blocks), make.open_in_office(path)),
        check=expect.all_of(
            [
                expect.page_orientation(seen, "landscape"),
                expect.document_format(seen, "docx"),
                expect.document_table_is(seen, rows),
            ]
        ),
        expected=(path,),
        solution=(*page, *save_keeping_format(path)),
        near_misses=(
            NearMiss(name="not saved", moves=page),
            NearMiss(
                name="saved in the other format",
                moves=(
                    *page,
                    hand.press("ctrl+s"),
                    hand.click("Use ODF Format", role="push button", at=(0.5, 0.5)),
                    hand.await_window("Confirm File Format", gone=True),
                ),
            ),
        ),
        other_ways=(
            in_package(
                "by Python on the file",
                path,
                're.sub(\'<w:pgSz[^>]*>\', \'<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>\', text)',
                part="word/document.xml",
            ),
            by_hand(
                "by keys, saved by the menu",
                hand.press("alt+shift+p"),
                *page[2:],
                *menu("File", "/^Save$/"),
                hand.await_window("Confirm File Format"),
                hand.press("Return"),
                hand.await_saved(path),
            ),
        ),
        cheats=(
            in_package(
                "called landscape, and as high as before",
                path,
                "re.sub('<w:pgSz', '<w:pgSz w:orient=\"landscape\"', re.sub(' w:orient=\"[a-z]+\"', '', text))",
                part="word/document.xml",
            ),
            in_package(
                "an empty page in landscape",
                path,
                're.sub(\'(?s)<w:body>.*</w:body>\', \'<w:body><w:sectPr><w:pgSz w:w="16838" w:h="11906"/></w:sectPr>'
                "</w:body>', text)",
                part="word/document.xml",
            ),
        ),
    )
