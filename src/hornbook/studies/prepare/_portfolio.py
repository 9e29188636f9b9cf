"""The learners of a study: all for its task, or those requested."""

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
from hornbook.studies.prepare._default_settings import SENSIBLE, Sensible
from hornbook.studies.run._recipe import Recipe

__all__ = [
    "CHOSEN",
    "AskedLearner",
    "Candidate",
    "Learners",
    "asked_learners",
    "candidates",
    "only_when_asked",
    "parameters_of",
    "prepared",
]

Learners = Sequence[str] | Mapping[str, Any] | Sequence[Any] | str | None
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
        Its parameters as they would be typed; `CHOSEN` for the one that is chosen in each training fold.
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
    asked: Learners, settings: Settings, *, weighted: bool
) -> tuple[list[Candidate], list[tuple[str, str]]]:
    """Return the learners of a study, `Baseline` first, and those left out with the reason.

    Parameters
    ----------
    asked : names, estimators by name, or None
        What the user wants; everything that fits the task when None or empty.
    settings : Settings
        With the task filled in.
    weighted : bool
        Whether rows have weights.
    """
    task = settings.task
    named = asked_learners(asked, task) if asked else _all(task)
    if not any(_is_baseline(entry.learner) for entry in named.values()):
        named = {BASELINE: _built(BASELINE, task), **named}
    taken, skipped = [], []
    for name, entry in named.items():
        learner = entry.learner
        if weighted and not has_fit_parameter(getattr(learner, "estimator", learner), "sample_weight"):
            skipped.append((name, "It does not support weights, and this table has them."))
            continue
        taken.append(_candidate(name, entry, settings))
    return taken, skipped


def prepared(learner: Learner, *, scale: bool) -> Learner:
    """Return the learner as it is fitted: one that is sensitive to scale gets standardized columns."""
    return Scaled(learner) if scale and learner.scale_sensitive else learner


def _candidate(name: str, asked: AskedLearner, settings: Settings) -> Candidate:
    sensible = SENSIBLE.get(asked.known_as or "", Sensible()) if settings.tune else Sensible()
    seeded = clone(asked.learner).set_params(**sensible.fixed)
    if "random_state" in seeded.get_params(deep=False) and seeded.random_state is None:
        seeded.set_params(random_state=settings.seed)
    parameters = parameters_of(seeded)
    if sensible.chosen:
        parameters[sensible.chosen] = CHOSEN
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


def _all(task: str) -> dict[str, AskedLearner]:
    fitting = [name for name, entry in registry.LEARNERS.items() if task in entry.tasks and entry.unasked]
    first = sorted(fitting, key=lambda name: (name != BASELINE, name))
    return {name: _built(name, task) for name in first if _needs_no_arguments(name)}


def only_when_asked(task: str) -> list[str]:
    """Names of the learners for a task that a study uses only on request."""
    default = set(_all(task))
    fitting = [name for name, entry in registry.LEARNERS.items() if task in entry.tasks]
    return sorted(name for name in fitting if name not in default and _needs_no_arguments(name))


def _needs_no_arguments(name: str) -> bool:
    """Whether a learner can be built without arguments; meta-learners need an inner learner."""
    parameters = signature(registry.learner_class(name)).parameters.values()
    return all(parameter.default is not Parameter.empty for parameter in parameters)


def _built(name: str, task: str) -> AskedLearner:
    made = registry.learner_class(name)()
    if name == BASELINE and task == "regression":
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
        fitting = _fitting(task)
        raise StudyError(
            f"there is no learner {name!r}; for {task} there are {', '.join(sorted(fitting))}."
            f"{suggest(name, fitting) or suggest(name, registry.LEARNERS)}"
        )
    if task not in entry.tasks:
        raise StudyError(
            f"{name} is for {' and '.join(entry.tasks)}, and this is a {task}: choose one of "
            f"{', '.join(sorted(_fitting(task)))}."
        )
    if not _needs_no_arguments(name):
        raise StudyError(f"{name} wraps another learner: pass it as an object, {name}(...).")
    return _built(name, task)


def _fitting(task: str) -> list[str]:
    """Names that an error proposes for a task; all of their families are imported."""
    return [*_all(task), *(only_when_asked(task) if task == "clustering" else ())]


def _checked(name: str, learner: Any, task: str) -> AskedLearner:
    fits = {"classification": is_classifier, "regression": is_regressor, "clustering": is_clusterer}[task]
    if isinstance(learner, type) or not hasattr(learner, "get_params") or not fits(learner):
        raise StudyError(f"{name!r} is not a learner for {task}: {_shown(learner)}.")
    return AskedLearner(learner)
