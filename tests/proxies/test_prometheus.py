"""Metrics, alerts and dashboard in the Prometheus of this Debian release."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

from unpacked import ROOT, program, unpack

sys.path.insert(0, os.path.join(ROOT, "tests", "e2e"))

from daemon import Daemon  # noqa: E402

RULES = os.path.join(ROOT, "deploy", "monitoring", "alerts.yaml")
DASHBOARD = os.path.join(ROOT, "deploy", "monitoring", "dashboard.json")
# What Grafana puts in.
VARIABLES = {"$instance": "one|two", "$__rate_interval": "1m"}

# For each alert: the minute at which it is looked at, one value per minute of some series that fire it, and
# values with which it stays quiet ("0+10x3" is 0 10 20 30).
FIRES = {
    "SkirmishDown": (3, {"up": "0x3"}, {"up": "1x2 0"}),
    "SkirmishRestarts": (9, {"process_start_time_seconds": "1 2 3 4x6"},
                         {"process_start_time_seconds": "1 2 3x7"}),
    "SkirmishStoreFails": (1, {"skirmish_store_is_failing": "1x1"}, {"skirmish_store_is_failing": "0 1"}),
    "SkirmishMatchesQuarantined": (1, {"skirmish_matches_quarantined": "1x1"},
                                   {"skirmish_matches_quarantined": "0x1"}),
    "SkirmishNodeWithoutLease": (1, {"skirmish_node_lease_seconds": "0x1"}, {"skirmish_node_lease_seconds": "1x1"}),
    "SkirmishNodeLosesMatches": (5, {"skirmish_node_lost_total": "0 5x4", "process_start_time_seconds": "7x5"},
                                 {"skirmish_node_lost_total": "0 5x4", "process_start_time_seconds": "7 8x4"}),
    "SkirmishAnswersAreSlow": (11, {'skirmish_ack_seconds_bucket{le="0.25"}': "0+97x11",
                                    'skirmish_ack_seconds_bucket{le="+Inf"}': "0+100x11",
                                    'skirmish_ack_seconds_bucket{le="1"}': "0+100x11"},
                               {'skirmish_ack_seconds_bucket{le="0.25"}': "0+100x11",
                                'skirmish_ack_seconds_bucket{le="+Inf"}': "0+100x11",
                                'skirmish_ack_seconds_bucket{le="1"}': "0+100x11"}),
    "SkirmishStoreQueueGrows": (1, {"skirmish_store_jobs_waiting": "4001x1"},
                                {"skirmish_store_jobs_waiting": "4000x1"}),
    "SkirmishWalGrows": (11, {"skirmish_store_wal_bytes": "300000000x11"},
                         {"skirmish_store_wal_bytes": "64000000x11"}),
    "SkirmishIsFull": (3, {'skirmish_net_refused_total{check="full"}': "0+1x3"},
                       {'skirmish_net_refused_total{check="address"}': "0+1x3"}),
    "SkirmishFilesRunOut": (2, {"process_open_fds": "900x2", "process_max_fds": "1000x2"},
                            {"process_open_fds": "700x2", "process_max_fds": "1000x2"}),
    "SkirmishReadsAreRefused": (8, {'skirmish_limited_total{option="reads-max"}': "0+1x8"},
                                {'skirmish_limited_total{option="reads-per-address"}': "0+1x8"}),
    "SkirmishOutboxIsFull": (3, {'skirmish_limited_total{option="outbox-total-max"}': "0+1x3"},
                             {'skirmish_limited_total{option="outbox-max"}': "0+1x3"}),
    "SkirmishBotsFail": (12, {'skirmish_bot_failures_total{error="http_timeout"}': "0+6x12",
                              "skirmish_bot_answers_total": "0+10x12"},
                         {'skirmish_bot_failures_total{error="http_timeout"}': "0+4x12",
                          "skirmish_bot_answers_total": "0+10x12"}),
    "SkirmishLoadingTakesLong": (6, {"skirmish_matches_loading": "3x6"}, {"skirmish_matches_loading": "3x3 0x3"}),
    "SkirmishDrainForgotten": (121, {"skirmish_is_draining": "1x121"}, {"skirmish_is_draining": "1x60 0 1x60"}),
}


def labelled(series):
    """The series with the labels that Prometheus adds to what it asks for."""
    name, _, labels = series.partition("{")
    return ",".join(filter(None, (f'{name}{{job="skirmish",instance="one:9777"', labels.rstrip("}")))) + "}"


class Prometheus(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        unpack()
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())

    def promtool(self, *arguments, **how):
        done = subprocess.run([program("promtool"), *arguments], capture_output=True, text=True, check=False, **how)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def written(self, name, value):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)
        return path

    def test_the_metrics_are_well_formed(self):
        with Daemon() as daemon:
            self.promtool("check", "metrics", input=daemon.get("/metrics", port=daemon.metrics_port).body.decode())

    def test_the_dashboard_asks_what_can_be_asked(self):
        with open(DASHBOARD, encoding="utf-8") as file:
            text = [target["expr"] for panel in json.load(file)["panels"] for target in panel["targets"]]
        asked = [re.sub(r"\$\w+", lambda name: VARIABLES[name.group()], one) for one in text]
        self.assertGreater(len(asked), 30)
        rules = [{"record": f"panel:{number}", "expr": one} for number, one in enumerate(asked)]
        self.promtool("check", "rules", self.written("panels.json", {"groups": [{"name": "all", "rules": rules}]}))

    def test_alerts_fire_when_they_should(self):
        with open(RULES, encoding="utf-8") as file:
            rules = [rule["alert"] for group in yaml.safe_load(file)["groups"] for rule in group["rules"]]
        self.assertEqual(list(FIRES), rules)
        self.promtool("check", "rules", RULES)
        cases = []
        for alert, (minute, *groups) in FIRES.items():
            firing = f'count(ALERTS{{alertname="{alert}",alertstate="firing"}})'
            for series, samples in zip(groups, ([{"labels": "{}", "value": 1}], [])):
                cases.append({
                    "interval": "1m",
                    "input_series": [{"series": labelled(name), "values": values} for name, values in series.items()],
                    "promql_expr_test": [{"expr": firing, "eval_time": f"{minute}m", "exp_samples": samples}]})
        self.promtool("test", "rules", self.written(
            "cases.json", {"rule_files": [RULES], "evaluation_interval": "15s", "tests": cases}))


if __name__ == "__main__":
    unittest.main()
