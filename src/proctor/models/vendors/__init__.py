"""The shelf of vendors' computer tools, a file or folder each, and those of other distributions.

A file holds a tool whole, as `TOOL`: a class derived from `proctor.models.vendor_tool.VendorTool`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from proctor.registry import Registration, Registry, shelf

if TYPE_CHECKING:
    from proctor.models.transcript import ReadPart
    from proctor.models.vendor_tool import VendorTool

_GOOGLE = Registration("proctor.models.vendors.gemini:TOOL")

VENDORS: Registry[type[VendorTool]] = Registry(
    "provider with a computer tool",
    {**shelf(__name__, __path__, "TOOL"), "google": _GOOGLE},
    group="proctor.vendors",
)
"""By the first word of a model's name."""


def part_reader(model: str) -> ReadPart | None:
    """Return how parts of a model's messages are read; None where its vendor is not known."""
    vendor = model.partition("/")[0]
    return VENDORS.get(vendor).read_part if VENDORS.knows(vendor) else None
