"""Headers that somebody forged: names, parameters, attributes and columns are held against ours."""

from __future__ import annotations

import threading
import warnings

import numpy as np
import pytest
from tests.persist.forge import TABLE, edit, good_file, npy, put_together, readers, refused, taken_apart

import hornbook
from hornbook.persist import ModelFileError, _archive, _load, inspect_file


@pytest.fixture
def path(tmp_path):
    return good_file(tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "damaged"),
        (b"null", "not a JSON object"),
        (b"[]", "not a JSON object"),
        (b"{}", "does not say 'hornbook-model'"),
        (b'{"format": NaN}', "holds NaN, which is not JSON"),
        (b'{"format": Infinity}', "holds Infinity, which is not JSON"),
        (b'{"a": 1, "a": 2}', "an entry twice"),
        (b'{"a": "\xff"}', "damaged"),
        (b'{"a": ' + b"9" * 5000 + b"}", "holds an integer of 5000 digits"),
        (b"[" * 100_000, "nested more than 264 deep"),
        (b'{"a":' * 100_000, "nested more than 264 deep"),
    ],
    ids=range(11),
)
@readers
def test_headers_that_are_none(read, text, reason, path):
    _, members = taken_apart(path)
    put_together(path, text, members)
    refused(read, path, reason)


@readers
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": "other"}, "does not say 'hornbook-model'"),
        ({"format": ["hornbook-model"]}, "does not say 'hornbook-model'"),
        ({"format_version": 3}, "format version 3, and Hornbook .* reads versions up to 2: upgrade Hornbook"),
        ({"format_version": 0}, "its format version is 0"),
        ({"format_version": True}, "its format version is True"),
        ({"format_version": "1"}, "its format version is '1'"),
        ({"library_version": 1}, "the versions it was made with are not texts"),
        ({"library_version": "1\x1b[2J"}, "the versions it was made with are not texts"),
        ({"numpy_version": "1" * 41}, "the versions it was made with are not texts"),
        ({"more": 1}, "should have the entries"),
        ({"format_version": 1, "fingerprint": None}, "should have the entries"),
        ({"class": "Pipeline"}, "the learner 'Pipeline', which this version of Hornbook does not have"),
        ({"class": "os.system"}, "the learner 'os.system'"),
        ({"class": "hornbook.bayes.NaiveBayes"}, "the learner 'hornbook.bayes.NaiveBayes'"),
        ({"class": "Schema"}, "the learner 'Schema'"),
        ({"class": None}, "the learner None"),
        ({"class": {"a": 1}}, "the learner {'a': 1}"),
        ({"parameters": None}, "parameters"),
        ({"state": []}, "attributes are missing"),
        ({"state": {}}, "on which columns"),
    ],
    ids=str,
)
def test_headers_with_a_wrong_entry(read, change, reason, path):
    edit(path, lambda header, _: header.update(change))
    refused(read, path, reason)


@readers
def test_a_newer_format_is_named_before_what_is_new_in_it(read, path):
    edit(path, lambda header, members: (header.update(format_version=7, news=[]), members.update(news=b"")))
    refused(read, path, "it has format version 7, .*: upgrade Hornbook")


def test_another_version_of_the_library_is_no_reason(path):
    edit(path, lambda header, _: header.update(library_version="9.9.9", numpy_version="0.1"))
    assert hornbook.load(path).predict(TABLE).tolist() == ["a", "b", "a", "a"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda parameters: parameters.update(beta=1),
            "not have just the parameters of NaiveBayes, which are smoothing, ",
        ),
        (
            lambda parameters: parameters.update(alpha=-1.0),
            "NaiveBayes: parameter 'alpha' must be a number in .*; got -1.0",
        ),
        (lambda parameters: parameters.update(density="x"), "parameter 'density' must be one of"),
        (lambda parameters: parameters.update(n_jobs=0), "parameter 'n_jobs'"),
        (lambda parameters: parameters.update(priors="half"), "parameter 'priors'"),
    ],
)
def test_parameters_are_checked_as_at_fit(change, reason, path):
    edit(path, lambda header, _: change(header["parameters"]))
    refused(hornbook.load, path, reason)


def test_a_parameter_that_came_later_has_its_default_in_earlier_files(path, tmp_path):
    edit(path, lambda header, _: header["parameters"].pop("n_bins"))
    assert hornbook.load(path).n_bins == hornbook.NaiveBayes().n_bins
    model = hornbook.Scaled(hornbook.NaiveBayes()).fit(TABLE, ["a", "b", "a", "a"])
    hornbook.save(model, tmp_path / "around")
    edit(tmp_path / "around", lambda header, _: header["parameters"].pop("estimator"))
    refused(hornbook.load, tmp_path / "around", "not have just the parameters of Scaled")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "fit",
            "predict",
            "__class__",
            "__dict__",
            "_proba",
            "_fit_blocks_",
            "__reduce__",
            "mean_",
            "tables_",
        ),
        *("class_prior_", "alpha", "accepts", "a b_", "", "_", "__", "_x_", "0_", "schema_.x_", "is"),
    ],
)
def test_only_fitted_attributes_can_be_set(name, path):
    edit(path, lambda header, _: header["state"].update({name: 1}))
    refused(
        hornbook.load, path, f"it sets '{name}', which is not the name of a fitted attribute of NaiveBayes"
    )


