"""Writes OpenDocument texts (.odt) and presentations (.odp): same content, same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from proctor.vocabulary.formats.office.blocks import DocumentBlock, Orientation, Paper, Run, Slide
from proctor.vocabulary.formats.pack import pack

OASIS = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = " ".join(
    [
        *(
            f'xmlns:{name}="{OASIS}:{name}:1.0"'
            for name in ("office", "style", "text", "table", "meta", "presentation", "manifest")
        ),
        f'xmlns:draw="{OASIS}:drawing:1.0"',
        f'xmlns:fo="{OASIS}:xsl-fo-compatible:1.0"',
        f'xmlns:svg="{OASIS}:svg-compatible:1.0"',
        'xmlns:dc="http://purl.org/dc/elements/1.1/"',
        'xmlns:xlink="http://www.w3.org/1999/xlink"',
    ]
)
CHANGED_AT = "2026-03-09T14:20:00"
"""When every recorded change was made."""
ALIGNMENTS = {"left": "start", "right": "end", "center": "center", "justify": "justify"}


def odt(paper: Paper) -> bytes:
    """Return a text document."""
    changes: list[Run] = []
    body = "".join(_block(block, changes) for block in paper.blocks)
    if paper.blocks and paper.blocks[-1].rows:
        body += "<text:p/>"  # a text ends in a paragraph, which LibreOffice would add
    tracked = _change_regions(changes) if changes else ""
    content = f"<office:body><office:text>{tracked}{body}</office:text></office:body>"
    automatic = f"<office:automatic-styles>{''.join(_looks())}</office:automatic-styles>"
    return _package("text", automatic + content, _text_styles(paper), paper.title)


def odp(slides: Sequence[Slide], title: str = "") -> bytes:
    """Return a presentation."""
    body = "".join(_slide(number, slide) for number, slide in enumerate(slides, 1))
    content = f"<office:body><office:presentation>{body}</office:presentation></office:body>"
    return _package("presentation", content, _slide_styles(), title)


def _package(kind: str, content: str, styles: str, title: str) -> bytes:
    mimetype = f"application/vnd.oasis.opendocument.{kind}"
    meta = f"<office:meta><dc:title>{escape(title)}</dc:title></office:meta>" if title else "<office:meta/>"
    parts = {
        "content.xml": _document("document-content", content),
        "styles.xml": _document("document-styles", styles),
        "meta.xml": _document("document-meta", meta),
    }
    entries = {"/": mimetype, **dict.fromkeys(parts, "text/xml")}
    listed = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{media}"/>'
        for path, media in entries.items()
    )
    manifest = f'{_XML}<manifest:manifest {NAMESPACES} manifest:version="1.3">{listed}</manifest:manifest>'
    return pack({"mimetype": mimetype, **parts, "META-INF/manifest.xml": manifest})


_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


def _document(root: str, inside: str) -> str:
    return f'{_XML}<office:{root} {NAMESPACES} office:version="1.3">{inside}</office:{root}>'


# -- texts ------------------------------------------------------------------------------------------------------------


def _block(block: DocumentBlock, changes: list[Run]) -> str:
    if block.page_break:
        return '<text:p text:style-name="P_break"/>'
    if block.items:
        style = "Numbers" if block.ordered else "Bullets"
        items = "".join(f"<text:list-item>{_plain(item)}</text:list-item>" for item in block.items)
        return f'<text:list text:style-name="{style}">{items}</text:list>'
    if block.rows:
        rows = "".join(f"<table:table-row>{''.join(map(_cell, row))}</table:table-row>" for row in block.rows)
        columns = f'<table:table-column table:number-columns-repeated="{len(block.rows[0])}"/>'
        return f'<table:table table:style-name="Grid">{columns}{rows}</table:table>'
    inside = "".join(_run(run, changes) for run in block.pieces)
    if block.heading:
        style = f"Heading_20_{block.heading}"
        return f'<text:h text:style-name="{style}" text:outline-level="{block.heading}">{inside}</text:h>'
    return f'<text:p text:style-name="P_{block.align}">{inside}</text:p>'


def _cell(text: str) -> str:
    return f'<table:table-cell table:style-name="Cell">{_plain(text)}</table:table-cell>'


def _plain(text: str) -> str:
    return f'<text:p text:style-name="P_left">{_text(text)}</text:p>'


def _run(run: Run, changes: list[Run]) -> str:
    looks = "".join(letter for letter, has in zip("biu", (run.bold, run.italic, run.underline), strict=True) if has)
    shown = f'<text:span text:style-name="T_{looks}">{_text(run.text)}</text:span>' if looks else _text(run.text)
    if not (run.inserted_by or run.deleted_by):
        return shown
    changes.append(run)
    mark = f'text:change-id="c{len(changes)}"'
    if run.deleted_by:
        return f"<text:change {mark}/>"
    return f"<text:change-start {mark}/>{shown}<text:change-end {mark}/>"


def _change_regions(changes: Sequence[Run]) -> str:
    def region(number: int, run: Run) -> str:
        author = escape(run.deleted_by or run.inserted_by)
        info = f"<office:change-info><dc:creator>{author}</dc:creator><dc:date>{CHANGED_AT}</dc:date>"
        info += "</office:change-info>"
        kind, kept = ("deletion", f"<text:p>{_text(run.text)}</text:p>") if run.deleted_by else ("insertion", "")
        inside = f"<text:{kind}>{info}{kept}</text:{kind}>"
        return f'<text:changed-region xml:id="c{number}" text:id="c{number}">{inside}</text:changed-region>'

    regions = "".join(region(number, run) for number, run in enumerate(changes, 1))
    return f'<text:tracked-changes text:track-changes="false">{regions}</text:tracked-changes>'


def _text(text: str) -> str:
    marked = escape(text).replace("\t", "<text:tab/>").replace("\n", "<text:line-break/>")
    return re.sub(" (?= )|^ | $", "<text:s/>", marked)


def _looks() -> Iterator[str]:
    for name, align in ALIGNMENTS.items():
        properties = f'<style:paragraph-properties fo:text-align="{align}"/>'
        yield _style(f"P_{name}", "paragraph", properties if name != "left" else "", parent="Standard")
    yield _style("P_break", "paragraph", '<style:paragraph-properties fo:break-before="page"/>', parent="Standard")
    attributes = {
        "b": 'fo:font-weight="bold"',
        "i": 'fo:font-style="italic"',
        "u": 'style:text-underline-style="solid" style:text-underline-width="auto"',
    }
    for looks in ("b", "i", "u", "bi", "bu", "iu", "biu"):
        properties = " ".join(attributes[letter] for letter in looks)
        yield _style(f"T_{looks}", "text", f"<style:text-properties {properties}/>")
    yield _style("Grid", "table", '<style:table-properties style:width="17cm" table:align="margins"/>')
    border = 'fo:border="0.5pt solid #000000" fo:padding="0.1cm"'
    yield _style("Cell", "table-cell", f"<style:table-cell-properties {border}/>")
    indent = '<style:list-level-properties text:space-before="0.6cm" text:min-label-width="0.6cm"/>'
    bullet = f'<text:list-level-style-bullet text:level="1" text:bullet-char="&#8226;">{indent}'
    yield f'<text:list-style style:name="Bullets">{bullet}</text:list-level-style-bullet></text:list-style>'
    number = f'<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=".">{indent}'
    yield f'<text:list-style style:name="Numbers">{number}</text:list-level-style-number></text:list-style>'


def _style(name: str, family: str, properties: str = "", *, parent: str = "", display: str = "") -> str:
    above = f' style:parent-style-name="{parent}"' if parent else ""
    shown = f" style:display-name={quoteattr(display)}" if display else ""
    return f'<style:style style:name="{name}" style:family="{family}"{above}{shown}>{properties}</style:style>'


def _text_styles(paper: Paper) -> str:
    font = 'style:font-name="Liberation Serif" fo:font-size="12pt" fo:language="en" fo:country="US"'
    styles = [
        f'<style:default-style style:family="paragraph"><style:text-properties {font}/></style:default-style>',
        _style("Standard", "paragraph"),
        _style("Header", "paragraph", parent="Standard"),
        _style("Footer", "paragraph", parent="Standard"),
    ]
    for level in range(1, 7):
        size = max(20 - 2 * level, 11)
        looks = '<style:paragraph-properties fo:margin-top="0.4cm" fo:margin-bottom="0.2cm"/>'
        looks += f'<style:text-properties fo:font-size="{size}pt" fo:font-weight="bold"/>'
        head = _style(f"Heading_20_{level}", "paragraph", looks, parent="Standard", display=f"Heading {level}")
        styles.append(head.replace(">", f' style:default-outline-level="{level}">', 1))
    faces = (
        '<office:font-face-decls><style:font-face style:name="Liberation Serif" '
        "svg:font-family=\"'Liberation Serif'\"/></office:font-face-decls>"
    )
    layout = _page_layout(paper.orientation, bool(paper.header), bool(paper.footer))
    return f"{faces}<office:styles>{''.join(styles)}</office:styles>{layout}{_master(paper)}"


def _page_layout(orientation: Orientation, header: bool, footer: bool) -> str:
    width, height = ("21cm", "29.7cm") if orientation == "portrait" else ("29.7cm", "21cm")
    page = f'fo:page-width="{width}" fo:page-height="{height}" style:print-orientation="{orientation}" fo:margin="2cm"'
    height = '<style:header-footer-properties fo:min-height="0.6cm"/>'
    parts = f"<style:header-style>{height}</style:header-style>" if header else ""
    parts += f"<style:footer-style>{height}</style:footer-style>" if footer else ""
    inside = f"<style:page-layout-properties {page}/>{parts}"
    layout = f'<style:page-layout style:name="Page">{inside}</style:page-layout>'
    return f"<office:automatic-styles>{layout}</office:automatic-styles>"


def _master(paper: Paper) -> str:
    def part(name: str, text: str) -> str:
        line = f'<text:p text:style-name="{name.title()}">{_text(text)}</text:p>'
        return f"<style:{name}>{line}</style:{name}>" if text else ""

    inside = part("header", paper.header) + part("footer", paper.footer)
    page = f'<style:master-page style:name="Standard" style:page-layout-name="Page">{inside}</style:master-page>'
    return f"<office:master-styles>{page}</office:master-styles>"


# -- presentations ----------------------------------------------------------------------------------------------------

TITLE_BOX = 'svg:x="1.4cm" svg:y="0.8cm" svg:width="25.2cm" svg:height="2.6cm"'
BODY_BOX = 'svg:x="1.4cm" svg:y="3.8cm" svg:width="25.2cm" svg:height="10.8cm"'
NOTES_BOX = 'svg:x="2cm" svg:y="14cm" svg:width="17cm" svg:height="13cm"'


def _slide(number: int, slide: Slide) -> str:
    items = "".join(f"<text:list-item><text:p>{_text(bullet)}</text:p></text:list-item>" for bullet in slide.bullets)
    body = f"<text:list>{items}</text:list>" if items else ""
    thumbnail = f'<draw:page-thumbnail draw:page-number="{number}" presentation:class="page"/>'
    notes = _frame("notes", NOTES_BOX, f"<text:p>{_text(slide.notes)}</text:p>" if slide.notes else "")
    attributes = 'draw:master-page-name="Default" presentation:presentation-page-layout-name="TitleAndContent"'
    return (
        f'<draw:page draw:name="page{number}" {attributes}>'
        f"{_frame('title', TITLE_BOX, f'<text:p>{_text(slide.title)}</text:p>')}{_frame('outline', BODY_BOX, body)}"
        f"<presentation:notes>{thumbnail}{notes}</presentation:notes></draw:page>"
    )


def _frame(role: str, box: str, inside: str) -> str:
    style = "Default-outline1" if role == "outline" else f"Default-{role}"
    empty = "" if inside else ' presentation:placeholder="true"'
    attributes = f'presentation:style-name="{style}" draw:layer="layout" {box} presentation:class="{role}"{empty}'
    return f"<draw:frame {attributes}><draw:text-box>{inside}</draw:text-box></draw:frame>"


def _slide_styles() -> str:
    def look(name: str, size: int, align: str) -> str:
        graphic = '<style:graphic-properties draw:stroke="none" draw:fill="none"/>'
        paragraph = f'<style:paragraph-properties fo:text-align="{align}"/>'
        return _style(name, "presentation", f'{graphic}{paragraph}<style:text-properties fo:font-size="{size}pt"/>')

    styles = (
        look("Default-title", 40, "center") + look("Default-outline1", 28, "start") + look("Default-notes", 18, "start")
    )
    holders = "".join(
        f'<presentation:placeholder presentation:object="{role}" {box}/>'
        for role, box in (("title", TITLE_BOX), ("outline", BODY_BOX))
    )
    styles += f'<style:presentation-page-layout style:name="TitleAndContent">{holders}</style:presentation-page-layout>'
    page = 'fo:page-width="28cm" fo:page-height="15.75cm" style:print-orientation="landscape" fo:margin="0cm"'
    layout = f'<style:page-layout style:name="Screen"><style:page-layout-properties {page}/></style:page-layout>'
    frames = _frame("title", TITLE_BOX, "") + _frame("outline", BODY_BOX, "")
    master = f'<style:master-page style:name="Default" style:page-layout-name="Screen">{frames}</style:master-page>'
    return (
        f"<office:styles>{styles}</office:styles><office:automatic-styles>{layout}</office:automatic-styles>"
        f"<office:master-styles>{master}</office:master-styles>"
    )
