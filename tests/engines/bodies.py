"""Small bodies in the shape of each protocol, made for the tests: an answer of one text, and odd ones."""

import json

TEXT = "Acme makes good shoes."


def responses(text=TEXT, **changes):
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    return {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "model": "model-1",
        "output": [message],
        "usage": {"input_tokens": 10, "output_tokens": 5},
        **changes,
    }


def chat(text=TEXT, **changes):
    return {
        "id": "chat_1",
        "object": "chat.completion",
        "model": "model-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        **changes,
    }


def messages(text=TEXT, **changes):
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "model-1",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 10, "output_tokens": 5},
        **changes,
    }


def gemini(text=TEXT, **changes):
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}],
        "modelVersion": "model-1",
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5},
        **changes,
    }


BODY = {"openai": responses, "perplexity": chat, "anthropic": messages, "gemini": gemini}
"""A body for each adapter, by a preset of it."""


def raw(preset, *args, **changes):
    """The bytes of such a body."""
    return json.dumps(BODY[preset](*args, **changes)).encode()
