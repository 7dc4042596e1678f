"""Text documents: both formats are written and read alike, hostile files are refused, and checks judge by meaning."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor import open_computer
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.errors import NotReady, SpecError
from proctor.tasks.findings import CannotSee, Finding
from proctor.tasks.move_context import MoveContext
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.libreoffice import setup as libreoffice_setup
from proctor.vocabulary.desktop.moves.save import await_saved
from proctor.vocabulary.formats.documents import checks, probes, setup
from proctor.vocabulary.formats.documents.parse import read_document
from proctor.vocabulary.formats.office.blocks import DocumentBlock, Paper, Run
from proctor.vocabulary.formats.office.write_odf import odt
from proctor.vocabulary.formats.office.write_ooxml import docx
from proctor.vocabulary.formats.pack import pack

WRITERS = {"odt": odt, "docx": docx}
BLOCKS = (
    DocumentBlock(heading=1, text="Report"),
    DocumentBlock(
        runs=(Run(text="Pay "), Run(text="now", bold=True), Run(text=" or "), Run(text="later", italic=True))
    ),
    DocumentBlock(text="In the  middle & <end>", align="center"),
    DocumentBlock(items=("tea", "milk")),
    DocumentBlock(items=("first", "second"), ordered=True),
    DocumentBlock(rows=(("Name", "Town"), ("Ada", "Cork"))),
    DocumentBlock(page_break=True),
    DocumentBlock(heading=2, text="Costs"),
    DocumentBlock(text="Underlined?", align="right"),
)
LINES = [
    "Report",
    "Pay now or later",
    "In the middle & <end>",
    *("tea", "milk", "first", "second"),
    *("Name | Town", "Ada | Cork"),
    "Costs",
    "Underlined?",
]
PLAIN = {form: write(Paper(blocks=(DocumentBlock(text="hello"),))) for form, write in WRITERS.items()}
both = pytest.mark.parametrize("form", WRITERS)


def seen(*blocks: DocumentBlock | str, form: str = "odt", **more: Any) -> dict[str, Any]:
    made = tuple(DocumentBlock(text=block) if isinstance(block, str) else block for block in blocks)
    return read_document(WRITERS[form](Paper(blocks=made, **more)), f"a.{form}")


def whole(form: str = "odt", **more: Any) -> dict[str, Any]:
    return seen(*BLOCKS, form=form, **more)


def fails(finding: Finding, *words: str) -> bool:
    text = " ".join(finding.feedback)
    return finding.score == 0 and bool(text) and all(word in text for word in words)


class TestFormats:
    @both
    def test_the_same_content_gives_the_same_bytes(self, form: str) -> None:
        paper = Paper(blocks=BLOCKS, title="T")
        assert WRITERS[form](paper) == WRITERS[form](paper)

    @both
    def test_what_is_written_is_read(self, form: str) -> None:
        of = whole(form, title="My title", header="Top", footer="Bottom 1", orientation="landscape")
        assert checks.document_text_is(of, LINES).passed
        assert checks.document_format(of, form).passed
        assert checks.document_title_is(of, "My title").passed
        assert checks.header_is(of, "Top").passed
        assert checks.footer_is(of, "Bottom 1").passed
        assert checks.page_orientation(of, "landscape").passed
        assert checks.page_size(of, 297, 210).passed
        assert sum(block.get("page_break", False) for block in of["blocks"]) == 1

    def test_both_formats_mean_the_same(self) -> None:
        assert checks.document_unchanged_except(whole("odt"), whole("docx"), []).passed

    @both
    def test_recorded_changes(self, form: str) -> None:
        runs = (Run(text="We meet"), Run(text=" today", inserted_by="Ada"), Run(text=" or never", deleted_by="Bo"))
        of = seen(DocumentBlock(runs=runs), form=form)
        assert of["blocks"][0]["text"] == "We meet today"
        assert of["changes"] == [
            {"kind": "insertion", "author": "Ada", "text": " today"},
            {"kind": "deletion", "author": "Bo", "text": " or never"},
        ]
        assert fails(checks.no_tracked_changes(of), "today", "Ada", "or never")
        assert checks.no_tracked_changes(seen("We meet", form=form)).passed

    @given(
        st.lists(st.text("ab <&\"'\téß\n", min_size=1).filter(lambda text: bool(text.strip())), min_size=1, max_size=4)
    )
    @settings(max_examples=15)
    def test_any_text_survives(self, texts: list[str]) -> None:
        for form in WRITERS:
            assert [block["text"] for block in seen(*texts, form=form)["blocks"]] == texts

    def test_styles_are_followed_through_their_parents(self) -> None:
        data = odt(Paper(blocks=(DocumentBlock(text="x"),)))
        style = '<style:style style:name="{}" style:family="paragraph" style:parent-style-name="{}">{}</style:style>'
        bold = '<style:text-properties fo:font-weight="bold" fo:font-size="200%" fo:color="#FF0000"/>'
        styles = style.format("Loud", "Standard", bold) + style.format("A", "B", "") + style.format("B", "A", "")
        data = rewritten(data, "styles.xml", "</office:styles>", f"{styles}</office:styles>")
        own = style.format("P9", "Loud", "")
        data = rewritten(data, "content.xml", "</office:automatic-styles>", f"{own}</office:automatic-styles>")
        data = rewritten(
            data, "content.xml", "</office:text>", '<text:p text:style-name="P9">loud</text:p></office:text>'
        )
        data = rewritten(
            data, "content.xml", "</office:text>", '<text:p text:style-name="A">round</text:p></office:text>'
        )
        of = read_document(data, "a.odt")
        assert checks.paragraph_style(of, "loud", "loud").passed
        run = of["blocks"][1]["runs"][0]
        assert (run["bold"], run["size"], run["colour"]) == (True, 24.0, "#ff0000")
        assert of["blocks"][2]["text"] == "round"

    def test_page_breaks_inside_paragraphs(self) -> None:
        broken = '<w:r><w:br w:type="page"/></w:r>'
        data = docx(Paper(blocks=(DocumentBlock(text="One"), DocumentBlock(text="Two"))))
        after = rewritten(data, "word/document.xml", "One</w:t></w:r>", f"One</w:t></w:r>{broken}")
        before = rewritten(data, "word/document.xml", "<w:p><w:r><w:rPr/><w:t>Two", f"<w:p>{broken}<w:r><w:t>Two")
        for each in (after, before):
            assert [block["page_break"] for block in read_document(each, "a.docx")["blocks"]] == [False, True]

    @both
    def test_comments_and_authors(self, form: str) -> None:
        of = {**seen("x", form=form), "comments": [{"author": "Ada", "text": "Really?"}]}
        assert checks.comments_are(of, ["Really?"]).passed
        assert fails(checks.comments_are(of, []), "Really?")

    def test_comments_of_an_open_document(self) -> None:
        note = "<office:annotation><dc:creator>Ada</dc:creator><text:p>Really?</text:p></office:annotation>"
        data = rewritten(odt(Paper(blocks=(DocumentBlock(text="We go"),))), "content.xml", "We go", f"We {note}go")
        of = read_document(data, "a.odt")
        assert of["comments"] == [{"author": "Ada", "text": "Really?"}]
        assert of["blocks"][0]["text"] == "We go"


def rewritten(data: bytes, part: str, old: str, new: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
    text = files[part]
    assert isinstance(text, bytes)
    assert old in text.decode()
    files[part] = text.decode().replace(old, new)
    return pack(files)


class TestHostileFiles:
    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"no archive",
            pack({"mimetype": "text"}),
            pack({"content.xml": "<broken"}),
            pack({"content.xml": "<a/>"}),
            pack({"word/document.xml": "<w/>"}),
            odt(Paper(blocks=BLOCKS))[:-200],
        ],
        ids=["empty", "text", "nothing in it", "broken", "no text", "no body", "cut off"],
    )
    def test_is_unreadable(self, data: bytes) -> None:
        with pytest.raises(CannotSee) as caught:
            read_document(data, "a.odt")
        assert caught.value.fault.kind == "unreadable"

    @pytest.mark.parametrize(
        "content", ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "<a>" * 5000 + "</a>" * 5000], ids=["entities", "deep"]
    )
    def test_is_refused(self, content: str) -> None:
        with pytest.raises(CannotSee) as caught:
            read_document(pack({"content.xml": content}), "a.odt")
        assert caught.value.fault.kind == "refused"

    def test_a_table_without_end(self) -> None:
        data = odt(Paper(blocks=(DocumentBlock(rows=(("a", "b"),)),)))
        repeated = '<table:table-row table:number-rows-repeated="999999999">'
        with pytest.raises(CannotSee) as caught:
            read_document(rewritten(data, "content.xml", "<table:table-row>", repeated), "a.odt")
        assert caught.value.fault.kind == "refused"

    @given(st.binary(max_size=300), st.integers(0, 2000))
    def test_damage_never_crashes(self, junk: bytes, place: int) -> None:
        for form in WRITERS:
            data = PLAIN[form]
            try:
                read_document(data[:place] + junk + data[place + len(junk) :], f"a.{form}")
            except CannotSee:
                continue


class TestOnAComputer:
    @both
    def test_setup_and_probes(self, form: str) -> None:
        path = f"Documents/a.{form}"
        with FakeComputer() as computer:
            setup.document(SetupContext(computer), path, ["Hello", DocumentBlock(heading=1, text="Big")], footer="7")
            computer.baseline()
            setup.document(SetupContext(computer), path, ["Bye", DocumentBlock(heading=1, text="Big")], footer="7")
            now, then = (
                probes.document(ProbeContext(computer), path),
                probes.document_before(ProbeContext(computer), path),
            )
            with pytest.raises(CannotSee):
                probes.document_before(ProbeContext(computer), "Documents/none.odt")
        assert checks.document_unchanged_except(now, then, [checks.Edit(was="Hello", now="Bye")]).passed
        assert fails(checks.document_unchanged_except(now, then, []), "Bye", "Hello")

    def test_other_names_are_refused(self) -> None:
        with FakeComputer() as computer, pytest.raises(SpecError):
            setup.document(SetupContext(computer), "a.txt", ["Hello"])

    def test_a_block_is_one_thing(self) -> None:
        with pytest.raises(ValueError, match="one thing"):
            DocumentBlock(text="a", items=("b",))
        with pytest.raises(ValueError, match="equally long"):
            DocumentBlock(rows=(("a",), ("b", "c")))

    def test_waiting_for_a_save(self) -> None:
        with FakeComputer() as computer:
            computer.write_file("a.odt", b"old")
            computer.baseline()
            with pytest.raises(NotReady):
                await_saved(MoveContext(computer, str), "a.odt", timeout_sec=1)
            computer.write_file("a.odt", b"new")
            await_saved(MoveContext(computer, str), "a.odt", timeout_sec=1)


class TestChecks:
    def test_text(self) -> None:
        of = seen("“Hello” – said  Ada…", "", "Bye")
        assert checks.document_text_is(of, ['"Hello" - said Ada...', "Bye"]).passed
        assert fails(checks.document_text_is(of, ["Bye"]), "Hello")
        assert checks.document_has_text(of, ["said Ada"]).passed
        assert fails(checks.document_has_text(of, ["said ada", "Bye", "Adam"]), "said ada", "Adam")
        assert checks.document_lacks_text(of, ["Adam"]).passed
        assert fails(checks.document_lacks_text(of, ["Ad"]), "Ada")
        assert checks.document_lacks_text(of, ["Ad"], whole_words=True).passed
        assert fails(checks.document_lacks_text(seen("x", footer="Adam"), ["Adam"]), "Adam")

    @both
    def test_headings(self, form: str) -> None:
        of = whole(form)
        titles = [checks.Heading(level=1, text="Report"), checks.Heading(level=2, text="Costs")]
        assert checks.headings_are(of, titles).passed
        assert fails(checks.headings_are(of, titles[:1]), "Costs")
        assert checks.heading_is(of, "Costs", 2).passed
        assert fails(checks.heading_is(of, "Costs", 1), "level 2")
        assert fails(checks.heading_is(of, "Nothing", 1), "missing")
        assert checks.paragraph_style(of, "Costs", "heading 2").passed
        assert fails(checks.paragraph_style(of, "Costs", "Title"), "Heading 2")

    @both
    def test_alignment(self, form: str) -> None:
        of = whole(form)
        assert checks.paragraph_aligned(of, "Underlined?", "right").passed
        assert fails(checks.paragraph_aligned(of, "Underlined?", "center"), "right")
        assert fails(checks.paragraph_aligned(of, "Gone", "left"), "missing")

    @both
    def test_looks(self, form: str) -> None:
        of = whole(form)
        assert checks.runs_formatted(of, "bold", ["now"]).passed
        assert checks.runs_formatted(of, "italic", ["later"]).passed
        assert checks.runs_formatted(of, "underline", []).passed
        assert fails(checks.runs_formatted(of, "bold", ["now", "Pay"]), "Pay")
        assert fails(checks.runs_formatted(of, "bold", []), "now")
        assert fails(checks.runs_formatted(of, "bold", ["nowhere", "now"]), "nowhere")

    @both
    def test_tables(self, form: str) -> None:
        of = whole(form)
        assert checks.document_table_is(of, [["Name", "Town"], ["Ada", "Cork"]]).passed
        assert fails(checks.document_table_is(of, [["Name", "Town"]]), "Ada")
        assert fails(checks.document_table_is(of, [], table=2), "no table 2")
        assert checks.document_table_cell(of, 2, 1, "Ada").passed
        assert fails(checks.document_table_cell(of, 2, 2, "Ada"), "Cork")
        assert fails(checks.document_table_cell(of, 3, 1, "Ada"), "no cell")

    @both
    def test_lists(self, form: str) -> None:
        of = whole(form)
        assert checks.list_items_are(of, ["tea", "milk"], "bullet").passed
        assert checks.list_items_are(of, ["first", "second"], "number").passed
        assert fails(checks.list_items_are(of, ["tea", "milk"], "number"), "numbered")
        assert fails(checks.list_items_are(of, ["milk", "tea"]), "tea, milk")
        assert fails(checks.list_items_are(seen("- tea", "- milk", form=form), ["tea", "milk"]), "none")

    def test_pages(self) -> None:
        of = whole(footer="Page 1 of March")
        assert checks.page_orientation(of, "portrait").passed
        assert fails(checks.page_orientation(of, "landscape"), "portrait")
        assert fails(checks.page_size(of, 297, 210), "210.0 x 297.0")
        assert checks.page_margins(of, {"left": 20}).passed
        assert fails(checks.page_margins(of, {"left": 25, "top": 20}), "left")
        assert checks.footer_has(of, "March").passed
        assert fails(checks.footer_has(of, "April"), "March")
        assert fails(checks.footer_is(of, "March"), "Page 1")
        assert fails(checks.header_is(of, "Top"), "Top")
        assert fails(checks.document_title_is(of, "Report"), "Report")
        assert fails(checks.document_format(of, "docx"), "odt")

    def test_unchanged_sees_more_than_text(self) -> None:
        before = whole()
        plain = tuple(DocumentBlock(text="Pay now or later") if block.runs else block for block in BLOCKS)
        assert fails(checks.document_unchanged_except(seen(*plain), before, []), "bold")
        lower = tuple(DocumentBlock(text="Costs") if block.text == "Costs" else block for block in BLOCKS)
        assert fails(checks.document_unchanged_except(seen(*lower), before, []), "heading")
        gone = checks.Edit(was="Ada | Cork")
        rows = tuple(DocumentBlock(rows=block.rows[:1]) if block.rows else block for block in BLOCKS)
        assert checks.document_unchanged_except(seen(*rows), before, [gone]).passed
        assert fails(checks.document_unchanged_except(before, before, [gone]), "Cork")

    def test_words_that_stay_keep_their_looks_where_others_change(self) -> None:
        edit = checks.Edit(was="Bills go to King.", now="Bills go to Porter.")
        before = seen(DocumentBlock(runs=(Run(text="Bills", bold=True), Run(text=" go to King."))))
        for new in (Run(text="Porter."), Run(text="Porter.", bold=True)):
            runs = (Run(text="Bills", bold=True), Run(text=" go to "), new)
            assert checks.document_unchanged_except(seen(DocumentBlock(runs=runs)), before, [edit]).passed
        for bold in (True, False):
            now = seen(DocumentBlock(runs=(Run(text="Bills go to Porter.", bold=bold),)))
            assert fails(checks.document_unchanged_except(now, before, [edit]), "bold: Bills")

    def test_what_is_only_recorded_as_a_change_was_not_changed(self) -> None:
        edit, plain = checks.Edit(was="We meet", now="We meet today"), seen("We meet", "Bye")
        recorded = seen(
            DocumentBlock(runs=(runs := (Run(text="We meet"), Run(text=" today", inserted_by="Ada")))), "Bye"
        )
        assert checks.document_unchanged_except(seen("We meet today", "Bye"), plain, [edit]).passed
        assert fails(checks.document_unchanged_except(recorded, plain, [edit]), "only records", "today")
        later, bye = seen(DocumentBlock(runs=runs), "Goodbye"), checks.Edit(was="Bye", now="Goodbye")
        assert checks.document_unchanged_except(later, recorded, [bye]).passed

    def test_a_document_has_the_format_that_its_name_says(self) -> None:
        other = whole("docx")
        assert checks.document_unchanged_except(other, whole(), []).passed
        assert fails(checks.document_unchanged_except({**other, "path": "a.odt"}, whole(), []), "docx", "name")

    def test_pdf(self) -> None:
        of = {"path": "a.pdf", "pages": ["One two", "Three"]}
        assert checks.pdf_pages(of, 2).passed
        assert fails(checks.pdf_pages(of, 1), "2 pages")
        assert checks.pdf_has_text(of, ["One two", "Three"]).passed
        assert fails(checks.pdf_has_text(of, ["Three"], page=1), "Page 1")
        assert fails(checks.pdf_has_text(of, ["Three"], page=3), "Page 3")
        assert checks.pdf_lacks_text(of, ["Four"]).passed
        assert fails(checks.pdf_lacks_text(of, ["two"]), "two")


@pytest.mark.turns
@pytest.mark.sandbox("full")
@pytest.mark.slow
def test_libreoffice_agrees() -> None:
    """What is written opens and comes out of LibreOffice as it was; its PDF has the same words."""
    with open_computer("sandbox", image="full") as computer:
        setup_context, probe_context = SetupContext(computer), ProbeContext(computer)
        setup.document(setup_context, "Documents/b.docx", list(BLOCKS), footer="Bottom")
        computer.baseline()
        for kind in ("odt", "pdf"):
            computer.run(["soffice", "--headless", "--convert-to", kind, "--outdir", "out", "Documents/b.docx"])
        now, then = (
            probes.document(probe_context, "out/b.odt"),
            probes.document_before(probe_context, "Documents/b.docx"),
        )
        assert checks.document_unchanged_except(now, then, []).feedback == ()
        assert checks.footer_is(now, "Bottom").passed
        pdf = probes.pdf(probe_context, "out/b.pdf")
        assert checks.pdf_pages(pdf, 2).passed
        assert checks.pdf_has_text(pdf, ["Report", "Ada Cork"], page=1).passed
        converted = computer.read_file("out/b.odt")
    # After a headless run LibreOffice opens its next window a few pixels wide, so it is opened elsewhere.
    with open_computer("sandbox", image="full") as computer:
        computer.write_file("b.odt", converted)
        libreoffice_setup.open_in_office(SetupContext(computer), "b.odt")
        assert any(node.text == "Pay now or later" for node in computer.tree().nodes)
