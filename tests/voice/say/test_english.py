"""What people complain about, and what they expect, as tables: written, said."""

from __future__ import annotations

import pytest

from companion.voice.say import speakable
from companion.voice.say.english_numbers import cardinal, ordinal, year


def _table(rows: str) -> list[tuple[str, str]]:
    pairs = (line.split(" => ") for line in rows.strip().splitlines())
    return [(written.strip(), said.strip()) for written, said in pairs]


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    I have 3 cats => I have three cats
    1,234,567 => one million two hundred thirty-four thousand five hundred sixty-seven
    3.14 => three point one four
    0.5 => zero point five
    .5 => point five
    -3 => minus three
    (-3) => (minus three)
    007 => zero zero seven
    12345678901234567 => one two three four five six seven eight nine zero one two three four five six seven
    the 1st and the 22nd => the first and the twenty-second
    10k followers => ten thousand followers
    Room 101 => Room one hundred one
    COVID-19 => COVID nineteen
    a 19-year-old => a nineteen-year-old
    MP3 and B2B => MP three and B two B
    H2O => H two O
    １２３ => one hundred twenty-three
    ١٢ => twelve
    """),
)
def test_numbers(written: str, said: str) -> None:
    assert speakable(written, "en") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    It's 14:30. => It's two thirty PM.
    at 2:05 pm => at two oh five PM
    at 10:00 => at ten o'clock
    at 10:00 am => at ten AM
    at 12:00 => at twelve o'clock
    at 0:00 => at midnight
    at 00:15 => at twelve fifteen AM
    9 a.m. to 5 p.m. => nine AM to five PM.
    at 5 p.m. tomorrow => at five PM tomorrow
    See you at 5 p.m. Bring tea. => See you at five PM. Bring tea.
    5:30am => five thirty AM
    10:15:30 => ten fifteen and thirty seconds
    16:9 => sixteen to nine
    10am-5pm => ten AM to five PM
    9:30 a.m.–10:45 a.m. today => nine thirty AM to ten forty-five AM today
    """),
)
def test_times(written: str, said: str) -> None:
    assert speakable(written, "en") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    2026-11-30 => November thirtieth, twenty twenty-six
    11/30/2026 => November thirtieth, twenty twenty-six
    30/11/2026 => November thirtieth, twenty twenty-six
    30.11.2026 => November thirtieth, twenty twenty-six
    1/2/26 => January second, twenty twenty-six
    Nov 30 => November thirtieth
    Nov. 30, 2026 => November thirtieth, twenty twenty-six
    July 4th, 1776 => July fourth, seventeen seventy-six
    30 November 2026 => the thirtieth of November, twenty twenty-six
    on the 30th of November => on the thirtieth of November
    in May 2026 => in May twenty twenty-six
    Mon, Nov 30 => Monday, November thirtieth
    2026-11-30T14:30:00Z => November thirtieth, twenty twenty-six two thirty PM UTC
    in 1999 => in nineteen ninety-nine
    in 2005 => in two thousand five
    in 1066 => in ten sixty-six
    in 1024 bytes => in one thousand twenty-four bytes
    1990-2000 => nineteen ninety to two thousand
    2024-25 => twenty twenty-four to twenty-five
    the 1990s => the nineteen nineties
    the '90s => the nineties
    I may 5 times => I may five times
    due 12/25 => due December twenty-fifth
    9/11 => nine eleven
    FY2025 => FY twenty twenty-five
    the 1889 fair => the eighteen eighty-nine fair
    1500 people => fifteen hundred people
    1205 people => one thousand two hundred five people
    """),
)
def test_dates_and_years(written: str, said: str) -> None:
    assert speakable(written, "en") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    $500 => five hundred dollars
    $5.00 => five dollars
    $1 => one dollar
    $1.50 => one dollar and fifty cents
    $0.50 => fifty cents
    $0.01 => one cent
    $1,234.56 => one thousand two hundred thirty-four dollars and fifty-six cents
    -$5 => minus five dollars
    $3.5 million => three point five million dollars
    $5k => five thousand dollars
    $5-10 => five to ten dollars
    $5-$10 => five to ten dollars
    a $20 bill => a twenty dollar bill
    US$5 => five US dollars
    5 USD => five US dollars
    €20 => twenty euros
    5 € => five euros
    £1.50 => one pound and fifty pence
    ¥500 => five hundred yen
    50¢ => fifty cents
    costs $5. => costs five dollars.
    costs $5, or less => costs five dollars, or less
    """),
)
def test_money(written: str, said: str) -> None:
    assert speakable(written, "en") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    50% => fifty percent
    0.5% => zero point five percent
    5-10% => five to ten percent
    60 km/h => sixty kilometers per hour
    -5°C => minus five degrees Celsius
    72°F => seventy-two degrees Fahrenheit
    1 kg => one kilogram
    2.5kg => two point five kilograms
    5-10 km => five to ten kilometers
    a 5-km run => a five kilometer run
    16 GB of RAM => sixteen gigabytes of RAM
    512MB => five hundred twelve megabytes
    3 kWh => three kilowatt hours
    2.4 GHz => two point four gigahertz
    25 m² => twenty-five square meters
    2000 kg => two thousand kilograms
    30 min => thirty minutes
    5'11" => five feet eleven
    6 ft => six feet
    2 tbsp. sugar => two tablespoons sugar
    3.0 × 10^8 m/s => three point zero times ten to the power of eight meters per second
    60 miles/hour => sixty miles per hour
    $5/month => five dollars per month
    """),
)
def test_percent_and_units(written: str, said: str) -> None:
    assert speakable(written, "en") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    1/2 cup => one half cup
    3/4 => three quarters
    2/3 => two thirds
    1 1/2 cups => one and a half cups
    1½ cups => one and a half cups
    ½ cup => one half cup
    8/10 => eight out of ten
    24/7 => twenty-four seven
    5-10 people => five to ten people
    2 + 2 = 4 => two plus two equals four
    10 - 5 = 5 => ten minus five equals five
    3 × 4 = 12 => three times four equals twelve
    3 * 4 => three times four
    3 x 4 => three times four
    10 ÷ 2 => ten divided by two
    1920x1080 => one thousand nine hundred twenty by one thousand eighty
    3 < 5 => three is less than five
    x^2 => x squared
    10^6 => ten to the power of six
    1e6 => one times ten to the power of six
    about ~5 => about about five
    """),
)
def test_fractions_ranges_and_sums(written: str, said: str) -> None:
    assert speakable(written, "en") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    555-1234 => five five five, one two three four
    555-123-4567 => five five five, one two three, four five six seven
    (555) 123-4567 => five five five, one two three, four five six seven
    +1 555 123 4567 => plus one, five five five, one two three, four five six seven
    020 7946 0958 => zero two zero, seven nine four six, zero nine five eight
    v1.2.3 => version one point two point three
    Python 3.11 => Python three point eleven
    Call 911 => Call nine one one
    Call 2 friends => Call two friends
    flight BA2490 from gate A12 => flight BA two four nine zero from gate A twelve
    ISBN 978-3-16 => ISBN nine seven eight, three, one six
    PR #1234 => PR number twelve thirty-four
    1.000.000 => one million
    192.168.1.1 => one nine two dot one six eight dot one dot one
    #1 => number one
    No. 5 => number five
    bob@example.com => bob at example dot com
    example.com => example dot com
    """),
)
def test_telephones_versions_and_addresses(written: str, said: str) -> None:
    assert speakable(written, "en") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    Dr. Smith => Doctor Smith
    Mr. and Mrs. Jones => Mister and Missus Jones
    on Oak Dr. today => on Oak Drive today
    at St. Mary => at Saint Mary
    on 2nd St. today => on second Street today
    on Main St. today => on Main Street today
    fruit, e.g. apples => fruit, for example, apples
    i.e., now => that is, now
    tea, etc. => tea, et cetera.
    tea, etc. and so on => tea, et cetera and so on
    cats vs. dogs => cats versus dogs
    AT&T => AT and T
    salt & pepper => salt and pepper
    C++ => C plus plus
    and/or => and or
    NASA => NASA
    World War II => World War two
    #win => hashtag win
    """),
)
def test_abbreviations_and_signs(written: str, said: str) -> None:
    assert speakable(written, "en") == said


