"""Dialogues with the turn machine, one for each thing that may go wrong between two who talk."""

from __future__ import annotations

import pytest
from doubles.playbook import Playbook

from companion.voice.cues import (
    Announced,
    MuteTurned,
    NotRecognised,
    Pressed,
    Problem,
    Recalled,
    Recognised,
    Released,
    ReplyBegan,
    ReplyEnded,
    ReplyFailed,
    ReplyMoved,
    Stopped,
    Voice,
    Woken,
)
from companion.voice.orders import (
    Announce,
    Answer,
    Chime,
    Duck,
    Forget,
    Hush,
    Ignore,
    Pause,
    Prepare,
    Reason,
    Recognise,
    Resume,
    Sound,
    Tell,
    Unduck,
    Withdraw,
)
from companion.voice.phases import (
    Asleep,
    Deaf,
    Deciding,
    Ducked,
    Hearing,
    Listening,
    Muted,
    Opening,
    Rules,
    Speaking,
    Thinking,
)
from companion.voice.replying import HOLD


@pytest.fixture
def book() -> Playbook:
    return Playbook()


# -- the end of a turn


def test_a_command_ends_a_fifth_of_a_second_after_the_voice(book: Playbook) -> None:
    book.silence(1.0).wake().silence(0.5).voice(1.0).silence(0.12)
    assert book.last(Recognise).spoken_until == pytest.approx(2.5)
    book.recognised("what time is it", command=True)
    assert book.count(Answer) == 0
    book.silence(0.1)
    assert book.when(Answer) == pytest.approx(2.7)
    assert isinstance(book.phase, Thinking)


def test_words_that_come_after_the_silence_end_the_turn_at_once(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.33)
    book.recognised("what time is it", command=True)
    assert book.when(Answer) == pytest.approx(1.83)


def test_the_recogniser_starts_at_a_tenth_of_a_second_of_silence(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.09)
    assert book.count(Recognise) == 0
    book.silence(0.01)
    assert book.last(Recognise) == Recognise(1, began=0.2, spoken_until=1.5, ended=1.6)


@pytest.mark.parametrize(
    ("text", "complete", "silence"),
    [
        ("how high is mount everest", 0.9, 0.3),
        ("how high is mount everest", 0.5, 0.6),
        ("how high is mount everest", None, 0.6),
        ("how high is mount everest", 0.1, 1.5),
        ("how high is the", 0.9, 1.5),
        ("I would like to know how, and", 0.9, 1.5),
        ("我想知道因为", 0.9, 1.5),
    ],
)
def test_the_votes_say_how_long_the_silence_must_be(
    book: Playbook, text: str, complete: float | None, silence: float
) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.15).recognised(text)
    if complete is not None:
        book.judged(complete)
    book.silence(2.0)
    assert book.when(Answer) == pytest.approx(1.5 + silence, abs=0.011)


def test_speech_that_resumes_throws_the_work_away(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.25).recognised("turn on the light").voice(0.5)
    assert isinstance(book.phase, Hearing)
    assert book.orders[-1] == Forget(1)
    book.silence(0.2)
    again = book.last(Recognise)
    assert again.attempt == 2
    assert (again.began, again.spoken_until) == (0.2, pytest.approx(2.25))


def test_words_of_a_thrown_away_attempt_change_nothing(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.15).voice(0.3).silence(0.15)
    book.tell(Recognised(book.at, 1, "stop", command=True)).silence(0.4)
    assert book.count(Answer) == 0


def test_a_thinker_with_a_pause_of_seven_tenths_is_not_cut_off(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.15).recognised("remind me to").judged(0.2).silence(0.55)
    book.voice(1.0)
    assert book.count(Answer) == 0


def test_a_recogniser_that_never_answers_is_told_of(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).silence(12.0)
    assert book.last(Tell) == Tell(2, Problem.HEARING_SLOW, aloud=True)
    assert book.when(Tell) == pytest.approx(1.6 + 10.0, abs=0.011)
    assert book.count(Answer) == 0


