"""What may be concluded from outcomes: rates with intervals, paired tests, repeats, difficulty.

Outcomes come as counts by task: how many episodes of each task passed, of how many that were scored. Tasks are the
sample, their episodes are repeats: ten attempts at one task say less than one attempt at each of ten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil, comb, gcd, lcm, nan, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Interval = tuple[float, float]

CONFIDENCE = 0.95
POWER = 0.80
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
Z_POWER = NormalDist().inv_cdf(POWER)

_EXACT_WORK = 20_000_000
_FLIPS = 10_000
_FLIPS_AT_ONCE = 2_000
_FEWEST_TASKS = 6
"""With five differences of one sign, flipping signs still gives p = 2/32."""


def share_of(part: float, whole: float) -> float:
    """Return a share; nan of nothing."""
    return part / whole if whole else nan


def or_none(value: float) -> float | None:
    """Return a figure; None where it is not defined (nan), since JSON has no other word for that."""
    return None if value != value else value


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something succeeded."""

    passed: int
    episodes: int
    tasks: int
    value: float | None
    interval: Interval
    """Where the true rate lies with 95 % confidence; everything from 0 to 1 when there was no episode."""
    beside: Rate | None = None
    """The rate of success, side effects or not, where this is that of clean success."""
    clean: Rate | None = None
    """The rate of clean success, where this is that of success."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of a figure from 0 to 1, over the episodes in which it is defined."""

    episodes: int
    """Those in which it is defined."""
    scored: int
    """All that it was looked for in."""
    tasks: int
    value: float | None
    interval: Interval
    """Where the true mean lies with 95 % confidence; everything from 0 to 1 when it is defined in none."""


def success_rate(passed: Counts, episodes: Counts) -> Rate:
    """Return the share of episodes that passed, with Wilson's interval on their effective number.

    The effective number is what the episodes are worth once repeats of one task agree with each other: their number
    divided by the design effect, which is the cluster-robust variance over the variance of independent episodes.
    Wilson's interval keeps its coverage near 0 and 1, where a t interval collapses to a point. Two imagined tasks,
    one always passed and one always failed, take part in the estimate of the design effect: a handful of tasks, or
    tasks that all passed, cannot show that repeats differ, and without them would seem to. With one episode a task the
    design effect is exactly 1 and the interval Wilson's own.
    """
    seen = episodes > 0
    passed, episodes = passed[seen], episodes[seen]
    total, won = int(episodes.sum()), int(passed.sum())
    if not total:
        return Rate(0, 0, 0, None, (0.0, 1.0))
    effective = total / max(1.0, _design_effect(passed, episodes))
    return Rate(won, total, len(episodes), won / total, wilson(won / total, effective))


def clean_rate(clean: Counts, passed: Counts, episodes: Counts, known: Counts | None = None) -> Rate:
    """Return the rate of clean success, with that of success beside it.

    `known` are the episodes in which somebody could look for side effects; all of them where it is not given. Clean
    success is a share of these alone: of the others nobody can say that they were clean.
    """
    return replace(success_rate(clean, episodes if known is None else known), beside=success_rate(passed, episodes))


def mean_of_shares(sums: NDArray[np.float64], episodes: Counts, scored: int) -> Mean:
    """Return the mean of a figure from 0 to 1, from its sum and episodes by task.

    The interval is that of `success_rate`. Figures between 0 and 1 vary less than successes, which are one or the
    other, so the design effect may fall below 1 and the effective number of episodes rise above their number.
    """
    seen = episodes > 0
    sums, episodes = sums[seen], episodes[seen]
    total = int(episodes.sum())
    if not total:
        return Mean(0, scored, 0, None, (0.0, 1.0))
    value = min(1.0, float(sums.sum()) / total)
    return Mean(total, scored, len(episodes), value, wilson(value, total / _design_effect(sums, episodes)))


def wilson(share: float, number: float) -> Interval:
    """Return Wilson's interval for a share of so many independent trials."""
    middle = (share + Z * Z / (2 * number)) / (1 + Z * Z / number)
    half = Z / (1 + Z * Z / number) * sqrt(share * (1 - share) / number + Z * Z / (4 * number * number))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def _design_effect(passed: Counts | NDArray[np.float64], episodes: Counts) -> float:
    size = episodes.mean()
    won, tried = np.append(passed, [size, 0.0]), np.append(episodes, [size, size])
    share = won.sum() / tried.sum()
    clustered = ((won - share * tried) ** 2).sum() / tried.sum()
    return float(clustered / (share * (1 - share)))


