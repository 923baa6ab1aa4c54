"""The grammar of the command line (DESIGN section 9)."""

from __future__ import annotations

import argparse
from pathlib import Path

from app import APP_NAME, __version__

COMMANDS = ("ask", "find", "quote", "import", "text", "page", "segments", "self-check")
_SCOPE = "book, chapter:N, pages:A-B, read, or a position tag (default: book)"


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands; it exits with status 2 on wrong usage."""
    parser = argparse.ArgumentParser(
        prog="ibid",
        description="Read a book, ask it, and check every answer against the page.",
        epilog="Without a command, Ibid opens its window: ibid [BOOK].",
    )
    parser.add_argument("--version", action="version", version=f"{APP_NAME} {__version__}")
    parser.add_argument("--data-dir", type=Path, metavar="FOLDER", help="keep everything here")
    parser.add_argument("--verbose", action="store_true", help="say on standard error what happens")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    ask = _command(commands, "ask", "ask a question and print the answer with its sources")
    ask.add_argument("book", type=Path)
    _add_question(ask, "question")
    ask.add_argument("--scope", default="book", help=_SCOPE)
    ask.add_argument("--provider", metavar="NAME", help="who answers (default: as in the settings)")

    find = _command(commands, "find", "search the book and print the places, best first")
    find.add_argument("book", type=Path)
    _add_question(find, "words")
    find.add_argument("--scope", default="book", help=_SCOPE)
    find.add_argument("--all", action="store_true", help="print every hit, not the best 50")

    quote = _command(commands, "quote", "say whether a wording stands in the book")
    quote.add_argument("book", type=Path)
    quote.add_argument("text")
    quote.add_argument("--scope", default="book", help=_SCOPE)

    importing = _command(commands, "import", "take a book into the library")
    importing.add_argument("book", type=Path)

    text = _command(commands, "text", "print the source text of a position tag", has_json=False)
    text.add_argument("book", type=Path)
    text.add_argument("tag", help="such as [f5-10-42]")

    page = _command(commands, "page", "print what stands on a printed page", has_json=False)
    page.add_argument("book", type=Path)
    page.add_argument("label", help="as printed: 12, xii, A-3")

    segments = _command(commands, "segments", "list the segments with their summaries")
    segments.add_argument("book", type=Path)

    _command(commands, "self-check", "check versions, resources, database, key store, web view")
    return parser


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """The options of a command; exits with status 2 on wrong usage.

    `argparse` takes a word that may be left out only right behind BOOK; a question may also follow
    the options ("find BOOK --json whale").
    """
    parser = make_parser()
    options, rest = parser.parse_known_args(arguments)
    name = getattr(options, "question_name", None)
    if name is not None and getattr(options, name) is None:
        if len(rest) > 1 and rest[0] == "--":
            setattr(options, name, rest[1])
            rest = rest[2:]
        elif rest and not rest[0].startswith("-"):
            setattr(options, name, rest[0])
            rest = rest[1:]
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if name is not None and (getattr(options, name) is None) == (options.questions is None):
        parser.error(f"give either {name.upper()} or --questions FILE")
    return options


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    purpose: str,
    *,
    has_json: bool = True,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}."
    )
    # Written after the command too; SUPPRESS keeps what was given before it.
    parser.add_argument("--data-dir", type=Path, metavar="FOLDER", default=argparse.SUPPRESS)
    parser.add_argument("--verbose", action="store_true", default=argparse.SUPPRESS)
    if has_json:
        parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _add_question(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument(name, nargs="?")
    parser.add_argument("--questions", type=Path, metavar="FILE", help="one question a line")
    parser.set_defaults(question_name=name)
