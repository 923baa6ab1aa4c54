"""Whose text a part of a book is: the author's, a note's, a preface's, the licence's.

What the book says itself (`epub:type`, `role`, guide, landmarks) comes first; then what its
headings say, in several languages; a file's name only where nothing else speaks. A part that says
nothing is the author's body text.

Source: EPUB 3 Structural Semantics Vocabulary 1.1; DPUB-ARIA 1.1; OPF 2.0.1 §2.6 (guide).
"""

from __future__ import annotations

import re
import unicodedata

from app.domain.book import Voice

# Tokens of epub:type, role (without "doc-"), guide and landmarks. `bodymatter`, `text` and `part`
# are not among them: they say where the main text starts, not that a preface in it is body text.
_TYPES = {
    "cover": Voice.COVER,
    "frontcover": Voice.COVER,
    "titlepage": Voice.TITLE_PAGE,
    "title-page": Voice.TITLE_PAGE,
    "halftitlepage": Voice.TITLE_PAGE,
    "copyright-page": Voice.COPYRIGHT,
    "copyright": Voice.COPYRIGHT,
    "imprint": Voice.COPYRIGHT,
    "imprimatur": Voice.COPYRIGHT,
    "se:imprint": Voice.COPYRIGHT,
    "se:uncopyright": Voice.LICENCE,
    "dedication": Voice.DEDICATION,
    "epigraph": Voice.EPIGRAPH,
    "toc": Voice.CONTENTS,
    "toc-brief": Voice.CONTENTS,
    "landmarks": Voice.CONTENTS,
    "page-list": Voice.CONTENTS,
    "pagelist": Voice.CONTENTS,
    "loi": Voice.CONTENTS,
    "lot": Voice.CONTENTS,
    "loa": Voice.CONTENTS,
    "lov": Voice.CONTENTS,
    "foreword": Voice.FOREWORD,
    "preface": Voice.PREFACE,
    "introduction": Voice.INTRODUCTION,
    "footnote": Voice.NOTES,
    "footnotes": Voice.NOTES,
    "endnote": Voice.NOTES,
    "endnotes": Voice.NOTES,
    "rearnote": Voice.NOTES,
    "rearnotes": Voice.NOTES,
    "note": Voice.NOTES,
    "notes": Voice.NOTES,
    "annotation": Voice.NOTES,
    "appendix": Voice.APPENDIX,
    "afterword": Voice.AFTERWORD,
    "conclusion": Voice.BODY,
    "epilogue": Voice.BODY,
    "prologue": Voice.BODY,
    "glossary": Voice.GLOSSARY,
    "bibliography": Voice.BIBLIOGRAPHY,
    "index": Voice.INDEX,
    "colophon": Voice.COLOPHON,
    "chapter": Voice.BODY,
}
_NOTE_CLASSES = frozenset({"footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes"})
_LICENCE_CLASSES = frozenset({"pg-boilerplate", "pgheader"})
_LICENCE_IDS = frozenset({"pg-header", "pg-footer", "pg-license", "project-gutenberg-license"})


def _folded(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.replace("’", "'")).casefold()
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    return " ".join(unicodedata.normalize("NFC", text).replace("ß", "ss").split())


