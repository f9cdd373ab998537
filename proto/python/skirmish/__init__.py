"""Skirmish for Python: play on a server, or with the rules of the server in your process."""

from .bot import Bot
from .client import Client, Match, Refusal, View
from .environment import Batch, ParallelEnv, parallel_env
from .referee import DRAWN, RUNNING, SPECTATOR, WON, Game, Referee, SkirmishError

__all__ = ["Batch", "Bot", "Client", "DRAWN", "Game", "Match", "ParallelEnv", "RUNNING", "Referee", "Refusal",
           "SPECTATOR", "SkirmishError", "View", "WON", "parallel_env"]
