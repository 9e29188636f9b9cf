"""One learner, one model file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.running import MELONS, data_of, done, refused

import hornbook


def test_a_learner_is_fitted_described_and_saved(melons):
    result = done("fit", melons, "--learner", "NaiveBayes", "-o", "ripe.hornbook")
    assert result.stdout.startswith("Naive Bayes with 2 classes and 3 columns\n")
    assert "target: the last column 'ripe'; --target names another." in result.stderr
    assert "the model is in ripe.hornbook." in result.stderr
    model = hornbook.load("ripe.hornbook")
    assert model.target_name_ == "ripe"
    direct = hornbook.NaiveBayes().fit(hornbook.read(melons, target="ripe"))
    assert str(model.describe()) == str(direct.describe()) == result.stdout.rstrip("\n")


def test_the_result_as_data(melons):
    result = data_of("fit", melons, "--learner", "NaiveBayes", "--target", "color")
    assert result["model"] == "model.hornbook"
    assert result["description"]["title"].startswith("Naive Bayes with 3 classes")
    assert hornbook.load("model.hornbook").target_name_ == "color"


def test_a_data_set_has_its_own_target_and_nothing_is_said_about_it(folder):
    result = done("fit", "iris", "--learner", "Baseline")
    assert "target" not in result.stderr
    assert hornbook.load("model.hornbook").target_name_ == "species"


def test_columns_are_left_out_and_rows_weighted(melons):
    words = ("--learner", "NaiveBayes", "--ignore", "color", "--weight", "sugar")
    done("fit", melons, *words)
    model = hornbook.load("model.hornbook")
    assert model.schema_.names == ("density",)
    table = hornbook.read(melons, target="ripe", weight="sugar").select(["density", "sugar", "ripe"])
    assert str(model.describe()) == str(hornbook.NaiveBayes().fit(table).describe())


def test_numbers_are_scaled_when_asked_and_a_hint_is_given_when_not(melons):
    words = ("fit", melons, "--learner", "KNeighborsClassifier", "--set", "n_neighbors=3")
    plain = done(*words)
    assert "KNeighborsClassifier depends on the scales of the columns; --scale standardizes" in plain.stderr
    assert isinstance(hornbook.load("model.hornbook"), hornbook.KNeighborsClassifier)
    scaled = done(*words, "--scale")
    assert "depends on the scales" not in scaled.stderr
    model = hornbook.load("model.hornbook")
    assert isinstance(model, hornbook.Scaled)
    assert model.estimator.n_neighbors == 3


def test_a_file_can_be_learned_from_in_pieces(melons):
    whole = done("fit", melons, "--learner", "NaiveBayes", "--target", "ripe").stdout
    assert done("fit", melons, "--learner", "NaiveBayes", "--target", "ripe", "--stream").stdout == whole
    needs = refused(2, "fit", melons, "--learner", "NaiveBayes", "--stream")
    assert needs == "--stream needs --target and cannot be combined with --ignore."
    assert refused(2, "fit", "iris", "--learner", "NaiveBayes", "--stream").startswith(
        "--stream is for files"
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("smoothing=none", "none"),
        ("alpha=0.5", 0.5),
        ("priors=[0.5, 0.5]", [0.5, 0.5]),
        ("priors=none", None),
        ("smooth_prior=true", True),
        ("n_jobs=2", 2),
        ("smoothing='none'", "none"),
    ],
)
def test_parameters_are_read_by_their_annotations(melons, text, value):
    done("fit", melons, "--learner", "NaiveBayes", "--set", text)
    name = text.partition("=")[0]
    assert hornbook.load("model.hornbook").get_params()[name] == value


def test_a_learner_can_be_a_parameter_and_have_parameters(melons):
    inside = ("--set", "estimator=KNeighborsClassifier", "--set", "estimator__n_neighbors=1")
    done("fit", melons, "--learner", "Scaled", *inside)
    assert hornbook.load("model.hornbook").estimator.n_neighbors == 1


@pytest.mark.parametrize(
    ("learner", "text", "message"),
    [
        ("NaiveBayes", "smothing=none", "NaiveBayes has no parameter 'smothing'; it has"),
        ("NaiveBayes", "smothing=none", "Did you mean 'smoothing'?"),
        ("NaiveBayes", "alpha=-1", "parameter 'alpha' must be a number in (0, inf); got -1."),
        ("NaiveBayes", "smoothing=laplase", "got 'laplase'. Did you mean 'laplace'?"),
        ("NaiveBayes", "alpha", "'alpha' has no value: write --set alpha=value."),
        ("NaiveBayes", "alpha__x=1", "'alpha' of NaiveBayes is not a learner, so it has no 'x'."),
        ("Scaled", "scale=range", "Scaled needs the parameter 'estimator': write --set estimator=value."),
    ],
)
def test_wrong_parameters_are_wrong_use(melons, learner, text, message):
    assert message in refused(2, "fit", melons, "--learner", learner, "--set", text)
    assert not Path("model.hornbook").exists()


def test_the_parameters_of_a_learner_are_listed():
    shown = done("fit", "--learner", "NaiveBayes", "--show").stdout
    assert shown.startswith("Parameters of NaiveBayes\n")
    assert "alpha" in shown
    assert "a number in (0, inf)" in shown
    rows = data_of("fit", "--learner", "Scaled", "--show")["rows"]
    assert ["estimator", "(required)"] in [row[:2] for row in rows]


def test_an_unknown_learner_is_wrong_use():
    message = refused(2, "fit", "iris", "--learner", "NaivBayes")
    assert "There is no learner 'NaivBayes'. Did you mean 'NaiveBayes'?" in message
    assert "hornbook learners lists them." in refused(2, "fit", "iris", "--learner", "xyzzy")
    assert refused(2, "fit", "--learner", "NaiveBayes").startswith("Missing argument 'DATA'")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["melon.csv"], "There is no file 'melon.csv': did you mean 'melons.csv'?"),
        (["iriss"], "there is no file and no data set 'iriss'. Did you mean 'iris'?"),
        (["xyzzy"], "`hornbook datasets` lists the data sets."),
        (["melons.csv", "--target", "rip"], "There is no column 'rip': did you mean 'ripe'?"),
        (["melons.csv", "--ignore", "colr"], "There is no column 'colr': did you mean 'color'?"),
        (["melons.csv", "--weight", "color"], "Column 'color' is nominal, but weights must be numbers"),
        (["melons.csv", "--target", "sugar"], "Unknown label type: continuous."),
        (["butterfly"], "'butterfly' has no target: a target and at least one other column are needed"),
        (["one.csv"], "'one.csv' has 1 column: a target"),
        (["empty.csv"], "'empty.csv' is empty"),
        (["gap.csv"], "Input y contains NaN: drop the rows whose target is missing."),
    ],
)
def test_problems_of_the_data_are_one_sentence(melons, words, message):
    Path("one.csv").write_text("a\n1\n2\n")
    Path("empty.csv").write_text("")
    Path("gap.csv").write_text(MELONS.replace("0.46,yes", "0.46,"))
    assert message in refused(1, "fit", *words, "--learner", "NaiveBayes", "--quiet")
    assert not Path("model.hornbook").exists()


def test_a_place_that_cannot_be_written_leaves_nothing(melons):
    message = refused(1, "fit", melons, "--learner", "NaiveBayes", "-o", "no/such/model.hornbook", "-q")
    assert message.startswith("'no/such/model.hornbook' cannot be written: ")
    assert not Path("no").exists()


def coefficients(*words):
    done("fit", "melons.csv", "--learner", "RandomForestClassifier", "--set", "n_estimators=5", *words)
    rows = hornbook.read("melons.csv", target="ripe")
    return hornbook.load("model.hornbook").predict_proba(rows).tolist()


def test_a_fit_is_reproducible_with_and_without_a_seed(melons):
    first = coefficients()
    assert coefficients() == first == coefficients("--seed", "0") == coefficients("--set", "random_state=0")
    seeded = coefficients("--seed", "7")
    assert seeded == coefficients("--seed", "7") != first
    assert hornbook.load("model.hornbook").random_state == 7


def test_the_seed_that_was_taken_is_said(melons):
    words = ("fit", melons, "--learner", "RandomForestClassifier", "--set", "n_estimators=2")
    assert "seed: 0, the default; --seed sets another." in done(*words).stderr
    assert "seed" not in done(*words, "--seed", "1").stderr
    assert "seed" not in done("fit", melons, "--learner", "NaiveBayes").stderr


def test_a_seed_reaches_the_learners_inside(melons):
    words = ("--set", "estimator=RandomForestClassifier", "--seed", "5")
    done("fit", melons, "--learner", "OneVsRest", *words)
    assert hornbook.load("model.hornbook").estimator.random_state == 5


def test_a_seed_without_use_is_refused(melons):
    message = refused(2, "fit", melons, "--learner", "NaiveBayes", "--seed", "1")
    assert message == "--seed does not apply to NaiveBayes: it is not randomized; leave it out."
    words = ("--learner", "RandomForestClassifier", "--set", "random_state=1", "--seed", "1")
    assert "--set gives its random_state" in refused(2, "fit", melons, *words)