# Whole headings, folded: case, marks and numbers aside.
_HEADINGS: dict[Voice, str] = {
    Voice.COVER: "cover|cover page|couverture|umschlag|titelbild|cubierta|portada|copertina|capa"
    "|omslag|обложка|封面|表紙|غلاف|כריכה|표지",
    Voice.TITLE_PAGE: "title page|titlepage|half title|halftitle|page de titre|titelseite"
    "|titelblatt|frontespizio|folha de rosto|титульный лист|扉页|書名頁|标题页|扉|제목",
    Voice.COPYRIGHT: "copyright|copyright page|copyright notice|imprint|legal notice|impressum"
    "|mentions legales|droits d'auteur|derechos de autor|pagina legal|creditos|colofon"
    "|diritti d'autore|direitos autorais|авторские права|版权|版权页|版權|版權頁|著作権|奥付"
    "|حقوق النشر|זכויות יוצרים|저작권",
    Voice.LICENCE: "uncopyright|licence|license|the full project gutenberg license"
    "|project gutenberg license|gnu general public license|gnu free documentation license"
    "|lizenz|licencia|licenza|licenca|лицензия|许可证|許可證|ライセンス",
    Voice.DEDICATION: "dedication|dedicace|widmung|dedicatoria|dedica|посвящение|献词|獻詞|献辞",
    Voice.EPIGRAPH: "epigraph|epigraphe|epigrafe|эпиграф|题记|題記|題辞",
    Voice.CONTENTS: "contents|table of contents|the contents|list of contents|brief contents"
    "|detailed contents|list of illustrations|illustrations|list of figures|list of tables"
    "|table des matieres|sommaire|table des illustrations|inhalt|inhaltsverzeichnis"
    "|abbildungsverzeichnis|indice|indice general|contenido|tabla de contenido|sommario"
    "|indice generale|sumario|inhoud|inhoudsopgave|innehall|содержание|оглавление|目录|目錄|目次"
    "|もくじ|فهرست|المحتويات|فهرس المحتويات|תוכן|תוכן העניינים|차례|목차",
    Voice.FOREWORD: "foreword|avant-propos|geleitwort|prefacio del editor|предисловие редактора"
    "|序言|前言|まえがき|はしがき|머리말",
    Voice.PREFACE: "preface|author's preface|translator's preface|translators' preface"
    "|preface to the first edition|preface to the second edition|prefacio|prefazione|vorwort"
    "|vorrede|vorbemerkung|voorwoord|forord|предисловие|序|自序|译者序|譯者序|はじめに|مقدمة المؤلف"
    "|הקדמה|서문",
    Voice.INTRODUCTION: "introduction|general introduction|introductory|einleitung|einfuhrung"
    "|introduccion|introduzione|introducao|inleiding|введение|导论|導論|引言|序章|序論|مقدمة|مدخل"
    "|מבוא|서론",
    Voice.NOTES: "notes|note|endnotes|footnotes|notes and references|translator's notes"
    "|translator's note|editor's notes|explanatory notes|notes de bas de page|notes de fin"
    "|anmerkungen|fussnoten|endnoten|notas|notas al pie|noten|noter|примечания|сноски|комментарии"
    "|注释|註釋|注釋|脚注|注|註|訳注|ملاحظات|الهوامش|הערות|주석|각주",
    Voice.APPENDIX: "appendix|appendices|annexe|annexes|anhang|anhange|apendice|appendice|bijlage"
    "|приложение|附录|附錄|付録|ملحق|נספח|부록",
    Voice.AFTERWORD: "afterword|postscript|postface|nachwort|epilogo del traductor|postfacio"
    "|postfazione|nawoord|послесловие|后记|後記|あとがき|خاتمة|אחרית דבר|후기",
    Voice.GLOSSARY: "glossary|glossaire|glossar|glosario|glossario|глоссарий|словарь|术语表|術語表"
    "|用語集|용어집",
    Voice.BIBLIOGRAPHY: "bibliography|references|works cited|further reading|select bibliography"
    "|bibliographie|literatur|literaturverzeichnis|bibliografia|referencias|библиография"
    "|список литературы|литература|参考文献|參考文獻|المراجع|ביבליוגרפיה|참고문헌",
    Voice.INDEX: "index|general index|index of names|subject index|register|sachregister"
    "|personenregister|indice analitico|indice alfabetico|indice de nombres|предметный указатель"
    "|указатель|алфавитный указатель|索引|فهرس|מפתח|색인|찾아보기",
    Voice.COLOPHON: "colophon|kolophon|колофон",
}
_BY_HEADING = {
    _folded(words): voice
    for voice, all_words in _HEADINGS.items()
    for words in all_words.split("|")
}
_NUMBERED = re.compile(
    r"^(?:appendix|annexe|anhang|apendice|appendice|приложение|附录|附錄|付録)\s+[\w.]{1,4}\b(?:\s*[:.\-–—].*)?$"
)
_LONGEST_HEADING = 80  # code points; longer ones are titles of chapters
_EDGES = re.compile(r"^[\W\d_]+|[\W\d_]+$")
_WORDS_IN_NAMES = {
    "cover": Voice.COVER,
    "titlepage": Voice.TITLE_PAGE,
    "title_page": Voice.TITLE_PAGE,
    "title-page": Voice.TITLE_PAGE,
    "halftitle": Voice.TITLE_PAGE,
    "halftitlepage": Voice.TITLE_PAGE,
    "copyright": Voice.COPYRIGHT,
    "imprint": Voice.COPYRIGHT,
    "uncopyright": Voice.LICENCE,
    "license": Voice.LICENCE,
    "licence": Voice.LICENCE,
    "dedication": Voice.DEDICATION,
    "epigraph": Voice.EPIGRAPH,
    "toc": Voice.CONTENTS,
    "nav": Voice.CONTENTS,
    "contents": Voice.CONTENTS,
    "foreword": Voice.FOREWORD,
    "preface": Voice.PREFACE,
    "footnotes": Voice.NOTES,
    "endnotes": Voice.NOTES,
    "appendix": Voice.APPENDIX,
    "afterword": Voice.AFTERWORD,
    "glossary": Voice.GLOSSARY,
    "bibliography": Voice.BIBLIOGRAPHY,
    "colophon": Voice.COLOPHON,
}
_LICENCE_END = re.compile(r"\*{3}\s*END OF (?:THE|THIS) PROJECT GUTENBERG", re.IGNORECASE)
_LICENCE_START = re.compile(
    r"\*{3}\s*START OF (?:THE|THIS) PROJECT GUTENBERG[^*]*\*{0,3}", re.IGNORECASE
)
# The full licence has 61 mentions in 19,000 characters; novels and their prefaces a handful.
_LICENCE_MENTIONS = 10
_LICENCE_CHARS_PER_MENTION = 900


