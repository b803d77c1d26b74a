"""The arithmetic of matches, against what others publish and against trying it out."""

from __future__ import annotations

import math
import random

import pytest

from zermelo.play.elo import Spread, Sprt, _likeliest, elo_of, interval, score_of, superiority
from zermelo.play.ratings import ratings
from zermelo.rules import Unsuitable


@pytest.mark.parametrize(
    ("elo", "score"),
    [(0, 0.50), (50, 0.57), (100, 0.64), (150, 0.70), (200, 0.76), (250, 0.81), (300, 0.85), (350, 0.88), (400, 0.91),
     (450, 0.93), (500, 0.95)],
)  # fmt: skip
def test_elo_table(elo, score):
    """The table of R. Hayward's course page on Elo, University of Alberta."""
    assert round(score_of(elo), 2) == score
    assert round(score_of(-elo), 2) == pytest.approx(1 - score)
    assert elo_of(score_of(elo)) == pytest.approx(elo)


def test_elo_of_published_and_of_extreme_scores():
    assert elo_of(0.6) == pytest.approx(70.4, abs=0.05)  # the same page
    assert (elo_of(1), elo_of(0)) == (math.inf, -math.inf)


# fastchess, app/tests/elo_test.cpp: LL, LD, WL, DD, WD, WW; it counts WL and DD apart, which are one here


@pytest.mark.parametrize(
    ("counts", "elo", "error", "los"),
    [
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 1.0),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, 0.0505),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, 0.0),
    ],
)
def test_elo_and_error_as_fastchess_has_them(counts, elo, error, los):
    low, high = interval(counts)
    assert elo_of(Spread.of(counts).mean) == pytest.approx(elo, rel=0.01)
    assert (high - low) / 2 == pytest.approx(error, rel=0.01)
    assert superiority(counts) == pytest.approx(los, abs=1e-4)


# fastchess, app/tests/sprt_test.cpp, the logistic ones


@pytest.mark.parametrize(
    ("counts", "elos", "ratio"),
    [
        ((223, 9863, 20279 + 1000, 10037, 246), (0.5, 2.5), -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), (0, 2), -4.98),
    ],
)
def test_likelihood_ratios_as_fastchess_has_them(counts, elos, ratio):
    assert Sprt(*elos).ratio(counts) == pytest.approx(ratio, rel=0.01)


def test_the_ratio_is_near_its_normal_approximation():
    """Van den Bergh, GSPRT approximation: (s1 - s0)(2s - s0 - s1) / (2 var), times the pairs."""
    counts, sprt = (120, 300, 510, 340, 130), Sprt(0, 10)
    mean, error = Spread.of(counts)
    s0, s1 = score_of(0), score_of(10)
    assert sprt.ratio(counts) == pytest.approx((s1 - s0) * (2 * mean - s0 - s1) / 2 / error**2, rel=0.01)


def test_the_likeliest_distribution_has_its_mean_and_no_neighbour_is_likelier():
    counts, mean = (3, 5, 10, 4, 2), 0.6
    best = _likeliest(counts, mean)
    assert sum(best) == pytest.approx(1)
    assert sum(p * a / 4 for a, p in enumerate(best)) == pytest.approx(mean)
    likelihood = sum(count * math.log(p) for count, p in zip(counts, best))
    for i in range(3):  # a step that keeps sum and mean: +1, -2, +1
        for step in (1e-4, -1e-4):
            near = list(best)
            for place, change in enumerate((step, -2 * step, step)):
                near[i + place] += change
            assert sum(count * math.log(p) for count, p in zip(counts, near)) < likelihood


def test_bounds_of_the_test():
    low, high = Sprt(0, 5).bounds
    assert (round(low, 2), round(high, 2)) == (-2.94, 2.94)


def test_how_often_the_test_is_wrong():
    """Pairs drawn at random with the mean of each hypothesis: it errs about as often as it says, 5 %."""
    sprt, dice = Sprt(-50, 50), random.Random(5)
    for truth in (sprt.elo0, sprt.elo1):
        chances, wrong = _likeliest((10, 20, 40, 20, 10), score_of(truth)), 0
        for _ in range(200):
            counts = [0] * 5
            while (accepted := sprt.accepted(counts)) is None:
                counts[dice.choices(range(5), chances)[0]] += 1
            wrong += accepted != truth
        assert wrong <= 22  # three standard deviations above 10


