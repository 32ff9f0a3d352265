"""Facts about scores as sentences, the same at every door."""

from collections.abc import Sequence
from datetime import date

from visibility.scores.now_resources import ChangeResource, NowFigures, Standing
from visibility.scores.resources import Change

RECOUNTING = "Names have changed and history is being counted again; until then figures do not know the change."
MOST_NAMES = 5
ENGINE_NAMES = {
    "chatgpt": "ChatGPT",
    "claude": "Claude",
    "copilot": "Microsoft Copilot",
    "deepseek": "DeepSeek",
    "gemini": "Gemini",
    "google_ai_mode": "Google AI Mode",
    "google_ai_overview": "Google AI Overviews",
    "grok": "Grok",
    "perplexity": "Perplexity",
}


def engine_name(name: str) -> str:
    """An engine by the name that people know; one that is not known keeps its own."""
    return ENGINE_NAMES.get(name, name)


def score_words(name: str, now: NowFigures | None, engines: int) -> str:
    """How often a brand is named now."""
    if now is None or now.score is None:
        return f"{name} is not measured: no answer counts for it yet."
    interval = f" (95 % interval {now.low:.0f} to {now.high:.0f} %)" if now.low is not None else ""
    mean = f", the mean over {engines} engines" if engines > 1 else ""
    return (
        f"{name} is named in {_percent(now.score)} of answers{interval}{mean}: {now.answers} answers to "
        f"{now.prompts} prompt{'s' * (now.prompts != 1)} on {now.topics} topic{'s' * (now.topics != 1)}, as of "
        f"{now.as_of}."
    )


def standing_words(name: str, standings: Sequence[Standing]) -> str | None:
    """Who is ahead of a brand and whom it is ahead of, beyond chance; None without competitors."""
    rivals = [each for each in standings if each.competitor_id is not None]
    parts = []
    relations = (
        ("behind", f"{name} is behind"),
        ("ahead", f"{name} is ahead of"),
        ("no_clear_difference", "No difference beyond chance is seen to"),
    )
    for relation, words in relations:
        names = [f"{each.name} ({_percent(each.score)})" for each in rivals if each.site_is == relation]
        if names:
            parts.append(f"{words} {listed(names)}.")
    return " ".join(parts) or None


def place_words(standings: Sequence[Standing]) -> str | None:
    """ "3rd of 4", or "2nd to 4th of 4" where others are too close to call; None without competitors or figures."""
    relations = [each.site_is for each in standings if each.score is not None]
    first, last = 1 + relations.count("behind"), len(relations) - relations.count("ahead")
    if len(relations) < 2 or not any(each.competitor_id is None and each.score is not None for each in standings):
        return None
    return f"{ordinal(first)}{f' to {ordinal(last)}' if last > first else ''} of {len(relations)}"


def ordinal(number: int) -> str:
    """1 as "1st"."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def change_words(name: str, changes: Sequence[ChangeResource], days: int) -> str:
    """The latest confirmed change of the score, or that there is none."""
    held = [change for change in changes if change.engine is None and change.state == "holds"]
    if held:
        change = held[0]
        return (
            f"{name}'s score {'rose' if change.delta > 0 else 'fell'} by {abs(change.delta):.0f} points: from "
            f"{change.from_.value:.0f} to {change.to.value:.0f} % since {change.since}."
        )
    if days < 2:
        return "Nothing can be said of changes here: that needs at least two measured days."
    return f"No change of {name}'s score is confirmed over the measured days."


def difference_words(name: str, day: date, change: Change) -> str:
    """Whether a score of one day differs from that of an earlier one."""
    delta, since = change.delta or 0.0, change.from_
    match change.verdict:
        case "moved":
            how = f"{abs(delta):.0f} points {'more' if delta > 0 else 'less'} than on {since}, beyond chance"
            return f"On {day} the score of {name} is {how}."
        case "within_noise":
            return f"Between {since} and {day} no change of the score of {name} is seen beyond chance ({delta:+.0f})."
        case "cannot_detect":
            return f"Too little was measured to tell a change of the score of {name} between {since} and {day}."
    why = "too few of the same prompts, engines and samples"
    return f"The scores of {name} on {since} and {day} are not comparable: {why}."


def foreign_topic_words(name: str) -> str:
    """What a topic that is not the brand's own means for its figures."""
    return f"This topic is not {name}'s own: no figure, gap or change counts it."


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def tied_words(names: Sequence[str]) -> str | None:
    """Who is named most: the first by name, and how many are named as often."""
    if not names:
        return None
    return f"{min(names)} and {len(names) - 1} more" if len(names) > 1 else names[0]


def _percent(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.0f} %"
