"""Faults in what is read of a brand's pages: its voice, its claims, what answers say of them, the reviews on them."""

from tests.mutants.harness import Fault

VOICE = "visibility/evidence/voice.py"
SENTENCES = "visibility/evidence/sentences.py"
CLAIMS = "visibility/evidence/claims.py"
KINDS = "visibility/evidence/positioning/kinds.py"
SUBJECTS = "visibility/evidence/positioning/subjects.py"
QUANTITIES = "visibility/evidence/positioning/quantities.py"
WEIGHING = "visibility/evidence/positioning/weighing.py"
PASSAGES = "visibility/evidence/positioning/passages.py"
ATTRIBUTES = "visibility/evidence/positioning/attributes.py"
REVIEWS = "visibility/evidence/reviews.py"
TEST_VOICE = ("tests/evidence/test_voice.py", "tests/evidence/test_verbatim.py")
TEST_CLAIMS = ("tests/evidence/test_claims.py",)
TEST_WEIGHING = ("tests/evidence/test_weighing.py",)
TEST_REVIEWS = ("tests/evidence/test_reviews.py",)

EVIDENCE_PAGES = (
    Fault(
        "a voice is told from a few words",
        VOICE,
        "_figures(reads, words) if count >= MIN_WORDS else ()",
        "_figures(reads, words) if reads else ()",
        TEST_VOICE,
    ),
    Fault(
        "what every page repeats counts on each",
        SENTENCES,
        "            known.add(key)\n",
        "",
        TEST_VOICE,
    ),
    Fault(
        "what customers say is the brand's own voice",
        SENTENCES,
        "if block.kind not in wanted or key in known or of_customers(block, words):",
        "if block.kind not in wanted or key in known:",
        (*TEST_VOICE, *TEST_CLAIMS),
    ),
    Fault(
        "what is said of cookies is the brand's own voice",
        SENTENCES,
        " and not words.set_aside.search(text)",
        "",
        TEST_VOICE,
    ),
    Fault(
        "a quote stands where its block does",
        SENTENCES,
        "yield Sentence(text, block.offset + start, page, block, words)",
        "yield Sentence(text, block.offset, page, block, words)",
        TEST_CLAIMS,
    ),
    Fault(
        "labels are prose",
        VOICE,
        "if sentence.ends and len(words) >= MIN_SENTENCE:",
        "if len(words) >= MIN_SENTENCE:",
        TEST_VOICE,
    ),
    Fault(
        "a blog post makes claims",
        CLAIMS,
        '_KINDS = ("home", "product", "pricing", "about")',
        '_KINDS = ("home", "product", "pricing", "about", "article", "docs", "other")',
        TEST_CLAIMS,
    ),
    Fault(
        "a link within the site is a source",
        CLAIMS,
        'return any(domain_of(link) not in ("", own) for link in sentence.block.links)',
        "return bool(own and sentence.block.links)",
        TEST_CLAIMS,
    ),
    Fault(
        "a claim of two pages is two claims",
        CLAIMS,
        "if numbers == known.numbers and shared >= MIN_ALIKE * (len(words) + len(known.words) - shared):",
        "if shared > len(words) + len(known.words):",
        TEST_CLAIMS,
    ),
    Fault(
        "directions and wishes are claims",
        KINDS,
        'if text.endswith(":") or words.no_claim.search(text):',
        'if text.endswith(":"):',
        TEST_CLAIMS,
    ),
    Fault(
        "any sentence with a special word speaks of the brand",
        KINDS,
        "    return reason or subjects.elided(sentence.text)\n",
        "    return reason or kind != ClaimKind.CAPABILITY\n",
        TEST_CLAIMS,
    ),
    Fault(
        "a name is found within words",
        SUBJECTS,
        "(?-i:{'|'.join(map(re.escape, written))})(?!\\w)",
        "(?-i:{'|'.join(map(re.escape, written))})",
        TEST_CLAIMS,
    ),
    Fault(
        "a name is a pattern",
        SUBJECTS,
        "{'|'.join(map(re.escape, written))}",
        "{'|'.join(written)}",
        TEST_CLAIMS,
    ),
    Fault(
        "a pronoun means the brand wherever it stands",
        SUBJECTS,
        "(*self._rules, self._pronouns) if follows else self._rules",
        "(*self._rules, self._pronouns)",
        TEST_CLAIMS,
    ),
    Fault(
        "a year is a quantity",
        QUANTITIES,
        '(_YEAR.fullmatch(match["number"]) and not match["money"] and scale == 1)',
        'match["number"] == ""',
        ("tests/evidence/test_quantities.py",),
    ),
    Fault(
        "the number of a model is a quantity",
        QUANTITIES,
        "if not unit and (not words or _is_of_name(text, match)):",
        "if not unit and not words:",
        ("tests/evidence/test_quantities.py", *TEST_WEIGHING),
    ),
    Fault(
        "another number of another thing contradicts",
        WEIGHING,
        "    close = [other for other in alike if len(other.near & amount.near) >= needed]\n",
        "    close = alike\n",
        TEST_WEIGHING,
    ),
    Fault(
        "another number of another product contradicts",
        WEIGHING,
        "        same = said.may_differ_from(claimed)\n        return EnginesSay.CONTRADICTED if same and EnginesSay",
        "        same = True\n        return EnginesSay.CONTRADICTED if same and EnginesSay",
        TEST_WEIGHING,
    ),
    Fault(
        "one denial outweighs two answers that agree",
        WEIGHING,
        "if len(contradicting) > len(supporting):",
        "if contradicting:",
        TEST_WEIGHING,
    ),
    Fault(
        "what is said of a rival is said of the brand",
        PASSAGES,
        " and not others.touches(first, last):",
        ":",
        TEST_WEIGHING,
    ),
    Fault(
        "answers that do not name the brand are counted",
        WEIGHING,
        "naming = [answer for answer in answers if answer.named.get(BRAND)]",
        "naming = [answer for answer in answers if answer.named.setdefault(BRAND, []) is not None]",
        TEST_WEIGHING,
    ),
    Fault(
        "a denial is read as consent",
        ATTRIBUTES,
        "        denied |= {stem(match[0]) for match in behind if _tells(match[0], own)}\n",
        "        behind.clear()\n",
        TEST_WEIGHING,
    ),
    Fault(
        "a rating of ten is taken for one of five",
        REVIEWS,
        "return round(STARS * value / best, 2)",
        "return min(float(STARS), value)",
        TEST_REVIEWS,
    ),
    Fault(
        "a review that two pages show is two",
        REVIEWS,
        "reviews.setdefault(_told_by(review.text, author), review)",
        "reviews.setdefault((page.url, author), review)",
        TEST_REVIEWS,
    ),
    Fault(
        "a review marked up and shown is two",
        REVIEWS,
        "            if key[1:] not in known:\n",
        "            if key not in known:\n",
        TEST_REVIEWS,
    ),
    Fault(
        "articles quote customers",
        REVIEWS,
        "if words is None or page.kind in _NO_TESTIMONIALS:",
        "if words is None:",
        TEST_REVIEWS,
    ),
)
