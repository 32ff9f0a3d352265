"""Words a question anew by rule. It understands the usual instructions; the rest is left to engines."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from visibility.detection.text.words import parts_of_speech
from visibility.writers.languages.language import LANGUAGES, Refining, language_for, language_of
from visibility.writers.protocol import CannotWrite, WrittenWording
from visibility.writers.tasks import RefineTask

FORMS = (
    "make it about …, for … (who), in … (where), under … or with …, mention …, mention a budget of …, ask for … "
    "(such as a comparison), more formal, shorter, replace … with …, remove …, add “…”, change to “…”"
)
HOW_TO = (
    f"The embedded writer understands: {FORMS}; several of them joined by “and”. Word the instruction so, or ask the "
    "operator for an engine that writes."
)
TRANSLATING = (
    "The embedded writer does not translate. Give the wording in that language with change to “…”, or generate "
    "prompts with that locale."
)
IN_ITS_LANGUAGE = (
    "The question is in the language {language}, and “{matter}” would stand in it in English. Say it in the "
    "question's language, or the whole wording with change to “…”."
)
_QUOTED = r"[\"“„«'‘](?P<{0}>.+?)[\"”“»'’]"  # noqa: RUF001 -- the quotes that people type
_END = re.compile(r"\s*([?？!.]*)\s*$")  # noqa: RUF001 -- full-width marks end questions too
_APART = re.compile(r"\s*(?:;|,?\s+and(?:\s+then)?\s+(?=\S)|,\s+then\s+)\s*", re.IGNORECASE)
_LIMIT = re.compile(
    rf"\b(?:{LANGUAGES.any_of(lambda language: language.refining.limits)}) [$€£]?\d[\d.,]*"
    rf"(?: ?(?:[$€£]|{LANGUAGES.any_of(lambda language: language.refining.currencies)})\b)?",
    re.IGNORECASE,
)
# What a question can do without; the question itself stays.
_FILLER = re.compile(
    rf"^(?:{LANGUAGES.any_of(lambda language: language.refining.openings)})[,:]?\s+"
    r"|\s*\([^()]*\)"
    rf"|\b(?:{LANGUAGES.any_of(lambda language: language.refining.fillers)})\b,?\s*"
    rf"|,? (?:{LANGUAGES.any_of(lambda language: language.refining.closings)})(?=\?$)",
    re.IGNORECASE,
)
_FORMAL = [pair for language in LANGUAGES.values() for pair in language.refining.formal]
_LANGUAGE_NAMES = frozenset(LANGUAGES.all_of(lambda language: language.refining.language_names))
_FORMAL_OPENINGS = [language.refining.search.opening for language in LANGUAGES.values() if language.refining.search]


@dataclass(frozen=True, slots=True)
class _Wording:
    """A question that is changed, and the words that are added to it in its language."""

    text: str
    language: str

    @property
    def words(self) -> Refining:
        """What is added in its language."""
        return language_for(self.language).refining

    def fitting(self, matter: str) -> str:
        """The instruction's own words, if they can stand in this question. Raises CannotWrite for English ones in a
        question of another language."""
        matter = matter.strip()
        plain = [word for word in re.findall(r"[^\W\d]+", matter) if word.islower()]
        if self.language != "en" and plain and all(map(parts_of_speech, plain)):
            raise CannotWrite("instruction", IN_ITS_LANGUAGE.format(language=self.language, matter=matter))
        return matter

    def extended(self, new: str) -> str:
        """With something more before its closing mark, unless it says that already."""
        new = " ".join(new.split())
        if _phrase(new.lstrip(", ")).search(self.text):
            return self.text
        end = _END.search(self.text)
        mark = f"{self.words.before_mark}{end[1]}" if end and end[1] else ""
        return f"{_END.sub('', self.text)}{'' if new.startswith(',') else ' '}{new}{mark}"


_Change = Callable[[_Wording, "re.Match[str]"], str]


def refine(task: RefineTask) -> WrittenWording:
    """The question changed as the instruction says, or as it is where that holds already.

    Raises CannotWrite for what it does not understand.
    """
    instruction = " ".join(task.instruction.split()).rstrip(".")
    parts = [] if re.search(_QUOTED.format("x"), instruction) else _APART.split(instruction)
    steps = [_rule_of(part) for part in parts]
    if None in steps or not steps:
        steps = [_rule_of(instruction)]
    language, text = language_of(task.locale), task.text
    for step in steps:
        if step is None:
            raise CannotWrite("instruction", HOW_TO)
        text = _changed(_Wording(text, language), *step)
    return WrittenWording(text=text)


def _rule_of(instruction: str) -> "tuple[_Change, re.Match[str]] | None":
    for pattern, change in _RULES:
        if match := pattern.fullmatch(instruction):
            return change, match
    return None


def _changed(wording: _Wording, change: _Change, match: "re.Match[str]") -> str:
    changed = change(wording, match)
    if changed == wording.text:
        return changed
    text = _tidied(changed, spaced=wording.language == "fr")
    if not text.strip("?!. "):
        raise CannotWrite("instruction", "Nothing of the question would be left. Say what to ask instead.")
    return text


def _changed_to(wording: _Wording, match: re.Match[str]) -> str:
    return match["new"]


def _asked_anew(wording: _Wording, match: re.Match[str]) -> str:
    return f"{match['new'].rstrip('?')}?"


def _replaced(wording: _Wording, match: re.Match[str]) -> str:
    return _substituted(wording.text, match["old"], match["new"])


def _removed(wording: _Wording, match: re.Match[str]) -> str:
    return _substituted(wording.text, match["old"], "")


def _added(wording: _Wording, match: re.Match[str]) -> str:
    return wording.extended(match["new"].strip())


def _placed(wording: _Wording, match: re.Match[str]) -> str:
    """Behind a preposition, which is said in the question's language."""
    before, new = match["before"].casefold(), match["new"]
    if before == "in" and new.casefold() in _LANGUAGE_NAMES:
        raise CannotWrite("instruction", TRANSLATING)
    place = f"{wording.words.prepositions.get(before, before)} {wording.fitting(new)}"
    if before == "under" and _LIMIT.search(wording.text):
        return _LIMIT.sub(lambda _: place, wording.text)
    return wording.extended(place)