def test_a_recogniser_that_fails_is_told_of(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.2).tell(NotRecognised(book.at, 1))
    assert book.last(Tell).problem is Problem.HEARING_FAILED
    book.begun().ended()
    assert isinstance(book.phase, Listening)


def test_no_words_are_no_turn(book: Playbook) -> None:
    book.wake().silence(0.5).voice(0.4).silence(0.2).recognised("")
    assert book.orders[-2:] == [Ignore(Reason.NO_WORDS), Chime(Sound.NOT_UNDERSTOOD)]
    assert isinstance(book.phase, Listening)
    book.voice(0.4).silence(0.2).recognised("")
    assert isinstance(book.phase, Asleep)
    assert book.count(Answer) == 0


def test_a_hum_is_no_turn(book: Playbook) -> None:
    book.wake().silence(0.5).voice(0.4).silence(0.2).recognised("Mm-hmm.").silence(0.2)
    assert book.count(Answer) == 0
    assert isinstance(book.phase, Listening)


def test_the_longest_turn_is_answered_as_it_is_but_not_into_the_voice(book: Playbook) -> None:
    book.wake().silence(0.5).voice(30.5)
    assert book.last(Recognise).ended == pytest.approx(30.2)
    book.recognised("once upon a time there was a king")
    assert book.count(Answer) == 0
    book.voice(1.0).silence(0.01)
    assert book.count(Answer) == 1


def test_talk_without_an_end_is_let_go(book: Playbook) -> None:
    book.wake().silence(0.5).voice(31.0).recognised("and now the news").voice(12.0)
    assert book.last(Ignore).reason is Reason.ENDLESS_TALK
    assert isinstance(book.phase, Asleep)


def test_ears_that_fall_silent_without_a_word_do_not_hold_the_turn(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).ticks(2.5)
    assert book.last(Recognise).ended == pytest.approx(3.5, abs=0.2)
    book.recognised("what time is it", command=True)
    assert isinstance(book.phase, Thinking)


# -- early answers


def test_a_likely_sentence_is_prepared_while_the_silence_runs(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.15).judged(0.5).recognised("how high is mount everest")
    assert book.orders[-1] == Prepare(1)
    book.silence(0.5)
    assert book.orders[-1] == Answer(1)


@pytest.mark.parametrize(("text", "complete", "command"), [("and then", 0.1, False), ("stop", 0.9, True)])
def test_an_unlikely_sentence_or_a_command_is_not(book: Playbook, text: str, complete: float, command: bool) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.12).judged(complete).recognised(text, command=command)
    assert book.count(Prepare) == 0


def test_a_prepared_answer_is_dropped_when_speech_resumes(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.15).recognised("how high is mount everest").voice(0.1)
    assert book.orders[-2:] == [Prepare(1), Forget(1)]


# -- the wake word


def test_what_follows_the_wake_word_at_once_is_heard_without_it(book: Playbook) -> None:
    book.silence(1.0).voice(0.8).wake().voice(1.0).silence(0.15)
    assert book.last(Recognise).began == pytest.approx(1.8)
    book.recognised("what time is it", command=True).silence(0.1)
    assert book.count(Answer) == 1
    assert book.count(Chime) == 0


def test_words_spoken_while_the_wake_word_was_verified_are_not_lost(book: Playbook) -> None:
    book.silence(1.0).voice(0.8 + 0.4).silence(0.15).tell(Woken(book.at, book.at - 0.55)).silence(0.01)
    assert book.last(Recognise).began == pytest.approx(1.8)
    book.recognised("stop", command=True).silence(0.05)
    assert book.count(Answer) == 1


def test_the_end_of_the_wake_word_is_no_turn(book: Playbook) -> None:
    book.voice(0.8).wake().voice(0.15).silence(0.6)
    assert isinstance(book.phase, Listening)
    assert book.orders == [Chime(Sound.LISTENING)]


def test_a_long_end_of_the_wake_word_is_not_taken_for_a_word(book: Playbook) -> None:
    book.voice(0.8).wake().voice(0.3).silence(0.2).recognised("Boo.").silence(0.2)
    assert book.last(Ignore).reason is Reason.ONLY_WAKE_WORD
    assert isinstance(book.phase, Listening)


