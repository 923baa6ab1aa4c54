"""An answer's Markdown as blocks of safe HTML, with its footnotes as links of our own.

A real parser, so that `[^1]` inside code stays code. The text comes from a model and is data: raw
HTML is shown as text, pictures become their description, only web and mail addresses are links and
nothing is ever loaded (FAULTS L16). What reads as a position tag only once it is shown is rewritten
here, where alone it can be seen. Knows no Qt.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt

from app.domain.position import neutralise_tags, tag_dashes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from markdown_it.renderer import RendererProtocol
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markdown_it.utils import OptionsDict

CITE_SCHEME = "cite"
Env = dict[str, Any]
_FOOTNOTE = re.compile(r"\[\^([1-9]\d{0,3})\]")
_LINK = re.compile(r"(https?|mailto):", re.IGNORECASE)
_SHOWN = frozenset({"text", "code_inline", "image"})
_BREAKS = frozenset({"softbreak", "hardbreak"})
_SAMPLE_CHARS = 400
"""Characters looked at to tell the direction of a text."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One place of an answer where a footnote stands.

    Attributes:
        index: 0-based among all footnotes of the answer; stable while text is appended.
        number: the footnote's number.
    """

    index: int
    number: int


@dataclass(frozen=True, slots=True)
class AnswerBlock:
    """A paragraph, list item, table or other block: a source card opens below one.

    Attributes:
        html: safe HTML without its list's own tags.
        mentions: its footnotes in order.
        list_tag: "ul" or "ol" for a list item, else "".
        list_number: the item's number in an ordered list, else 0.
        list_index: which list of the answer; items of one list share it; -1 outside.
    """

    html: str
    mentions: tuple[Mention, ...]
    list_tag: str = ""
    list_number: int = 0
    list_index: int = -1


def _footnote_rule(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - called by the parser
    found = _FOOTNOTE.match(state.src, state.pos)
    if found is None or int(found[1]) not in state.env["numbers"]:
        return False
    if not silent:
        token = state.push("footnote", "", 0)
        token.content = found[1]
        token.meta = {"index": state.env["next_index"]}
        state.env["next_index"] += 1
    state.pos = found.end()
    return True


def _render_footnote(
    _renderer: RendererProtocol, tokens: Sequence[Token], at: int, _options: OptionsDict, env: Env
) -> str:
    token = tokens[at]
    index = token.meta["index"]
    kind, mark = ("open", "?open") if index in env["open"] else ("chip", "")
    # A word joiner keeps the number at its sentence; no-break spaces give its chip room.
    href = f"{CITE_SCHEME}:{index}{mark}"
    return f'&#8288;<a class="{kind}" href="{href}">&nbsp;{token.content}&nbsp;</a>'


def _render_image(
    _renderer: RendererProtocol, tokens: Sequence[Token], at: int, _options: OptionsDict, _env: Env
) -> str:
    return escape(tokens[at].content)


def _render_link_open(
    _renderer: RendererProtocol, tokens: Sequence[Token], at: int, _options: OptionsDict, _env: Env
) -> str:
    href = neutralise_tags(str(tokens[at].attrGet("href") or ""))
    if _LINK.match(href):
        return f'<a class="web" href="{escape(href)}">'
    return '<a class="web">'


def _make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False})
    parser.enable(["table", "strikethrough"])
    parser.inline.ruler.before("link", "footnote", _footnote_rule)
    parser.add_render_rule("footnote", _render_footnote)
    parser.add_render_rule("image", _render_image)
    parser.add_render_rule("link_open", _render_link_open)
    return parser


_PARSER = _make_parser()


def parse_answer(
    markdown: str, numbers: Collection[int], open_mentions: Collection[int] = ()
) -> tuple[AnswerBlock, ...]:
    """Cuts an answer into blocks.

    Args:
        markdown: text with footnotes as `[^n]`; one whose number is unknown stays text.
        numbers: numbers of the confirmed footnotes.
        open_mentions: indexes of footnotes whose card is open, drawn so.
    """
    env: Env = {
        "numbers": set(numbers),
        "next_index": 0,
        "open": set(open_mentions),
    }
    blocks: list[AnswerBlock] = []
    list_count = 0
    for group in _top_level(_without_tags(_PARSER.parse(markdown, env))):
        opening = group[0]
        if opening.type in {"bullet_list_open", "ordered_list_open"}:
            number = int(opening.attrGet("start") or 1)
            for item in _top_level(group[1:-1]):
                blocks.append(
                    _block(item, env, opening.tag, number if opening.tag == "ol" else 0, list_count)
                )
                number += 1
            list_count += 1
        else:
            blocks.append(_block(group, env))
    return tuple(blocks)


def _without_tags(tokens: list[Token]) -> list[Token]:
    """Rewrites what reads as a position tag without its markup: `f0&#45;1-9`, `f0-**1**-9`.

    What reads as one in the text itself never comes here: the gate took it out.
    """
    for token in tokens:
        pieces = [child for child in token.children or () if not child.nesting]
        texts = [_shown(piece) for piece in pieces]
        shown = list("".join(texts))
        dashes = tag_dashes("".join(texts))
        for place in dashes:
            shown[place] = "/"
        at = 0
        for piece, text in zip(pieces, texts, strict=True):
            if dashes and piece.type in _SHOWN:
                piece.content = "".join(shown[at : at + len(text)])
            at += len(text)
    return tokens


def _shown(piece: Token) -> str:
    if piece.type in _SHOWN:
        return piece.content
    return "\n" if piece.type in _BREAKS else "\ufffc"


def _top_level(tokens: Iterable[Token]) -> Iterable[list[Token]]:
    depth = 0
    group: list[Token] = []
    for token in tokens:
        group.append(token)
        depth += token.nesting
        if depth == 0:
            yield group
            group = []


def _block(
    tokens: list[Token],
    env: Env,
    list_tag: str = "",
    list_number: int = 0,
    list_index: int = -1,
) -> AnswerBlock:
    mentions = tuple(
        Mention(child.meta["index"], int(child.content))
        for token in tokens
        for child in token.children or ()
        if child.type == "footnote"
    )
    html = _PARSER.renderer.render(tokens, _PARSER.options, env)
    return AnswerBlock(html, mentions, list_tag, list_number, list_index)


def join_blocks(blocks: Sequence[AnswerBlock]) -> str:
    """HTML of neighbouring blocks, with the tags of the lists they belong to."""
    parts: list[str] = []
    open_list: AnswerBlock | None = None
    for block in blocks:
        if open_list is not None and block.list_index != open_list.list_index:
            parts.append(f"</{open_list.list_tag}>")
            open_list = None
        if block.list_tag and open_list is None:
            start = f' start="{block.list_number}"' if block.list_tag == "ol" else ""
            parts.append(f"<{block.list_tag}{start}>")
            open_list = block
        parts.append(block.html)
    if open_list is not None:
        parts.append(f"</{open_list.list_tag}>")
    return "".join(parts)


def is_right_to_left(text: str) -> bool:
    """Whether a text reads from right to left, by its first letter that has a direction."""
    for character in text[:_SAMPLE_CHARS]:
        direction = unicodedata.bidirectional(character)
        if direction in {"R", "AL"}:
            return True
        if direction == "L":
            return False
    return False
