"""A second implementation of the rules' random numbers: ChaCha20 (RFC 8439's block function), keyed by the
match's seed.

A stream belongs to one stage of one turn.  Its blocks are numbered from 0 in
word 12; word 13 is the turn, word 14 the stage's label, word 15 is 0.
"""

import struct

MASK = 0xFFFFFFFF
CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)  # "expand 32-byte k"
ROUNDS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
          (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def make_block(words):
    """Sixteen words out of sixteen."""
    x = list(words)
    for _ in range(10):
        for a, b, c, d in ROUNDS:
            for first, second, third, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[first] = (x[first] + x[second]) & MASK
                mixed = x[third] ^ x[first]
                x[third] = (mixed << by | mixed >> 32 - by) & MASK
    return [(one + other) & MASK for one, other in zip(x, words)]


class Stream:
    """Numbers below a bound, all with the same probability."""

    def __init__(self, seed, turn, label):
        """`seed` is hex digits; a short one is filled up with zeros."""
        key = struct.unpack("<8I", bytes.fromhex(seed).ljust(32, b"\0"))
        self.head = CONSTANTS + key
        self.tail = (turn, label, 0)
        self.blocks = 0
        self.words = []

    def next(self):
        if not self.words:
            self.words = make_block((*self.head, self.blocks, *self.tail))
            self.blocks += 1
        return self.words.pop(0)

    def below(self, bound):
        """Words below 2^32 modulo the bound would favour small numbers and are drawn again."""
        unfair = 2 ** 32 % bound
        word = self.next()
        while word < unfair:
            word = self.next()
        return word % bound
