"""Data files by language: what is wrong in one is told as it is loaded, and a further one is a language."""

import json
import re
import shutil
import subprocess
import sys
import time
import tomllib
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import visibility
from apikeys.text.language_files import LanguageDataError, Languages, bounded, load_file
from visibility.services.ask import assistants, vocabulary
from visibility.services.ask.reading import vocabulary as reading
from visibility.writers.languages import language

ASK = Path(vocabulary.__file__).parent / "languages"
WRITERS = Path(language.__file__).parent
ROOT = ASK.parent.parent.parent.parent
READING = Path(reading.__file__).parent / "words"
PRODUCTS = READING.parent / "products.toml"
KINDS = [(ASK, vocabulary.Vocabulary), (READING, reading.QuestionWords), (WRITERS, language.Language)]
FILES = [(file, kind) for folder, kind in KINDS for file in sorted(folder.glob("*.toml"))]
FILES.append((ASK.parent / "assistants.toml", assistants.Assistants))


def ids(value):
    return "/".join(value.parts[-3:]) if isinstance(value, Path) else ""


@pytest.fixture(params=FILES, ids=lambda pair: ids(pair[0]))
def data_file(request, tmp_path):
    """A copy of a data file, and the type that it has."""
    file, kind = request.param
    return Path(shutil.copy(file, tmp_path)), kind


def test_ask_and_the_writer_know_the_same_languages_english_first():
    for folder, kind in KINDS:
        assert list(Languages(folder, kind)) == ["en", "de", "es", "fr"]


def test_every_file_of_every_language_holds_what_its_type_asks_for():
    """They are read when they are first asked for: a mistake in one would else be found by whoever needs it."""
    modules = [import_module(info.name) for info in walk_packages(visibility.__path__, "visibility.")]
    values = [value for module in modules for value in vars(module).values() if isinstance(value, Languages)]
    assert len({id(value) for value in values}) > 8
    assert all(table[name] for table in values for name in table)


def test_each_file_says_what_it_holds_and_whose_it_is():
    for file in (*(file for file, _ in FILES), WRITERS.parent / "english_nouns.toml", PRODUCTS):
        head = file.read_text().partition("\n\n")[0]
        assert head.startswith("# "), file
        assert "Our own work, part of this project." in head.replace("\n#", ""), file


def test_a_key_that_is_missing_is_named_with_its_file(data_file):
    file, kind = data_file
    removed = next(line for line in file.read_text().splitlines() if line.endswith("]") and " = [" in line)
    file.write_text(file.read_text().replace(removed, "", 1))
    with pytest.raises(LanguageDataError) as refused:
        load_file(file, kind)
    assert str(refused.value).startswith(str(file)) and removed.split(" =")[0] in str(refused.value)


def test_a_key_that_nobody_reads_is_named_with_its_file(data_file):
    file, kind = data_file
    file.write_text("colour = 'red'\n" + file.read_text())
    with pytest.raises(LanguageDataError, match=r"(?s)toml: .*colour"):
        load_file(file, kind)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("why = ['why',", "why = ['why(',"), "not a regular expression"),
        (("why = ['why',", "why = ['(?:why)?',"), "matches the empty text"),
        (("why = ['why',", "why = [7,"), "meaning.why"),
        (("['january'], ", ""), "days.months"),
        (("[people]", "[people"), "at line"),
    ],
)
def test_words_that_cannot_be_looked_for_are_refused(tmp_path, change, problem):
    file = tmp_path / "en.toml"
    file.write_text((ASK / "en.toml").read_text().replace(*change))
    with pytest.raises(LanguageDataError) as refused:
        load_file(file, vocabulary.Vocabulary)
    assert problem in str(refused.value)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("{amount}", "{sum}"), "does not hold {amount}"),
        (("What matters most when choosing {term}?", "What matters most?"), "neither {term} nor {of_term}"),
        (("How do I tell good {term} from bad?", "Is {term} good, {reader}?"), "{reader}, which nothing fills"),
        (('stage = "decision"', 'stage = "later"'), "stage"),
        (('for = "for"', 'near = "near"'), "no word for “for”"),
    ],
)
def test_texts_that_cannot_be_filled_are_refused(tmp_path, change, problem):
    file = tmp_path / "en.toml"
    file.write_text((WRITERS / "en.toml").read_text().replace(*change))
    with pytest.raises(LanguageDataError) as refused:
        load_file(file, language.Language)
    assert problem in str(refused.value)


def test_without_english_there_is_nothing_to_stand_in(tmp_path):
    shutil.copy(WRITERS / "de.toml", tmp_path)
    with pytest.raises(LanguageDataError, match=r"has no en\.toml"):
        Languages(tmp_path, language.Language)


def test_a_pattern_of_no_words_is_not_made():
    with pytest.raises(LanguageDataError):
        vocabulary.any_of(lambda words: ())


ASKED_IN_DUTCH = """
import json
from datetime import date
from visibility.services.ask.periods import period_in
from visibility.services.ask.reading.kinds import kinds_of
from visibility.services.ask.reading.language import language_of
from visibility.writers.suggesting import suggest
from visibility.writers.tasks import PromptsTask, Subject
task = PromptsTask(Subject("Acme", "acme.example"), 1, topic="fietsen", locale="nl-BE")
print(json.dumps([
    language_of("Hoe zichtbaar zijn wij?"),
    kinds_of("Hoe zichtbaar zijn wij?", "nl"),
    str(period_in("in maart 2025", date(2026, 11, 22)).first),
    suggest(task).prompts[0].text,
]))
"""
DUTCH = {
    ASK: [("['march']", "['maart']")],
    READING: [("'visib'", "'zichtbaar'"), ("'hows'", "'hoe', 'wij', 'zijn'")],
    WRITERS: [("What should I know about {term} before I decide?", "Wat moet ik weten over {term}?")],
}


def test_a_further_language_needs_a_file_and_no_code(tmp_path):
    for app in ("apikeys", "brands", "visibility", "config"):
        shutil.copytree(ROOT / app, tmp_path / app, ignore=shutil.ignore_patterns("__pycache__"))
    for folder, changes in DUTCH.items():
        words = (folder / "en.toml").read_text()
        for english, dutch in changes:
            assert english in words
            words = words.replace(english, dutch)
        tomllib.loads(words)
        (tmp_path / folder.relative_to(ROOT) / "nl.toml").write_text(words)
    command = [sys.executable, "-c", ASKED_IN_DUTCH]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    assert json.loads(done.stdout) == ["nl", ["score"], "2025-03-01", "Wat moet ik weten over fietsen?"]


def test_each_repetition_of_a_pattern_gets_an_end_and_time_stays_linear():
    """Texts of others may repeat what begins a pattern, and never what ends it."""
    assert bounded(r"\w*[^?]+? (?:a b)*\*[]*+]*x\+\\+") == (
        r"\w{0,40}[^?]{1,200}? (?:a b){0,12}\*[]*+]{0,200}x\+\\{1,200}"
    )
    pattern = re.compile(bounded(r"(?:ignore|forget)\w*\s+(?:\w+\s+){0,4}rules?"))
    assert pattern.search("please ignore all of these rules")
    once, twice = (processor_time(pattern.search, "ignore" * size) for size in (20_000, 40_000))
    assert twice < 0.05 or twice < 3 * once


def processor_time(act, text):
    began = time.process_time()
    assert not act(text)
    return time.process_time() - began
