"""English words the patterns know: family, trades, animals, illnesses, and words that are nobody's name."""

from __future__ import annotations

import re


def _any(words: str) -> str:
    """An alternative of words, the longest first; ``_`` stands for a space."""
    return "|".join(re.escape(word.replace("_", " ")) for word in sorted(words.split(), key=len, reverse=True))


_PARENT = "mum mom mother mummy dad father daddy mama papa stepmum stepdad stepmother stepfather"
_CHILD = "son daughter kid kids boy girl baby oldest eldest youngest child little_one stepson stepdaughter sun lad lads"
_SIBLING = "sister brother twin stepbrother stepsister half_brother half_sister"
_GRANDPARENT = "gran grandma grandmother granddad grandad grandfather grandpa nan nana granny abuela abuelo"
_GRANDCHILD = "grandson granddaughter grandkids grandchild"
_PARTNER = "wife husband partner girlfriend boyfriend fiancé fiancée fiance fiancee missus spouse"
_RELATIVE = (
    "aunt auntie uncle cousin niece nephew mother_in_law father_in_law brother_in_law sister_in_law "
    "mother-in-law father-in-law brother-in-law sister-in-law son_in_law daughter_in_law godson goddaughter godmother"
)
_FRIEND = "friend mate buddy pal bestie"
_NEIGHBOUR = "neighbour neighbor"
_COLLEAGUE = "boss manager colleague workmate coworker co-worker supervisor"
_FLATMATE = "flatmate roommate housemate"
_PET = "dog cat puppy kitten rabbit hamster budgie parrot goldfish tortoise horse pony snake guinea_pig"

ROLE_RELATIONS: dict[str, tuple[str, bool]] = {
    word.replace("_", " "): relation
    for words, relation in (
        (_PARENT, ("is_parent_of", True)),
        (_CHILD, ("is_parent_of", False)),
        (_SIBLING, ("is_sibling_of", False)),
        (_GRANDPARENT, ("is_grandparent_of", True)),
        (_GRANDCHILD, ("is_grandparent_of", False)),
        (_PARTNER, ("is_partner_of", False)),
        (_RELATIVE, ("is_relative_of", False)),
        (_FRIEND, ("is_friend_of", False)),
        (_NEIGHBOUR, ("is_neighbour_of", False)),
        (_COLLEAGUE, ("is_colleague_of", False)),
        (_FLATMATE, ("lives_with", False)),
        (_PET, ("has_pet", False)),
    )
    for word in words.split()
}
"""What a word for somebody says: the relation, and whether that somebody stands on its left."""
PET_ROLES = frozenset(_PET.replace("_", " ").split())
KIN = _any(
    " ".join(
        (
            _PARENT,
            _CHILD,
            _SIBLING,
            _GRANDPARENT,
            _GRANDCHILD,
            _PARTNER,
            _RELATIVE,
            _FRIEND,
            _NEIGHBOUR,
            _COLLEAGUE,
            _FLATMATE,
            "parents folks family people",
        )
    )
)
ADJECTIVE = _any(
    "late older elder eldest oldest younger youngest little big twin best good "
    "old dear ex next_door new middle first "
    "second only other wee poor baby former lovely beloved closest oldest school work"
)
HELPER = _any(
    "teacher doctor dentist coach landlord landlady postman cleaner tutor vet gp nanny therapist hairdresser nurse "
    "supervisor mentor physio trainer carer childminder babysitter gardener accountant lawyer priest vicar pastor"
)
"""Who is somebody's without being family."""
ROLE = rf"(?:(?:{ADJECTIVE}) )*(?:{KIN})"
PETS = _any(_PET + " bird fish duck hen chicken lizard gecko mouse rat ferret donkey goat cats dogs pup")

