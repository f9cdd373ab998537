"""snarl over the wire: a level won together and the next one lost, versus from both sides, leaving."""

import asyncio
import json
import os
import subprocess
import time
import unittest

from client import OK, Case
from daemon import PROGRAM, TIME_LIMIT_S

SKIRMISH = os.path.join(os.path.dirname(PROGRAM), "skirmish")


def level(*rows):
    """One room, drawn: A-D heroes, z and g adversaries, k key, x exit."""
    def find(letters):
        return [(tile, [row, column]) for row, line in enumerate(rows) for column, tile in enumerate(line)
                if tile in letters]
    return {"rooms": [{"origin": [0, 0], "bounds": {"rows": len(rows), "columns": len(rows[0])},
                       "layout": [["#.+".find(tile) if tile in "#.+" else 1 for tile in line] for line in rows]}],
            "hallways": [],
            "objects": [{"type": {"k": "key", "x": "exit"}[tile], "position": at} for tile, at in find("kx")],
            "starts": {"heroes": [at for _, at in sorted(find("ABCD"))],
                       "adversaries": [{"kind": {"z": "zombie", "g": "ghost"}[tile], "at": at}
                                       for tile, at in find("zg")]}}


# The zombie and the ghost are far off in the first, and next to the heroes in the second.
FAR = level("###############", "#A.k........z.#", "#Bx.........g.#", "###############")
NEAR = level("########", "#Az.kgx#", "#Bz....#", "########")
NARROW = level("#######", "#A...z#", "#..kx.#", "#######")


def move(x, y):
    return {"kind": "move", "to": [x, y]}


STAY = {"kind": "move", "to": None}


class JustStored(Case):
    """With its own server, whose matches are numbered from 1."""

    def first_answer(self, path):
        """Waits until the program prints something."""
        until = time.monotonic() + TIME_LIMIT_S
        while (answer := self.daemon.get(path)).status == 404:
            assert time.monotonic() < until, path
        return answer.body.decode()

    async def test_levels_are_hidden_from_the_moment_that_the_match_is_stored(self):
        alice = await self.player("alice")
        loop = asyncio.get_running_loop()
        for match in range(1, 21):
            asked = [loop.run_in_executor(None, self.first_answer, f"/api/v1/matches/{match}{part}")
                     for part in ("", "/replay")]
            await alice.create(ruleset="snarl", params={"heroes": ["ada"]})
            for body in await asyncio.gather(*asked):
                self.assertTrue("snarl" in body, body[:200])
                self.assertFalse("layout" in body, f"levels of match {match} are shown")


