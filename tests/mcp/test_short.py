"""The short form of a result: cut by what is declared, counted, and true in what it keeps."""

import copy
from collections import Counter

import pytest

from apikeys.text.size import estimate_of
from apikeys.text.untrusted import QUOTE_CLOSE, QUOTE_OPEN, marked, unmarked
from mcp_bridge.arguments import ListingArguments
from mcp_bridge.registry import Tool
from mcp_bridge.schemas import output_schema
from mcp_bridge.short.answers import PASSAGE, around_mentions
from mcp_bridge.short.projection import Short, limited, shorten
from mcp_bridge.short.texts import shortened
from mcp_bridge.tools import ALL_TOOLS
from tests.mcp.conftest import PREFIX
from visibility.resources.brief import SiteBrief

HOSTILE = "Rival & <b>co</b> " * 100


def rows(count, **more):
    return [{"id": number, "topic": number % 3, "text": "few words", **more} for number in range(count)]


class TestProjection:
    def test_what_is_left_out_is_counted_by_its_path_for_the_rows_that_are_shown(self):
        body = {"site": "s", "rows": [{"id": 1, "low": 0.5, "quotes": ["a", "b"], "note": None} for _ in range(9)]}
        short = Short(rows=("rows",), leave_out=("rows[].low", "rows[].quotes", "rows[].note"))
        assert shorten(body, short, 2) == {"rows": 7, "rows[].*": 2, "rows[].quotes": 4}
        assert body == {"site": "s", "rows": [{"id": 1}, {"id": 1}]}

    def test_the_first_row_may_keep_what_others_lose(self):
        body = {"rows": rows(3, prompt="x")}
        shorten(body, Short(rows=("rows",), leave_out=("rows[1:].prompt",)), None)
        assert ["prompt" in row for row in body["rows"]] == [True, False, False]

    def test_rows_are_filled_up_to_the_tokens_and_a_limit_goes_beyond(self):
        body = {"rows": rows(200)}
        every = copy.deepcopy(body)
        omitted = shorten(body, Short(rows=("rows",), tokens=1000), None)
        assert 5 < len(body["rows"]) == 200 - omitted["rows"] and estimate_of(body) < 1000
        shorten(every, Short(rows=("rows",), tokens=1000), 150)
        assert len(every["rows"]) == 150

    @pytest.mark.parametrize(
        ("how", "kept"),
        [
            ({}, [0, 1, 2]),
            ({"newest_last": True}, [7, 8, 9]),
            ({"both_ends": ("rows",)}, [0, 1, 9]),
            ({"spread": "topic"}, [0, 1, 2]),
        ],
    )
    def test_the_rows_that_matter_most_stay_in_their_order(self, how, kept):
        body = {"rows": rows(10)}
        shorten(body, Short(rows=("rows",), **how), 3)
        assert [row["id"] for row in body["rows"]] == kept

    def test_one_of_each_value_comes_before_a_second(self):
        body = {"rows": [{"id": n, "topic": topic} for n, topic in enumerate("aaabbc")]}
        shorten(body, Short(rows=("rows",), spread="topic"), 3)
        assert [row["topic"] for row in body["rows"]] == ["a", "b", "c"]

    def test_null_is_left_out_below_the_top_but_where_it_speaks(self):
        body = {"asOf": None, "rows": [{"competitor": None, "score": None, "rank": None, "aliases": []}]}
        assert not +shorten(body, Short(rows=("rows",)), None)
        assert body == {"asOf": None, "rows": [{"competitor": None, "score": None}]}

    def test_a_usual_value_goes_without_saying_and_uncounted(self):
        body = {"rows": [{"branded": False}, {"branded": True}]}
        assert not +shorten(body, Short(rows=("rows",), unless={"rows[].branded": False}), None)
        assert body["rows"] == [{}, {"branded": True}]

    def test_nothing_is_too_large_to_be_cut(self):
        body = {"note": "word " * 9000, "rows": [{"id": "0", "texts": [marked(HOSTILE)] * 40}] * 3}
        omitted = shorten(body, Short(rows=("rows",), tokens=900), None)
        assert estimate_of(body) < 900 and omitted["note"] and omitted["rows[].texts"]

    def test_the_whole_form_has_all_but_rows_beyond_a_limit(self):
        body = {"rows": rows(5, low=None), "more": 2}
        assert limited(body, Short(rows=("rows",), leave_out=("rows[].low",)), 3) == {"rows": 2}
        assert [set(row) for row in body["rows"]] == [{"id", "topic", "text", "low"}] * 3
        assert body["more"] == 4, "rows that are cut here count as not listed"


