"""English said the other way round, put into the usual order: "a vet, that's what anton is" is "anton is a vet"."""

from __future__ import annotations

import re

from companion.memory.distil.cued import Cued
from companion.memory.distil.en_attributes import by_attribute, patterns
from companion.memory.distil.en_frames import framed
from companion.memory.distil.en_words import HELPER, PETS, ROLE

_OF = rf"(?:{ROLE}|{HELPER}|(?:old )?(?:{PETS}))"
_N = r"[^\W\d_][\w\-]*"
SOMEBODY = rf"(?:i|he|she|we|(?:my|our) {_OF}(?: 's {_OF})?|{_N} 's {_OF}|{_N})"
_S = rf"(?P<s>{SOMEBODY})"
_IS = r"(?:,? that is|,? that 's|,? they are|,? those are| is| are|,? it is)"
_LIKING = r"(?:hates?|loathes?|loves?|likes?|enjoys?|adores?|detests?|cannot stand|does not like|do not like|dislikes?)"
_TONGUE = r"(?P<x>[a-z]+(?:ish|ese|ch|an|lsh|rin|ic|abi))"
_IN = r"(?:in|on top of|on|under|behind|inside|above|by)"

_TURNS: tuple[tuple[Cued, str], ...] = tuple(
    (Cued(pattern), order)
    for pattern, order in (
        (rf"^you(?: have| 've)? got {_S} 's birthday wrong,? it is (?P<x>.+)$", "{s} 's birthday is on {x}"),
        (r"^you(?: have| 've)? got my birthday wrong,? it is (?P<x>.+)$", "my birthday is on {x}"),
        (r"^(?:i|we) came into the world on (?P<x>.+)$", "my birthday is on {x}"),
        (rf"^{_S} came into the world on (?P<x>.+)$", "{s} 's birthday is on {x}"),
        (r"^one of my languages is (?P<x>.+)$", "i speak {x}"),
        (rf"^one of {_S} 's languages is (?P<x>.+)$", "{s} speaks {x}"),
        (rf"^{_S} uses? (?P<x>\w+) (?:on|at|with) .+?,? (?:i|he|she) speaks? it(?: well| yeah)?$", "{s} speaks {x}"),
        (
            rf"^{_S} (?:is|am|'s) (?:good at|fluent in) (?P<x>\w+)(?:,? (?:i|he|she) "
            r"speaks? it(?: well)?)?$",
            "{s} speaks {x}",
        ),
        (
            rf"^{_S}(?: would|'d| 'd) never say no to (?P<x>.+?)(?:,? (?:he|she|i) likes? "
            r"it that much)?$",
            "{s} likes {x}",
        ),
        (rf"^{_S} (?:'s|has|have) left (?P<y>[a-z]+) for (?P<x>[a-z]+)$", "{s} moved to {x}"),
        (rf"^{_S} left (?P<y>[a-z]+) for (?P<x>[a-z]+)$", "{s} moved to {x}"),
        (rf"^{_S} moved house (?P<y>[\w ]+?),? it is (?P<x>.+?)(?: now)?$", "{s} moved to {x} {y}"),
        (rf"^{_S} quit (?P<y>.+?) and (?:went to|joined|started at) (?P<x>.+)$", "{s} works at {x}"),
        (rf"^{_S} retrained and now (?:i am|he is|she is) (?P<x>.+)$", "{s} works as {x}"),
        (rf"^{_S} (?:'s|has|have)? ?started a course in (?P<x>.+)$", "{s} is studying {x}"),
        (rf"^the (?:pills|tablets|medicine|medication) {_S} takes? (?:are|is) (?P<x>.+)$", "{s} takes {x} every day"),
        (rf"^for work,? {_S} (?:is|am|'s) at (?P<x>.+)$", "{s} works at {x}"),
        (rf"^{_S} 's car,? it is (?P<x>.+)$", "{s} drives {x}"),
        (r"^my car,? it is (?P<x>.+)$", "i drive {x}"),
        (
            r"^(?:i|we) moved the (?P<y>.+?),? it is (?P<x>(?:in|on|under|behind|inside|"
            r"above|by) .+?)(?: now)?$",
            "i keep {y} {x}",
        ),
        (rf"^they moved {_S} 's (?P<y>.+?),? it is (?:on )?(?P<x>.+?)(?: now)?$", "{s} 's {y} has been moved to {x}"),
        (r"^they moved my (?P<y>.+?),? it is (?:on )?(?P<x>.+?)(?: now)?$", "my {y} has been moved to {x}"),
        (rf"^{_S} (?:'s|has|have) gone back to (?P<x>.+)$", "{s} does not avoid {x} any more"),
        (rf"^{_S} (?:'s|has|have) got over (?P<x>.+?)(?:,? it is fine now)?$", "{s} does not hate {x} any more"),
        (rf"^{_S} (?:is|am|'s) rid of (?:the |my |his |her )?(?P<x>.+)$", "{s} does not have {x} any more"),
        (rf"^(?:i|we) feed {_S} (?P<x>.+?)(?:,? that is what (?:he|she|it) eats)?$", "{s} eats {x}"),
        (
            rf"^(?:in |at )?(?P<x>.+?){_IS} where {_S} (?P<v>lives?|stays?|resides?|grew "
            r"up|is living|was born)(?: now| these days)?$",
            "{s} {v} in {x}",
        ),
        (
            rf"^it is (?:in |at )?(?P<x>.+?) where {_S} (?P<v>lives?|stays?|grew up)(?: "
            r"now)?(?:,? not .+)?$",
            "{s} {v} in {x}",
        ),
        (
            rf"^(?:in |at )?(?P<x>.+?){_IS} where {_S} (?P<v>works?|is working|studies|"
            r"study|goes to school)(?: now)?$",
            "{s} {v} at {x}",
        ),
        (rf"^it is (?:in |at )?(?P<x>.+?) where {_S} (?P<v>works?|studies|study)(?: now)?$", "{s} {v} at {x}"),
        (rf"^(?P<x>.+?){_IS} where {_S} (?:is|am|'s|comes?|came) from(?: originally)?$", "{s} is from {x}"),
        (
            rf"^(?:in |on |under )?(?P<x>.+?){_IS} where (?:i|we|you|they|{_S}) (?:keep|"
            r"keeps|put|puts|store|stores) (?P<y>.+)$",
            "i keep {y} in {x}",
        ),
        (rf"^(?P<x>.+?){_IS} (?:who|where) {_S} (?P<v>works?) (?P<p>for|at)$", "{s} {v} for {x}"),
        (
            rf"^(?P<x>.+?){_IS} what (?:everybody |everyone |we all |we |they |people "
            rf")?calls? {_S}$",
            "{s} is called {x}",
        ),
        (rf"^(?P<x>.+?){_IS} what {_S} (?:is|am|are|'s) (?:called|named)$", "{s} is called {x}"),
        (
            rf"^(?P<x>.+?){_IS} what {_S} (?:is|am|'s|does|do)(?: ?,? ?for (?:work|a "
            r"living|a job)| by (?:trade|profession))?$",
            "{s} works as {x}",
        ),
        (
            rf"^(?P<x>.+?){_IS} what {_S} (?:is|am|'s|has been|have been) (?P<v>studying|"
            r"learning|taking|playing|reading)(?: at \w+)?$",
            "{s} is {v} {x}",
        ),
        (rf"^(?P<x>.+?){_IS} what {_S} 's (?P<v>studying|learning|taking|playing)$", "{s} is {v} {x}"),
        (rf"^(?P<x>.+?){_IS} what (?:we feed|i feed) {_S}$", "{s} eats {x}"),
        (
            rf"^(?P<x>.+?){_IS} what {_S} (?P<v>eats?|takes?|plays?|studies|study|drives?|"
            rf"speaks?|wants?|gets?|avoids?|owns?|does every \w+|{_LIKING})(?P<y>(?: "
            r"the most| best| every day)?)$",
            "{s} {v} {x}",
        ),
        (rf"^(?P<x>.+?){_IS} how old {_S} (?:is|am|are)(?: now)?$", "{s} is {x} years old"),
        (rf"^(?P<x>.+?){_IS} when {_S} (?:was|were) born$", "{s} was born on {x}"),
        (rf"^(?:on )?(?P<x>.+?){_IS} when {_S} (?:has|have) (?P<y>.+)$", "{s} has {y} on {x}"),
        (
            rf"^(?P<x>.+?)(?:,? no thanks|,? yuck|,? no way|,? yes please)?, {_S} (?:really "
            rf"|always |absolutely )?(?P<v>{_LIKING}) (?:that|it|them|those|the stuff|"
            r"these)$",
            "{s} {v} {x}",
        ),
        (
            rf"^(?P<x>.+?){_IS} {_S} 's (?:fixed thing|routine|habit|usual thing|regular "
            r"thing|thing)$",
            "{s} does {x} regularly",
        ),
        (
            rf"^(?P<x>.+?){_IS} (?P<o>my|our)(?: own)? (?:fixed thing|routine|habit|usual "
            r"thing|regular thing)$",
            "i do {x} regularly",
        ),
        (
            rf"^(?P<s>(?:my|our) {_OF}(?: 's {_OF})?),? (?:that is|that 's|goes by|is "
            rf"known as|answers to|has a name,? ?,?|by name) (?P<x>{_N})$",
            "{s} is called {x}",
        ),
        (
            r"^(?:i do not think i told you|i never told you|did i tell you|i have not "
            rf"told you|you should know) {_S} 's name,? (?:it is|is) (?P<x>{_N})$",
            "{s} is called {x}",
        ),
        (rf"^when i say (?P<x>{_N}),? (?:i mean )?{_S}$", "{s} is called {x}"),
        (rf"^(?:we all|everybody|everyone|we|they all|people) calls? {_S} (?P<x>{_N})$", "{s} is called {x}"),
        (rf"^what {_S} does for (?:work|a living|a job) is,? (?:(?:he|she|it) is )?(?P<x>.+)$", "{s} works as {x}"),
        (r"^what (?:i|we) do for (?:work|a living|a job) is,? (?:i am )?(?P<x>.+)$", "i work as {x}"),
        (rf"^what {_S} (?P<v>{_LIKING})(?: most| best| the most)? is (?P<x>.+)$", "{s} {v} {x}"),
        (rf"^(?:one|the) thing {_S} (?:really )?(?P<v>{_LIKING}) is (?P<x>.+)$", "{s} {v} {x}"),
        (rf"^there(?: is|'s) nothing {_S} (?P<v>likes?|loves?|enjoys?) more than (?P<x>.+)$", "{s} {v} {x}"),
        (rf"^there(?: is|'s) nothing {_S} (?P<v>hates?|dislikes?) more than (?P<x>.+)$", "{s} {v} {x}"),
        (rf"^if you want to make {_S} (?:smile|happy),? (?P<x>.+)$", "{s} likes {x}"),
        (rf"^(?P<x>.+?) (?:always )?(?:makes?|made) {_S} (?:happy|smile)$", "{s} likes {x}"),
        (rf"^(?P<x>.+?) (?:drives?|makes?) {_S} (?:mad|crazy|sick)$", "{s} hates {x}"),
        (
            rf"^never (?:any|give) (?P<x>.+?) (?:for|to) {_S},? (?:he|she|it|i) (?:is|"
            r"am) allergic$",
            "{s} is allergic to {x}",
        ),
        (
            rf"^(?P<x>.+?) (?:could|can|would|might) kill {_S}(?:,? (?:it is an allergy|"
            r"he is allergic|she is allergic|i am allergic))$",
            "{s} is allergic to {x}",
        ),
        (
            rf"^{_S} (?:cannot|can not) (?:have|eat|drink|take|touch) (?P<x>.+?),? (?:he|"
            r"she|i|it) (?:is|am) allergic$",
            "{s} is allergic to {x}",
        ),
        (r"^my allergy is (?P<x>.+)$", "i am allergic to {x}"),
        (rf"^{_S} 's allergy is (?P<x>.+)$", "{s} is allergic to {x}"),
        (rf"^{_S} 's (?:breed|kind) is (?P<x>.+)$", "{s} is a {x}"),
        (rf"^{_S} is what you call (?P<x>an? .+)$", "{s} is {x}"),
        (rf"^{_S} 's (?:job|trade|profession|line of work) is (?:being )?(?P<x>.+)$", "{s} works as {x}"),
        (r"^my (?:job|trade|profession|line of work) is (?:being )?(?P<x>.+)$", "i work as {x}"),
        (
            r"^(?:by profession|by trade|workwise|work wise|for a living|as a job|for "
            rf"work),? {_S} (?:is|am|'s) (?P<x>.+)$",
            "{s} works as {x}",
        ),
        (r"^(?:my|our) (?:home ?town|birthplace) is (?P<x>.+)$", "i come from {x}"),
        (rf"^{_S} 's (?:home ?town|birthplace) is (?P<x>.+)$", "{s} comes from {x}"),
        (rf"^home for {_S} is (?P<x>.+)$", "{s} lives in {x}"),
        (r"^(?:my|our) (?:flat|house|home|place|apartment|room) is in (?P<x>.+)$", "i live in {x}"),
        (rf"^{_S} 's (?:flat|house|home|place|apartment|room) is in (?P<x>.+)$", "{s} lives in {x}"),
        (rf"^the plan for {_S} is to (?P<x>.+)$", "{s} plans to {x}"),
        (r"^(?:my|our) plan is to (?P<x>.+)$", "i plan to {x}"),
        (rf"^{_S} 's plan is to (?P<x>.+)$", "{s} plans to {x}"),
        (r"^(?P<x>.+?) is (?:my|our) (?P<y>(?:second|first|native|mother) (?:language|tongue))$", "i speak {x}"),
        (rf"^(?P<x>.+?) is {_S} 's (?P<y>(?:second|first|native|mother) (?:language|tongue))$", "{s} speaks {x}"),
        (r"^(?:put down |note |write down |have )(?P<x>.+?) as my birthday(?: then)?$", "my birthday is on {x}"),
        (r"^(?:the )?birthday,? (?:my|mine),? that(?: is|'s) (?P<x>.+)$", "my birthday is on {x}"),
        (r"^my birthday,? (?:that is )?(?P<x>(?:the )?\w+(?: \w+)? (?:of )?\w+)$", "my birthday is on {x}"),
        (rf"^{_S} 's birthday,? (?:that is |is |it is |falls on )?(?P<x>.+)$", "{s} 's birthday is on {x}"),
        (rf"^{_S} (?:has|have) (?:his|her|my|a) birthday on (?P<x>.+)$", "{s} 's birthday is on {x}"),
        (rf"^we celebrate {_S} 's birthday on (?P<x>.+)$", "{s} 's birthday is on {x}"),
        (rf"^{_S} 's date of birth is (?P<x>.+)$", "{s} 's birthday is on {x}"),
        (r"^my date of birth is (?P<x>.+)$", "my birthday is on {x}"),
        (rf"^(?P<x>.+?) is {_S} 's birthday$", "{s} 's birthday is on {x}"),
        (r"^(?P<x>.+?) is my birthday$", "my birthday is on {x}"),
        (rf"^(?P<x>.+?) is {_S} 's (?P<y>favou?rite \w+)$", "{s} 's {y} is {x}"),
        (rf"^(?P<y>favou?rite \w+) for {_S}(?: is|,) (?P<x>.+)$", "{s} 's {y} is {x}"),
        (r"^(?P<y>favou?rite \w+) for me(?: is|,) (?P<x>.+)$", "my {y} is {x}"),
        (rf"^(?P<x>.+?) has become {_S} 's (?P<y>favou?rite \w+)$", "{s} 's {y} is {x}"),
        (r"^(?P<x>.+?) has become my (?P<y>favou?rite \w+)$", "my {y} is {x}"),
        (rf"^when it comes to (?:an? )?(?P<y>\w+),? {_S} 's favou?rite is (?P<x>.+)$", "{s} 's favourite {y} is {x}"),
        (r"^when it comes to (?:an? )?(?P<y>\w+),? my favou?rite is (?P<x>.+)$", "my favourite {y} is {x}"),
        (rf"^{_S} 's number one (?P<y>\w+) is (?P<x>.+)$", "{s} 's favourite {y} is {x}"),
        (r"^my number one (?P<y>\w+) is (?P<x>.+)$", "my favourite {y} is {x}"),
        (rf"^{_S} likes? (?P<x>.+?) best(?: of all)?,? as an? (?P<y>\w+)$", "{s} 's favourite {y} is {x}"),
        (r"^(?:would you believe|can you believe|believe it or not),? (?P<x>.+)$", "{x}"),
        (
            r"^(?:you will find|you can find|look for) (?P<y>.+?) (?P<x>(?:in|on|under|"
            r"behind|inside|above|by) .+)$",
            "i keep {y} {x}",
        ),
        (
            r"^(?:i|we) (?:hid|hide|left|stuck|stowed) (?P<y>.+?) (?P<x>(?:in|on|under|"
            r"behind|inside|above|by) .+)$",
            "i keep {y} {x}",
        ),
        (
            rf"^it is not (?P<y>{_N}),? it is (?P<x>{_N}),? (?P<s>(?:my|our) {_OF}(?: "
            rf"'s {_OF})?)(?: i mean)?$",
            "{s} is called {x} not {y}",
        ),
        (rf"^(?:on )?(?P<x>.+?),? there(?: is|'s) {_S} 's (?P<y>.+)$", "{s} has {y} on {x}"),
        (r"^(?:on )?(?P<x>.+?),? there(?: is|'s) my (?P<y>.+)$", "i have {y} on {x}"),
        (rf"^it is {_S} 's (?P<y>.+? (?:on|tomorrow|next|this) .+|.+? tomorrow)$", "{s} has {y}"),
        (r"^it is my (?P<y>.+? (?:on|tomorrow|next|this) .+|.+? tomorrow)$", "i have {y}"),
        (rf"^{_S} (?:is|am|'s) the (?:proud )?owner of (?P<x>.+)$", "{s} owns {x}"),
        (rf"^(?P<x>.+?){_IS} what {_S} (?:has|have|'s got|has got|suffers? from)$", "{s} has {x}"),
        (
            rf"^{_S} (?:swapped|traded|exchanged) (?:the |my |his |her )?(?P<y>.+?) for (?P<x>.+)$",
            "{s} sold the {y} and got {x}",
        ),
        (
            rf"^{_S} 's {_TONGUE} is (?:pretty |very |quite |rather )?(?:good|fluent|decent)$",
            "{s} speaks {x}",
        ),
        (
            rf"^my {_TONGUE} is (?:pretty |very |quite |rather )?(?:good|fluent|decent)$",
            "i speak {x}",
        ),
        (
            rf"^{_S} (?:learned|learnt|grew up speaking|grew up with) {_TONGUE}(?: as a (?:child|kid|boy|girl))?$",
            "{s} speaks {x}",
        ),
        (r"^you can (?:talk|speak) (?P<x>[a-z]+) (?:with|to) me$", "i speak {x}"),
        (rf"^you can (?:talk|speak) (?P<x>[a-z]+) (?:with|to) {_S}$", "{s} speaks {x}"),
        (
            rf"^(?:the vet|we|i|they) (?:put|switched|changed|moved) {_S}(?: 's food)? "
            r"(?:on|on to|onto|to) (?P<x>.+?)(?: instead of (?P<y>.+))?$",
            "{s} eats {x}",
        ),
        (
            rf"^(?:they|we|the doctor) (?:changed|switched|swapped) {_S} 's (?:medicine|medication|pills|tablets) "
            r"from (?P<y>.+?) to (?P<x>.+)$",
            "{s} takes {x} every day",
        ),
        (r"^(?:for|with) me,? it is (?P<x>.+?),? (?:the |my )?favou?rite (?P<y>\w+)$", "my favourite {y} is {x}"),
        (rf"^(?:for|with) {_S},? it is (?P<x>.+?),? (?:the )?favou?rite (?P<y>\w+)$", "{s} 's favourite {y} is {x}"),
        (
            rf"^no (?P<x>.+?) for {_S},? (?:i|he|she|they) (?:gave it up|does not eat it|does not have it|is off it)$",
            "{s} avoids {x}",
        ),
        (rf"^{_S} turns a year older on (?P<x>.+)$", "{s} 's birthday is on {x}"),
        (rf"^{_S} 's got (?:his|her|a) birthday on (?P<x>.+)$", "{s} 's birthday is on {x}"),
        (rf"^{_S} (?:dropped out of|flunked) (?P<x>[\w ]+)$", "{s} does not study {x} any more"),
        (rf"^{_S} (?:does|do) not mind (?P<x>.+?) any more$", "{s} does not hate {x} any more"),
        (rf"^{_S} (?:is|am|'s) (?:okay|ok|fine|at ease) with (?P<x>.+?) now$", "{s} does not hate {x} any more"),
        (rf"^{_S} (?:is|am|'s) (?:having|eating|drinking) (?P<x>.+?) again$", "{s} does not avoid {x} any more"),
        (rf"^{_S} (?:is|am|'s) an? (?P<x>[\w ]+?) (?:by (?:trade|profession)|for a living)$", "{s} works as {x}"),
        (
            rf"^(?P<x>{_IN} .+?),? (?:that is|is|it is) where (?:the |my |our )?(?P<y>[\w ]+?) "
            r"(?:is|are|lives?|goes?|belongs?)$",
            "i keep {y} {x}",
        ),
        (
            rf"^(?:the |my |our )?(?P<y>[\w ]+?) (?:belongs?|has its place|is to be found) (?P<x>{_IN} .+)$",
            "i keep {y} {x}",
        ),
        (
            rf"^the place for (?:the |my |our )?(?P<y>[\w ]+?) is (?P<x>{_IN} .+)$",
            "i keep {y} {x}",
        ),
        (
            rf"^the (?P<y>\w+) {_S} (?:likes?|loves?) (?:most|best|more than any other) is (?P<x>.+)$",
            "{s} 's favourite {y} is {x}",
        ),
        (
            r"^no (?P<y>\w+) beats (?P<x>.+?),? (?:that is|for) (?:my|me)(?: favou?rite)?$",
            "my favourite {y} is {x}",
        ),
        (
            rf"^{_S} (?:gave up|stopped|quit|switched from) (?P<y>.+?) and (?:now )?takes? (?P<x>.+?)(?: now)?$",
            "{s} takes {x}",
        ),
        (rf"^{_S} (?:gets?|goes?|drives?) (?:around|about) in (?P<x>.+)$", "{s} drives {x}"),
        (r"^(?:the )?(?:papers|passport|vet|breeder|test|certificate) says? (?:that )?(?P<x>.+)$", "{x}"),
        (rf"^(?:usually|normally|typically|as a rule|most weeks),? (?P<x>(?:i|we|he|she|my|our|{_N}) .+)$", "{x}"),
        (rf"^(?P<x>{_N})(?: is| 's) (?P<s>(?:my|our) {_OF} 's {_OF})$", "{s} is called {x}"),
    )
)
_BY_ATTRIBUTE = patterns(SOMEBODY)
_TAIL = re.compile(
    r",? (?:i mean|right|you know|then|so|now you know|remember that|already|"
    r"through and through|as you know|that is all|for your records|by the way|"
    r"in case you wonder|and so on)$"
)
_FIRST = re.compile(
    r"^(?:(?:oh|well|so|right|okay|ok|by the way|um|uh|er|remember(?: that)?|"
    r"sorry|no(?! (?:more|\w+ beats|\w+ for)\b)|actually|for the record|in fact|i never said(?=,)|you know|did you "
    r"know|at the moment|you have got that wrong|i should say)\b,? )+"
)


def turned(text: str) -> str:
    """In the usual order; as it is, where it is already."""
    bare = _TAIL.sub("", _FIRST.sub("", text))
    if told_by_kind := by_attribute(bare, _BY_ATTRIBUTE):
        return _agreeing(told_by_kind)
    if told_by_frame := framed(bare):
        return _agreeing(told_by_frame)
    for pattern, order in _TURNS:
        match = pattern.match(bare)
        if match is None:
            continue
        told = {"s": "i", "x": "", "y": "", "v": "", **{name: word for name, word in match.groupdict().items() if word}}
        return _agreeing(order.format(**told).strip())
    return bare


def _agreeing(text: str) -> str:
    """ "i is" and "i works" as grammar has them, for what reads it next."""
    text = re.sub(r"(^|\. )i is\b", r"\1i am", text)
    text = re.sub(
        r"(^|\. )i (has|does|likes|lives|works|plans|takes|plays|avoids|speaks|hates|owns|drives|eats|comes)\b",
        _as_i_say,
        text,
    )
    return re.sub(r"^i 's ", "my ", text)


def _as_i_say(match: re.Match[str]) -> str:
    return f"{match[1]}i {'have' if match[2] == 'has' else match[2].removesuffix('es' if match[2] == 'does' else 's')}"
