"""Which of two names an answer prefers, for comparison runs.

The first rule that applies decides: the last line that sums up ("Verdict: Acme"); sentences that all choose the same
name ("I would go with Acme"); the first place of a ranking; a warning of one name where the other is recommended. A
clause under a condition, for some people, in one respect, or with a "not" in it decides nothing. Which name comes
first, or more often, only follows the question.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from visibility.detection.types import Mention, Stance

Rule = Literal["verdict", "choice", "rank", "stance", "contradiction", "none"]

# Signs in place of the two names; they are taken out of every text first.
_ONE, _OTHER = "\x01", "\x02"
_NAMES = _ONE + _OTHER
_GAP = rf"[^\w{_NAMES}]"
_NEAR = rf"[^{_NAMES}.;:!?]{{0,50}}?"
_ARTICLE = r"(?:(?:the|a|an|either|something like|die|der|das|den|le|la|les|el|los|las)\s+)?[^\w\x01\x02]{0,3}"
_NOT_JOINED = rf"(?!\W*(?:or|and|&|/|,|oder|und|ou|et|o|y|e)\W*[{_NAMES}])"


def _any(*phrases: str) -> str:
    return f"(?:{'|'.join(phrases)})"


_CHOOSES = _any(
    r"choose|pick|recommend|prefer|favou?r|suggest|take",
    r"go with|go for|opt for|side with|lean(?:ing)? (?:to|towards?)",
    r"(?:choos|pick|recommend|opt)ing(?: for)?|give (?:it|this|the (?:edge|nod|win)) to",
    r"(?:edge|win|nod|vote|crown|verdict|title) (?:still |narrowly |clearly )?goes to",
    r"(?:pick|choice|recommendation|winner|answer|vote|favou?rite|preference)(?: here| overall| for most \w+)? "
    r"(?:is|would be|goes to)",
    r"ich (?:empfehle|wähle|nehme|bevorzuge|rate zu|tendiere zu|würde(?: \w+){0,2} zu)",
    r"(?:würde(?: ich)?(?: mich)?|entscheide mich)(?: \w+){0,2} für",
    r"meine? (?:wahl|empfehlung|favorit)(?: ist| wäre| fällt auf)",
    r"je (?:choisirais|choisis|recommande(?:rais)?|prendrais|préfère|préférerais|conseille(?:rais)?|opterais pour)",
    r"mon choix(?: est| serait| se porte(?:rait)? sur)",
    r"(?:elegiría|escogería|recomiendo|recomendaría|prefiero|preferiría)(?: a)?",
    r"me quedo con|optaría por|me inclino por",
    r"mi (?:elección|recomendación)(?: es| sería)",
)
_IS_BETTER = _any(
    rf"(?:is|are|would be|remains|comes(?: out)?|seems|looks|stands out as|emerges as|gets|takes|has|holds)\s+{_NEAR}"
    + _any(
        r"better|superior|stronger|preferable|ahead|on top|the best|winner|(?:the|an) edge|the upper hand|the lead",
        r"the nod",
        r"(?:the|my|our) (?:(?:overall|clear|obvious|safer|smarter|right|top|winning|personal) )*"
        r"(?:pick|choice|recommendation|favou?rite)",
    )
    + r"\b",
    r"(?:wins|beats|outperforms|edges out|surpasses|gets my vote)\b",
    rf"(?:ist|wäre|bleibt|liegt|hat)\s+{_NEAR}(?:besser\b|d(?:ie|er|as) bessere|die beste|überlegen|vorne?\b)",
    rf"(?:ist|wäre|bleibt)\s+{_NEAR}meine wahl",
    r"gewinnt\b",
    rf"(?:est|serait|reste)\s+{_NEAR}(?:meilleure?\b|supérieure?\b|préférable|mon choix)|l['’]emporte\b",
    rf"(?:es|sería|resulta)\s+{_NEAR}(?:mejor\b|superior\b|preferible|mi elección)|gana\b",
)
_IS_WORSE = _any(
    r"(?:is|are|would be|seems|looks)\s+(?:\w+\s+)?(?:worse|inferior|weaker|behind)(?:\s+(?:than|to))?",
    r"falls short of|loses to|lags behind",
    r"(?:ist|wäre)\s+(?:\w+\s+)?(?:schlechter als|unterlegen)|est (?:moins bonne? que|inférieure? à)|es peor que",
)
_LABEL = _any(
    r"(?:final )?(?:verdict|answer)|winner|(?:my |our |top )?(?:pick|choice|recommendation)|bottom line|conclusion",
    r"fazit|(?:meine )?(?:wahl|empfehlung)|sieger|urteil|mon choix|recommandation|veredicto|conclusión|recomendación",
)
_SUMS_UP = re.compile(
    rf"\W*(?:{_LABEL}|overall|in short|in summary|to sum up|summary|tl;?dr|all in all|ultimately|in the end|so,"
    r"|insgesamt|alles in allem|unterm strich|kurz gesagt|zusammenfassung|en résumé|au final|en conclusion|en bref"
    r"|en resumen|en conclusión|en definitiva|al final)\b"
)
_CONDITION = re.compile(
    _any(
        r"\b(?:if|unless|depend(?:s|ing)?|whether|when(?:ever)? (?:you|your|it comes)|in terms of|either way|both)\b",
        r"\bfor (?:those|people|users|teams|anyone|someone|small|large|buyers|businesses)\b",
        r"\b(?:better|best|stronger|ideal|suited|great|good|preferable) (?:for|at)\b",
        r"\b(?:wenn|falls (?:sie|du|man|ihr|es)|sofern|je nach\w*|kommt (?:\w+ )?darauf an|hängt|in sachen)\b",
        r"\bfür (?:alle|nutzer|teams|anfänger|die|diejenigen)\b|\bbesser für\b",
        r"\b(?:si (?:vous|tu|votre|l['’]?on|on)|s['’]il|dépend|selon|pour (?:ceux|celles|les|une?)|côté)\b",
        r"\b(?:si (?:usted|su|quieres?|buscas?|necesitas?)|depende|según|para (?:quienes|los|las))\b",
        r"\b(?:en cuanto a|cuando)\b",
        rf"[{_NAMES}] for (?!(?:its|their|the|my)\b)|[{_NAMES}] for [^{_NAMES}]*\band [{_NAMES}]",
        r"\b(?:wins|beats|outperforms|surpasses|ahead|edge|lead|better|superior|stronger)"
        rf"\W+(?:(?:than )?[{_NAMES}]\W+)?(?:on|in|at|with|regarding)\s+"
        r"(?!(?:all|almost|balance|every|general|most|my|nearly|our|overall|the end)\b)\w",
    )
)
# Like a condition, but none.
_NO_CONDITION = re.compile(
    _any(
        r"\bif (?:i|you|we)(?: really| absolutely)? (?:had to|have to|must|could only|can only|only)\b[^,]{0,60},",
        r"\b(?:for|to) most\b(?: \w+)?|for the majority(?: of \w+)?|in most cases|for every(?:one|body)",
        r"für (?:die meisten|die mehrheit)(?: \w+)?|wenn ich (?:mich )?(?:wählen|entscheiden) müsste,?",
        r"pour la plupart(?: des \w+)?|para la mayoría(?: de (?:los|las)? ?\w+)?",
    )
)
_NEGATION = re.compile(
    r"\b(?:not|never|neither|hardly|no longer|hard to|cannot|nicht|kein\w*|weder|ne|pas|ni|no)\b|n['’]t\b|\bn['’]"
)
_CLAUSE_END = re.compile(
    r";|\s[–—]\s|, (?:which|who)\b|,? (?:but|while|whereas|though|although|however|because|since|as it|as they|given"
    r"|due to|aber|während|doch|jedoch|weil|denn|da es|mais|tandis que|car|parce que|puisque|pero|mientras que|aunque"
    r"|porque|ya que)\b,?"
)
_MARKUP = re.compile(r"\A\s*(?:#{1,6}|[-•>]|\d{1,2}[.)])\s+|[*_`|~\[\]]+")
_SENTENCE = re.compile(r".*?(?:[.!?…](?=\s|\Z)|\Z)", re.DOTALL)
_LONGEST_TITLE = 60


def _for_each(*patterns: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns with the first name as {x} and the second as {o}, and the other way round."""
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    one, other = (re.compile(joined.replace("{x}", x).replace("{o}", o)) for x, o in ((_ONE, _OTHER), (_OTHER, _ONE)))
    return one, other


