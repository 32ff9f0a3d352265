"""The faults of writing: what is spent, what is repeated, what is believed."""

from tests.mutants.harness import Fault

PROMPTS = ("tests/writing/test_prompts.py",)
CONTENT = ("tests/writing/test_content.py",)
DRAFTING = ("tests/writing/test_drafting.py",)
ASK = ("tests/writing/test_ask.py",)

WRITING = (
    Fault(
        "prompts are added above the quota",
        "visibility/services/prompts/generating.py",
        "fresh = new[:room]",
        "fresh = new",
        PROMPTS,
    ),
    Fault(
        "prompts that were archived come back",
        "visibility/services/prompts/material.py",
        'prompts = Prompt.objects.filter(brand=brand).order_by("created_at", "pk")',
        'prompts = Prompt.objects.filter(brand=brand).active().order_by("created_at", "pk")',
        PROMPTS,
    ),
    Fault(
        "a wording that was changed meanwhile is overwritten",
        "visibility/services/prompts/writing.py",
        "if current.version != prompt.version:",
        "if False:",
        PROMPTS,
    ),
    Fault(
        "the calls of a day are without end",
        "visibility/services/writing.py",
        "day = spend(payer, Usage.Kind.WRITER_CALLS, 1)",
        "day = None",
        PROMPTS,
    ),
    Fault(
        "a call that no provider answered counts",
        "visibility/services/writing.py",
        "if not error.billed:",
        "if False:",
        PROMPTS,
    ),
    Fault(
        "questions that name the brand are let through",
        "visibility/writers/engine.py",
        "if names_any(prompt.text, task.subject.names)]",
        "if False]",
        PROMPTS,
    ),
    Fault(
        "drafts are written above the month's",
        "visibility/services/content/drafts.py",
        "    spend(brand.owner, Usage.Kind.DRAFTS, 1)\n",
        "",
        CONTENT,
    ),
    Fault(
        "pages of others are quoted as the brand's own",
        "visibility/services/content/material.py",
        "for page in stored if is_own(page.url, domains)]",
        "for page in stored]",
        CONTENT,
    ),
    Fault(
        "a brand is quoted on whatever shares a word with its pages",
        "visibility/writers/drafting.py",
        "if 2 * max(shared_counts, default=0) <= len(telling_words):",
        "if not any(shared_counts):",
        DRAFTING,
    ),
    Fault(
        "what stands in a gap counts as text of the page",
        "visibility/writers/checks.py",
        'text = GAP.sub("", block.text)',
        "text = block.text",
        ("tests/writing/test_markup.py",),
    ),
    Fault(
        "marks of quotes are accepted from people",
        "apikeys/text/validation.py",
        "if holds_marks(line):",
        "if False:",
        ("tests/people/test_competitors.py",),
    ),
    Fault(
        "links that an engine wrote are let through",
        "visibility/writers/markup.py",
        'addresses[0][:200]}. Leave addresses out." if addresses else ""',
        'addresses[0][:200]}. Leave addresses out." if False else ""',
        CONTENT,
    ),
    Fault(
        "quotes are put into drafts as they are",
        "visibility/writers/markup.py",
        'line = _SPECIAL.sub(r"\\\\\\1", line)',
        "line = line",
        CONTENT,
    ),
    Fault(
        "words of others go to the engine without marks",
        "visibility/writers/instructions.py",
        "known = [quoted(known.text) for known in task.existing[:MAX_KNOWN]]",
        "known = [known.text for known in task.existing[:MAX_KNOWN]]",
        PROMPTS,
    ),
    Fault(
        "an answer may name facts that there are not",
        "visibility/writers/engine.py",
        "others = [fact_id for fact_id in step.facts if fact_id not in task.ids]",
        "others: list[str] = []",
        ASK,
    ),
    Fault(
        "facts are told that the key may not read",
        "visibility/services/ask/gathering.py",
        "for kind in every if context.sections.may_read(READERS[kind].scope, kind.value)]",
        "for kind in every if (context.sections.may_read(READERS[kind].scope, kind.value), True)[1]]",
        ASK,
    ),
)
