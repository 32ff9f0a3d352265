"""What kind of site a source is: a table of domains, curated by hand, and a few rules for those it does not name.

An entry covers its domain and everything below it; the longest entry that fits decides, so that `shopping.google.com`
may differ from `google.com`. `name.*` stands for that name below any public suffix (`amazon.co.uk`, `amazon.de`).
Where no entry fits, the suffixes of schools and governments are reference, and a host that begins with `forum.` or
the like is a community. All else is other: manufacturers, blogs and software companies are no class of their own.

- review_site: tests, compares or rates products, places or companies, by an editorial staff or by customers
- community: what people write to each other: forums, questions and answers, social networks, newsletters
- news: newspapers, magazines, broadcasters and trade press on more than tests
- reference: encyclopedias, dictionaries, statistics, science, standards, official bodies, consumer advice
- video: sites made of films and streams
- shop: sells things of more than one maker, or is a market, a price list or a shop for apps and bookings
"""

from collections.abc import Iterator, Mapping

from visibility.detection.types import SourceClass

_TABLE = {
    SourceClass.REVIEW_SITE: """
        rtings.com pcmag.com tomsguide.com techradar.com cnet.com soundguys.com whathifi.com trustedreviews.com
        consumerreports.org which.co.uk test.de stiftung-warentest.de quechoisir.org altroconsumo.it ocu.org taenk.dk
        choice.com.au laptopmag.com notebookcheck.net notebookcheck.com tomshardware.com anandtech.com dpreview.com
        digitalcameraworld.com phonearena.com gsmarena.com techgearlab.com outdoorgearlab.com babygearlab.com
        gearlab.com solereview.com runrepeat.com believeintherun.com roadtrailrun.com doctorsofrunning.com
        electricteeth.com sleepfoundation.org sleepopolis.com naplab.com mattressclarity.com mattressnerd.com
        themattressnerd.com eachnight.com toptenreviews.com toptenreviewed.com techadvisor.com expertreviews.co.uk
        pcworld.com digitaltrends.com reviewed.com reviewed.usatoday.com bestproducts.com wirecutter.com
        vacuumwars.com coffeeness.de coffeegeek.com homegrounds.co headphonecheck.com scarbir.com
        audiosciencereview.com displaymate.com dxomark.com edmunds.com kbb.com caranddriver.com motortrend.com
        autobild.de whatcar.com g2.com capterra.* getapp.* softwareadvice.* softwareworld.co trustradius.com
        sourceforge.net producthunt.com alternativeto.net crozdesk.com saasworthy.com featuredcustomers.com
        goodfirms.co clutch.co sortlist.* trustpilot.* sitejabber.com bbb.org reviews.io reviews.co.uk feefo.com
        yelp.* tripadvisor.* opentable.* zomato.com foursquare.com glassdoor.* kununu.com ratemyprofessors.com
        healthgrades.com zocdoc.com niche.com angi.com houzz.* checkatrade.com provenexpert.com nerdwallet.com
        bankrate.com moneysupermarket.com finder.com creditkarma.com wallethub.com thepointsguy.com security.org
        safewise.com cabletv.com highspeedinternet.com whistleout.* uswitch.com techspot.com kitguru.net guru3d.com
        techpowerup.com gearpatrol.com hiconsumption.com goodreads.com rottentomatoes.com metacritic.com imdb.com
        letterboxd.com ign.com gamespot.com stuff.tv chip.de eurogamer.net opencritic.com vergleich.org
        testberichte.de
    """,
    SourceClass.COMMUNITY: """
        reddit.com redd.it quora.com stackoverflow.com stackexchange.com superuser.com serverfault.com askubuntu.com
        mathoverflow.net news.ycombinator.com lobste.rs lemmy.world discord.com discourse.org slashdot.org
        facebook.com instagram.com threads.net threads.com twitter.com x.com bsky.app mastodon.social linkedin.com
        pinterest.* tumblr.com medium.com substack.com dev.to hashnode.dev hashnode.com indiehackers.com github.com
        gitlab.com huggingface.co zhihu.com weibo.com tieba.baidu.com douban.com xiaohongshu.com vk.com ok.ru habr.com
        pikabu.ru gutefrage.net mumsnet.com netmums.com head-fi.org avsforum.com xda-developers.com resetera.com
        neogaf.com flyertalk.com boards.ie bogleheads.org hardwarezone.com.sg whirlpool.net.au ozbargain.com.au
        slickdeals.net hotukdeals.com mydealz.de dealabs.com pepper.com letsrun.com home-barista.com bikeforums.net
        city-data.com nextdoor.com answers.microsoft.com discussions.apple.com community.shopify.com answers.yahoo.com
        meetup.com telegram.org t.me wattpad.com
    """,
    SourceClass.NEWS: """
        nytimes.com washingtonpost.com wsj.com usatoday.com latimes.com chicagotribune.com bostonglobe.com nypost.com
        sfchronicle.com sfgate.com theatlantic.com newyorker.com nymag.com vox.com time.com newsweek.com politico.com
        politico.eu axios.com thehill.com slate.com salon.com npr.org pbs.org cnn.com nbcnews.com abcnews.go.com
        cbsnews.com foxnews.com msnbc.com apnews.com reuters.com bloomberg.com cnbc.com marketwatch.com barrons.com
        fortune.com forbes.com businessinsider.com businessinsider.* inc.com entrepreneur.com fastcompany.com hbr.org
        economist.com ft.com theguardian.com bbc.co.uk bbc.com telegraph.co.uk independent.co.uk thetimes.co.uk
        thetimes.com thesun.co.uk thesun.ie dailymail.co.uk mirror.co.uk express.co.uk standard.co.uk metro.co.uk
        inews.co.uk sky.com irishtimes.com rte.ie theverge.com wired.com wired.co.uk techcrunch.com engadget.com
        gizmodo.com arstechnica.com zdnet.com zdnet.de venturebeat.com mashable.com thenextweb.com theregister.com
        9to5mac.com 9to5google.com macrumors.com androidauthority.com androidcentral.com androidpolice.com
        windowscentral.com macworld.com howtogeek.com makeuseof.com lifewire.com lifehacker.com bleepingcomputer.com
        computerworld.com infoworld.com cio.com techrepublic.com heise.de golem.de t3n.de computerbase.de winfuture.de
        gamesradar.com pcgamer.com polygon.com kotaku.com theinformation.com semafor.com qz.com searchengineland.com
        searchenginejournal.com searchengineroundtable.com adweek.com adage.com marketingweek.com thedrum.com
        digiday.com prnewswire.com businesswire.com globenewswire.com spiegel.de zeit.de faz.net sueddeutsche.de
        welt.de bild.de focus.de stern.de tagesschau.de handelsblatt.com manager-magazin.de n-tv.de lemonde.fr
        lefigaro.fr liberation.fr lesechos.fr leparisien.fr francetvinfo.fr 20minutes.fr elpais.com elmundo.es
        lavanguardia.com abc.es corriere.it repubblica.it lastampa.it ilsole24ore.com nrc.nl volkskrant.nl nu.nl dn.se
        svd.se aftenposten.no vg.no politiken.dk berlingske.dk dr.dk hs.fi yle.fi derstandard.at nzz.ch
        tagesanzeiger.ch gazeta.pl wyborcza.pl hindustantimes.com indiatimes.com timesofindia.com ndtv.com
        indianexpress.com thehindu.com scmp.com straitstimes.com japantimes.co.jp nikkei.com asahi.com abc.net.au
        smh.com.au theage.com.au news.com.au cbc.ca theglobeandmail.com thestar.com aljazeera.com dw.com euronews.com
        news.google.com msn.com news.yahoo.com finance.yahoo.com yahoo.com runnersworld.com cyclingweekly.com
        mensfitness.co.uk menshealth.com womenshealthmag.com goodhousekeeping.com realsimple.com people.com
        architecturaldigest.com bonappetit.com foodandwine.com epicurious.com seriouseats.com eatingwell.com
        allrecipes.com thespruce.com thespruceeats.com thekitchn.com foodnetwork.com simplyrecipes.com vogue.com
        gq.com esquire.com elle.com cosmopolitan.com bustle.com thecut.com refinery29.com rollingstone.com
        billboard.com pitchfork.com variety.com hollywoodreporter.com vulture.com popsci.com popularmechanics.com
        livescience.com scientificamerican.com newscientist.com space.com bikeradar.com road.cc advnture.com
        outsideonline.com gearjunkie.com irunfar.com cntraveler.com travelandleisure.com lonelyplanet.com bobvila.com
        thisoldhouse.com parents.com verywellfamily.com womansworld.com
    """,
    SourceClass.REFERENCE: """
        wikipedia.org wikimedia.org wikidata.org wiktionary.org wikihow.com wikibooks.org fandom.com britannica.com
        merriam-webster.com dictionary.com dictionary.cambridge.org oxfordlearnersdictionaries.com
        collinsdictionary.com thefreedictionary.com duden.de larousse.fr dbpedia.org archive.org openlibrary.org
        worldcat.org arxiv.org biorxiv.org medrxiv.org doi.org crossref.org nature.com science.org sciencedirect.com
        springer.com wiley.com tandfonline.com sagepub.com jstor.org plos.org frontiersin.org mdpi.com
        researchgate.net academia.edu semanticscholar.org scholar.google.com ssrn.com ieee.org acm.org pnas.org
        cell.com thelancet.com nejm.org bmj.com jamanetwork.com cochrane.org mayoclinic.org webmd.com healthline.com
        medicalnewstoday.com clevelandclinic.org verywellhealth.com drugs.com nhs.uk who.int un.org oecd.org
        worldbank.org imf.org wto.org unesco.org europa.eu ourworldindata.org statista.com pewresearch.org gallup.com
        investopedia.com gartner.com forrester.com idc.com mckinsey.com w3.org ietf.org iso.org whatwg.org
        rfc-editor.org developer.mozilla.org w3schools.com geeksforgeeks.org docs.python.org learn.microsoft.com
        docs.microsoft.com support.microsoft.com support.google.com support.apple.com developers.google.com
        developer.apple.com docs.aws.amazon.com docs.github.com readthedocs.io npmjs.com pypi.org crunchbase.com
        pitchbook.com similarweb.com builtwith.com owler.com zoominfo.com opencorporates.com dnb.com sec.gov aarp.org
        ncoa.org ada.org energystar.gov epa.gov fda.gov ftc.gov verbraucherzentrale.de citizensadvice.org.uk
        moneysavingexpert.com ncbi.nlm.nih.gov nih.gov cdc.gov maps.google.com openstreetmap.org
    """,
    SourceClass.VIDEO: """
        youtube.com youtu.be youtube-nocookie.com vimeo.com dailymotion.com twitch.tv tiktok.com rumble.com
        bilibili.com odysee.com nebula.tv ted.com loom.com wistia.com netflix.com hulu.com disneyplus.com
        primevideo.com peacocktv.com max.com niconico.jp nicovideo.jp youku.com rutube.ru streamable.com
        video.google.com tv.apple.com plex.tv
    """,
    SourceClass.SHOP: """
        amazon.* ebay.* walmart.* target.com bestbuy.* costco.* samsclub.com homedepot.* lowes.com wayfair.* ikea.*
        newegg.* bhphotovideo.com adorama.com microcenter.com gamestop.com rei.com macys.com nordstrom.com kohls.com
        jcpenney.com sears.com overstock.com bedbathandbeyond.com williams-sonoma.com crateandbarrel.com
        surlatable.com etsy.com aliexpress.* alibaba.com temu.com shein.* wish.com jd.com taobao.com tmall.com
        rakuten.* shopee.* lazada.* flipkart.com croma.com mercadolibre.* mercadolivre.com.br ozon.ru wildberries.ru
        allegro.pl otto.de zalando.* aboutyou.* mediamarkt.* saturn.de mediaworld.it fnac.* darty.com cdiscount.com
        boulanger.com elcorteingles.es bol.com coolblue.* argos.co.uk currys.co.uk johnlewis.com ao.com very.co.uk
        boots.com screwfix.com diy.com elgiganten.* elkjop.no power.dk proshop.* komplett.* verkkokauppa.com galaxus.*
        digitec.ch brack.ch alza.* jbhifi.com.au harveynorman.* officeworks.com.au kogan.com thegoodguys.com.au
        canadiantire.ca chewy.com petco.com petsmart.com sephora.* ulta.com walgreens.com cvs.com iherb.com zappos.com
        footlocker.* runningwarehouse.com dickssportinggoods.com backcountry.com decathlon.* sweetwater.com
        guitarcenter.com thomann.de mattressfirm.com klarna.com idealo.* geizhals.* pricerunner.* billiger.de
        guenstiger.de kelkoo.* pricegrabber.com shopping.com shopsavvy.com camelcamelcamel.com pcpartpicker.com
        backmarket.* reebelo.com swappa.com shopping.google.com shopping.yahoo.com play.google.com apps.apple.com
        apps.microsoft.com chromewebstore.google.com chrome.google.com store.steampowered.com steampowered.com
        epicgames.com gog.com booking.com expedia.* hotels.com airbnb.* kayak.* skyscanner.* agoda.com trivago.*
        instacart.com ubereats.com doordash.com carvana.com cargurus.com autotrader.* mobile.de autoscout24.*
        zillow.com realtor.com redfin.com wholelattelove.com clivecoffee.com seattlecoffeegear.com
    """,
}
_COMMUNITY_HOSTS = frozenset({"forum", "forums", "community", "communities", "discuss", "discourse", "boards"})
_REFERENCE_SUFFIXES = frozenset({"edu", "gov", "mil", "int", "gob", "gouv", "govt"})