@dataclass(frozen=True, slots=True)
class Paired:
    """One agent against another on the tasks that both were scored on."""

    tasks: int
    difference: float | None
    """First less second, mean over tasks; None without a common task."""
    interval: Interval
    p: float
    """Of a difference as large or larger if the two were equal."""
    exact: bool
    """Whether all sign flips were counted rather than drawn."""
    better: int
    worse: int
    needed_tasks: int | None
    """Tasks in all, as these are tried now, at which such a difference would show; None when there is none."""
    needed_attempts: int | None
    """Attempts at each of these tasks for the same; None when no number would do, or none can be estimated."""


def pair(first: tuple[Counts, Counts], second: tuple[Counts, Counts]) -> Paired:
    """Compare two agents, each given as passed and scored episodes by task, on their common tasks."""
    common = (first[1] > 0) & (second[1] > 0)
    (won_a, tried_a), (won_b, tried_b) = ((won[common], tried[common]) for won, tried in (first, second))
    if not len(won_a):
        return Paired(0, None, (-1.0, 1.0), 1.0, True, 0, 0, None, None)
    differences = won_a / tried_a - won_b / tried_b
    whole, unit = _whole(won_a, tried_a, won_b, tried_b)
    p, exact = sign_flip(whole)
    mean = sum(whole) / (unit * len(whole))
    noise_a, noise_b = _repeat_noise(won_a, tried_a), _repeat_noise(won_b, tried_b)
    return Paired(
        tasks=len(differences),
        difference=mean,
        interval=difference_interval(differences),
        p=p,
        exact=exact,
        better=int((differences > 0).sum()),
        worse=int((differences < 0).sum()),
        needed_tasks=_needed_tasks(differences, mean),
        needed_attempts=_needed_attempts(differences, mean, noise_a + noise_b, noise_a / tried_a + noise_b / tried_b),
    )


def difference_interval(differences: NDArray[np.float64]) -> Interval:
    """Return the interval of a mean difference over tasks.

    It is Agresti and Min's for matched pairs, carried over to shares: two more tasks are imagined, one without a
    difference and half a task for each sign, so that ten equal differences do not make an interval of no width.
    """
    number = len(differences) + 2
    middle = differences.sum() / number
    half = Z * sqrt(((differences**2).sum() + 1) / number - middle**2) / sqrt(number)
    return max(-1.0, float(middle - half)), min(1.0, float(middle + half))


def pair_episodes(won_a: Counts, won_b: Counts, tried: Counts) -> Paired:
    """Compare two agents on the same episodes, each counted alike, however many a task has.

    The difference is that of the two success rates. The interval is that of `difference_interval` with tasks weighed
    by their episodes (as a ratio of sums); without any difference in weight it is the same.
    """
    if not len(tried):
        return Paired(0, None, (-1.0, 1.0), 1.0, True, 0, 0, None, None)
    more = won_a - won_b
    weights = tried / tried.mean()
    shares = more / tried.mean()
    number = len(tried) + 2
    middle = shares.sum() / number
    spread = ((shares - middle * weights) ** 2).sum() + 2 * middle**2 + 1
    half = Z * sqrt(spread) / number
    difference = float(more.sum() / tried.sum())
    p, exact = sign_flip([int(each) for each in more])
    return Paired(
        tasks=len(tried),
        difference=difference,
        interval=(max(-1.0, min(difference, middle - half)), min(1.0, max(difference, middle + half))),
        p=p,
        exact=exact,
        better=int((more > 0).sum()),
        worse=int((more < 0).sum()),
        needed_tasks=None,
        needed_attempts=None,
    )