class Snarl(Case):

    async def seat_all(self, count, params):
        """Players by seat, and the match, which has begun."""
        players = [await self.player(f"p{seat}") for seat in range(count)]
        joined, _ = await players[0].create(ruleset="snarl", params=params)
        for player in players[1:]:
            await player.join(joined["match"])
        for player in players:
            await player.seen()
            player.forget()
        return players, joined["match"]

    async def take_turn(self, players, match, seat, turn, command):
        """Submits the seat's command; returns each player's `turn` frame."""
        accepted = await players[seat].submit(match, turn, command)
        self.assertEqual(accepted["verdicts"], [OK], command)
        return [await player.expect("turn", turn=turn + 1) for player in players]

    def verify(self, match):
        done = subprocess.run([SKIRMISH, "verify", "--database", self.daemon.database, str(match)],
                              capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    async def test_two_clear_a_level_together_and_lose_the_next(self):
        params = {"heroes": ["ada", "bob"], "levels": [FAR, NEAR]}
        players, match = await self.seat_all(2, params)
        kinds = []
        turn = 0
        for seat, command in ((0, move(3, 1)), (1, move(2, 2)), (0, move(2, 1)), (0, move(2, 2))):
            told = await self.take_turn(players, match, seat, turn, command)
            turn += 1
            kinds += [event["kind"] for event in told[seat]["events"]]
        self.assertEqual(told[0]["view"]["level"], 2)
        self.assertEqual({"took_key", "exited", "level_ended", "level_started"} - set(kinds), set())
        await self.restart()
        players = await self.back(*players, match=match)
        over = None
        while over is None:
            state = await players[0].get("state", "resume", match=match, seq=0)
            seat = state["turn_open"]["owing"][0]
            turn = state["turn_open"]["turn"]
            told = await self.take_turn(players, match, seat, turn, STAY)
            over = told[0]["view"].get("outcome")
        self.assertEqual(over, {"winner": None, "reason": "lost"})
        self.verify(match)

    async def test_a_locked_exit_is_told_to_those_who_see_it(self):
        players, match = await self.seat_all(2, {"heroes": ["ada", "bob"], "levels": [FAR]})
        await self.take_turn(players, match, 0, 0, STAY)
        told = await self.take_turn(players, match, 1, 1, move(2, 2))
        for frame in told:
            self.assertIn({"kind": "exit_locked", "unit": "bob", "at": [2, 2]}, frame["events"])
        state = await players[0].get("state", "resume", match=match, seq=0)
        self.assertEqual(state["version"], 2)
        self.verify(match)
        shown = subprocess.run([SKIRMISH, "replay", "--database", self.daemon.database, str(match)],
                               capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False).stdout
        name = players[1].name
        self.assertIn(f"{name} is on the exit at 2,2, but it is locked", shown, "by its player's name")
        self.assertIn(f"{name} (bob) at 2,2", shown, "beside the board, where the id stands")

    async def test_versus_is_played_to_an_end_both_ways(self):
        params = {"heroes": ["ada"], "mode": "versus", "levels": [NARROW]}
        for ways, winner, reason in (
                (((0, move(2, 2)), (1, move(5, 2)), (0, move(3, 2)), (1, move(5, 1)), (0, move(4, 2))), 0, "won"),
                (((0, move(3, 1)), (1, move(4, 1)), (0, STAY), (1, move(3, 1))), 1, "lost")):
            with self.subTest(reason):
                players, match = await self.seat_all(2, params)
                for turn, (seat, command) in enumerate(ways):
                    told = await self.take_turn(players, match, seat, turn, command)
                self.assertEqual(told[0]["view"]["outcome"], {"winner": winner, "reason": reason})
                over = await players[1].expect("over")
                self.assertEqual((over["winner"], over["reason"]), (winner, reason))
                self.verify(match)

    async def test_a_hero_alone_needs_nobody_to_join(self):
        players, match = await self.seat_all(1, {"heroes": ["solo"], "levels": [level("#####", "#A.x#", "#####")]})
        told = await self.take_turn(players, match, 0, 0, move(3, 1))
        self.assertEqual(told[0]["view"]["outcome"], {"winner": 0, "reason": "won"})
        self.verify(match)

    async def test_a_player_who_resigns_is_out_and_the_others_play_on(self):
        small = level("######", "#AB.x#", "#C...#", "######")
        players, match = await self.seat_all(3, {"heroes": ["ada", "bob", "cyd"], "levels": [small]})
        await players[1].get("done", "resign", match=match, command_id="out")
        frames = [await player.expect("turn", turn=1) for player in players]
        self.assertEqual(frames[0]["turn_open"]["owing"], [0])
        self.assertEqual([hero["status"] for hero in frames[1]["view"]["heroes"] if hero["id"] == "bob"], ["resigned"])
        for turn, (seat, command) in enumerate(((0, move(3, 1)), (2, move(3, 2)), (0, move(4, 1)), (2, move(4, 1))), 1):
            told = await self.take_turn(players, match, seat, turn, command)
        self.assertEqual(told[0]["view"]["outcome"], {"winner": None, "reason": "draw_equal"})
        self.verify(match)

    async def test_a_hero_is_shown_its_five_by_five_tiles_and_no_more(self):
        wide = level("############", "#A.........#", "#.........B#", "#k........x#", "############")
        players, match = await self.seat_all(2, {"heroes": ["ada", "bob"], "levels": [wide], "adversaries": "idle"})
        told = await self.take_turn(players, match, 0, 0, move(2, 1))
        views = [frame["view"] for frame in told]
        self.assertEqual([[hero["id"] for hero in view["heroes"]] for view in views], [["ada"], ["bob"]])
        self.assertEqual([len(view["tiles"]["rows"]) for view in views], [5, 5])
        self.assertEqual(("key" in views[0], "exit" in views[0]), (True, False))
        self.assertEqual(("key" in views[1], "exit" in views[1]), (False, True))
        self.assertEqual(told[1]["events"], [])

    async def test_the_levels_are_shown_when_the_match_is_over(self):
        small = level("#####", "#A.x#", "#####")
        players, match = await self.seat_all(1, {"heroes": ["solo"], "levels": [small]})
        watcher = await self.player("watcher")
        await watcher.get("joined", "watch", match=match)

        async def params():
            frames = [await player.get("state", "resume", match=match, seq=0) for player in (players[0], watcher)]
            bodies = [json.loads(self.daemon.get(f"/api/v1/matches/{match}{path}").body.split(b"\n")[0])
                      for path in ("", "/replay")]
            return [document["params"] for document in frames + bodies]

        shown = {"heroes": ["solo"], "mode": "coop", "level_end": "all", "adversaries": "auto", "round_limit": 300}
        self.assertEqual(await params(), [shown, shown, None, None])
        error = await players[0].get("error", "what_if", match=match, commands=[[move(2, 1), move(3, 1)]])
        self.assertEqual(error["code"], "not_allowed")
        await self.take_turn(players, match, 0, 0, move(3, 1))
        await players[0].expect("over")
        for told in await params():
            self.assertEqual(told["levels"][0]["rooms"][0]["layout"], small["rooms"][0]["layout"])

    async def test_what_if_takes_no_longer_lists_than_a_turn(self):
        wide = {"rooms": [{"origin": [0, 0], "bounds": {"rows": 1, "columns": 3}, "layout": [[1, 1, 1]]},
                          {"origin": [199, 199], "bounds": {"rows": 1, "columns": 1}, "layout": [[1]]}],
                "hallways": [], "objects": [{"type": "exit", "position": [0, 2]}],
                "starts": {"heroes": [[0, 0]], "adversaries": []}}
        [ada], match = await self.seat_all(1, {"heroes": ["ada"], "levels": [wide]})
        stay = {"kind": "move", "to": None}
        error = await ada.get("error", "submit", match=match, turn=0, command_id="long", commands=[stay] * 24)
        self.assertEqual(error["message"], "expected 0 to 23 items, found 24")
        await self.take_turn([ada], match, 0, 0, stay)
        await ada.get("done", "resign", match=match, command_id="r")
        await ada.expect("over")
        error = await ada.get("error", "what_if", match=match, turn=0, commands=[[stay] * 24])
        self.assertEqual((error["code"], error["at"]), ("malformed", "/commands"))
        answer = await ada.get("what_if", "what_if", match=match, turn=0, commands=[[stay] * 23])
        self.assertEqual(answer["turn"], 23)


if __name__ == "__main__":
    unittest.main()