ANIMALS = _any(
    _PET + " "
    "bird fish duck hen lizard gecko mouse rat ferret donkey goat beagle poodle "
    "labrador lab retriever collie "
    "border_collie huntaway terrier spaniel cocker_spaniel chihuahua dachshund pug bulldog shepherd german_shepherd "
    "golden_retriever husky corgi greyhound whippet rottweiler boxer dalmatian mongrel mutt tabby siamese persian "
    "ragdoll maine_coon corn_snake python canary cockatiel goldfish budgerigar "
    "parakeet turtle chinchilla labradoodle "
    "cockapoo jack_russell staffie sheepdog kelpie stick_insect axolotl gerbil"
)
TRADES = _any(
    "nurse midwife doctor junior_doctor surgeon gp dentist vet teacher headteacher lecturer professor tutor student "
    "pharmacist carpenter joiner builder plumber electrician mechanic engineer "
    "programmer developer designer architect "
    "lawyer solicitor barrister accountant banker cashier clerk secretary receptionist manager director driver "
    "taxi_driver bus_driver lorry_driver trucker pilot steward stewardess sailor "
    "soldier firefighter fireman policeman "
    "policewoman cop detective farmer gardener florist baker butcher chef cook waiter waitress barista bartender "
    "cleaner caretaker carer nanny childminder hairdresser barber tailor seamstress "
    "painter decorator artist musician "
    "singer actor actress dancer writer author journalist editor photographer librarian scientist researcher chemist "
    "physicist biologist psychologist therapist physiotherapist optician paramedic radiographer social_worker "
    "signalman railwayman postman milkman fisherman miner welder roofer bricklayer plasterer locksmith technician "
    "translator interpreter consultant analyst salesman estate_agent shopkeeper judge priest vicar pastor imam monk "
    "nun politician mayor apprentice intern trainee game_designer software_engineer web_developer data_scientist "
    "security_guard landlord beekeeper shepherd jeweller potter blacksmith coach referee lifeguard"
)
DIETS = _any("vegetarian vegan pescatarian halal kosher veggie gluten_free dairy_free keto plant_based pescetarian")
ILL_WORDS = (
    "asthma diabetes diabetic diabetes_type_one migraines epilepsy epileptic arthritis coeliac celiac dementia "
    "alzheimer's parkinson's cancer anaemia anemia anaemic eczema psoriasis hayfever hay_fever adhd autism autistic "
    "dyslexia dyslexic depression anxiety insomnia gout glaucoma cataracts vertigo tinnitus sciatica osteoporosis "
    "high_blood_pressure low_blood_pressure high_cholesterol pressure_high a_pacemaker heart_attack stroke pregnant "
    "deaf blind colour_blind color_blind nearsighted shortsighted short_sighted longsighted hard_of_hearing "
    "lactose_intolerant crohn's ibs copd reflux sleep_apnea sleep_apnoea thyroid_problem underactive_thyroid "
    "bad_back bad_knee bad_hip bad_heart bad_eyesight bad_hearing heart_condition "
    "heart_problem hernia lupus fibromyalgia "
    "endometriosis scoliosis narcolepsy ptsd ocd bipolar angina anxious stammer stutter lisp sugar new_hip new_knee"
)
ILL = _any(ILL_WORDS)
ILL_BE = _any(
    "diabetic epileptic coeliac celiac anaemic autistic dyslexic pregnant deaf blind colour_blind color_blind "
    "nearsighted near-sighted short-sighted shortsighted short_sighted longsighted hard_of_hearing bipolar asthmatic "
    "left-handed_blind wheelchair_bound in_a_wheelchair"
)
DRUGS = (
    rf"(?:{_any('metformin ramipril insulin aspirin ibuprofen paracetamol warfarin statins statin blood_thinners')}|"
    rf"{_any('gliclazide antidepressants antibiotics thyroxine levothyroxine omeprazole amlodipine the_pill')}|"
    rf"{_any('antihistamines antihistamine painkillers beta_blockers codeine steroids diuretics fish_oil')}|"
    rf"{_any('folic_acid eye_drops hormone_patches water_tablets heart_pills sleeping_pills allergy_pills zinc')}|"
    rf"{_any('vitamin_d vitamin_c vitamins melatonin ventolin salbutamol prednisone lithium sertraline zoloft')}|"
    r"\w+(?:pril|statin|sartan|olol|azole|cillin|mycin|formin|azide|pam|oxetine|prazole|dipine|thyroxine|triptan))"
)
PILL = r"(?:tablets?|pills?|capsules?|inhalers?|medicine|medication|drops|thinners?|injections?|supplements?|jabs?)"
PLAYED = _any(
    "piano violin viola cello guitar bass drums flute clarinet trumpet saxophone "
    "trombone harp accordion ukulele banjo "
    "recorder organ keyboard football soccer rugby cricket tennis badminton "
    "squash hockey netball basketball volleyball "
    "golf chess bridge darts snooker pool bowls table_tennis ping_pong baseball softball handball lacrosse the_drums"
)
LANGUAGES = _any(
    "english french german spanish italian portuguese dutch flemish polish russian ukrainian czech slovak hungarian "
    "romanian bulgarian greek turkish arabic hebrew persian farsi urdu hindi punjabi bengali tamil telugu marathi "
    "gujarati mandarin cantonese chinese japanese korean vietnamese thai indonesian "
    "malay tagalog swahili yoruba igbo "
    "hausa twi amharic somali swedish norwegian danish finnish icelandic welsh irish gaelic catalan basque maori "
    "te_reo albanian serbian croatian latin sign_language esperanto pidgin"
)
SUBJECTS = _any(
    "law medicine physics chemistry biology biochem biochemistry maths mathematics history geography english french "
    "german spanish economics business engineering computer_science computing "
    "psychology sociology philosophy politics "
    "art music drama nursing architecture accounting journalism linguistics literature design marketing theology "
    "pharmacy dentistry geology astronomy education classics media_studies film fashion photography statistics"
)
FEASTS = _any(
    "diwali christmas easter eid ramadan hanukkah chanukah passover thanksgiving "
    "halloween holi new_year lunar_new_year "
    "chinese_new_year shabbat sabbath matariki midsummer nowruz vaisakhi bonfire_night hogmanay st_patrick's_day "
    "saint_patrick's_day carnival kwanzaa christmas_eve day_of_the_dead mothering_sunday"
)
MEETINGS = _any(
    "dentist doctor doctor's gp hospital clinic checkup check-up check_up appointment exam test interview scan "
    "ultrasound mammogram vaccination vaccinations jab meeting wedding funeral "
    "christening baptism parents_evening mot "
    "x_ray x-ray haircut hairdresser vet therapist physio physiotherapist optician eye_test blood_test operation "
    "surgery chiropodist landlord inspector plumber electrician solicitor lawyer "
    "accountant bank_manager consultation "
    "hearing audition recital concert rehearsal graduation viewing service driving_test court recital party reunion "
    "job_interview piano_exam hygienist midwife specialist cardiologist dermatologist "
    "orthodontist surgeon counsellor "
    "delivery match tournament school_play open_day conference review deadline flight train injection biopsy "
    "engagement_party baby_shower ceremony competition race marathon mechanic"
)
NOBODY = frozenset(
    """
    a an the this that these those it its he she they we you i me us him her them his hers their theirs our
    ours my mine
    your yours who what which when where why how if and or but so because then than as at by for from in into
    of off on
    onto out over to up with about after before there here not no yes yeah yep nope ok okay well oh ah um uh er
    hmm hey
    hi hello please thanks thank sorry just really actually maybe perhaps probably is are am was were be been being do
    does did done have has had having will would shall should can could may might must let lets get got go goes going
    gonna wanna make makes take takes give gives tell tells say says said call calls set play put turn stop start open
    close add remind remember forget everybody everyone everything anybody anyone anything somebody someone something
    nobody nothing none all some any many much more most few lot lots both each every other another one two three four
    five six seven eight nine ten today tomorrow yesterday tonight now later soon never always sometimes often usually
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december morning afternoon evening night day week month year time good great nice bad lovely
    people folks guys man woman kids kid thing things stuff god dear wow right sure still also only even too very
    apparently honestly basically literally seriously imagine suppose guess wonder think know mean hear heard read
    like love hate want need try same such own else again already ever don't dinner lunch breakfast supper tea coffee
    work school home traffic weather music water food milk bread rain life money since until while during without
    cannot broke had seeing born used started moved sold bought planning thinking saving studying having
    speaking allergic
    reckon says everything's gave quit left never until living staying got became went put kept met
    birthday car van bike house flat regularly normally typically
    favourite favorite fave best funny enough mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays
    weekends home's no. ages turns looks sounds seems feels correction update wait listen look see come came keep
    """.split()
)
"""Words that are no name, though one may stand where a name does."""
