"""Faults in buyer criteria and review themes: what counts, who wins, how it is spoken of."""

from tests.mutants.harness import Fault

CRITERIA = "visibility/evidence/criteria.py"
LABELS = "visibility/evidence/labels.py"
VOCABULARY = "visibility/evidence/vocabulary.py"
WINNERS = "visibility/evidence/winners.py"
PRAISE = "visibility/evidence/praise.py"
THEMES = "visibility/evidence/themes.py"
TERMS = "visibility/evidence/theme_terms.py"
POLARITY = "visibility/evidence/polarity.py"
VALENCE = "visibility/evidence/valence.py"
OF_CRITERIA = ("tests/evidence/test_criteria.py",)
OF_WINNERS = ("tests/evidence/test_criteria_winners.py",)
OF_THEMES = ("tests/evidence/test_themes.py",)

EVIDENCE_OF_ANSWERS = (
    Fault(
        "criteria come from branded questions",
        CRITERIA,
        "answer.buying and not answer.branded",
        "answer.buying",
        OF_CRITERIA,
    ),
    Fault(
        "criteria come from any question",
        CRITERIA,
        "answer.buying and not answer.branded",
        "not answer.branded",
        OF_CRITERIA,
    ),
    Fault("two answers make a criterion", CRITERIA, "MIN_ANSWERS = 3", "MIN_ANSWERS = 2", OF_CRITERIA),
    Fault("one engine makes a criterion", CRITERIA, "MIN_ENGINES = 2", "MIN_ENGINES = 1", OF_CRITERIA),
    Fault("two prompts of one engine make a criterion", CRITERIA, "MIN_PROMPTS = 3", "MIN_PROMPTS = 2", OF_CRITERIA),
    Fault(
        "points without a label make a criterion",
        CRITERIA,
        "if row.label.is_certain and (is_known or not row.label.is_offered)",
        "if is_known or not row.label.is_offered",
        OF_CRITERIA,
    ),
    Fault(
        "what answers offer is a criterion",
        CRITERIA,
        "if not is_known and 2 * sum(row.label.is_offered for row in rows) >= len(rows):",
        "if not rows:",
        OF_CRITERIA,
    ),
    Fault(
        "a criterion counts labels, not answers",
        CRITERIA,
        "answers=len(users),",
        "answers=len(rows),",
        ("tests/evidence/test_criteria_real.py", *OF_CRITERIA),
    ),
    Fault("tracked names are criteria", CRITERIA, "and not _is_name(words, own)", "", OF_CRITERIA),
    Fault(
        "kinds of what is asked for are criteria", CRITERIA, "if not is_kind(words, question) and", "if", OF_CRITERIA
    ),
    Fault("linked words are criteria", LABELS, 'if not opening.endswith("[") and', "if", OF_CRITERIA),
    Fault("a title is a criterion", LABELS, "    if is_none(part):\n        return False\n", "", OF_CRITERIA),
    Fault(
        "a group of products is a criterion", LABELS, "not (is_group and is_mere_group(row[1]))", "row", OF_CRITERIA
    ),
    Fault(
        "the head of the first column is a criterion",
        LABELS,
        '(head.rule == "column") == (head.level > 0)',
        "True",
        ("tests/evidence/test_criteria_hostile.py", "tests/evidence/test_criteria_real.py"),
    ),
    Fault(
        "praise tells criteria apart",
        VOCABULARY,
        "    while len(kept) > 1 and kept[0] in _PRAISING:",
        "    while False:",
        OF_CRITERIA,
    ),
    Fault(
        "a label is shown with its praise", VOCABULARY, "stem(words[0]) in _PRAISING | _SMALL", "False", OF_CRITERIA
    ),
    Fault(
        "what spoils praise is not seen",
        PRAISE,
        "if not hits or SPOILS.search(prose, start, end):",
        "if not hits:",
        OF_WINNERS,
    ),
    Fault(
        "praise reaches over other words",
        PRAISE,
        "        if word in BETWEEN:\n            return False\n",
        "",
        OF_WINNERS,
    ),
    Fault(
        "what is told against a thing praises it",
        WINNERS,
        "is_doubt = not within and AGAINST.match(prose, head.start, head.end) is not None",
        "is_doubt = False",
        OF_WINNERS,
    ),
    Fault(
        "what follows an entry that nobody tracks is the entry's before",
        WINNERS,
        "owner = _Passage(head.start, 0, rank, _only(subjects, within), within[0])",
        "owner = _Passage(head.start, 0, rank, _only(subjects, within) or owner.subject, within[0])",
        OF_WINNERS,
    ),
    Fault("who is named behind the praise wins", WINNERS, "and before == named", "", OF_WINNERS),
    Fault("praise of others in an entry is its own", WINNERS, "and named <= {passage.subject}", "", OF_WINNERS),
    Fault("a word of a product's name praises it", WINNERS, "and not _touch(place, passage.name)", "", OF_WINNERS),
    Fault("many names share one praise", WINNERS, "0 < len(named) <= _MAX_NAMED", "named", OF_WINNERS),
    Fault(
        "a review counts as often as it comes",
        THEMES,
        "{review.key: review for review in reviews if",
        "{object(): review for review in reviews if",
        OF_THEMES,
    ),
    Fault(
        "the thing that is reviewed is a theme",
        THEMES,
        "    if _is_bought(key, topic):\n        return False\n",
        "",
        OF_THEMES,
    ),
    Fault("what nobody judges is a theme", THEMES, "topic.felt >= _FELT * total and", "", OF_THEMES),
    Fault("verbs are themes", THEMES, "topic.nouns >= _NOUN * total", "total", OF_THEMES),
    Fault("words and pairs stay apart", THEMES, "return together >= _ABSORBED * len(own)", "return False", OF_THEMES),
    Fault("names are themes", THEMES, "own.union(", "set().union(", OF_THEMES),
    Fault("words that praise are themes", TERMS, "or abs(rating(word.text)) >= _FELT\n", "\n", OF_THEMES),
    Fault(
        "an estimate stands before stars",
        POLARITY,
        "if len(stars) >= MIN_STARRED:",
        "if len(stars) >= 99:",
        OF_THEMES,
    ),
    Fault("few reviews give an estimate", POLARITY, "MIN_ESTIMATED = 8", "MIN_ESTIMATED = 7", OF_THEMES),
    Fault("an estimate is cut at 30 hundredths less", POLARITY, "CUT = 0.15", "CUT = 0.05", OF_THEMES),
    Fault("an estimate is not marked", POLARITY, "-CUT, CUT), True", "-CUT, CUT), False", OF_THEMES),
    Fault(
        "falling is rising",
        POLARITY,
        '"rising" if low > 0 else "falling"',
        '"falling" if low > 0 else "rising"',
        OF_THEMES,
    ),
    Fault("a trend of few days is told", POLARITY, "MIN_DATED = 8", "MIN_DATED = 7", OF_THEMES),
    Fault(
        "another language is rated by English words",
        THEMES,
        "if not is_foreign(review.text[:_BEGINNING])",
        "if review",
        OF_THEMES,
    ),
    Fault(
        "not good is good",
        VALENCE,
        "return value * _NEGATED if",
        "return value if",
        ("tests/evidence/test_polarity.py",),
    ),
    Fault(
        "what stands behind a but weighs no more",
        VALENCE,
        "_BEFORE, _BEHIND = 0.5, 1.5",
        "_BEFORE, _BEHIND = 1.0, 1.0",
        ("tests/evidence/test_polarity.py",),
    ),
)
