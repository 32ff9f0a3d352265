"""What an answer says of a name: offered, advised against, warned of, or not known to it.

Recommended is only what stands among three picks or more, where nothing around takes it back: turns of phrase read
"I'd choose Y over X" the wrong way round. What is not understood is unknown.
"""

import re

from visibility.detection.entries import Ranking
from visibility.detection.quotes import sentence
from visibility.detection.splitting import Line
from visibility.detection.types import Stance
from visibility.detection.visible import Span, Visible

FEWEST = 3
"""Picks that an answer has to offer so that their places recommend."""

# Withholds a recommendation and tells nothing else. Words of negation and regret, in the languages that we know of.
_DOUBT = re.compile(
    r"""\b(?:not|no|never|cannot|without|avoid\w*|skip\w*|worst|formerly|used\ to|disappoint\w*|regret\w*|unfortunately
      |nicht|kein\w*|nie|niemals|ohne|meide\w*|vermeid\w*|früher|enttäusch\w*|finger\ weg|leider|schlecht\w*
      |pas|jamais|sans|ne|éviter?|évitez|déç\w*|décev\w*|déconseill\w*|pires?|aucun\w*
      |non|mai|senza|evita\w*|delus\w*|delud\w*|sconsigl\w*|peggior\w*
      |sin|nunca|decepcion\w*|desaconsej\w*|peor\w*|ningun\w*|nenhum\w*|não|nao|sem|desaconselh\w*|pior\w*|desilu\w*
      |niet|geen|nooit|zonder|vermijd\w*|teleurgesteld\w*|tegengevallen|teleurstell\w*|afgeraden|afrad\w*|slecht\w*
      |ikke|inte|ingen|aldrig|undvik\w*|undgå\w*|besvik\w*|avråd\w*|frarå\w*|skuff\w*|sämst\w*
      |nie|bez|odradz\w*|unika\w*|rozczarow\w*|zawiod\w*|najgorsz\w*
      |\u043d\u0435|\u043d\u0435\u0442|\u0431\u0435\u0437|\u0438\u0437\u0431\u0435\u0433\w*|\u0440\u0430\u0437\u043e\u0447\u0430\u0440\w*)\b
    | n't\b | \brat\w*\b[^.!?]{0,60}\bab\b
    | [不没沒無无别別避] | ない|ません|避け|がっかり|失望 | 않|없|말|실망|피하""",
    re.VERBOSE | re.IGNORECASE,
)
_AGAINST_TITLE = re.compile(
    r"""\b(?:avoid(?:ed|ing)?|skip|not\ recommended|worst|don't\ buy|stay\ away|steer\ clear|disappoint(?:ed|ing|ments?)?
      |regret(?:s|ted)?|meiden|nicht\ empfohlen|enttäuscht|finger\ weg|éviter|déçu[es]?|déconseillés?|evitar|decepcion\w*
      |evitare|sconsigliat\w*|delus\w*|vermijden|afgeraden|undvik|avråd\w*|unikać|odradz\w*)\b | 避け|避免|不推荐|피해야""",
    re.VERBOSE | re.IGNORECASE,
)
_AGAINST_BEFORE = re.compile(
    r"""(?:\b(?:avoid|skip|stay\ away\ from|steer\ clear\ of|keep\ away\ from|think\ twice\ before\ \w+ing|regret\ \w+ing
      |(?:don't|do\ not|wouldn't|would\ not|can't|cannot|no\ longer|never)\ (?:ever\ )?(?:buy|use|recommend|trust|choose|get)
      |finger\ weg\ von|meide[nt]?|évitez|evita|evite|evitate|vermijd|undvik)\b)
      (?:\s(?:the|a|an|any|your|using|buying|der|dem|den|la|le|les|el|los))*\s?\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_AGAINST_AFTER = re.compile(
    r"""\A\W*(?:avoid|skip|not\ recommended|i\ (?:would\ not|wouldn't)\ (?:use|buy|recommend))\b
    | \b(?:is|are)\ (?:not\ recommended|no\ longer\ recommended|best\ avoided|not\ worth|a\ waste)\b
    | \b(?:look|shop|go)\ elsewhere\b""",
    re.VERBOSE | re.IGNORECASE,
)
_NOT_FOUND_BEFORE = re.compile(
    r"(?:\bnot|n't|\bunable to|\bno)(?: \w+){0,3} (?:find|locate|identify|information|info|data|details|results|records|"
    r"familiar with|aware of|know of|heard of|recogni[sz]e)\b(?: \w+){0,5}\W*\Z"
    r"|\bnever heard of\W*\Z|\bkeine (?:informationen|angaben|daten|ergebnisse)\b(?: \w+){0,4}\W*\Z",
    re.IGNORECASE,
)
_NOT_FOUND_AFTER = re.compile(
    r"\A(?:\W+\w+){0,4}\W+(?:yields?|returns?|gives?|turn(?:s|ed) up) (?:no|nothing|zero)\b"
    r"|\A.{0,40}(?:not|n't) (?:\w+ )?(?:appear|seem) to exist\b|\A.{0,30}\bis (?:a )?(?:fictional|unknown to me)\b",
    re.IGNORECASE,
)
_WARNING = re.compile(
    r"""\b(?:beware|be\ (?:careful|wary|cautious)|tread\ carefully|with\ caution|caveats?|scams?|breach(?:es|ed)?
      |lawsuits?|recall(?:s|ed)?|complaints?|watch\ out|wary\ of)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_WINDOW = 160


class Stances:
    """Reads what one answer says of its names. `is_asked`: the question is for advice."""

    def __init__(self, seen: Visible, ranking: Ranking, *, is_asked: bool) -> None:
        self._seen = seen
        self._ranking = ranking
        self._is_asked = is_asked
        self._titles = list(_titles(seen))

    def stance_at(self, start: int, end: int) -> Stance:
        """What is said of the name at `start:end` of the visible text."""
        shown, line = self._seen.text, self._seen.line_at(start)
        entry = self._ranking.entry_of(start, end)
        first, last = sentence(shown, (start, end), self.bounds(start, end))
        before, after = (
            _straight(shown[max(first, start - _WINDOW) : start]),
            _straight(shown[end : min(last, end + _WINDOW)]),
        )
        row, title = self._row(line), self._titles[self._seen.index_at(start)]
        if _AGAINST_TITLE.search(title) or any(_AGAINST_TITLE.search(cell) for cell in row):
            return Stance.REJECTED
        if _NOT_FOUND_BEFORE.search(before) or _NOT_FOUND_AFTER.search(after):
            return Stance.NOT_FOUND
        if _AGAINST_BEFORE.search(before) or (self._is_asked and _AGAINST_AFTER.search(after)):
            return Stance.REJECTED
        is_doubtful = any(_DOUBT.search(words) for words in (before, after, title, *row))
        if entry and self._ranking.picks >= FEWEST and not is_doubtful:
            return Stance.RECOMMENDED
        is_warned = self._is_asked and _WARNING.search(before + after)
        return Stance.CAUTIONED if is_warned else Stance.UNKNOWN

    def bounds(self, start: int, end: int) -> Span:
        """The stretch that speaks of the name: its line, inside of its entry."""
        low, high = self._ranking.bounds_of(start, self._seen.line_at(start))
        return low, max(high, end)

    def _row(self, line: Line) -> list[str]:
        """The cells of the row of a table that a line stands in."""
        if line.kind != "cell":
            return []
        index = self._seen.index_at(line.start)
        cells = []
        for other in self._seen.lines[index : index + 12]:
            if other.kind != "cell" or other.row != line.row:
                break
            cells.append(_straight(self._seen.text[other.start : other.end]))
        return cells


def _titles(seen: Visible) -> list[str]:
    """For each line the words of the heading, title or bold line, and of the introduction, that it stands below."""
    titles = []
    heading = title = ""
    for line in seen.lines:
        words = _straight(seen.text[line.start : line.end].strip()[:_WINDOW])
        if line.kind == "heading":
            heading, title = words, ""
        elif line.kind == "title" or (line.kind == "bold" and line.end - line.head < 4) or words.endswith(":"):
            title = words
        elif line.kind == "text" and words:
            title = ""
        titles.append(f"{heading} {title}" if line.kind in ("item", "point", "bold", "cell", "card") else "")
    return titles


def _straight(text: str) -> str:
    return text.replace("’", "'")
