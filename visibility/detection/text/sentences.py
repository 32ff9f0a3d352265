"""Sentences of a text and the words in them, as nltk's `sent_tokenize` and `word_tokenize` find them.

The sentence splitter is Punkt's decision procedure (Kiss and Strunk 2006) with short lists of our own in place of a
trained model; the word splitter follows the Penn Treebank's conventions as far as they change how many words are
longer than two characters. Nothing is downloaded. Both take any string, in time linear in its length.
"""

import re
import string
from collections.abc import Iterator
from itertools import pairwise

Span = tuple[int, int]

# English abbreviations that a capital may follow without a new sentence. "sq", "e.g" and "i.e" are left out, as in
# the model that the published impression metrics were computed with.
_ABBREVIATED = """
    adm ala ariz ark assn aug ave bros brig calif capt cie cmdr co col colo conn corp ct dec del dept dist div dr est
    feb fla fri ft ga gen gov hon ill inc ind jan jr kan ky lt ltd maj mass mich minn miss mr mrs ms mt neb nev nov
    oct okla ore pa ph.d pres prof rep reps rev sat sen sens sept sgt sr st supt tenn tues va vs vt wash wed wis a.d
    a.g a.m b.c b.v d.c l.a l.p m.b.a m.d n.c n.d n.h n.j n.m n.v n.y p.a p.m r.i s.a s.c s.p.a u.k u.n u.s u.s.a
    u.s.s.r w.va
"""
# Words that begin a sentence even after an abbreviation or an initial ("led" because the model knows the verb).
_OPENING = """
    a according after all although among an another as at both but by despite during each even for he her here his how
    however i if in instead it its led many meanwhile most my no not on once one our she since so some such that the
    their then there these they this those thus though to under until we what when where while who with yet you your
"""
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_OPENERS = frozenset(_OPENING.split())

_CLOSING = r"\"')\]}\u2018\u2019\u201c\u201d\u00ab\u00bb"
_AFTER_WORD = r"[)\";}\]*:@'({\[\u2018\u2019\u201c\u201d\u00ab\u00bb?!]"
_RUN = r"-{2,}|\.{2,}|(?:\.\s){2,}\."
_END = re.compile(rf"[.?!](?=(?P<after>{_AFTER_WORD}|\s+(?P<next>\S+)))")
_TOKEN = re.compile(
    rf"{_RUN}|[^\s(\"`{{\[:;&#*@)}}\]\-,]\S*?(?=\s|$|{_AFTER_WORD}|{_RUN}|,(?:$|\s|{_AFTER_WORD}|{_RUN}))|\S"
)
_CLOSERS = re.compile(rf"[{_CLOSING}]+?(?:\s+|(?=--)|$)", re.MULTILINE)
_NUMBER = re.compile(r"-?[.,]?\d[\d,.-]*\.?")
_INITIAL = re.compile(r"[^\W\d]\.")
_PUNCTUATION = frozenset(";:,.!?")


def _apart(joined: re.Match[str]) -> str:
    """The two words that are written as one."""
    return " ".join(["", *filter(None, joined.groups()), ""])


