"""What holds no lasting fact, though it sounds like one: questions, orders, jokes, quotes, what if, gossip, moods."""

from __future__ import annotations

import re

_FILLER = re.compile(
    r"^(?:(?:um+|uh+|er+m?|ah+|oh|well|so|hey|hi|hiya|hello|right|ok|okay|and|"
    r"before you ask|yeah|yes|no(?! (?:more|\w+ beats|\w+ for)\b)|nah|nope|wait|actually|sorry|look|listen|"
    r"kia ora|yo|good (?:morning|evening|afternoon)|by the way|btw|just so you know|for your information|fyi|anyway|"
    r"(?:please )?(?:put (?:it|this|that) down|remember|note|know|keep in mind|bear in mind|don't forget|"
    r"make a note|write down)(?: that)?|"
    r"if (?:anyone|anybody|someone|somebody) asks|from now on|i was wrong|i got that wrong|for the record|"
    r"(?:the |my )?(?:thing|point|fact|truth) is(?: that)?|"
    r"(?:health|work|food|family)[ -]?wise|originally|guess what|i have to tell you|"
    r"you know|you see|let me tell you|i should (?:mention|say|tell you)(?: "
    r"that)?|i have to say|to be honest|honestly|"
    r"i(?: want| would like|'d like) you to (?:know|remember)(?: that)?|(?:i "
    r")?just (?:wanted|want) to (?:say|let you know|tell you)(?: that)?|"
    r"can you (?:remember|note)(?: that)?|could you (?:remember|note)(?: that)?|"
    r"correction|correct that|update|i mean|like|did i (?:tell|mention)(?: to)?(?: "
    r"you)?(?: that)|"
    r"you should know(?: that)?|turns out(?: that)?|it turns out(?: that)?|did "
    r"you know(?: that)?|i told you(?: that)?|companion|computer|now(?= (?:i|"
    r"we|he|she|my)\b)|"
    r"you(?: have| 've|'ve) got that wrong|that(?: is|'s) (?:wrong|not right)|"
    r"i meant(?: that)?|i said|before i said [^,]+? but)(?=[\s,.!:-]|$)[\s,.!:-]*)+"
)
_QUESTION = re.compile(
    r"^(?:what|who|whom|whose|when(?! i (?:am|grow|finish|retire|leave))(?! "
    r"im )(?! i'm )|where(?! (?:living|staying))|why|how|which|(?:is|are|am|"
    r"was|were|do|does|did|can|could|will|would|shall|should)(?!')|"
    r"have (?:i|you|we|they)|has (?:he|she|it|anyone)|may i|isn't|aren't|don't "
    r"(?:i|you|we|they)|doesn't|didn't|wasn't|won't|any idea|any chance|guess|"
    r"tell me|remind me|i wonder|wondering|do you|say again|you know (?:what|"
    r"who|where|when|how)|remember (?:when|what|who|where|how)|wanna|whats|whos|"
    r"wheres|whens|hows|"
    r"i (?:forgot|forget|can't remember|don't (?:know|remember)|never know) "
    r"(?:what|who|where|when|how|if|whether|which)|"
    r"i(?:'m| am) (?:not sure|wondering|trying to remember) (?:if|what|who|where|when|how|whether|which))\b"
)
_TAG = re.compile(
    r"(?:\?|\b(?:isn't (?:it|he|she)|is (?:it|he|she)|innit|doesn't (?:it|"
    r"he|she)|don't (?:i|we|they)|aren't (?:i|we|they)|"
    r"wasn't (?:it|he|she|i)|didn't (?:i|he|she|we)|haven't (?:i|we)|hasn't "
    r"(?:he|she)|is it (?:the |in |on |at )?[\w ]+ or (?:the |in |on |at )?[\w ]+|"
    r"(?<!neither )(?<!so )(?<!nor )do i|does (?:he|she)|or (?:was|is|did) (?:it|that|she|he)(?: "
    r"\w+)*|or what|or not))$"
)
_ORDER = re.compile(
    r"^(?:please )?(?:dictate|type|play|put(?! down)|turn|switch|set|start|stop|pause|resume|skip|"
    r"call(?! me)|ring|phone|text|message|email|send|add|"
    r"remove|delete|open|close|lock|unlock|show|find|search|look up|google|check|read|order|buy|book|cancel|wake|"
    r"snooze|dim|raise|lower|mute|unmute|volume|louder|quieter|(?:next|previous)(?= "
    r"(?:song|track|one|channel|page)|$)|repeat|translate|spell|count|calculate|"
    r"convert|tell|give|sing|make|create|write|schedule|remind|help|let's|lets|go|say|ask|be quiet|shut|hang up|"
    r"navigate|take me|bring|get me|leave|wait|hold on|never mind|forget|ignore|"
    r"erase|wipe|scrap|unlearn|disregard|keep (?:it|the)|do (?:it|that|not)|"
    r"don't|dont|"
    r"i (?:want|need|would like|'d like|wanna) (?:you|to (?:hear|listen|watch|"
    r"know|see|set|order|call|book|play))|i(?:'d| would) like|"
    r"could you|would you|can you|i need (?:a|an|the|some|you)|change the|update the|save|record|list|download)\b"
)
_WHAT_IF = re.compile(
    r"\b(?:if (?:i|we|he|she|they|my|it|you|the|only|\w+ (?:were|was|had|wins|"
    r"moves|ever))|imagine|suppose|supposing|pretend|"
    r"^(?:say|had|were) (?:i|my|he|she|we)\b|let's say|(?:for|in) the (?:game|play)|lets say|say i|what if|"
    r"i wish|wish i|would(?: have|'ve| be| "
    r"love| like| hate| rather| never| probably| move| buy| live)?|could have|"
    r"might|maybe|perhaps|one day|some day|someday|in another life|could be|"
    r"(?:was|were) going to|used to (?:think|believe)|i thought|must be|should (?:really )?(?:probably|get|have|be)|"
    r"unless|whether|as though|as if|almost|nearly (?:bought|moved|called|got|"
    r"went)|in theory|hypothetically|what would|dreamt|dreamed|dream|nightmare)\b"
    r"|^if\b|\b(?:i|we|he|she|they)'d (?!like a|be \d|got|had|been)"
)
_QUOTE = re.compile(
    r"\b(?:(?<!everybody )(?<!everyone )(?<!people )says?|(?<!i )said|"
    r"(?:he|she|and \w+) goes(?= (?:i|oh|well|hey|no|what|so)\b)|was like|"
    r"were like|is like|told (?:me|us|him|her|them)|sings?|sang|wrote|writes|"
    r"quote|lyrics?|"
    r"the (?:line|song|film|movie|book|story|character|poem|show|play|hero|guy|"
    r"villain|narrator|singer|advert|ad)|in (?:this|that) (?:film|movie|book|"
    r"song|show|story)|"
    r"my character|shouted|screamed|whispered|claims?|asked me|asked|proverb|"
    r"(?:the|old) saying|tweet|headline|chorus|verse)\b|[\"“”«]|(?:^|\s)'\w[^']+'(?:\s|"
    r"$)"
)
_BY_DOCTOR = re.compile(
    r"^(?:the |my |our )?(?:doctor|doctors|gp|dentist|nurse|consultant|optician|specialist|hospital|vet)"
    r"(?: (?:says?|said|told (?:me|us)|reckons|thinks?|confirmed|found))(?: that)? "
)
_HEARSAY = re.compile(
    r"\b(?:apparently|supposedly|allegedly|rumou?rs?|i(?: have|'ve)? heard|we "
    r"heard|i hear|they say|people say|someone|somebody|word is|"
    r"according to|i read|i saw (?:that|on)|i (?:think|believe|guess|suppose|"
    r"reckon)(?!\W*$)|not sure|probably|possibly|seems|seemed|"
    r"keeps? (?:asking|telling|saying)|(?:is|are) (?:saying|telling|claiming)|assumes?|insists?|suggests?|pretends?|"
    r"(?:some|most|many|all|the) (?:people|folks|of them) (?:believe|think|say|claim)|looks like|sounds like|"
    r"it is said|gossip|thinks|believes|reckons|swears|"
    r"you never guess|have you heard|on the news|on (?:telly|tv|the radio))\b"
)
_MOMENT = re.compile(
    r"\b(?:right now|at the minute|just now|today|tonight|this (?:morning|afternoon|"
    r"evening|minute|song|soup|film|show|track|"
    r"tune|one|weather|book|game|programme|program|coffee|tea)|that (?:was|song|"
    r"film|one)|for a (?:bit|minute|moment)|on my way|running late|be "
    r"right back|"
    r"in a (?:minute|moment|sec|bit|hurry)|so (?:tired|hungry|cold|hot|bored|"
    r"full|thirsty|sleepy|happy|sad|cross|angry|annoyed|"
    r"stressed|excited|proud)|too (?:hot|cold|loud|bright|dark|tired|early|late)|"
    r"for (?:dinner|lunch|breakfast|tea) (?:tonight|today)|feel(?:s|ing)? (?:like|"
    r"a bit|sick|so|really|tired|rough|"
    r"better|worse|great|good|bad|awful|fine|ill|down|lazy)|as we speak|half "
    r"asleep|last night's|could murder|could do with|dying for|craving|fancy "
    r"(?:a|some)|"
    r"wide awake|worn out|knackered|exhausted|starving|starved|freezing|boiling|shattered|soaked|hungover)\b"
)
_JOKE = re.compile(
    r"\b(?:knock knock|walks? into a bar|walked into a bar|just kidding|only "
    r"kidding|i'm kidding|joking|joke|haha+|lol|punchline|eat a horse|"
    r"see food|i am batman|get it|(?:king|queen|emperor|prince|princess) of|dog years|(?:basically|practically|"
    r"virtually) an?|million (?:years|"
    r"dollars|pounds|times)|thousand (?:years|times) old|"
    r"hundred (?:and \w+ )?(?:years|times)|a robot|your (?:boss|master|father)|"
    r"my name is bond|born yesterday|best friend is the|(?:machine|kettle|oven|"
    r"fridge|sofa|bed|pillow|toaster|hoover) is my best friend|in the fridge "
    r"basically|santa|superman|(?:to|on) the moon|(?:an?|am an?|my) (?:alien|unicorn|dragon)|"
    r"spy|"
    r"world champion|olympic|the pope|the president|prime minister|made of|professional "
    r"(?:napper|sleeper|procrastinator)|literally dead|die of|died of (?:boredom|"
    r"laughter))\b"
)
_SARCASM = re.compile(
    r"\boh (?:yes|sure),? (?:i|we)\b|^(?:(?:oh |ah |well |yeah |and )*(?:great|brilliant|wonderful|fantastic|lovely|"
    r"perfect|joy|sure|super|marvellous|charming|bravo|congratulations|good "
    r"job|nice one|"
    r"yeah right|yeah sure|because i|of course|clearly|obviously|thanks a lot|"
    r"just what i))\b|\b(?:just (?:love|adore|what i)|absolutely (?:love|adore) "
    r"(?:it when|being|how|getting)|"
    r"so much fun|who (?:doesn't|does not) (?:love|like)|"
    r"love (?:it when|nothing more than (?:\w+ing|a good (?:queue|traffic)))|"
    r"my favou?rite (?:thing|part|pastime|hobby) (?:is|about|in)|"
    r"yeah right|as if|not\s*!$|living the dream|obviously|clearly|such a (?:joy|"
    r"treat|pleasure|delight)|lucky me|how (?:lovely|wonderful|nice)|"
    r"nothing (?:like|better than)|what a (?:treat|joy|surprise|shock))\b"
)
_PRIVATE = re.compile(
    r"\b(?:don't tell|dont tell|keep (?:it|this) (?:secret|between)|between "
    r"(?:you and me|us)|off the record|don't (?:store|remember|save|note))\b"
)

