"""The setup step that begins a task of MiniWoB++."""

from __future__ import annotations

import json

from proctor.errors import ComputerError, SetupFailed, SpecError
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.apps.miniwob import pages

LONGEST_SEC = 2_147_483
"""The most that a page's own clock can count: with so much time, none runs out."""

_BEGIN = """
(async (told, begun, seed, longest) => {
  const end = core.endEpisode, tell = window[told];
  // The first end counts: a page would begin another problem at the next click, and forget how this one went. It is
  // told at once, since a page that is loaded anew forgets as well.
  core.endEpisode = function (...how) {
    end.apply(this, how);
    if (!WOB_DONE_GLOBAL) return;
    core.startEpisodeReal = () => {};
    tell(JSON.stringify(REWARD));
  };
  window[begun] = true;
  core.EPISODE_MAX_TIME = longest;
  Math.seedrandom(seed);
  core.startEpisodeReal();
  document.getElementById("reward-display")?.style.setProperty("display", "none");
  for (let times = 0; typeof WOB_TASK_READY !== "undefined" && !WOB_TASK_READY && times < 400; times++) {
    await new Promise((done) => setTimeout(done, 10));
  }
  return typeof WOB_TASK_READY === "undefined" || WOB_TASK_READY;
})(%s)
""".replace("REWARD", pages.REWARD)


@SETUP.register_before_use
def miniwob_page(context: SetupContext, name: str, seed: int, seconds: float = 0) -> None:
    """Open a page of MiniWoB++ and start its problem for a seed; 0 seconds means no limit."""
    shown = context.computer.parts.pages
    if shown is None:
        raise SpecError("MiniWoB++ needs a computer with web pages", remedy="choose the computer 'browser'")
    pages.digest(name)
    try:
        shown.open(pages.address(name))
    except ComputerError:
        script = f"mkdir -p {pages.INSIDE} && tar -xf - -C {pages.INSIDE} --no-same-owner"
        context.command(["sh", "-c", script], root=True, input=pages.pages_as_tar())
        shown.open(pages.address(name))
    shown.note(pages.OUTCOME)
    longest = round(min(seconds or LONGEST_SEC, LONGEST_SEC) * 1000)
    given = (pages.OUTCOME, pages.BEGUN, seed, longest)
    if shown.evaluate(_BEGIN % ", ".join(map(json.dumps, given))) is not True:
        raise SetupFailed(f"the page {name!r} of MiniWoB++ did not become ready")
