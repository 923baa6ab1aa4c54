from app.domain.passage import Summary, SummaryKind
from app.storage.summaries import Summaries


def test_a_written_summary_stands_before_a_quoted_one(database, ready_book):
    summaries = Summaries(database)
    quoted = [Summary(index, SummaryKind.QUOTED, f"Quote {index}.") for index in range(3)]
    written = Summary(1, SummaryKind.WRITTEN, "Told. [f0-0-9]", "qwen3", 2, "ff")
    summaries.store(ready_book, quoted)
    assert summaries.summaries(ready_book) == dict(enumerate(quoted))
    summaries.store(ready_book, [written])
    assert summaries.summaries(ready_book) == {0: quoted[0], 1: written, 2: quoted[2]}


def test_a_later_summary_takes_the_place_of_one_of_its_kind(database, ready_book):
    summaries = Summaries(database)
    summaries.store(ready_book, [Summary(0, SummaryKind.WRITTEN, "Old.", "a", 1)])
    new = Summary(0, SummaryKind.WRITTEN, "New.", "b", 2)
    summaries.store(ready_book, [new])
    assert summaries.summaries(ready_book) == {0: new}
