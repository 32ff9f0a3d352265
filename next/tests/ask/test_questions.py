"""Questions over real answers. What is right is counted from the raw answers, apart from the product."""

import json
import tomllib
from pathlib import Path

from tests.ask.counting import Counter
from tests.mcp.conftest import data_of

TOKENS = 800
QUESTIONS = tomllib.loads(Path(__file__).with_name("questions.toml").read_text(encoding="utf-8"))


def holds(counter, reply, topic=None, engine=None, days=None, **expected):
    """Whether the facts hold what is expected, with its counts from the raw answers."""
    rows, facts = counter.of(topic, engine, days), reply["facts"]
    match expected:
        case {"answer": sentence}:
            return sentence in reply["answer"]
        case {"text": text}:
            return text in json.dumps(reply, ensure_ascii=False)
        case {"words": words}:
            found = reply["wordsFound"]
            counted = (counter.holding(words, rows), len(rows))
            return (found["answers"], found["of"]) == counted and bool(reply["passages"]) == bool(counted[0])
        case {"domain": domain}:
            number = counter.cited(domain, rows)
            found = [fact for fact in facts if domain in fact.get("domain", "")]
            if not number:
                return not found and len(facts) == reply["factsTotal"]
            return [(fact["answers"], fact["ofAnswers"]) for fact in found] == [(number, len(rows))]
        case {"untracked": name}:
            [fact] = [each for each in facts if name in each["subject"] and "engine" not in each]
            return not fact["tracked"] and 0 < fact["mentioned"] <= counter.count(name, rows)["mentioned"]
        case {"subject": subject}:
            wanted = {**counter.count(subject, rows), **expected}
            place = {"topic": topic, "engine": engine}
            return any(
                wanted.items() <= fact.items()
                and all(value is None or value in fact.get(axis, "") for axis, value in place.items())
                for fact in facts
            )
    raise ValueError(expected)


def wrong_rows(counter, reply, arguments):
    """The rows of tracked subjects that the raw answers deny."""
    for fact in reply["facts"]:
        if fact.get("subject") not in counter.names or "of" not in fact:
            continue
        days = fact["period"] if "from" in arguments or arguments.get("about") == "change" else None
        topic = next((name for name in counter.topics if name in fact.get("topic", "")), None)
        rows = counter.of(topic, fact.get("engine"), days)
        counted, own = counter.count(fact["subject"], rows), counter.count(counter.site, rows)
        is_tied = own["mentioned"] == counted["mentioned"]
        is_right_way = {"ahead": own["mentioned"] < counted["mentioned"], "tied": is_tied}
        is_right_way["behind"] = own["mentioned"] > counted["mentioned"]
        is_right_way["not_told_apart"] = not is_tied
        if not counted.items() <= fact.items() or not is_right_way.get(fact.get("relation"), True):
            yield fact, counted


def test_questions_get_the_facts_that_the_raw_answers_hold(world):
    missed, wrong, sizes = [], [], []
    for site, questions in QUESTIONS.items():
        counter = Counter(site)
        for question in questions:
            arguments = {name: value for name, value in question.items() if name != "expect"}
            result = world.agent.call(world.key, "ask", {**arguments, "siteId": world.sites[site]})
            reply = data_of(result)
            sizes.append(len(result.content[0].text.encode()) / 4)
            if not all(holds(counter, reply, **expected) for expected in question["expect"]):
                missed.append((arguments, reply))
            wrong += [(arguments, *each) for each in wrong_rows(counter, reply, arguments)]
    print(f"{len(sizes) - len(missed)} of {len(sizes)} right, {len(wrong)} rows wrong; {sum(sizes) / len(sizes):.0f}")
    assert max(sizes) <= TOKENS
    assert wrong == []
    assert len(sizes) >= 40 and len(missed) <= len(sizes) / 10, missed
