"""What the parts of a task have in common: plain frozen data."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(min_length=1)]


class PlainModel(BaseModel):
    """Plain frozen data: unknown fields are faults, and nothing is converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False, arbitrary_types_allowed=False)
