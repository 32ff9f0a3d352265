"""The providers that are known: where they are, which adapter speaks to them, and what their search can be told.

A further provider that speaks one of the four protocols needs no code: its base URL on the nearest preset will do.
"""

from dataclasses import dataclass

RESPONSES = "visibility.engines.adapters.openai_responses.OpenAIResponses"
CHAT = "visibility.engines.adapters.openai_chat.OpenAIChat"
MESSAGES = "visibility.engines.adapters.anthropic_messages.AnthropicMessages"
GEMINI = "visibility.engines.adapters.gemini.Gemini"


@dataclass(frozen=True, slots=True)
class Preset:
    """What engines of one provider share.

    `adapter` is the dotted path of the class that speaks its protocol. `pricing` is the provider's id in the price
    list, empty where it has none. `search_tool` is the type of its search tool, empty where it does not search;
    `always_searches` where search cannot be left out. `takes_country` and `bounds_searches` say what the search can
    be told. A provider without `key_variable` is reached without a key.
    """

    label: str
    adapter: str
    base_url: str
    key_variable: str = ""
    pricing: str = ""
    search_tool: str = ""
    takes_country: bool = False
    bounds_searches: bool = False


PRESETS: dict[str, Preset] = {
    "openai": Preset(
        label="OpenAI (Responses)",
        adapter=RESPONSES,
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        pricing="openai",
        search_tool="web_search",
        takes_country=True,
        bounds_searches=True,
    ),
    "openai-chat": Preset(
        label="OpenAI (Chat Completions, search models)",
        adapter=CHAT,
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        pricing="openai",
        search_tool="web_search_options",
        takes_country=True,
    ),
    "xai": Preset(
        label="xAI",
        adapter=RESPONSES,
        base_url="https://api.x.ai/v1",
        key_variable="XAI_API_KEY",
        pricing="x-ai",
        search_tool="web_search",
    ),
    "deepseek": Preset(
        label="DeepSeek",
        adapter=RESPONSES,
        base_url="https://api.deepseek.com",
        key_variable="DEEPSEEK_API_KEY",
        pricing="deepseek",
        search_tool="deepseek_web_search",
    ),
    "anthropic": Preset(
        label="Anthropic",
        adapter=MESSAGES,
        base_url="https://api.anthropic.com",
        key_variable="ANTHROPIC_API_KEY",
        pricing="anthropic",
        search_tool="web_search_20250305",
        takes_country=True,
        bounds_searches=True,
    ),
    "gemini": Preset(
        label="Google Gemini",
        adapter=GEMINI,
        base_url="https://generativelanguage.googleapis.com",
        key_variable="GEMINI_API_KEY",
        pricing="google",
        search_tool="google_search",
    ),
    "perplexity": Preset(
        label="Perplexity",
        adapter=CHAT,
        base_url="https://api.perplexity.ai",
        key_variable="PERPLEXITY_API_KEY",
        pricing="perplexity",
        search_tool="web_search_options",
        takes_country=True,
    ),
    "openrouter": Preset(
        label="OpenRouter",
        adapter=CHAT,
        base_url="https://openrouter.ai/api/v1",
        key_variable="OPENROUTER_API_KEY",
        pricing="openrouter",
        search_tool="openrouter:web_search",
        takes_country=True,
        bounds_searches=True,
    ),
    "mistral": Preset(
        label="Mistral",
        adapter=CHAT,
        base_url="https://api.mistral.ai/v1",
        key_variable="MISTRAL_API_KEY",
        pricing="mistral",
    ),
    "ollama": Preset(label="Ollama", adapter=CHAT, base_url="http://localhost:11434/v1"),
    "vllm": Preset(label="vLLM", adapter=CHAT, base_url="http://localhost:8000/v1"),
    "llamacpp": Preset(label="llama.cpp", adapter=CHAT, base_url="http://localhost:8080/v1"),
}
