"""The page of a proof run, in one file: what is proven, failed trials and survivors."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

from proctor.plain_text import printable
from proctor.prove.facts import facts, facts_in_words
from proctor.prove.proof import Proof, columns, mutants_caught, mutation_words, problems, variants_kept, verdict
from proctor.prove.trial import Outcome

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2330; --paper: #fbfbf9; --line: #d9dbe0; --good: #1a7f4b; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --paper: #16191f; --line: #333a46; --good: #58c48b;
  --bad: #ff8a80; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 72rem;
  margin: 2rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin-bottom: .25rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.failed { border: 1px solid var(--line); border-left: .3rem solid var(--bad); border-radius: .3rem;
  padding: .25rem 1rem 1rem; margin: 1rem 0; }
.failed img { max-width: 100%; border: 1px solid var(--line); }
.quiet { opacity: .75; } ul { margin: .3rem 0; padding-left: 1.2rem; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def page(title: str, proofs: Sequence[Proof]) -> str:
    """Return the page as HTML, all of it escaped: titles and feedback come from inside computers."""
    failed = [proof for proof in proofs if not proof.holds]
    flaky = sum(proof.flaky for proof in proofs)
    state = "good" if not failed else "bad"
    head = (
        f"<h1>{escape(title)}</h1><p><span class='{state}'>{verdict(proofs)}</span>"
        f" <span class='quiet'>· {flaky} flaky · {sum(len(proof.outcomes) for proof in proofs)} trials"
        f" · {escape(mutation_words(proofs))}</span></p><p>{escape(facts_in_words(proofs))}</p>"
    )
    shown = "".join(_failure(proof) for proof in failed)
    what_failed = f"<h2>What failed</h2>{shown}" if failed else ""
    listed = "".join(_findings(proof) for proof in proofs)
    verdicts = f"<h2>Changes to the end state that call verdicts into question</h2>{listed}" if listed else ""
    return printable(
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<meta name='viewport' content='width=device-width'><style>{_STYLE}</style></head><body>"
        f"{head}{what_failed}{verdicts}<h2>All tasks</h2>{_table(proofs)}</body></html>"
    )


def _failure(proof: Proof) -> str:
    trials = "".join(_trial(outcome) for outcome in proof.outcomes if not outcome.proven)
    seed = "" if proof.task.seed is None else f" <span class='quiet'>seed {proof.task.seed}</span>"
    told = f"; {'; '.join(facts(proof))}" if facts(proof) else ""
    no_key = f"<p class='bad'>unproven: it has no answer key{escape(told)}</p>" if proof.task.unproven else ""
    return (
        f"<section class='failed'><h3>{escape(proof.task.id)}{seed}</h3>"
        f"<p class='quiet'>{escape(proof.task.instruction)}</p>{no_key}{trials}</section>"
    )


def _findings(proof: Proof) -> str:
    """Return all mutants that survived, admitted or not, rejected variants, and defects."""
    tally = proof.tally
    if tally is None or not (tally.mutation.found or tally.mutation.untried or tally.idle_admissions):
        return ""
    lines = [f"<li>{escape(problem)}</li>" for problem in tally.problems()]
    for kind, what in (("survived", "mutant admitted"), ("rejected", "variant allowed to differ")):
        admitted = tally.admissible("survived" if kind == "survived" else "rejected")
        lines += [f"<li class='quiet'>{what}: {escape(found.label)}: {escape(why)}</li>" for found, why in admitted]
    lines += [f"<li class='quiet'>not tried: {escape(untried)}</li>" for untried in tally.mutation.untried]
    return f"<h3>{escape(proof.task.id)}</h3><ul>{''.join(lines)}</ul>"


def _trial(outcome: Outcome) -> str:
    listed = "".join(f"<li>{escape(problem)}</li>" for problem in problems(outcome))
    picture = ""
    if outcome.screenshot:
        data = base64.b64encode(outcome.screenshot).decode()
        label = escape(f"The screen at the end of {outcome.trial.label}", quote=True)
        picture = f"<img alt='{label}' loading='lazy' src='data:image/webp;base64,{data}'>"
    return f"<ul>{listed}</ul>{picture}"


def _table(proofs: Sequence[Proof]) -> str:
    rows, kinds = [], columns(proofs)
    for proof in proofs:
        state = f"<span class='{'good' if proof.holds else 'bad'}'>{proof.state}</span>"
        cells = "".join(f"<td>{' '.join(_score(o.score) for o in proof.of(kind))}</td>" for kind in kinds)
        seed = "" if proof.task.seed is None else proof.task.seed
        rows.append(
            f"<tr><td>{escape(proof.task.id)}</td><td class='number'>{seed}</td><td>{state}</td>{cells}"
            f"<td>{escape(mutants_caught(proof))}</td><td>{escape(variants_kept(proof))}</td>"
            f"<td class='number'>{proof.seconds:.1f} s</td></tr>"
        )
    heads = "".join(f"<th>{head}</th>" for head in (*kinds.values(), "mutants caught", "variants kept"))
    return (
        f"<table><thead><tr><th>task</th><th class='number'>seed</th><th></th>{heads}"
        "<th class='number'>solution takes</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _score(score: float | None) -> str:
    return "void" if score is None else f"{score:g}"
