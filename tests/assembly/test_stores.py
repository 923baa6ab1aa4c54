"""The parts of the library share one database."""

from __future__ import annotations

import pytest

from app.assembly.stores import Stores
from app.domain.errors import StoreDamaged


def test_a_new_library_is_empty_and_whole(paths):
    stores = Stores.open(paths.database)
    assert stores.library.books() == ()
    assert stores.database.check()
    stores.database.close()


def test_a_file_that_is_no_library_is_refused_and_left_alone(paths):
    paths.database.write_bytes(b"not a database" * 400)
    with pytest.raises(StoreDamaged):
        Stores.open(paths.database)
    assert paths.database.read_bytes() == b"not a database" * 400