class TestTexts:
    def test_a_cut_text_is_a_prefix_with_the_dots_outside_its_marks(self):
        text = shortened(marked(HOSTILE), 100)
        assert text.startswith(QUOTE_OPEN) and text.endswith(f"{QUOTE_CLOSE}…")
        assert HOSTILE.startswith(unmarked(text.removesuffix("…"))) and 50 < len(unmarked(text)) <= 101

    def test_short_texts_and_sentences_that_quote_stay_whole(self):
        mixed = f"Write about {marked('x' * 300)} and about {marked('y')}."
        assert shortened(mixed, 50) == mixed
        assert shortened(marked("few words"), 50) == marked("few words")
        assert shortened("plain words of our own", 12) == "plain words…"


class TestAnswers:
    def answer(self, text, *names):
        shown = marked(text)
        return {
            "text": shown,
            "mentions": [
                {
                    "competitor": competitor,
                    "name": name,
                    "start": shown.index(name),
                    "end": shown.index(name) + len(name),
                }
                for competitor, name in names
            ],
        }

    def test_the_passage_is_around_the_first_mention_of_the_site_and_places_lie_in_it(self):
        text = "Rival leads. " + "a < b & c " * 200 + "Acme is good. " + "more & more " * 200
        body = {"latestAnswers": [self.answer(text, ("id", "Rival"), (None, "Acme"))]}
        around_mentions(body, omitted := Counter())
        [answer] = body["latestAnswers"]
        own, other = answer["mentions"]
        assert answer["text"][own["start"] : own["end"]] == "Acme"
        assert other == {"competitor": "id", "name": "Rival"}, "named elsewhere: without a place"
        assert answer["text"].startswith(f"…{QUOTE_OPEN}") and answer["text"].endswith(f"{QUOTE_CLOSE}…")
        assert unmarked(answer["text"].strip("…")) in text and len(answer["text"]) < PASSAGE + 60
        assert omitted["latestAnswers[].text"] == 1

    @pytest.mark.parametrize("text", ["", "short & sweet", "&" * 3000, "xy" + "&" * 3000, "x" * 3000, "日本語" * 900])
    def test_whatever_the_text_it_is_cut_between_characters(self, text):
        body = {"latestAnswers": [{"text": marked(text) if text else "", "mentions": []}]}
        around_mentions(body, Counter())
        assert unmarked(body["latestAnswers"][0]["text"].strip("…")) in text


class TestSchemas:
    def test_what_short_may_leave_out_is_not_required(self):
        for tool in ALL_TOOLS:
            schema = tool.definition(PREFIX)["outputSchema"]
            assert set(schema["required"]) <= set(schema["properties"])
            left_out = {path for path in (tool.short.leave_out if tool.short else ()) if "." not in path}
            assert not left_out & set(schema["required"]), tool.name
            assert all("required" not in part for part in schema.get("$defs", {}).values())

    def test_objects_of_the_full_form_alone_are_described_in_the_reference_alone(self):
        short = Short(leave_out=("now.change",))
        now = output_schema(SiteBrief, short=short)["properties"]["now"]["anyOf"][0]["properties"]
        assert now["change"] == {"type": ["object", "null"], "additionalProperties": True}
        assert "Change" in output_schema(SiteBrief, short=short, described=True)["$defs"]

    def test_every_declared_path_is_a_part_of_its_result(self):
        for tool in ALL_TOOLS:
            short = tool.short or Short()
            schema = output_schema(tool.result, described=True)
            for path in (*short.rows, *short.leave_out, *short.at_most, *short.texts, *short.unless):
                assert has_part(schema, schema, path.split(".")), (tool.name, path)

    def test_a_tool_with_a_short_form_takes_the_arguments_of_one_and_no_other_does(self):
        tool = next(tool for tool in ALL_TOOLS if tool.short)
        fields = {name: getattr(tool, name) for name in Tool.__dataclass_fields__}
        with pytest.raises(ValueError, match="ListingArguments"):
            Tool(**fields | {"short": None})
        assert issubclass(tool.arguments, ListingArguments)


def has_part(schema, root, steps):
    """Whether a schema has a field at the path, through lists, references and what may be null."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    for inner in (schema.get("items"), *schema.get("anyOf", ())):
        if inner and has_part(inner, root, steps):
            return True
    field = schema.get("properties", {}).get(steps[0].partition("[")[0])
    return field is not None and (len(steps) == 1 or has_part(field, root, steps[1:]))
