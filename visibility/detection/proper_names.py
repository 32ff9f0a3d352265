"""Names of other things than companies: what a capital letter alone does not tell from a brand. A list of our own."""

from visibility.detection.words import word_set

GIVEN_NAMES = word_set(
    """
    aaron abby abigail ada adam adele adrian agnes agnieszka ahmed aidan aisha akio akira alan alastair albert
    alec alejandro alessandra alessandro alex alexa alexander alexandra alexis alfonso alfred ali alice alicia
    alison alistair allan allen althea alvaro amanda amber amelia amelie amir amit amy ana anastasia anders andre
    andrea andreas andres andrew andy angela angus anil anita ann anna anne annie anthea anthony antoine anton
    antonella antonio april archibald archie ariel arjun arthur ashley astrid aubrey audrey august austin ava
    avery baptiste barbara barnaby barry bartosz beatrice beatriz ben benjamin benoit bernadette bernard bernd
    bernie bertha beth betty bianca bill billy bjorn blake bob bobby bonnie boris brad bradley brandon brenda
    brent brian bridget brigitte brooke bruce bruna bruno bryan byron caleb callum calvin cameron camille camilo
    carl carla carlos carly carmen carol caroline casey casper cassie catherine cecil cecilia cedric celine chad
    chantal charles charlie charlotte chelsea chiara chloe chris christian christina christine christopher claire
    clara clarence clarissa clark claude claudette claudia claudio clement clifford clint clyde coco cody colette
    colin connor cordelia corey cornelius craig cristina cristobal crystal curtis cynthia cyril daisy dale damian
    damon dan daniel danny daphne darcy dario darren dave david davide dawn dean deborah deepak deirdre delia
    delphine denise dennis derek desmond detlef dexter diana diane dick didier diego dieter dirk dmitri dominic
    dominique don donald donna dorian doris dorothy doug douglas drew duncan dwayne dwight dylan earl eddie edgar
    edith edmund edna eduardo edward edwin eileen ekaterina elaine eleanor elena eli elias elijah elisa elisabetta
    elise eliza elizabeth ella ellen ellie elliot elodie eloise elon elsa elsie elvis emil emilio emily emma
    emmanuel emmett enid enrique enzo eric erica erik erika erin ernest ernst ervin esteban esther ethan ethel
    etienne eugene eunice eva evan eve evelyn everett ewa fabien fabio fabrice fabrizio farah fatima federico
    felicity felipe felix ferdinand fergus fernando filippo finn fiona flavio flora florence florian floyd flynn
    frances francesca francesco francis francisco francois francoise frank franz fred freddie frederick freeman
    gabriel gail galina gary gaston gavin gemma gene geoff george gerald geraldine gerard gerd gerhard gertrude
    giacomo gianni gideon gilbert giles gilles gina giorgio giovanni gisela giulia giulio giuseppe glen glenda
    glenn gloria gonzalo gordon gottlieb grace graeme graham greg gregory greta grzegorz guccio guillaume
    guillermo gunnar gunter gunther gus gustav guy gwen gwendolyn hal hamish hank hanna hannah hans harald harold
    harriet harrison harry haruki hassan hattie hazel heather hector heidi heinz helen helena henri henrik henry
    herbert herman hilda hiroshi holly homer hope horst howard hubert hugh hugo hussein ian ibrahim ida ignacio
    igor ike ilaria imogen ines ingo ingrid ingvar ira irene irina iris irving isaac isabel isabella isabelle
    isaiah isidro isla ismael ivan ivana ivy jack jackie jackson jacob jacqueline jacques jade jaime jake jakub
    james jamie jan jane janet janis janusz jasmin jasmine jason jasper javier jay jayden jean jed jeff jeffrey
    jenna jennifer jenny jens jeremiah jeremy jermaine jerome jerry jesse jessica jill jim jimmy joachim joan
    joanna joanne joaquin jodie jody joe joel johan johanna johannes john johnny jon jonah jonas jonathan jordan
    jorg jorge jose josefina joseph josephine josh joshua josie joy joyce juan juanita judith judson judy julia
    julian julie julien juliet june jurgen justin kai kaitlyn karen karim karin karl kate katharine katherine
    kathleen kathy katie katrina katya kavita kayla keira keith kelly kelsey ken kendra kenji kenneth kenny kevin
    khalid kim kirk kirsten klaus konosuke krishna kristen kristian kristin kristina krzysztof kurt kyle kylie
    lakshmi lana lara larry lars laura lauren laurence laurie layla lea leah leanne lech lee leif leila lena leo
    leon leonard leonardo leroy leslie leticia levi lewis liam lilian lillian lily linda lindsay lindsey linnea
    lionel lisa livia liz lloyd logan lois lola lorenzo lorraine louis louisa louise luca lucas lucia luciano
    lucien lucio lucy ludmila ludwig luigi luis luisa lukas luke luna luther lydia lyle lynn mabel mackenzie
    madison magda magdalena maggie magnus mahmoud maisie malcolm malgorzata mandy manfred manish manon manuel marc
    marcel marcello marcelo marcia marco marcus marek margaret margot maria marian mariana marianne marie marina
    mario marion marissa marjorie mark marlene marlon marsha marta martha martin marvin mary mason mateo mathias
    mathieu mathilde matilda matt matteo matthew maureen maurice mauro mavis max maximilian maya meera megan mel
    melanie melinda melissa melvin meredith mia michael michelle mick miguel mikael mike mikhail mikkel mila
    mildred miles millie milo milton minnie miranda mirko mitchell miuccia mohamed mohammad mohammed mohan molly
    mona monica monique morgan moritz muhammad muriel murray myra nadia nancy naoki naomi natalia natalie natalya
    natasha nathan nathaniel ned neha neil nell nelson neville nicholas nick nicola nicolas nicole nigel nikhil
    nikita nikki niklas nikola nikolai nikolaus nils nina noah noel nolan nora noreen norman oksana olaf ole oleg
    olga oliver olivia olivier omar orville oscar oskar otis otto owen pablo paige pam pamela paola paolo pascal
    pat patricia patrick paul paula pauline pawel pearl pedro peggy penny percy pete peter petra phil philip
    philippe phyllis piero pierre pietro piotr piper polly pooja pradeep preston priscilla priya quentin quincy
    rachel rafael raffaele rahul rainer raj rajesh ralf ralph ramiro ramon ramona randall randy raphael raquel
    rashid raul ravi ray raymond rebecca reese reggie reginald regis reinhard remy renato rene rex rhonda rhys
    ricardo riccardo richard rick ricky riley rita rob robert roberta roberto robin rocco rodney rodrigo roger
    rohit roland rolf roman romeo ron ronald rory rosa rosalind rosario rose rosemary rosie ross rowan roxanne roy
    ruben ruby rudy rufus rupert russell ruth ryan sabine sabrina sadie sakichi salim sally salvador salvatore sam
    samantha samir samuel sandra sandy sanjay sara sarah sasha saul savannah scarlett scott sean sebastian
    sebastien selena serena sergei sergio seth shane shannon sharon shaun shauna shawn sheila shelly sherlock
    sherman shirley shreya sid sidney sienna sigrid silvia silvio simon simone sofia soichiro solange sonia sonja
    sonya sophia sophie soren spencer stacey stacy stan stanley stefan stefanie stefano steffen stella stephanie
    stephen steve steven stewart stuart sue summer sunil suresh susan susanne suzanne sven svetlana sybil sylvain
    sylvia sylvie tabitha takashi tamara tania tanja tanya tara tariq tasha tatiana taylor ted terence teresa
    terry tess thelma theo theodore theresa thierry thomas thorsten tiffany tim timothy tina tobias toby todd tom
    tomas tomasz tommaso tommy tony torbjorn torsten tracy travis trevor tricia tristan trudy tyler udo ulrich uma
    umberto ursula ute uwe valentin valentina valerie vanessa vaughn velma vera verena vernon veronica vic vicente
    vicki victor victoria vijay vikram viktor vince vincent viola violet virginia vittorio vivian vivienne
    vladimir volker wade wallace walt walter walther wanda warren wayne wendell wendy werner wesley wilbur wilfred
    wilhelm will willem william willow wilma wilson winifred winnie winston wojciech wolf wolfgang xavi xavier
    yann yasmin yolanda yuki yuri yusuf yves yvonne zach zachary zane zelda zoe zoey
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
    aberdeen accra adelaide alabama alaska algiers amazon amman amsterdam andes ankara antwerp arizona athens
    atlanta atlantic auckland austin baltic baltimore bangalore bangkok barcelona bath beijing beirut belfast
    belgrade bergen berlin bilbao birmingham bogota bologna bombay bonn bordeaux boston bradford bratislava bremen
    brisbane bristol bruges brussels bucharest budapest cairo calgary california cambridge canada canberra cannes
    canton cardiff carolina casablanca charleston chelsea chicago cincinnati cologne colorado columbia congo
    copenhagen cordoba cornwall crete cuba cyprus dakota dallas damascus danube darwin delaware delhi denver derby
    detroit devon doha dortmund dover dresden dubai dublin dundee durban durham eden edinburgh egypt essex exeter
    fiji florence florida frankfurt galway geneva genoa georgia ghent glasgow gothenburg granada graz greece
    grenoble hamburg hampshire hampton hanoi havana helsinki honolulu houston indiana innsbruck ireland istanbul
    italy jakarta jamaica java jerusalem johannesburg jordan karachi kathmandu kent kenya kiel klondike krakow
    kyoto lagos lahore lancaster leeds leicester leipzig lille lima limerick lincoln lisbon liverpool london lyon
    madison madrid mainz malaga malta manchester manhattan manila marathon marrakesh marseille melbourne memphis
    miami michigan milan minneapolis mississippi missouri monaco montana montevideo montpellier montreal moscow
    mumbai munich munster nairobi nantes naples nashville nebraska nevada newcastle niagara nile norfolk normandy
    norway norwich nottingham nuremberg odessa ohio oklahoma olympus omaha oregon orlando osaka oslo ottawa oxford
    pacific palermo panama paris parma patagonia perth peru philadelphia phoenix pisa pittsburgh poland portland
    porto portsmouth portugal potsdam prague princeton provence quebec queensland reykjavik rhine riga rio rome
    rotterdam rouen sacramento sahara salem salzburg sapporo sardinia savannah scotland seattle sedona seine seoul
    serengeti sevilla seville shanghai shannon sheffield sicily siena sierra singapore somerset sonoma southampton
    spain sparta stanford stockholm strasbourg stuttgart suffolk surrey sussex sweden switzerland sydney syracuse
    tahoe taipei tampa tasmania tennessee texas thailand thames tibet tirol tokyo toledo toronto toulouse
    trafalgar trieste tripoli tucson tundra turin tuscany tyrol uppsala utah valencia valletta vancouver venice
    vermont verona vienna vietnam vilnius virginia volga wales warsaw washington wellington wimbledon winchester
    windsor wisconsin worcester wuppertal wyoming yale york yorkshire yukon zagreb zurich
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
