"""Bad input gets an error that names its position, and changes nothing."""

import copy
import json
import unittest

from skirmish import answer, answers, small_params, small_request, small_state


def put(request, pointer, text):
    """The request as JSON with the value at `pointer` replaced by raw text."""
    request = copy.deepcopy(request)
    steps = pointer.strip("/").split("/")
    inner = request
    for step in steps[:-1]:
        inner = inner[int(step) if isinstance(inner, list) else step]
    last = steps[-1]
    inner[int(last) if isinstance(inner, list) else last] = "@@here@@"
    return json.dumps(request).replace('"@@here@@"', text)


def full_request():
    return small_request(
        seed="0123456789abcdef", state=small_state(), turn=4,
        commands=[[{"unit": "a1", "kind": "move", "target": [1, 3]}],
                  [{"unit": "b1", "kind": "attack", "target": [1, 1]}]])


NUMBERS = [
    "/params/rows", "/params/cols", "/params/start_rows", "/params/models/archer/health",
    "/params/models/archer/power", "/params/units/0/seat", "/params/units/0/at/0",
    "/params/units/3/at/1", "/state/units/0/at/0", "/state/units/1/health",
    "/state/units/2/seat", "/turn", "/commands/0/0/target/0", "/commands/1/0/target/1",
]

NEVER_NUMBERS = ["2147483648", "-2147483649", "4294967296", "9223372036854775807",
                 "9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "1e2", "1.5",
                 "1.0", '"3"', "true", "null", "[]", "{}"]

NOT_JSON = ["NaN", "Infinity", "-Infinity", "01", "+1", "0x10", ".5", "1.", "1e", "-", "'3'"]


class Numbers(unittest.TestCase):
    def test_a_value_that_is_not_a_32_bit_integer_is_refused_in_every_number(self):
        for pointer in NUMBERS:
            for text in NEVER_NUMBERS:
                with self.subTest(at=pointer, number=text):
                    error = answer(put(full_request(), pointer, text))["error"]
                    self.assertEqual(error["code"], "malformed")
                    self.assertTrue(error["at"].startswith(pointer), error)

    def test_a_value_that_is_not_json_is_refused_in_every_number(self):
        for pointer in NUMBERS:
            for text in NOT_JSON:
                with self.subTest(at=pointer, number=text):
                    error = answer(put(full_request(), pointer, text))["error"]
                    self.assertEqual(error["code"], "malformed")

    def test_minus_zero_is_zero(self):
        self.assertNotIn("error", answer(put(full_request(), "/commands/0/0/target/0", "-0")))

    def test_the_limits_of_32_bits_get_a_verdict(self):
        for number in ("2147483647", "-2147483648"):
            for place in ("0", "1"):
                with self.subTest(number=number, place=place):
                    given = answer(put(full_request(), "/commands/0/0/target/" + place, number))
                    self.assertEqual(given["verdicts"][0],
                                     [{"verdict": "out_of_bounds", "check": "move_in_bounds"}])

    def test_the_largest_turn_number_is_past_every_limit(self):
        given = answer(put(full_request(), "/turn", "2147483647"))
        self.assertEqual(given["outcome"], {"winner": None, "reason": "draw_turn_limit"})
        self.assertEqual(given["turn"], 2147483647)


class Keys(unittest.TestCase):
    OBJECTS = ["", "/params", "/params/patterns/ring", "/params/models/archer", "/params/units/0",
               "/state", "/state/units/0", "/commands/0/0"]

    def text_with(self, pointer, more):
        """The request with `more` put in front of an object's members."""
        request = full_request()
        inner = request
        for step in [s for s in pointer.split("/") if s]:
            inner = inner[int(step) if isinstance(inner, list) else step]
        inner["@@here@@"] = 0
        return json.dumps(request).replace('"@@here@@": 0', more)

    def test_an_unknown_key_is_refused_with_its_position(self):
        for pointer in self.OBJECTS:
            with self.subTest(at=pointer):
                error = answer(self.text_with(pointer, '"surprise":1'))["error"]
                self.assertEqual((error["code"], error["at"]), ("malformed", pointer + "/surprise"))

    def test_a_key_given_twice_is_refused_also_when_escaped(self):
        for pointer in self.OBJECTS:
            for first, second in (("twice", "twice"), ("twice", "\\u0074wice")):
                with self.subTest(at=pointer, second=second):
                    more = '"%s":1,"%s":1' % (first, second)
                    error = answer(self.text_with(pointer, more))["error"]
                    self.assertEqual((error["code"], error["at"]),
                                     ("malformed", pointer + "/twice"))

    def test_a_missing_member_is_named(self):
        for pointer in ("/ruleset", "/params", "/params/units", "/params/models",
                        "/params/patterns", "/params/models/archer/health",
                        "/params/models/archer/move", "/params/units/0/at", "/state/phase",
                        "/state/units", "/state/units/0/health", "/commands/0/0/kind",
                        "/commands/0/0/unit", "/commands/0/0/target",
                        "/params/patterns/ring/rows"):
            with self.subTest(at=pointer):
                request = full_request()
                inner = request
                *steps, last = pointer.strip("/").split("/")
                for step in steps:
                    inner = inner[int(step) if isinstance(inner, list) else step]
                del inner[last]
                error = answer(request)["error"]
                self.assertEqual((error["code"], error["at"]), ("malformed", pointer))

    def test_members_with_a_default_may_be_missing(self):
        request = full_request()
        for name in ("seed", "turn", "state", "commands"):
            del request[name]
        for name in ("rows", "cols", "start_rows"):
            del request["params"][name]
        given = answer(request)
        self.assertEqual((given["turn"], given["verdicts"]), (0, [[], []]))
        self.assertEqual(given["state"]["phase"], "play")