def _narrowed(wording: _Wording, match: re.Match[str]) -> str:
    """To a place, which has a capital, or to people."""
    new = wording.fitting(match["new"])
    before = "in" if any(word[0].isupper() for word in new.split()) else "for"
    return wording.extended(f"{wording.words.prepositions.get(before, before)} {new}")


def _for_whom(wording: _Wording, match: re.Match[str]) -> str:
    return wording.extended(f"{wording.words.prepositions['for']} {wording.fitting(match['new'])}")


def _about(wording: _Wording, match: re.Match[str]) -> str:
    """What people do is what the thing is for; another matter is what counts most."""
    matter = wording.fitting(match["new"])
    doing = matter.split()[0].endswith("ing")
    return wording.extended((wording.words.doing if doing else wording.words.about).format(matter=matter))


def _with_budget(wording: _Wording, match: re.Match[str]) -> str:
    return wording.extended(wording.words.budget.format(amount=match["new"]))


def _mentioned(wording: _Wording, match: re.Match[str]) -> str:
    return wording.extended(wording.words.mentioning.format(matter=wording.fitting(match["new"])))


def _told(wording: _Wording, match: re.Match[str]) -> str:
    """What the asker says of themselves stands before the question."""
    sentence, text = _large(wording.fitting(match["new"])), wording.text
    return text if sentence.casefold() in text.casefold() else f"{sentence}. {_large(text)}"


def _asked_for(wording: _Wording, match: re.Match[str]) -> str:
    return _with_sentence(wording.text, wording.words.wishing.format(wish=wording.fitting(match["new"])))


def _compared(wording: _Wording, match: re.Match[str]) -> str:
    return _with_sentence(wording.text, wording.words.comparing)


def _formal(wording: _Wording, match: re.Match[str]) -> str:
    """Short forms spelled out, and asked politely: a question as one, a mere search as a wish."""
    text, polite = wording.text, wording.words.polite
    search = wording.words.search if wording.language in LANGUAGES else None
    for usual, formal in _FORMAL:
        text = re.sub(rf"\b{usual}\b", formal, text, flags=re.IGNORECASE)
    if text.startswith((polite, *_FORMAL_OPENINGS)):
        return text
    if search and re.match(rf"(?:{'|'.join(search.begins)})\b", text, re.IGNORECASE) and not text.endswith("?"):
        return search.formal.format(search=f"{text[:1].lower()}{text[1:]}")
    text = text.removeprefix("¿")
    return f"{polite} {text[:1].lower()}{text[1:]}"


def _with_sentence(text: str, sentence: str) -> str:
    end = _END.search(text)
    ended = text if end and end[1] else f"{text}."
    return text if sentence in text else f"{ended} {sentence}"


