"""The known providers: where they are, which protocol they speak, what their search takes.

Another provider that speaks one of the protocols needs no code: set its address on the nearest preset.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """What engines of one provider share.

    `protocol` names a module of `protocols`. `pricing` is the provider's name in the price list, empty without one.
    `search_tool` is the type of its search tool, empty where it does not search; `takes_country` and
    `bounds_searches` say whether it takes a country and a number of searches. An empty `key_variable`: no key.
    """

    label: str
    protocol: str
    base_url: str
    key_variable: str = ""
    pricing: str = ""
    search_tool: str = ""
    takes_country: bool = False
    bounds_searches: bool = False


PRESETS: dict[str, Preset] = {
    "openai": Preset(
        label="OpenAI (Responses)",
        protocol="responses",
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        pricing="openai",
        search_tool="web_search",
        takes_country=True,
        bounds_searches=True,
    ),
    "openai-chat": Preset(
        label="OpenAI (Chat Completions, search models)",
        protocol="chat",
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        pricing="openai",
        search_tool="web_search_options",
        takes_country=True,
    ),
    "xai": Preset(
        label="xAI",
        protocol="responses",
        base_url="https://api.x.ai/v1",
        key_variable="XAI_API_KEY",
        pricing="x-ai",
        search_tool="web_search",
    ),
    "deepseek": Preset(
        label="DeepSeek",
        protocol="responses",
        base_url="https://api.deepseek.com",
        key_variable="DEEPSEEK_API_KEY",
        pricing="deepseek",
        search_tool="deepseek_web_search",
    ),
    "anthropic": Preset(
        label="Anthropic",
        protocol="messages",
        base_url="https://api.anthropic.com",
        key_variable="ANTHROPIC_API_KEY",
        pricing="anthropic",
        search_tool="web_search_20250305",
        takes_country=True,
        bounds_searches=True,
    ),
    "gemini": Preset(
        label="Google Gemini",
        protocol="gemini",
        base_url="https://generativelanguage.googleapis.com",
        key_variable="GEMINI_API_KEY",
        pricing="google",
        search_tool="google_search",
    ),
    "perplexity": Preset(
        label="Perplexity (Agent API)",
        protocol="agent",
        base_url="https://api.perplexity.ai",
        key_variable="PERPLEXITY_API_KEY",
        pricing="perplexity",
        search_tool="web_search",
        takes_country=True,
    ),
    "openrouter": Preset(
        label="OpenRouter",
        protocol="chat",
        base_url="https://openrouter.ai/api/v1",
        key_variable="OPENROUTER_API_KEY",
        pricing="openrouter",
        search_tool="openrouter:web_search",
        takes_country=True,
        bounds_searches=True,
    ),
    "mistral": Preset(
        label="Mistral (Conversations)",
        protocol="conversations",
        base_url="https://api.mistral.ai",
        key_variable="MISTRAL_API_KEY",
        pricing="mistral",
        search_tool="web_search",
    ),
    "ollama": Preset(label="Ollama", protocol="chat", base_url="http://localhost:11434/v1"),
    "vllm": Preset(label="vLLM", protocol="chat", base_url="http://localhost:8000/v1"),
    "llamacpp": Preset(label="llama.cpp", protocol="chat", base_url="http://localhost:8080/v1"),
}
