"""The environment for learners keeps PettingZoo's contract and the room's secrets."""

from __future__ import annotations

import contextlib
import importlib
import io
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from ananas.bots import bot_named
from ananas.game.board import Placement, placements
from ananas.game.cards import DECK, Card
from ananas.game.rules import ROOM, RuleSet
from ananas.refused import Refused
from ananas.rl import MOST_DEALT, Observation, OpenFace, action, env, placement
from tests.chance import Chance

CASES: tuple[dict[str, Any], ...] = (
    {},
    {"players": 3},
    {"rules": "club", "players": 4},
    {"rules": "progressive", "players": 3, "match": True},
    {"rules": "club-pineapple", "match": True},
    {"rules": "room seats=2-2 deal=6,3,3,3 place=4,3,3,3", "match": True},
)
zoo: Any = importlib.import_module("pettingzoo.test")


def play(game: OpenFace, chance: Chance, seed: int | None = None) -> list[tuple[str, Observation, float]]:
    """An episode by lot: who was asked, what it saw, what it had got."""
    game.reset(seed=seed)
    found: list[tuple[str, Observation, float]] = []
    for agent in game.agent_iter():
        observation, reward, terminated, _, _ = game.last()
        found.append((agent, observation, reward))
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        game.step(None if terminated else chance.pick(legal))
    return found


