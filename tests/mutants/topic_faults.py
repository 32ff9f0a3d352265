"""The faults of topics: what the table counts, how topics are named and meant, what stands out."""

from tests.mutants.harness import Fault

TABLE = ("tests/reading/test_topics.py",)
FIGURES = ("tests/measurement/test_topic_figures.py",)
NAMES = ("tests/writing/test_topics.py",)
DOOR = ("tests/mcp/test_topics.py",)
BRIEF = ("tests/reading/test_brief.py",)
WRITTEN = ("tests/rest/test_written.py",)

TOPICS = (
    Fault(
        "a topic counts the prompts that name a subject for it",
        "visibility/metrics/topics.py",
        "unnamed = ~counts.named[chosen]",
        "unnamed = ~(counts.named[chosen] & False)",
        FIGURES,
    ),
    Fault(
        "engines beside the score enter the score of a topic",
        "visibility/metrics/topics.py",
        "[engine in counts.averaged for engine in counts.engines]",
        "[True for engine in counts.engines]",
        FIGURES,
    ),
    Fault(
        "the answers of a topic weigh alike, not its prompts",
        "visibility/metrics/topics.py",
        "Weighting.PROMPTS)",
        "Weighting.ANSWERS)",
        FIGURES,
    ),
    Fault(
        "archived prompts stay in the table of topics",
        "visibility/measured/topic_table.py",
        "if topics.prompt_of.get(wording) in topics.wordings",
        "if wording in topics.prompt_of",
        TABLE,
    ),
    Fault(
        "days without counts are missing from the table of topics",
        "visibility/measured/topic_table.py",
        "    if uncounted:\n",
        "    if not engines:\n",
        TABLE,
    ),
    Fault(
        "an engine that covers too little enters the scores of topics",
        "visibility/measured/topic_table.py",
        "if row.engine not in aside",
        "if row.engine",
        TABLE,
    ),
    Fault(
        "two topics have one name",
        "visibility/measured/topics.py",
        "topic if counts[topic.name.casefold()] == 1 else",
        "topic if topic else",
        TABLE,
    ),
    Fault(
        "a part of several topics means one of them",
        "visibility/measured/topics.py",
        "if len(topics) == 1",
        "if topics",
        TABLE,
    ),
    Fault(
        "a refusal lists the topics of others' words without marks",
        "visibility/services/reading/topics.py",
        "quoted(shortened(name, MAX_LETTERS))",
        "shortened(name, MAX_LETTERS)",
        (*TABLE, *DOOR),
    ),
    Fault(
        "a topic is shown without the price that its prompts name",
        "visibility/writers/topics.py",
        "price = _price(topic, wordings)",
        'price = ""',
        NAMES,
    ),
    Fault(
        "names of topics differ by their plurals",
        "visibility/writers/topics.py",
        "word if word.isdigit() or _is_plural(word) else _plural_of(word)",
        "word",
        NAMES,
    ),
    Fault(
        "words of others go to agents without marks where results are written at once",
        "visibility/services/reading/scores.py",
        "reader=FOR_AGENTS",
        "reader={}",
        DOOR,
    ),
    Fault(
        "words of others are written past the resource that marks them",
        "apikeys/db/written.py",
        "        _require_written(resource, values)\n",
        "        pass\n",
        WRITTEN,
    ),
    Fault(
        "the recommendations of a topic are those of all",
        "visibility/services/reading/reporting.py",
        "items = [item for item in items if _is_about(stored_topic, item)]",
        "pass",
        DOOR,
    ),
    Fault(
        "the opportunities of a topic are those of all",
        "visibility/insights/content/reading.py",
        "sorted(filter(is_meant, every),",
        "sorted(every,",
        DOOR,
    ),
    Fault(
        "the gaps of a topic are those of all",
        "visibility/services/competitors/gaps.py",
        "subject.prompts.keys() & topic.prompts if topic",
        "subject.prompts.keys() if topic",
        DOOR,
    ),
    Fault(
        "a topic where a competitor is clearly ahead is a strength",
        "visibility/insights/recommendations/standouts.py",
        "if standing is None or standing.is_clearly_behind or standing.own.score < standing.mean:",
        "if standing is None or standing.own.score < standing.mean:",
        BRIEF,
    ),
    Fault(
        "a topic below the brand's own score is a strength",
        "visibility/insights/recommendations/standouts.py",
        "standing.is_clearly_behind or standing.own.score < standing.mean:",
        "standing.is_clearly_behind:",
        BRIEF,
    ),
    Fault(
        "topics of two answers stand out",
        "visibility/insights/recommendations/standouts.py",
        "MIN_TOPIC_ANSWERS = 4",
        "MIN_TOPIC_ANSWERS = 2",
        BRIEF,
    ),
    Fault(
        "competitors are named in the brief to who may not read them",
        "visibility/services/overview/standouts.py",
        "_best_rival(row, table.names) if with_rivals else None",
        "_best_rival(row, table.names)",
        BRIEF,
    ),
)