def test_nobody_who_speaks_after_the_wake_word_is_told_so(book: Playbook) -> None:
    book.wake().silence(6.5)
    assert isinstance(book.phase, Asleep)
    assert book.last(Ignore).reason is Reason.NOTHING_HEARD


def test_the_wake_word_in_a_reply_is_a_barge_in(book: Playbook) -> None:
    book.replying().wake()
    assert book.orders[-1] == Hush(1)
    assert isinstance(book.phase, Listening)


def test_the_wake_word_again_begins_the_sentence_again(book: Playbook) -> None:
    book.wake().silence(0.3).voice(1.0).wake().voice(1.0).silence(0.2)
    assert book.last(Recognise).began == pytest.approx(1.3)


# -- going on before the answer is heard


def test_a_slow_speaker_who_goes_on_is_heard_whole(book: Playbook) -> None:
    book.asked().silence(0.5).voice(1.0)
    assert book.orders[-1] == Withdraw(1)
    book.silence(0.2)
    assert book.last(Recognise).began == pytest.approx(0.5, abs=0.21)


def test_a_cough_while_it_thinks_does_not_cost_the_answer(book: Playbook) -> None:
    book.asked().silence(3.0).voice(0.3)
    assert book.orders[-1] == Pause(1)
    book.silence(0.2).recognised("")
    assert book.orders[-1] == Resume(1)
    assert isinstance(book.phase, Thinking)


def test_a_command_that_has_acted_is_not_asked_again(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).silence(0.25).recognised("set a timer", command=True).voice(0.5)
    assert book.count(Withdraw) == 0
    assert book.orders[-1] == Pause(1)
    book.silence(0.3).recognised("for the eggs").judged(0.9).silence(0.2)
    assert Hush(1) in book.orders
    assert book.orders[-1] == Answer(2)


# -- voice over a reply


def test_a_reply_is_ducked_at_once_and_paused_when_the_voice_holds(book: Playbook) -> None:
    book.replying()
    start = book.at
    book.voice(0.01)
    assert book.orders[-1] == Duck(1)
    book.voice(0.3)
    assert book.orders[-1] == Pause(1)
    assert book.when(Pause) == pytest.approx(start + HOLD, abs=0.011)


def test_its_own_first_syllable_does_not_duck_it(book: Playbook) -> None:
    book.asked().begun().voice(0.25).silence(0.5)
    assert book.count(Duck) == 0


def test_a_voice_that_lasts_beyond_the_settling_ducks(book: Playbook) -> None:
    book.asked().begun().voice(0.4)
    assert book.count(Duck) == 1


def test_a_short_noise_lets_the_reply_go_on(book: Playbook) -> None:
    book.replying().voice(0.15).silence(0.2)
    assert [order for order in book.orders if isinstance(order, Duck | Unduck | Pause)] == [Duck(1), Unduck(1)]
    book.recognised("")
    assert isinstance(book.phase, Speaking)


def test_a_quick_stop_is_still_a_stop(book: Playbook) -> None:
    book.replying().voice(0.12).silence(0.15).recognised("Stop.", command=True)
    assert book.orders[-2:] == [Hush(1), Answer(2)]


@pytest.mark.parametrize("text", ["Mhm.", "uh-huh", "Yeah, okay.", "嗯", ""])
def test_a_backchannel_lets_the_reply_go_on(book: Playbook, text: str) -> None:
    book.replying().voice(0.5).silence(0.2).recognised(text).silence(0.2)
    assert book.orders[-1] == Resume(1)
    book.tell(ReplyBegan(book.at, 1)).silence(0.5).tell(ReplyEnded(book.at, 1))
    assert isinstance(book.phase, Listening)


def test_it_does_not_answer_its_own_words(book: Playbook) -> None:
    book.replying().voice(0.8).silence(0.2).recognised("the tallest mountain is", own=True).silence(0.2)
    assert book.last(Ignore).reason is Reason.OWN_VOICE
    assert book.orders[-1] == Resume(1)


