"""What models are asked, in words kept with every answer; one's own come from a file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from proctor.errors import SpecError
from proctor.models.critic import CRITIC, critic_prompt
from proctor.offline.answers.spaces import Size, request_for_space
from proctor.offline.sample import CriticSample, GroundSample, IdmSample, Task

GROUND = """\
The picture shows a screen. Find what this instruction refers to and give the point to click.

Instruction: {instruction}

Give the point as (x, y) in {space}.{refusal} End with one line:
Answer: (x, y)"""
REFUSAL = " If nothing on the picture fits the instruction, answer (-1, -1)."
IDM = """\
The two pictures show a screen before and after one action. Which action was it?

{options}

End with one line, the letter of the action:
Answer: X"""
IDM_SEVERAL = """\
The {pictures} pictures show a screen, each after one more action. Which {actions} actions were they, in order?

{options}

End with the letters of the {actions} actions, one a line, after the word Answer:
Answer:
X
Y"""
SHIPPED = {"ground": GROUND, "idm": IDM, "critic": CRITIC}
_PLACES = {
    "ground": ("instruction", "space", "refusal", "width", "height"),
    "idm": ("options", "pictures", "actions", "instruction"),
    "critic": ("instruction", "between"),
}


@dataclass(frozen=True, slots=True)
class PromptWording:
    """The prompt of a benchmark, with places for what differs between samples."""

    task: Task
    text: str = ""
    """One's own; the shipped one when empty."""

    @classmethod
    def of(cls, task: Task, file: Path | None) -> PromptWording:
        """Read one's own wording; raises SpecError for a file that cannot be used."""
        if file is None:
            return cls(task)
        try:
            text = file.read_text(encoding="utf-8").strip()
            text.format(**dict.fromkeys(_PLACES[task], ""))
        except (OSError, UnicodeDecodeError) as error:
            raise SpecError(f"the prompt {file} cannot be read: {error}", remedy="name a text file") from error
        except (KeyError, IndexError, ValueError) as error:
            places = ", ".join(f"{{{name}}}" for name in _PLACES[task])
            raise SpecError(
                f"the prompt {file} has an unknown placeholder: {error}",
                remedy=f"placeholders are: {places}; {{{{ is a brace",
            ) from error
        if task != "idm" and "{instruction}" not in text:
            raise SpecError(f"the prompt {file} has no place for the instruction", remedy="put {instruction} into it")
        return cls(task, text)

    @property
    def digest(self) -> str:
        """A short hash, the same for the same wording."""
        shipped = IDM + IDM_SEVERAL if self.task == "idm" else SHIPPED[self.task]
        return hashlib.sha256((self.text or shipped).encode()).hexdigest()[:12]

    def ground(self, sample: GroundSample, *, space: str, sent: Size, may_refuse: bool) -> str:
        """Return what is asked of a grounding sample."""
        return (self.text or GROUND).format(
            instruction=sample.instruction,
            space=request_for_space(space, sent, sample.size),
            refusal=REFUSAL if may_refuse else "",
            width=sent[0],
            height=sent[1],
        )

    def idm(self, sample: IdmSample) -> str:
        """Return what is asked of an inverse-dynamics sample."""
        options = "\n".join(f"{chr(ord('A') + place)}. {option}" for place, option in enumerate(sample.options))
        return (self.text or (IDM_SEVERAL if sample.several else IDM)).format(
            options=options, pictures=len(sample.shots), actions=len(sample.answer), instruction=sample.instruction
        )

    def critic(self, sample: CriticSample, *, with_actions: bool) -> str:
        """Return what is asked of a trajectory."""
        return critic_prompt(sample.instruction, with_actions=with_actions, wording=self.text)
