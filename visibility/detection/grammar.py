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
    account accounts app apps bag bags browser business card cards catalogue company customer customers membership
    model
    models plan platform product products range service shop shops site software store stores subscription team
    teams templates
    tool version website
    """
)
"""What a company has, behind its name."""

PERSON_BEFORE = word_set("mr mrs ms dr prof professor sir lady uncle aunt ask tell meet named called saint st")
PERSON_AFTER = word_set(
    """
    acted adds argued asked believed born called climbed composed cried danced died directed explained graduated grew
    hated herself himself hosted invented joked knew laughed lived loved married met nodded painted played recalled
    replied ruled said sang says scored shrugged sighed sings smiled starred studied taught tells thinks thought told
    travelled walked who wrote
    """
)
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
    asteroid astronomers astronauts atmosphere axis celestial century comet craters galaxy greek
    hemisphere heroes immortal legend lunar messenger myth myths nasa nymph olympus oracle orbiter orbiting
    orbits planet planets pantheon poem priest priests probe rings roman romans sacrifice shrine spacecraft
    retrograde solar star stars statue sun telescope temple temples
    transit tribes underworld venus zodiac
    """
)
"""Words in the line of a planet, a star or a god."""

TIME_BEFORE = word_set(
    """
    on by until till before after every each next last this since from between through late early mid of in
    during
    """
)
ARTICLES = word_set("a an the my our your his her their another any some no")
"""What never stands before a company's name alone, unless another noun follows."""

TIME_AFTER = word_set("morning mornings afternoon afternoons evening evenings night nights noon")
"""Words beside a day or month."""

TELLING_VERBS = word_set(
    """
    accepts adds advertises answers asks buys calls cares clicks cooks cleans cools dries drives fits flies
    heats lasts lies listens lights looks measures mixes moves plugs plays posts presses rolls rides rings scratches
    sleeps smells sounds spreads tastes travels turns vibrates washes wears allows announces applies automates
    beats blocks boasts breaks bills brings builds bundles
    carries catches changes charges claims clears combines comes compares competes connects contains converts costs
    covers creates cuts deletes delivers depends detects differs discounts doubles drops earns encrypts ends estimates
    excels exists expects exports expires feels files finds fits focuses folds forgets gets gives goes grows handles
    has helps hides holds hosts imports improves includes insures integrates invoices issues keeps knows lacks
    launches leads learns leaves lends lets limits links lists loads locks looks loses makes manages matches means
    meets monitors moves names needs offers opens operates outperforms outsells owns packs pays performs plays
    prevents prices prints processes produces promises protects proves provides publishes pulls quotes raises ranks
    reaches reads rebooks recommends records refunds rejects releases remains reminds removes rents repairs replaces
    reports requires returns rewards runs saves says scales scans seems sells sends serves sets ships shows sits
    sizes solves specializes specialises sponsors stands starts stays stocks stops stores streams suits supports sync
    syncs takes talks targets teaches tests tracks transfers treats tries turns updates uses wants warns weighs wins
    works writes
    """
)
"""Verbs in the third person that say what a company or a product does, though many are plural nouns as well."""

_SUBJECT_VERBS = word_set(
    """
    can could did do does had has have is isn't may might must should was wasn't were will won't would doesn't
    didn't also always now still never really only currently
    """
)
_HOW = word_set("best better well worst worse fast faster fastest hard harder most longest highest lowest")
_PLURAL_VERBS = word_set("are aren't were have haven't do don't need can will must should may might could")


def may_be_predicate(word: str, later: str) -> bool:
    """Whether `word` can be the verb of which a single thing before it is the subject ("charges no fee").

    A word that is a plural noun as well only is where it is one of `TELLING_VERBS`, or an article follows.
    """
    word, later = word.lower(), later.lower()
    if word in _SUBJECT_VERBS or (word in TELLING_VERBS and later not in _PLURAL_VERBS):
        return True
    if word.endswith("ed") and "v" in (parts_of_speech(word[:-1]) + parts_of_speech(word[:-2])):
        return True
    if not word.endswith("s") or word.endswith("ss"):
        return False
    kinds = parts_of_speech(word)
    if kinds and "v" not in kinds:
        return False
    following = parts_of_speech(later)
    tells_how = later in _HOW or ("r" in following and "f" not in following)
    return "n" not in kinds or later in DETERMINERS or tells_how
