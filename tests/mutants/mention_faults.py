"""The faults of what counts as naming a company: labels of shops, products of other makers, what comes first."""

from tests.mutants.harness import Fault

NAMES = "visibility/detection/names/"
TESTS = ("tests/measurement/test_named_products.py",)

MENTIONS = (
    Fault(
        "a label of shops hides the rest of its line",
        "visibility/detection/text/labels.py",
        "end = stop.start() if stop else len(line.text)",
        "end = len(line.text)",
        TESTS,
    ),
    Fault(
        "a sentence behind a label of shops is hidden",
        "visibility/detection/text/labels.py",
        "if not of_shops or ",
        "if True or ",
        TESTS,
    ),
    Fault(
        "the model of another maker names a company",
        NAMES + "plain_words.py",
        'return Verdict(False, "maker") if made_by and not _is_of_other_alphabet(made_by) else None',
        "return None",
        TESTS,
    ),
    Fault(
        "a priced product shows no maker",
        NAMES + "makers.py",
        'priced.add(entry["first"])',
        "pass",
        TESTS,
    ),
    Fault(
        "an owner before a name makes both one name",
        NAMES + "context.py",
        'return word.endswith(("\'s", "\\u2019s"))',
        "return False",
        TESTS,
    ),
    Fault(
        "how an answer first shows a name is passed over",
        NAMES + "introducing.py",
        "    if claim.subject in made and _is_weak(claim, verdict):\n        return _MADE\n",
        "",
        TESTS,
    ),
    Fault(
        "a product behind its owner's name is another's",
        NAMES + "introducing.py",
        'return Verdict(True, "product")',
        "return verdict",
        TESTS,
    ),
    Fault(
        "an edition names a company",
        NAMES + "plain_words.py",
        'return Verdict(False, "edition") if',
        "return None if",
        TESTS,
    ),
    Fault(
        "a plain word inside a word with two capitals is a name",
        NAMES + "meaning.py",
        "return len(_JOINT.findall(token)) == 1 and",
        "return False and",
        TESTS,
    ),
    Fault(
        "a sentence ends only where a space follows its stop",
        NAMES + "context.py",
        'return f"{stop[0]} "',
        "return stop[0]",
        TESTS,
    ),
    Fault(
        "a small word of grammar in a title is a name where things are asked for",
        NAMES + "senses.py",
        "evidence = replace(evidence, asks=evidence.makes or evidence.full)",
        "pass",
        TESTS,
    ),
    Fault(
        "any name that ends with an s has a singular",
        NAMES + "variants.py",
        'if (many := _OF_MANY.search(text)) and "n" in parts_of_speech(many[1].lower()):',
        'if text.endswith("s"):',
        TESTS,
    ),
)
