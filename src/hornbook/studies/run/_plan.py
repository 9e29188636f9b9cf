"""The order of work: one fold of all learners, then the next; and what a budget allows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from hornbook.evaluation import looks_of
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies.report._numbers import seconds_text
from hornbook.studies.run._records import Record

__all__ = ["CLOSER_LOOK", "Key", "Plan", "looks_for"]

Key = tuple[str, int, int]
REPEATS, WITHOUT = "repeats", "without"  # what a plan consists of
CLOSER_LOOK = "closer look"  # at the recommended learner: the one thing besides learners that can be left out


def looks_for(settings: Settings, repeats: int) -> tuple[int, ...]:
    """After how many folds learners may be stopped; never in the order of time.

    Folds forward in time are trained on more and more rows: a learner that is worse with few rows may be the
    best with many.

    Parameters
    ----------
    settings : Settings
        The settings.
    repeats : int
        Repeats that are run.
    """
    return looks_of(settings.cv, repeats) if settings.race and settings.time is None else ()


class Plan:
    """Which fold of which learner comes next.

    Every learner finishes the first fold before any starts the second, so that an interrupted study compares
    all of them and a forecast is available early; after that, only slow ones run a few folds ahead. Of large
    tables, the first fold is forecast as well, and slow learners begin it. A learner that fails is not fitted
    again: it cannot be ranked. Nor is one that a race has stopped.

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
        self.stopped: dict[str, int] = {}
        self.left_out: dict[str, str] = {}
        self._forecasts: dict[str, float] = {}
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
        # All learners on one fold before the next: whenever a study is interrupted, they have the same folds
        # and can be compared.
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

    def expect(self, seconds: Mapping[str, float]) -> None:
        """Take forecasts of one fold of each learner; they count until a fold is finished."""
        self._forecasts = dict(seconds)
        slowest = sorted(self.names, key=self.seconds, reverse=True)
        place = {name: i for i, name in enumerate(slowest)}
        self._queue = deque(sorted(self._queue, key=lambda key: (key[1:], place[key[0]])))

    @property
    def expected(self) -> bool:
        """Whether the time of every learner is known, at least from a forecast."""
        return all(self._finished[name] or name in self._forecasts for name in self.names)

    def next(self) -> Key | None:
        """Return the next fold to do; None if there is none now."""
        if not self._ordered and self.first_fold_done:
            self._order()
        while self._queue:
            key = self._queue[0]
            if self.budget is not None and key[1:] != (0, 0) and not self.first_fold_done:
                return None  # a budget is divided by forecasts, which need one fold of every learner
            self._queue.popleft()
            if key not in self._records and key[0] not in self.failed and not self._beyond(key):
                return key
        return None

    def stop(self, name: str, folds: int) -> None:
        """Leave a learner with its first folds; later ones do not count, even if they are finished."""
        self.stopped[name] = folds

    def reached(self, count: int) -> bool:
        """Whether all learners have finished their first folds, as far as they have them."""
        return all(
            (name, *divmod(place, self.cv)) in self._records
            for name in self.names
            if name not in self.stopped
            for place in range(min(count, self._folds_of(name)))
        )

    def _beyond(self, key: Key) -> bool:
        name, repeat, fold = key
        return repeat * self.cv + fold >= self.stopped.get(name, self.cv * self.repeats)

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
            # Within a fold the slowest first (Graham 1969, longest processing time): short fits fill the gaps
            # at the end.
            sorted(self._queue, key=lambda key: (key[1] * self.cv + key[2] - ahead[key[0]], -seconds[key[0]]))
        )

    @property
    def first_fold_done(self) -> bool:
        """Whether every learner has finished the first fold."""
        return all((name, 0, 0) in self._records for name in self.names)

    @property
    def total(self) -> int:
        """Number of folds: of failed learners those up to the failure, of stopped ones those that count."""
        return sum(self._folds_of(name) for name in self.names)

    def _folds_of(self, name: str) -> int:
        failed, whole = self.failed.get(name), self.stopped.get(name, self.cv * self.repeats)
        return whole if failed is None else min(whole, failed.repeat * self.cv + failed.fold + 1)

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
            if key in self._records and (failed is None or key <= failed.key) and not self._beyond(key):
                records[key] = self._records[key]
        return records

    def seconds(self, name: str) -> float:
        """Mean time of one fold of a learner, or what is forecast."""
        if not self._finished[name]:
            return self._forecasts.get(name, 0.0)
        return self._spent[name] / self._finished[name]

    @property
    def seconds_left(self) -> float | None:
        """Forecast of the remaining time; None before there is one for every learner."""
        known = self.first_fold_done or self.expected
        return self._forecast(self.names, self.repeats) if known else None

    def _forecast(self, names: Sequence[str], repeats: int) -> float:
        per_learner = self.cv * repeats
        running = [name for name in names if name not in self.failed and name not in self.stopped]
        left = {name: max(per_learner - self._finished[name], 0) for name in running}
        return sum(folds * self.seconds(name) for name, folds in left.items()) / self.workers

    def economize(self, seconds_left: float, always: str, say: Callable[[str], None]) -> dict[str, str]:
        """Keep to the budget: reduce repeats first, then drop the slowest learners.

        Parameters
        ----------
        seconds_left : float
            What is left of the budget.
        always : str
            The learner that is never left out. If no other one can be compared with it, that is an error.
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
        # Repeats first: with fewer of them all intervals get wider, but a learner that is left out is not
        # compared at all.
        while self.repeats > 1 and self._forecast(self.names, self.repeats) > seconds_left:
            self.repeats -= 1
        others = [name for name in self.names if name != always and name not in self.failed]
        if others and self._forecast([min(others, key=self.seconds), always], self.repeats) > seconds_left:
            raise StudyError(self._too_small(others, always, seconds_left))
        if self.repeats < asked:
            left = f"{seconds_text(seconds_left)} are" if seconds_left > 0 else "nothing is"
            say(
                f"budget: the remaining folds would take about {seconds_text(forecast)}, and {left} left; "
                f"repeats are reduced from {asked} to {self.repeats}"
            )
        out: dict[str, str] = {}
        slowest = sorted(self.names, key=self.seconds, reverse=True)
        for name in [name for name in slowest if name != always]:
            if self._forecast(self.names, self.repeats) <= seconds_left:
                break
            spent = seconds_text(self._forecast([name], self.repeats))
            out[name] = f"Its folds would take about {spent}, which the budget does not allow."
            say(f"budget: {name} is left out, because its folds would take about {spent}")
            self.names.remove(name)
        self.left_out |= out
        self._queue, self._ordered = deque(self._keys()), False
        return out

    def follow(self, decisions: Sequence[str], always: str) -> dict[str, str]:
        """Do what an earlier run of the study has decided, whatever the time is now.

        Parameters
        ----------
        decisions : sequence of str
            As in `decisions`.
        always : str
            The learner that is never left out.

        Returns
        -------
        dict of str to str
            The learners that are left out, and why.
        """
        for decision in decisions:
            what, _, value = decision.partition("=")
            if what == REPEATS and value.isdecimal() and int(value):
                self.repeats = min(self.repeats, int(value))
            elif what != WITHOUT or value == always or not value:
                raise StudyError(
                    f"plan= has {decision!r}; it consists of {REPEATS}=NUMBER, {WITHOUT}=LEARNER and "
                    f"{WITHOUT}={CLOSER_LOOK}, as a study with a budget writes it to config.toml."
                )
            else:
                self.left_out[value] = "The plan leaves it out."
        taking_part = [name for name in self.names if name not in self.left_out]
        out = {name: self.left_out[name] for name in self.names if name not in taking_part}
        self.names = taking_part
        self._queue = deque(self._keys())
        return out

    @property
    def decisions(self) -> tuple[str, ...]:
        """What was decided for a budget, as `follow` takes it."""
        return (f"{REPEATS}={self.repeats}", *(f"{WITHOUT}={name}" for name in self.left_out))

    def _too_small(self, others: Sequence[str], always: str, seconds_left: float) -> str:
        """Say what a budget that is enough for no learner would have to be."""
        assert self.budget is not None
        spent = self.budget - seconds_left
        fastest = min(others, key=self.seconds)
        least, all_ = (
            seconds_text(spent + self._forecast(names, 1)) for names in ([fastest, always], self.names)
        )
        return (
            f"The budget of {seconds_text(self.budget)} is too small to compare any learner with {always}: "
            f"one repeat of {self.cv} folds would need about {least} with {fastest} alone and {all_} with "
            f"all {len(others)} learners; raise budget=, and finished folds are not computed again."
        )
