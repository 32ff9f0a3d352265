"""The faults of reading a question: its language, its kinds, what it takes for granted, whom it means."""

from tests.mutants.harness import Fault

READING = "visibility/services/ask/reading/"
QUESTIONS = ("tests/writing/test_question_reading.py",)
PREMISES = ("tests/writing/test_question_premises.py",)
HOSTILE = ("tests/writing/test_question_hostile.py",)

QUESTIONING = (
    Fault(
        "a question is read in English whatever its language",
        READING + "language.py",
        "    if len(best) == 1:\n        return best[0]\n",
        "    if len(best) == 1:\n        return DEFAULT_LANGUAGE\n",
        QUESTIONS,
    ),
    Fault(
        "how sure the score is asks for the score",
        READING + "kinds.py",
        "    return sorted((kind for kind in places if kind not in covered), key=lambda kind: places[kind])",
        "    return sorted(places, key=lambda kind: places[kind])",
        QUESTIONS,
    ),
    Fault(
        "words count beside what is asked for",
        READING + "kinds.py",
        "    if phrases:\n        return _uncovered(phrases)\n",
        "",
        QUESTIONS,
    ),
    Fault(
        "several questions in one are read as the first",
        READING + "kinds.py",
        "for part in _parts(text, matcher)}",
        "for part in list(_parts(text, matcher))[:1]}",
        QUESTIONS,
    ),
    Fault(
        "accents must be typed",
        READING + "folding.py",
        'for letter in unicodedata.normalize("NFD", text) if',
        "for letter in text if",
        QUESTIONS,
    ),
    Fault(
        "a competitor that is named is no reason to compare",
        READING + "choosing.py",
        "    if named.rivals:\n",
        "    if False:\n",
        QUESTIONS,
    ),
    Fault(
        "two engines are compared as competitors are",
        READING + "choosing.py",
        "elif Kind.COMPETITORS in kinds and named.engines > 1:",
        "elif False:",
        QUESTIONS,
    ),
    Fault(
        "a product has one language",
        "visibility/services/ask/prompt_topics.py",
        "for stem in english_words(part) or (_singular(part),)]",
        "for stem in (_singular(part),)]",
        QUESTIONS,
    ),
    Fault(
        "a question claims what it asks",
        READING + "premises.py",
        "    for pattern, ends in ((words.why, (_END,)), (words.granted, (_END, _COMMA))):\n"
        "        match = pattern.search(text)\n"
        "        if match:\n",
        "    yield text, ''\n"
        "    for pattern, ends in ((words.why, (_END,)), (words.granted, (_END, _COMMA))):\n"
        "        match = pattern.search(text)\n"
        "        if match:\n",
        PREMISES,
    ),
    Fault(
        "what is taken for granted goes on behind the comma",
        READING + "premises.py",
        "(words.granted, (_END, _COMMA))",
        "(words.granted, (_END,))",
        PREMISES,
    ),
    Fault(
        "us is who leads",
        READING + "premises.py",
        "    if others and first.is_object:\n",
        "    if False:\n",
        PREMISES,
    ),
    Fault(
        "not to be ahead is to be ahead",
        READING + "premises.py",
        "is_ahead = (claimed is Claimed.AHEAD) != is_negated",
        "is_ahead = claimed is Claimed.AHEAD",
        PREMISES,
    ),
    Fault(
        "whom nobody tracks is the brand",
        READING + "premises.py",
        "        if subject is None:\n            return None\n",
        "        if subject is None:\n            subject = brand\n",
        PREMISES,
    ),
    Fault(
        "names of a clause are those of the beginning of the question",
        READING + "premises.py",
        "names[before.count(NAME) :]",
        "names",
        PREMISES,
    ),
    Fault(
        "a share of voice is a share of answers",
        READING + "premises.py",
        "if people is None or words.other_figures.search(clause):",
        "if people is None:",
        PREMISES,
    ),
    Fault(
        "who is not named is who stands first",
        READING + "premises.py",
        "return Premise(Claimed.NOT_NAMED, before[-1] if before else first)",
        "return Premise(Claimed.NOT_NAMED, first)",
        PREMISES,
    ),
    Fault(
        "signs of a question stand for somebody",
        READING + "folding.py",
        '_OTHER_USE.sub(" ", _UNSEEN.sub("", question))',
        '_UNSEEN.sub("", question)',
        HOSTILE,
    ),
    Fault(
        "what cannot be seen parts words",
        READING + "folding.py",
        '_UNSEEN.sub("", question)',
        "question",
        HOSTILE,
    ),
    Fault(
        "of several sites the first is meant by what is taken for granted",
        "visibility/services/ask/about.py",
        "premises = _premises(reader, language, single) if single else ()",
        "premises = _premises(reader, language, brands[0]) if brands else ()",
        HOSTILE,
    ),
    Fault(
        "keys are spoken of",
        "visibility/services/ask/refusals.py",
        "words.refusals.secrets",
        "words.refusals.started",
        (*QUESTIONS, *HOSTILE),
    ),
    Fault(
        "a wrong claim about an engine is not answered, as reasons are not",
        "visibility/services/ask/refusals.py",
        "return None if has_premise and refusal and refusal.name == REASONS else refusal",
        "return refusal",
        QUESTIONS,
    ),
    Fault(
        "a clause that says when engines are asked asks for something",
        READING + "kinds.py",
        "if not matcher.condition.match(part)]",
        "if True]",
        QUESTIONS,
    ),
    Fault(
        "a share of voice beside a competitor is no share",
        READING + "choosing.py",
        "            kinds.insert(kinds.index(Kind.COMPETITORS), Kind.SCORE)\n",
        "            pass\n",
        QUESTIONS,
    ),
    Fault(
        "a day beside the next scan is a period",
        "visibility/services/ask/about.py",
        "period=None if Kind.NEXT_SCAN in kinds else period,",
        "period=period,",
        QUESTIONS,
    ),
    Fault(
        "the maker of an engine is nobody beside another engine",
        "visibility/services/ask/reader.py",
        "        return [*systems, *makers]\n",
        "        return systems\n",
        QUESTIONS,
    ),
    Fault(
        "a competitor is meant by the name of an AI system that holds its own",
        "visibility/services/ask/reader.py",
        "        if is_part_of_a_system(self._text, match):\n            return False\n",
        "",
        ("tests/writing/test_question_words.py",),
    ),
    Fault(
        "an adverb is a topic",
        "visibility/services/ask/naming.py",
        "        if is_noun and len(",
        "        if kept_words and len(",
        ("tests/writing/test_question_words.py",),
    ),
)
