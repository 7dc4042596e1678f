"""Inspect's `.eval` logs, one for each agent (extra `inspect`).

Inspect itself writes them: `inspect view` and its data frames open them. A sample is an episode: the seed and the
paraphrase are in its id, the attempt is its epoch. A void episode has an error and no score.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

from proctor.errors import MissingExtra
from proctor.store.collection import Recorded
from proctor.store.export_parts import about_people, about_step, moment, whole_text
from proctor.store.exports.inspect.talk import Inspected, Talk
from proctor.store.paths import folder_name

SCORER = "proctor"


def write(recorded: Iterator[Recorded], out: Path) -> None:
    """Write a log for each agent."""
    log, model, scorer = (_inspect(name) for name in ("log", "model", "scorer"))
    agents: dict[str, list[Inspected]] = {}
    about: dict[str, Recorded] = {}
    taken: set[tuple[str, object, int]] = set()
    for item in recorded:
        name = item.result.key.agent
        about.setdefault(name, item)
        sample = _sample(item, log, model, scorer)
        # Of several runs that hold the same episode, as people's demonstrations do, each is an epoch.
        while (name, sample.id, sample.epoch) in taken:
            sample.epoch += 1
        taken.add((name, sample.id, sample.epoch))
        agents.setdefault(name, []).append(sample)
    for name, samples in agents.items():
        log.write_eval_log(_log(about[name], samples, log), str(out / f"{folder_name(name)}.eval"), format="eval")


def _inspect(part: str) -> Inspected:
    try:
        return importlib.import_module(f"inspect_ai.{part}")
    except ModuleNotFoundError as error:
        raise MissingExtra("export to Inspect's logs", "inspect") from error


def _log(item: Recorded, samples: list[Inspected], log: Inspected) -> Inspected:
    header = item.episode.header
    options = header.agent.options if header.agent else {}
    suite = item.result.key.task.partition("/")[0]
    scores = [sample.scores[SCORER].value for sample in samples if sample.scores]
    metric = log.EvalMetric(name="mean", value=sum(scores) / len(scores)) if scores else None
    found = log.EvalScore(
        name=SCORER,
        scorer=SCORER,
        scored_samples=len(scores),
        unscored_samples=len(samples) - len(scores),
        metrics={"mean": metric} if metric else {},
    )
    ids = list(dict.fromkeys(sample.id for sample in samples))
    return log.EvalLog(
        status="success",
        eval=log.EvalSpec(
            created=moment(header.started) or moment(0.0),
            run_id=item.run.root,
            task=f"proctor/{suite}",
            dataset=log.EvalDataset(name=suite, samples=len(ids), sample_ids=ids),
            model=options.get("model") or f"proctor/{header.agent.name if header.agent else 'agent'}",
            solver=item.result.key.agent,
            config=log.EvalConfig(epochs=max(sample.epoch for sample in samples)),
            packages={"proctor": str(item.run.config.get("proctor") or "unknown")},
        ),
        results=log.EvalResults(total_samples=len(samples), completed_samples=len(scores), scores=[found]),
        samples=samples,
    )


def _sample(item: Recorded, log: Inspected, model: Inspected, scorer: Inspected) -> Inspected:
    result, key, talk = item.result, item.result.key, Talk(item)
    name = f"{key.task}#{key.seed}" + (f".{key.paraphrase}" if key.paraphrase else "")
    agent = item.episode.header.agent
    label = result.settings.get("model") or (agent.options.get("model") if agent else "") or key.agent
    used = model.ModelUsage(
        input_tokens=result.input_tokens,
        output_tokens=result.output_tokens,
        total_tokens=result.input_tokens + result.output_tokens,
        input_tokens_cache_read=result.cached_tokens,
        input_tokens_cache_write=result.cache_write_tokens,
    )
    why = str(whole_text(f"void: {result.cause}: {result.error}"))
    error = log.EvalError(message=why, traceback="", traceback_ansi="") if result.void else None
    score = None if result.score is None else _score(item, talk, scorer)
    sample = log.EvalSample(
        id=name,
        epoch=key.sample + 1,
        input=whole_text(item.episode.instruction),
        target="",
        messages=talk.messages,
        output=model.ModelOutput.from_content(label, talk.last_words),
        scores={SCORER: score} if score else None,
        metadata={"proctor": whole_text(result.to_json()), **_people(item)},
        model_usage={label: used} if result.calls else {},
        total_time=result.seconds,
        uuid=item.place,
        error=error,
        events=list(_events(item, talk, label, score, error)),
    )
    # Pictures and messages are kept once, however many events show them.
    return log.condense_sample(sample)


def _score(item: Recorded, talk: Talk, scorer: Inspected) -> Inspected:
    """Return the score, and how the episode ended in the words of our tasks in Inspect."""
    result, verdict = item.result, item.episode.verdict
    feedback = [str(whole_text(line)) for line in (verdict.feedback if verdict else ())]
    about = {
        "stop": result.stop,
        "passed": result.passed,
        "clean": result.clean,
        "collateral": dict(result.collateral),
        "collateral_unknown": result.collateral_unknown,
        "side_effects": sum(result.collateral.values()),
        "feedback": feedback,
        "modes": list(result.modes),
        "metrics": dict(result.metrics),
    }
    explanation = "\n".join([f"stopped: {result.stop}", *feedback])
    return scorer.Score(value=result.score, answer=talk.last_words, explanation=explanation, metadata=whole_text(about))


def _events(item: Recorded, talk: Talk, label: str, score: Inspected, error: Inspected) -> Iterator[Inspected]:
    event, dataset = _inspect("event"), _inspect("dataset")
    asked = dataset.Sample(input=whole_text(item.episode.instruction))
    yield event.SampleInitEvent(sample=asked, state={}, **talk.stamp(None))
    yield from talk.events(label)
    ended = next((step.at for step in item.episode.steps() if step.end), None)
    if score is not None:
        yield event.ScoreEvent(score=score, scorer=SCORER, **talk.stamp(ended))
    if error is not None:
        yield event.ErrorEvent(error=error, **talk.stamp(ended))


def _people(item: Recorded) -> dict[str, Inspected]:
    steps = [{"step": step.step, **about} for step in item.episode.steps() if (about := about_step(step))]
    found = {"people": about_people(item), "steps": steps}
    return {name: whole_text(value) for name, value in found.items() if value}
