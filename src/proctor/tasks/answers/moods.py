"""The words by which people deny, doubt, leave open, round and add; what they are said of is decided elsewhere."""

from __future__ import annotations

import re

_I = r"(?:I|we)"
_NOT = r"(?:not|n't|never)"

NO_DENIAL = re.compile(
    r"(?<!\w)(?:(?:no|not an?|\w+n't an?|without an?y?) (?:problem|trouble|worr\w+|objection|issue|difficult\w+)s?"
    r"|not (?:only|just|counting|including)|if not|nothing (?:against|else|more)|(?:do|would)n't mind|can(?:'t|not) wait"
    r"|no (?:doubt|question|other|others|more|less|fewer|later than)|none other than|without (?:a )?doubt|not later than"
    r"|whether or not|(?:not|\w+n't) (?:\w+ ){0,2}(?:until|till|before)|(?:not|\w+n't) hesitate"
    r"|(?:nothing|not (?:anything|a thing)|\w+n't (?:anything|a thing)) (?:was |has been |have been )?(?:changed?|saved?|touched?)"
    r"|(?:not|n't|never) (?:changed?|saved?|touched?|modif\w+|edit\w*) \w+)(?!\w)",
    re.IGNORECASE,
)
"""Words of denial that deny nothing."""
DENIAL = re.compile(
    r"(?<!\w)(?:not|no|never|neither|nor|none|nobody|nothing|nowhere|cannot|\w+n't|hardly|wrong|incorrect|false|untrue"
    r"|mistaken|used to be|formerly|previously)(?!\w)",
    re.IGNORECASE,
)
INSTEAD = re.compile(
    r"(?<!\w)(?:except(?: for)?|instead of|other than|rather than|(?:any|every|all)\w*(?: \w+)? but(?! for)|unlike|apart from|(?:prefer|chose|choos|pick|went for|go for|select|opt)\w*\b[^,.;]{1,60}\bover"
    r"|(?:cheaper|better|later|earlier|more|less|fewer|faster|slower|worse|longer|shorter|higher|lower|dearer|rather) than)(?!\w)",
    re.IGNORECASE,
)
"""What follows is set against what is said."""
REJECTS = re.compile(
    r"(?<!\w)(?:reject(?:s|ed)|declin(?:es|ed)|rul(?:es|ed) out|cancel(?:s|l?ed)|turn(?:s|ed) down|(?:decided|opted|voted) against|refus(?:es|ed)"
    r"|drop(?:s|ped)|dismiss(?:es|ed)|avoid(?:s|ed)?|(?:was|were) (?:to|going to|supposed to|meant to) be|would have been)(?!\w)",
    re.IGNORECASE,
)
"""Said of a name, this denies it; a number may be of what was declined."""
FOR_A_REASON = re.compile(r"^\W*(?:since|because|as|whereas|while|although|though)\b", re.IGNORECASE)
EXCEPT = re.compile(r"except(?: for)?|apart from|(?:any|every|all)\w*(?: \w+)? but", re.IGNORECASE)
"""What follows is left out, over commas too."""
FORMERLY = re.compile(
    r"\b(?:moved|changed|postponed|rescheduled|shifted|put off|brought forward|switched)\b[^.]{0,20}\bfrom\s$",
    re.IGNORECASE,
)
ROW_ENDS_DENIED = re.compile(
    r"(?:and|or|nor)\s(?!not\b)[^,]{1,40}\b(?:are|is|do|does|will|can|could|have|has|were|was)(?:n't| not)\b",
    re.IGNORECASE,
)
IS_WRONG = re.compile(
    r"(?<!\w)(?:that|this|which|it|these|those|the (?:answer|number|figure|time|total|date))(?:'s| is| was| are| can| would)?"
    r"(?: all| simply| probably)?(?: not| n't|n't|not)? ?(?:be )?(?:wrong|cancelled|incorrect|false|untrue|mistaken|a guess|(?<=not )(?:right|correct|true|so|it))"
    r"[.!]?$|(?:cancel|reject|drop|revok|withdr|revers)\w* (?:it|that|this)|^(?:no|wrong)$",
    re.IGNORECASE,
)
"""A piece that takes back what was said."""
CORRECTION = re.compile(
    r"(?<!\w)(?:correction|no,? wait|wait,? no|scratch that|I meant|I mean|make that|or rather|(?:oh,? )?sorry,? (?:it's|that's|I meant))(?!\w)",
    re.IGNORECASE,
)

