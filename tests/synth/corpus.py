"""Runs the corpus through the pipeline: `python -m tests.synth.corpus --computer sandbox --out DIR`."""

from __future__ import annotations

import argparse
import json
import re
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from proctor.models.model import Message, ModelAnswer
from proctor.models.usage import Price
from proctor.records import ModelCall
from proctor.synth.ledger import OUTLINES, Fate
from proctor.synth.outline import AppOutline, SeenView
from proctor.synth.plan import SynthesisPlan
from proctor.synth.synth import Synthesised, synthesise
from tests.synth.cases import STEPS, Case, good_cases
from tests.synth.defects import defective_cases

MARKS = {
    "propose": "Propose a task",
    "verdict": "Write the check",
    "moves": "Do it as a person does",
    "route": "Do it by any route",
    "foreign": "tempting ways to get it wrong",
}
"""By what the askings are told apart."""
OUTLINE = SeenView(what="menu File", elements=(("menu item", "Save"), ("menu item", "Save As...")))


class CorpusModel:
    """Answers as the cases say, whoever asks in which order."""

    def __init__(self, name: str = "corpus", *, cases: Sequence[Case] = (), usd: float = 0.0) -> None:
        self.name = f"corpus/{name}"
        self.price: Price | None = Price(input=1.0, output=1.0)
        self.cases = list(cases)
        self.asked: list[tuple[str, str]] = []
        self._usd = usd
        self._now = threading.local()
        self._lock = threading.Lock()

    def ask(
        self, messages: Sequence[Message], *, max_tokens: int = 2048, temperature: float | None = None
    ) -> ModelAnswer:
        """Return the next answer of the case to the step; the last one over and over."""
        prompt = "".join(part for part in messages[0].parts if isinstance(part, str))
        (step,) = [step for step in STEPS if MARKS[step] in prompt]
        case = self._case(step, prompt)
        with self._lock:
            turn = self.asked.count((case.name, step))
            self.asked.append((case.name, step))
        answers = case.answers[step]
        text = answers[min(turn, len(answers) - 1)]
        call = ModelCall(model=self.name, input_tokens=len(prompt) // 4, output_tokens=20, cost_usd=self._usd)
        return ModelAnswer(text=text, call=call)

    def _case(self, step: str, prompt: str) -> Case:
        if step == "propose":
            found = re.search(r"your proposal number (\d+)", prompt)
            assert found
            self._now.case = self.cases[int(found[1]) - 1]
        case: Case | None = getattr(self._now, "case", None)
        # After an interruption nobody asks again for what was proposed before.
        if case is None or step != "propose" and not _is_about(case, prompt):
            case = next(each for each in self.cases if _is_about(each, prompt))
        return case


def _is_about(case: Case, prompt: str) -> bool:
    proposed = case.answers["propose"][-1]
    return proposed.startswith("{") and len(proposed) < 40_000 and _instruction(proposed) in prompt


def _instruction(proposed: str) -> str:
    try:
        return str(json.loads(proposed)["instruction"])
    except (ValueError, KeyError):
        return "\0"


def all_cases(*, sandbox: bool) -> list[Case]:
    """Return good and defective proposals, each duplicate after what it repeats."""
    good, bad = good_cases(sandbox=sandbox), defective_cases(sandbox=sandbox)
    return [*good, *bad]


def run_corpus(
    folder: Path, cases: Sequence[Case], backend: str, *, workers: int = 1, model: CorpusModel | None = None
) -> Synthesised:
    """Have the pipeline make of the cases what it will; each application is known beforehand."""
    apps = sorted({case.app for case in cases})
    made: list[Fate] = []
    left = 0
    for app in apps:
        own = [case for case in cases if case.app == app]
        room = folder / app
        (room / OUTLINES).mkdir(parents=True, exist_ok=True)
        (room / OUTLINES / f"{app}.json").write_text(json.dumps(asdict(AppOutline(app=app, views=(OUTLINE,)))))
        plan = SynthesisPlan(by="corpus", apps=(app,), count=len(own), rounds=1, repairs=1, backend=backend)
        asked = model or CorpusModel(cases=own)
        found = synthesise(room, plan, asked, workers=workers, heard=lambda fate: _say(_line(fate)))
        made += found.fates
        left += found.left
    return Synthesised(fates=tuple(made), left=left)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _line(fate: Fate) -> str:
    reason = fate.reasons[0][:150] if fate.reasons else ""
    word = "accepted" if fate.accepted else f"dropped ({fate.step})"
    return f"{fate.number:4d} {word:20s} {fate.seconds:6.1f} s  {fate.name}  {reason}"


def wrong_ends(cases: Sequence[Case], fates: Sequence[Fate]) -> list[str]:
    """Return where the pipeline came to another end than it must."""
    found = []
    for app in sorted({case.app for case in cases}):
        own = [case for case in cases if case.app == app]
        for fate in (each for each in fates if each.app == app):
            case = own[fate.number - 1]
            if fate.accepted != case.good:
                found.append(f"{case.name} ({case.kind}): accepted={fate.accepted} {fate.step} {fate.reasons}")
            elif not case.good and fate.step not in case.at:
                found.append(f"{case.name} ({case.kind}): dropped at {fate.step}, not {set(case.at)}: {fate.reasons}")
    return found


def mix(cases: Sequence[Case]) -> list[Case]:
    """Return cases with the first of each kind before the second of any."""
    seen: Counter[str] = Counter()
    turns = []
    for case in cases:
        turns.append((seen[case.kind], not case.good))
        seen[case.kind] += 1
    return [case for _, case in sorted(zip(turns, cases, strict=True), key=lambda pair: pair[0])]


def main() -> int:
    """Run all cases, or some, and say what came of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--computer", default="sandbox")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="", help="a part of the names of cases, or of what is wrong with them")
    parser.add_argument("--without-static", action="store_true", help="leave out what needs no computer to be refused")
    parser.add_argument("--app", default="", help="only cases on this application")
    parser.add_argument("--mixed", action="store_true", help="take the kinds in turn, the good ones first")
    parser.add_argument("--most", type=int, help="only so many of the cases")
    parser.add_argument("-n", "--workers", type=int, default=1)
    given = parser.parse_args()
    cases = all_cases(sandbox=given.computer == "sandbox")
    cases = [case for case in cases if given.only in case.name or given.only in case.kind]
    if given.without_static:
        cases = [case for case in cases if case.computer or case.kind == "duplicate"]
    cases = [case for case in cases if given.app in case.app]
    cases = (mix(cases) if given.mixed else cases)[: given.most]
    made = run_corpus(given.out, cases, given.computer, workers=given.workers)
    wrong = wrong_ends(cases, made.fates)
    good = sum(case.good for case in cases)
    accepted = sum(fate.accepted for fate in made.fates)
    bad = len(cases) - good
    _say(f"\n{len(cases)} proposals: {good} good, {bad} defective; {accepted} accepted; {len(wrong)} wrong")
    for kind, count in sorted(Counter(case.kind for case in cases).items()):
        _say(f"  {count:3d} {kind}")
    _say("\n".join(wrong))
    return bool(wrong or made.left)


if __name__ == "__main__":
    raise SystemExit(main())
