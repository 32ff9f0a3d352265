# ruff: noqa: RUF001 - Chinese has its own commas and colons
"""What advises against a brand is never told as recommended, in eight languages.

The texts were written before their writer had read the rules.
"""

import pytest

from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name, Stance

QUESTIONS = {
    "en": "best strollers for a family of four",
    "de": "Welcher Kinderwagen ist der beste?",
    "fr": "Quelle poussette choisir ?",
    "es": "¿Qué cochecito me recomiendas?",
    "it": "Quale passeggino mi consigli?",
    "pt": "Qual carrinho de bebê comprar?",
    "nl": "Welke kinderwagen is de beste?",
    "zh": "最好的婴儿车推荐",
}
REJECTIONS: dict[str, tuple[str, ...]] = {
    "en": (
        "For a family of four, I would not buy the Velora: the hinge breaks within a year.",
        "Best strollers\n\n1. **Bugaboo** – light and sturdy.\n2. **Velora** – skip it, the brakes were recalled.\n",
        "Best strollers\n\n1. **Bugaboo** – light and sturdy.\n2. **Velora** – not recommended: leaks.\n",
        "I'd choose Bugaboo over Velora every day of the week.",
        "Velora used to be my top pick, but since the takeover quality has collapsed.",
        "## Brands to avoid\n\n- **Velora**: poor support\n- **Kintra**: paint peels off\n",
        "Don't waste your money on Velora.",
        "Nobody should recommend Velora to a beginner.",
        "## Our picks\n\n- **Bugaboo**: the best overall\n- **Thule**: fast\n\n## Avoid\n\n- **Velora**: breaks\n",
        "| Brand | Verdict |\n|---|---|\n| Bugaboo | Buy |\n| Velora | Avoid |\n",
        "Velora is the best choice only if you enjoy returning parcels.",
    ),
    "de": (
        "Ich empfehle Velora nicht.",
        "Von Velora würde ich die Finger lassen.",
        "1. **Bugaboo** – leicht und stabil.\n2. **Velora** – nicht empfehlenswert, da die Bremse versagt.\n",
        "## Diese Marken besser meiden\n\n- **Velora**: schlechter Kundendienst\n- **Kintra**: Lack blättert ab\n",
        "Statt Velora empfehle ich Bugaboo.",
        "Velora war früher meine erste Empfehlung, heute rate ich davon ab.",
        "| Marke | Urteil |\n|---|---|\n| Bugaboo | Kaufen |\n| Velora | Abzuraten |\n",
    ),
    "fr": (
        "Je ne recommande pas Velora.",
        "Mieux vaut éviter Velora : le service après-vente ne répond jamais.",
        "1. **Bugaboo** – léger et solide.\n2. **Velora** – à éviter, les roues cassent.\n",
        "## Marques déconseillées\n\n- **Velora** : freins défaillants\n- **Kintra** : peinture fragile\n",
        "Je choisirais Bugaboo plutôt que Velora.",
        "Velora était autrefois mon premier choix, ce n'est plus le cas.",
        "N'achetez surtout pas Velora.",
    ),
    "es": (
        "No recomiendo comprar Velora.",
        "Yo descartaría Velora: los frenos fallan.",
        "1. **Bugaboo** – ligero y sólido.\n2. **Velora** – no lo aconsejo, se rompe pronto.\n",
        "## Marcas que conviene evitar\n\n- **Velora**: mala atención al cliente\n- **Kintra**: pintura débil\n",
        "Prefiero Bugaboo antes que Velora.",
        "Antes recomendaba Velora; ya no.",
        "Ni se te ocurra comprar Velora.",
    ),
    "it": (
        "Non consiglio Velora.",
        "Meglio stare alla larga da Velora.",
        "1. **Bugaboo** – leggero e solido.\n2. **Velora** – sconsigliato, i freni cedono.\n",
        "## Marchi da evitare\n\n- **Velora**: assistenza pessima\n- **Kintra**: vernice fragile\n",
        "Sceglierei Bugaboo invece di Velora.",
        "Una volta Velora era la mia prima scelta, oggi no.",
        "Lasciate perdere Velora, non vale i soldi che costa.",
    ),
    "pt": (
        "Não recomendo a Velora.",
        "Eu fugiria da Velora: as rodas quebram.",
        "1. **Bugaboo** – leve e firme.\n2. **Velora** – não vale a pena, trava com frequência.\n",
        "## Marcas a evitar\n\n- **Velora**: suporte ruim\n- **Kintra**: pintura frágil\n",
        "Eu compraria Bugaboo em vez de Velora.",
        "A Velora já foi a minha favorita, mas hoje não a indico a ninguém.",
        "Jamais compre Velora.",
    ),
    "nl": (
        "Ik raad Velora niet aan.",
        "Velora kun je beter links laten liggen.",
        "1. **Bugaboo** – licht en stevig.\n2. **Velora** – af te raden, de rem weigert.\n",
        "## Merken om te vermijden\n\n- **Velora**: slechte service\n- **Kintra**: lak bladdert\n",
        "Ik zou Bugaboo kiezen in plaats van Velora.",
        "Vroeger was Velora mijn eerste keus, nu niet meer.",
        "Koop vooral geen Velora.",
    ),
    "zh": (
        "我不推荐Velora。",
        "千万别买Velora，售后很差。",
        "1. **Bugaboo** – 轻便结实。\n2. **Velora** – 不建议购买，刹车容易失灵。\n",
        "## 应避免的品牌\n\n- **Velora**：客服差\n- **Kintra**：掉漆\n",
        "与其买Velora，不如买Bugaboo。",
        "Velora以前是我的首选，现在不是了。",
        "Velora不值得买。",
    ),
}


@pytest.mark.parametrize("language", QUESTIONS)
def test_no_rejection_is_told_as_recommended(language):
    dictionary = Dictionary([Name("velora", "Velora")])
    told = {
        text: {mention.stance for mention in detect(Reading(text), QUESTIONS[language], dictionary)}
        for text in REJECTIONS[language]
    }
    assert all(told.values())
    assert [text for text, stances in told.items() if Stance.RECOMMENDED in stances] == []


def test_what_is_said_below_a_heading_takes_the_pick_back():
    text = (
        "### 1. Bugaboo\n\nLight and sturdy.\n\n### 2. Velora\n\nThe brakes fail: skip it.\n\n"
        "### 3. Thule Urban Glide\n\nIt is fast.\n"
    )
    dictionary = Dictionary([Name(name, name) for name in ("Velora", "Bugaboo")])
    told = {mention.subject: mention.stance for mention in detect(Reading(text), QUESTIONS["en"], dictionary)}
    assert told["Bugaboo"] == Stance.RECOMMENDED
    assert told["Velora"] != Stance.RECOMMENDED