def _whole(won_a: Counts, tried_a: Counts, won_b: Counts, tried_b: Counts) -> tuple[list[int], int]:
    unit = lcm(*map(int, tried_a), *map(int, tried_b))
    rows = zip(won_a.tolist(), tried_a.tolist(), won_b.tolist(), tried_b.tolist(), strict=True)
    return [a * (unit // m) - b * (unit // n) for a, m, b, n in rows], unit


def sign_flip(differences: Sequence[int]) -> tuple[float, bool]:
    """Return how likely a sum as far from 0 is when each difference may as well have the other sign.

    Every one of the 2**n flips is counted, by adding up the distribution task by task, unless the differences are so
    finely divided that this takes too long; then 10,000 are drawn with a fixed seed. The second value says which.
    """
    sizes = [abs(value) for value in differences if value]
    if not sizes:
        return 1.0, True
    unit = gcd(*sizes)
    sizes, seen = [size // unit for size in sizes], abs(sum(differences)) // unit
    if len(sizes) * sum(sizes) > _EXACT_WORK:
        return _draw_flips(sizes, seen), False
    chance = np.zeros(sum(sizes) + 1)
    chance[0] = 1.0
    for size in sizes:
        moved = np.zeros_like(chance)
        moved[size:] = chance[:-size]
        chance = (chance + moved) / 2
    sums = np.abs(2 * np.arange(len(chance)) - sum(sizes))
    return min(1.0, float(chance[sums >= seen].sum())), True


def _draw_flips(sizes: list[int], seen: int) -> float:
    random = np.random.default_rng(_FLIPS)
    total = sum(sizes)
    shares = np.array([size / total for size in sizes], dtype=np.float32)
    # Sums of the same differences in another order may differ in their last digits.
    bound = seen / total - 1e-5
    hits = 0
    for _ in range(_FLIPS // _FLIPS_AT_ONCE):
        drawn = np.frombuffer(random.bytes(_FLIPS_AT_ONCE * len(sizes) // 8), dtype=np.uint8)
        flips = np.unpackbits(drawn).reshape(_FLIPS_AT_ONCE, len(sizes)).astype(np.float32)
        hits += int((np.abs(2 * (flips @ shares) - 1) >= bound).sum())
    return (hits + 1) / (_FLIPS + 1)


def _repeat_noise(won: Counts, tried: Counts) -> NDArray[np.float64]:
    """Return the variance of one attempt at each task, from its repeats; NaN for one tried once."""
    share = won / tried
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(tried > 1, share * (1 - share) * tried / (tried - 1), np.nan)


def _needed_tasks(differences: NDArray[np.float64], mean: float) -> int | None:
    if mean == 0 or len(differences) < 2:
        return None
    return max(_FEWEST_TASKS, ceil(float(differences.var(ddof=1)) * ((Z + Z_POWER) / mean) ** 2))


def _needed_attempts(
    differences: NDArray[np.float64], mean: float, once: NDArray[np.float64], now: NDArray[np.float64]
) -> int | None:
    """Return the attempts at each of these tasks that show the mean difference with 80 % power.

    The variance of a difference is that between tasks plus that of repeats, `once` for one attempt and `now` for those
    made. More tasks would divide both; more attempts at the same tasks divide only the second, so no number of them
    may be enough.
    """
    number = len(differences)
    if mean == 0 or number < _FEWEST_TASKS or np.isnan(once).any():
        return None
    between = max(0.0, float(differences.var(ddof=1) - now.mean()))
    allowed = number * (mean / (Z + Z_POWER)) ** 2
    return max(1, ceil(float(once.mean()) / (allowed - between))) if allowed > between else None


def holm(chances: Sequence[float]) -> list[float]:
    """Return p-values after Holm's correction for having looked at all of them."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    found, highest = [1.0] * len(chances), 0.0
    for place, which in enumerate(order):
        highest = max(highest, min(1.0, chances[which] * (len(chances) - place)))
        found[which] = highest
    return found


def pass_at_k(passed: Counts, episodes: Counts, k: int) -> float | None:
    """Return how likely one of k attempts at a task passes; unbiased, over cases with k or more."""
    return _over_cases(passed, episodes, k, lambda won, tried: 1 - comb(tried - won, k) / comb(tried, k))


def pass_hat_k(passed: Counts, episodes: Counts, k: int) -> float | None:
    """Return how likely all of k attempts at a task pass; unbiased, over cases with k or more."""
    return _over_cases(passed, episodes, k, lambda won, tried: comb(won, k) / comb(tried, k))


def _over_cases(passed: Counts, episodes: Counts, k: int, chance: Callable[[int, int], float]) -> float | None:
    enough = episodes >= k
    if not enough.any():
        return None
    # There are far fewer different pairs of counts than cases.
    pairs, times = np.unique(np.stack([passed[enough], episodes[enough]]), axis=1, return_counts=True)
    chances = [chance(int(won), int(tried)) for won, tried in pairs.T]
    return float(np.dot(chances, times) / times.sum())


def flip_rate(passed: Counts, episodes: Counts) -> float | None:
    """Return the share of repeated cases whose outcomes differ; None when nothing was repeated."""
    repeated = episodes > 1
    if not repeated.any():
        return None
    return float(((passed > 0) & (passed < episodes))[repeated].mean())


def difficulty(passed: Counts, episodes: Counts) -> NDArray[np.float64]:
    """Return for each task (column) the failures, agents (rows) counted alike; NaN where unscored."""
    with np.errstate(divide="ignore", invalid="ignore"):
        failed = np.where(episodes > 0, 1 - passed / episodes, 0.0).sum(axis=0)
        return np.asarray(failed / (episodes > 0).sum(axis=0), dtype=np.float64)
