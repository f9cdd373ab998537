"""Skirmish for Python: the rules of the server, in your process."""

from .referee import DRAWN, RUNNING, SPECTATOR, WON, Game, Referee, SkirmishError

__all__ = ["DRAWN", "RUNNING", "SPECTATOR", "WON", "Game", "Referee", "SkirmishError"]
