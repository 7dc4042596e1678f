"""Inspect's `.eval` logs, one for each agent (extra `inspect`).

Inspect itself writes them: `inspect view` and its data frames open them. A sample is an episode: the seed and the
paraphrase are in its id, the attempt is its epoch. A void episode has an error and no score.
"""

from __future__ import annotations

import base64
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from proctor.errors import MissingExtra
from proctor.records import Saw
from proctor.store.collection import Recorded
from proctor.store.export_parts import about_people, about_step, moment, whole_text
from proctor.store.exports.atif.calls import call_of
from proctor.store.paths import folder_name

SCORER = "proctor"


def write(recorded: Iterator[Recorded], out: Path) -> None:
    """Write a log for each agent."""
    log, model, scorer = (_inspect(name) for name in ("log", "model", "scorer"))
    agents: dict[str, list[Any]] = {}
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


def _inspect(part: str) -> Any:
    try:
        return importlib.import_module(f"inspect_ai.{part}")
    except ModuleNotFoundError as error:
        raise MissingExtra("export to Inspect's logs", "inspect") from error


def _log(item: Recorded, samples: list[Any], log: Any) -> Any:
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


def _sample(item: Recorded, log: Any, model: Any, scorer: Any) -> Any:
    result, key = item.result, item.result.key
    messages = list(_messages(item, model))
    said = next((message for message in reversed(messages) if message.role == "assistant"), None)
    name = f"{key.task}#{key.seed}" + (f".{key.paraphrase}" if key.paraphrase else "")
    label = item.result.settings.get("model") or key.agent
    used = model.ModelUsage(
        input_tokens=result.input_tokens,
        output_tokens=result.output_tokens,
        total_tokens=result.input_tokens + result.output_tokens,
        input_tokens_cache_read=result.cached_tokens,
        input_tokens_cache_write=result.cache_write_tokens,
    )
    why = str(whole_text(f"void: {result.cause}: {result.error}"))
    void = {"message": why, "traceback": "", "traceback_ansi": ""}
    score = (
        None
        if result.score is None
        else {SCORER: scorer.Score(value=result.score, explanation=f"stopped: {result.stop}")}
    )
    return log.EvalSample(
        id=name,
        epoch=key.sample + 1,
        input=whole_text(item.episode.instruction),
        target="",
        messages=messages,
        output=model.ModelOutput.from_content(label, said.text if said else ""),
        scores=score,
        metadata={"proctor": whole_text(result.to_json()), **_people(item)},
        model_usage={label: used} if result.calls else {},
        total_time=result.seconds,
        uuid=item.place,
        error=importlib.import_module("inspect_ai.log").EvalError(**void) if result.void else None,
    )


def _people(item: Recorded) -> dict[str, Any]:
    steps = [{"step": step.step, **about} for step in item.episode.steps() if (about := about_step(step))]
    found = {"people": about_people(item), "steps": steps}
    return {name: whole_text(value) for name, value in found.items() if value}


def _messages(item: Recorded, model: Any) -> Iterator[Any]:
    episode = item.episode
    turns = list(episode.turns())
    end = next((step.saw for step in episode.steps() if step.end), None)
    seen = [turn.saw for turn in turns] + [end]
    yield model.ChatMessageUser(content=[_text(model, episode.instruction), *_picture(item, seen[0], model)])
    calls = importlib.import_module("inspect_ai.tool").ToolCall
    for turn, after in zip(turns, seen[1:], strict=False):
        made = []
        for place, step in enumerate(turn.steps):
            if step.action is not None:
                function, arguments = call_of(step.action)
                named = f"call_{step.turn}_{place}"
                made.append(calls(id=named, function=function, arguments=whole_text(arguments)))
        thought = [model.ContentReasoning(reasoning=whole_text(turn.thought))] if turn.thought else []
        content = [*thought, _text(model, turn.reply)]
        yield model.ChatMessageAssistant(content=content, tool_calls=made or None)
        said = [told.text for told in (after.told if after else ())]
        said += [text for step in turn.steps for text in (step.problem, step.refused, step.trouble) if text]
        parts = [_text(model, "\n".join(said)), *_picture(item, after, model)]
        if made:
            yield model.ChatMessageTool(content=parts, tool_call_id=made[-1].id, function=made[-1].function)
        else:
            yield model.ChatMessageUser(content=parts)


def _picture(item: Recorded, saw: Saw | None, model: Any) -> list[Any]:
    if saw is None or not saw.screenshot:
        return []
    data = base64.b64encode(item.episode.picture(saw.screenshot)).decode("ascii")
    return [model.ContentImage(image=f"data:image/png;base64,{data}")]


def _text(model: Any, words: str) -> Any:
    return model.ContentText(text=whole_text(words))
