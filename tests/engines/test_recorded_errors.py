"""Every recorded error of a real provider, over real HTTP: its kind, whether a retry can help, and when."""

import pytest

from tests.engines.conftest import KEY, ask
from tests.engines.recorded import recordings
from visibility.engines.protocol import EngineError

# (kind, retryable, seconds to wait) by the provider and what tells its errors apart.
EXPECTED = {
    "openai_web_search_tool_model_not_supported": ("invalid_request", False, None),
    "openai_responses_model_http_error": ("invalid_request", False, None),
    "openrouter_errors_raised": ("rate_limited", True, None),
    "error_handling_with_anthropic": ("auth", False, None),
    "error_handling_with_ollama": ("auth", False, None),
    "error_handling_with_openai": ("auth", False, None),
    "error_handling_with_perplexity": ("auth", False, None),
    "error_handling_with_xai": ("auth", False, None),
    "real_error_scenarios_azure": ("rate_limited", True, 1.0),
    "real_error_scenarios_deepseek": ("context_length", False, None),
    "real_error_scenarios_gemini": ("rate_limited", True, 48.0),
    "real_error_scenarios_openai": ("context_length", False, None),
    "real_error_scenarios_openrouter": ("context_length", False, None),
    "ai__openai-error": ("quota_exhausted", False, None),
}
ERRORS = recordings(lambda row: row.status != 200)


@pytest.mark.parametrize("recording", ERRORS)
def test_a_recorded_error_is_of_the_right_kind(recording, engine, serve):
    [expected] = [value for name, value in EXPECTED.items() if name in recording.file]
    serve(recording.raw, status=recording.status, headers=recording.headers)
    with pytest.raises(EngineError) as raised:
        ask(engine(recording.preset))
    error = raised.value
    assert (error.code, error.retryable, error.retry_after) == expected
    assert error.message and KEY not in error.message


def test_every_recorded_error_is_expected_and_none_is_made_up():
    if ERRORS[0].id == "none":
        pytest.skip("no reference data")
    assert len(ERRORS) == len(EXPECTED)
