"""What documents and slides are made of, as a task writes it down."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from proctor.tasks.model import PlainModel

Orientation = Literal["portrait", "landscape"]
Alignment = Literal["left", "right", "center", "justify"]


class Run(PlainModel):
    """A piece of text of one appearance."""

    text: Annotated[str, Field(min_length=1)]
    bold: bool = False
    italic: bool = False
    underline: bool = False
    inserted_by: str = ""
    """Author of a recorded insertion that this text is."""
    deleted_by: str = ""
    """Author of a recorded deletion that this text is; it stands struck through until somebody decides."""


class DocumentBlock(PlainModel):
    """One thing in a document: a heading or paragraph, a list, a table or a page break."""

    text: str = ""
    runs: tuple[Run, ...] = ()
    heading: Annotated[int, Field(ge=0, le=6)] = 0
    """Level of a heading; 0 for a plain paragraph."""
    align: Alignment = "left"
    items: tuple[str, ...] = ()
    ordered: bool = False
    """Whether the items are numbered."""
    rows: tuple[tuple[str, ...], ...] = ()
    page_break: bool = False

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        things = [bool(self.text or self.runs), bool(self.items), bool(self.rows), self.page_break]
        if sum(things) > 1 or (self.text and self.runs):
            raise ValueError("a block is one thing: text or runs, items, rows, or page_break")
        if self.rows and len({len(row) for row in self.rows}) > 1:
            raise ValueError("the rows of a table must be equally long")
        return self

    @property
    def pieces(self) -> tuple[Run, ...]:
        """The runs of a paragraph, however it was written."""
        return self.runs or ((Run(text=self.text),) if self.text else ())


class Paper(PlainModel):
    """A whole document."""

    blocks: tuple[DocumentBlock, ...]
    title: str = ""
    header: str = ""
    footer: str = ""
    orientation: Orientation = "portrait"


class Slide(PlainModel):
    """One slide: a title, points below it, and what the speaker wants to say."""

    title: str
    bullets: tuple[str, ...] = ()
    notes: str = ""
