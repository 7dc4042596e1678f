"""Opens a model with a computer tool: its provider, the tool's version, pictures and prompt."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from proctor.actions.dialects.dialect import Frame
from proctor.agents.native.words import system_prompt, usual_parts
from proctor.agents.prompts import task_values
from proctor.agents.send_pictures import sending_for
from proctor.agents.settings import NativeSettings
from proctor.errors import SpecError, UnknownName
from proctor.models import open_model
from proctor.models.model import RawModel
from proctor.models.usage import Budget, Metered
from proctor.models.vendor_tool import VendorTool
from proctor.models.vendors import VENDORS
from proctor.observations.observation import Want
from proctor.records import Brief


def _open(model: str | RawModel, settings: NativeSettings) -> RawModel:
    if not isinstance(model, str):
        return model
    streamed = {"stream": True} if settings.stream else {}
    opened = open_model(model, base_url=settings.base_url or None, timeout=settings.timeout, **streamed)
    return cast(RawModel, opened)


class Setup:
    """A model with its tool, pictures and prompt; raises SpecError where they do not go together."""

    def __init__(self, model: str | RawModel, settings: NativeSettings, budget: Budget | None) -> None:
        if settings.history is not None and settings.history < 1:
            raise SpecError(
                f"native: history={settings.history}", remedy="give 1 or more; the model has to see the screen"
            )
        self.settings = settings
        name = model if isinstance(model, str) else model.name
        vendor = VENDORS.get(name.partition("/")[0])
        self.dialect = vendor.dialect
        self.version = settings.version or vendor.default_version(name)
        if self.version not in self.dialect.versions:
            raise UnknownName(f"version of the {self.dialect.name} computer tool", self.version, self.dialect.versions)
        # The tool sees pictures as its provider made it for, whoever serves it.
        usual = sending_for("", None, size=settings.picture_size, form=settings.picture_format)
        fit = (None if vendor.whole else vendor.fit) if settings.picture_size == "auto" else usual.fit
        self.sending = replace(usual, fit=fit, pictures=settings.history or vendor.pictures)
        self.parts = usual_parts().over(settings.prompt)
        self.model = Metered(_open(model, settings), budget)
        self.conversation: VendorTool = vendor(
            self.model, version=self.version, history=self.sending.pictures, max_tokens=settings.max_tokens,
            cache=settings.cache,
        )  # fmt: skip
        self.want = Want(fit=None if self.conversation.zooms else fit)

    def frame(self, brief: Brief) -> Frame:
        """Return what places in the pictures of an episode refer to."""
        return Frame(desktop=brief.size, image=Want(fit=self.sending.fit).image_size(brief.size))

    def system(self, brief: Brief) -> str:
        """Return the standing instructions of an episode, for pictures as they are sent."""
        places = self.dialect.describe(brief.actions, self.frame(brief), self.version)
        return system_prompt(self.parts, brief, places, self.values(brief), notes=self.settings.notes)

    def values(self, brief: Brief) -> dict[str, str]:
        """Return what placeholders about the task stand for."""
        return task_values(brief, self.frame(brief).image, intent=self.settings.intent)