def test_nothing_seen_says_nothing():
    assert Sprt(0, 5).ratio([0] * 5) == 0
    assert Sprt(0, 5).accepted([0] * 5) is None


@pytest.mark.parametrize("elos", [(5, 0), (3, 3), (0, math.inf), (math.nan, 1)])
def test_a_test_needs_two_differences(elos):
    with pytest.raises(Unsuitable, match="a lower Elo difference from a higher one"):
        Sprt(*elos)


def test_results_without_variance_have_an_interval():
    low, high = interval((0, 0, 0, 0, 10))
    assert 0 < low < high == math.inf
    low, high = interval((10, 0, 0, 0, 0))
    assert low == -math.inf < high < 0
    low, high = interval((0, 0, 10, 0, 0))
    assert low == pytest.approx(-high)
    assert superiority((0, 0, 10, 0, 0)) == 0.5
    assert superiority((10, 0, 0, 0, 0)) < 0.01 < 0.8 < superiority((0, 0, 0, 0, 1)) < 1


@pytest.mark.parametrize(
    ("chances", "pairs", "least"),
    [((0.1, 0.2, 0.3, 0.25, 0.15), 80, 925), ((0, 0, 0.1, 0.2, 0.7), 40, 905)],  # a little less where nearly all is won
)
def test_how_often_the_interval_holds_the_truth(chances, pairs, least):
    dice, truth, held = random.Random(1), elo_of(sum(p * a / 4 for a, p in enumerate(chances))), 0
    for _ in range(1000):
        counts = [0] * 5
        for drawn in dice.choices(range(5), chances, k=pairs):
            counts[drawn] += 1
        low, high = interval(counts)
        held += low <= truth <= high
    assert least <= held <= 975


# Ratings


def test_two_players_have_the_difference_of_their_score():
    best, other = ratings(2, {(0, 1): (63.5, 99)})
    assert (best.player, best.points, best.games) == (0, 63.5, 99)
    assert best.elo - other.elo == pytest.approx(elo_of(64 / 100))  # with the draw on top
    assert best.elo == pytest.approx(-other.elo)


def test_ratings_are_the_likeliest():
    results = {(0, 1): (7.5, 10), (0, 2): (9, 10), (1, 2): (6, 10)}

    def likelihood(elos):
        total = 0.0
        for (i, j), (points, games) in results.items():
            chance = score_of(elos[i] - elos[j])
            total += (points + 0.5) * math.log(chance) + (games - points + 0.5) * math.log(1 - chance)
        return total

    found = {rating.player: rating.elo for rating in ratings(3, results)}
    elos = [found[player] for player in range(3)]
    assert sum(elos) == pytest.approx(0, abs=1e-6)
    for player in range(3):
        for step in (1, -1):
            near = [*elos]
            near[player] += step
            assert likelihood(near) < likelihood(elos)


def test_who_won_or_lost_everything_has_a_rating():
    best, middle, worst = ratings(3, {(0, 1): (10, 10), (0, 2): (10, 10), (1, 2): (10, 10)})
    assert (best.player, middle.player, worst.player) == (0, 1, 2)
    assert math.isfinite(best.elo - worst.elo)
    assert best.elo == pytest.approx(-worst.elo)
    assert middle.elo == pytest.approx(0, abs=1e-6)


def test_who_has_not_played_is_in_the_middle():
    assert {rating.elo for rating in ratings(3, {})} == {0}


def test_error_bars_of_ratings():
    """Two equal players: the difference has variance 1 / (n p q), each rating half of its deviation."""
    best, _ = ratings(2, {(0, 1): (50, 99)})
    expected = 1.96 * 400 / math.log(10) / math.sqrt(100 * 0.25) / 2
    assert best.error == pytest.approx(expected, rel=0.01)
    dice, strengths, off = random.Random(3), (0.0, 60.0, -60.0), 0
    for _ in range(100):
        results = {}
        for i, j in ((0, 1), (0, 2), (1, 2)):
            chance = score_of(strengths[i] - strengths[j])
            results[i, j] = (float(sum(dice.random() < chance for _ in range(60))), 60)
        off += sum(abs(found.elo - strengths[found.player]) > found.error for found in ratings(3, results))
    assert 3 <= off <= 30  # 5 % of 300 is 15