DOUBT = re.compile(
    rf"(?<!\w)(?:maybe|perhaps|possibly|probably|presumably|supposedly|apparently|seemingly|likely|hopefully|tentative(?:ly)?"
    rf"|provisional(?:ly)?|conceivably|arguably|ostensibly|might|may (?:be|also|well|have|need)|(?:could|can) (?:also |well |just |even )?(?:be|have been)(?! (?:fine|great|good|perfect|best|ideal|lovely|ok|okay|happy|glad|nice|there))"
    rf"|{_I}(?:'d| would| really| only| just| can only)? (?:think|thought|guess|guessed|believe|believed|assume|assumed|suppose|reckon|suspect|imagine|presume|gather|figure|estimate|estimated|speculate|say(?= it)|hope it)"
    rf"|{_I}(?:'d| would) say|(?:my|a|an|best|wild|rough|educated) (?:best )?guess|guess(?:ing|work|timate)?|estimat(?:e|es|ed|ion)|ball ?park"
    rf"|as far as {_I}|as best {_I}|to the best of my|if (?:I|we|memory|my) (?:remember|recall|serves|am not|'m not|read|understand|count|got|see|have it|eyes)\w*|if I'm not|unless I'm (?:mistaken|wrong)"
    r"|(?:not|\w+n't|never|hardly|less than)(?: \w+){0,2} (?:sure|certain|clear|confident|positive|convinced)|unsure|uncertain|unclear|doubtful|doubts?"
    r"|no (?:idea|clue|guarantee)|not a clue|(?:do not|don't|didn't|did not|does not|doesn't|wouldn't|would not) (?:\w+ )?(?:know|remember|recall|understand|think so)"
    r"|dunno|hard to (?:say|tell|know)|difficult to (?:say|tell)|impossible to (?:say|tell|know)|(?:cannot|can't|could not|couldn't|can not|unable to|not able to) (?:\w+ )?(?:say|tell|be sure|swear|promise|guarantee|determine|find out|make out|vouch|help|answer|access|open|read|see|find|verify|confirm)"
    r"|TBD|TBC|to be (?:confirmed|decided|determined|checked)|not (?:yet )?(?:confirmed|verified|certain|decided|settled|final)|unconfirmed|unverified|pending|subject to (?:change|confirmation)"
    r"|seems?(?: like)?|appears?(?: to)?(?= |$)|looks like|sounds like|who knows|don't quote me|with a grain of salt|something like|more or less|or something|if at all"
    r"|(?:did not|didn't|have not|haven't|had not|hadn't|could not|couldn't|without|never) (?:\w+ )?(?:look(?:ed|ing)?|check(?:ed|ing)?|verif(?:y|ied|ying)|count(?:ed|ing)?|read(?:ing)? (?:all|every|it)|double-check\w*|recheck\w*|confirm(?:ed|ing)?|see(?:n|ing)? (?:all|every|the)|go(?:ne|ing)? through)"
    r"|(?:should|please|better|might want to|you may want to|needs? to) (?:\w+ )?(?:be )?(?:double-?check\w*|re-?check\w*|verif\w+)|may or may not|give or take|plus or minus"
    r"|not (?:\w+ )?mistaken|(?:unless|if) I(?:'m| am|'ve| have)? ?(?:\w+ )?(?:mis\w+|overlook\w*|wrong)|(?:'ll|will) (?:confirm|decide|see) (?:it |that |this )?(?:later|soon|tomorrow|when|once)|looks possible|only (?:had time|looked|checked|read|counted|saw|seen|skimmed)|skimmed|I(?:'m| am) (?:only )?(?:guessing|assuming|estimating)|not yet|let me (?:check|look)|need(?:s)? to (?:check|look|think)|will (?:check|have to check|look into)|I'll (?:check|look into)|have to check|get back to you|let you know (?:later|soon|tomorrow|once|when)"
    r")(?!\w)",
    re.IGNORECASE,
)
LEFT_OPEN = re.compile(
    r"(?<!\w)(?:or (?:whichever|whatever|whenever|any(?:thing|where|one)?|another|other|others|something|some other|else|one of|similar|later|earlier"
    r"|the other|maybe|perhaps|possibly|vice versa|if you(?:'d| would)? (?:rather|prefer|like))"
    r"|whichever|whatever (?:you|suits|works|is (?:best|better|easier|more))|whenever (?:you|suits|works)|take your pick|(?:your|you) (?:choice|choose|pick|decide)"
    r"|up to you|you (?:can|may|could) (?:choose|pick|decide)|either(?: one| of (?:them|these|those|the|it))? (?:is|works|would|will|suits|of|way)"
    r"|any of (?:them|these|those|the)|as you (?:like|prefer|wish|please)|if you(?:'d| would)? (?:prefer|rather|like)(?! (?:to|me|more|any))|pick one|choose (?:one|whichever|between)"
    r"|depend(?:s|ing) on|take (?:one|either)|one or the other|unless you|but (?:any|another|other|also) )",
    re.IGNORECASE,
)
"""Words that leave the choice to who asked."""

