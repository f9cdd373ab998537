"""parallel_env and Batch: the interface, seeds, masks, and the same turns as Game."""

import unittest
from array import array

import package

from skirmish import RUNNING, Batch, Game, SkirmishError, parallel_env
from skirmish.spaces import Box, Discrete, MultiDiscrete

RULESETS = {"tactics": {"turn_limit": 8}, "halma": {"turn_limit": 6}, "racers": {"turn_limit": 40},
            "snarl": {"heroes": ["ada", "bob"], "round_limit": 6}}


def play(env, seed, steps=60):
    """Random actions that the masks allow; everything that was seen."""
    seen = []
    observations, infos = env.reset(seed=seed)
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    while env.agents and len(seen) < steps:
        actions = {agent: env.action_space(agent).sample(infos[agent]["action_mask"]) for agent in env.agents}
        observations, rewards, ended, cut, infos = env.step(actions)
        seen.append((actions, observations, rewards, ended, cut, infos))
    return seen


class ParallelEnvTest(unittest.TestCase):
    def test_every_ruleset_has_the_interface(self):
        for ruleset, params in RULESETS.items():
            with self.subTest(ruleset):
                env = parallel_env(ruleset, params, render_mode="ansi")
                self.addCleanup(env.close)
                self.assertEqual((env.agents, env.num_agents, env.max_num_agents), ([], 0, len(env.possible_agents)))
                seen = play(env, 3)
                for actions, observations, rewards, ended, cut, infos in seen:
                    for each in (observations, rewards, ended, cut, infos):
                        self.assertEqual(list(each), env.possible_agents)
                    for agent, row in observations.items():
                        self.assertTrue(env.observation_space(agent).contains(row))
                        self.assertEqual((len(row),), env.observation_space(agent).shape)
                        self.assertTrue(env.action_space(agent).contains(actions[agent]))
                        self.assertEqual(len(infos[agent]["action_mask"]), env.action_space(agent).n)
                self.assertIn("turn ", env.render())
                self.assertEqual(len(env.state()), env.game.observation_width)

    def test_a_seed_gives_the_same_match_again_and_others_do_not(self):
        for ruleset, params in RULESETS.items():
            env = parallel_env(ruleset, params)
            self.addCleanup(env.close)
            first = play(env, 7)
            self.assertEqual(play(env, 7), first, ruleset)
        first = parallel_env("racers")
        self.addCleanup(first.close)
        self.assertNotEqual(first.reset(seed=1)[0], first.reset(seed=2)[0])
        first.reset(seed=1)
        again = first.reset()[0]
        first.reset(seed=1)
        self.assertEqual(first.reset()[0], again)

    def test_the_winner_gets_one_and_everybody_leaves(self):
        env = parallel_env("racers")
        self.addCleanup(env.close)
        *_, (_, _, rewards, ended, cut, _) = play(env, 3, steps=2000)
        self.assertEqual(sorted(rewards.values()), [-1.0, 1.0])
        self.assertEqual((set(ended.values()), set(cut.values()), env.agents), ({True}, {False}, []))
        self.assertEqual(env.step({}), ({}, {}, {}, {}, {}))

    def test_max_steps_cuts(self):
        env = parallel_env("tactics", max_steps=3)
        self.addCleanup(env.close)
        seen = play(env, 1)
        self.assertEqual(len(seen), 3)
        self.assertEqual((set(seen[-1][3].values()), set(seen[-1][4].values())), ({False}, {True}))

    def test_masked_actions_are_the_hints_and_are_accepted(self):
        env = parallel_env("tactics", {"placement": False})
        self.addCleanup(env.close)
        _, infos = env.reset(seed=1)
        mask = infos["seat_1"]["action_mask"]
        actions = array("i", [action for action in range(1, len(mask)) if mask[action]])
        hints = env.game.hint_rows(1, 1000)
        rows = env.game.action_rows(actions)
        width = env.game.action_width
        self.assertEqual(sorted(tuple(rows[i:i + width]) for i in range(0, len(rows), width)),
                         sorted(tuple(hints[i:i + width]) for i in range(0, len(hints), width)))

    def test_slots_give_several_commands_in_a_turn(self):
        env = parallel_env("tactics", {"placement": False}, slots=6)
        self.addCleanup(env.close)
        self.assertEqual(env.action_space("seat_0").nvec, (env.game.actions,) * 6)
        observations, infos = env.reset(seed=1)
        seen, *_ = env.step({"seat_0": env.action_space("seat_0").sample(infos["seat_0"]["action_mask"])})
        self.assertNotEqual(seen, observations)

    def test_missing_actions_do_nothing_and_surplus_ones_are_ignored(self):
        for ruleset in ("tactics", "halma"):
            env, alike = [parallel_env(ruleset, slots=2) for _ in range(2)]
            for one in (env, alike):
                self.addCleanup(one.close)
                one.reset(seed=1)
            env.step({"seat_0": [1, 0, 2, 2]})
            alike.step({"seat_0": [1, 0], "seat_1": [0, 0]})
            self.assertEqual(env.game.hash(), alike.game.hash(), ruleset)

    def test_a_wrong_action_raises_and_changes_nothing(self):
        for ruleset, wrong, error in (("tactics", 10 ** 6, SkirmishError), ("halma", 1024, ValueError),
                                      ("halma", -1, ValueError)):
            env = parallel_env(ruleset)
            self.addCleanup(env.close)
            env.reset(seed=1)
            before = env.game.hash()
            with self.assertRaises(error):
                env.step({"seat_0": wrong})
            self.assertEqual(env.game.hash(), before)
            env.close()
            with self.assertRaises(ValueError):
                env.game.hash()


