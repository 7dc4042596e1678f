"""Small plots as SVG: dots with intervals, bars, histograms, heat maps and radars.

Colours are CSS variables of the page (`--ink`, `--line`, `--quiet`, `--mark`, `--paper`, `--series-0` and on), so a
plot follows the reader's choice of light or dark. Every plot has a title and a description for those who cannot see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import cos, sin, tau

from proctor.report.cells import cell_text, percent
from proctor.report.statistics import Interval

SERIES = 6
"""How many colours there are; further series take them again."""

_ROW = 26
_LETTER = 6.8
"""Width of a letter at the size of labels, on average."""


def dots(title: str, rows: Sequence[tuple[str, float | None, Interval]], faint: Sequence[float | None] = ()) -> str:
    """Return shares as dots with their intervals; `faint` adds a hollow dot to each row."""
    left, width, foot = _label_width([label for label, _, _ in rows]), 420, 24
    height = len(rows) * _ROW + foot
    parts = [_grid(left, width, height - foot, foot)]
    for place, (label, value, (low, high)) in enumerate(rows):
        y = place * _ROW + _ROW / 2
        parts.append(_label(left - 10, y, label))
        if value is None:
            continue
        parts.append(
            f"<line x1='{left + low * width:.1f}' x2='{left + high * width:.1f}' y1='{y}' y2='{y}' class='whisker'/>"
        )
        if faint and faint[place] is not None and faint[place] != value:
            parts.append(f"<circle cx='{left + (faint[place] or 0) * width:.1f}' cy='{y}' r='4' class='hollow'/>")
        parts.append(f"<circle cx='{left + value * width:.1f}' cy='{y}' r='5' class='dot'/>")
        parts.append(f"<text x='{left + width + 14}' y='{y + 4}' class='value'>{percent(value)}</text>")
    said = "; ".join(
        f"{label}: {'unknown' if value is None else f'{percent(value)}, interval {percent(low)} to {percent(high)}'}"
        for label, value, (low, high) in rows
    )
    return _svg(title, said, left + width + 70, height, parts)


def bars(
    title: str, labels: Sequence[str], series: Sequence[tuple[str, Sequence[float | None]]], *, to_end: bool = False
) -> str:
    """Return shares as bars, a group for each label and a bar for each series; `to_end` shows 100 %."""
    left, width, thick, foot = _label_width(labels), 420, max(5, min(14, 30 // max(1, len(series)))), 24
    most = 1.0 if to_end else _round_end(max((value or 0.0 for _, values in series for value in values), default=0.0))
    group = thick * len(series) + 12
    height = group * len(labels) + foot
    parts = [_grid(left, width, height - foot, foot, most)]
    for place, label in enumerate(labels):
        top = place * group + 6
        parts.append(_label(left - 10, top + thick * len(series) / 2, label))
        for number, (name, values) in enumerate(series):
            share = values[place]
            if share is None:
                continue
            tip = f"<title>{escape(f'{name}, {label}: {percent(share)}')}</title>"
            parts.append(
                f"<rect x='{left}' y='{top + number * thick}' width='{max(share / most * width, 0.5):.1f}' "
                f"height='{thick - 1}' rx='2' class='series-{number % SERIES}'>{tip}</rect>"
            )
    return _svg(title, _series_words(labels, series), left + width + 30, height, parts)


def histogram(title: str, edges: Sequence[float], counts: Sequence[int], series: int = 0) -> str:
    """Return how often values fall between the edges; the last bin takes what is beyond."""
    width, tall, head, foot = 240, 84, 20, 20
    most = max(counts, default=0) or 1
    step = width / max(1, len(counts))
    parts = [f"<text x='0' y='12' class='label start'>{escape(title)}</text>"]
    for place, count in enumerate(counts):
        size = count / most * tall
        end = "and more" if place == len(counts) - 1 else f"to {cell_text(edges[place + 1])}"
        parts.append(
            f"<rect x='{place * step:.1f}' y='{head + tall - size:.1f}' width='{max(step - 1, 0.5):.1f}' "
            f"height='{size:.1f}' class='series-{series % SERIES}'>"
            f"<title>{cell_text(edges[place])} {end}: {count:,}</title></rect>"
        )
    base = head + tall
    parts.append(f"<line x1='0' x2='{width}' y1='{base}' y2='{base}' class='axis'/>")
    parts.append(f"<text x='0' y='{base + 14}' class='tick start'>{cell_text(edges[0])}</text>")
    parts.append(f"<text x='{width}' y='{base + 14}' class='tick end'>{cell_text(edges[-1])}+</text>")
    total = sum(counts)
    ends = f"from {cell_text(edges[0])} to {cell_text(edges[-1])}"
    said = f"{total:,} episodes {ends} and beyond; the fullest bin holds {most:,}."
    return _svg(title, said, width, base + foot, parts)


def heat_map(title: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[tuple[float | None, str]]]]) -> str:
    """Return a matrix of shares with texts; darker is more, and what is unknown is left empty."""
    left = _label_width([label for label, _ in rows])
    texts = [*columns, *(text for _, cells in rows for _, text in cells)]
    wide = max([64.0, *(len(text) * _LETTER + 14 for text in texts)])
    head, tall = 24, 30
    parts = [
        f"<text x='{left + (place + 0.5) * wide:.1f}' y='15' class='tick middle'>{escape(column)}</text>"
        for place, column in enumerate(columns)
    ]
    for place, (label, cells) in enumerate(rows):
        y = head + place * tall
        parts.append(_label(left - 10, y + tall / 2, label))
        for number, (share, text) in enumerate(cells):
            x = left + number * wide
            box = f"x='{x + 1:.1f}' y='{y + 1}' width='{wide - 2:.1f}' height='{tall - 2}' rx='3'"
            if share is None:
                parts.append(f"<rect {box} class='empty'/>")
                continue
            strong = " strong" if share > 0.75 else ""
            parts.append(f"<rect {box} class='heat' fill-opacity='{0.08 + 0.92 * share:.3f}'/>")
            parts.append(
                f"<text x='{x + wide / 2:.1f}' y='{y + tall / 2 + 4}' class='cell middle{strong}'>{escape(text)}</text>"
            )
    said = "; ".join(
        f"{label}: "
        + ", ".join(f"{column} {text or 'unknown'}" for column, (_, text) in zip(columns, cells, strict=True))
        for label, cells in rows
    )
    return _svg(title, said, left + wide * len(columns) + 4, head + tall * len(rows), parts)


def radar(title: str, axes: Sequence[str], series: Sequence[tuple[str, Sequence[float | None]]]) -> str:
    """Return shares on axes around a centre; where one is unknown, the line of its series is broken."""
    reach, room, height = 110, 70, 300
    middle = reach + room, height / 2
    directions = [(sin(turn), -cos(turn)) for turn in (tau * place / len(axes) for place in range(len(axes)))]

    def at(place: int, share: float) -> tuple[float, float]:
        (x, y), (right, down) = middle, directions[place % len(axes)]
        return x + reach * share * right, y + reach * share * down

    parts = []
    for step in range(1, 5):
        ring = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(place, step / 4) for place in range(len(axes))))
        parts.append(f"<polygon points='{ring}' class='grid hole'/>")
    for place, axis in enumerate(axes):
        x, y = at(place, 1.0)
        parts.append(f"<line x1='{middle[0]}' y1='{middle[1]}' x2='{x:.1f}' y2='{y:.1f}' class='grid'/>")
        x, y = at(place, 1.13)
        anchor = "middle" if abs(x - middle[0]) < 12 else "start" if x > middle[0] else "end"
        parts.append(f"<text x='{x:.1f}' y='{y + 4:.1f}' class='label {anchor}'>{escape(_cut(axis))}</text>")
    for number, (name, shares) in enumerate(series):
        parts += _web(name, axes, shares, at, number % SERIES)
    return _svg(title, _series_words(axes, series), 2 * (reach + room), height, parts)


def _web(
    name: str,
    axes: Sequence[str],
    shares: Sequence[float | None],
    at: Callable[[int, float], tuple[float, float]],
    colour: int,
) -> Iterator[str]:
    places = range(len(shares))
    known = {place: at(place, share) for place, share in enumerate(shares) if share is not None}
    if len(known) == len(shares):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in known.values())
        yield f"<polygon points='{points}' class='series-{colour} area'/>"
    for one, other in zip(places, (*places[1:], *places[:1]), strict=True):
        if one in known and other in known:
            (x1, y1), (x2, y2) = known[one], known[other]
            yield f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' class='line-{colour}'/>"
    for place, (x, y) in known.items():
        tip = f"<title>{escape(f'{name}, {axes[place]}: {_share_text(shares[place])}')}</title>"
        yield f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' class='series-{colour}'>{tip}</circle>"


def _series_words(labels: Sequence[str], series: Sequence[tuple[str, Sequence[float | None]]]) -> str:
    return "; ".join(
        f"{name}: " + ", ".join(f"{label} {_share_text(share)}" for label, share in zip(labels, shares, strict=True))
        for name, shares in series
    )


def _share_text(share: float | None) -> str:
    return "unknown" if share is None else percent(share)


def legend(names: Sequence[str]) -> str:
    """Return which colour stands for which series."""
    keys = "".join(
        f"<span class='key'><svg width='12' height='12' aria-hidden='true'><rect width='12' height='12' rx='2' "
        f"class='series-{place % SERIES}'/></svg> {escape(name)}</span>"
        for place, name in enumerate(names)
    )
    return f"<p class='legend'>{keys}</p>"


def _label_width(labels: Sequence[str]) -> int:
    return int(min(300, max([60.0, *(len(_cut(label)) * _LETTER + 16 for label in labels)])))


def _cut(label: str) -> str:
    """Return a label that fits; the ends tell agents apart, so the middle goes."""
    return label if len(label) <= 40 else f"{label[:19]}…{label[-20:]}"


def _label(x: float, y: float, text: str) -> str:
    return f"<text x='{x}' y='{y + 4}' class='label end'>{escape(_cut(text))}<title>{escape(text)}</title></text>"


def _round_end(most: float) -> float:
    """Return where an axis of shares ends, so that its quarters are round numbers."""
    return next((end for end in (0.04, 0.08, 0.2, 0.4, 0.6, 0.8) if most <= end), 1.0)


def _grid(left: float, width: float, height: float, foot: float, most: float = 1.0) -> str:
    lines = []
    for step in range(5):
        x = left + width * step / 4
        lines.append(f"<line x1='{x}' x2='{x}' y1='0' y2='{height}' class='grid'/>")
        text = percent(round(most * step / 4, 3))
        lines.append(f"<text x='{x}' y='{height + foot - 8}' class='tick middle'>{text}</text>")
    return "".join(lines)


def _svg(title: str, said: str, width: float, height: float, parts: Sequence[str]) -> str:
    box = f"viewBox='0 0 {width:.0f} {height:.0f}' width='{width:.0f}' height='{height:.0f}'"
    return (
        # Drawn smaller down to where its letters can still be read; then it is scrolled.
        f"<div class='scroll'><svg class='plot' role='img' {box} style='min-width:{0.75 * width:.0f}px'>"
        f"<title>{escape(title)}</title><desc>{escape(said)}</desc>{''.join(parts)}</svg></div>"
    )
