"""The text of one answer with its source cards, each under the paragraph that holds its footnote.

While no card is open the whole answer is one text, so that it can be selected across paragraphs;
a card parts it at the end of its paragraph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.chat.answer_text import AnswerText
from app.ui.chat.markdown import (
    AnswerBlock,
    is_right_to_left,
    join_blocks,
    parse_answer,
)
from app.ui.chat.source_card import SourceCard, SourceCardContent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.conversation import Citation
    from app.ui.theme import Theme


class AnswerBody(QWidget):
    """The text of an answer as it grows.

    Signals:
        source_wanted: index of the footnote whose card is to be opened; answered by `open_card`.
        show_in_book: the `Citation` to jump to.
        link_chosen: the address of a link; it has not been opened.
        card_opened: the `SourceCard`, now among the text.
    """

    source_wanted = Signal(int)
    show_in_book = Signal(object)
    link_chosen = Signal(str)
    card_opened = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._markdown = ""
        self._citations: Mapping[int, Citation] = {}
        self._blocks: tuple[AnswerBlock, ...] = ()
        self._pieces: list[AnswerText] = []
        self._cards: dict[int, SourceCard] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)

    @property
    def cards(self) -> tuple[SourceCard, ...]:
        """The open cards, in the order of the text."""
        return tuple(self._cards[index] for index in sorted(self._cards))

    @property
    def pieces(self) -> tuple[AnswerText, ...]:
        """The texts between the cards, in order."""
        return tuple(self._pieces)

    def plain_text(self) -> str:
        """The whole text as a person reads it, footnotes as `[1]`."""
        return "\n\n".join(piece.plain_text() for piece in self._pieces)

    def citation_of(self, mention_index: int) -> Citation:
        """The footnote that stands at a mention.

        Raises:
            KeyError: there is no such mention.
        """
        for block in self._blocks:
            for mention in block.mentions:
                if mention.index == mention_index:
                    return self._citations[mention.number]
        raise KeyError(mention_index)

    def mention_of(self, number: int) -> int | None:
        """The first mention of a footnote, or None where the text has none."""
        for block in self._blocks:
            for mention in block.mentions:
                if mention.number == number:
                    return mention.index
        return None

    def set_answer(self, markdown: str, citations: Mapping[int, Citation]) -> None:
        """Shows an answer's text; what is already shown and did not change stays as it is.

        Args:
            markdown: text with footnotes as `[^n]`.
            citations: the confirmed footnotes by number.
        """
        self._markdown = markdown
        self._citations = dict(citations)
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        """Draws text and cards in a theme's colours."""
        self._theme = theme
        for piece in self._pieces:
            piece.set_theme(theme)
        for card in self._cards.values():
            card.set_theme(theme)

    def choose(self, mention_index: int) -> None:
        """Opens the card of a footnote, or closes it where it is open."""
        if mention_index in self._cards:
            self.close_card(mention_index)
        else:
            self.source_wanted.emit(mention_index)

    def open_card(self, mention_index: int, content: SourceCardContent) -> None:
        """Opens a card under its paragraph and gives it the keyboard, so that Enter goes on."""
        card = SourceCard(content, self._theme, self)
        card.show_in_book.connect(self.show_in_book)
        card.closed.connect(lambda: self.close_card(mention_index))
        self._cards[mention_index] = card
        self._arrange()
        card.show()
        card.setFocus(Qt.FocusReason.OtherFocusReason)
        self.card_opened.emit(card)

    def close_card(self, mention_index: int) -> None:
        """Closes a card and puts the keyboard back on its footnote."""
        card = self._cards.pop(mention_index)
        self._arrange()
        card.hide()
        card.deleteLater()
        for piece in self._pieces:
            if piece.has_footnote(mention_index):
                piece.focus_footnote(mention_index)

    def _arrange(self) -> None:
        """Parts the text at the open cards and lays text and cards out in order."""
        self._blocks = parse_answer(self._markdown, self._citations.keys(), self._cards.keys())
        known = {mention.index for block in self._blocks for mention in block.mentions}
        for index in [index for index in self._cards if index not in known]:
            self._cards.pop(index).deleteLater()
        groups: list[tuple[list[AnswerBlock], list[SourceCard]]] = [([], [])]
        for block in self._blocks:
            groups[-1][0].append(block)
            cards = [
                self._cards[mention.index]
                for mention in block.mentions
                if mention.index in self._cards
            ]
            if cards:
                groups[-1] = (groups[-1][0], cards)
                groups.append(([], []))
        groups = [group for group in groups if group[0]]
        while len(self._pieces) < len(groups):
            self._pieces.append(self._new_piece())
        while len(self._pieces) > len(groups):
            self._pieces.pop().deleteLater()
        is_rtl = is_right_to_left(self._markdown)
        at = 0
        for piece, (blocks, cards) in zip(self._pieces, groups, strict=True):
            piece.set_content(join_blocks(blocks), is_right_to_left=is_rtl)
            for part in (piece, *cards):
                item = self._layout.itemAt(at)
                if item is None or item.widget() is not part:
                    self._layout.insertWidget(at, part)
                part.show()
                at += 1

    def _new_piece(self) -> AnswerText:
        piece = AnswerText(self._theme, self)
        piece.footnote_chosen.connect(self.choose)
        piece.link_chosen.connect(self.link_chosen)
        return piece
