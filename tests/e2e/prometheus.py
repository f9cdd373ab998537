"""A strict reader of Prometheus' text format: anything that it does not allow is an error."""

import re

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
SAMPLE = re.compile(r"(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(?P<labels>.*)\})? (?P<value>\S+)")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)')


class Family:

    def __init__(self, name, kind):
        self.name, self.kind, self.samples = name, kind, {}

    def owns(self, name):
        suffixes = ("_bucket", "_sum", "_count") if self.kind == "histogram" else ("",)
        return any(name == self.name + suffix for suffix in suffixes)


def read_labels(text):
    labels, at = {}, 0
    while at < len(text):
        found = LABEL.match(text, at)
        assert found, f"labels {text!r} at {at}"
        assert found.group(1) not in labels, f"label {found.group(1)} twice in {text!r}"
        labels[found.group(1)] = found.group(2)
        at = found.end()
    return labels


def check_histogram(family):
    series = {}
    for (name, labels), value in family.samples.items():
        rest = frozenset(label for label in labels if label[0] != "le")
        le = dict(labels).get("le")
        assert (le is not None) == name.endswith("_bucket"), name
        series.setdefault(rest, {})[le or name] = value
    for values in series.values():
        count = values.pop(family.name + "_count")
        total = values.pop(family.name + "_sum")
        bounds = [float(le) for le in values]
        counts = list(values.values())
        assert bounds == sorted(set(bounds)) and bounds[-1] == float("inf"), bounds
        assert counts == sorted(counts), f"{family.name}: buckets are cumulative: {counts}"
        assert counts[-1] == count, f"{family.name}: +Inf is the count"
        assert total >= 0 and (total > 0 or count == counts[0]), family.name


def check_family(family):
    assert NAME.fullmatch(family.name)
    assert family.kind in ("counter", "gauge", "histogram"), family.kind
    assert (family.kind == "counter") == family.name.endswith("_total"), family.name
    if family.kind == "histogram":
        assert family.name.endswith("_seconds"), family.name
        check_histogram(family)
    for word in ("_ms", "_us", "_milliseconds", "_kib", "_kb"):
        assert not family.name.removesuffix("_total").endswith(word), f"{family.name}: no base unit"
    for value in family.samples.values():
        assert family.kind == "gauge" or value >= 0, family.name


def parse(text):
    """Name -> Family."""
    assert text.endswith("\n")
    families, current, helped = {}, None, None
    for line in text.splitlines():
        assert line == line.strip() and line, repr(line)
        if line.startswith("# HELP "):
            name, _, told = line[7:].partition(" ")
            assert name not in families, f"{name} has two helps"
            assert told, f"{name} has no help"
            helped = name
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            assert name == helped, f"the type of {name} follows the help of {helped}"
            current = families[name] = Family(name, kind)
        else:
            found = SAMPLE.fullmatch(line)
            assert found, repr(line)
            name = found.group("name")
            assert current and current.owns(name), f"{name} stands among those of another family"
            labels = tuple(sorted(read_labels(found.group("labels") or "").items()))
            assert (name, labels) not in current.samples, f"{line} is there twice"
            current.samples[name, labels] = float(found.group("value"))
    for family in families.values():
        check_family(family)
    return families