_CHOSEN = _for_each(
    rf"\b{_CHOOSES}\s+{_ARTICLE}{{x}}{_NOT_JOINED}",
    rf"{{x}}{_GAP}*(?:\w{{1,30}}{_GAP}+){{0,3}}?{_IS_BETTER}",
    rf"{{x}} (?:over|rather than|instead of|statt|plutôt que|en lugar de) {_ARTICLE}{{o}}",
    rf"{{o}}{_GAP}*(?:\w{{1,30}}{_GAP}+){{0,2}}?{_IS_WORSE}\s*{_ARTICLE}{{x}}",
    rf"(?:\A|[\s–—-]){_LABEL}(?: is| would be| goes to| ist| est| es)?\s*[:–—-]{_GAP}{{0,6}}{{x}}{_NOT_JOINED}",
    rf"\bich würde {_NEAR}{{x}} (?:wählen|nehmen|empfehlen|bevorzugen|kaufen|vorziehen)",
)
_ALONE = _for_each(rf"\A{_GAP}*{{x}}{_GAP}*\Z")
_FIRST_PLACE = _for_each(
    r"(?:\A|\s)(?:#\s?1\b|🥇|1st(?: place)?\b|first place\b|no\. ?1\b|platz 1\b|1re place\b"
    rf"|primer (?:lugar|puesto)\b){_GAP}{{0,6}}{{x}}",
    rf"{{x}}{_GAP}{{0,4}}(?:🥇|\((?:winner|sieger|ganador|gagnant)\))",
)


