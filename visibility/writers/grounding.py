"""Keeps of what was written only what rests on a source, whoever wrote it and whatever a source asks for.

Headings are those of the task; sentences are kept where their source says so; a section of which nothing is left is a
gap. What was left out is counted, never shown: it may be what a hostile source asks for.
"""

from dataclasses import dataclass, field

from markdown_it.token import Token

from visibility.writers.drafting import compose, title_of
from visibility.writers.markup import GAP, MARK, PARSER, body_of, escaped, gaps_in, shown
from visibility.writers.outline import headings_of
from visibility.writers.protocol import WrittenDraft
from visibility.writers.statements import Judge, Statement, sentences
from visibility.writers.tasks import DraftTask
from visibility.writers.words import content_words, names_any, wording_key

MAX_GAP = 200
MIN_GAP_SHARE = 0.5
_LITERAL = ("fence", "code_block", "html_block")


@dataclass(frozen=True, slots=True)
class Grounded:
    """A draft with what was left out of it counted, in sentences."""

    draft: WrittenDraft
    dropped: int


def ground(draft: WrittenDraft, task: DraftTask) -> Grounded:
    """The draft without what has no source."""
    page = _Page(task)
    for token in PARSER.parse(body_of(draft.markdown, task)):
        page.read(token)
    title, is_ours = draft.title, _is_title(draft.title, task)
    if not is_ours:
        title, page.dropped = title_of(task), page.dropped + 1
    return Grounded(WrittenDraft(title=title, markdown=page.text()), page.dropped)


def _is_title(title: str, task: DraftTask) -> bool:
    """Whether a title holds the words of the task alone: it has no mark by which to tell its source."""
    known = content_words(" ".join([*headings_of(task), title_of(task), *task.subject.names, *task.subject.rivals]))
    return content_words(title) <= known


@dataclass
class _Page:
    """What is kept of the tokens of a text, in order."""

    task: DraftTask
    parts: list[str] = field(default_factory=list)
    dropped: int = 0
    depth: int = 0
    quotes: int = 0
    items: int = 0
    heading: str = ""
    is_open: bool = False

    def __post_init__(self) -> None:
        self._judge = Judge(self.task)
        self._headings = {wording_key(heading): heading for heading in headings_of(self.task)}
        self._gaps = set(gaps_in(compose(self.task).markdown))
        self._wanted = content_words(" ".join([*headings_of(self.task), self.task.subject.name, _GAP_WORDS]))

    def read(self, token: Token) -> None:
        """Take the next token in."""
        if token.type == "heading_open":
            self.depth = int(token.tag[1:])
        elif token.type == "heading_close":
            self.depth = 0
        elif token.type in ("blockquote_open", "blockquote_close"):
            self.quotes += token.nesting
        elif token.type in ("list_item_open", "list_item_close", "td_open", "td_close", "th_open", "th_close"):
            self.items += token.nesting
        elif token.type in _LITERAL and token.content.strip():
            self.dropped += 1
        elif token.type == "inline" and token.content.strip():
            self._take(shown(token))

    def text(self) -> str:
        """What is kept, as Markdown; a page of which nothing is left is a gap."""
        self._close()
        if not self.parts:
            self.parts.append(_gap_of(self.task.question))
        return "\n\n".join(self.parts)

    def _take(self, text: str) -> None:
        if self.depth:
            self._take_heading(text)
            return
        kept = [sentence for sentence in map(self._kept, sentences(text)) if sentence]
        if kept:
            self.is_open = False
            begin = "> " if self.quotes else "- " if self.items else ""
            self.parts.append(begin + " ".join(kept))

    def _take_heading(self, text: str) -> None:
        heading = self._headings.get(wording_key(text))
        if heading is None or not wording_key(text):
            self.dropped += 1
            return
        self._close()
        self.heading, self.is_open = heading, True
        self.parts.append(f"{'#' * max(2, min(self.depth, 3))} {escaped(text)}")

    def _close(self) -> None:
        """A section of which nothing is left asks for what belongs there."""
        if self.is_open:
            self.parts.append(_gap_of(self.heading))
            self.is_open = False

    def _kept(self, sentence: str) -> str:
        """The sentence as Markdown, empty where it has to go."""
        gaps = [match[0] for match in GAP.finditer(sentence) if self._is_gap(match[1])]
        self.dropped += len(GAP.findall(sentence)) - len(gaps)
        rest = GAP.sub(" ", sentence)
        said = list(statements_of(rest, quote=self.quotes > 0))
        if said and any(self._judge.fault(statement) for statement in said):
            self.dropped += 1
            rest, said = "", []
        written = _written(rest) if said else ""
        return " ".join(filter(None, [written, *(_gap(gap) for gap in gaps)]))

    def _is_gap(self, words: str) -> bool:
        """Whether a gap asks for what the page is about."""
        if self._gaps.intersection(gaps_in(_gap_of(words))):
            return True
        gap_words = content_words(words)
        rivals = [rival for rival in self.task.subject.rivals if names_any(words, [rival])]
        return (
            len(words) <= MAX_GAP
            and not rivals
            and 0 < len(gap_words) * MIN_GAP_SHARE <= len(gap_words & self._wanted)
        )


_GAP_WORDS = """
answer sentence two figure test source price number name page year day date award review customer certificate range
warranty model product size weight offered link fact example case study cost
"""
_BRACKETS = str.maketrans("[]", "()")


def statements_of(text: str, *, quote: bool) -> list[Statement]:
    """The statement that a sentence is, if it says anything."""
    statement = Statement(text, quote)
    return [statement] if any(sign.isalnum() for sign in statement.bare) else []


def _written(sentence: str) -> str:
    """A sentence as Markdown: its words stay words, its marks stay marks."""
    parts = MARK.split(sentence.strip())
    return "".join(f"[{part}]" if index % 2 else _kept_spaces(part) for index, part in enumerate(parts))


def _kept_spaces(text: str) -> str:
    words = escaped(text)
    return f"{' ' * text.startswith(' ')}{words}{' ' * text.endswith(' ')}" if words else " " * bool(text)


def _gap(gap: str) -> str:
    match = GAP.match(gap)
    return _gap_of(match[1]) if match else ""


def _gap_of(words: str) -> str:
    return f"[fact needed: {escaped(words.translate(_BRACKETS))}]"
