"""`proctor doctor`: what this machine has and lacks, and which attacks it holds."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from proctor.computers.host_checks import HostFinding
from proctor.computers.kinds import ListedComputer
from proctor.doctor import examine

COLOURS = {"ok": "green", "warn": "yellow", "missing": "red"}
ATTACK_COLOURS = {"held": "green", "let through": "red", "not tried": "yellow"}
WIDTH = 13


@click.command()
@click.option(
    "--attack", is_flag=True, help="Attack two sandboxes from inside, for about a minute, and say which attacks failed."
)
@click.option("--only", "kinds", multiple=True, metavar="KIND", hidden=True, help="Only attacks of these kinds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def doctor(ctx: click.Context, attack: bool, kinds: tuple[str, ...], as_json: bool) -> None:
    """Check what this machine lacks to run sandboxes, and how to fix it.

    It also says which other kinds of computers can be opened here. The exit status is 0 when a sandbox can be started,
    1 otherwise.

    With --attack, two small sandboxes are started and attacked from inside, by programs that stop by themselves and do
    no harm even where an attack succeeds. The exit status is then 0 if every promise of docs/security.md held.

    \b
    proctor doctor
    proctor doctor --attack --json
    proctor bench computer                  measures how fast computers are here
    """
    report = examine()
    if attack and report.ready:
        ctx.exit(_attack(kinds, as_json))
    if as_json:
        click.echo(json.dumps(report.to_json(), indent=2))
    else:
        width = max(len(finding.name) for finding in report.findings)
        for finding in report.findings:
            _print(finding, width)
        for computer in report.computers:
            _print_computer(computer, width)
        click.echo(report.advice)
    ctx.exit(0 if report.ready else 1)


def _print(finding: HostFinding, width: int) -> None:
    status = click.style(f"{finding.status:<8}", fg=COLOURS[finding.status])
    click.echo(f"{status}{finding.name:<{width}}  {finding.found}")
    if finding.remedy:
        click.echo(f"{'':<{8 + width}}  remedy: {finding.remedy}")


def _print_computer(computer: ListedComputer, width: int) -> None:
    status = click.style(f"{'ok' if computer.usable else 'without':<8}", fg="green" if computer.usable else "yellow")
    lacks = "; ".join(lack.what for lack in computer.lacks)
    click.echo(f"{status}{'computer':<{width}}  {computer.name}" + (f": {lacks}" if lacks else ""))
    if computer.remark:
        click.echo(f"{'':<{8 + width}}  {computer.remark}")
    for remedy in dict.fromkeys(lack.remedy for lack in computer.lacks if lack.remedy):
        click.echo(f"{'':<{8 + width}}  remedy: {remedy}")


def _attack(kinds: tuple[str, ...], as_json: bool) -> int:
    # Starts real sandboxes, so it is loaded only when it is asked for.
    from proctor.attacks.examine import MEANS, AttackFinding, attack_this_machine
    from proctor.attacks.kernel import facts

    def tell(finding: AttackFinding) -> None:
        if as_json:
            return
        status = click.style(f"{finding.status:<{WIDTH}}", fg=ATTACK_COLOURS[finding.status])
        click.echo(f"{status}{finding.name}: {finding.tries}")
        for label, text in (("found", finding.found), ("means", finding.means), ("remedy", finding.remedy)):
            # How to report a broken promise is said once, at the end.
            if text and (label != "remedy" or not finding.promised):
                click.echo(f"{'':<{WIDTH}}{label}: {text}")

    known = facts()
    if not as_json:
        for fact in known:
            click.echo(f"{'fact':<{WIDTH}}{fact.name}: {fact.found}" + (f" ({fact.means})" if not fact.good else ""))
    report = attack_this_machine(tell, kinds or tuple(MEANS))
    if as_json:
        data = {"kernel": [asdict(fact) for fact in known], **report.to_json()}
        click.echo(json.dumps(data, indent=2))
    else:
        click.echo(report.advice)
    return 1 if report.broken else 0