def _shortened(wording: _Wording, match: re.Match[str]) -> str:
    return _FILLER.sub("", wording.text)


def _substituted(text: str, old: str, new: str) -> str:
    pattern = _phrase(old)
    if not pattern.search(text):
        raise CannotWrite("instruction", f"The question does not contain “{old}”. Give words as they stand in it.")
    return pattern.sub(lambda _: new, text)


def _phrase(text: str) -> re.Pattern[str]:
    """The words where they stand as words, in whatever case."""
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.IGNORECASE)


def _tidied(text: str, *, spaced: bool) -> str:
    """One space between words, none before a mark, unless the language has it `spaced`; the first letter large."""
    line = re.sub(r"\s+([.,])" if spaced else r"\s+([?!.,;:])", r"\1", " ".join(text.split()))
    return _large(line)


def _large(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rule(pattern: str, change: _Change) -> "tuple[re.Pattern[str], _Change]":
    return re.compile(rf"(?:please\s+)?{pattern}", re.IGNORECASE), change


# The forms of instructions are in English, and each is bound to the change that it asks for: a grammar, no words.
_OLD, _NEW, _REST = _QUOTED.format("old"), _QUOTED.format("new"), r"(?P<new>\S.*)"
_IT = r"(?: it| this)?(?: the| this)?(?: question| prompt| wording)?"
_MAKE = rf"(?:(?:make|talk|change|focus|tailor|adapt|aim|target|word|phrase|rephrase|reword|rewrite|ask){_IT} )?"
_PUT = r"(?:(?:add|append|mention|include|state|give|set):? )?"
_BEFORE = rf"(?P<before>{LANGUAGES.any_of(lambda language: language.refining.placed_by)})"
_FITTING = r"(?:more )?(?:suitable|suited|relevant|specific|aimed|tailored|addressed)"
_RULES = [
    _rule(rf"(?:change|reword|rewrite|rephrase|set){_IT}(?: to| as)?:? {_NEW}", _changed_to),
    _rule(rf"(?:use|ask|make it):? {_NEW}", _changed_to),
    _rule(rf"(?:replace|change|swap) {_OLD} (?:with|by|to|for) {_NEW}", _replaced),
    _rule(r"(?:replace|swap) (?P<old>\S.*?) (?:with|by|for) (?P<new>\S.*?)", _replaced),
    _rule(r"(?:say|use|write) (?P<new>\S.*?) (?:instead of|rather than) (?P<old>\S.*?)", _replaced),
    _rule(rf"(?:remove|drop|delete|leave out|take out|without|do not mention|don['’]t mention) {_OLD}", _removed),
    _rule(r"(?:remove|drop|delete|leave out|take out|do not mention|don['’]t mention) (?P<old>\S.*?)", _removed),
    _rule(rf"(?:add|append|mention|include):? {_NEW}", _added),
    _rule(rf"{_PUT}(?:with )?(?:an? |the |my )?(?:maximum )?budget (?:of|is|:) {_REST}", _with_budget),
    _rule(rf"(?:add|mention|include|say|state) that {_REST}", _told),
    _rule(r"ask (?P<new>(?:who|whom|what|which|where|when|why|how|is|are|does|do|can|should)\b.+)", _asked_anew),
    _rule(
        r"(?:ask for|make it|request) (?:a )?comparisons?|compare(?: them| the options)?|ask to compare.*", _compared
    ),
    _rule(rf"(?:also )?(?:ask for|request) {_REST}", _asked_for),
    _rule(rf"(?:narrow|limit|restrict|confine){_IT} (?:down )?to {_REST}", _narrowed),
    _rule(
        rf"{_MAKE}(?:{_FITTING} (?:for|to|at)|from the point of view of|as asked by|towards?|to|at) {_REST}",
        _for_whom,
    ),
    _rule(rf"(?:{_PUT}|{_MAKE})(?:only )?{_BEFORE} {_REST}", _placed),
    _rule(rf"{_MAKE}(?:(?:be )?(?:more )?about|on|around) {_REST}", _about),
    _rule(rf"(?:add|mention|include|consider|take into account) {_REST}", _mentioned),
    _rule(rf"{_MAKE}(?:more )?(?:formal|polite)(?:ly)?", _formal),
    _rule(
        r"(?:make (?:it|this) )?(?:shorter|more concise|briefer|simpler)|(?:shorten|simplify)(?: it| this)?",
        _shortened,
    ),
]
