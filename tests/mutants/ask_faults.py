"""The faults of `ask`: another's figures for an answer, figures that are not narrowed, refusals that do not come."""

from tests.mutants.harness import Fault

ASK = "visibility/services/ask/"
WORDS = ("tests/writing/test_question_words.py",)
NARROWED = ("tests/writing/test_ask_narrowed.py",)

ASKING = (
    Fault(
        "a version of an engine is any version",
        ASK + "assistants.py",
        'if match.groupdict().get("version"):',
        "if False:",
        WORDS,
    ),
    Fault(
        "an engine that may be several is the first of them",
        ASK + "reader.py",
        "if len(candidates) == 1:",
        "if candidates:",
        NARROWED,
    ),
    Fault(
        "an engine that is not asked is answered with the figures of others",
        ASK + "unanswered.py",
        "no_engine = about.unknown_engines and not about.engines",
        "no_engine = False",
        NARROWED,
    ),
    Fault(
        "a name that nobody tracks is answered with the brand's figures",
        ASK + "unanswered.py",
        "nobody = about.unknown and not (about.own or about.rivals)",
        "nobody = False",
        NARROWED,
    ),
    Fault(
        "a key without competitors is told who is tracked",
        ASK + "unanswered.py",
        "if Scope.READ_COMPETITORS not in caller.scopes:",
        "if False:",
        NARROWED,
    ),
    Fault(
        "days without a measurement are answered with other days",
        ASK + "unanswered.py",
        "no_day = _has_no_day(about) and not _asks_of_change(about)",
        "no_day = False",
        NARROWED,
    ),
    Fault(
        "a topic does not narrow the figures",
        ASK + "days.py",
        "    if prompts is not None:\n        answers = answers.filter(prompt__in=prompts)\n",
        "",
        NARROWED,
    ),
    Fault(
        "the topics that share any word are meant",
        ASK + "prompt_topics.py",
        "if words and not any(words < other for other in words_by_topic.values())",
        "if words",
        WORDS,
    ),
    Fault(
        "prompts that name a competitor count for it",
        ASK + "days.py",
        "if (BRAND if subject is None else str(subject)) not in branded:",
        "if subject is not None or BRAND not in branded:",
        NARROWED,
    ),
    Fault(
        "who was not looked for is named by none",
        ASK + "counts.py",
        "measured = [subject for subject in subjects if subject.id in looked_for]",
        "measured = subjects",
        NARROWED,
    ),
    Fault(
        "what is not narrowed is not said to be",
        ASK + "unanswered.py",
        "if words and kind not in narrowed:",
        "if False:",
        NARROWED,
    ),
    Fault(
        "what cannot be answered is answered",
        ASK + "gathering.py",
        "    if about.refusal is not None:",
        "    if False:",
        NARROWED,
    ),
    Fault(
        "the reasons of a model are told",
        ASK + "languages/en.toml",
        "why = ['why',",
        "why = ['whyever',",
        WORDS,
    ),
    Fault(
        "an engine that writes is not told what is not known",
        "visibility/services/ask/answering.py",
        "scopes, parts.begun)",
        "scopes)",
        NARROWED,
    ),
)
