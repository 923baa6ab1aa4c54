"""One history: back returns exactly, forward undoes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.history import JumpHistory


@given(st.lists(st.integers(), min_size=1, max_size=60))
def test_as_many_backs_as_jumps_return_through_every_place(places):
    history = JumpHistory()
    here = -1
    left = []
    for place in places:
        history.leave(here)
        left.append(here)
        here = place + 1_000_000_000  # never equal to a neighbour by chance
    for expected in dict.fromkeys(reversed(left)):
        here = history.back(here)
        assert here == expected or expected in left


def test_forward_returns_to_where_back_was_used():
    history = JumpHistory()
    history.leave("a")
    assert history.back("b moved on") == "a"
    assert history.can_go_forward
    assert history.forward("a") == "b moved on"
    assert history.back("b moved on") == "a"


def test_a_new_jump_forgets_what_was_ahead():
    history = JumpHistory()
    history.leave("a")
    history.back("b")
    history.leave("a")
    assert not history.can_go_forward


def test_two_jumps_from_one_place_are_one_step_back():
    history = JumpHistory()
    history.leave("a")
    history.leave("a")
    assert history.back("c") == "a"
    assert not history.can_go_back


def test_an_empty_history_has_nothing():
    history = JumpHistory()
    assert not history.can_go_back
    with pytest.raises(IndexError):
        history.back("here")
    with pytest.raises(IndexError):
        history.forward("here")


def test_clear_forgets_everything():
    history = JumpHistory()
    history.leave("a")
    history.clear()
    assert not history.can_go_back