class ContractTest(unittest.TestCase):
    """What PettingZoo's documentation asks of a ParallelEnv, without that package."""

    def check_spaces(self, env, spaces):
        """The same objects in each call, also after a reset."""
        for agent in env.possible_agents:
            for place, space in (("observation", env.observation_space(agent)), ("action", env.action_space(agent))):
                self.assertIs(spaces.setdefault((place, agent), space), space)

    def check_match(self, env, seed, is_masked=True):
        """Plays until nobody is left; returns how it ended: agent -> (terminated, truncated)."""
        ends = {}
        spaces = {}
        self.check_spaces(env, spaces)
        observations, infos = env.reset(seed=seed, options={})
        self.assertEqual((list(observations), list(infos), env.agents), (env.possible_agents,) * 3)
        while env.agents:
            before = list(env.agents)
            kept = {agent: list(row) for agent, row in observations.items()}
            actions = {agent: env.action_space(agent).sample(infos[agent]["action_mask"] if is_masked else None)
                       for agent in before}
            given = dict(actions)
            last = observations
            observations, rewards, ended, cut, infos = env.step(actions)
            self.assertEqual(actions, given, "the caller's actions were changed")
            self.assertEqual({agent: list(row) for agent, row in last.items()}, kept, "a row changed afterwards")
            for each in (observations, rewards, ended, cut, infos):
                self.assertEqual(sorted(each), sorted(before))
            for agent in before:
                self.assertIs(type(rewards[agent]), float)
                self.assertIs(type(ended[agent]), bool)
                self.assertIs(type(cut[agent]), bool)
                self.assertIn(observations[agent], env.observation_space(agent))
                if ended[agent] or cut[agent]:
                    ends[agent] = (ended[agent], cut[agent])
            self.assertEqual(env.agents, [agent for agent in before if agent not in ends], "the dead are removed")
            self.assertEqual(env.num_agents, len(env.agents))
            self.check_spaces(env, spaces)
        return ends

    def test_every_ruleset_keeps_it(self):
        for ruleset, params in RULESETS.items():
            with self.subTest(ruleset):
                env = parallel_env(ruleset, params)
                self.addCleanup(env.close)
                names = list(env.possible_agents)
                self.assertEqual(len(set(names)), len(names))
                self.assertIn("name", env.metadata)
                self.assertIn("render_modes", env.metadata)
                for seed in (1, 2):
                    self.assertEqual(set(self.check_match(env, seed)), set(names))
                    self.assertEqual(env.possible_agents, names)
                self.assertIs(env.unwrapped, env)
                self.assertEqual({agent: env.action_space(agent) for agent in names}, env.action_spaces)
                self.assertEqual({agent: env.observation_space(agent) for agent in names}, env.observation_spaces)

    def test_actions_that_the_mask_forbids_are_taken_and_do_nothing(self):
        for ruleset, params in RULESETS.items():
            for slots in (1, 3):
                with self.subTest(ruleset, slots=slots):
                    env = parallel_env(ruleset, params, max_steps=60, slots=slots)
                    self.addCleanup(env.close)
                    for agent in env.possible_agents:
                        env.action_space(agent).seed(1)
                    self.assertEqual(set(self.check_match(env, 1, is_masked=False)), set(env.possible_agents))

    def test_a_limit_of_steps_truncates_and_does_not_terminate(self):
        env = parallel_env("halma", max_steps=4)
        self.addCleanup(env.close)
        self.assertEqual(self.check_match(env, 1), {agent: (False, True) for agent in env.possible_agents})

    def test_a_reset_in_the_middle_brings_everybody_back(self):
        env, other = parallel_env("tactics"), parallel_env("tactics")
        self.addCleanup(env.close)
        self.addCleanup(other.close)
        play(env, 4, steps=3)
        self.assertEqual(play(env, 5, steps=9), play(other, 5, steps=9), "what was before does not matter")
        self.assertEqual(env.reset(seed=5), other.reset(seed=5))
        self.assertEqual(env.agents, env.possible_agents)