ROUNDS_BEFORE = re.compile(
    r"(?:(?<!\w)(?:about|around|approximately|approx|roughly|circa|ca|some|nearly|almost|close to|near|in the (?:region|range|order|neighbou?rhood|ballpark) of"
    r"|on the order of|somewhere|something like|anywhere|towards?|a good|an estimated|estimated|just (?:before|after|past)|shortly (?:before|after)|soon after|some ?time (?:before|after|around))"
    r"|~|±)\s?(?:(?:at|the|a|an|in|of|to|from|between|exactly)\s)?[€$£~(]{0,2}\s?$",
    re.IGNORECASE,
)
BOUNDS_BEFORE = re.compile(
    r"(?<!\w)(?:(?:more|less|fewer|greater|higher|lower|bigger|smaller) than|over|under|above|below|at (?:the )?(?:least|most)|(?<!add )(?<!adds )(?<!added )(?<!adding )up to|upwards of"
    r"|an? (?:minimum|maximum) of|min|max|(?:just )?(?:shy|short) of|well over|just (?:over|under)|exceeding)\s?(?:(?:the|a|an)\s)?[€$£~(]{0,2}\s?$",
    re.IGNORECASE,
)
"""Said of an amount, these give no figure; of a time they do: open up to 16:30."""
ROUNDS_AFTER = re.compile(
    r"^\s?(?:[€$£%]|eur(?:os?)?|dollars?)?\s?(?:[^\W\d_]{1,20}\s)?,?\s?(?:or so|or thereabouts|or (?:less|more|fewer)|give or take|plus or minus|more or less|approximately|roughly"
    r"|approx|circa|-?ish|-?odd|and (?:a bit|change|something)|at (?:least|most|a guess)|\+(?!\s?[\d€$£.])|\+/-|±|or (?:something|around|near\w*)|minimum|maximum|at the (?:least|most))(?!\w)",
    re.IGNORECASE,
)
ISH = re.compile(r"^-?ish\b|^\+(?!\s?[\d€$£])", re.IGNORECASE)
ADDS_AFTER = re.compile(
    r"(?<!\w)(?:plus|on top|additional(?:ly)?|in addition|extra|excluding|excl|not including|exclusive of|surcharge|before (?:tax|vat)|without (?:tax|vat)|and another|to which)(?!\w)",
    re.IGNORECASE,
)
"""With these, what was named is not all."""
ADDS_BEFORE = re.compile(
    r"(?<!\w)(?:plus|another|an additional|an extra|a further|additional|extra|on top of)\s?[€$£]?\s?$", re.IGNORECASE
)
CHOOSES_BETWEEN = re.compile(
    r"\bor\b(?! so\b| rather\b| thereabouts\b)|^\s?/\s?$|\bversus\b|\bvs\b|\balternatively\b|\botherwise\b",
    re.IGNORECASE,
)
SPAN = re.compile(
    r"^\s?(?:[€$£%]|[^\W\d_]{1,12})?\s?(?:-|to|until|till?|through|up to|\.\.\.?)\s?[€$£]?\s?$", re.IGNORECASE
)
BETWEEN = re.compile(r"\b(?:between|from|anywhere from)\s?[€$£]?\s?$", re.IGNORECASE)
ENDS_BETWEEN = re.compile(
    r"\b(?:clos|shut|end|finish|start|begin|arriv|leav|depart)\w*\s(?:\w+\s){0,2}(?:between|from)\s?$", re.IGNORECASE
)

