"""How the page of a report looks, and the few lines of script that sort its tables."""

import base64
import hashlib

STYLE = """
:root { color-scheme: light dark; --ink: #1c2330; --paper: #fbfbf9; --line: #d9dbe0; --quiet: #667080; --mark: #2f6fb3;
  --good: #1a7f4b; --bad: #b3261e; --panel: #ffffff; --on-mark: #ffffff; --void: #8a5300;
  --s0: #2f6fb3; --s1: #d9822b; --s2: #3a9d6a; --s3: #b0508f; --s4: #7a6cc4; --s5: #8a8f3a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --paper: #16191f; --line: #333a46; --quiet: #98a2b3;
  --mark: #6aa9e9; --good: #58c48b; --bad: #ff8a80; --panel: #1c2028; --on-mark: #10141a; --void: #e8b04e;
  --s0: #6aa9e9; --s1: #f0a35a; --s2: #62c795; --s3: #d98bbd; --s4: #a99cf0; --s5: #c2c76a; } }
* { box-sizing: border-box; }
a { color: var(--mark); }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 76rem;
  margin: 2rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin-bottom: .25rem; } h2 { font-size: 1.2rem; margin-top: 2.75rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.quiet, .note { color: var(--quiet); } .note { font-size: .88rem; max-width: 60rem; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; min-width: 40%; }
th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; vertical-align: bottom; overflow-wrap: anywhere; }
th button { all: unset; cursor: pointer; } th button:hover, th button:focus-visible { text-decoration: underline; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number { white-space: normal; max-width: 9rem; }
td .interval { color: var(--quiet); }
details > summary { cursor: pointer; font-weight: 600; margin: 1.25rem 0 .5rem; }
.tiles, .tiles > *, details, .scroll { min-width: 0; max-width: 100%; }
.tiles > * { min-width: 0; max-width: 100%; }
h1, h2, h3, summary, .key, .note { overflow-wrap: anywhere; }
.tiles { display: flex; flex-wrap: wrap; gap: 1.5rem 2.5rem; }
svg.plot { max-width: 100%; height: auto; display: block; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .tick { fill: var(--quiet); font-size: 11px; } svg .value { font-variant-numeric: tabular-nums; }
svg .end { text-anchor: end; } svg .start { text-anchor: start; } svg .middle { text-anchor: middle; }
svg .grid { stroke: var(--line); } svg .axis { stroke: var(--quiet); }
svg .whisker { stroke: var(--mark); stroke-width: 3; stroke-linecap: round; opacity: .45; }
svg .dot { fill: var(--mark); } svg .hollow { fill: var(--paper); stroke: var(--quiet); stroke-width: 1.5; }
svg .heat { fill: var(--mark); } svg .empty { fill: none; stroke: var(--line); stroke-dasharray: 3 3; }
svg .cell.strong { fill: var(--on-mark); }
svg .series-0 { fill: var(--s0); } svg .series-1 { fill: var(--s1); } svg .series-2 { fill: var(--s2); }
svg .series-3 { fill: var(--s3); } svg .series-4 { fill: var(--s4); } svg .series-5 { fill: var(--s5); }
svg .line-0 { stroke: var(--s0); } svg .line-1 { stroke: var(--s1); } svg .line-2 { stroke: var(--s2); }
svg .line-3 { stroke: var(--s3); } svg .line-4 { stroke: var(--s4); } svg .line-5 { stroke: var(--s5); }
svg [class^="line-"] { stroke-width: 2; stroke-linecap: round; } svg .area { fill-opacity: .12; }
svg .hole { fill: none; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .88rem; }
@media print { body { max-width: none; margin: 0; } th button { text-decoration: none; } }
"""

SCRIPT = """
const sorted = document.querySelectorAll('table:not(.grid)');
sorted.forEach(table => table.querySelectorAll('thead th').forEach((head, column) => {
  const button = document.createElement('button');
  button.append(...head.childNodes); head.append(button);
  button.addEventListener('click', () => {
    const up = head.ariaSort !== 'ascending', body = table.tBodies[0];
    table.querySelectorAll('th').forEach(other => other.removeAttribute('aria-sort'));
    head.ariaSort = up ? 'ascending' : 'descending';
    const key = row => row.cells[column].dataset.size ?? row.cells[column].textContent;
    const order = (a, b) => (a === '') - (b === '') || a - b || a.localeCompare(b, 'en', {numeric: true});
    const rows = [...body.rows].sort((a, b) => order(key(a), key(b)));
    body.append(...(up ? rows : rows.reverse()));
  });
}));
"""

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    f"script-src 'sha256-{base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}'"
)
"""What the page may load and run: nothing but its own script, whatever a label in it may hold."""
