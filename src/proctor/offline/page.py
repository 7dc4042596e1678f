"""The pages of an offline run: figures, then each sample with picture, target, answer, reply."""

from __future__ import annotations

import shutil
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image

from proctor.errors import RecordError
from proctor.observations.encode import webp
from proctor.offline.parquet import PictureCell
from proctor.offline.record import AskedSample, OfflineRecord, SampleAnswer
from proctor.offline.sample import PictureFile, Shot
from proctor.offline.score import OUTCOMES
from proctor.offline.summary import Summary, tables
from proctor.plain_text import printable
from proctor.report.cells import ReportTable, cell_text, size
from proctor.report.style import STYLE
from proctor.store.files import disk_trouble

PER_PAGE = 40
MOST_WIDE = 1000
"""Pixels of a copy, across."""
MOST_REPLY = 3_000
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:; base-uri 'none'; form-action 'none'"
_OWN_STYLE = """
article { margin: 2.5rem 0; } figure { margin: 0; position: relative; display: inline-block; max-width: 100%; }
figure img { max-width: 100%; display: block; border: 1px solid var(--line); }
figure svg { position: absolute; inset: 0; width: 100%; height: 100%; }
svg .target { fill: #1a7f4b33; stroke: #1a7f4b; stroke-width: 2; vector-effect: non-scaling-stroke; }
svg .said { stroke: #fff; stroke-width: 2; fill: #d0021b; vector-effect: non-scaling-stroke; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); padding: .5rem .75rem;
  max-height: 20rem; overflow-y: auto; border: 1px solid var(--line); font-size: .85rem; }
.strip { display: flex; flex-wrap: wrap; gap: .5rem; } .strip img { max-width: 30rem; width: 100%; }
"""


def write_pages(record: OfflineRecord, summary: Summary, *, most: int = 200) -> Path:
    """Write the pages into the record and return the first; pictures that are gone are left out.

    At `most` so many samples are shown, those first that need a look: unparsed, outside, failed, wrong, then right.
    """
    folder = record.folder / "report"
    with disk_trouble(folder):
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "pictures").mkdir(parents=True)
        chosen = _choose_answers(summary, most)
        chunks = [chosen[start : start + PER_PAGE] for start in range(0, len(chosen), PER_PAGE)]
        pictures = SmallCopies(folder / "pictures")
        for number, chunk in enumerate(chunks, 1):
            body = "".join(_article(*pair, pictures) for pair in chunk)
            text = _html(f"Samples, page {number} of {len(chunks)}", _links(len(chunks)) + body, back=True)
            (folder / _name(number)).write_text(text, encoding="utf-8")
        index = folder / "index.html"
        index.write_text(_html(*_front(summary, len(chosen), len(chunks))), encoding="utf-8")
    return index


def _choose_answers(summary: Summary, most: int) -> list[tuple[AskedSample, SampleAnswer]]:
    order = ("unparsed", "outside", "failed", "refused", "wrong", "right")
    pairs = [(sample, summary.answers[sample.id]) for sample in summary.asked if sample.id in summary.answers]
    return sorted(pairs, key=lambda pair: order.index(pair[1].outcome))[:most]


def _front(summary: Summary, shown_samples: int, pages: int) -> tuple[str, str]:
    config = summary.config
    title = f"{config['task']}: {summary.model} on {Path(str(config.get('data', ''))).name}"
    hints = "".join(f"<p class='bad'>{escape(hint)}</p>" for hint in summary.hints())
    found = tables([summary], [summary.model])
    drawn = "".join(f"<h2>{escape(each.title)}</h2>{_table(each)}" if each.title else _table(each) for each in found)
    settings = ReportTable("", "", ("setting", "value"), tuple((name, str(value)) for name, value in config.items()))
    samples = (
        f"<h2>Samples</h2><p>{shown_samples} of {len(summary.asked)}, those that need a look first.</p>{_links(pages)}"
    )
    return title, f"{hints}{drawn}{samples}<h2>How it was asked</h2>{_table(settings)}"


def _html(title: str, body: str, *, back: bool = False) -> str:
    up = "<p><a href='index.html'>All figures</a></p>" if back else ""
    return printable(
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<meta name='viewport' content='width=device-width'><style>{STYLE}{_OWN_STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1>{up}{body}</body></html>"
    )


def _links(pages: int) -> str:
    links = " ".join(f"<a href='{_name(number)}'>{number}</a>" for number in range(1, pages + 1))
    return f"<p>Pages: {links}</p>" if pages else ""


def _name(number: int) -> str:
    return f"samples-{number:03d}.html"


def _table(table: ReportTable) -> str:
    numeric = [any(size(row[place]) is not None for row in table.rows) for place in range(len(table.head))]
    kinds = [" class='number'" if number else "" for number in numeric]
    head = "".join(f"<th{kind}>{escape(name)}</th>" for name, kind in zip(table.head, kinds, strict=True))
    rows = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{escape(cell_text(cell))}</td>" for cell, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for row in table.rows
    )
    note = f"<p class='note'>{escape(table.note)}</p>" if table.note else ""
    return f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{note}"


