"""The faults of data files by language, which go unnoticed, and of sentences that are none."""

from tests.mutants.harness import Fault

LOADING = "apikeys/text/language_files.py"
FILES = ("tests/writing/test_languages.py",)

LANGUAGES = (
    Fault(
        "a key of a language file that nobody reads is passed over",
        LOADING,
        'STRICT = ConfigDict(extra="forbid")',
        "STRICT = ConfigDict()",
        FILES,
    ),
    Fault(
        "a word that is found everywhere is a word",
        LOADING,
        "    if matches_empty:\n",
        "    if False:\n",
        FILES,
    ),
    Fault(
        "a pattern may be of no words",
        LOADING,
        "        if not alternatives:\n",
        "        if False:\n",
        FILES,
    ),
    Fault(
        "a place that nothing fills stays in a text",
        LOADING,
        "        if unknown := places - {*names, *maybe}:\n",
        "        if unknown := set():\n",
        FILES,
    ),
    Fault(
        "German nouns are read as names",
        "visibility/services/ask/languages/de.toml",
        "nouns_have_capitals = true",
        "nouns_have_capitals = false",
        ("tests/writing/test_question_words.py", *FILES),
    ),
    Fault(
        "a change that cannot be told is put into no sentence",
        "visibility/services/reading/change_words.py",
        'if words.startswith("cannot"):',
        "if False:",
        ("tests/writing/test_ask.py",),
    ),
)
