"""What an answer says of a name; never the opposite of it."""

from tests.detection.finding import mentions

LIST = "1. Zenbo X2 - {}\n2. Orva Pro - good and cheap\n3. Vessi Dry - keeps you dry\n"
PROMPTS = {
    "en": "What are the best shoes?",
    "de": "Welche Schuhe sind die besten?",
    "fr": "Quelles sont les meilleures chaussures ?",
    "es": "¿Cuáles son las mejores zapatillas?",
    "it": "Quali sono le migliori scarpe?",
    "pt": "Quais são os melhores sapatos?",
    "nl": "Welke schoenen zijn de beste?",
    "pl": "Jakie buty są najlepsze?",
    "ja": "おすすめの靴は?",
    "sv": "Vilka skor är bäst?",
}
REJECTIONS = {
    "en": (
        "Three that disappointed us:\n{}",
        "Shoes to avoid:\n{}",
        "I would leave these on the shelf, they are not worth it:\n{}",
        "Three that let us down:\n{}",
    ),
    "de": (
        "Drei, die uns enttäuscht haben:\n{}",
        "Von diesen Schuhen raten wir ab:\n{}",
        "Diese drei haben im Test versagt:\n{}",
        "Die größten Fehlkäufe:\n{}",
    ),
    "fr": (
        "Trois qui nous ont déçus :\n{}",
        "Les chaussures à éviter :\n{}",
        "Voici trois modèles que nous déconseillons :\n{}",
        "Trois achats que nous avons regrettés :\n{}",
    ),
    "es": (
        "Tres que nos decepcionaron:\n{}",
        "Zapatillas que conviene evitar:\n{}",
        "No recomendamos estas tres:\n{}",
        "Los tres fiascos del año:\n{}",
    ),
    "it": (
        "Tre che ci hanno deluso:\n{}",
        "Scarpe da evitare:\n{}",
        "Sconsigliamo questi modelli:\n{}",
        "I tre flop dell'anno:\n{}",
    ),
    "pt": (
        "Três que nos desiludiram:\n{}",
        "Sapatos a evitar:\n{}",
        "Não recomendamos estes:\n{}",
        "Três que ficaram aquém:\n{}",
    ),
    "nl": (
        "Drie die ons teleurstelden:\n{}",
        "Schoenen om te vermijden:\n{}",
        "Deze drie raden wij af:\n{}",
        "Drie miskopen:\n{}",
    ),
    "pl": (
        "Trzy, które nas rozczarowały:\n{}",
        "Butów tych lepiej unikać:\n{}",
        "Odradzamy te modele:\n{}",
        "Trzy wpadki roku:\n{}",
    ),
    "ja": ("がっかりした3つ:\n{}", "避けたい靴:\n{}", "買って後悔した3足:\n{}"),
    "sv": ("Tre som gjorde oss besvikna:\n{}", "Skor att undvika:\n{}", "Vi avråder från dessa:\n{}"),
}
LAYOUTS = (
    "1. Zenbo X2\n2. Orva Pro\n3. Vessi Dry\n",
    "- **Zenbo X2** – 89 €\n- **Orva Pro** – 99 €\n- **Vessi Dry** – 79 €\n",
    "Zenbo X2: 89 €.Orva Pro: 99 €.Vessi Dry: 79 €.",
    "### Zenbo X2\n89 €\n### Orva Pro\n99 €\n### Vessi Dry\n79 €\n",
)


def stance(text: str, name: str = "Zenbo", prompt: str = PROMPTS["en"]) -> str:
    return mentions(text, name, prompt=prompt)[0].stance.value


def test_a_place_among_three_picks_or_more_is_recommended() -> None:
    assert stance(LIST.format("light")) == "recommended"
    assert stance("1. Zenbo X2 - light\n2. Orva Pro - cheap\n") == "unknown"
    assert stance("Zenbo X2 is a shoe.") == "unknown"


def test_small_words_take_a_recommendation_back() -> None:
    for said in ("not worth it", "avoid", "I would never buy it", "used to be good", "worst of all"):
        assert stance(LIST.format(said)) != "recommended", said


def test_what_is_advised_against_is_rejected() -> None:
    for text in (
        "Avoid Zenbo.",
        "Stay away from the Zenbo X2.",
        "Don't buy a Zenbo.",
        "We can't recommend Zenbo.",
        "## Avoid these\n- Zenbo X2\n- Orva Pro\n",
        "| Model | Verdict |\n|---|---|\n| Zenbo X2 | Avoid |\n| Orva Pro | Good |\n",
    ):
        assert stance(text) == "rejected", text


def test_what_the_answer_does_not_know_is_not_found() -> None:
    for text in (
        "I couldn't find any information about Zenbo.",
        "I'm not familiar with Zenbo.",
        "I have never heard of Zenbo.",
        "Zenbo does not appear to exist.",
    ):
        assert stance(text) == "not_found", text


def test_a_warning_is_cautioned() -> None:
    assert stance("Be careful with Zenbo and read the small print.") == "cautioned"


def test_a_list_of_three_that_disappointed_is_never_recommended() -> None:
    for language, introductions in REJECTIONS.items():
        for introduction in introductions:
            for layout in LAYOUTS:
                for text in (introduction.format(layout), introduction.replace("\n", "\n\n").format(layout)):
                    for name in ("Zenbo", "Orva", "Vessi"):
                        assert stance(text, name, PROMPTS[language]) != "recommended", (language, text)


def test_a_recommendation_in_another_language_is_one_where_its_title_says_so() -> None:
    for language, title in {
        "de": "Die besten Schuhe im Überblick:",
        "fr": "Voici les meilleures chaussures :",
        "es": "Las mejores zapatillas:",
        "it": "Le migliori scarpe:",
        "pt": "Os melhores sapatos:",
        "nl": "De beste schoenen:",
    }.items():
        assert stance(f"{title}\n{LAYOUTS[0]}", prompt=PROMPTS[language]) == "recommended", language
