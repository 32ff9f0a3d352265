"""The table of the kinds of recommendations in docs/method.md: `python -m tests.recommendations.kinds_table`."""

import os

import django


def table() -> str:
    """A row for each kind: its place, what opens a card, and when that is over."""
    from visibility.recommendations.kinds import KINDS  # noqa: PLC0415 - needs the settings

    rows = [
        f"| {'–' if kind.is_chore else kind.order} | `{kind.name}` | {kind.question} | {kind.over} |"
        for kind in KINDS.values()
    ]
    return "\n".join(["| place | kind | opens | is over |", "|---|---|---|---|", *rows])


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(table())
