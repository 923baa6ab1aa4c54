"""Runs one command: the assembly does the work, this module prints its results.

No command reads a book file itself; nothing here knows SQL, Qt or a network package.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from app.assembly import Assembly
from app.command_line.arguments import COMMANDS, parse_arguments
from app.command_line.conversation import (
    HANDBOOK_QUESTION,
    converse,
    question_from,
    window_obstacle,
)
from app.command_line.json_forms import (
    answer_form,
    book_form,
    check_form,
    find_form,
    quote_answer_form,
    segment_form,
)
from app.command_line.printing import answer_text, place_line, quote_text, search_line
from app.command_line.self_check import run_checks
from app.command_line.sentences import sentence
from app.domain.conversation import Question
from app.domain.errors import QuestionsUnreadable, ReaderError, StoreUnwritable
from app.domain.progress import Progress
from app.paths import find_paths

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Generator, Iterable

    from app.assembly import OpenBook
    from app.paths import Paths

    OpenWindow = Callable[[Paths, Path | None], int]

Result = TypeVar("Result")
DONE, FAILED, WRONG_USAGE = 0, 1, 2
_FIND_LIMIT = 50
_NO_LIMIT = 1_000_000


def run(arguments: list[str], open_window: OpenWindow) -> int:
    """Runs a command, or the window where none is named.

    Args:
        arguments: of the process, without its name.
        open_window: shows the window on a book, or on the start page, and returns when it is
            closed.

    Returns:
        The exit status: 0 done, 1 a plain failure, 2 wrong usage.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    if not _names_command(arguments):
        return _run_window(arguments, open_window)
    options = parse_arguments(arguments)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.ERROR, stream=sys.stderr
    )
    try:
        with Assembly(_kept_in(options.data_dir)) as assembly:
            return _COMMANDS[options.command](assembly, options)
    except ReaderError as error:
        logging.getLogger(__name__).debug("failed", exc_info=True)
        _write_error(sentence(error))
        return FAILED
    except BrokenPipeError:
        sys.stderr.close()
        return DONE
    except KeyboardInterrupt:
        return FAILED


def _names_command(arguments: list[str]) -> bool:
    """Whether the first word that is no option is a command, or help or the version is asked."""
    words = iter(arguments)
    for word in words:
        if word in {"-h", "--help", "--version"}:
            return True
        if word == "--data-dir":
            next(words, None)
        elif not word.startswith("-"):
            return word in COMMANDS
    return False


