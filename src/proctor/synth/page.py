"""The page of a synthesis, in one file: what was accepted, and why the rest was not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from proctor.plain_text import printable
from proctor.synth.ledger import TASKS, Fate
from proctor.synth.plan import SynthesisPlan

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2330; --paper: #fbfbf9; --line: #d9dbe0; --good: #1a7f4b; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --paper: #16191f; --line: #333a46; --good: #58c48b;
  --bad: #ff8a80; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 76rem;
  margin: 2rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin-bottom: .25rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.good { color: var(--good); } .bad { color: var(--bad); } ul { margin: 0; padding-left: 1.1rem; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
STEPS = {
    "form": "not what was asked for",
    "same": "there already",
    "asking": "could not be asked",
    "start": "wrong at the start",
    "keys": "keys and check disagree",
    "effects": "keys change more",
    "foreign": "accepts what is wrong",
    "proof": "not proven",
}
"""Where proposals fail, in words."""


def figures(fates: Sequence[Fate]) -> dict[str, object]:
    """Return what came of all proposals, in numbers."""
    made = [fate for fate in fates if fate.accepted]
    costs = [fate.cost_usd for fate in fates]
    cost = None if None in costs else round(sum(each or 0.0 for each in costs), 6)
    return {
        "proposals": len(fates),
        "accepted": len(made),
        "dropped": dict(sorted(Counter(fate.step for fate in fates if not fate.accepted).items())),
        "repaired": sum(fate.repairs > 0 for fate in made),
        "calls": sum(fate.calls for fate in fates),
        "input_tokens": sum(fate.input_tokens for fate in fates),
        "output_tokens": sum(fate.output_tokens for fate in fates),
        "cost_usd": cost,
        "cost_usd_per_task": round(cost / len(made), 6) if made and cost is not None else None,
        "seconds": round(sum(fate.seconds for fate in fates), 1),
    }


def page(plan: SynthesisPlan, fates: Sequence[Fate]) -> str:
    """Return the page as HTML, all of it escaped: a model wrote most of it."""
    made, dropped = [each for each in fates if each.accepted], [each for each in fates if not each.accepted]
    found = figures(fates)
    cost = found["cost_usd"]
    spent = "price unknown" if cost is None else f"${cost:.4f}"
    head = (
        f"<h1>Tasks synthesised by {escape(plan.by)}</h1><p>{len(made)} of {len(fates)} proposals accepted · "
        f"{found['calls']} calls · {found['input_tokens']:,} tokens read, {found['output_tokens']:,} written · "
        f"{spent}</p>"
    )
    why = "".join(f"<li>{count} {escape(STEPS.get(step, step))}</li>" for step, count in _steps(dropped))
    reasons = f"<h2>Why the others were not</h2><ul>{why}</ul>{_table(dropped, accepted=False)}" if dropped else ""
    return printable(
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Synthesised tasks</title>"
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<meta name='viewport' content='width=device-width'><style>{_STYLE}</style></head><body>{head}"
        f"<h2>Accepted</h2>{_table(made, accepted=True)}{reasons}</body></html>"
    )


def _steps(dropped: Sequence[Fate]) -> list[tuple[str, int]]:
    return Counter(fate.step for fate in dropped).most_common()


def _table(fates: Sequence[Fate], *, accepted: bool) -> str:
    if not fates:
        return "<p>None yet.</p>"
    rows = "".join(_row(fate, accepted=accepted) for fate in fates)
    last = "instruction" if accepted else "reasons"
    return (
        "<table><thead><tr><th class='number'>proposal</th><th>application</th><th>name</th>"
        "<th class='number'>repairs</th><th class='number'>calls</th><th class='number'>tokens</th>"
        f"<th class='number'>cost</th><th>{last}</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _row(fate: Fate, *, accepted: bool) -> str:
    name = escape(fate.name or "–")
    shown = f"<a href='{TASKS}/{name}.json'>{name}</a>" if accepted else name
    cost = "?" if fate.cost_usd is None else f"${fate.cost_usd:.4f}"
    said = escape(fate.instruction) if accepted else _reasons(fate)
    return (
        f"<tr><td class='number'>{fate.number}</td><td>{escape(fate.app)}</td><td>{shown}</td>"
        f"<td class='number'>{fate.repairs}</td><td class='number'>{fate.calls}</td>"
        f"<td class='number'>{fate.input_tokens + fate.output_tokens:,}</td><td class='number'>{cost}</td>"
        f"<td>{said}</td></tr>"
    )


def _reasons(fate: Fate) -> str:
    listed = "".join(f"<li>{escape(reason)}</li>" for reason in fate.reasons)
    words = f"<p>{escape(fate.instruction)}</p>" if fate.instruction else ""
    return f"{words}<span class='bad'>{escape(STEPS.get(fate.step, fate.step))}</span><ul>{listed}</ul>"
