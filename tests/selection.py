"""Which tests `make test` leaves out on which variant: what says nothing new there runs on the other one only.

On both run the tests of what differs: SQL that each database does in its own way, locks and simultaneous callers, the
queue, the cache, and some tests through each door (REST, agents, admin, pages, commands).
"""


def _files(folder: str, names: str) -> tuple[str, ...]:
    return tuple(f"tests/{folder}/test_{name}.py" for name in names.split())


def _tests(file: str, names: str) -> tuple[str, ...]:
    return tuple(f"tests/{file}::{name}" for name in names.split())


PURE = (
    "tests/architecture",
    "tests/audit/checks",
    "tests/audit/fetch",
    "tests/audit/parse",
    "tests/measurement",
    "tests/mutants",
    *_files("evidence", "claims criteria criteria_hostile criteria_real criteria_winners hand_check polarity"),
    *_files("evidence", "quantities reviews themes themes_real verbatim voice weighing"),
    *_files("audit", "builders reference score types wording"),
    *_files("audit/runs", "frontier judging"),
    *_files("engines", "answers equal_bytes errors faults recorded_answers recorded_errors requests"),
    *_files("imports", "reader"),
    *_files("writing", "numbers prompt_options question_premises refining topics untrusted"),
)
"""Without a database, a cache or a queue."""
WHATEVER_BELOW = (
    *_files("asking", "questions"),
    *_files("audit/runs", "way whole_sites"),
    *_files("engines", "configuring engines_admin estimate local_search no_key_anywhere"),
    *_files("imports", "gaps real_now"),
    *_files("loop", "baselines histories months plans shared verdicts"),
    *_files(
        "mcp",
        "audit_withheld codes definitions garbage http isolation marks methods reference short short_results sizes",
    ),
    *_files(
        "pages",
        "audit_pages bot changes charts competitors_page content_pages figures latest_runs method reading_pages",
    ),
    *_files("pages", "draft_page plan_page recommendation_decisions recommendation_page refused_forms scan_page"),
    *_files("pages", "isolation simulated trend_page answers_page evidence_page hostile_texts markdown quotes"),
    *_files("pages", "brand_adding portfolio prompt_list prompt_writing real_answers sources_page"),
    *_files(
        "people",
        "brands_admin commands domains keys_admin name_policies passwords prompts_admin recommendations_admin roles",
    ),
    *_files(
        "recommendations",
        "cited_pages core_kinds evidence_kinds evidence_planted fix_prompts null own_pages_lost reference searches "
        "statements",
    ),
    *_files("reports", "reports"),
    *_files("rest", "bad_input client_address errors headers keys one_port openapi"),
    *_files("scans", "breaker budget exchange_cancelled faults large_answers locales"),
    *_files(
        "service",
        "behind_proxy build connections demo demo_history demo_site readme reset_mail serve_refusals settings",
    ),
    *_files("service", "demo_story supervisor"),
    *_files("searching", "own_pages"),
    *_files("writing", "choosing draft_edits drafting hostile_sources markup"),
    *_tests(
        "rest/test_wire.py",
        "test_304_has_the_vary_of_its_200_and_no_length test_a_key_sent_as_request_id_comes_back_from_no_door "
        "test_a_request_names_its_host test_other_methods_of_the_public_pages_are_refused_as_such "
        "test_the_host_of_an_absolute_target_wins",
    ),
    *_tests("scans/test_rescore.py", "TestTriggers::test_what_is_looked_for_changes"),
    *_tests(
        "scans/test_rescore_steps.py",
        "test_a_killed_worker_is_followed_where_it_was "
        "test_a_scan_that_ends_meanwhile_is_seen_at_once_and_is_in_the_next_generation",
    ),
    *_tests("service/test_serve.py", "test_a_second_service_in_the_same_folder_is_refused"),
    *_tests("service/test_serve.py", "test_each_part_comes_back_when_it_is_killed"),
    *_tests("service/test_serve.py", "test_it_starts_again_after_it_was_killed"),
    *_tests("service/test_serve.py", "test_killing_it_leaves_no_process_and_frees_the_port"),
)
"""With a database, but about what is the same on any: what comes in, what is shown, how processes are kept, which
step follows which, and rules in Python whose queries other tests ask on both."""
SEVERAL = (
    *_files("audit/runs", "crash"),
    *_files("mcp", "at_once"),
    *_files("scans", "interruptions rescore_crash rescore_readers several_workers"),
    *_files("service", "database_away"),
    *_files("writing", "agents"),
    *_tests("scans/test_queue_away.py", "test_workers_go_on_when_the_broker_is_back"),
)
"""Many callers and workers at a time, and servers that restart: what the second variant is for."""
THROUGH_A_BROWSER = _files("browser", "api_page brand charts hostile_texts pages people runs")
"""What looks at every page through a browser: `make test-browser`. Of these tests a run keeps the smoke."""
LEFT_OUT = {
    "embedded": (*SEVERAL, *THROUGH_A_BROWSER),
    "distributed": (*PURE, *WHATEVER_BELOW, *THROUGH_A_BROWSER, "tests/browser/test_smoke.py"),
}
"""What a run leaves out on a variant, to be done in time; `--everything` leaves out nothing."""


def left_out(variant: str) -> list[str]:
    """The options that leave out what the other variant runs."""
    return [f"--deselect={path}" if "::" in path else f"--ignore={path}" for path in LEFT_OUT[variant]]
