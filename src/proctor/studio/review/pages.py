"""The pages on which people review recorded episodes, which the replay beside them shows."""

from __future__ import annotations

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from proctor.errors import ProctorError
from proctor.store.paths import place_in_run
from proctor.store.reviews import FAILURES, MOST_COMMENT, Review, bind, read_reviews, review_from, review_log
from proctor.store.versions import Version
from proctor.studio.answers import answer_save, body_of, json_answer, label_of, number_of, room_files, show, text_of
from proctor.studio.review.agreement import agreement
from proctor.studio.studio import Studio
from proctor.web.episodes import ListedEpisode
from proctor.web.replay.routes import episode_of
from proctor.web.runs import ListedRun, Runs
from proctor.web.summary import outcome

HOME = (
    "Review",
    "/review",
    "Look at what agents did: the first wrong step, how it failed, whether the verdict is right.",
)
STATIC = Path(__file__).parent / "static"
PAGE_EPISODES = 200
WORDS = {
    "false_finish": "said it was done, and it was not",
    "refused": "its model declined",
    "silent": "its answer was empty",
    "parse_error": "its replies could not be understood",
    "wrong_element": "acted on the wrong element",
    "right_element_wrong_state": "right element, wrong state",
    "no_progress": "went in circles",
    "wrongly_gave_up": "gave up on a task that can be done",
    "gave_up": "gave up",
    "collateral": "changed what it should have left alone",
    "agent_crash": "crashed",
    "broke_the_computer": "broke the computer",
    "other": "something else",
}
"""How failures are shown; the others are words already."""


def routes(studio: Studio) -> list[BaseRoute]:
    """Return where everything of this room is found."""
    return _Room(studio).routes()


class _Room:
    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._known: tuple[tuple[Path, ...], Runs] | None = None

    def routes(self) -> list[BaseRoute]:
        one, episode = "/review-data/{run}", "/review-data/{run}/{episode}"
        return [
            Route("/review", show(STATIC / "runs.html")),
            Route("/review/{run}", show(STATIC / "run.html")),
            Route("/review/{run}/{episode}", show(STATIC / "episode.html")),
            Route("/review-data", self.runs),
            Route(one, self.run),
            Route(episode, self.episode),
            Route(episode, self.save, methods=["POST"]),
            room_files("/review-files", STATIC),
        ]

    def runs(self, request: Request) -> Response:
        listed = []
        for run in self._runs().list_runs():
            run.episodes.refresh()
            reviews = _reviews(run)
            people = sorted({review.by for each in reviews.values() for review in each})
            ended = len(run.episodes.ended_episodes())
            listed.append(
                {"id": run.id, "name": run.name, "episodes": ended, "reviewed": len(reviews), "people": people}
            )
        return json_answer({"runs": listed, "person": self._studio.person(request)})

    def run(self, request: Request) -> Response:
        run, person = self._run(request), self._studio.person(request)
        run.episodes.refresh()
        reviews = _reviews(run)
        start, which = number_of(request, "from"), request.query_params.get("which", "")
        listed = [each for each in run.episodes.ended_episodes() if _is_wanted(which, each, reviews, person)]
        rows = [_row(each, _of(reviews, each), person) for each in listed[start : start + PAGE_EPISODES]]
        answer = {"id": run.id, "name": run.name, "person": person, "total": len(listed), "from": start}
        return json_answer({**answer, "episodes": rows, "agreement": agreement(reviews)})

    def episode(self, request: Request) -> Response:
        """Return what the asking person said of an episode, and once they did, what others say."""
        run, entry = self._episode(request)
        person = self._studio.person(request)
        listed = run.episodes.ended_episodes()
        ids = [each.id for each in listed]
        place = ids.index(entry.id) if entry.id in ids else -1
        mine = review_log(run.paths.root, person).find(place_in_run(entry.folder)) if _has_reviews(run) else None
        others = [_plain(review) for review in _of(_reviews(run), entry) if review.by != person]
        answer = {
            "run": {"id": run.id, "name": run.name},
            "person": person,
            "place": place,
            "count": len(ids),
            "before": ids[place - 1] if place > 0 else None,
            "after": ids[place + 1] if 0 <= place < len(ids) - 1 else None,
            "failures": [{"name": name, "words": WORDS.get(name, name.replace("_", " "))} for name in FAILURES],
            # Whoever has not said anything yet is not told what others say.
            "others": others if mine else [],
            "verdict": {
                "outcome": outcome(entry),
                "modes": list(entry.result.modes) if entry.result else [],
                "assisted": bool(entry.result and entry.result.assisted),
            },
            "hidden": 0 if mine else len(others),
            **_version(mine),
        }
        return json_answer(answer)

    async def save(self, request: Request) -> Response:
        """Save a review; refuses with what is newer where the page had not seen it."""
        run, entry = await run_in_threadpool(self._episode, request)
        data = await body_of(request)
        seen, given = label_of(data, "review")
        kept = _read_review(given)
        person, save, follows = self._studio.person(request), text_of(data, "save", 100), text_of(data, "follows", 100)

        def keep() -> Version:
            root, key = run.paths.root, place_in_run(entry.folder)
            full = bind(root, entry.folder, kept)
            return review_log(root, person).save(key, seen, full, by=person, save=save, follows=follows)

        return await answer_save(keep, _version)

    def _runs(self) -> Runs:
        there = tuple(folder for folder in self._studio.all_runs if folder.is_dir())
        if self._known is None or self._known[0] != there:
            self._known = there, Runs(there)
        return self._known[1]

    def _run(self, request: Request) -> ListedRun:
        found = self._runs().find(request.path_params["run"])
        if found is None:
            raise HTTPException(404, "There is no such run here.")
        return found

    def _episode(self, request: Request) -> tuple[ListedRun, ListedEpisode]:
        return episode_of(self._runs(), request)


