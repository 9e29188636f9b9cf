"""The learners of a study: the default set for its task, or those requested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any

from sklearn.base import clone, is_classifier, is_clusterer, is_regressor
from sklearn.utils.validation import has_fit_parameter

from hornbook import registry
from hornbook.base import Learner, Scaled, adopted
from hornbook.params import suggest
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies.prepare._default_settings import Sensible, sensible_for
from hornbook.studies.run._recipe import Recipe

__all__ = [
    "CHOSEN",
    "AskedLearner",
    "Candidate",
    "Learners",
    "asked_learners",
    "candidates",
    "count_for",
    "learners_for",
    "parameters_of",
    "prepared",
]

Learners = Sequence[str] | Mapping[str, Any] | Sequence[Any] | str | None
PAIRWISE = ("AODE",)  # learners whose time grows with the square of the number of columns
MOST_PAIRED = 300  # columns
BASELINE = "Baseline"
CHOSEN = "chosen in each training fold"


@dataclass(frozen=True)
class Candidate:
    """A learner that takes part.

    Parameters
    ----------
    name : str
        Its name in the study.
    learner : Learner
        As it is fitted: with scaling, or wrapped if it is an estimator of scikit-learn.
    scaled : bool
        Whether columns are standardized for it.
    parameters : mapping of str to str
        Its parameters as they would be typed; `CHOSEN` for those that are chosen in each training fold.
    sensible : Sensible
        The settings chosen by the study; none for objects that the user passed.
    """

    name: str
    learner: Learner
    scaled: bool
    parameters: Mapping[str, str]
    sensible: Sensible = field(default_factory=Sensible)

    def recipe(self, metric: str, seed: int) -> Recipe:
        """Return how it is fitted in a study with that metric."""
        return Recipe(self.learner, self.sensible, metric, seed)


@dataclass(frozen=True)
class AskedLearner:
    """A learner to compare, and its name in the registry if it was requested by that name."""

    learner: Any
    known_as: str | None = None


def candidates(
    asked: Learners, settings: Settings, *, weighted: bool, n_columns: int = 0
) -> tuple[list[Candidate], list[tuple[str, str]]]:
    """Return the learners of a study, `Baseline` first, and those left out with the reason.

    Parameters
    ----------
    asked : names, estimators by name, or None
        What the user wants; the default set for the task when None or empty.
    settings : Settings
        With the task filled in.
    weighted : bool
        Whether rows have weights.
    n_columns : int, default 0
        Columns of the table.
    """
    task = settings.task
    named = asked_learners(asked, task) if asked else _default(task)
    # Always there: a score means little without that of a learner that ignores the columns.
    if not any(_is_baseline(entry.learner) for entry in named.values()):
        named = {BASELINE: _built(BASELINE, task), **named}
    taken, skipped = [], []
    for name, entry in named.items():
        learner = entry.learner
        # Left out rather than fitted without weights, which would answer another question than the others do.
        inside = getattr(learner, "estimator", None) or learner
        if weighted and not has_fit_parameter(inside, "sample_weight"):
            skipped.append((name, "It does not support weights, and this table has them."))
            continue
        # By the number of columns and never by time, so that the same table gives the same study.
        if not asked and name in PAIRWISE and n_columns > MOST_PAIRED:
            pairs = f"{n_columns * (n_columns - 1) // 2:,} pairs of columns"
            skipped.append((name, f"It would count {pairs} and hold up the others; by name it takes part."))
            continue
        taken.append(_candidate(name, entry, settings))
    return taken, skipped


def prepared(learner: Learner, *, scale: bool) -> Learner:
    """Return the learner as it is fitted: one that is sensitive to scale gets standardized columns."""
    return Scaled(learner) if scale and learner.scale_sensitive else learner


def _candidate(name: str, asked: AskedLearner, settings: Settings) -> Candidate:
    # A learner passed as an object has the parameters its user wants, and is not tuned.
    sensible = Sensible() if asked.known_as is None else sensible_for(asked.known_as, settings.tune)
    seeded = clone(asked.learner).set_params(**sensible.fixed)
    # A study that is run again gives the same result, so nothing may draw from the clock.
    if "random_state" in seeded.get_params(deep=False) and seeded.random_state is None:
        seeded.set_params(random_state=settings.seed)
    parameters = parameters_of(seeded)
    parameters |= dict.fromkeys(sensible.tuned, CHOSEN)
    ready = prepared(adopted(seeded), scale=settings.scale)
    return Candidate(name, ready, isinstance(ready, Scaled), parameters, sensible)


def parameters_of(learner: Any) -> dict[str, str]:
    """Return the parameters of a learner as they would be typed."""
    return {key: _shown(value) for key, value in learner.get_params(deep=False).items()}


def _shown(value: Any, longest: int = 200) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= longest else f"{text[:longest]}..."


def _is_baseline(learner: Any) -> bool:
    return type(learner).__name__ == BASELINE and isinstance(learner, Learner)


def _default(task: str) -> dict[str, AskedLearner]:
    """At most a dozen learners, one or two of a family: more would cost the comparison power and time."""
    fitting = [name for name, entry in registry.LEARNERS.items() if task in entry.tasks and entry.unasked]
    first = sorted(fitting, key=lambda name: (name != BASELINE, name))
    return {name: _built(name, task) for name in first}


def count_for(task: str) -> int:
    """How many learners there are for a task, by the registry alone: nothing is imported."""
    return sum(task in entry.tasks for entry in registry.LEARNERS.values())


def _needs_no_arguments(name: str) -> bool:
    """Whether a learner can be built without arguments; meta-learners need an inner learner."""
    parameters = signature(registry.learner_class(name)).parameters.values()
    return all(parameter.default is not Parameter.empty for parameter in parameters)


def _built(name: str, task: str) -> AskedLearner:
    made = registry.learner_class(name)()
    if name == BASELINE and task == "regression":
        # The mean minimizes the squared error, by which a regression is judged by default.
        made.set_params(strategy="mean")
    return AskedLearner(made, name)


def asked_learners(asked: Learners, task: str) -> dict[str, AskedLearner]:
    if isinstance(asked, Mapping):
        pairs = [(str(name), value) for name, value in asked.items()]
    else:
        entries = [asked] if isinstance(asked, str) else list(asked or ())
        pairs = [(value if isinstance(value, str) else type(value).__name__, value) for value in entries]
    learners: dict[str, AskedLearner] = {}
    for name, value in pairs:
        if name in learners:
            raise StudyError(
                f"two learners are called {name!r}: pass a mapping that gives each a name of its own."
            )
        learners[name] = _by_name(value, task) if isinstance(value, str) else _checked(name, value, task)
    return learners


def _by_name(name: str, task: str) -> AskedLearner:
    entry = registry.LEARNERS.get(name)
    if entry is None:
        fitting = learners_for(task)
        raise StudyError(
            f"there is no learner {name!r}; for {task} there are {', '.join(sorted(fitting))}."
            f"{suggest(name, fitting) or suggest(name, registry.LEARNERS)}"
        )
    if task not in entry.tasks:
        raise StudyError(
            f"{name} is for {' and '.join(entry.tasks)}, and this is a {task}: choose one of "
            f"{', '.join(sorted(learners_for(task)))}."
        )
    if not _needs_no_arguments(name):
        raise StudyError(f"{name} wraps another learner: pass it as an object, {name}(...).")
    return _built(name, task)


def learners_for(task: str) -> list[str]:
    """Names of all learners that a study of this task can build; all of their families are imported."""
    fitting = [name for name, entry in registry.LEARNERS.items() if task in entry.tasks]
    return [name for name in fitting if _needs_no_arguments(name)]


def _checked(name: str, learner: Any, task: str) -> AskedLearner:
    fits = {"classification": is_classifier, "regression": is_regressor, "clustering": is_clusterer}[task]
    if isinstance(learner, type) or not hasattr(learner, "get_params") or not fits(learner):
        raise StudyError(f"{name!r} is not a learner for {task}: {_shown(learner)}.")
    return AskedLearner(learner)