@dataclass(frozen=True, slots=True)
class Preference:
    """The subject that an answer prefers, None where it is undecided; `start:end` of the raw text shows it."""

    subject: str | None
    rule: Rule
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence that names a contender, with signs in place of the names; `sums_up`: its line sums up."""

    words: str
    sums_up: bool
    start: int
    end: int


def preferred(text: str, mentions: Sequence[Mention], contenders: tuple[str, str]) -> Preference:
    """Which of two subjects, by their keys, an answer prefers. `mentions` are those that were detected in it."""
    sentences = list(_sentences(text, mentions, contenders))
    chosen = [(sides.pop(), each) for each in sentences if len(sides := _chosen_by(each)) == 1]
    verdicts = [(side, each) for side, each in chosen if each.sums_up]
    if verdicts:
        return _preference(*verdicts[-1], "verdict", contenders)
    if chosen:
        side, last = chosen[-1]
        if len({side for side, _ in chosen}) > 1:
            return Preference(None, "contradiction", last.start, last.end)
        return _preference(side, last, "choice", contenders)
    first = [(side, each) for each in sentences for side in _sides(_FIRST_PLACE, each.words)]
    if len({side for side, _ in first}) == 1:
        return _preference(*first[0], "rank", contenders)
    return _by_stance(mentions, contenders)


def _preference(side: int, sentence: _Sentence, rule: Rule, contenders: tuple[str, str]) -> Preference:
    return Preference(contenders[side], rule, sentence.start, sentence.end)


def _by_stance(mentions: Sequence[Mention], contenders: tuple[str, str]) -> Preference:
    """The one that is recommended without reservation, where the other is advised against."""
    against = {Stance.REJECTED, Stance.CAUTIONED}
    stances = {subject: {each.stance for each in mentions if each.subject == subject} for subject in contenders}
    for subject, other in (contenders, contenders[::-1]):
        if Stance.RECOMMENDED in stances[subject] and stances[other] & against and not stances[subject] & against:
            shown = next(each for each in mentions if each.subject == other and each.stance in against)
            return Preference(subject, "stance", shown.quote_start, shown.quote_end)
    return Preference(None, "none")


def _chosen_by(sentence: _Sentence) -> set[int]:
    """For whom the clauses of a sentence decide: the first contender (0), the second (1)."""
    sides: set[int] = set()
    for clause in _CLAUSE_END.split(sentence.words):
        plain = " ".join(_NO_CONDITION.sub(" ", clause).split())
        if not _CONDITION.search(plain) and not _NEGATION.search(plain):
            sides |= _sides(_CHOSEN, plain) or (_sides(_ALONE, plain) if sentence.sums_up else set())
    return sides


def _sides(patterns: tuple[re.Pattern[str], re.Pattern[str]], words: str) -> set[int]:
    return {side for side, pattern in enumerate(patterns) if pattern.search(words)}


def _sentences(text: str, mentions: Sequence[Mention], contenders: tuple[str, str]) -> Iterator[_Sentence]:
    """The sentences that name a contender, and whether their line, or the title above it, sums up."""
    places = _places(mentions, contenders)
    is_below_title = False
    for line in re.finditer(r"[^\n\r]+", text):
        shown = _plain(line[0])
        is_title = len(shown) <= _LONGEST_TITLE and (line[0].lstrip().startswith(("#", "**")) or shown.endswith(":"))
        opens = _SUMS_UP.match(shown) is not None
        names = places[bisect_left(places, (line.start(),)) : bisect_left(places, (line.end(),))]
        if not names:
            is_below_title = opens if is_title else is_below_title
            continue
        for sentence in _SENTENCE.finditer(line[0]):
            start, end = line.start() + sentence.start(), line.start() + sentence.end()
            inside = names[bisect_left(names, (start,)) : bisect_left(names, (end,))]
            if inside:
                words = _with_stand_ins(text, start, end, inside)
                sums_up = opens or is_below_title or _SUMS_UP.match(words) is not None
                yield _Sentence(words, sums_up, start, end)


def _places(mentions: Sequence[Mention], contenders: tuple[str, str]) -> list[tuple[int, int, str]]:
    """Where the contenders are named, each with its sign; a name of both is left out."""
    subjects: dict[tuple[int, int], set[str]] = {}
    for each in mentions:
        if each.subject in contenders:
            subjects.setdefault((each.start, each.end), set()).add(each.subject)
    return [
        (start, end, _ONE if contenders[0] in named else _OTHER)
        for (start, end), named in sorted(subjects.items())
        if len(named) == 1
    ]


def _with_stand_ins(text: str, start: int, end: int, names: Sequence[tuple[int, int, str]]) -> str:
    parts = []
    for first, last, name in names:
        parts += [_without_stand_ins(text[start:first]), name]
        start = last
    return _plain("".join([*parts, _without_stand_ins(text[start:end])]))


def _without_stand_ins(text: str) -> str:
    return text.replace(_ONE, " ").replace(_OTHER, " ")


def _plain(text: str) -> str:
    """In small letters, without Markdown, on one line."""
    return " ".join(_MARKUP.sub(" ", text).split()).lower()
