"""libskirmish through ctypes: its functions with their types, as skirmish.h has them."""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any, List, Optional

NAME = "libskirmish.so.0"


class Error(ctypes.Structure):
    """struct sk_error"""

    _fields_ = [("code", ctypes.c_char * 32), ("message", ctypes.c_char * 256), ("at", ctypes.c_char * 512)]


_TEXT: List[Any] = [POINTER(c_void_p), POINTER(c_size_t)]
_INT32 = POINTER(c_int32)

_FUNCTIONS = {
    "sk_library_version": (c_char_p, []),
    "sk_referee_new": (c_void_p, []),
    "sk_referee_close": (None, [c_void_p]),
    "sk_resolve": (c_int, [c_void_p, c_char_p, c_size_t, *_TEXT]),
    "sk_view": (c_int, [c_void_p, c_char_p, c_size_t, c_uint8, *_TEXT]),
    "sk_hints": (c_int, [c_void_p, c_char_p, c_size_t, c_uint8, *_TEXT]),
    "sk_rulesets": (c_int, [c_void_p, *_TEXT]),
    "sk_schema": (c_int, [c_void_p, c_char_p, c_uint32, *_TEXT]),
    "sk_params": (c_int, [c_void_p, c_char_p, c_uint32, c_char_p, c_size_t, *_TEXT]),
    "sk_game_new": (c_void_p, [c_char_p, c_uint32, c_char_p, c_size_t, c_uint32, c_uint32, c_uint32, POINTER(Error)]),
    "sk_game_free": (None, [c_void_p]),
    "sk_game_describe": (c_int, [c_void_p, *_TEXT]),
    "sk_game_action_shape": (c_size_t, [c_void_p, _INT32, c_size_t]),
    "sk_game_observe_shape": (c_size_t, [c_void_p, _INT32, c_size_t]),
    "sk_game_reset": (c_int, [c_void_p, c_uint32, c_char_p]),
    "sk_game_owing": (c_uint32, [c_void_p, c_uint32]),
    "sk_game_turn": (c_uint32, [c_void_p, c_uint32]),
    "sk_game_outcome": (c_int, [c_void_p, c_uint32]),
    "sk_game_observe": (c_int, [c_void_p, c_uint32, c_uint8, c_void_p]),
    "sk_game_view": (c_int, [c_void_p, c_uint32, c_uint8, *_TEXT]),
    "sk_game_hints": (c_int, [c_void_p, c_uint32, c_uint8, c_void_p, c_size_t]),
    "sk_game_hints_json": (c_int, [c_void_p, c_uint32, c_uint8, *_TEXT]),
    "sk_game_actions": (c_uint32, [c_void_p]),
    "sk_game_mask": (c_int, [c_void_p, c_uint32, c_uint8, c_void_p]),
    "sk_game_action_rows": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "sk_game_command_rows": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p, POINTER(Error)]),
    "sk_game_judge": (c_int, [c_void_p, c_uint32, c_uint8, c_void_p, c_void_p]),
    "sk_game_step": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p]),
    "sk_game_step_all": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_int]),
    "sk_game_play_all": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_int]),
    "sk_game_hash": (c_uint64, [c_void_p, c_uint32]),
    "sk_game_save": (c_size_t, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "sk_game_load": (c_int, [c_void_p, c_uint32, c_char_p, c_size_t]),
    "sk_proof_new": (c_void_p, [c_char_p, c_size_t]),
    "sk_proof_free": (None, [c_void_p]),
    "sk_proof_step": (c_int, [c_void_p, *_TEXT]),
}


def load(path: Optional[str] = None) -> ctypes.CDLL:
    """The library at `path`, else at $SKIRMISH_LIBRARY, else where the system finds it."""
    name = path or os.environ.get("SKIRMISH_LIBRARY") or NAME
    try:
        library = ctypes.CDLL(name)
    except OSError as error:
        raise OSError(f"{name} cannot be loaded: set SKIRMISH_LIBRARY to the path of {NAME}, "
                      f"in a checkout build/release/lib/{NAME} ({error})") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library
