"""Play cases of foreign tasks: `python -m tests.foreign.cases [--only ID]... [--part 1/2] [--list] [--files TO]`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click

from tests.foreign.case import PLACES, entries
from tests.foreign.play import Played, lay_out, play
from tests.foreign.workshop import Workshop


@click.command()
@click.option("--only", multiple=True, metavar="ID", help="Play cases whose names contain this; may be repeated.")
@click.option("--part", default="1/1", metavar="N/M", help="Play only the N-th of M parts.")
@click.option("--list", "listed", is_flag=True, help="List them, and play none.")
@click.option("--files", type=click.Path(path_type=Path), help="Write their files here, for --assets, and play none.")
def main(only: tuple[str, ...], part: str, listed: bool, files: Path | None) -> None:
    """Play cases of foreign tasks: untouched must score 0, satisfied 1, a near miss 0."""
    asked = [each for word in only for each in entries() if word in each.name] if only else entries()
    chosen = list(dict.fromkeys(asked))
    absent = [each for each in chosen if each.file is None]
    for place in sorted({each.place for each in absent}):
        click.echo(f"no tasks in {PLACES[place][1]}: cases of {place} are left out", err=True)
    number, parts = map(int, part.split("/"))
    chosen = [each for each in chosen if each.file is not None][number - 1 :: parts]
    if listed:
        for each in chosen:
            click.echo(f"{each.file.parent.name if each.file else '':22} {each.name}")
        return
    played: list[Played] = []
    with Workshop() as workshop:
        if files:
            for each in chosen:
                # Files of the same name are told apart by a folder that is called like the task.
                lay_out(each, each.write(workshop), files / each.read(Path()).id)
            return
        for each in chosen:
            played.append(play(each, workshop))
            _tell(played[-1])
    right = Counter(each.domain for each in played if each.right)
    told = ", ".join(f"{domain} {count}" for domain, count in sorted(right.items()))
    click.echo(f"{right.total()} of {len(played)} cases score what they must: {told}")
    sys.exit(right.total() != len(played))


def _tell(one: Played) -> None:
    scores = "  ".join(f"{kind} {score:g}" for kind, score in one.scores.items())
    click.echo(f"{'ok   ' if one.right else 'WRONG'} {one.domain:20} {one.entry.name:30} {scores}  {one.seconds:.0f} s")
    if not one.right:
        click.echo(one.explain())


main()
