"""`proctor doctor`: what this machine has and lacks, for people and for programs."""

from __future__ import annotations

import json

import click

from proctor.doctor import Finding, examine

COLOURS = {"ok": "green", "warn": "yellow", "missing": "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check what this machine needs to run sandboxes, and how to mend it.

    The exit status is 0 when a sandbox can be started, 1 otherwise.
    """
    report = examine()
    if as_json:
        click.echo(json.dumps(report.to_json(), indent=2))
    else:
        width = max(len(finding.name) for finding in report.findings)
        for finding in report.findings:
            _print(finding, width)
        click.echo(report.advice)
    ctx.exit(0 if report.ready else 1)


def _print(finding: Finding, width: int) -> None:
    status = click.style(f"{finding.status:<8}", fg=COLOURS[finding.status])
    click.echo(f"{status}{finding.name:<{width}}  {finding.found}")
    if finding.remedy:
        click.echo(f"{'':<{8 + width}}  remedy: {finding.remedy}")
