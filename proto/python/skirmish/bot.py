"""A bot from one function, as a client of a server or as a web service that servers call.

    def on_turn(view, hints):
        return [random.choice(hints)]

    Bot(on_turn, "tactics").run()
"""

import argparse
import asyncio
import hashlib
import hmac
import inspect
import json
import logging
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Awaitable, Dict, List, Optional, Sequence, Tuple, Union

from .client import URL, Client, Commands, Match, OnDraw, OnTurn, Refusal, View

QUESTION_MAX = 16 * 1024 * 1024
SIGNATURE_AGE_MAX_S = 300

_log = logging.getLogger("skirmish")


class _Asked(Match):
    """The match of a web service's question, as far as that says it."""

    def __init__(self, ruleset: str, question: Dict[str, Any]) -> None:
        self.number = int(question.get("match", 0))
        self.seat = question.get("seat")
        self.ruleset = ruleset
        self.verdicts = (question.get("last") or {}).get("verdicts") or []


class _Bad(Exception):
    """The request is answered with this status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Bot:
    """`on_turn(view, hints)` returns the commands of a turn; it may be a coroutine.

    `rulesets` are those that it plays.  A subclass may define the methods `on_turn` and `on_draw`
    instead.  A match with many seats, or a draw that is offered, needs nothing else.
    """

    def __init__(self, on_turn: Optional[OnTurn] = None, *rulesets: str, on_draw: Optional[OnDraw] = None,
                 name: Optional[str] = None) -> None:
        self._on_turn = on_turn
        self._on_draw = on_draw
        self.rulesets: Tuple[str, ...] = rulesets
        self.name = name

    def on_turn(self, view: View, hints: Commands) -> Union[Commands, Awaitable[Commands]]:
        if self._on_turn is None:
            raise NotImplementedError("a bot needs on_turn")
        return self._on_turn(view, hints)

    def on_draw(self, view: View) -> bool:
        """Whether the draw that the opponent offers is accepted."""
        return self._on_draw(view) if self._on_draw is not None else False

    # ---- as a client ----

    def client(self, url: str = URL, **how: Any) -> Client:
        how = {"name": self.name, "patient": True, **how}
        return Client(url, on_turn=self.on_turn, on_draw=self.on_draw, **how)

    async def play(self, url: str = URL, *, ruleset: Optional[str] = None, params: Optional[Dict[str, Any]] = None,
                   against: Optional[str] = None, match: Optional[int] = None, code: Optional[str] = None,
                   games: int = 1, show: bool = False, **how: Any) -> List[Match]:
        """Plays `games` matches: joins `match` or `code`, or plays `against` a level, or waits in the queue."""
        played: List[Match] = []
        client = self.client(url, **how)
        await client.open()
        try:
            while len(played) < games:
                if match is not None or code is not None:
                    now = await client.join(match, code=code)
                elif against is not None:
                    now = await self._create(client, ruleset or self.rulesets[0], params, against)
                else:
                    now = await client.queue(ruleset or self.rulesets[0], params)
                if show:
                    print(f"match {now.number}: seat {now.seat}", flush=True)
                over = await now.result
                played.append(now)
                if show:
                    won = "nobody won" if over["winner"] is None else "won" if now.has_won else "lost"
                    print(f"match {now.number}: {won} ({over['reason']})", flush=True)
        finally:
            await client.close()
        return played

    @staticmethod
    async def _create(client: Client, ruleset: str, params: Optional[Dict[str, Any]], against: str) -> Match:
        """If the connection is lost meanwhile, the match may be there: one that is newer than all before."""
        async def newest() -> int:
            rows = (await client.request("list", ruleset=ruleset, mine=True))["matches"]
            return int(rows[0]["id"]) if rows else 0

        last = max(client.matches) if client.matches else await newest()
        while True:
            try:
                return await client.create(ruleset, params, against=against)
            except Refusal as refusal:
                if refusal.code != "connection_lost":
                    raise
            number = await newest()
            if number > last:
                return await client.follow(number)

    # ---- as a web service ----

    def answer(self, ruleset: str, question: Dict[str, Any]) -> Any:
        """The answer to the question of a server.

        Halma has a form of its own: there the view is the whole question, there are no hints, and
        what on_turn returns is the whole answer.
        """
        is_own = "view" not in question
        view = View(question if is_own else question["view"], _Asked(ruleset, question))
        chosen = self.on_turn(view, [] if is_own else question["hints"])
        if inspect.isawaitable(chosen):
            chosen = asyncio.run(_await(chosen))
        return chosen if is_own else {"commands": chosen}

    def service(self, port: int = 0, address: str = "127.0.0.1", secret: Optional[str] = None) -> ThreadingHTTPServer:
        """A server that is not started yet: serve_forever() starts it."""
        bot = self

        class Handler(_Handler):
            def handle_question(self, body: bytes) -> Any:
                if secret is not None:
                    check_signature(secret, dict(self.headers.items()), body)
                try:
                    question = json.loads(body)
                except ValueError as error:
                    raise _Bad(400, "the body is not JSON") from error
                if not isinstance(question, dict) or ("view" in question) != ("hints" in question):
                    raise _Bad(400, "the body is not a question")
                return bot.answer(self.headers.get("X-Skirmish-Ruleset", ""), question)

            def about(self) -> Any:
                return {"rulesets": list(bot.rulesets)}

        server = ThreadingHTTPServer((address, port), Handler)
        server.daemon_threads = True
        return server

    # ---- as a program ----

    def run(self, arguments: Optional[Sequence[str]] = None) -> None:
        """Does what the command line says: --help explains it."""
        options = self._parse(arguments)
        logging.basicConfig(format="%(message)s")
        if options.rulesets:
            print("\n".join(self.rulesets))
        elif options.http is not None:
            server = self.service(options.http, options.address, os.environ.get("SKIRMISH_SECRET"))
            print(f"listening on http://{options.address}:{server.server_address[1]}/", flush=True)
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                pass
        else:
            try:
                self._summarize(asyncio.run(self._play_options(options)))
            except KeyboardInterrupt:
                pass
            except (Refusal, OSError) as error:
                sys.exit(str(error))

    def _parse(self, arguments: Optional[Sequence[str]]) -> argparse.Namespace:
        parser = argparse.ArgumentParser(description="A bot for Skirmish. Without --join, --code or --against it "
                                                     "waits in the queue for the next player.")
        parser.add_argument("--url", default=URL, help=f"the server ({URL})")
        parser.add_argument("--ruleset", help=f"what to play ({', '.join(self.rulesets)})")
        parser.add_argument("--params", type=json.loads, metavar="JSON", help="of the matches")
        parser.add_argument("--against", metavar="LEVEL", help="play against random, greedy or search")
        parser.add_argument("--join", type=int, metavar="ID", help="join this match, or continue it")
        parser.add_argument("--code", help="join the private match of this code")
        parser.add_argument("--games", type=int, default=1, metavar="N", help="how many matches (1)")
        parser.add_argument("--name", default=self.name, help="of the player (a guest)")
        parser.add_argument("--token-file", metavar="FILE", help="to come back as the same player")
        parser.add_argument("--http", type=int, metavar="PORT", help="be a web service instead; 0 = any port")
        parser.add_argument("--address", default="127.0.0.1", help="of the web service (127.0.0.1)")
        parser.add_argument("--rulesets", action="store_true", help="only print what it plays")
        options = parser.parse_args(arguments)
        if not (options.ruleset or self.rulesets or options.join or options.code or options.http is not None):
            parser.error("needs --ruleset")
        return options

    async def _play_options(self, options: argparse.Namespace) -> List[Match]:
        how: Dict[str, Any] = {"name": options.name}
        if options.token_file and os.path.exists(options.token_file):
            with open(options.token_file, encoding="ascii") as file:
                how = {"token": file.read().strip()}
        elif options.token_file:
            client = Client(options.url, name=options.name)
            await client.open()
            await client.close()
            with open(os.open(options.token_file, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
                file.write(f"{client.token}\n")
            how = {"token": client.token}
        return await self.play(options.url, ruleset=options.ruleset, params=options.params, against=options.against,
                               match=options.join, code=options.code, show=True,
                               games=1 if options.join or options.code else options.games, **how)

    @staticmethod
    def _summarize(played: List[Match]) -> None:
        if len(played) > 1:
            drawn = sum(match.result.result()["winner"] is None for match in played)
            won = sum(match.has_won for match in played)
            print(f"won {won} of {len(played)}, drawn {drawn}")


async def _await(work: Awaitable[Any]) -> Any:
    return await work


def check_signature(secret: str, headers: Dict[str, str], body: bytes) -> None:
    """Raises unless the request comes from the server that knows the secret, and is not old."""
    known = {name.lower(): value for name, value in headers.items()}
    stamp = known.get("x-skirmish-timestamp", "")
    wanted = "sha256=" + hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    is_fresh = stamp.isascii() and stamp.isdigit() and abs(time.time() - int(stamp)) <= SIGNATURE_AGE_MAX_S
    if not is_fresh or not hmac.compare_digest(wanted.encode(), known.get("x-skirmish-signature", "").encode()):
        raise _Bad(403, "the signature is not valid")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 60

    def handle_question(self, body: bytes) -> Any:
        raise NotImplementedError

    def about(self) -> Any:
        raise NotImplementedError

    def do_GET(self) -> None:
        self._send(200, self.about())

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or int(length) > QUESTION_MAX:
            self.close_connection = True
            self._send(413 if length.isdigit() else 411, {"error": "the length of the body is missing or too large"})
            return
        body = self.rfile.read(int(length))
        try:
            self._send(200, self.handle_question(body))
        except _Bad as bad:
            self._send(bad.status, {"error": str(bad)})
        except Exception:
            _log.exception("the bot failed")
            self._send(500, {"error": "the bot failed"})

    def _send(self, status: int, value: Any) -> None:
        text = json.dumps(value).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
        except ConnectionError:
            self.close_connection = True

    def log_message(self, *_: Any) -> None:
        pass
