"""Small closed classes of English words that show how a capitalised word before or behind them is used."""

from visibility.detection.text.words import parts_of_speech, word_set

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
    advice algae amber ambition art awareness bamboo basil blood bread butter calm canvas cardboard chaos
    chocolate cinnamon clarity clay clover coffee coke comfort copper coral corn cotton courage craftsmanship
    cream culture dance denim dew discord drama dust empathy energy equality evidence faith felt fidelity fire
    fish fitness flexibility flour foam fog foil forgiveness freedom friendship frost fruit fur ginger glass glue
    gold grace grain gratitude gravel gravity gusto happiness harmony health hemp homework honesty honey hope
    housework humour hygiene ice ink innovation insight integrity intuition iron ivory jade joy justice karma
    kindness knowledge lacquer laughter lava leadership leather leisure lemonade liberty light lightning lime
    linen literacy logic love loyalty luck luggage magic marble marketing milk mindfulness mint moisture mojo
    momentum moss motion mud music nature nectar nostalgia nutrition nylon oat oil orange ownership oxygen pace
    paint paper passion paste patience peace peat pepper pitch plaster plastic plywood poetry pollen pollution
    polyester porcelain pottery poverty power precision pride progress purity rain research resilience resin rice
    rubber rust rye safety saffron sage salsa salt sand sandstone sap serenity shade silence silk silver
    simplicity slack slate sleep smoke snow soap soil space speed steam steel stillness stone straw strength suede
    sugar sunlight tea teamwork thread thunder thyme timber time tin toast tradition traffic trust truth unity
    velvet vinegar vinyl visa vision wallpaper water wax wealth weather wellness wicker wildlife wind wine wire
    wisdom wonder wood wool work yarn zen zest zinc
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

CODE_NOUNS = word_set(
    """
    argument arguments array attribute attributes branch class classes column columns constant directory endpoint enum
    field fields file files flag flags folder function functions header key keys keyword label method methods module
    object option options parameter parameters path property properties selector setting string switch table tag tags
    type value values variable variables
    """
)
"""What a word in inline code is, where it is no name."""

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
    accepts aces acquires adds advertises allows announces answers applies asks automates backs bakes beats
    beeps bests bills blends blocks boasts books boots breaks breathes brews brings builds bundles buys buzzes
    calls cancels caps cares carries catches changes charges chats chips chops claims cleans clears clicks clips
    coaches combines comes compares competes compiles connects contains converts cooks cools copies costs counts
    covers cracks crashes creates cushions cuts deletes delivers dents depends deploys detects differs discounts
    docks dominates doubles drains draws dries drips drives drops earns edges edits employs encrypts ends
    estimates excels exchanges exists expects expires exports fades feeds feels files filters finds fires fits
    flags flies focuses folds follows forgets freezes fries froths gets gives glows goes grades grinds grips
    grows guides handles has heats helps hides hires hits holds hosts hugs hums imports improves includes
    insulates insures integrates invests invoices irons issues keeps knows lacks lags lands lasts launches leads
    leaks learns leaves lends lets lies lights limits links listens lists loads locks logs looks loses mails
    makes manages matches means measures meets merges misses mixes monitors mops mounts moves nails names needs
    offers opens operates outperforms outsells owns packs paints pairs patches pays peels performs pinches plans
    plays plugs posts pours presses prevents prices prints processes produces promises protects proves provides
    publishes pulls purifies quotes raises ranks reaches reads rebooks recalls recommends records refunds
    rejects releases remains reminds removes renews rents repairs repels replaces reports requires reserves
    resists returns reviews rewards rides rings rivals roasts rolls rounds rubs runs rusts saves says scales
    scans schedules scores scratches scrubs seats seems sells sends serves sets settles sheds shines ships shows
    shrinks sits sizes skips sleeps slides smells snaps solves sounds specialises specializes spills splits
    sponsors spreads squeaks stacks stains stands starts stays steams sticks stocks stops stores streams
    stretches struggles sues suffers suits supports survives sweeps sync syncs takes talks targets tastes
    teaches tests texts times tips tops tracks trades trails trains transfers travels treats tries triples
    trumps trusts turns tutors updates uses vacuums values vibrates waives wants warms warns washes wears weighs
    welcomes wins wobbles works writes
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
_TOLD_OF_MANY = word_set("come cost differ go help last make mean matter rise say seem show tell vary")
"""Verbs that plurals are the subject of, and that are no objects: "Thread counts say little"."""
_PLURAL_VERBS = word_set("are aren't were have haven't do don't need can will must should may might could")


def may_be_predicate(word: str, later: str) -> bool:
    """Whether `word` can be the verb of which a single thing before it is the subject ("charges no fee").

    A word that is a plural noun as well only is where it is one of `TELLING_VERBS`, or an article follows.
    """
    word, later = word.lower(), later.lower()
    if word in _SUBJECT_VERBS or (word in TELLING_VERBS and later not in _PLURAL_VERBS | _TOLD_OF_MANY):
        return True
    if word.endswith("ed") and "v" in (parts_of_speech(word[:-1]) + parts_of_speech(word[:-2])):
        return True
    if word.endswith("ed") and word[-4:-3] == word[-3:-2] and "v" in parts_of_speech(word[:-3]):
        return True
    if not word.endswith("s") or word.endswith("ss"):
        return False
    kinds = parts_of_speech(word)
    if kinds and "v" not in kinds:
        return False
    following = parts_of_speech(later)
    tells_how = later in _HOW or ("r" in following and "f" not in following)
    # Of two plurals in a row the first is a verb ("structures interviews").
    has_object = later.endswith("s") and "n" in following and "f" not in following and later not in TELLING_VERBS
    return "n" not in kinds or (later in DETERMINERS and later != "that") or tells_how or has_object
