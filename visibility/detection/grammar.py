"""Small closed classes of English words that show how a capitalised word before or behind them is used."""

from visibility.detection.words import parts_of_speech, word_set

IMPERATIVES = word_set(
    """
    ask avoid book buy call check choose compare consider download get give go grab hire install join keep like
    look move open order pick play prefer read rent see shop skip start stay stick subscribe switch take try use
    visit watch
    """
)
"""Verbs that begin advice: the capital of the next word is its own."""

FOREIGN_FUNCTION_WORDS = word_set(
    """
    aber als am auch auf aus bei beim bevor da das dem den der des die doch ein eine einen einer es f\u00fcr
    gegen im ist mein meine mit nach nicht nur ob oder ohne sowie statt \u00fcber und unser unter vom von vor was
    weil wenn wer wie wir wo zu zum zur zwischen au aux avec ce cette chez comme dans de des du elle en entre et
    il je la le les leur mais mes mon ne notre ou par pas pour sans selon si sous sur un une vous al aunque como
    con cuando de del desde donde el ella en entre es hasta la las los mas mi para pero por que seg\u00fan si sin
    sobre su tambi\u00e9n un una y anche che chi col come con da dal della di e gli il io lo ma nel nella non o
    per se senza su tra una uno com da do dos e em na no nos o os ou para pela pelo por sem um uma bij dan de dat
    een en het ik is met naar niet of om ook op te tot uit van voor wij zonder
    """
)
"""Words of German, French, Spanish, Italian, Portuguese and Dutch whose capital only begins a sentence."""

UNCOUNTED = word_set(
    """
    amber art bread butter calm chocolate coffee coke copper coral corn courage discord dance drama energy faith
    fire fish fruit ginger glass gold grace grain gusto harmony honey hope ice iron ivory jade joy lemonade light
    lightning lime linen logic love luck magic mint motion music nature oat oil orange pace peace pepper poetry
    power rain rice rust saffron sage salt sand shade silk silver slack smoke snow space speed steam steel stone
    sugar tea thunder thyme time toast traffic velvet visa water wax weather wind wine wonder wood wool work zest
    """
)
"""Nouns that can be the subject of a sentence without an article."""

PRESSING = word_set("click clicks press presses pressing tap taps select selects hit hits toggle hold type")
"""What is done to a button, a key or a menu entry."""

DETERMINERS = word_set(
    """
    a an the this that these those my your his her its our their each every all any some it them him
    """
)
"""What follows a verb in the imperative, and never a name at the head of its sentence."""

MEASURES = word_set(
    """
    above across apart away below deep high left long of people per strong tall thick users wide workers
    """
)
"""What follows a quantity."""

PRODUCT_NOUNS = word_set(
    """
    account app apps bag bags browser business card cards catalogue company customer customers membership model
    models plan platform product products range service shop shops site software store stores subscription team
    tool version website
    """
)
"""What a company has, behind its name."""

PERSON_BEFORE = word_set("mr mrs ms dr prof professor sir lady uncle aunt ask tell meet named called saint st")
PERSON_AFTER = word_set("said says told tells wrote sang thinks thought laughed smiled replied himself herself who")
"""Words beside the name of a person."""

LANDSCAPE = word_set(
    """
    airport area basin bay beach city coast county delta desert district forest island jungle lake mountain
    mountains national park rainforest region river state street university valley
    """
)
PLACE_BEFORE = word_set("in near around across through outside downtown toward towards to")
"""Words beside the name of a place."""

SKY = word_set(
    """
    astronomy constellation crater eclipse god goddess gods horoscope kilometres moon moons mythology orbit
    orbits planet planets retrograde solar star stars sun telescope venus zodiac
    """
)
"""Words in the line of a planet, a star or a god."""

TIME_BEFORE = word_set(
    """
    on by until till before after every each next last this since from between through late early mid of in
    during
    """
)
TIME_AFTER = word_set("morning mornings afternoon afternoons evening evenings night nights noon")
"""Words beside a day or month."""

_SUBJECT_VERBS = word_set(
    """
    can could did do does had has have is isn't may might must should was wasn't were will won't would doesn't
    didn't also always now still never really only currently
    """
)
_PLURAL_VERBS = word_set("are aren't were have haven't do don't need can will must should may might could")


def may_be_predicate(word: str, later: str) -> bool:
    """Whether `word` can be the verb of which a single thing before it is the subject ("charges no fee").

    A word that is also a plural noun is not, where a verb for many follows ("hikers start", "pairs mate").
    """
    word, later = word.lower(), later.lower()
    if word in _SUBJECT_VERBS:
        return True
    if word.endswith("ed") and "v" in (parts_of_speech(word[:-1]) + parts_of_speech(word[:-2])):
        return True
    if not word.endswith("s") or word.endswith("ss"):
        return False
    kinds = parts_of_speech(word)
    if kinds and "v" not in kinds:
        return False
    following = parts_of_speech(later)
    is_plural_noun = "n" in kinds and (later in _PLURAL_VERBS or ("v" in following and "n" not in following))
    return not is_plural_noun
