"""Names of other things than companies: what a capital letter alone does not tell from a brand. A list of our own."""

from visibility.detection.words import word_set

GIVEN_NAMES = word_set(
    """
    aaron abby abigail ada adam adele adrian agnes aidan alan albert alex alexa alexander alexandra alexis alfred
    alice alicia alison allan allen amanda amber amelia amy ana andre andrea andreas andrew andy angela anita ann
    anna anne annie anthony anton april archie ariel arthur ashley astrid audrey august austin ava avery barbara
    barry beatrice ben benjamin bernard bernie beth betty bill billy blake bob bobby brad brandon brenda brent
    brian bridget brooke bruce bruno bryan calvin camille carl carla carlos carmen carol caroline casey casper
    cassie catherine cecilia celine chad charles charlie charlotte chelsea chloe chris christian christina
    christine christopher claire clara clark claude claudia clyde cody colin connor corey craig crystal curtis
    cynthia daisy dale dan daniel danny daphne darren dave david dawn dean deborah dennis derek diana diane dick
    diego dirk dominic don donald donna doris dorothy doug douglas drew duncan dylan earl eddie edgar edith
    edward edwin eileen elaine eleanor elena eli elias elijah elisa elizabeth ella ellen elliot elsa elvis emil
    emily emma eric erica erik erin ernest esther ethan eugene eva evan eve evelyn felix fernando finn fiona
    flora florence floyd frances francis frank franz fred freddie frederick freeman gabriel gail gary gavin gemma
    gene geoff george gerald gina glen glenn gloria gordon grace graham greg gregory greta gus gustav guy hal
    hank hannah hans harold harriet harry hazel heather heidi helen henri henry herbert herman holly homer hope
    howard hubert hugh hugo ian ida igor imogen ingrid irene iris isaac isabel isabella isaiah ivan ivy jack
    jackie jackson jacob jade jake james jamie jan jane janet janis jasmine jason jasper javier jay jean jeff
    jeffrey jennifer jenny jeremy jerome jerry jesse jessica jill jim jimmy joan joanna joe joel johan johannes
    john johnny jon jonah jonas jonathan jordan jorge joseph josh joshua joy joyce juan juanita judith judy julia
    julian julie juliet june karen karl kate katharine katherine kathleen kathy katie keith kelly ken kenneth
    kevin kim kirk klaus kurt kyle kylie lara larry laura lauren laurence laurie lea leah lee leo leon leonard
    leonardo leslie lewis liam lilian lily linda lisa liz logan lola lorenzo louis louisa louise luca lucas lucia
    lucy luigi luis luke luna lydia lynn mabel madison maggie malcolm manuel marc marcel marco marcus margaret
    margot maria marie marina mario marion marissa mark marlon marsha martha martin marvin mary mason mateo
    matilda matt matthew maureen maurice max maximilian maya megan mel melanie melissa mia michael michelle
    miguel mike mila miles milo miranda molly monica morgan moritz muhammad murray nancy naomi natalie natasha
    nathan ned neil nell nelson nick nicolas nicole nigel nina noah noel nora norman oliver olivia oscar otto
    owen pablo paige pamela pat patricia patrick paul paula pauline pearl pedro peggy penny pete peter phil
    philip pierre piper polly preston quentin quincy rachel ralph ramona randy raphael raul ray raymond rebecca
    reese rex rhys richard rick ricky riley rita rob robert roberta robin rocco roger roland roman romeo ron
    ronald rory rosa rose ross roy ruby rudy rufus russell ruth ryan sabrina sally salvador sam samantha samuel
    sandra sandy sara sarah savannah scarlett scott sean sebastian serena sergio seth shane shannon sharon shaun
    sheila shelly sherlock shirley sid sidney sienna silvia simon sofia sonia sonya sophia sophie stacy stan
    stanley stefan stella stephanie stephen steve steven stewart stuart sue summer susan sven sybil sylvia tamara
    tanya tara taylor ted teresa terry tess theo theodore theresa thomas tim timothy tina tobias toby todd tom
    tommy tony tracy travis trevor tristan tyler ulrich uma ursula valentina valerie vanessa vera verena veronica
    vic victor victoria vince vincent viola violet virginia vivian wade wallace walter wanda warren wayne wendy
    wendell wilbur wilhelm will willem william willow wilson winston wolfgang xavier yolanda yvonne zach zachary
    zoe
    """
)
"""Given names, in lower case."""

CALENDAR = word_set(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter
    """
)
"""Weekdays, months and feasts, in lower case: written with a capital in English."""

PLACES = word_set(
    """
    alabama alaska amazon amsterdam andes arizona atlantic austin baltic bath berlin bologna boston brisbane
    cairo california canada carolina chelsea chicago colorado columbia congo cuba dakota dallas danube delaware
    denver detroit dover dublin eden egypt florence florida geneva georgia hamburg hampshire hampton havana
    houston indiana jakarta jamaica java jordan kent kenya kiel klondike lancaster lincoln lisbon london madison
    manhattan marathon memphis miami michigan milan montana montreal moscow munich naples nebraska nevada niagara
    nile olympus oregon orlando oxford pacific palermo paris parma patagonia peru phoenix princeton rhine rio
    rome sahara salem savannah seattle sedona seine serengeti sevilla shannon siena sierra somerset sonoma sparta
    stanford sydney syracuse tahoe texas thames tibet tokyo toledo toronto trafalgar tundra tuscany utah valencia
    vancouver venice vermont vienna virginia volga warsaw washington windsor wisconsin wyoming yale york yukon
    zurich
    """
)
"""Towns, states, rivers and mountains that companies are called after, too, in lower case."""

HEAVENS_AND_MYTHS = word_set(
    """
    achilles ajax apollo ares argo argus ariel aries artemis athena atlas aurora bacchus calypso cassandra castor
    ceres cronos cupid cygnus delta deimos diana earth echo eos epsilon europa galileo ganymede gemini hector
    helios hera hercules hermes icarus io iris janus juno jupiter kappa lambda leo libra luna mars medusa mercury
    midas minerva moon morpheus neptune nike oberon odin odyssey omega omicron orion osiris pandora pegasus
    perseus phobos phoebe pluto polaris poseidon prometheus proteus psyche rhea saturn selene sigma sirius sol
    spartacus sun taurus themis theta thor titan titania triton trojan ulysses uranus vega venus vesta virgo
    vulcan zephyr zeus
    """
)
"""Planets, moons, stars, gods, heroes and Greek letters, in lower case."""

PROPER_NAMES = GIVEN_NAMES | CALENDAR | PLACES | HEAVENS_AND_MYTHS