def _article(sample: AskedSample, answer: SampleAnswer, pictures: SmallCopies) -> str:
    colour = "good" if answer.outcome == "right" else "bad"
    facts = {
        "right would be": _right(sample.truth),
        "understood as": f"{_answer_words(answer.parsed)} {f'({answer.how})' if answer.how else ''}".strip(),
        "why not": answer.problem,
        "distance": "" if answer.distance is None else f"{answer.distance:g}",
        "pictures sent as": ", ".join("x".join(map(str, each)) for each in answer.sent),
    }
    listed = "".join(f"<tr><td>{name}</td><td>{escape(text)}</td></tr>" for name, text in facts.items() if text)
    said = f"<p>Reply</p><pre>{escape(answer.reply[:MOST_REPLY])}</pre>" if answer.reply else ""
    asked = f"<details><summary>Prompt</summary><pre>{escape(answer.prompt)}</pre></details>" if answer.prompt else ""
    title = str(sample.truth.get("instruction") or sample.id)
    # What right and wrong mean needs no words, and an id is said once.
    telling = {name: words for name, words in OUTCOMES.items() if name not in ("right", "wrong")}
    meaning = next((words for name, words in telling.items() if name == answer.outcome), "")
    notes = "; ".join(note for note in (meaning, sample.id if title != sample.id else "") if note)
    return (
        f"<article id='{escape(sample.id, quote=True)}'><h3>{escape(title)}</h3>"
        f"<p><span class='{colour}'>{escape(answer.outcome)}</span> <span class='quiet'>{escape(notes)}</span></p>"
        f"{_figure(sample, answer, pictures)}"
        f"<table><tbody>{listed}</tbody></table>{said}{asked}</article>"
    )


def _answer_words(parsed: Any) -> str:
    match parsed:
        case None:
            return ""
        case bool():
            return "success" if parsed else "failure"
        case [int() | float() as x, int() | float() as y]:
            return f"({x:g}, {y:g})"
        case list():
            return ", ".join(map(str, parsed))
    return str(parsed)


def _right(truth: dict[str, Any]) -> str:
    if "target" in truth:
        target = truth["target"]
        if target["kind"] == "refusal":
            return "a refusal"
        return " or ".join(f"{each['kind']} {each['corners']}" for each in (target, *target.get("others", ())))
    return ", ".join(truth["answer"]) if "answer" in truth else f"{'success' if truth['success'] else 'failure'}"


def _figure(sample: AskedSample, answer: SampleAnswer, pictures: SmallCopies) -> str:
    names = [pictures.copy(name) for name in sample.pictures]
    if not any(names):
        return "<p class='quiet'>The picture is no longer where it was.</p>"
    images = [f"<img src='pictures/{name}' alt='' loading='lazy'>" for name in names if name]
    if "target" not in sample.truth:
        return f"<div class='strip'>{''.join(images)}</div>"
    width, height = sample.truth["size"]
    marks = _marks(sample.truth["target"], answer, width)
    return f"<figure>{images[0]}<svg viewBox='0 0 {width} {height}'>{marks}</svg></figure>"


def _marks(target: dict[str, Any], answer: SampleAnswer, width: int) -> str:
    drawn = "".join(_outline(place) for place in (target, *target.get("others", ())))
    if isinstance(answer.parsed, list) and len(answer.parsed) == 2:
        x, y = answer.parsed
        drawn += f"<circle class='said' cx='{float(x)}' cy='{float(y)}' r='{width / 160:.1f}'/>"
    return drawn


def _outline(target: dict[str, Any]) -> str:
    corners = [float(value) for value in target["corners"]]
    if target["kind"] == "box":
        left, top, right, bottom = corners
        return f"<rect class='target' x='{left}' y='{top}' width='{right - left}' height='{bottom - top}'/>"
    if target["kind"] == "polygon":
        points = " ".join(f"{x},{y}" for x, y in zip(corners[::2], corners[1::2], strict=True))
        return f"<polygon class='target' points='{points}'/>"
    return ""


class SmallCopies:
    """Small copies of pictures, each made once; the data itself is not copied."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, str] = {}

    def copy(self, name: str) -> str:
        """Return the file of a small copy; nothing where the picture cannot be read."""
        if name not in self._made:
            self._made[name] = self._copy(name)
        return self._made[name]

    def _copy(self, name: str) -> str:
        try:
            image = Shot(PictureCell.of_name(name) or PictureFile(Path(name))).load()
        except RecordError:
            return ""
        if image.width > MOST_WIDE:
            size = MOST_WIDE, max(1, round(image.height * MOST_WIDE / image.width))
            image = image.resize(size, Image.Resampling.LANCZOS)
        made = f"{len(self._made):05d}.webp"
        (self._folder / made).write_bytes(webp(image))
        return made
