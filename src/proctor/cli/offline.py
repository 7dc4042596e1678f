"""`proctor offline`: grounding, inverse dynamics and success detection on given pictures."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from proctor.cli.bar import show_bar
from proctor.cli.offline_harvest import audit, harvest
from proctor.cli.offline_make import make
from proctor.cli.options import FOUND, preset, with_options
from proctor.plain_text import json_text, one_line

if TYPE_CHECKING:
    from proctor.offline.record import SampleAnswer
    from proctor.offline.sample import Task

ENDED_EARLY = 3


@click.group()
def offline() -> None:
    """Examine one ability at a time, without a computer.

    \b
    ground   find the place on a picture that an instruction speaks of
    idm      say which action led from one picture to the next
    critic   say whether a recorded attempt did what was asked

    Data are public sets on disk in their own forms, or made from your own runs (`proctor offline make`).

    \b
    proctor offline forms                                                  which forms are read, and their boxes
    proctor offline data FILE_OR_FOLDER --task ground                      what is in it, and what is wrong with it
    proctor offline run ground --data FILE_OR_FOLDER --model baseline:ocr  works without a model
    proctor offline calibrate --model openai/NAME                          does it speak your coordinates?
    proctor offline run ground --data FILE_OR_FOLDER --model openai/NAME   the score, with its interval
    """


_source_options = with_options(
    click.option("--data", type=FOUND, required=True, help="A .jsonl, .json or .parquet file, or a folder of them."),
    click.option("--format", "form", default="", help="The form of the records; told by their columns otherwise."),
    click.option("--boxes", default="", help="How boxes are written, such as xyxy or xywh-unit; as the form has it."),
    click.option("--images", type=FOUND, help="Where the pictures are, when not beside the records."),
    click.option("--split", default="", help="Only samples of this split, where the data has splits."),
    preset("--last", type=click.IntRange(1, 50), default=5, help="Actions of a sequence."),
)
_asking_options = with_options(
    click.option("--model", required=True, help="provider/name, or baseline:random|centre|majority|tree|ocr."),
    click.option("--base-url", help="A server that speaks the provider's format, such as one of vLLM."),
    preset("--space", default="pixel",
                 help="How it gives points: pixel (of the picture as sent), original, unit, percent, 0-999, 0-1000, "
                 "auto."),
    preset("--picture-size", default="auto",
                 help="auto | full | WIDTHxHEIGHT: the largest sent."),
    preset("--max-tokens", type=click.IntRange(1), default=2048, help="Of one reply."),
    click.option("--temperature", type=click.FloatRange(0, 2), help="What the provider has as its default otherwise."),
)  # fmt: skip


@offline.command("run")
@click.argument("task", type=click.Choice(["ground", "idm", "critic"]))
@_source_options
@_asking_options
@click.option("--prompt", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A wording of your own.")
@click.option(
    "--actions/--no-actions", "with_actions", default=True, help="Critic: show what was done, or pictures only."
)
@click.option("--limit", type=click.IntRange(1), help="Only so many samples, drawn by --seed.")
@preset("--seed", type=int, default=0, help="For --limit and baseline:random.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the record; below `offline` otherwise.")
@preset("-n", "--workers", type=click.IntRange(1, 256), default=1, help="Asked at a time.")
@click.option("--max-cost", type=click.FloatRange(0, min_open=True), help="US dollars in all; refused without a price.")
@click.option("--tokens", type=click.IntRange(1), help="Tokens in all.")
@preset("--samples", "most", type=click.IntRange(0), default=200, help="Shown on the pages.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
def run_benchmark(task: Any, out: Path | None, workers: int, most: int, as_json: bool, **options: Any) -> None:
    """Ask a model, or a baseline, for every sample, and score the answers.

    TASK is ground, idm or critic. Prompt, size of the pictures as sent, reply and what was understood are kept for
    every sample in OUT/answers.jsonl. A reply in which no answer can be found is *unparsed*, apart from *wrong*; a call
    that failed is *failed* and no part of the accuracy. The same command goes on where an interrupted one stopped and
    asks again what failed.

    \b
    proctor offline run ground --data metadata_1k.jsonl --images images --model baseline:centre --json
    proctor offline run ground --data OSWorld-G.json --model openai/NAME --base-url URL --space 0-1000
    proctor offline run idm --data metadata_idm.jsonl --model baseline:majority
    proctor offline run critic --data DIR --model anthropic/NAME --no-actions -n 8 --max-cost 5

    Exits with 3 when it ended early, and with 4 when no sample could be asked.
    """
    from proctor.offline.open_model import WayOfAsking
    from proctor.offline.page import write_pages
    from proctor.offline.record import OfflineRecord
    from proctor.offline.run import run
    from proctor.offline.setup import SampleSource, prepare
    from proctor.offline.summary import Summary

    source = SampleSource(**{name: options.pop(name) for name in SampleSource.__dataclass_fields__})
    way = WayOfAsking(**options)
    place = out or Path("offline") / _folder_of(task, source.data, way.model)
    found = prepare(task, source, way, beside=place)
    record = OfflineRecord.begin(place, found.config, found.samples)
    with _progress(len(found.samples)) as on_answer:
        ended = run(record, found.samples, found.open_answerer, workers=workers, on_answer=on_answer)
    summary = Summary.of(record)
    page = write_pages(record, summary, most=most) if most else None
    if as_json:
        more = {"data": found.data.plain(), "out": str(place), "page": str(page or ""), "ended": ended.why}
        click.echo(json_text({**summary.plain(), **more}))
    else:
        from proctor.cli.offline_output import show_data, show_summaries

        show_data(found.data)
        show_summaries([summary])
        click.echo(f"\nrecord: {one_line(str(place))}{f'{chr(10)}page: {one_line(str(page))}' if page else ''}")
    if ended.why:
        click.echo(f"ended early: {one_line(ended.why)}", err=True)
        sys.exit(ENDED_EARLY)
    if not summary.pairs:
        sys.exit(4)


def _folder_of(task: str, data: Path, model: str) -> str:
    names = f"{task}-{data.resolve().stem}-{model}"
    return re.sub(r"[^A-Za-z0-9.-]+", "-", names).strip("-.")[:120]


@contextmanager
def _progress(total: int) -> Iterator[Callable[[SampleAnswer], None]]:
    counts = Counter[str]()
    with show_bar("asking", total) as advance:

        def hear(answer: SampleAnswer) -> None:
            counts[answer.outcome] += 1
            advance(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))

        yield hear


@offline.command()
@click.argument("records", metavar="OUT...", nargs=-1, required=True, type=FOUND)
@preset("--samples", "most", type=click.IntRange(0), default=200, help="Shown on the pages.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def report(records: tuple[Path, ...], most: int, as_json: bool) -> None:
    """Report on offline runs again: one in full, or several side by side.

    Every two are compared on the samples they have in common.

    OUT is the folder of `proctor offline run`. The pages of each are written anew.
    """
    from proctor.cli.offline_output import show_summaries
    from proctor.offline.compare import compare_runs
    from proctor.offline.page import write_pages
    from proctor.offline.record import OfflineRecord
    from proctor.offline.summary import Summary

    opened = [OfflineRecord.open(place) for place in records]
    summaries = [Summary.of(record) for record in opened]
    pages = [write_pages(record, each, most=most) for record, each in zip(opened, summaries, strict=True) if most]
    if as_json:
        click.echo(json_text({"runs": [each.plain() for each in summaries], "compared": compare_runs(summaries)}))
        return
    show_summaries(summaries)
    for page in pages:
        click.echo(f"page: {one_line(str(page))}")


@offline.command("data")
@click.argument("data", type=FOUND)
@click.option("--task", type=click.Choice(["ground", "idm", "critic"]), help="What it is for; all that fit otherwise.")
@click.option("--format", "form", default="", help="The form of the records; told by their columns otherwise.")
@click.option("--boxes", default="", help="How boxes are written; as the form has it otherwise.")
@click.option("--images", type=FOUND, help="Where the pictures are, when not beside the records.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, every defect named.")
def describe(data: Path, task: Task | None, form: str, boxes: str, images: Path | None, as_json: bool) -> None:
    """Say what is in a data set: its form, boxes and samples, and what is wrong with others.

    DATA is a file or a folder. Nothing is asked of any model.
    """
    from proctor.cli.offline_output import show_data
    from proctor.offline.loaders.load import load, tasks_of

    tasks = (task,) if task else tasks_of(data, form)
    sets = {each: load(each, data, form=form, boxes=boxes, images=images) for each in tasks}
    if not as_json:
        for found in sets.values():
            show_data(found, named=True)
        return
    told = {
        each: {**found.plain(), "named": [{"id": defect.id, "reason": defect.reason} for defect in found.defects]}
        for each, found in sets.items()
    }
    # A set for one task is told as such, one that proctor made for several by their names.
    click.echo(json_text(told if len(told) > 1 else told[tasks[0]]))


@offline.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def forms(as_json: bool) -> None:
    """List the forms of records that are read, how they are told, and how each writes its boxes."""
    from proctor.cli.offline_output import show_forms

    show_forms(as_json=as_json)


@offline.command()
@_asking_options
@preset("--size", default="1920x1080", metavar="WIDTHxHEIGHT", help="Of the picture.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def calibrate(size: str, as_json: bool, **options: Any) -> None:
    """Ask for five targets on a plain picture; say whether coordinates are off by a factor.

    Do this before a grounding run: a model that answers from 0 to 1000 where pixels are expected scores near zero for
    no fault of its own. Exits with 1 when something is off.
    """
    from proctor.cli.offline_output import show_calibration
    from proctor.offline.open_model import WayOfAsking, calibrate_model

    found = calibrate_model(size, WayOfAsking(**options))
    if as_json:
        click.echo(json_text(found.plain()))
    else:
        show_calibration(found)
    sys.exit(0 if found.good else 1)


@offline.command()
@_source_options
@click.option("--model", required=True, help="provider/name of the model that writes.")
@click.option("--base-url", help="A server that speaks the provider's format.")
@preset("--picture-size", default="auto", help="auto | full | WIDTHxHEIGHT: the largest sent.")
@click.option("--max-cost", type=click.FloatRange(0, min_open=True), help="US dollars in all; refused without a price.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the new set; goes on with one.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def recaption(out: Path, as_json: bool, **options: Any) -> None:
    """Have a model write the instructions of a grounding set anew; the old wording is kept.

    Public sets often have instructions that several elements fit. Each new record has the old wording as
    `raw_instruction` and says who wrote the new one. A reply that speaks of the mark, or holds no instruction, changes
    nothing. The same command goes on where an interrupted one stopped.
    """
    from dataclasses import asdict

    from proctor.offline.open_model import WayOfAsking, open_metered
    from proctor.offline.recaption import recaption as write_anew
    from proctor.offline.setup import SampleSource, read

    way = WayOfAsking(**{name: options.pop(name) for name in ("model", "base_url", "picture_size", "max_cost")})
    data = read("ground", SampleSource(**options))
    done = write_anew(data, out, *open_metered(way))
    if as_json:
        click.echo(json_text({**asdict(done), "out": str(out)}))
    else:
        click.echo(f"{done.written} written anew, {done.kept} as they were, {done.failed} failed: {one_line(str(out))}")
    if done.why:
        click.echo(f"ended early: {one_line(done.why)}", err=True)
        sys.exit(ENDED_EARLY)


for _command in (make, harvest, audit):
    offline.add_command(_command)
