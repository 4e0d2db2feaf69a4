"""The game as a PettingZoo environment, for programs that learn to play it.

>>> from ananas.rl import env
>>> game = env("room", players=2)
>>> game.reset(seed=1)
>>> observation, reward, *_ = game.last()
>>> game.agent_selection, observation["observation"].shape, int(observation["action_mask"].sum())
('player_0', (14, 52), 232)

It is an AEC environment: agents act one at a time, in the order of play. What an agent observes is made of what its seat
may know, and of nothing else. What belongs here: observations, actions, rewards. What does not: who learns, and how.
"""

from __future__ import annotations

import operator
import secrets
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import numpy as np
from numpy.typing import NDArray

from ananas.bots.arena import deck
from ananas.game.board import ROWS, Placement, placements
from ananas.game.cards import Card
from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.game.view import HandView, view_hand
from ananas.refused import Refused
from ananas.solver.careful import careful
from ananas.solver.placements import Knowledge
from ananas.solver.tables import NUMBER

try:
    from gymnasium import spaces
except ImportError:
    raise ImportError("ananas.rl needs PettingZoo: pip install '.[rl]' in the folder of Ananas") from None

if TYPE_CHECKING:

    class AECEnv:
        """What is used of PettingZoo's, which has no types."""

        agents: list[str]
        possible_agents: list[str]
        agent_selection: str
        rewards: dict[str, float]
        terminations: dict[str, bool]
        truncations: dict[str, bool]
        infos: dict[str, dict[str, Any]]
        render_mode: str | None
        _cumulative_rewards: dict[str, float]

        @property
        def unwrapped(self) -> OpenFace: ...
        def agent_iter(self, max_iter: int = ...) -> Sequence[str]: ...
        def last(self) -> tuple[Any, float, bool, bool, dict[str, Any]]: ...
        def _was_dead_step(self, action: int | None) -> None: ...
        def _clear_rewards(self) -> None: ...
        def _accumulate_rewards(self) -> None: ...

else:
    try:
        from pettingzoo import AECEnv
        from pettingzoo.utils import wrappers
    except ImportError:
        raise ImportError("ananas.rl needs PettingZoo: pip install '.[rl]' in the folder of Ananas") from None

__all__ = ["MOST_DEALT", "Observation", "OpenFace", "action", "env", "placement"]

MOST_DEALT: Final = 6
"""The most cards of a street that actions are numbered for; rules that deal more are refused."""
THROWN: Final = 3
"""The digit of a card that is thrown away; 0 to 2 are the top, the middle and the bottom."""

Observation = Mapping[str, NDArray[np.int8]]
"""`observation`: planes of 52 cards, in the order of `ananas.DECK`. `action_mask`: 1 for each action that can be taken."""


def action(dealt: Sequence[Card], placement: Placement) -> int:
    """The number of a placement of these cards, which are in order of receipt.

    Each card is a digit to the base four, the first card the lowest: 0 the top, 1 the middle, 2 the bottom, 3 thrown away.

    >>> from ananas.game.cards import parse_cards
    >>> action(parse_cards("AsKd2c"), Placement.parse("As/-/Kd x2c"))
    56

    Raises `ValueError` where a card is missing.
    """
    number = 0
    for place, card in enumerate(dealt):
        where = (placement.top, placement.middle, placement.bottom, placement.discards)
        digit = next((digit for digit, cards in enumerate(where) if card in cards), None)
        if digit is None:
            raise ValueError(f"the placement does not say where {card} goes")
        number += digit * 4**place
    return number


def placement(dealt: Sequence[Card], action: int) -> Placement:
    """The placement that has this number.

    >>> from ananas.game.cards import parse_cards
    >>> str(placement(parse_cards("AsKd2c"), 56))
    'As/-/Kd x2c'
    """
    to = [tuple(card for place, card in enumerate(dealt) if action >> 2 * place & 3 == digit) for digit in range(4)]
    return Placement(to[0], to[1], to[2], to[3])


