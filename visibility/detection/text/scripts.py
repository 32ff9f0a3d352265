"""Where words begin and end, in scripts with and without spaces."""

import re
import unicodedata

# Scripts that are written without spaces, or with particles joined to the word: after it (Korean) or before it
# (Hebrew and Arabic, "prefixing").
_UNSPACED = {
    "han": r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "hiragana": r"\u3041-\u309f",
    "katakana": r"\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff",
    "hangul": r"\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff",
    "southeast": r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff",
    "prefixing": r"\u0590-\u05ff\u0600-\u06ff\u0750-\u077f",
}
_PARTICLES = frozenset("\u0648\u0641\u0628\u0644\u0643\u05d5\u05d1\u05dc\u05de\u05d4\u05e9\u05db")
_SCRIPT = re.compile("|".join(f"(?P<{name}>[{ranges}])" for name, ranges in _UNSPACED.items()))

# A run of these is mostly one word, so that a name inside it starts where the run does: the name Line is not in
# the word for online, but Sony is at the start of the word for Sony store.
_STARTS_WITH_RUN = frozenset({"katakana", "hangul", "prefixing"})

# A short name may begin a longer word by chance, such as Line in line-up or Apple in application. What may follow it:
# Korean particles, and words for a company, its shops and its kinds of products.
_SHORT_RUN = 3
_FOLLOWING = {
    "katakana": re.compile(
        r"(?:ストア|ショップ|ジャパン|ペイ|カード"
        r"|カメラ|フォン|ウォッチ|ミュージック"
        r"|テレビ|グループ|オンライン|マップ"
        r"|カレンダー|モバイル|アプリ|プライム"
        r"|クラウド|ドライブ|パッド|ブック)\Z"
    ),
    "hangul": re.compile(
        r"(?:전자|카드|페이|뮤직|스토어|워치|폰|그룹"
        r"|코리아|맵|뱅크|생명|화재|물산|톡|테레비)?"
        r"(?:은|는|이나|나|이랑|랑|이며|며|이고|고|이다"
        r"|입니다|이라는|라는|이|가|을|를|의|에서|에게"
        r"|에|으로|로|와|과|도|만|부터|까지|보다|처럼"
        r"|하고|들|사|측|제|요|예요|이에요)*\Z"
    ),
}


# What makes a name in Chinese characters the name of an age, a river or an island.
_OTHER_THINGS = re.compile(
    r"\u6642\u4ee3|\u65f6\u4ee3|\u6587\u5316|\u738b\u671d|\u65f6\u671f|\u5c71\u8108|\u5c71\u8108"
    r"|\u4e3b[\u4e49\u7fa9]|\u7d00|\u6d3e(?![\u514b\u5bf9])|\u795e\u8a71|\u795e\u8bdd|\u5c71(?![\u5bb6\u5e84])"
    r"|\u5316(?![\u5986\u7ca7\u5de5\u5b66])"
    r"|[\u5ddd\u6cb3\u5cf6\u5c9b\u770c\u53bf\u7e23]"
)


def is_word_character(char: str) -> bool:
    """Whether a character is part of a word: a letter, an accent on one, or a digit (superscripts
    and the frames of key caps are not)."""
    if char.isascii():
        return char.isalnum()
    category = unicodedata.category(char)
    return category[0] == "L" or category in ("Mn", "Mc", "Nd")


def starts_word(before: str, first: str) -> bool:
    """Whether a word can start at `first` when `before` stands right before it."""
    if not is_word_character(before):
        return True
    script = _script(first)
    if script == _script(before):
        return bool(script) and script not in _STARTS_WITH_RUN
    return True


def ends_word(last: str, after: str) -> bool:
    """Whether a word can end at `last` when `after` stands right after it."""
    if not is_word_character(after) or not is_word_character(last):
        return True
    scripts = _script(last), _script(after)
    if scripts == ("prefixing", "prefixing"):
        return False
    return any(scripts) and unicodedata.category(after)[0] != "M"


def may_be_followed(name: str, run: str) -> bool:
    """Whether `run`, the rest of the word after a name of the same script, leaves the name its meaning."""
    script = _script(name[-1])
    if script == "han":
        return _OTHER_THINGS.match(run) is None
    if script not in _FOLLOWING or len(name) > (2 if script == "hangul" else _SHORT_RUN):
        return True
    length = next((index for index, char in enumerate(run) if _script(char) != script), len(run))
    return not length or _FOLLOWING[script].match(run[:length]) is not None


def is_prefix(char: str) -> bool:
    """Whether a character is a particle (and, in, to, from, the) that is written as one word with the next."""
    return char in _PARTICLES


def is_unspaced(char: str) -> bool:
    """Whether a character belongs to a script in which words are not parted by spaces."""
    return _script(char) not in (None, "prefixing")


def _script(char: str) -> str | None:
    found = _SCRIPT.match(char)
    return found.lastgroup if found else None
