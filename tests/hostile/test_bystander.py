"""No client can slow another's match: each attack of attacks.py, and its effect on a bystander."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "e2e"))

from attacks import ATTACKS  # noqa: E402
from bystander import Calm, Result, measure, table  # noqa: E402

LONG = os.environ.get("LONG") == "yes"
SECONDS = 20 if LONG else 1.2
IDLE_SECONDS = 5 if LONG else 0.4

# Other load on the machine may disturb a round, so there are several. An attack that works does so in each.
ROUNDS = int(os.environ.get("ROUNDS", "8"))


@unittest.skipIf("asan" in os.environ.get("SKIRMISHD", ""), "measures the release build")
class Bystander(unittest.TestCase):

    rows = []
    calm = Calm()

    @classmethod
    def tearDownClass(cls):
        print("\n" + table([(*Result.HEAD, "rounds"), *cls.rows]), flush=True)

    def attacked(self, name):
        best = None
        for rounds in range(1, ROUNDS + 1):
            result = measure(ATTACKS[name], SECONDS, IDLE_SECONDS, self.calm)
            if best is None or (len(result.faults()), result.p50) < (len(best.faults()), best.p50):
                best = result
            if not best.faults():
                break
        self.rows.append((*best.row(ATTACKS[name].label), str(rounds)))
        self.assertEqual(best.faults(), [], f"{ATTACKS[name].label}; idle {best.idle_ms:.1f} ms, {best.turns} turns")


for attack in ATTACKS:
    setattr(Bystander, f"test_{attack}", lambda self, name=attack: self.attacked(name))


if __name__ == "__main__":
    unittest.main()
