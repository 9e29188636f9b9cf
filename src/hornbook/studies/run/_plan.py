"""The order of work: one fold of all learners, then the next; and what a budget allows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from hornbook.studies.run._records import Record

__all__ = ["Key", "Plan"]

Key = tuple[str, int, int]


class Plan:
    """Which fold of which learner comes next.

    Every learner finishes the first fold before any starts the second, so that an interrupted study compares
    all of them and a forecast is available early; after that, only slow ones run a few folds ahead. A learner
    that fails is not fitted again: it cannot be ranked.

    Parameters
    ----------
    names : sequence of str
        The learners.
    cv, repeats : int
        Folds in one repeat, and repeats.
    records : iterable of Record
        What earlier runs have finished.
    workers : int
        How many folds run at the same time.
    budget : float, optional
        Seconds for all fits.
    """

    def __init__(
        self,
        names: Sequence[str],
        cv: int,
        repeats: int,
        records: Iterable[Record],
        workers: int,
        budget: float | None,
    ) -> None:
        self.names, self.cv, self.repeats, self.workers = list(names), cv, repeats, workers
        self.budget = budget
        self.failed: dict[str, Record] = {}
        self._records: dict[Key, Record] = {}
        self._spent = dict.fromkeys(names, 0.0)
        self._finished = dict.fromkeys(names, 0)
        self._queue = deque(self._keys())
        self._ordered = False
        for record in records:
            if record.learner in self._spent and record.repeat < repeats and record.fold < cv:
                self.learn(record)

    def _keys(self) -> Iterator[Key]:
        """All folds of all learners, in the order of work."""
        for repeat in range(self.repeats):
            for fold in range(self.cv):
                for name in self.names:
                    yield name, repeat, fold

    def learn(self, record: Record) -> None:
        """Register a finished fold."""
        self._records[record.key] = record
        self._finished[record.learner] += 1
        self._spent[record.learner] += record.fit_seconds + record.predict_seconds
        earlier = self.failed.get(record.learner)
        # The earliest failure counts, whichever worker reports first: the outcome must not depend on timing.
        if record.kind != "done" and (earlier is None or record.key < earlier.key):
            self.failed[record.learner] = record

    def next(self) -> Key | None:
        """Return the next fold to do; None if there is none now."""
        if not self._ordered and self.first_fold_done:
            self._order()
        while self._queue:
            key = self._queue[0]
            if self.budget is not None and key[1:] != (0, 0) and not self.first_fold_done:
                return None  # a budget is divided by forecasts, which need one fold of every learner
            self._queue.popleft()
            if key not in self._records and key[0] not in self.failed:
                return key
        return None

    def _order(self) -> None:
        """Let slow learners run some folds ahead, so that no worker idles at the end."""
        self._ordered = True
        if self.workers == 1:
            return
        seconds = {name: self.seconds(name) for name in self.names}
        # Slow: one fit takes over half of what all learners together take of a worker's time in one fold.
        slow = sum(seconds.values()) / (2 * self.workers)
        ahead = {name: self.workers if seconds[name] > slow else 0 for name in self.names}
        self._queue = deque(
            sorted(self._queue, key=lambda key: (key[1] * self.cv + key[2] - ahead[key[0]], -seconds[key[0]]))
        )

    @property
    def first_fold_done(self) -> bool:
        """Whether every learner has finished the first fold."""
        return all((name, 0, 0) in self._records for name in self.names)

    @property
    def total(self) -> int:
        """Number of folds: of failed learners only those up to the failure."""
        return sum(self._folds_of(name) for name in self.names)

    def _folds_of(self, name: str) -> int:
        failed = self.failed.get(name)
        return self.cv * self.repeats if failed is None else failed.repeat * self.cv + failed.fold + 1

    @property
    def done(self) -> int:
        """Number of finished folds."""
        return sum(min(self._finished[name], self._folds_of(name)) for name in self.names)

    @property
    def counted(self) -> dict[Key, Record]:
        """Records that count: of a learner that failed, none of later folds that were running as well."""
        records = {}
        for key in self._keys():
            failed = self.failed.get(key[0])
            if key in self._records and (failed is None or key <= failed.key):
                records[key] = self._records[key]
        return records

    def seconds(self, name: str) -> float:
        """Mean time of one fold of a learner."""
        return self._spent[name] / max(self._finished[name], 1)

    @property
    def seconds_left(self) -> float | None:
        """Forecast of the remaining time; None before every learner has finished the first fold."""
        return self._forecast(self.names, self.repeats) if self.first_fold_done else None

    def _forecast(self, names: Sequence[str], repeats: int) -> float:
        per_learner = self.cv * repeats
        left = {name: max(per_learner - self._finished[name], 0) for name in names if name not in self.failed}
        return sum(folds * self.seconds(name) for name, folds in left.items()) / self.workers

    def economize(self, seconds_left: float, always: str, say: Callable[[str], None]) -> dict[str, str]:
        """Keep to the budget: reduce repeats first, then drop the slowest learners.

        Parameters
        ----------
        seconds_left : float
            What is left of the budget.
        always : str
            The learner that is never left out.
        say : function
            Takes a sentence about each decision, before it takes effect.

        Returns
        -------
        dict of str to str
            The learners that are left out, and why.
        """
        forecast = self._forecast(self.names, self.repeats)
        if forecast <= seconds_left:
            return {}
        asked = self.repeats
        while self.repeats > 1 and self._forecast(self.names, self.repeats) > seconds_left:
            self.repeats -= 1
        if self.repeats < asked:
            say(
                f"budget: the remaining folds would take about {forecast:.3g} s, and {seconds_left:.3g} s "
                f"are left; repeats are reduced from {asked} to {self.repeats}"
            )
        out: dict[str, str] = {}
        slowest = sorted(self.names, key=self.seconds, reverse=True)
        for name in [name for name in slowest if name != always]:
            if self._forecast(self.names, self.repeats) <= seconds_left:
                break
            spent = self._forecast([name], self.repeats)
            out[name] = f"Its folds would take about {spent:.3g} s, which the budget does not allow."
            say(f"budget: {name} is left out, because its folds would take about {spent:.3g} s")
            self.names.remove(name)
        self._queue, self._ordered = deque(self._keys()), False
        return out