def test_number_words_at_the_edges() -> None:
    assert cardinal(0) == "zero"
    assert cardinal(-21) == "minus twenty-one"
    assert cardinal(1_000_000) == "one million"
    assert cardinal(10**36).startswith("one zero zero")
    assert [ordinal(n) for n in (3, 12, 20, 101)] == ["third", "twelfth", "twentieth", "one hundred first"]
    assert [year(n) for n in (1900, 1905, 2000, 2010)] == [
        "nineteen hundred",
        "nineteen oh five",
        "two thousand",
        "twenty ten",
    ]


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    World War I => World War one
    Chapter IV and part XIX => Chapter four and part nineteen
    type II diabetes => type two diabetes
    Henry VIII's wives => Henry the eighth's wives
    Queen Elizabeth I => Queen Elizabeth the first
    Pope John Paul II => Pope John Paul the second
    For my part I think so. => For my part I think so.
    Tell Mary I was late. => Tell Mary I was late.
    Part I'll do later => Part I'll do later
    Vitamin C and plan X => Vitamin C and plan X
    """),
)
def test_roman_numerals(written: str, said: str) -> None:
    assert speakable(written, "en") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    Call 911 or 112. => Call nine one one or one hundred twelve.
    call 300 or 400 people => call three hundred or four hundred people
    call 300 people => call three hundred people
    12,50 € and 1.200,56 EUR => twelve euros and fifty cents and one thousand two hundred euros and fifty-six cents
    1/4 tsp, 3/4 km and 1 1/2 kg => one quarter teaspoon, three quarters kilometer and one and a half kilograms
    5%-10% and 2 km - 3 km => five to ten percent and two to three kilometers
    7.9B and 5B => seven point nine billion and five B
    4 x 100m => four times one hundred meters
    5 m x 4 m => five meters by four meters
    10⁻³, 2⁴ and x¹⁰ => ten to the power of minus three, two to the power of four and x to the power of ten
    e^x => e to the power of x
    20-20 vision => twenty twenty vision
    Rs. 500 in Apt. 5 => five hundred rupees in apartment five
    30 m3 on 5 km2 => thirty cubic meters on five square kilometers
    1h30m => one hour thirty minutes
    2h 5min => two hours five minutes
    C# and F# => C sharp and F sharp
    pp. 3-5, p. 7 => pages three to five, page seven
    a_b-c@x.co.uk => a underscore b dash c at x dot co dot uk
    a_b and c => a b and c
    §5 and 2‰ => section five and two per mille
    invoice 2024-001 => invoice two thousand twenty-four dash zero zero one
    """),
)
def test_what_was_heard_to_be_read_wrong(written: str, said: str) -> None:
    assert speakable(written, "en") == said
