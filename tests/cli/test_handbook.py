"""What deploy/ gives to operators fits the programs: alerts, dashboard, incidents, packages, compose.yaml."""

import ipaddress
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import yaml

from skirmish import PROGRAM, TIME_LIMIT_S

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
README = (DEPLOY / "README.md").read_text(encoding="utf-8")
# e2e's test_41_metrics compares this table with what the daemon sends.
METRICS = dict(re.findall(r"^\| `((?:skirmish|process)_\w+)` \| (.*) \|$", README, re.M))
# Of Prometheus itself.
OTHER_LABELS = {"job", "instance", "le"}


def alerts():
    rules = yaml.safe_load((DEPLOY / "monitoring/alerts.yaml").read_text(encoding="utf-8"))
    return [rule for group in rules["groups"] for rule in group["rules"]]


def expressions():
    """(place, PromQL) of every alert and every panel."""
    for rule in alerts():
        yield rule["alert"], rule["expr"]
    dashboard = json.loads((DEPLOY / "monitoring/dashboard.json").read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]
    for variable in dashboard["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["name"], variable["query"]["query"]


def row_of(metric):
    """The row of the metric, or of the histogram whose series it is."""
    return METRICS.get(metric) or METRICS.get(re.sub("_(bucket|sum|count)$", "", metric))


class Monitoring(unittest.TestCase):

    def test_every_metric_and_label_exists(self):
        asked = list(expressions())
        self.assertGreater(len(asked), 40)
        for place, text in asked:
            found = re.findall(r"((?:skirmish|process)_\w+)(?:\{([^}]*)\})?", text)
            self.assertTrue(found or text.startswith("up{"), place)
            for metric, labels in found:
                self.assertIsNotNone(row_of(metric), f"{place}: {metric}")
                for label in set(re.findall(r'(\w+)=~?"', labels)) - OTHER_LABELS:
                    self.assertIn(f"`{label}`", row_of(metric), f"{place}: {metric}")

    def test_every_option_that_an_alert_names_exists(self):
        named = {option for _, text in expressions() for options in re.findall(r'option=~?"([^"$]+)"', text)
                 for option in options.split("|")}
        self.assertTrue(named)
        known = set(re.findall(r"^#([a-z-]+) =", (DEPLOY / "skirmishd.conf").read_text(encoding="utf-8"), re.M))
        self.assertLessEqual(named, known)

    def test_what_the_table_of_metrics_says_to_alert_on_has_an_alert(self):
        wanted = {metric for metric, text in METRICS.items() if "Alert " in text}
        self.assertTrue(wanted)
        asked = " ".join(rule["expr"] for rule in alerts())
        self.assertEqual({metric for metric in wanted if metric not in asked}, set())

    def test_every_alert_has_an_incident_and_every_incident_an_alert(self):
        names = [rule["alert"] for rule in alerts()]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(re.findall(r"^\| `(Skirmish\w+)` \|", README, re.M), names)
        for rule in alerts():
            self.assertLessEqual({"alert", "expr", "labels", "annotations"}, set(rule), rule)
            self.assertIn(rule["labels"]["severity"], ("page", "ticket"))
            self.assertTrue(rule["annotations"]["summary"])


class Capacity(unittest.TestCase):

    def test_its_figures_are_the_measured_ones(self):
        measured = (ROOT / "tests/bench/README.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| ([\d,]+) \| daemon \| [\d,]+ \| ([\d.]+) \+ ([\d.]+) \|.*\| (\d[\d ]+) \|$",
                          measured, re.M)
        counts = ", ".join(row[0] for row in rows)
        rates = [[int(rate) for rate in row[3].split()] for row in rows]
        cpu = [round(float(row[1]) + float(row[2])) for row in rows]
        [memory] = re.findall(r"^\| at most 9 KiB per idle match.*?\| ([\d.]+) \|", measured, re.M)
        told = dict(re.findall(r"^\| (.*?) \| (.*) \|$", README, re.M))
        for label, figure in (
                (f"turns per second over a minute at {counts} matches that never pause",
                 ", ".join(f"{round(sum(rate) / len(rate), -2):,.0f}" for rate in rates)),
                ("CPU per turn, the loop and the storage thread", f"{min(cpu)} to {max(cpu)} us"),
                ("memory of an idle match with its two connections", f"{float(memory):.0f} KiB")):
            self.assertEqual(told.get(label), figure, label)


class Packages(unittest.TestCase):

    def test_what_they_need_to_be_built_is_what_install_deps_installs(self):
        listed = subprocess.run([DEPLOY / "install-deps", "--package", "--list"], check=True, capture_output=True,
                                text=True).stdout.split()
        control = (DEPLOY / "debian/control").read_text(encoding="utf-8")
        listing = re.search(r"Build-Depends:\n(.*?)^\S", control, re.S | re.M).group(1)
        needed = re.findall(r"^ ([a-z0-9.+-]+)", listing, re.M)
        self.assertGreater(len(needed), 10)
        virtual = {"debhelper-compat", "dh-sequence-installsysusers", "dh-sequence-python3", "python3"}
        self.assertEqual(set(needed) - virtual - set(listed), set())
        libraries = {name for name in listed if name.startswith("lib") and name != "libc6-dev"}
        self.assertEqual(libraries - set(needed), set())


class Compose(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
        cls.services, cls.networks = composed["services"], composed["networks"]

    def test_the_nodes_have_options_that_exist_and_values_that_are_accepted(self):
        program = Path(PROGRAM).with_name("skirmishd")
        names = set()
        for name in ("one", "two"):
            command = self.services[name]["command"]
            self.assertEqual(command[command.index("--node") + 1], name)
            done = subprocess.run([program, "--check-config", *command], capture_output=True, text=True, check=False,
                                  timeout=TIME_LIMIT_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            names.add(command[command.index("--database") + 1])
            self.assertTrue(self.services[name]["read_only"])
        self.assertEqual(len(names), 1)
        self.assertIn("@database/skirmish", names.pop())

    def test_a_node_keeps_its_address_when_it_is_started_again(self):
        [subnet] = self.networks["inside"]["ipam"]["config"]
        addresses = {self.services[name]["networks"]["inside"]["ipv4_address"] for name in ("one", "two")}
        self.assertEqual(len(addresses), 2)
        for address in addresses:
            self.assertIn(ipaddress.ip_address(address), ipaddress.ip_network(subnet["subnet"]))

    def test_the_proxy_leads_to_the_nodes(self):
        shell, option, script = self.services["proxy"]["command"]
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder, "haproxy.cfg")
            script = script.replace("/etc/skirmish", str(DEPLOY / "cluster")).replace("/tmp/haproxy.cfg", str(made))
            script, _, start = script.partition(" && exec ")
            subprocess.run([shell, option, script], check=True)
            self.assertTrue(start.startswith("haproxy "))
            text = made.read_text(encoding="utf-8")
            self.assertEqual(re.findall(r"^ *bind (\S+)", text, re.M), [":7777"])
            self.assertEqual(re.findall(r"^ *server (\S+) (\S+)", text, re.M),
                             [("one", "one:7777"), ("two", "two:7777")])
            # Their names are known in the network of the containers only.
            made.write_text(re.sub(r"(server \w+) \w+:", r"\1 127.0.0.1:", text), encoding="utf-8")
            done = subprocess.run(["/usr/sbin/haproxy", "-c", "-f", made], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
