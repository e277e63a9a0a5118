"""Monte Carlo against exact values: the deal by counting, tiny games by every course they can take.

All checks are |z| < 5, and each has a companion in which a known fault is caught.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from typing import Any

import pytest

from herdlab.simcore.sums import LENGTH, WINNERS
from herdlab.simcore.swap.rules import COLOURS, SwapRules
from tests.simcore.swap.harness import bout, name
from tests.simcore.swap.tables import ONE_EACH, games
from tests.statistics import LARGEST_Z, z_of_mean, z_of_rate

# The deal


def deals(n: int, **settings: Any) -> list[Any]:
    """Return the first line of `n` games of three."""
    return [lines[0] for lines in games("random,random,random", n, seed=8, max_turns=1, **settings)]


def hand_mean(in_deck: int, deck: int, cards: int) -> tuple[float, float]:
    """Return mean and sd of how many of `in_deck` cards a hand has."""
    p = in_deck / deck
    return cards * p, sqrt(cards * p * (1 - p) * (deck - cards) / (deck - 1))


KINDS = {"swap": 16, "plain": 48, "slap": 16, "switch": 16, "super": 8}


def test_the_start_card_is_each_card_as_often_as_the_deck_has_it() -> None:
    n = 2500
    starts = Counter(str(line.detail[0]) for line in deals(n))
    swaps = starts["swap"]
    assert abs(z_of_rate(swaps, n, 16 / 104)) < LARGEST_Z
    for kind, count in KINDS.items():
        found = sum(k for card, k in starts.items() if card.split()[-1] == kind)
        assert abs(z_of_rate(found, n, count / 104)) < LARGEST_Z
    for colour in COLOURS:
        found = sum(k for card, k in starts.items() if card.split()[0] == colour)
        assert abs(z_of_rate(found, n, 22 / 104)) < LARGEST_Z
    assert abs(z_of_rate(swaps, n, 4 / 104)) > LARGEST_Z  # as if there were a SWAP a colour


def test_a_hand_has_of_each_kind_what_it_should_have_on_average() -> None:
    n = 2500
    dealt = deals(n)
    for seat in range(3):
        for kind, count in KINDS.items():
            mean, sd = hand_mean(count, 104, 10)
            found = sum(card.split()[-1] == kind for line in dealt for card in line.hands[seat]) / n
            assert abs(z_of_mean(found, sd, n, mean)) < LARGEST_Z, (seat, kind)
            wrong, sd = hand_mean(count + 8, 112, 10)  # two cards more in each colour
            assert abs(z_of_mean(found, sd, n, wrong)) > LARGEST_Z, (seat, kind)
    for card, count in Counter(map(name, SwapRules().deck())).items():
        mean, sd = hand_mean(count, 104, 10)
        found = sum(line.hands[2].count(card) for line in dealt) / n
        assert abs(z_of_mean(found, sd, n, mean)) < LARGEST_Z, card


def test_a_hand_varies_as_much_as_it_should() -> None:
    """SWAPs in a hand are hypergeometric; drawn with replacement they would vary more."""
    n = 2500
    found = [line.hands[0].count("swap") for line in deals(n, swap_cards=10, cards=30)]
    mean, sd = hand_mean(10, 98, 30)
    variance = sum((k - mean) ** 2 for k in found) / n
    about = sd**2 * sqrt(2 / n)  # the spread of a variance, near enough for counts like these
    assert abs(variance - sd**2) / about < LARGEST_Z
    assert abs(variance - 30 * 10 / 98 * 88 / 98) / about > LARGEST_Z


# Tiny games by every course that they can take

Card = tuple[str, str]
Outcome = tuple[tuple[int, ...], int]
ORDER = ("plain", "slap", "switch", "super", "swap")


@dataclass
class Tiny:
    """A game of players who make quiet choices, worked out over all deals and draws.

    They play the first kind they can of plain, SLAP, SWITCH COLOR, SUPER SWAP, SWAP; swap with the
    next player; name blue, or green where blue is barred; and pass to the left.
    """

    players: int
    max_turns: int
    keeps_what_he_draws: bool = False
    """A fault: a drawn card that can be played is kept."""
    last_card_works: bool = False
    """A fault: a last card has its effect, and wins only if its player is then without cards."""
    known: dict[Any, dict[Outcome, float]] = field(default_factory=dict)

    def over(self, hands: Any, turn: int, winner: int = -1) -> dict[Outcome, float]:
        """Return the end of a game, drawn if nobody has won."""
        fewest = min(map(len, hands))
        shared = tuple(p for p in range(self.players) if len(hands[p]) == fewest)
        return {((winner,) if winner >= 0 else shared, turn): 1.0}

    def play(
        self, hands: Any, pile: Any, under: Any, top: Card, colour: str, place: int, turn: int,
        passes: int = 0,
    ) -> dict[Outcome, float]:  # fmt: skip
        """Return how likely each outcome is from a state; hands and piles are sorted."""
        if turn == self.max_turns or passes == self.players:
            return self.over(hands, turn)
        key = (hands, pile, under, top, colour, place, turn, passes)
        if key not in self.known:
            found: dict[Outcome, float] = defaultdict(float)
            for chance, step in self.steps(*key):
                for outcome, p in step.items():
                    found[outcome] += chance * p
            self.known[key] = dict(found)
        return self.known[key]

    def steps(
        self, hands: Any, pile: Any, under: Any, top: Card, colour: str, place: int, turn: int,
        passes: int,
    ) -> list[tuple[float, dict[Outcome, float]]]:  # fmt: skip
        """Return what may happen in a turn: how likely it is, and what it leads to."""
        hand, following = hands[place], (place + 1) % self.players
        can = [card for card in hand if card[0] in (colour, "any")]
        if can:
            card = min(can, key=lambda one: ORDER.index(one[1]))
            left = with_hands(hands, {place: less(hand, card)})
            return self.effect(card, left, pile, under + (top,), colour, place, turn)
        if not pile:
            if not under:
                after = self.play(hands, pile, under, top, colour, following, turn + 1, passes + 1)
                return [(1.0, after)]
            pile, under = tuple(sorted(under)), ()
        steps = []
        for card, n in Counter(pile).items():
            rest, p = less(pile, card), n / len(pile)
            if card[0] in (colour, "any") and not self.keeps_what_he_draws:
                after_it = self.effect(card, hands, rest, under + (top,), colour, place, turn)
                steps += [(p * q, step) for q, step in after_it]
            else:
                kept = with_hands(hands, {place: (*hand, card)})
                steps.append((p, self.play(kept, rest, under, top, colour, following, turn + 1)))
        return steps

    def effect(
        self, card: Card, hands: Any, pile: Any, under: Any, colour: str, place: int, turn: int
    ) -> list[tuple[float, dict[Outcome, float]]]:
        """Return what may come of a card that has been played."""
        under, following, kind = tuple(sorted(under)), (place + 1) % self.players, card[1]
        if not hands[place] and not (self.last_card_works and kind in ("swap", "super")):
            return [(1.0, self.over(hands, turn + 1, place))]
        states = [(1.0, hands, colour)]
        if kind == "slap":
            states = []
            for other in range(self.players):
                for taken, n in Counter(hands[place]).items() if other != place else ():
                    p = n / len(hands[place]) / (self.players - 1)
                    moved = {place: less(hands[place], taken), other: (*hands[other], taken)}
                    states.append((p, with_hands(hands, moved), colour))
        elif kind == "switch":
            states = [(1.0, hands, "green" if colour == "blue" else "blue")]
        elif kind == "super":
            passed = {p: hands[p - 1] for p in range(self.players)}
            states = [(1.0, with_hands(hands, passed), colour)]
        elif kind == "swap":
            changed = {place: hands[following], following: hands[place]}
            states = [(1.0, with_hands(hands, changed), "blue")]
        return [
            (p, self.over(after, turn + 1, place))
            if not after[place]
            else (p, self.play(after, pile, under, card, named, following, turn + 1))
            for p, after, named in states
        ]


def less(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return cards without one of `card`."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def with_hands(hands: Any, changed: dict[int, tuple[Card, ...]]) -> Any:
    """Return all hands with some of them changed, each sorted."""
    return tuple(tuple(sorted(changed.get(place, hand))) for place, hand in enumerate(hands))


def outcomes(settings: dict[str, Any], players: int, **faults: Any) -> dict[Outcome, float]:
    """Return how likely each outcome is, over all deals: (winners, turns) and its chance."""
    rules = SwapRules.from_settings(settings)
    deck = [(text.split()[0] if " " in text else "any", text.split()[-1])
            for text in map(name, rules.deck())]  # fmt: skip
    tiny = Tiny(players, rules.max_turns, **faults)
    dealt: dict[Any, int] = {((), tuple(deck)): 1}
    for _ in range(players):
        following: Counter[Any] = Counter()
        for (hands, rest), n in dealt.items():
            for places in combinations(range(len(rest)), rules.cards):
                hand = tuple(sorted(rest[at] for at in places))
                left = tuple(card for at, card in enumerate(rest) if at not in places)
                following[(*hands, hand), left] += n
        dealt = dict(following)
    found: dict[Outcome, float] = defaultdict(float)
    total = 0
    for (hands, rest), n in dealt.items():
        for top, times in Counter(rest).items():
            total += n * times
            colour = "blue" if top[1] == "swap" else top[0]
            pile = tuple(sorted(less(rest, top)))
            for outcome, p in tiny.play(hands, pile, (), top, colour, 0, 0).items():
                found[outcome] += n * times * p
    return {outcome: p / total for outcome, p in found.items()}


def played(settings: dict[str, Any], players: int, n: int) -> Counter[Outcome]:
    """Return how often each outcome came up in `n` games."""
    rows = bout(SwapRules.from_settings(settings), {}, players, seed=9).rows(0, n)
    ends = Counter(zip(rows[:, WINNERS].tolist(), rows[:, LENGTH].tolist(), strict=True))
    return Counter({
        (tuple(p for p in range(players) if mask >> p & 1), turns): k
        for (mask, turns), k in ends.items()
    })  # fmt: skip


NO_SPECIALS: dict[str, Any] = {**ONE_EACH, "max_turns": 6}
TINY_GAMES: list[tuple[int, dict[str, Any]]] = [
    (2, {**NO_SPECIALS, "plain": 2}),
    (3, {**NO_SPECIALS, "plain": 2}),
    (2, {**NO_SPECIALS, "switch": 1, "swap_cards": 1}),
    (2, {**NO_SPECIALS, "slap": 1}),
    (2, {**NO_SPECIALS, "super_swap": 1, "swap_cards": 1}),
    (2, {**NO_SPECIALS, "plain": 0, "slap": 1, "switch": 1, "cards": 2, "max_turns": 5}),
    (3, {**NO_SPECIALS, "slap": 1, "swap_cards": 1, "max_turns": 5}),
]
N = 60_000


@pytest.mark.parametrize(("players", "settings"), TINY_GAMES, ids=str)
def test_a_tiny_game_has_the_exact_distribution(players: int, settings: dict[str, Any]) -> None:
    exact = outcomes(settings, players)
    assert abs(sum(exact.values()) - 1) < 1e-12
    counts = played(settings, players, N)
    assert set(counts) <= set(exact)
    likely = {outcome: p for outcome, p in exact.items() if 20 <= p * N <= N - 20}
    assert len(likely) >= 4
    for outcome, p in likely.items():
        assert abs(z_of_rate(counts[outcome], N, p)) < LARGEST_Z, outcome


@pytest.mark.parametrize("fault", ["keeps_what_he_draws", "last_card_works"])
def test_a_known_fault_would_be_caught(fault: str) -> None:
    players, settings = TINY_GAMES[4]
    wrong = outcomes(settings, players, **{fault: True})
    counts = played(settings, players, N)
    zs = [z_of_rate(counts[outcome], N, p) for outcome, p in wrong.items() if 20 <= p * N <= N - 20]
    assert max(map(abs, zs)) > LARGEST_Z


def test_a_first_turn_win_has_the_chance_worked_out_by_hand() -> None:
    """With one plain card each, two of a colour: the first player's is that of the start card."""
    settings = TINY_GAMES[0][1]
    assert outcomes(settings, 2)[(0,), 1] == pytest.approx(1 / 7)
    counts = played(settings, 2, N)
    assert abs(z_of_rate(counts[(0,), 1], N, 1 / 7)) < LARGEST_Z
    assert abs(z_of_rate(counts[(0,), 1], N, 1 / 8)) > LARGEST_Z  # as if a card were put back


def test_four_cards_always_end_in_a_draw_after_three_turns() -> None:
    """By hand: one of each colour; the first draws what he cannot play, then both pass."""
    assert played({**ONE_EACH, "max_turns": 50}, 2, 200) == {((1,), 3): 200}


@pytest.mark.parametrize("cards", [1, 2, 5, 8, 9])
def test_with_nothing_but_swaps_two_players_take_a_turn_for_each_card(cards: int) -> None:
    """By hand: each takes the full hand and leaves the other the small one, which he plays from."""
    settings = {**ONE_EACH, "plain": 0, "swap_cards": 20, "cards": cards}
    assert played(settings, 2, 50) == {(((cards - 1) % 2,), cards): 50}
