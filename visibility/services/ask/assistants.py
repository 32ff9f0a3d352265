"""The AI systems that people speak of, by the words for them; engines are found by the same words. Pure."""

import re
from collections.abc import Sequence

ASSISTANTS: dict[str, str] = {
    "ChatGPT": r"chat ?gpt|gpt|openai",
    "Claude": r"claude|anthropic",
    "Gemini": r"gemini|google ai|ai overviews?",
    "Perplexity": r"perplexity|sonar",
    "Grok": r"grok|xai\b|x-ai\b",
    "Copilot": r"copilot|bing\b",
    "DeepSeek": r"deepseek",
    "Mistral": r"mistral|le chat\b",
    "Llama": r"llama(?!\.?cpp)|meta ai\b",
}
"""What each is called, and the beginnings of the words that mean it: its name, its models', its maker's."""
WORDS = "|".join(ASSISTANTS.values())


def assistants_in(text: str) -> Sequence[str]:
    """Those that the text speaks of, be it a question or the name and model of an engine."""
    return [name for name, words in ASSISTANTS.items() if re.search(rf"\b(?:{words})", text, re.IGNORECASE)]