class BatchTest(unittest.TestCase):
    def test_it_plays_as_single_matches_do(self):
        for ruleset in ("tactics", "racers", "snarl"):
            with Batch(ruleset, 3, RULESETS[ruleset]) as batch, Game(ruleset, RULESETS[ruleset]) as game:
                batch.reset(11)
                game.reset(0, 11)
                seats, wide, actions = batch.observation_shape[1], batch.observation_shape[2], batch.mask_shape[2]
                for step in range(30):
                    for place in range(len(batch.actions)):
                        mask = batch.masks[place * actions:(place + 1) * actions]
                        allowed = [action for action in range(actions) if mask[action]]
                        batch.actions[place] = allowed[(step + place) * 7 % len(allowed)]
                    game.step_rows(game.action_rows(batch.actions[:seats]))
                    batch.step()
                    self.assertEqual(batch.outcomes[0], game.outcome())
                    if game.outcome() != RUNNING:
                        break
                    for seat in range(seats):
                        self.assertEqual(batch.observations[seat * wide:(seat + 1) * wide], game.observe(seat))
                        self.assertEqual(batch.masks[seat * actions:(seat + 1) * actions], game.mask(seat))

    def test_what_is_over_begins_again(self):
        with Batch("tactics", 2, {"turn_limit": 2}, masks=False) as batch:
            self.assertEqual(len(batch.masks), 0)
            self.assertEqual([batch.step() for _ in range(4)], [0, 2, 0, 2])
            self.assertEqual(batch.game.turn(0), 0)

    def test_wrong_actions_change_nothing(self):
        with Batch("tactics", 2) as batch:
            batch.actions[3] = -1
            before = batch.game.hash(0)
            with self.assertRaises(SkirmishError):
                batch.step()
            self.assertEqual((batch.game.hash(0), batch.game.turn(0)), (before, 0))
        with self.assertRaises(ValueError):
            batch.step()
        with self.assertRaises(ValueError):
            Batch("halma", 2)


class SpacesTest(unittest.TestCase):
    def test_samples_are_contained_and_masks_hold(self):
        for space, mask, outside in ((Discrete(5), [0, 0, 1, 0, 0], 5),
                                     (MultiDiscrete([5, 5]), [0, 0, 1, 0, 0], [2, 5]),
                                     (Box([0, -1], [3, 1]), None, [4, 0])):
            space.seed(1)
            drawn = [space.sample() for _ in range(20)]
            self.assertTrue(all(space.contains(each) and each in space for each in drawn))
            self.assertFalse(space.contains(outside) or space.contains(None) or space.contains("x"))
            space.seed(1)
            self.assertEqual([space.sample() for _ in range(20)], drawn)
            if mask is not None:
                self.assertIn(space.sample(mask), (2, [2, 2]))
        self.assertEqual(Discrete(3), Discrete(3))
        self.assertNotEqual(Discrete(3), Discrete(4))
        self.assertEqual(Box([0], [1]).shape, (1,))


assert package.ROOT

if __name__ == "__main__":
    unittest.main()