def test_the_end_of_its_own_reply_is_not_taken_for_a_question(book: Playbook) -> None:
    book.replying().tell(ReplyEnded(book.at, 1)).voice(0.5).silence(0.2)
    book.recognised("mountain on land", own=True).silence(0.4)

    assert book.last(Ignore).reason is Reason.OWN_VOICE
    assert book.count(Answer) == 1


def test_real_words_over_a_reply_end_it_and_are_answered(book: Playbook) -> None:
    book.replying().voice(0.9).silence(0.2).recognised("no I meant in Europe").judged(0.9).silence(0.2)
    assert Hush(1) in book.orders
    assert book.orders[-1] == Answer(2)
    assert book.orders.index(Hush(1)) < book.orders.index(Prepare(2))


def test_long_speech_over_a_reply_ends_it_before_the_words_are_known(book: Playbook) -> None:
    book.replying().voice(3.1)
    assert book.orders[-1] == Hush(1)


def test_a_reply_that_ends_under_the_voice_gives_way_to_it(book: Playbook) -> None:
    book.replying().voice(0.1).ended()
    assert book.orders[-1] == Unduck(1)
    assert isinstance(book.phase, Hearing)


def test_without_barge_in_only_the_wake_word_interrupts() -> None:
    book = Playbook(Rules(barge_in=False)).replying().voice(2.0)
    assert book.count(Duck) == 0
    book.wake()
    assert book.orders[-1] == Hush(1)


def test_stop_ends_the_conversation(book: Playbook) -> None:
    book.replying().tell(Stopped(book.at))
    assert book.orders[-1] == Hush(1)
    assert isinstance(book.phase, Asleep)


# -- replies that break


def test_a_model_that_says_nothing_is_told_of(book: Playbook) -> None:
    book.asked().silence(21.0)
    assert [type(order) for order in book.orders[-2:]] == [Hush, Tell]
    assert book.last(Tell).problem is Problem.THINKING_SLOW


def test_a_voice_that_says_nothing_is_shown(book: Playbook) -> None:
    book.asked().tell(ReplyFailed(book.at, 1, Problem.VOICE_FAILED))
    assert book.last(Tell) == Tell(2, Problem.VOICE_FAILED, aloud=False)
    assert isinstance(book.phase, Listening)


def test_a_model_that_dies_mid_sentence_is_told_of(book: Playbook) -> None:
    book.replying().tell(ReplyFailed(book.at, 1, Problem.MODEL_DIED))
    assert book.last(Tell) == Tell(2, Problem.MODEL_DIED, aloud=True)


def test_an_apology_that_fails_is_not_apologised_for(book: Playbook) -> None:
    book.asked().tell(ReplyFailed(book.at, 1, Problem.MODEL_DIED))
    book.tell(ReplyFailed(book.at, 2, Problem.MODEL_DIED))
    assert [order.aloud for order in book.orders if isinstance(order, Tell)] == [True, False]
    assert isinstance(book.phase, Listening)


def test_a_reply_that_stands_still_is_ended(book: Playbook) -> None:
    book.replying().silence(20.0).tell(ReplyMoved(book.at, 1)).silence(20.0)
    assert isinstance(book.phase, Speaking)
    book.silence(11.0)
    assert book.last(Tell).problem is Problem.REPLY_STUCK
    assert not isinstance(book.phase, Speaking)


# -- follow-up, talk key, announcements


def test_after_a_reply_it_listens_for_more_without_the_wake_word(book: Playbook) -> None:
    book.replying().ended().silence(2.0).voice(1.0).silence(0.2).recognised("and in Europe").silence(1.5)
    assert book.count(Answer) == 2


def test_the_follow_up_window_closes(book: Playbook) -> None:
    book.replying().ended().silence(6.1)
    assert isinstance(book.phase, Asleep)
    assert book.count(Ignore) == 0