class Bytes(unittest.TestCase):
    def refused(self, text):
        given, status = answers(text)
        self.assertEqual(status, 1)
        self.assertEqual(len(given), 1)
        self.assertEqual(given[0]["error"]["code"], "malformed")
        return given[0]["error"]

    def test_ten_thousand_deep_nesting_is_refused(self):
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            with self.subTest(opening=opening):
                self.refused(opening * 10000 + "1" + closing * 10000)
                self.refused('{"ruleset":"tactics","params":' + opening * 10000 + "1" +
                             closing * 10000 + "}")

    def test_an_embedded_nul_is_refused(self):
        self.refused(b'{"ruleset":"tac\0tics","params":{}}')
        self.refused(b'{"ruleset":"tactics\0","params":{}}')
        self.refused(b'{"ruleset":"tactics",\0"params":{}}')
        self.refused('{"ruleset":"tactics\\u0000","params":{}}')

    def test_invalid_utf8_is_refused(self):
        for bad in (b"\xff", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80",
                    b"\x80", b"\xc3"):
            with self.subTest(bad=bad):
                self.refused(b'{"ruleset":"' + bad + b'","params":{}}')

    def test_lone_surrogates_are_refused(self):
        self.refused('{"ruleset":"\\ud800","params":{}}')
        self.refused('{"ruleset":"\\udc00","params":{}}')

    def test_text_after_the_value_is_refused(self):
        self.refused('{"ruleset":"tactics","params":{}} x')
        self.refused('{"ruleset":"tactics","params":{}}{}')

    def test_values_that_are_not_requests_are_refused(self):
        for text in ("1", "null", "[]", '"tactics"', "true", "{}", "}", "]", "nonsense"):
            with self.subTest(text=text):
                self.refused(text)


class Params(unittest.TestCase):
    """Faults in params that the schema allows: each has its own code and position."""

    def refused(self, change, code, at):
        params = small_params()
        change(params)
        error = answer({"ruleset": "tactics", "params": params})["error"]
        self.assertEqual((error["code"], error["at"]), (code, at))
        self.assertTrue(error["message"])

    def test_each_fault_of_a_pattern_has_its_own_reason(self):
        cases = [
            ({"rows": ["xx", "xx"]}, "pattern_even_side"),
            ({"rows": []}, "pattern_even_side"),
            ({"rows": ["x" * 65] * 65}, "pattern_too_long"),
            ({"rows": ["xxx", "xx", "xxx"]}, "pattern_not_square"),
            ({"rows": ["  "]}, "pattern_not_square"),
            ({"rows": ["é"]}, "pattern_bad_character"),
            ({"rows": ["\t"]}, "pattern_bad_character"),
            ({"rows": ["x"], "map": {"xx": "ring"}}, "pattern_bad_character"),
            ({"rows": ["x"], "map": {"x": "nowhere"}}, "pattern_unknown_name"),
            ({"rows": ["x"], "map": {"y": "nowhere"}}, "pattern_unknown_name"),
            ({"rows": ["x"], "map": {" ": "ring"}}, "pattern_mapped_space"),
            ({"rows": ["x"], "map": {"x": "cross"}}, "pattern_cycle"),
        ]
        for pattern, code in cases:
            with self.subTest(code=code, pattern=str(pattern)[:60]):
                self.refused(lambda p, new=pattern: p["patterns"].update(cross=new), code,
                             "/params/patterns/cross")

    def test_a_target_that_affects_too_much_is_refused_at_its_own_pattern(self):
        def change(params):
            params["patterns"].update(
                whole={"rows": ["x" * 63] * 63},
                wide={"rows": ["oo" + " " * 61] + [" " * 63] * 61 + [" " * 61 + "oo"],
                      "map": {"o": "whole"}},
                cross={"rows": ["w"], "map": {"w": "wide"}})
        self.refused(change, "pattern_area_too_large", "/params/patterns/cross")

    def test_names_are_escaped_in_the_position(self):
        self.refused(lambda p: p["patterns"].update({"a/b~c": {"rows": ["xx"]}}),
                     "pattern_not_square", "/params/patterns/a~1b~0c")

    def test_faults_of_models_and_units_name_their_position(self):
        def unit(index, **members):
            return lambda p: p["units"][index].update(members)
        self.refused(lambda p: p["models"]["archer"].update(move=["ring", "fly"]),
                     "unknown_pattern", "/params/models/archer/move/1")
        self.refused(unit(2, model="wizard"), "unknown_model", "/params/units/2/model")
        self.refused(unit(3, id="a1"), "duplicate_id", "/params/units/3/id")
        self.refused(unit(1, at=[5, 0]), "out_of_bounds", "/params/units/1/at")
        self.refused(unit(1, at=[0, -1]), "out_of_bounds", "/params/units/1/at")
        self.refused(unit(1, at=[1, 4]), "cell_taken", "/params/units/1/at")
        self.refused(unit(1, seat=2), "malformed", "/params/units/1/seat")

    def test_placement_needs_every_unit_in_start_rows_that_do_not_overlap(self):
        def change(params):
            params.update(placement=True)
            params["units"][0]["at"] = [1, 2]
        self.refused(change, "not_start_row", "/params/units/0/at")
        self.refused(lambda p: p.update(placement=True, start_rows=3), "start_rows_overlap",
                     "/params/start_rows")
        self.refused(lambda p: p.update(start_rows=6), "start_rows_too_many",
                     "/params/start_rows")


