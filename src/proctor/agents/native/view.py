"""Screenshots as a provider wants them, and the parts of them that a model asks for."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from proctor.actions.dialects.dialect import Frame, Look
from proctor.agents.send_pictures import Sending
from proctor.models.model import Picture
from proctor.observations.observation import Observation, Want


@dataclass(frozen=True, kw_only=True)
class View:
    """What a model sees of one observation."""

    frame: Frame
    picture: Picture
    seen: bool
    """Whether there was a screenshot; otherwise the picture is black."""
    _full: Image.Image
    _sending: Sending

    @classmethod
    def of(cls, observation: Observation, sending: Sending, pointer: tuple[float, float] | None) -> View:
        """Return the view of an observation, as large and in the format as it is sent."""
        fit = sending.fit
        image = observation.screenshot
        full = Image.new("RGB", Want(fit=fit).image_size(observation.desktop)) if image is None else image
        size = Want(fit=fit).image_size(full.size)
        shown = full if size == full.size else full.resize(size, Image.Resampling.LANCZOS)
        return cls(
            frame=Frame(desktop=observation.desktop, image=size, pointer=pointer),
            picture=sending.picture(shown),
            seen=image is not None,
            _full=full,
            _sending=sending,
        )

    def zoom(self, look: Look) -> Picture:
        """Return a part of the screen, as large as the whole is shown; all of it where no part is named."""
        across, down = (side / whole for side, whole in zip(self._full.size, self.frame.desktop, strict=True))
        left, top, right, bottom = look.region or (0, 0, *self.frame.desktop)
        box = (
            min(max(int(left * across), 0), self._full.width - 1),
            min(max(int(top * down), 0), self._full.height - 1),
            min(max(round(right * across), 1), self._full.width),
            min(max(round(bottom * down), 1), self._full.height),
        )
        if box[0] >= box[2] or box[1] >= box[3]:
            return self.picture
        part = self._full.crop(box)
        width, height = self.frame.image
        grow = min(width / part.width, height / part.height)
        size = max(round(part.width * grow), 1), max(round(part.height * grow), 1)
        return self._sending.picture(part.resize(size, Image.Resampling.LANCZOS))

    def pointer(self) -> str:
        """Return where the pointer is in the picture, as far as the agent moved it."""
        place = self.frame.pointer
        if place is None:
            return "The pointer has not been moved yet; look for it on the screen."
        x, y = (at * side / whole for at, side, whole in zip(place, self.frame.image, self.frame.desktop, strict=True))
        return f"X={round(x)},Y={round(y)}"
