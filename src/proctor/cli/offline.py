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
from proctor.cli.options import FOUND, form_options, preset, with_options
from proctor.plain_text import json_text, one_line

if TYPE_CHECKING:
    from proctor.offline.record import SampleAnswer
    from proctor.offline.sample import Task

ENDED_EARLY = 3


@click.group()
def offline() -> None:
    """Test one ability of a model at a time, on pictures alone.

    \b
    ground   find the place in a screenshot that an instruction describes
    idm      say which action led from one screenshot to the next
    critic   say whether a recorded attempt did what was asked

    Data are public sets on disk in their own formats, or made from your own runs (`proctor offline make`).

    \b
    proctor offline forms                                       the formats that can be read
    proctor offline data DATA --task ground                     what is in a data set, and what is wrong with it
    proctor offline run ground --data DATA --model baseline:ocr  works without a model
    proctor offline calibrate --model openai/NAME               does the model use your coordinates?
    proctor offline run ground --data DATA --model openai/NAME  the score, with its interval
    """


_source_options = with_options(
    click.option("--data", type=FOUND, required=True, help="A .jsonl, .json or .parquet file, or a folder of them."),
    click.option(
        "--format",
        "form",
        default="",
        metavar="NAME",
        help="Format of the data (see `proctor offline forms`).  [default: recognized by its columns]",
    ),
    click.option(
        "--boxes", default="", help="How boxes are written, such as xyxy or xywh-unit.  [default: as the format says]"
    ),
    click.option("--pictures", "images", type=FOUND, help="Folder of the pictures, if not next to the data."),
    click.option("--split", default="", help="Only samples of this split."),
    preset(
        "--keep",
        type=click.Choice(["answerable", "all"]),
        default="answerable",
        help="Records to ask about: those that can be answered, or all, as papers count: boxes are cut off at "
        "the edges of their pictures, and repeats counted.",
    ),
    preset("--last", type=click.IntRange(1, 50), default=5, help="How many actions of a sequence are asked for."),
)
_asking_options = with_options(
    click.option("--model", required=True, metavar="PROVIDER/NAME",
                 help="Model to ask, or baseline:random|centre|majority|tree|ocr."),
    click.option("--base-url", metavar="URL", help="Server of the model, if not the provider's own."),
    preset("--space", default="pixel",
                 help="Coordinates of its answers: pixel (of the picture as sent), original, unit, percent, 0-999, "
                 "0-1000, auto."),
    preset("--picture-size", default="auto", metavar="auto|full|WIDTHxHEIGHT", help="Largest screenshot to send."),
    preset("--max-tokens", type=click.IntRange(1), default=2048, help="Maximum tokens in one reply."),
    click.option("--temperature", type=click.FloatRange(0, 2), help="Temperature.  [default: the provider's]"),
)  # fmt: skip