def test_without_follow_up_it_rests() -> None:
    book = Playbook(Rules(follow_up=0.0)).replying().ended()
    assert isinstance(book.phase, Asleep)
    book = Playbook().replying().ended(follow_up=False)
    assert isinstance(book.phase, Asleep)


def test_the_talk_key_held_keeps_the_turn_open_until_it_is_released(book: Playbook) -> None:
    book.silence(1.0).tell(Pressed(book.at, hold=True)).silence(0.2).voice(1.0).silence(3.0).recognised("it was")
    assert book.count(Answer) == 0
    book.voice(1.0).tell(Released(book.at)).recognised("it was the nightingale")
    assert book.orders[-1] == Answer(book.attempt)


def test_the_talk_key_pressed_twice_ends_the_turn(book: Playbook) -> None:
    book.silence(1.0).tell(Pressed(book.at)).silence(0.3).voice(1.0).tell(Pressed(book.at))
    assert book.last(Recognise).ended == pytest.approx(book.at)
    book.recognised("what time is it")
    assert book.orders[-1] == Answer(1)


def test_the_talk_key_without_a_word_closes_again(book: Playbook) -> None:
    book.tell(Pressed(book.at)).tell(Pressed(book.at))
    assert isinstance(book.phase, Asleep)
    book.tell(Pressed(book.at, hold=True)).silence(1.0).tell(Released(book.at))
    assert isinstance(book.phase, Asleep)
    book.tell(Pressed(book.at)).silence(8.1)
    assert isinstance(book.phase, Asleep)


def test_the_talk_key_interrupts_a_reply(book: Playbook) -> None:
    book.replying().tell(Pressed(book.at))
    assert book.orders[-1] == Hush(1)
    assert isinstance(book.phase, Listening)


def test_an_open_microphone_needs_no_wake_word() -> None:
    book = Playbook(Rules(open_microphone=True)).tell(Stopped(0.0))
    book.silence(60.0).voice(1.0).silence(0.2).recognised("what time is it", command=True).silence(0.1)
    assert book.count(Answer) == 1


def test_an_announcement_waits_until_the_turn_is_over(book: Playbook) -> None:
    book.wake().silence(0.5).voice(0.5).tell(Announced(book.at, "The eggs are done.", "timer"))
    book.voice(0.5).silence(0.2).recognised("hello there").silence(0.6).begun().silence(1.0)
    assert book.count(Announce) == 0
    book.ended().silence(0.1)
    assert book.orders[-1] == Announce(2, "The eggs are done.", "timer")
    book.begun().ended().silence(0.1)
    assert isinstance(book.phase, Listening)
    assert book.phase.opening is Opening.FOLLOW_UP


def test_an_announcement_waits_for_quiet_but_not_for_the_television(book: Playbook) -> None:
    book.voice(1.0).tell(Announced(book.at, "Now.")).voice(1.0).silence(0.3)
    assert book.count(Announce) == 0
    book.silence(0.3)
    assert book.count(Announce) == 1
    book.begun().ended().voice(1.0).tell(Announced(book.at, "Again.")).voice(9.5)
    assert book.count(Announce) == 1
    book.voice(1.0).ticks(0.1)
    assert book.count(Announce) == 2


def test_announcements_are_made_by_the_deaf_and_the_muted(book: Playbook) -> None:
    book.silence(1.0).tell(MuteTurned(book.at, on=True)).tell(Announced(book.at, "Now."))
    assert book.count(Announce) == 1
    book.begun().ended()
    assert isinstance(book.phase, Muted)


def test_an_announcement_nobody_has_heard_yet_is_made_again(book: Playbook) -> None:
    book.silence(1.0).tell(Announced(book.at, "Now.")).wake()
    assert Hush(1) in book.orders
    book.silence(6.5)
    assert book.count(Announce) == 2


