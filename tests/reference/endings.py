"""How a match of two seats ends by resignation, abandoning or agreement, and the answers of a finished match.

Written from the rules alone, like the references that use it.
"""

from forms import SEATS

LEAVING = {"resign": "resignation", "abandon": "abandoned"}
ENDING_REASONS = ("resignation", "abandoned", "draw_resigned", "draw_agreed")

# As the coverage of a comparison names them.
ENDING_OUTCOMES = ("0 resignation", "1 resignation", "0 abandoned", "1 abandoned", "draw_resigned", "draw_agreed")


def all_match_over(commands):
    return [[{"verdict": "match_over"} for _ in given] for given in commands]


def find_leaving(given):
    """The index of the command by which this seat leaves, or None.

Its own command comes before the host's, so that the order of the list does not matter.
    """
    for kind in ("resign", "abandon"):
        for index, command in enumerate(given):
            if command["kind"] == kind:
                return index
    return None


def find_leaver_reason(given):
    index = find_leaving(given)
    return None if index is None else LEAVING[given[index]["kind"]]


def find_agreed_ending(commands):
    """The outcome when a seat leaves or both agree; leaving comes first."""
    reasons = [find_leaver_reason(given) for given in commands]
    if reasons[0] is not None and reasons[1] is not None:
        return {"winner": None, "reason": "draw_resigned"}
    for seat in SEATS:
        if reasons[seat] is not None:
            return {"winner": 1 - seat, "reason": reasons[seat]}
    if any(command["kind"] == "agree_draw" for given in commands for command in given):
        return {"winner": None, "reason": "draw_agreed"}
    return None


def verdicts_of_ending(commands):
    """Of each seat only the command that ended the match is ok."""
    somebody_leaves = any(find_leaving(given) is not None for given in commands)
    verdicts = all_match_over(commands)
    for seat, given in enumerate(commands):
        kinds = [command["kind"] for command in given]
        if somebody_leaves:
            taken = find_leaving(given)
        else:
            taken = kinds.index("agree_draw") if "agree_draw" in kinds else None
        if taken is not None:
            verdicts[seat][taken] = {"verdict": "ok"}
    return verdicts