def _reviews(run: ListedRun) -> dict[str, list[Review]]:
    try:
        return read_reviews(run.paths.root)
    except ProctorError:
        return {}


def _has_reviews(run: ListedRun) -> bool:
    folder = run.paths.root / "reviews"
    return folder.is_dir() and not folder.is_symlink()


def _of(reviews: dict[str, list[Review]], entry: ListedEpisode) -> list[Review]:
    return reviews.get(place_in_run(entry.folder), [])


def _is_wanted(which: str, entry: ListedEpisode, reviews: dict[str, list[Review]], person: str) -> bool:
    if which == "failed":
        return entry.result is not None and entry.result.outcome == "failed"
    if which == "unreviewed":
        return not _of(reviews, entry)
    if which == "mine":
        return not any(review.by == person for review in _of(reviews, entry))
    return True


def _row(entry: ListedEpisode, reviews: list[Review], person: str) -> dict[str, object]:
    result = entry.result
    return {
        "id": entry.id,
        **{name: getattr(entry.key, name) for name in ("task", "agent", "seed")},
        "outcome": outcome(entry),
        "modes": list(result.modes) if result else [],
        "reviews": len(reviews),
        "mine": any(review.by == person for review in reviews),
    }


def _plain(review: Review) -> dict[str, object]:
    names = ("by", "success", "first_wrong", "comment")
    return {**{name: getattr(review, name) for name in names}, "failures": list(review.failures)}


def _version(found: Version | None) -> dict[str, object]:
    review = review_from(found) if found else None
    return {"version": found.number if found else 0, "label": _plain(review) if review else None}


def _read_review(given: dict[str, object]) -> dict[str, object]:
    success, first, failures = given.get("success"), given.get("first_wrong"), given.get("failures", [])
    if success is not None and not isinstance(success, bool):
        raise HTTPException(400, "success must be true, false or open.")
    if first is not None and (not isinstance(first, int) or isinstance(first, bool) or not 0 <= first < 1_000_000):
        raise HTTPException(400, "first_wrong is not the number of a step.")
    if not isinstance(failures, list) or not all(isinstance(each, str) and each in FAILURES for each in failures):
        raise HTTPException(400, "failures has an unknown value.")
    chosen = [each for each in FAILURES if each in failures]
    return {
        "success": success,
        "first_wrong": first,
        "failures": chosen,
        "comment": text_of(given, "comment", MOST_COMMENT),
    }
