"""Ranks in nineteen kinds of lists and six scripts: each is a layout that real answers have, with names made up here.

A row is the kind, the text, and the subjects with the rank that a reader gives them; None is a name without one.
"""

import pytest

from tests.detection.finding import ranks

LISTS = (
    (
        "table with a column of numbers",
        "| # | Model | Price |\n|---|---|---|\n| 1 | Zentrova X2 | $9 |\n| 2 | Orvaka Pro | $8 |\n| 3 | Vessilo | $7 |\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "table with a column of ranks",
        "| Rank | Brand |\n|---|---|\n| 1st | Zentrova |\n| 2nd | Orvaka |\n| 3rd | Vessilo |\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "table with a column of categories",
        "| Category | Pick | Price |\n|---|---|---|\n| Best overall | Zentrova X2 | $9 |\n| Best value | Orvaka | $8 |\n"
        "| For rain | Vessilo | $7 |\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "table in Danish",
        "| Mærke | Pris |\n|---|---|\n| Zentrova | 90 kr. |\n| Orvaka | 80 kr. |\n| Vessilo | 70 kr. |\n",
        {"Zentrova": 1, "Vessilo": 3},
    ),
    (
        "names with a common noun",
        "1. **Zentrova boots**: dry and warm\n2. **Orvaka boots**: light\n3. **Vessilo sandals**: cheap\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "items with a common noun",
        "- Zentrova luggage: sturdy\n- Orvaka suitcases: light\n- Vessilo bags: cheap\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "numbers in one line",
        "Good ones are 1. Zentrova - light and dry. 2. Orvaka - cheap. 3. Vessilo - keeps warm.",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "names that are words",
        "1. Slack - chat for teams\n2. Zoom - calls\n3. Notion - notes\n4. Monday - boards\n5. Linear - issues\n",
        {"Slack": 1, "Zoom": 2, "Notion": 3, "Linear": 5},
    ),
    (
        "names that are words and one that is none",
        "1. Slack - chat for teams\n2. Zoom - calls\n3. Notion - notes\n4. Monday - boards\n5. Asana - issues\n",
        {"Slack": 1, "Zoom": 2, "Notion": 3, "Asana": 5},
    ),
    (
        "Danish items",
        "Her er de bedste støvler til regn:\n\n1. **Zentrova**: tætte og varme støvler\n2. **Orvaka**: lette og billige\n"
        "3. **Vessilo**: gode til byen\n\nHusk at prøve dem først.",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "Turkish title over bold names",
        "**En İyi 3 Bot:**\n\n1. **Zentrova** – su geçirmez ve sıcak\n2. **Orvaka** – hafif\n3. **Vessilo** – ucuz\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "Arabic items",
        "إليك أفضل الأحذية للمطر:\n\n1. **Zentrova**: حذاء مقاوم للماء ودافئ\n2. **Orvaka**: خفيف ورخيص\n3. **Vessilo**: جيد للمدينة\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "Hindi items",
        "बारिश के लिए सबसे अच्छे जूते:\n\n1. **Zentrova**: गर्म और मजबूत\n2. **Orvaka**: हल्के और सस्ते\n3. **Vessilo**: शहर के लिए अच्छे\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "Japanese heading",
        "## おすすめ3選\n\n1. **Zentrova X2**：防水で暖かい\n2. **Orvaka**：軽くて安い\n3. **Vessilo**：街歩きに最適\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3},
    ),
    (
        "Chinese names",
        "推荐以下三款：\n\n1. **小米 14**：性价比高，续航好\n2. **华为 P60**：拍照出色\n3. **荣耀 90**：轻薄\n",
        {"小米": 1, "华为": 2, "荣耀": 3},
    ),
    (
        "Korean names in their own script",
        "## 추천 순위\n\n1. **스파르타코딩**: 입문자에게 좋은 강의가 많습니다\n2. **코드스테이츠**: 취업 지원이 강합니다\n3. **패스트캠퍼스**: 강의가 다양합니다\n",
        {"스파르타코딩": 1, "코드스테이츠": 2, "패스트캠퍼스": 3},
    ),
    (
        "categories with several names each",
        "* **Luxe :** Zentrova Palace, Orvaka Spa\n* **Milieu de gamme :** Vessilo, Marnado\n* **Économique :** Tirello, Belumi\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3, "Belumi": 6},
    ),
    (
        "advice behind the list",
        "Top picks:\n1. Zentrova\n2. Orvaka\n3. Vessilo\n\nTips for buying:\n- **Size**: Marnado runs small\n- **Weight**: light is better\n",
        {"Zentrova": 1, "Vessilo": 3, "Marnado": None},
    ),
    (
        "points below each name",
        "### Zentrova X2\n- **Vorteile**: warm\n- **Nachteile**: teuer\n### Orvaka\n- **Vorteile**: leicht\n- **Nachteile**: dünn\n"
        "### Vessilo\n- **Vorteile**: billig\n- **Nachteile**: wie Marnado\n",
        {"Zentrova": 1, "Orvaka": 2, "Vessilo": 3, "Marnado": None},
    ),
)


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in LISTS], ids=[row[0] for row in LISTS])
def test_ranks_are_those_that_a_reader_gives(text: str, expected: dict[str, int | None]) -> None:
    assert dict(zip(expected, ranks(text, *expected, prompt=""), strict=True)) == expected
