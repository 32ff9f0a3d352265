"""Which tests `make test` leaves out on which variant: what says nothing new there runs on the other one only, and
long proofs run by a command of their own.

On both run the tests of what differs: SQL that each database does in its own way, locks and simultaneous callers, the
queue, the cache, and some tests through each door (REST, agents, admin, pages, commands).
"""

from pathlib import Path


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
    *_files("pages", "brand_adding portfolio prompt_files prompt_list prompt_writing real_answers sources_page"),
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
    *_files("scans", "breaker exchange_cancelled faults large_answers locales"),
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
BROWSER = Path(__file__).with_name("browser")
THROUGH_A_BROWSER = tuple(
    f"tests/browser/{file.name}" for file in sorted(BROWSER.glob("test_*.py")) if file.stem != "test_smoke"
)
"""What looks at every page through a browser: `make test-browser`. Of these tests a run keeps the smoke."""
SAME_RULES = (
    *_files("audit", "recommendations"),
    *_files("evidence", "buying import_reviews injection layers"),
    *_files("imports", "commands recommendations surfaces"),
    *_files("loop", "loop preview_page"),
    *_files("mcp", "audit competitors recommendations scans scores scripted sites topics"),
    *_files("pages", "account_page brand_people brand_settings other_tools_page recommendation_pages run_pages"),
    *_files("pages", "statements topics_page"),
    *_files("people", "admin_lists admin_tables operating_admin prompts run_admin users users_admin"),
    *_files("recommendations", "audit_findings"),
    *_files("rest", "isolation recommendations written"),
    *_files("scans", "by_locale change change_causes comparison description development domain_classes judging"),
    *_files("scans", "mentions standing suggestions"),
    *_tests(
        "scans/test_rescore_steps.py",
        "TestTakingOver TestTurns TestTelling test_the_steps_are_counted_right "
        "test_a_chunk_is_stored_whole_or_not_at_all test_a_scan_that_began_before_the_switch_ends_after_it "
        "test_answers_are_not_looked_through_for_a_generation_that_is_gone "
        "test_of_two_edits_the_last_one_holds test_an_edit_that_nobody_noticed_yet_stops_the_switch "
        "test_a_competitor_that_is_removed_meanwhile_leaves_nothing "
        "test_a_competitor_that_is_removed_while_a_chunk_is_looked_through",
    ),
    *_files("searching", "shown"),
    *_files("service", "audit_settings name_costs wsgi_bridge"),
    *_tests("service/test_backup.py", "test_a_backup_beside_the_running_service_brings_back_every_row"),
    *_tests(
        "service/test_load_data.py",
        "test_the_same_seed_makes_the_same_data test_it_fills_empty_databases_only "
        "test_too_few_answers_for_so_many_brands_are_refused "
        "test_brands_are_shared_among_as_many_accounts_as_the_plan_allows",
    ),
    *_files("tables", "cells"),
    *_files("writing", "ask_audit ask_narrowed ask_premises ask_work conversing languages material_blocks names"),
    *_files("writing", "question_hostile question_reading question_words wording"),
)
"""Rules over rows that other tests write and read on both variants: each database is asked in the same words."""
SAMPLED = (
    "tests/asking/test_questions.py",
    *_files("audit/checks", "saved_pages"),
    *_files("evidence", "criteria_real hand_check"),
    *_files("mcp", "sizes"),
    *_files("measurement", "change_simulation planning"),
    *_files("measurement/real", "real_labels"),
    *_files("measurement/labelled", "score"),
    *_files("imports", "real_now"),
    *_files("recommendations", "cited_pages core_kinds evidence_planted own_pages_lost searches statements"),
    *_files("reports", "reports"),
    *_files("scans", "faults rescore_readers"),
    *_files("writing", "hostile_sources"),
)
"""Tests that look at a sample (see `tests/amounts.py`), and for proofs at all there is."""
LONG = (
    *_tests(
        "audit/runs/test_crash.py",
        "test_a_killed_worker_loses_nothing_and_asks_nothing_twice[again "
        "test_a_worker_that_is_asked_to_end_leaves_the_audit_to_another "
        "test_scans_and_audits_run_beside_each_other",
    ),
    *_tests(
        "loop/test_loop.py",
        "test_without_an_effect_nothing_is_claimed test_a_tide_that_lifts_all_topics_is_no_effect",
    ),
    *_tests(
        "mcp/test_at_once.py",
        "test_connections_stay_few_however_many_calls test_it_answers_under_uvicorn_with_and_without_a_lifespan "
        "test_it_answers_under_gunicorn_and_stops_with_it",
    ),
    *_tests("mcp/test_scripted.py", "test_from_a_question_to_a_draft_over_real_answers"),
    *_tests(
        "loop/test_loop.py",
        "test_without_an_effect_nothing_is_claimed test_a_tide_that_lifts_all_topics_is_no_effect",
    ),
    *_tests("measurement/labelled/test_score.py", "test_the_figures_in_the_document_are_those_of_the_detector"),
    *_tests("measurement/real/test_real_labels.py", "test_the_figures_in_the_document_are_those_of_the_detector"),
    *_tests("recommendations/test_cited_pages.py", "test_without_the_plants_they_are_not_found"),
    *_tests("recommendations/test_evidence_planted.py", "test_without_plants_nothing_is_contradicted"),
    *_tests("recommendations/test_searches.py", "test_without_the_plants_they_are_not_found"),
    *_tests(
        "recommendations/test_statements.py", "test_real_answers_without_plants_say_nothing_against_these_brands"
    ),
    *_tests("scans/test_crash.py", "test_a_killed_worker_loses_nothing_and_doubles_nothing[again"),
    *_tests(
        "scans/test_interruptions.py",
        "test_a_worker_that_is_asked_to_end_stores_what_it_asked_and_the_next_goes_on "
        "test_a_database_that_restarts_loses_no_answer_and_has_none_asked_twice",
    ),
    *_files("scans", "analysed_migration domain_names_migration first_days_migration generations_migration"),
    *_files("scans", "rescore_crash"),
    *_tests(
        "scans/test_several_workers.py",
        "test_a_worker_killed_with_calls_under_way_asks_nothing_again_that_is_stored "
        "test_runs_in_two_workers_keep_a_providers_pace_together",
    ),
    *_tests("service/test_database_away.py", "test_after_a_restart_no_request_fails_for_a_connection_that_is_gone"),
    *_tests("service/test_backup.py", "test_a_backup_beside_the_running_service_brings_back_every_row"),
    *_tests(
        "service/test_demo.py",
        "test_every_start_shows_logins_a_key_and_lines_that_work "
        "test_a_demo_that_fails_ends_the_service_with_a_sentence",
    ),
    *_tests("service/test_readme.py", "test_the_commands_without_questions_work_too"),
    *_tests(
        "service/test_serve.py",
        "test_it_starts_again_after_it_was_killed test_each_part_comes_back_when_it_is_killed",
    ),
)
"""Long proofs, of which a shorter test shows the same in small: `make proofs`."""
TAKING_LONG = (
    *SAMPLED,
    *_files("audit/runs", "interruptions way whole_sites"),
    *_files("engines", "no_key_anywhere"),
    *_files("imports", "real_answers"),
    *_files("pages", "isolation"),
    *_files("scans", "large_answers provider_limits rescore rescore_steps"),
    *_files("service", "demo_history demo_story load_data settings"),
    *_files("writing", "languages question_reading"),
)
"""Files that take more than ten seconds, which are begun first."""
ONCE = {"embedded": SEVERAL, "distributed": (*PURE, *WHATEVER_BELOW, *SAME_RULES, "tests/browser/test_smoke.py")}
"""What runs on the other variant only."""
LEFT_OUT = {variant: (*paths, *THROUGH_A_BROWSER, *LONG) for variant, paths in ONCE.items()}
"""What a run leaves out on a variant, to be done in time; `--everything` leaves out nothing."""


def left_out(variant: str) -> list[str]:
    """The options that leave out what the other variant runs, and what takes long."""
    return [f"--deselect={path}" if "::" in path else f"--ignore={path}" for path in LEFT_OUT[variant]]


def proofs(variant: str) -> list[str]:
    """What `make proofs` runs on a variant: the long proofs, and all of what is otherwise sampled."""
    paths = (path.partition("[")[0] for path in (*LONG, *SAMPLED))
    return [path for path in paths if not path.startswith(ONCE[variant])]