def column(header, j):
    return header["state"]["schema_"]["fields"]["columns"]["items"][j]["fields"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda header: header["state"].update(n_features_in_=3), "contradict each other"),
        (lambda header: header["state"].update(n_features_in_=2.0), "'n_features_in_' of its NaiveBayes"),
        (lambda header: header["state"].pop("n_features_in_"), "contradict each other"),
        (
            lambda header: header["state"].update(feature_names_in_=["size", "color"]),
            "'feature_names_in_' of its NaiveBayes is not valid",
        ),
        (lambda header: column(header, 0).update(name="color"), "contradict each other"),
        (lambda header: column(header, 0).update(name=5), "'name' of its Column is not valid"),
        (
            lambda header: column(header, 0).update(kind="huge"),
            "'kind' of its Column is not valid",
        ),
        (lambda header: column(header, 1).update(levels=["red", "blue"]), "'levels' of its Column"),
        (lambda header: column(header, 1).update(kind="numeric"), "does not fit the others"),
        (lambda header: header["state"].update(classes_=["a", "b"]), "'classes_' of its NaiveBayes"),
        (lambda header: header["state"].pop("classes_"), "damaged"),
        (lambda header: header["state"].pop("factors_"), "belongs to nothing|damaged|missing"),
        (lambda header: header.update(probes={}), "should have the entries numbers, codes, answers"),
        (lambda header: header["probes"].update(answers=[]), "recorded predictions are missing"),
        (lambda header: header["probes"].update(numbers=1), "probe rows are not arrays"),
    ],
)
def test_models_that_contradict_themselves(change, reason, path):
    edit(path, lambda header, _: change(header) and None)
    refused(hornbook.load, path, reason)


def test_texts_of_a_file_cannot_act_on_a_terminal(path):
    edit(path, lambda header, _: header.update({"class": "\x1b[2Jevil"}))
    with pytest.raises(ModelFileError) as caught:
        hornbook.load(path)
    assert "\x1b" not in str(caught.value)

    edit(path, lambda header, _: header.update({"class": "NaiveBayes"}))
    edit(path, lambda header, _: column(header, 1).update(name="\x1b[2Jevil"))
    assert "\x1b" not in str(inspect_file(path))


def test_memory_that_is_not_there(path, monkeypatch):
    def exhausted(*_args, **_options):
        raise MemoryError

    monkeypatch.setattr(_archive.np, "empty", exhausted)
    refused(hornbook.load, path, "it asks for more memory than there is")


def test_the_file_is_closed_whatever_happens(path):
    """An open file would be a ResourceWarning, which is an error here."""
    hornbook.load(path)
    for content in (b"", b"PK\x03\x04junk", path.read_bytes()[:-5]):
        path.write_bytes(content)
        refused(hornbook.load, path, "cannot be loaded")
    path.unlink()


def test_many_threads_may_load_one_file(path):
    expected, loaded, filters = hornbook.load(path).predict_proba(TABLE), [], list(warnings.filters)

    def work():
        for _ in range(20):
            loaded.append(hornbook.load(path))

    team = [threading.Thread(target=work) for _ in range(8)]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join()
    assert len(loaded) == 160
    assert list(warnings.filters) == filters
    assert all(np.array_equal(model.predict_proba(TABLE), expected) for model in loaded)


def set_first_level(fields, members):
    fields["kept"]["items"][1]["items"][0] = "mauve"


def drop_a_level(fields, members):
    del fields["kept"]["items"][1]["items"][0]


def repeat_a_level(fields, members):
    levels = fields["kept"]["items"][1]["items"]
    levels[1] = levels[0]


def keep_levels_of_numbers(fields, members):
    fields["kept"]["items"][0]["items"].append("red")


def fill_from_beyond(fields, members):
    members[f"arrays/{fields['fill']['index']}.npy"] = npy(np.array([3.0, 2.0]))


def fill_with_nothing(fields, members):
    members[f"arrays/{fields['fill']['index']}.npy"] = npy(np.array([3.0, np.nan]))


@pytest.mark.parametrize(
    "change",
    [
        set_first_level,
        drop_a_level,
        repeat_a_level,
        keep_levels_of_numbers,
        fill_from_beyond,
        fill_with_nothing,
    ],
    ids=lambda change: change.__name__,
)
@pytest.mark.parametrize(
    "learner", [hornbook.Encoder(), hornbook.LogisticRegression()], ids=["Encoder", "LogisticRegression"]
)
def test_indicators_are_those_of_the_levels(learner, change, tmp_path, monkeypatch):
    """Refused by what they are, not by the answers to probe rows, which need not have the level."""
    path = tmp_path / "model.hornbook"
    hornbook.save(learner.fit(TABLE, ["a", "b", "b", "a"]), path)
    edit(path, lambda header, members: change(header["state"]["encoding_"]["fields"], members))
    monkeypatch.setattr(_load, "check_probes", lambda *_: None)
    refused(hornbook.load, path, "indicators of column '(size|color)' are not those|does not fit the others")