# Step by step, what the Treebank's tokeniser sets apart. Marks that become words of one or two characters are
# dropped; what stays is split at white space. A step with a sign of its own is for sentences that hold it.
_TREEBANK = [
    (sign, re.compile(pattern, flags), replacement)
    for sign, pattern, replacement, flags in (
        ("", r"[\u00ab\u201c\u2018\u201e`]+", r" \g<0> ", 0),
        ("", r"\A\"|(?<=[ (\[{<])(?:\"|'')", " ` ", 0),
        ("'", r"(?<!\w)'(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", "' ", re.IGNORECASE),
        (".", r"([^.])\.(?=[\])}>\"'\u00bb\u201d\u2019 ]*+\s*$)", r"\1 ", 0),
        ("", r"[:,]([^\d])", r" \1", 0),
        ("", r"[:,]$", " ", 0),
        ("..", r"\.{2,}", r" \g<0> ", 0),
        ("", r"[;@#$%&\u2012-\u2015?!*]", " ", 0),
        ("'", r"([^'])' ", r"\1 ' ", 0),
        ("", r"[\]\[(){}<>]|--", " ", 0),
        ("", r"[\u00ab\u201c\u2018\u201e`\u00bb\u201d\u2019\"]|''", " ", 0),
        ("", r"\A|\s+|\Z", " ", 0),
        ("'", r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 ", 0),
        ("'", r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 ", 0),
        ("", r"\b(?:(can)(not)|(gim)(me)|(gon)(na)|(got)(ta)|(lem)(me)|(wan)(na)(?=\s))\b", _apart, re.I),
        ("'", r"\b(d)('ye)\b|\b(more)('n)\b| ('t)(is)\b| ('t)(was)\b", _apart, re.I),
    )
]


def sentence_spans(text: str) -> list[Span]:
    """Where the sentences of a paragraph stand, without the space between them."""
    return list(_with_closers(text, _split(text)))


def count_words(sentence: str, longer_than: int = 2) -> int:
    """How many words of a sentence, as the Treebank splits it, have more than so many characters."""
    return sum(
        len(word) > longer_than for start, end in sentence_spans(sentence) for word in _words(sentence[start:end])
    )


def _words(sentence: str) -> list[str]:
    """The words of one sentence; punctuation that stands apart is left out where it is too short to count."""
    for sign, pattern, replacement in _TREEBANK:
        if sign in sentence:
            sentence = pattern.sub(replacement, sentence)
    return sentence.split()


def _split(text: str) -> Iterator[Span]:
    start = 0
    for end, following, context in _possible_ends(text):
        if _breaks(context):
            yield start, end
            start = following
    yield start, len(text.rstrip())


def _possible_ends(text: str) -> Iterator[tuple[int, int, str]]:
    """Each place where a sentence may end and where the next would start, with the words around it.

    Of several in one word ("acting!!!") only the last is one.
    """
    before: Span = (0, 0)
    found: re.Match[str] | None = None
    for match in _END.finditer(text):
        gap = max(text.rfind(space, before[1], match.start()) for space in string.whitespace)
        word = (gap + 1 if gap > before[1] else before[0], match.start())
        if found and before[1] <= word[0]:
            yield _possible_end(text, found, before)
        found, before = match, word
    if found:
        yield _possible_end(text, found, before)


def _possible_end(text: str, found: re.Match[str], word: Span) -> tuple[int, int, str]:
    following = found.start("next") if found["next"] else found.end()
    return found.end(), following, text[slice(*word)] + found[0] + found["after"]


def _breaks(context: str) -> bool:
    """Whether a sentence ends inside these words."""
    tokens = [token for line in context.split("\n") for token in _TOKEN.findall(line)]
    return any(_ends_sentence(token, following) for token, following in pairwise(tokens))


def _ends_sentence(token: str, following: str) -> bool:
    if token in ("?", "!"):
        return True
    if not token.endswith("."):
        return False
    opens = following[0].isupper() and following.lower().rstrip(".") in _OPENERS
    if token.endswith(".."):
        return opens and token.startswith("..")
    if _is_abbreviation(token):
        return opens
    continues = following in _PUNCTUATION or following[0].islower()
    if _INITIAL.fullmatch(token):
        return opens or not (continues or following[0].isupper())
    return not (continues and _NUMBER.fullmatch(token))


def _is_abbreviation(token: str) -> bool:
    word = token[:-1].lower()
    return word in _ABBREVIATIONS or word.rsplit("-", 1)[-1] in _ABBREVIATIONS


def _with_closers(text: str, spans: Iterator[Span]) -> Iterator[Span]:
    """Quotes and brackets that close a sentence go to it, not to the next one."""
    moved = 0
    current = next(spans)
    for following in spans:
        start, end = current[0] + moved, current[1]
        closers = _CLOSERS.match(text[slice(*following)])
        moved = closers.end() if closers else 0
        if closers:
            yield start, following[0] + len(closers[0].rstrip())
        elif start < end:
            yield start, end
        current = following
    if current[0] + moved < current[1]:
        yield current[0] + moved, current[1]