CLASSES: Mapping[str, SourceClass] = {domain: cls for cls, domains in _TABLE.items() for domain in domains.split()}
"""The class of each entry of the table: a domain, or a name below any suffix (`amazon.*`)."""


def class_of(host: str, suffix: str, reclassified: Mapping[str, SourceClass]) -> SourceClass:
    """The class of a host in ASCII; `suffix` is its public suffix.

    `reclassified` has entries like the table's and goes before it, whatever their lengths.
    """
    for entries in (reclassified, CLASSES):
        for name in _names(host, suffix):
            if (cls := entries.get(name)) is not None:
                return cls
    labels = suffix.split(".")
    if not _REFERENCE_SUFFIXES.isdisjoint((labels[0], labels[-1])) or (labels[0] == "ac" and labels[1:]):
        return SourceClass.REFERENCE
    if host.split(".")[0] in _COMMUNITY_HOSTS:
        return SourceClass.COMMUNITY
    return SourceClass.OTHER


def _names(host: str, suffix: str) -> Iterator[str]:
    """The entries that a host may have, longest first: itself, the domains above it, its name below any suffix."""
    labels = host.split(".")
    for start in range(len(labels)):
        yield ".".join(labels[start:])
    if suffix and host.endswith(f".{suffix}"):
        yield host.removesuffix(f".{suffix}").rsplit(".", 1)[-1] + ".*"