GENERIC = frozenset(
    re.findall(
        r"\w+",
        """
    a about accurate though although however still really honestly sorry please thanks hi hello dear and or but because since while so ask asked asks charge charges cost costs price prices quote quoted offer offers pay want wants wanted year today certain new old used also either adds again all altogether amount amounts an and another answer answers any are as at be because been
    being but by calculation came check checked clock come comes complete correct correctly count counted counting current
    data date day double down each entire entries entry euro euros every everything exact exactly far figure figures file
    final find first for found from full get gets give given gives grand had has have here hour hours how i in information
    is it its itself just last let list looked looking look made make makes many me missed more much my myself nor now
    number numbers of off on once one ones only open opened or other our out overall page pages precise precisely quite
    reading reads really result right row rows s said same say says second see seen shows so source statement sum sure t
    table tell than that the their them then there these they thing things think this those time times to together told
    too total totals trust try up us value very was we well were what when where whether which while whole will with
    would yes yet you your about if plus top additional additionally extra further beyond another maybe perhaps did do does done can could should not no none ve re ll d m am pm eur dollars usd
    """,
    )
)
"""Words that say nothing of what an answer is about."""
ANAPHORA = frozenset("it that this these those them all everything".split())
REPEATING = re.compile(r"(?<!\w)(?:thank\w*|suggest\w*|propos\w*|offer\w*)(?!\w)", re.IGNORECASE)
FINITE = re.compile(
    r"(?<!\w)(?:is|are|was|were|be|'s|'re|\w+'s|has|have|had|will|would|can|comes?|came|makes?|made|gives?|closes?|opens?|opened|closed|costs?|cost|"
    r"totals?|equals?|adds?|takes?|took|stays?|shuts?|ends?|starts?|suits?|works?|wants?|want|asks?|ask|read|reads|says?|said|shows?|want|need|needs?|lives?)(?!\w)",
    re.IGNORECASE,
)
"""A verb of its own: what is denied before does not reach behind it."""
YES = re.compile(
    r"^(?:yes|yeah|yep|yup|correct|indeed|certainly|of course|absolutely|definitely|affirmative|sure|right|that's right|true)(?!\w)",
    re.IGNORECASE,
)
NO = re.compile(
    r"^(?:no|nope|nah|negative|not at all|never|unfortunately not|sadly not|false|not true)(?!\w)", re.IGNORECASE
)
EMPTY = re.compile(
    r"(?<!\w)(?:none|nothing|nobody|no one|not (?:a single|one|any)|no(?= \w)|\w+n't any|zero)(?!\w)", re.IGNORECASE
)
"""Nought in words."""
WORKED_OUT = re.compile(
    r"(?<!\w)(?:makes?|total(?:s|ling|ing)?|sum|altogether|in all|comes? to|adds? up|adding|equals?|gives?|giving|together|overall|minus|less|leaves?|left|times|plus|combined)(?!\w)|[=+×÷]",
    re.IGNORECASE,
)