@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
@pytest.mark.parametrize("how", CASES, ids=str)
def test_the_contract_of_pettingzoo_is_kept(how: dict[str, Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        zoo.api_test(env(**how), num_cycles=60)
        zoo.seed_test(lambda: env(**how), num_cycles=20)


def test_it_is_drawn_as_text() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as written:
        zoo.render_test(env)
    assert "player_0 " in written.getvalue()
    game = env(render_mode="ansi")
    game.reset(seed=3)
    assert game.render() == "player_0 -/-/-\nplayer_1 -/-/-"


@pytest.mark.parametrize("how", CASES, ids=str)
def test_rewards_are_points_and_come_at_the_showdown(how: dict[str, Any]) -> None:
    game, chance = env(**how), Chance(f"rl {how}")
    for seed in range(6):
        told = play(game, chance, seed)
        ends = {agent: reward for agent, observation, reward in told if not observation["action_mask"].any()}
        assert sum(ends.values()) == 0
        assert set(ends) == set(game.possible_agents)
        results = game.unwrapped.hand.reckoning
        assert results is not None
        if not how.get("match"):
            assert ends == {f"player_{player.seat}": player.points for player in results.players}


def test_a_match_goes_on_until_nobody_has_a_right() -> None:
    game, bot, longest = OpenFace("room", match=True), bot_named("papaya", ROOM), 0
    for seed in range(12):
        game.reset(seed=seed)
        total = 0.0
        while not any(game.terminations.values()):
            view = game.view(game.agent_selection)
            me = next(player for player in view.players if player.seat == view.you)
            assert not me.fantasyland
            game.step(action(me.dealt, bot.place(view, 60)))
            total += game.rewards["player_0"]
        reckoning = game.hand.reckoning
        assert reckoning is not None
        assert not any(player.fantasyland for player in reckoning.players)
        number = game.view("player_0").number
        assert number > 1 or total == reckoning.players[game.hand.seats.index(0)].points
        longest = max(longest, number)
    assert longest > 1


def test_the_same_seed_deals_the_same_and_the_next_hand_is_another() -> None:
    one, two = OpenFace(), OpenFace()
    one.reset(seed=5)
    two.reset(seed=6)
    assert one.hand.deck != two.hand.deck
    two.reset(seed=5)
    assert one.hand == two.hand
    one.reset()
    assert one.hand.deck != two.hand.deck
    assert (one.hand.seats, two.hand.seats) == ((1, 0), (0, 1))
    two.reset()
    assert one.hand == two.hand
    one, two = OpenFace(), OpenFace()
    one.reset()
    two.reset()
    assert one.hand.deck != two.hand.deck


def test_actions_are_placements_by_number() -> None:
    chance = Chance("rl: actions")
    game = OpenFace("room", 3)
    for agent, observation, _ in play(game, chance, 1):
        assert observation["observation"].shape == game.observation_space(agent)["observation"].shape
    game.reset(seed=2)
    view = game.view("player_0")
    dealt = view.players[0].dealt
    every = [action(dealt, one) for one in placements(view.players[0].board, dealt, 5)]
    mask = game.observe("player_0")["action_mask"]
    assert sorted(every) == np.flatnonzero(mask).tolist()
    assert len(every) == len(set(every)) == 232
    for number in every:
        assert action(dealt, placement(dealt, number)) == number
    with pytest.raises(ValueError, match="does not say where"):
        action(dealt, Placement(dealt[:3]))


@pytest.mark.parametrize("wrong", [0, 4**5 - 1, 4**5, -1, None])
def test_an_action_that_there_is_not_is_an_error(wrong: int | None) -> None:
    game = OpenFace()
    game.reset(seed=1)
    before = game.hand
    with pytest.raises(ValueError, match="player_0"):
        game.step(wrong)
    assert game.hand == before


def test_an_action_that_is_refused_takes_no_reward_away() -> None:
    game, bot = OpenFace(match=True), bot_named("papaya", ROOM)
    for seed in range(200):
        game.reset(seed=seed)
        while not game.terminations[game.agent_selection]:
            _, reward, *_ = game.last()
            view = game.view(game.agent_selection)
            dealt = next(player.dealt for player in view.players if player.seat == view.you)
            if reward:
                with pytest.raises(ValueError, match="no action"):
                    game.step(-1)
                assert game.last()[1] == reward
                return
            game.step(action(dealt, bot.place(view, 60)))
    raise AssertionError("no episode came to a second hand")


def test_what_an_agent_cannot_know_is_not_in_its_observation() -> None:
    """Shuffle all cards it has not seen, and it observes the same."""
    chance = Chance("rl: secrets")
    game = OpenFace("room", 3)
    for seed in range(8):
        game.reset(seed=seed)
        for _ in range(chance.below(14)):
            mask = game.observe(game.agent_selection)["action_mask"]
            game.step(chance.pick(np.flatnonzero(mask).tolist()))
        agent, hand = game.agent_selection, game.hand
        view = game.view(agent)
        me = next(player for player in view.players if player.seat == view.you)
        seen = {*me.dealt, *me.discards, *(card for board in hand.boards for card in board.cards)}
        hidden = iter(chance.shuffled([card for card in DECK if card not in seen]))
        changed: dict[Card, Card] = {card: card if card in seen else next(hidden) for card in hand.deck}
        before = game.observe(agent)
        placed = tuple(
            tuple(replace(one, discards=tuple(changed[card] for card in one.discards)) for one in own)
            for own in hand.placements
        )
        game._hand = replace(hand, deck=tuple(changed[card] for card in hand.deck), placements=placed)
        after = game.observe(agent)
        assert all((before[name] == after[name]).all() for name in before)


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="2 to 3 can play"):
        env("room", players=4)
    with pytest.raises(ValueError, match="2 to 3 can play"):
        OpenFace("room", 1)
    wide = RuleSet.parse(f"room seats=2-2 deal={MOST_DEALT + 1},3,3,3 place=4,3,3,3")
    with pytest.raises(Refused, match="actions are numbered"):
        env(wide)
    with pytest.raises(ValueError, match="before reset"):
        _ = OpenFace().hand


def test_without_the_extra_it_says_what_to_install() -> None:
    for missing in ("gymnasium", "pettingzoo"):
        code = f"import sys; sys.modules[{missing!r}] = None; import ananas.rl"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert run.returncode == 1
        assert run.stderr.rstrip().endswith(
            "ImportError: ananas.rl needs PettingZoo: pip install '.[rl]' in the folder of Ananas"
        )
