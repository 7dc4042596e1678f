"""How a model is asked, as a user says it, and the model opened for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from proctor.agents.send_pictures import Sending, sending_for
from proctor.errors import SpecError
from proctor.models import open_model
from proctor.models.usage import Budget, Metered
from proctor.offline.answers.spaces import check_space, read_size
from proctor.offline.ask import Answerer, Asking
from proctor.offline.baselines import PREFIX
from proctor.offline.calibration import Calibration, calibrate
from proctor.offline.prompts import PromptWording
from proctor.offline.sample import Task


@dataclass(frozen=True, kw_only=True, slots=True)
class WayOfAsking:
    """How samples are put to a model."""

    model: str
    """`provider/name`, or `baseline:NAME`."""
    base_url: str | None = None
    space: str = "pixel"
    picture_size: str = "auto"
    max_tokens: int = 2048
    temperature: float | None = None
    prompt: Path | None = None
    with_actions: bool = True
    seed: int = 0
    max_cost: float | None = None
    tokens: int | None = None
    """Both for the whole run."""

    @property
    def baseline(self) -> bool:
        """Whether no model is asked."""
        return self.model.startswith(PREFIX)

    def config(self, task: Task) -> dict[str, object]:
        """Return what the record says of it; raises SpecError for what makes no sense."""
        check_space(self.space)
        sending_for(self.model, self.base_url, size=self.picture_size)
        wording = PromptWording.of(task, self.prompt)
        if self.baseline:
            return {"model": self.model, "seed": self.seed}
        named = ("model", "seed", "picture_size", "max_tokens", "temperature")
        found: dict[str, object] = {
            **{name: getattr(self, name) for name in named},
            "base_url": self.base_url or "",
            "prompt": wording.digest,
            "space": self.space if task == "ground" else "",
        }
        return {**found, "with_actions": self.with_actions} if task == "critic" else found


def answerers(task: Task, way: WayOfAsking, *, may_refuse: bool = False) -> Callable[[], Answerer]:
    """Return what makes an answerer for each worker, in one budget; the first is opened at once."""
    budget = Budget(tokens=way.tokens, usd=way.max_cost)
    opened = [_open_metered(way, budget)]
    wording = PromptWording.of(task, way.prompt)

    def make() -> Answerer:
        return Asking(
            # The one that was opened to see that it can be is used by the first worker.
            model=opened.pop() if opened else _open_metered(way, budget),
            wording=wording,
            sending=sending_for(way.model, way.base_url, size=way.picture_size),
            space=way.space,
            may_refuse=may_refuse,
            with_actions=way.with_actions,
            max_tokens=way.max_tokens,
            temperature=way.temperature,
        )

    return make


def _open_metered(way: WayOfAsking, budget: Budget) -> Metered:
    return Metered(open_model(way.model, base_url=way.base_url), budget)


def open_metered(way: WayOfAsking) -> tuple[Metered, Sending]:
    """Return a model and how pictures go to it; raises SpecError for a baseline."""
    if way.baseline:
        raise SpecError("a baseline does not write text", remedy="name a model")
    sent = sending_for(way.model, way.base_url, size=way.picture_size)
    return _open_metered(way, Budget(tokens=way.tokens, usd=way.max_cost)), sent


def calibrate_model(size: str, way: WayOfAsking) -> Calibration:
    """Ask a model for five targets on a picture of a size; raises SpecError for what makes no sense."""
    check_space(way.space)
    pixels = read_size(size)
    if way.baseline:
        raise SpecError("a baseline needs no calibration", remedy="name a model")
    return calibrate(answerers("ground", way)(), pixels, way.space)