class States(unittest.TestCase):
    """An impossible state is refused, with the reason and the position."""

    def refused(self, change, at, code="invalid_state"):
        state = small_state()
        change(state)
        error = answer(small_request(state=state))["error"]
        self.assertEqual((error["code"], error["at"]), (code, "/state" + at))

    def test_each_fault_names_its_position(self):
        def unit(index, **members):
            return lambda s: s["units"][index].update(members)
        self.refused(unit(1, id="zz"), "/units/1/id")
        self.refused(unit(1, id="a1"), "/units/1/id")
        self.refused(unit(1, seat=1), "/units/1/seat")
        self.refused(unit(1, model="other"), "/units/1/model")
        self.refused(unit(1, at=[5, 5]), "/units/1/at")
        self.refused(unit(1, at=[1, 4]), "/units/1/at")
        self.refused(unit(1, health=0), "/units/1/health", "malformed")
        self.refused(lambda s: s.update(phase="placement"), "/phase")
        self.refused(lambda s: s.update(phase="lunch"), "/phase", "malformed")
        self.refused(lambda s: s.update(outcome={"winner": 0, "reason": "boredom"}),
                     "/outcome/reason")
        self.refused(lambda s: s.update(outcome={"winner": 2, "reason": "eliminated"}),
                     "/outcome/winner")
        self.refused(lambda s: s.update(outcome={"winner": 0, "reason": "draw_agreed"}),
                     "/outcome/winner")

    def test_health_above_the_models_is_allowed(self):
        state = small_state()
        state["units"][0]["health"] = 2147483647
        self.assertEqual(answer(small_request(state=state))["state"], state)

    def test_the_seed_is_16_or_64_hex_digits(self):
        for seed in ("0123456789abcdef", "0123456789ABCDEF", "0" * 64):
            self.assertNotIn("error", answer(small_request(seed=seed)))
        for seed in ("", "0" * 15, "0" * 17, "0" * 63, "0" * 65, "0" * 15 + "g", 5, None):
            with self.subTest(seed=seed):
                error = answer(small_request(seed=seed))["error"]
                self.assertEqual((error["code"], error["at"]), ("malformed", "/seed"))

    def test_commands_are_one_list_per_seat_of_at_most_128(self):
        resign = {"kind": "resign"}
        for commands in ([], [[]], [[], [], []], {}, [{}, []], 1):
            with self.subTest(commands=commands):
                error = answer(small_request(commands=commands))["error"]
                self.assertEqual(error["code"], "malformed")
                self.assertTrue(error["at"].startswith("/commands"), error)
        self.assertNotIn("error", answer(small_request(commands=[[resign] * 128, []])))
        error = answer(small_request(commands=[[], [resign] * 129]))["error"]
        self.assertEqual((error["code"], error["at"]), ("malformed", "/commands/1"))


if __name__ == "__main__":
    unittest.main()