def voice_of_types(types: str, role: str = "") -> Voice | None:
    """The voice that `epub:type` and `role` name, or None where they name none.

    Args:
        types: tokens separated by white space.
        role: an ARIA role; only `doc-…` ones count.
    """
    for token in types.split():
        if (voice := _TYPES.get(token.lower())) is not None:
            return voice
    for token in role.split():
        if token.startswith("doc-") and (voice := _TYPES.get(token[4:])) is not None:
            return voice
    return None


def voice_of_marks(classes: str, identifier: str) -> Voice | None:
    """The voice that a `class` or an id of a widely used template names, or None."""
    for token in classes.lower().split():
        if token in _NOTE_CLASSES:
            return Voice.NOTES
        if token in _LICENCE_CLASSES:
            return Voice.LICENCE
    return Voice.LICENCE if identifier in _LICENCE_IDS else None


def voice_of_heading(heading: str) -> Voice | None:
    """The voice that a whole heading names ("Notes", "Vorwort", "目次"), or None."""
    if not heading or len(heading) > _LONGEST_HEADING:
        return None
    folded = _folded(heading)
    found = _BY_HEADING.get(folded)
    if found is None:
        found = _BY_HEADING.get(_EDGES.sub("", folded))
        # "1 Introduction" is the author's first chapter.
        found = None if found is Voice.INTRODUCTION and folded[0].isdecimal() else found
    if found is None and _NUMBERED.match(folded):
        return Voice.APPENDIX
    return found


def voice_of_name(name: str) -> Voice | None:
    """The voice that a file's name says, or None; `name` is a path inside the package."""
    stem = name.rpartition("/")[2].partition(".")[0].lower()
    return _WORDS_IN_NAMES.get(stem) or _WORDS_IN_NAMES.get(_EDGES.sub("", stem))


def licence_ranges(text: str) -> tuple[tuple[int, int], ...]:
    """Where a text is Project Gutenberg's own: before its start line, after its end line.

    Returns:
        Ranges in code points, end exclusive; the whole text where it is the licence itself.
    """
    mentions = (
        len(re.findall("project gutenberg", text, re.IGNORECASE))
        if "utenberg" in text.lower()
        else 0
    )
    if not mentions:
        return ()
    ranges: list[tuple[int, int]] = []
    start = _LICENCE_START.search(text)
    end = _LICENCE_END.search(text, 0 if start is None else start.end())
    if start is not None:
        ranges.append((0, start.end()))
    if end is not None:
        ranges.append((end.start(), len(text)))
    is_whole = mentions >= _LICENCE_MENTIONS and len(text) <= mentions * _LICENCE_CHARS_PER_MENTION
    return tuple(ranges) or (((0, len(text)),) if is_whole else ())
