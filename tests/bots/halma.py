#!/usr/bin/python3
"""A halma player as a web service: python3 halma.py PORT.

It receives the board as JSON and answers with one move: the step or chain of jumps that brings a piece
furthest towards an empty destination, or else one that makes room.
"""

import json
import random
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def square(point):
    return point["x"], point["y"]


def paths(piece, start, taken, size):
    """Every square that the piece can reach, with the shortest path."""
    def is_free(cell):
        return 0 <= cell[0] < size and 0 <= cell[1] < size and (cell not in taken or cell == start)

    x, y = start
    found = {(x + dx, y + dy): [(x + dx, y + dy)] for dx, dy in AROUND if is_free((x + dx, y + dy))}
    if piece["damage"] > 0:
        return found
    waiting = [(start, [])]
    seen = {start}
    for (x, y), way in waiting:
        for dx, dy in AROUND:
            over, landing = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if over in taken and over != start and landing not in seen and is_free(landing):
                seen.add(landing)
                found[landing] = way + [landing]
                waiting.append((landing, found[landing]))
    return found


def choose(board):
    own = {square(piece) for piece in board["pieces"]}
    taken = own | {square(piece) for piece in board["enemy"]}
    goals = {square(cell) for cell in board["destinations"]}
    empty = goals - taken or goals - own or goals

    def far(cell):
        return min(max(abs(cell[0] - x), abs(cell[1] - y)) for x, y in empty)

    best, best_value = None, None
    for piece in board["pieces"]:
        start = square(piece)
        for end, way in paths(piece, start, taken, board["boardSize"]).items():
            value = far(start) - far(end) + random.random() / 2
            if start in goals:
                value -= 0.9 if end in goals else 4
            elif far(start) > 6:
                value += 0.4  # nobody stays behind
            if best is None or value > best_value:
                best, best_value = (start, way), value
    if best is None:  # nothing can move: hold
        start = square(board["pieces"][0])
        best = start, [start]
    start, way = best
    return {"from": {"x": start[0], "y": start[1]}, "to": [{"x": x, "y": y} for x, y in way]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        board = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps(choose(board)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"listening on {server.server_address[1]}", flush=True)
    server.serve_forever()