def test_an_announcement_is_taken_back_until_it_is_heard(book: Playbook) -> None:
    book.wake().tell(Announced(book.at, "Now.", number=1)).tell(Announced(book.at, "Then.", number=2))
    book.tell(Recalled(book.at, 1)).silence(6.5)
    assert book.orders[-1] == Announce(1, "Then.", "", number=2)
    book.tell(Recalled(book.at, 2))
    assert book.orders[-1] == Hush(1)
    assert isinstance(book.phase, Asleep)
    book.silence(1.0).tell(Announced(book.at, "Now.", number=3)).begun().tell(Recalled(book.at, 3))
    assert isinstance(book.phase, Speaking)
    assert book.count(Hush) == 1
    assert book.turn.waiting == ()


def test_too_many_announcements_are_refused_visibly(book: Playbook) -> None:
    book.wake()
    for number in range(9):
        book.tell(Announced(book.at, str(number)))
    assert book.last(Ignore).reason is Reason.TOO_MANY_ANNOUNCEMENTS
    assert len(book.turn.waiting) == 8


# -- mute and deafness


def test_mute_drops_the_sentence_and_lets_a_reply_go_on(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).tell(MuteTurned(book.at, on=True))
    assert isinstance(book.phase, Muted)
    book.voice(1.0).wake()
    assert isinstance(book.phase, Muted)
    book.tell(MuteTurned(book.at, on=False))
    assert isinstance(book.phase, Asleep)
    book.replying().tell(MuteTurned(book.at, on=True)).voice(3.0)
    assert isinstance(book.phase, Speaking)
    book.ended()
    assert isinstance(book.phase, Muted)


def test_the_talk_key_says_why_it_cannot_hear(book: Playbook) -> None:
    book.tell(MuteTurned(book.at, on=True)).tell(Pressed(book.at))
    assert book.orders[-2:] == [Ignore(Reason.MUTED), Chime(Sound.TROUBLE)]
    book.tell(MuteTurned(book.at, on=False)).lose_ears().tell(Pressed(book.at))
    assert book.orders[-2:] == [Ignore(Reason.NO_MICROPHONE), Chime(Sound.TROUBLE)]


def test_a_lost_microphone_is_shown_and_found_again(book: Playbook) -> None:
    book.lose_ears()
    assert isinstance(book.phase, Deaf)
    book.ticks(100.0).find_ears()
    assert isinstance(book.phase, Asleep)
    assert book.orders == [Chime(Sound.TROUBLE), Chime(Sound.READY)]


def test_a_sentence_that_was_whole_when_the_microphone_went_is_answered(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).lose_ears().recognised("what time is it", command=True)
    assert book.orders[-1] == Answer(1)
    book.begun().ended()
    assert isinstance(book.phase, Deaf)


def test_a_sentence_that_was_cut_by_the_loss_is_asked_for_again(book: Playbook) -> None:
    book.wake().silence(0.5).voice(1.0).lose_ears().recognised("remind me to")
    assert book.last(Tell).problem is Problem.MICROPHONE_LOST
    book.begun().find_ears().ended()
    assert isinstance(book.phase, Listening)


@pytest.mark.parametrize(
    "scene",
    ["asleep", "listening", "hearing", "deciding", "thinking", "speaking", "ducked", "paused"],
)
def test_a_microphone_lost_in_any_phase_comes_back(scene: str) -> None:
    book = Playbook()
    match scene:
        case "listening":
            book.wake()
        case "hearing":
            book.wake().silence(0.3).voice(1.0)
        case "deciding":
            book.wake().silence(0.3).voice(1.0).silence(0.05)
            assert isinstance(book.phase, Deciding)
        case "thinking":
            book.asked()
        case "speaking":
            book.replying()
        case "ducked":
            book.replying().voice(0.1)
            assert isinstance(book.phase, Ducked)
        case "paused":
            book.replying().voice(0.5)
    book.lose_ears().ticks(120.0)
    assert isinstance(book.phase, Deaf)
    book.find_ears()
    assert isinstance(book.phase, Asleep)


def test_silence_for_ten_minutes_orders_nothing(book: Playbook) -> None:
    book.silence(600.0)
    assert book.orders == []


def test_talk_in_the_room_is_not_answered(book: Playbook) -> None:
    book.voice(5.0).silence(2.0).tell(Voice(book.at, book.at)).silence(2.0)
    assert book.orders == []
