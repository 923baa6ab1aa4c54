import pickle
from dataclasses import fields
from pathlib import Path

import pytest

from app.domain import errors
from app.worker.messages import Broke, Failed, failure

LEAVES = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.ReaderError) and not kind.__subclasses__()
]


@pytest.mark.parametrize("kind", LEAVES)
def test_every_error_of_the_tree_arrives_as_it_was(kind):
    given = {field.name: Path("a.pdf") if field.name == "path" else 3 for field in fields(kind)}
    answer = pickle.loads(pickle.dumps(failure(kind(**given))))
    assert isinstance(answer, Failed)
    made = answer.error()
    assert type(made) is kind
    assert vars(made) == given


def test_any_other_error_arrives_as_its_traceback():
    def broken():
        raise ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError) as caught:
        broken()
    answer = failure(caught.value)
    assert isinstance(answer, Broke)
    assert "in broken" in answer.report
    assert "ZeroDivisionError: a bug" in answer.report
