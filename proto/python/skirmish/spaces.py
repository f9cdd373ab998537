"""What actions and observations can be: small classes with the usual attributes."""

import random
from operator import index
from typing import Any, List, Optional, Sequence, Tuple


class Space:
    """`sample` draws from it, `contains` asks, `seed` makes draws repeatable."""

    shape: Tuple[int, ...] = ()
    dtype = "int32"

    def __init__(self, seed: Optional[int] = None) -> None:
        self._random = random.Random(seed)

    def seed(self, seed: Optional[int] = None) -> None:
        self._random = random.Random(seed)

    def sample(self, mask: Optional[Sequence[int]] = None) -> Any:
        raise NotImplementedError

    def contains(self, x: Any) -> bool:
        raise NotImplementedError

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)

    def _key(self) -> Tuple[Any, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Space) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._key()}"


class Discrete(Space):
    """0 to n - 1."""

    def __init__(self, n: int, seed: Optional[int] = None) -> None:
        super().__init__(seed)
        self.n = n

    def sample(self, mask: Optional[Sequence[int]] = None) -> int:
        if mask is None:
            return self._random.randrange(self.n)
        allowed = [place for place, bit in enumerate(mask) if bit]
        return self._random.choice(allowed) if allowed else 0

    def contains(self, x: Any) -> bool:
        try:
            return 0 <= index(x) < self.n
        except TypeError:
            return False

    def _key(self) -> Tuple[Any, ...]:
        return (self.n,)


class MultiDiscrete(Space):
    """A list of numbers, each with its own bound.  A mask holds for every one of them."""

    def __init__(self, nvec: Sequence[int], seed: Optional[int] = None) -> None:
        super().__init__(seed)
        self.nvec = tuple(nvec)
        self.shape = (len(self.nvec),)

    def sample(self, mask: Optional[Sequence[int]] = None) -> List[int]:
        if mask is None:
            return [self._random.randrange(n) for n in self.nvec]
        allowed = [place for place, bit in enumerate(mask) if bit] or [0]
        return [self._random.choice(allowed) for _ in self.nvec]

    def contains(self, x: Any) -> bool:
        try:
            return len(x) == len(self.nvec) and all(0 <= int(value) < n for value, n in zip(x, self.nvec))
        except (TypeError, ValueError):
            return False

    def _key(self) -> Tuple[Any, ...]:
        return (self.nvec,)


class Box(Space):
    """A row of numbers, each between its bounds."""

    def __init__(self, low: Sequence[int], high: Sequence[int], seed: Optional[int] = None) -> None:
        super().__init__(seed)
        self.low = tuple(low)
        self.high = tuple(high)
        self.shape = (len(self.low),)

    def sample(self, mask: Optional[Sequence[int]] = None) -> List[int]:
        return [self._random.randint(low, high) for low, high in zip(self.low, self.high)]

    def contains(self, x: Any) -> bool:
        try:
            return len(x) == len(self.low) and all(
                low <= value <= high for low, value, high in zip(self.low, x, self.high))
        except TypeError:
            return False

    def _key(self) -> Tuple[Any, ...]:
        return (self.low, self.high)
