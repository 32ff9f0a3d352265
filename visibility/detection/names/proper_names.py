"""Names of other things than companies: what a capital letter alone does not tell from a brand. A list of our own."""

from visibility.detection.text.words import word_set

GIVEN_NAMES = word_set(
    """
    aaliyah aaron abby abdul abdullah abigail ada adam adele adrian adriana agatha agnes agnieszka ahmed aidan aileen
    aisha akio akira alain alan alastair albert alec alejandro aleksandr alessandra alessandro alex alexa alexander
    alexandra alexey alexis alfonso alfred ali alice alicia alina alison alistair allan allen althea alvaro amanda
    amber amelia amelie amir amit amy ana anastasia anatoly anders andre andrea andreas andrej andres andrew andrzej
    andy angela angelo angus aniket anil anita anke ann anna anne annie annika anthea anthony antje antoine anton
    antonella antonia antonio april archibald archie ariel arjun armand armando arnold arthur arturo ashley ashok
    astrid aubrey audrey august aurelie austin ava avery baptiste barack barbara barnaby barry bartosz beatrice
    beatriz ben benedict benedikt benjamin benoit bernadette bernard bernardo bernd bernie bertha beth bettina betty
    bianca bill billy birgit bjorn blake bob bobby bonnie boris boyd brad bradley brandon brenda brent brett brian
    bridget brigitte britta brooke bruce bruna bruno bryan byron caleb callum calvin cameron camila camille camilo
    candice carl carla carlos carly carmen carol caroline carsten casey casper cassie catherine cecil cecilia cedric
    celine chad chantal charles charlie charlotte chelsea chiara chloe chris christian christina christine christoph
    christophe christopher cindy claire clara clarence clarissa clark claude claudette claudia claudine claudio claus
    clement clifford clint clyde coco cody colette colin connor conrad cordelia coretta corey cornelia cornelius craig
    cristiano cristina cristobal crystal curtis cynthia cyril dagmar daisy dale damian damon dan dana danica daniel
    danny dante daphne darcy dario darlene darren dave david davide dawn dean debbie deborah declan deepak deirdre
    delia delphine denise dennis derek desiree desmond detlef dexter diana diane dick didier diego dieter dietmar dirk
    dmitri doerte dolores dominic dominique don donald donna dorian doris dorothy doug douglas drew duncan dustin
    dwayne dwight dylan earl eckhard eddie edeltraud edgar edgardo edith edmund edna eduard eduardo edward edwin egon
    eileen ekaterina elaine eleanor elena eli elias elijah elinor eliot elisa elisabeth elisabetta elise eliza
    elizabeth elke ella ellen ellie elliot elodie eloise elon elsa elsie elvis emanuel emil emilia emilio emily emma
    emmanuel emmett enid enrique enzo eric erica erik erika erin ernest ernesto ernst ervin erwin esteban esther ethan
    ethel etienne eugene eugenia eunice eva evan eve evelyn everett ewa ewald fabien fabio fabrice fabrizio farah
    fatima faye federico felicity felipe felix ferdinand fergus fernanda fernando filippo finn fiona flavio flora
    florence florian floyd flynn frances francesca francesco francis francisco francois francoise frank franz
    franziska frauke fred freddie frederick freeman frida friedrich fritz fyodor gabriel gabriela gail galina garrett
    gary gaspard gaston gavin gemma gene genevieve geoff georg george georgina gerald geraldine gerard gerd gerhard
    gerta gertrud gertrude giacomo gianna gianni gideon gilbert gilberto giles gilles gina giorgio giovanna giovanni
    gisela giulia giulio giuseppe gladys glen glenda glenn gloria gonzalo gordon gottlieb grace graeme graham greg
    gregory greta grzegorz guadalupe guccio gudrun guido guillaume guillermo gunnar gunter gunther gus gustav gustavo
    guy gwen gwendolyn gwyneth hal hamish hank hanna hannah hannelore hans harald harold harriet harrison harry
    hartmut haruki hassan hattie hayden hazel heather hector heidi heike heiko heinrich heinz helen helena helga
    helmut henning henri henrietta henrik henry herbert herman hermann herta hideo hilda hildegard hillary hiroshi
    holger holly homer hope horst howard hubert hugh hugo hussein ian ibrahim ida ignacio igor ike ilaria ilse ilya
    imani imogen indira ines inge ingeborg ingo ingrid ingvar ira irene irina iris irmgard irving isaac isabel
    isabella isabelle isadora isaiah isidro isla ismael ivan ivana ivo ivy jacinta jack jackie jackson jacob
    jacqueline jacques jade jaime jake jakub james jamie jan jane janet janine janis janusz jasmin jasmine jason
    jasper javier jay jayden jean jed jeff jeffrey jenna jennifer jenny jens jeremiah jeremy jermaine jerome jerry
    jesse jessica jill jim jimmy jiro joachim joan joanna joanne joaquim joaquin jocelyn jochen jodie jody joe joel
    johan johanna johannes john johnathan johnny jolene jon jonah jonas jonathan jordan jorg jorge jose josef josefina
    joseph josephine josh joshua josie joy joyce juan juanita judit judith judson judy julia julian juliana julie
    julien juliet juliette june jurgen justin jutta kai kaitlyn kamala kaori karen karim karin karl karla karsten
    katarina katarzyna kate katharine katherine kathleen kathryn kathy katie katja katrin katrina katya kavita kayla
    kazuo keiko keira keith kelly kelsey ken kendra kenji kenneth kenny kerstin kevin khalid kim kiran kirk kirsten
    klara klaus konosuke konrad krishna kristen kristian kristin kristina krzysztof kurt kyle kylie lakshmi lana lara
    larry lars laszlo laura lauren laurence laurie layla lea leah leandro leanne lech lee leif leila leland lena lenny
    leo leon leonard leonardo leopold leroy lesley leslie leticia letitia levi lewis liam liesel lilian lillian lily
    lina linda lindsay lindsey linnea lionel lisa livia liz lloyd logan lois lola lorena lorenzo lorna lorraine lothar
    louis louisa louise luca lucas lucia luciano lucien lucille lucio lucy ludger ludmila ludwig luigi luis luisa
    lukas luke luna lupita luther lydia lyle lynette lynn mabel mackenzie madison magda magdalena maggie magnus
    mahmoud maisie makoto malcolm malgorzata mandy manfred manish manon manuel manuela marc marcel marcello marcelo
    marcia marco marcus marek margaret margot marguerite maria marian mariana marianna marianne maribel marie marina
    mario marion marisa marisol marissa marita marjorie mark markus marlene marlon marsha marta martha martin martina
    marvin mary mason mateo mathew mathias mathieu mathilde matilda matt matteo matthew maude maureen maurice mauro
    mavis max maximilian maya meera megan mehmet mel melanie melinda melissa melvin meredith mia michael michelle mick
    miguel mikael mike mikhail mikkel mila mildred miles millie milo milton minh minnie miranda mirko mitch mitchell
    miuccia mohamad mohamed mohammad mohammed mohan molly mona monica monika monique morgan moritz muhammad murat
    muriel murray mustafa myra myrna nadia nadine nancy nanette naoki naomi natalia natalie natalya natasha nathan
    nathaniel ned neha neil nell nelson neville nicholas nick nicola nicolas nicole nigel nikhil nikita nikki niklas
    nikola nikolai nikolaj nikolaus nils nina noah noel noemi nolan nora norbert noreen norman octavia odette ofelia
    oksana olaf ole oleg olga oliver olivia olivier omar ophelia orville osamu oscar oskar osvaldo otis ottilie otto
    owen pablo paige pam pamela paola paolo pascal pat patricia patrick paul paula pauline pavel pawel pearl pedro
    peggy penny percy pete peter petra phil philip philippe phyllis piero pierre pietro pilar piotr piper polly pooja
    pradeep preston priscilla priya quentin quincy rachel rafael raffaele rahul rainer raj rajesh rajiv ralf ralph
    ramiro ramon ramona randall randy rania raoul raphael raquel rashid raul ravi ray raymond rebecca reese reggie
    reginald regis reinhard reinhold remy renate renato rene rex rhiannon rhonda rhys ricardo riccardo richard rick
    ricky riley rita rob robert roberta roberto robin rocco rodney rodrigo roger rohit roland rolf roman romeo ron
    ronald rory rosa rosalie rosalind rosanna rosario rose rosemary rosie ross rowan roxana roxanne roy ruben ruby
    rudi rudiger rudolf rudy rudyard rufus rupert russell ruth ryan sabine sabrina sachin sadie sakichi salim sally
    salma salvador salvatore sam samantha samir samuel sandra sandy sanjay sanjiv sara sarah sasha satoshi saul
    savannah scarlett scott sean sebastian sebastien selena serena sergei sergey sergio seth shane shannon shari
    sharon shaun shauna shawn sheila shelly sherlock sherman shinzo shirin shirley shreya sibylle sid sidney siegfried
    sienna sigmund sigrid silas silke silvia silvio simon simone siobhan slavoj sofia sofie soichiro solange sonia
    sonja sonya sophia sophie soren spencer stacey stacy stan stanley stefan stefania stefanie stefano steffen stella
    stephanie stephen steve steven stewart stuart sue summer sunil suresh susan susanne suzanne sven svetlana sybil
    sylvain sylvester sylvia sylvie tabitha tadeusz takashi takeshi tamar tamara tania tanja tanya tara tariq tasha
    tatiana tatsuya taylor ted terence teresa terry tess thea thelma theo theodore theresa thierry thomas thorsten
    thurgood tiffany tilman tim timothy tina tobias toby todd tom tomas tomasz tommaso tommy tony torbjorn torsten
    toru tracy traute travis trent trevor tricia trina tristan trudy truman tyler tyrone udo ulrich ulrike uma umberto
    ursel ursula usain uschi ute uwe vaclav valentin valentina valerie valery vanessa vasily vaughn velma vera verena
    vernon veronica veronique vic vicente vicki victor victoria vijay vikram viktor vince vincent viola violet
    virginia vito vittorio vivian vivien vivienne vlad vladimir volker wade wallace walt walter walther waltraud wanda
    warren wayne wendell wendy werner wesley wiebke wilbert wilbur wilfred wilfried wilhelm wilhelmina will willem
    william willow wilma wilson winifred winnie winona winston wojciech wolf wolfgang xavi xavier yael yann yasmin
    yoko yolanda yoshi yuki yuko yuri yusuf yves yvonne zach zachary zadie zane zelda zinedine zlatan zoe zoey zora
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

LANDS = word_set(
    """
    alabama alaska argentina arizona arkansas australia austria bavaria belgium brazil bulgaria california canada
    chile china colombia colorado connecticut croatia cyprus denmark egypt england estonia ethiopia finland
    florida france germany ghana greece hawaii hungary iceland idaho illinois india indonesia iowa iran ireland
    israel italy jamaica japan kansas kentucky kenya korea latvia lithuania louisiana luxembourg malaysia malta
    massachusetts mexico michigan minnesota mississippi missouri morocco nebraska nepal netherlands nevada nigeria
    norway ohio oklahoma ontario oregon pakistan pennsylvania peru philippines poland portugal quebec romania
    russia scotland serbia singapore slovakia slovenia spain sweden switzerland taiwan tanzania tennessee texas
    thailand turkey uganda ukraine utah venezuela vermont vietnam wales wisconsin wyoming
    """
)
"""Countries and states that a town is told to be in, in lower case."""

HEAVENS_AND_MYTHS = word_set(
    """
    achilles ajax alpha apollo ares argo argus ariel aries artemis athena atlas aurora bacchus beta calypso
    cassandra castor ceres chi cronos cupid cygnus deimos delta diana earth echo eos epsilon europa galileo gamma
    ganymede gemini hector helios hera hercules hermes icarus io iota iris janus juno jupiter kappa lambda leo
    libra luna mars medusa mercury midas minerva moon morpheus neptune nike oberon odin odyssey omega omicron
    orion osiris pandora pegasus perseus phi phobos phoebe pluto polaris poseidon prometheus proteus psi psyche
    rhea rho saturn selene sigma sirius sol spartacus sun tau taurus themis theta thor titan titania triton trojan
    ulysses upsilon uranus vega venus vesta virgo vulcan zephyr zeta zeus
    """
)
"""Planets, moons, stars, gods, heroes and Greek letters, in lower case."""

PEOPLES = word_set(
    """
    african american argentinian asian australian austrian aztec belgian brazilian british bulgarian canadian celtic
    chilean chinese colombian croatian cuban czech danish dutch egyptian english estonian ethiopian european finnish
    french german greek hawaiian hungarian icelandic indian indonesian iranian irish israeli italian jamaican
    japanese kenyan korean latvian lebanese lithuanian malaysian maltese mexican moroccan nepalese nordic norwegian
    pakistani persian peruvian polish portuguese romanian russian scottish serbian slovak slovenian spanish swedish
    swiss thai turkish ukrainian vietnamese welsh
    """
)
"""Words for peoples and what comes from them, in lower case: English gives them a capital. Airlines bear them."""

AWARDS = word_set("bambi cesar edgar emmy goya grammy hugo oscar tony")
"""Prizes that bear a name, in lower case."""

PROPER_NAMES = GIVEN_NAMES | CALENDAR | PLACES | HEAVENS_AND_MYTHS | PEOPLES