class OpenFace(AECEnv):
    """One hand, or a match of them, among two to four agents.

    `players`: how many play, by default the fewest that the rules have. `match`: whether Fantasyland is played out: the
    hands that follow from rights belong to the episode. Cards in Fantasyland are no decision of an agent: as soon as they
    can be laid, they are laid in the best way, exactly.

    Rewards are the points of each hand at its showdown, nothing before; they add up to 0. The same seed deals the same
    hands, the first of them after `reset`, then others; agents move on by one seat from one to the next.

    Raises `Refused("bad-rule")` for rules that deal more than `MOST_DEALT` cards on a street, and `ValueError` for more
    players than the rules have seats.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "ananas_v1",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: RuleSet | str = "room",
        players: int | None = None,
        *,
        match: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.rules: Final = RuleSet.parse(rules) if isinstance(rules, str) else rules
        self.render_mode = render_mode
        count = self.rules.seats[0] if players is None else players
        if not 2 <= count <= self.rules.seats[1]:
            raise ValueError(f"2 to {self.rules.seats[1]} can play by these rules, not {count}")
        self._most: Final = max(self.rules.deal)
        if self._most > MOST_DEALT:
            detail = f"actions are numbered for up to {MOST_DEALT} cards of a street"
            raise Refused("bad-rule", name="deal", value=self.rules.values["deal"], detail=detail)
        self.possible_agents = [f"player_{seat}" for seat in range(count)]
        self._match: Final = match
        planes = self._most + 4 + 3 * (count - 1) + count
        space = spaces.Dict(
            {
                "observation": spaces.Box(0, 17, (planes, 52), np.int8),
                "action_mask": spaces.Box(0, 1, (4**self._most,), np.int8),
            }
        )
        self.observation_spaces: Final = dict.fromkeys(self.possible_agents, space)
        self.action_spaces: Final = {agent: spaces.Discrete(4**self._most) for agent in self.possible_agents}
        self._seed: int | None = None
        self._begun = 0
        self._number = 0
        self._hand: Hand | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """The planes and the mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Every number that a placement of the widest street may have."""
        return self.action_spaces[agent]

    @property
    def hand(self) -> Hand:
        """The hand as it stands, all cards open: for whoever watches, not for who plays."""
        if self._hand is None:
            raise ValueError("nothing is dealt before reset")
        return self._hand

    def view(self, agent: str) -> HandView:
        """What an agent's seat may know, as bots are told it."""
        return view_hand(self.hand, self._number, self._seat(agent), {})

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal the first hand of a seed; without one the next hand, of a seed by lot where none was ever given.

        There are no `options`.
        """
        if seed is not None or self._seed is None:
            self._seed, self._begun = secrets.randbits(63) if seed is None else seed, 0
        else:
            self._begun += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._number = 0
        seats = len(self.agents)
        first = self._begun % seats
        none = (0,) * seats
        self._deal((*range(first, seats), *range(first)), none, none)
        self._go_on()

    def step(self, action: int | None) -> None:
        """Lay the cards of the agent whose turn it is; None where it has nothing left to do, as PettingZoo wants it.

        Raises `ValueError` for an action that its mask has not.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        hand = self.hand
        player = hand.seats.index(self._seat(agent))
        dealt = hand.dealt(player)
        try:
            number = -1 if action is None else operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < 4 ** len(dealt):
            raise ValueError(f"{agent} has {len(dealt)} cards to lay, there is no action {action}")
        try:
            laid = hand.place(player, placement(dealt, number))
        except Refused as refused:
            raise ValueError(f"{agent} cannot lay {placement(dealt, number)}: {refused}") from None
        # What is refused above has changed nothing.
        self._hand = laid
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent knows: planes of 52 cards, and which actions it may take now.

        The planes, in this order: its cards to lay, a plane for each in order of receipt; its top, its middle, its bottom;
        what it has thrown away; for each opponent in order of play behind it, his rows as far as they lie open; for
        itself and each of them, with how many cards he lies in Fantasyland, in all 52 places, 0 where he does not.
        """
        view = self.view(agent)
        place = next(place for place, player in enumerate(view.players) if player.seat == view.you)
        me, *others = (*view.players[place:], *view.players[:place])
        planes = np.zeros((self._most + 4 + 3 * len(others) + 1 + len(others), 52), np.int8)
        for at, card in enumerate(me.dealt if me.acting and not me.fantasyland else ()):
            planes[at, NUMBER[card]] = 1
        at = self._most
        for cards in (*(me.board.row(row) for row in ROWS), me.discards):
            planes[at, [NUMBER[card] for card in cards]] = 1
            at += 1
        for other in others:
            for row in ROWS:
                planes[at, [NUMBER[card] for card in other.board.row(row)]] = 1
                at += 1
        for player in (me, *others):
            planes[at] = player.fantasyland
            at += 1
        mask = np.zeros(4**self._most, np.int8)
        if me.acting and not me.fantasyland:
            mask[[action(me.dealt, one) for one in placements(me.board, me.dealt, me.to_lay)]] = 1
        return {"observation": planes, "action_mask": mask}

    def render(self) -> str | None:
        """What a spectator sees: a line for each seat, in order of play."""
        view = view_hand(self.hand, self._number, None, {})
        text = "\n".join(f"player_{player.seat} {player.board}" for player in view.players)
        if self.render_mode != "human":
            return text
        sys.stdout.write(text + "\n\n")
        return None

    def close(self) -> None:
        """There is nothing to close."""

    # -- hands

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _deal(self, seats: tuple[int, ...], lays: tuple[int, ...], repeats: tuple[int, ...]) -> None:
        assert self._seed is not None
        cards = deck(self._seed, self._begun, self._number)
        self._number += 1
        self._hand = Hand.deal(self.rules, cards, seats, fantasyland=lays, repeats=repeats)

    def _go_on(self) -> None:
        """Lay what lies in Fantasyland, count what is over, and come to the next agent that has to act."""
        while True:
            hand = self.hand
            inside = [player for player in hand.acting if hand.fantasyland[player]]
            if inside:
                view = view_hand(hand, self._number, hand.seats[inside[0]], {})
                self._hand = hand.place(inside[0], careful(Knowledge.of_view(view, self.rules), self.rules))
            elif hand.acting:
                self.agent_selection = self.possible_agents[hand.seats[hand.acting[0]]]
                return
            elif not self._count(hand):
                return

    def _count(self, hand: Hand) -> bool:
        """Count a hand that is over, and deal the one that follows from it, if one does."""
        assert hand.reckoning is not None
        results = hand.reckoning.players
        for result in results:
            self.rewards[self.possible_agents[result.seat]] += float(result.points)
        rights = tuple(result.fantasyland for result in results)
        if not self._match or not any(rights):
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return False
        repeats = tuple(
            done + 1 if before and then else 0
            for before, then, done in zip(hand.fantasyland, rights, hand.repeats, strict=True)
        )
        turn = int(self.rules.button_in_fantasyland == "moves")
        seats, rights, repeats = ((*each[turn:], *each[:turn]) for each in (hand.seats, rights, repeats))
        self._deal(seats, rights, repeats)
        return True


def env(
    rules: RuleSet | str = "room",
    players: int | None = None,
    *,
    match: bool = False,
    render_mode: str | None = None,
) -> OpenFace:
    """The environment with PettingZoo's checks around it: of the order of calls, and of actions that there are not.

    The arguments are those of `OpenFace`, which stands at `env(...).unwrapped`.
    """
    made: Any = OpenFace(rules, players, match=match, render_mode=render_mode)
    if not TYPE_CHECKING:
        made = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))
    return cast("OpenFace", made)