def _run_window(arguments: list[str], open_window: OpenWindow) -> int:
    import argparse  # noqa: PLC0415 - only the window needs this small parser

    parser = argparse.ArgumentParser(prog="ibid")
    parser.add_argument("book", nargs="?", type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args(arguments)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    obstacle = window_obstacle(os.environ, sys.platform, is_root=is_root)
    try:
        paths = _kept_in(options.data_dir)
    except StoreUnwritable as error:
        _write_error(sentence(error))
        return FAILED
    if not obstacle:
        return open_window(paths, options.book)
    try:
        with Assembly(paths) as assembly:
            return _converse(assembly, options.book, obstacle)
    except ReaderError as error:
        _write_error(sentence(error))
        return FAILED


def _kept_in(data_dir: Path | None) -> Paths:
    """The folders to use, made where they are missing.

    Raises:
        StoreUnwritable: a folder cannot be made.
    """
    paths = find_paths(data_dir)
    try:
        return paths.made()
    except OSError as fault:
        raise StoreUnwritable(paths.database, fault.strerror or "no folder") from fault


def _converse(assembly: Assembly, path: Path | None, obstacle: str) -> int:
    """Does in the terminal what the window would do: opens a book and answers about it."""
    _write(obstacle)
    is_person = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    with _opened(assembly, path or assembly.handbook()) as book:
        _write(f"\n{book.book.metadata.title}")

        def answer(text: str) -> str:
            return answer_text(_finish(book.ask(Question(text), is_saved=False)))

        first = HANDBOOK_QUESTION
        if path is not None:
            first = "" if is_person else question_from(book)
        converse(
            first, answer=answer, write=_write, read_question=_read_question if is_person else None
        )
    return DONE


def _read_question() -> str:
    try:
        return input("\nAsk about this book (Enter alone ends): ")
    except EOFError:
        return ""


def _write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _write_error(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _write_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    _write(json.dumps(value, ensure_ascii=False))


def _finish(work: Generator[object, None, Result]) -> Result:
    """Runs long work to its end, with progress on standard error where a person watches."""
    shows_progress = sys.stderr.isatty()
    while True:
        try:
            event = next(work)
        except StopIteration as finished:
            if shows_progress:
                sys.stderr.write("\r\x1b[K")
            result: Result = finished.value
            return result
        if shows_progress and isinstance(event, Progress):
            total = f" of {event.total}" if event.total else ""
            sys.stderr.write(f"\r\x1b[KReading: {event.done}{total} {event.unit}")
            sys.stderr.flush()


def _opened(assembly: Assembly, path: Path) -> OpenBook:
    book = _finish(assembly.import_book(path))
    return assembly.open(book.book_id)


def _questions(options: argparse.Namespace) -> Iterable[str]:
    if options.questions is None:
        return [getattr(options, options.question_name)]
    try:
        lines = options.questions.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionsUnreadable(options.questions) from error
    return [line for line in lines if line.strip()]


def _ask(assembly: Assembly, options: argparse.Namespace) -> int:
    with _opened(assembly, options.book) as book:
        scope = book.scope(options.scope)
        for text in _questions(options):
            question = Question(text, scope)
            answer = _finish(book.ask(question, options.provider, is_saved=False))
            if options.json:
                _write_json(answer_form(answer))
            else:
                _write(answer_text(answer))
    return DONE


def _find(assembly: Assembly, options: argparse.Namespace) -> int:
    with _opened(assembly, options.book) as book:
        scope = book.scope(options.scope)
        for words in _questions(options):
            result = book.find(words, scope, limit=_NO_LIMIT if options.all else _FIND_LIMIT)
            if options.json:
                _write_json(
                    find_form(words, [result.report], result.hits, book.readable, book.place)
                )
                continue
            _write(search_line(result.report))
            for hit in result.hits:
                contents_path, page_label = book.place(hit.passage.span)
                where = place_line(contents_path, page_label, hit.passage.voice.value)
                _write(f"\n{hit.passage.span.tag}  {where}\n    {book.readable(hit.passage.span)}")
    return DONE


def _quote(assembly: Assembly, options: argparse.Namespace) -> int:
    with _opened(assembly, options.book) as book:
        found = book.quote(options.text, book.scope(options.scope))
        if options.json:
            _write_json(quote_answer_form(found, book.place))
        else:
            _write(quote_text(found, book.place))
    return DONE


def _import(assembly: Assembly, options: argparse.Namespace) -> int:
    with _opened(assembly, options.book) as book:
        form = book_form(book.book, book.counts())
        if options.json:
            _write_json(form)
        else:
            authors = ", ".join(form["authors"]) or "unknown author"
            _write(f"{form['title']} ({authors}) is in the library.")
            _write(
                f"{form['documents']} documents, {form['length_chars']} characters, "
                f"{form['passages']} passages, {form['segments']} segments, "
                f"{form['contents_entries']} contents entries, {form['page_labels']} printed pages."
            )
            for warning in form["warnings"]:
                _write(f"Note: {warning}")
    return DONE


def _text(assembly: Assembly, options: argparse.Namespace) -> int:
    with _opened(assembly, options.book) as book:
        _write(book.readable(book.span_of_tag(options.tag)))
    return DONE


def _page(assembly: Assembly, options: argparse.Namespace) -> int:
    with _opened(assembly, options.book) as book:
        for span in book.printed_page(options.label):
            _write(book.readable(span))
    return DONE


def _segments(assembly: Assembly, options: argparse.Namespace) -> int:
    with _opened(assembly, options.book) as book:
        summaries = book.summaries()
        forms = [
            segment_form(segment, summaries.get(segment.segment_index))
            for segment in book.segments()
        ]
        if options.json:
            _write_json({"segments": forms})
            return DONE
        for form in forms:
            _write(f"{form['id']:>4}  {' › '.join(form['contents_path'])}  {form['tokens']} tokens")
            _write(f"      {form['summary']}")
    return DONE


def _self_check(assembly: Assembly, options: argparse.Namespace) -> int:
    checks = run_checks(assembly)
    if options.json:
        _write_json({"checks": [check_form(check) for check in checks]})
    else:
        for check in checks:
            _write(f"{'ok  ' if check.is_ok else 'FAIL'}  {check.name}: {check.finding}")
    return DONE if all(check.is_ok for check in checks) else FAILED


_COMMANDS: dict[str, Callable[[Assembly, argparse.Namespace], int]] = {
    "ask": _ask,
    "find": _find,
    "quote": _quote,
    "import": _import,
    "text": _text,
    "page": _page,
    "segments": _segments,
    "self-check": _self_check,
}
