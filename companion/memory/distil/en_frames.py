"""English that is said in a way of its own, and what it comes to in the usual one."""

from __future__ import annotations

from types import MappingProxyType

from companion.memory.distil.en_words import ANIMALS, DRUGS, HELPER, ILL, KIN, NOBODY, PETS, PILL, PLAYED, ROLE
from companion.memory.distil.frames import frames

_N = r"[^\W\d_][\w\-]*"
_OF = rf"(?:{ROLE}|{HELPER}|(?:old |pet )?(?:{PETS}))"
_SOMEBODY = rf"(?:i|he|she|we|(?:my|our) {_OF}(?: 's {_OF})?(?: {_N})??|{_N} 's {_OF}|{_N})"
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTHS = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_PARTS = MappingProxyType(
    {
        "S": rf"(?P<s>{_SOMEBODY})",
        "P": rf"(?:(?P<s>{_SOMEBODY}) 's|my|our)",
        "M": rf"(?:me|us|(?P<s>{_SOMEBODY}))",
        "R": rf"(?P<r>(?:my|our) {_OF}(?: 's {_OF})?)",
        "X": r"(?P<x>.+?)",
        "Y": r"(?P<y>.+?)",
        "K": r"(?P<k>\w+)",
        "N": rf"(?P<n>(?:dr |mr |mrs |ms |miss )?{_N})",
        "O": rf"(?P<o>{_N})",
        "W": rf"(?P<w>(?:on )?(?:{_DAYS}|weekdays|weekends)(?: \w+)?|in the (?:mornings?|evenings?|afternoons?))",
        "D": rf"(?P<d>(?:this |next )?(?:{_DAYS}|{_MONTHS}|tomorrow|the \w+)\b.*?)",
        "L": r"(?P<l>(?:in|on top of|on|under|underneath|behind|inside|above|by|next to) .+?)",
        "T": (
            r"(?P<t>yesterday|today|(?:a|one|two|three|four|five|six|\w+) (?:days?|weeks?|months?|years?) ago|"
            rf"last \w+|next \w+|this (?:spring|summer|autumn|winter|year|month)|on {_DAYS})"
        ),
        "I": rf"(?P<i>(?:an? |chronic |bad |type (?:one|two) )*(?:{ILL}))",
        "G": rf"(?P<g>(?:an? |the |some )?(?:{DRUGS}|(?:\w+ )?{PILL}))",
        "A": rf"(?P<a>(?:\w+ )?(?:{ANIMALS}))",
        "E": (
            r"(?P<e>(?:red |white )?(?:meat|pork|beef|lamb|chicken|fish|seafood|shellfish|dairy|milk|cheese|eggs|bread|"
            r"gluten|wheat|sugar|salt|sweets|chocolate|coffee|tea|caffeine|alcohol|beer|wine|booze|drink|nuts|"
            r"spicy food|fast food|fizzy drinks|cigarettes))"
        ),
        "J": (
            r"(?P<j>(?:[a-z]+ )+(?:tuner|keeper|maker|teacher|driver|fitter|repairer|dealer|trainer|planner|buyer|"
            r"operator|inspector|officer|assistant|worker|technician|engineer|instructor|guide|agent|manager|nurse|"
            r"doctor|scientist|designer|developer|therapist|editor|writer|surveyor|mechanic|clerk|chef|cook))"
        ),
        "Q": rf"(?P<q>(?:the )?(?:{PLAYED}))",
        "KIN": KIN,
        "BE": r"(?:is|am|are|'s|'m)",
        "HAS": r"(?:has|have|'s|'ve)(?: got)?",
        "HAD": r"(?:had|'d|has|have|'s)",
        "HE": r"(?:he|she|it|they|i|we)",
        "IT": r"(?:it|that|this|them|those|these|him|her)",
        "DOES": r"(?:does|do)",
        "FOND": r"(?:into|mad about|fond of|keen on|partial to)",
        "DOCTOR": r"(?:doctor|gp|consultant|specialist|hospital)",
        "FAR": r"(?P<x>(?!(?:bed|sleep|work|school|church|town|the|my|a|hospital|court)\b)\w+(?: \w+)?)",
        "WEEKDAY": _DAYS,
        "PET": rf"(?:{PETS}|puppy|kitten)",
        "ROUTINE": r"(?P<x>(?!(?:i|we|he|she|they|my|our|remind|play|set|not|no|and)\b)[a-z]+(?: [a-z]+)?)",
        "MEAL": r"(?:breakfast|dinner|lunch|supper|tea)",
    }
)
FRAMES = frames(
    r"""
R Y,? (and )?(his|her|its) name BE N -> R Y. R is called N
R (is|has) Y and (HE BE |is )?called N -> R is Y. R is called N
S played X (until|till|as a|when) .* -> S does not play X any more
S DOES not (eat|drink|have|touch) E (or|nor) (eat |drink |have |touch )?Y -> S avoids E. S avoids Y
S (cannot|could not|can not) (bear|abide|take|stomach) X -> S hates X
the best K (ever( made| written)?|of all time|there is|in the world) (is|has to be) X -> my favourite K is X
S (follows?|supports?) X all (my|his|her) life -> S likes X
ROUTINE (every|each) (?P<w>WEEKDAY( \w+)?)( (at|in|with) .*?)?(,? i never miss.*| for me)? -> i do X every W
(we|i|S) (were|was|got) (wed|wedded|hitched|married) (on|in) X -> we got married on X
(we|i) (have )?(got|adopted) an? (?P<k>PET)[.!, ]+(his|her|its|the) name BE N -> my K is called N
S moved,? (?P<t>in \w+|last \w+),? to X(,.*)? -> S moved to X T
S DOES not (?P<x>drink|smoke)(,? (at all|any more|never have|have not .*))? -> S avoids X
P (big|special) day is X,? (my |the |his |her )?birthday( i mean)? -> S 's birthday is on X
birthday,? P,? that is X -> S 's birthday is on X
(put|write|note|jot|take)( it)?( down)? X( down)? as P birthday -> S 's birthday is on X
do not (let me )?forget P birthday,?( is| it is| that is)? on X -> S 's birthday is on X
S HAS (his|her|my|our|a) birthday on X -> S 's birthday is on X
we celebrate P birthday on X -> S 's birthday is on X
S turns? a year older on X -> S 's birthday is on X
P birthday (is|falls on) (the )?last day of X -> S 's birthday is on last day of X
we had P birthday and now HE BE X -> S is X years old
age X,? S( i mean)? -> S is X years old
S must be,? (yes|let me see|let me think|what|oh),? X years old -> S is X years old
S went to school in X,? where HE (was|were|grew).* -> S comes from X
it is X S BE from,? (you (wrote down|have|put|put down|said|noted)|not) Y -> S is from X, not Y
S BE (born and bred in|a native of|originally from) X -> S is from X
S HAS a (place|flat|house|home|room) in X -> S lives in X
(we|i|S) bought a (place|flat|house|home) in X( last \w+)? -> we live in X
S (stay|stays|dey) (in|for) X -> S lives in X
T,? S (?P<v>moved|started|began|left|joined|retired|quit) X -> S V X T
T,? S BE going to X -> S is going to X T
S moved from Y to X -> S moved to X
keep X away from S,? HE (?P<v>hates?|fears?|loathes?) IT -> S V X
S HAS a (thing|phobia) about X,? (they|it) .* -> S hates X
X (terrifies|terrify|scares?|frightens?|disgusts?) M -> S hates X
S (go|goes|went) (crazy|mad|nuts|wild) (for|about|over) X -> S likes X
S BE (very |so |quite )?FOND X -> S likes X
S (support|supports|follows?) X since .* -> S likes X
what S (do|does)? ?(really |truly )?(love|loves|like|likes|enjoys?) is X -> S likes X
S would rather have X than .* -> S likes X
S BE over X,? HE DOES not care for IT.* -> S does not like X any more
S HAS (gone|went) off (?P<x>[^,]+) -> S does not like X any more
S used to (be (really |quite |very )?FOND|like|love|enjoy) X,? (but|not any more).* -> S does not like X any more
S started (with|on|drinking|eating|having) X again(,.*)? -> S does not avoid X any more
S DOES not (do|have|touch|eat|drink|take) E -> S avoids E
S will not (have|touch|eat|drink|do) E( any more)? -> S avoids E
no E for M(,.*| any more| HE BE \w+)? -> S avoids E
S HAS (?:sworn off|cut out|given up) E -> S avoids E
S HAS not touched (a drop|E|meat) (in|for) .* -> S avoids E
S will not (touch|eat|have) Y any more,? HE eats? X( now)? -> S eats X now
it is X W for M( every week| each week)? -> S does X W
(no more|that is it with) X W for M -> S does not do X W any more
S (gave up|quit|stopped|dropped) X on W -> S does not do X on W any more
P shifts? changed,? now HE (do|does|work|works) X -> S does X regularly
it is W S (?P<v>go|goes|have|has|do|does|play|plays) X,? not .* -> S V X W
the only thing S eats is X -> S eats X
(for|at) MEAL,? S (has|eats|gets) X,? (every|each) (day|night|morning) -> S eats X
give S X,? that is (the|his|her|its) (usual|normal|only) (food|dinner|meal) -> S eats X
S gets X in (the|his|her|its) bowl -> S eats X
no K beats X,? that is P favou?rite -> S 's favourite K is X
if you ask M,? the best K is X -> S 's favourite K is X
of (every|all|any|all the) K,? S prefers? X -> S 's favourite K is X
S HAS a favou?rite K,? X -> S 's favourite K is X
(i meant )?X as P favou?rite K -> S 's favourite K is X
favou?rite K for M( is|,)? X -> S 's favourite K is X
P favou?rite K (has|has got|must|would have) to be X -> S 's favourite K is X
(the )?new date for P X,? (it is )?on D -> S has X on D
P X,? that is (on )?D,? (i|you) (mixed|got) (it|that) (up|wrong).* -> S has X on D
S HAD (?:booked|arranged|got) (an?|the|my|his|her) X,? it is (on )?D -> S has X on D
it is I (with|for) M,? (the |my )?doctor says -> S has I
S lives? with I -> S has I
S BE (being )?(treated for|suffering from|diagnosed with) I -> S has I
I (gets|got|plagues) M -> S has I
(all healed|all better|healed|cured),? no more X for M -> S does not have X any more
we think S is an? A -> S is a A
S is an? (pure|purebred|pedigree|proper) A -> S is a A
an? A,? that is what S is -> S is a A
N BE (my|our) (?P<k>cat|dog|parrot|rabbit|hamster|horse|budgie|tortoise|pony) -> my K is called N
careful with X,? S BE allergic -> S is allergic to X
allergies,? (well,? )?S HAS one,? X -> S is allergic to X
X (brings|brought) M out in (hives|a rash|spots|lumps) -> S is allergic to X
X gives? M (hives|a rash|a reaction|anaphylaxis) -> S is allergic to X
O has left,? (so|and) R is N( these days| now)? -> R is called N not O
(from (today|now|tomorrow)( on)? )?R is N instead of O -> R is called N not O
R is not O any more,? (there is a new one,? |it is |HE BE )(called )?N( now)? -> R is called N not O
R (is|'s) (?P<n>(?:dr|doctor|mr|mrs|ms|miss|professor) \w+) -> R is called N
the (?P<k>\w+ (?:man|woman|lady|lad|guy|boy|girl)) 's name is N -> K is called N
(i|we) HAS put (the |my |our )?Y L( so you know)? -> i keep Y L
the car S HAS is X -> S drives X
S HAS had X for years,? as a car -> S drives X
(i|S) drives? the (number|route|\d).* for X -> S works at X
one day( soon)?,? S BE going to X -> S plans to X
instead of that,? S (now )?(plans?|wants?|intends?) to X -> S now plans to X instead
S DOES not want to Y any more,? HE BE going to X( instead| now)? -> S does not want to Y any more. S plans to X
S (?:'d|would) like to X (next|in|this) Y -> S plans to X in Y
S BE set on it,? HE wants? to X -> S plans to X
S knows? X,? the language -> S speaks X
S BE K,? (i|he|she) speaks? it.* -> S speaks K
S BE reading X at (the )?(college|uni|university|school) -> S is studying X
S (HAS )?signed up to (study|do|learn) X -> S is studying X
S BE (a student of|doing a (degree|course|masters) in|majoring in|reading for) X -> S is studying X
at (uni|university|college|school),? S (does|do|studies|study|reads|is doing) X -> S is studying X
S HAS (just )?started at X (doing|to do|studying|to study|reading) Y -> S is studying Y
S BE called N and HE BE (doing|studying|reading) X at Y -> S is called N. N is studying X
S has quit X,? no more studying -> S does not study X any more
S quit X,? no more studying -> S does not study X any more
S BE taking G( now)? -> S takes G every day
G (once|twice|(two|three|four) times) a day for M -> S takes G every day
S (cannot|could not) (go|be|do|manage) without G,? HE takes? IT (daily|every day|twice a day) -> S takes G every day
(the |my |his |her |our )?DOCTOR (has )?(prescribed|put|started) M( on)? G( now)? -> S takes G every day
S trained as an? X,? (and )?that is what HE (does|do) -> S works as X
S used to be an? Y,? but now HE BE an? X -> S is not a Y any more. S works as X
S BE not an? Y any more,? HE BE an? X( now)? -> S is not a Y any more. S works as X
S started as an? X (on )?(?P<t>yesterday|\w+ \w+ ago|last \w+|\w+day) -> S works as X since T
S (wants?|hopes?|intends?) to go to FAR -> S plans to go to X
S BE an? J( now)? -> S works as J
S was an? X (with|at|for) Y for .* years -> S works as X
X,? that is who S works? for( now)? -> S works for X
S HAS left Y,? HE BE (with|at) X( these days| now)? -> S left Y. S works at X
(monday to friday|monday to saturday|on weekdays|weekdays|all week|by day),? S works? at X -> S works at X
R (lives|stays) .*with us -> i live with R
S share an? \w+ with two \w+ called N and O -> i live with N. i live with O
S gave up (the )?(?P<y>\w+).*,? it is Q( for me)? now -> S does not play Y any more. S plays Q
S HAS had the (?P<x>\w+) (on|in|at|by) .* for .* years( now)? -> S owns a X
(i|S) no longer drives? -> S stopped driving
""",
    _PARTS,
)
_NOBODY = NOBODY - {"i", "he", "she", "we"}


def framed(text: str) -> str:
    """In the usual order; empty where no frame fits."""
    return next((told for frame in FRAMES if (told := frame.turned(text, text, "i", _NOBODY))), "")
