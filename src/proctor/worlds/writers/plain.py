"""Writes text documents as plain text with marks, as people keep minutes and notes."""

from __future__ import annotations

import textwrap

from proctor.vocabulary.formats.office.blocks import DocumentBlock, Paper


def plain_text(paper: Paper) -> bytes:
    """Return a document as Markdown."""
    return ("\n\n".join(map(_block, paper.blocks)) + "\n").encode()


def _block(block: DocumentBlock) -> str:
    if block.rows:
        head, *rest = block.rows
        lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *(f"| {' | '.join(row)} |" for row in rest)]
        return "\n".join(lines)
    if block.items:
        return "\n".join(
            f"{f'{number}.' if block.ordered else '-'} {item}" for number, item in enumerate(block.items, 1)
        )
    text = "".join(f"**{run.text.strip()}** " if run.bold else run.text for run in block.pieces)
    return f"{'#' * block.heading} {text}" if block.heading else textwrap.fill(text, 100)