@offline.command("run")
@click.argument("task", type=click.Choice(["ground", "idm", "critic"]))
@_source_options
@_asking_options
@click.option(
    "--prompt", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="File with a prompt of your own."
)
@click.option(
    "--no-actions",
    "with_actions",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Critic: send screenshots only, not the actions.",
)
@click.option("--sample", "limit", type=click.IntRange(1), help="Only N samples, drawn at random.")
@preset("--seed", type=int, default=0, help="What random choices are drawn from.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for the results.  [default: a new one in offline/]"
)
@preset("-n", "--workers", type=click.IntRange(1, 256), default=1, help="How many requests at the same time.")
@click.option(
    "--max-cost",
    type=click.FloatRange(0, min_open=True),
    help="Maximum total cost in US dollars; needs a model whose price is known.",
)
@click.option("--total-tokens", "tokens", type=click.IntRange(1), help="Maximum tokens in total.")
@preset("--shown", "most", type=click.IntRange(0), default=200, help="How many samples the page shows.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a program to read.")
def run_benchmark(task: Any, out: Path | None, workers: int, most: int, as_json: bool, **options: Any) -> None:
    """Ask a model, or a baseline, about every sample, and score its answers.

    For every sample, OUT/answers.jsonl has the prompt, the size of the pictures as sent, the reply and the answer found
    in it. A reply without an answer is *unparsed*, which is not *wrong*; a request that failed is *failed* and does not
    count. Repeat the command to continue an interrupted run and to ask again what failed.

    \b
    proctor offline run ground --data metadata_1k.jsonl --pictures images --model baseline:centre --json
    proctor offline run ground --data OSWorld-G.json --model openai/NAME --base-url URL --space 0-1000
    proctor offline run idm --data metadata_idm.jsonl --model baseline:majority
    proctor offline run critic --data DIR --model anthropic/NAME --no-actions -n 8 --max-cost 5

    The exit status is 3 when it ended early, 4 when no sample could be asked.
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
    found = prepare(task, source, way)
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
@preset("--shown", "most", type=click.IntRange(0), default=200, help="How many samples the page shows.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
def report(records: tuple[Path, ...], most: int, as_json: bool) -> None:
    """Show the results of one offline run, or of several side by side.

    OUT is a folder that `proctor offline run` wrote; its pages are written again. Several runs are compared pair by
    pair, on the samples they share.

    \b
    proctor offline report offline/ground-data-openai-gpt-4o
    proctor offline report OUT1 OUT2 --json
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
        click.echo(
            json_text(
                {
                    "runs": [each.plain() for each in summaries],
                    "compared": [each.plain() for each in compare_runs(summaries)],
                }
            )
        )
        return
    show_summaries(summaries)
    for page in pages:
        click.echo(f"page: {one_line(str(page))}")


@offline.command("data")
@click.argument("data", type=FOUND)
@click.option(
    "--task", type=click.Choice(["ground", "idm", "critic"]), help="Only for this ability.  [default: all that fit]"
)
@form_options
@click.option("--pictures", "images", type=FOUND, help="Folder of the pictures, if not next to the data.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def describe(data: Path, task: Task | None, form: str, boxes: str, images: Path | None, as_json: bool) -> None:
    """Show what is in a data set: its format, boxes and samples, and those with defects.

    DATA is a file or a folder. No model is called.

    \b
    proctor offline data metadata_1k.jsonl --pictures images
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
    """List the formats that can be read, how each is recognized, and how it writes boxes.

    \b
    proctor offline forms
    """
    from proctor.cli.offline_output import show_forms

    show_forms(as_json=as_json)


@offline.command()
@_asking_options
@preset("--size", default="1920x1080", metavar="WIDTHxHEIGHT", help="Size of the screen.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def calibrate(size: str, as_json: bool, **options: Any) -> None:
    """Check that a model uses the coordinates you expect, with five targets on a plain picture.

    Do this before a grounding run: a model that answers in 0 to 1000 where pixels are expected scores near zero. The
    exit status is 1 when coordinates are off.

    \b
    proctor offline calibrate --model openai/gpt-4o
    proctor offline calibrate --model openai/NAME --base-url http://127.0.0.1:8000/v1 --space 0-1000
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
@click.option("--model", required=True, metavar="PROVIDER/NAME", help="Model to ask.")
@click.option("--base-url", metavar="URL", help="Server of the model, if not the provider's own.")
@preset("--picture-size", default="auto", metavar="auto|full|WIDTHxHEIGHT", help="Largest screenshot to send.")
@click.option(
    "--max-cost",
    type=click.FloatRange(0, min_open=True),
    help="Maximum total cost in US dollars; needs a model whose price is known.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder to write; an unfinished one is continued."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def recaption(out: Path, as_json: bool, **options: Any) -> None:
    """Let a model rewrite the instructions of a grounding set; the old wording is kept.

    In public sets, several elements often fit one instruction. Each new record keeps the old wording as
    `raw_instruction` and names the model that wrote the new one. A reply that mentions the mark, or contains no
    instruction, changes nothing. Repeat the command to continue an interrupted one.

    \b
    proctor offline recaption --data metadata_1k.jsonl --model openai/gpt-4o --out REWRITTEN
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
        click.echo(f"{done.written} rewritten, {done.kept} unchanged, {done.failed} failed: {one_line(str(out))}")
    if done.why:
        click.echo(f"ended early: {one_line(done.why)}", err=True)
        sys.exit(ENDED_EARLY)


for _command in (make, harvest, audit):
    offline.add_command(_command)