_DENIED = re.compile(
    r"\b(?:(?:i|we) (?:(?:have |'ve )?never|did not|didn't|do not|don't|have not|haven't|am not|was not|wasn't)|"
    r"i'm not|"
    r"nobody|no one|who) (?:ever |even |actually )?(?:said|says|say|saying|claim\w*|meant)\b(?!,)|"
    r"\b(?:it is not|it's not|it isn't|it was not|it wasn't|not) (?:that|true|the case|as if|like|as though) (?:that )?"
    r"(?:i|we|he|she|they|my|our|\w+ (?:is|has|likes|lives|works)|it)\b|\bit is not (?:true|the case)\b"
)
"""That something was never said, or is not so: what it would be is no fact."""
_FICTION = re.compile(
    r"^(?:it(?:'s| is)|that(?:'s| is)|there(?:'s| is)|in|from|my (?:line|part|role|character)|we had to|and|then|"
    r"\w+(?: \w+)? does)\b.*\b(?:film|movie|novel|poem|lyrics?|song|scene|script|sketch|impression|episode|"
    r"sitcom|musical|"
    r"play|advert|book|line|story|series|panto)\b.*\b(?:i|i'm|i've|my|we|she|he) |"
    r"'s like (?:i|my|we|you|oh)\b|\b(?:translate|recite|pronounce)d? (?:i|my|he|she|we)\b"
)
"""Words of a film, a book or a part that is played."""

_GATES = (_DENIED, _FICTION, _JOKE, _SARCASM, _HEARSAY, _PRIVATE)


def bare(text: str) -> str:
    """An utterance without the words it begins with only to begin."""
    return _FILLER.sub("", text, count=1).strip()


def by_doctor(text: str) -> str:
    """What a doctor has said is a fact about who it was said to; without the doctor."""
    return _BY_DOCTOR.sub("", text, count=1)


def holds_nothing(text: str, plain: str) -> bool:
    """text: the whole utterance, lower case. plain: without its beginning."""
    if _TAG.search(text.rstrip(" .!")) or _QUESTION.match(plain):
        return True
    if _ORDER.match(plain) or any(gate.search(text) for gate in _GATES):
        return True
    return _QUOTE.search(plain) is not None


def is_not_meant(text: str) -> bool:
    """Whether its words, in lower case, are not meant as they stand: denied, played, gossip, quoted, a joke."""
    return any(gate.search(text) for gate in (*_GATES, _QUOTE))


def is_supposed(clause: str) -> bool:
    """Whether a part of an utterance says what might be, or how things are just now."""
    return _WHAT_IF.search(clause) is not None or _MOMENT.search(clause) is not None
