"""What people say in Chinese, as a recogniser writes it, and the rule and slots it means."""

import pytest
from doubles.rules import matcher

UNDERSTOOD = [
    ("几点了？", "clock.time", {}),
    ("现在几点了", "clock.time", {}),
    ("现在幾點了？", "clock.time", {}),
    ("请问现在是几点？", "clock.time", {}),
    ("现在什么时间", "clock.time", {}),
    ("今天几号？", "clock.date", {}),
    ("今天是几月几号", "clock.date", {}),
    ("今天星期几？", "clock.day", {}),
    ("明天是星期几", "clock.day", {"day": "明天"}),
    ("现在几月？", "clock.month", {}),
    ("今年是哪一年", "clock.year", {}),
    ("停！", "stop", {}),
    ("别说了。", "stop", {}),
    ("安静", "stop", {}),
    ("取消", "never_mind", {}),
    ("算了吧", "never_mind", {}),
    ("再说一遍。", "repeat", {}),
    ("请再说一次", "repeat", {}),
    ("没听清", "repeat", {}),
    ("设一个十分钟的计时器。", "timer.set", {"length": "十分钟"}),
    ("设一个10分钟的计时器", "timer.set", {"length": "10分钟"}),
    ("設一個十分鐘的計時器", "timer.set", {"length": "十分钟"}),
    ("请帮我设一个一个半小时的计时器，谢谢", "timer.set", {"length": "一个半小时"}),
    ("請幫我啟動一個計時器，十分鐘", "timer.set", {"length": "十分钟"}),
    ("倒计时三十秒", "timer.set", {"length": "三十秒"}),
    ("五分钟后叫我", "timer.set", {"length": "五分钟"}),
    ("设置面条计时器十分钟", "timer.set", {"name": "面条", "length": "十分钟"}),
    ("设一个计时器", "timer.ask", {}),
    ("计时器还剩多久？", "timer.left", {}),
    ("还剩多长时间", "timer.left", {}),
    ("现在有哪些计时器", "timer.list", {}),
    ("取消计时器", "timer.cancel", {}),
    ("取消面条计时器", "timer.cancel", {"name": "面条"}),
    ("取消所有计时器", "timer.cancel_all", {}),
    ("明天早上七点叫我起床", "alarm.set", {"when": "明天早上七点"}),
    ("设一个七点的闹钟", "alarm.set", {"when": "七点"}),
    ("设一个闹钟", "alarm.ask", {}),
    ("我有哪些闹钟", "alarm.list", {}),
    ("取消闹钟", "alarm.cancel", {}),
    ("取消所有闹钟", "alarm.cancel_all", {}),
    ("提醒我六点给小明打电话", "reminder.set", {"anchored": "六点", "task": "给小明打电话"}),
    ("提醒我六点半去接孩子", "reminder.set", {"anchored": "六点半", "task": "去接孩子"}),
    ("提醒我六点一起吃饭", "reminder.set", {"anchored": "六点", "task": "一起吃饭"}),
    ("十分钟后提醒我关火", "reminder.set", {"anchored": "十分钟后", "task": "关火"}),
    ("明天早上八点提醒我吃药。", "reminder.set", {"anchored": "明天早上八点", "task": "吃药"}),
    ("提醒我明天开会", "reminder.set", {"anchored": "明天", "task": "开会"}),
    ("给计时器再加五分钟", "timer.extend", {"length": "五分钟"}),
    ("提醒我买牛奶", "reminder.ask", {"task": "买牛奶"}),
    ("12月24号提醒我买树", "reminder.set", {"anchored": "12月24号", "task": "买树"}),
    ("每天早上七点叫我起床", "reminder.repeating", {"task": "起床"}),
    ("设一个15号早上六点的闹钟", "alarm.set", {"when": "15号早上六点"}),
    ("我有哪些提醒", "reminder.list", {}),
    ("取消提醒", "reminder.cancel", {}),
    ("取消所有提醒", "reminder.cancel_all", {}),
    ("大声一点", "volume.up", {}),
    ("声音大一点", "volume.up", {}),
    ("调高音量", "volume.up", {}),
    ("小声一点", "volume.down", {}),
    ("把音量调低", "volume.down", {}),
    ("音量调到百分之五十", "volume.set", {"level": "百分之五十"}),
    ("音量调到50%", "volume.set", {"level": "50%"}),
    ("静音", "volume.mute", {}),
    ("取消静音", "volume.unmute", {}),
    ("音量调到最大", "volume.most", {}),
    ("一百除以四等于多少？", "maths", {"sum": "一百除以四"}),
    ("三加五是多少", "maths", {"sum": "三加五"}),
    ("12×7等于几", "maths", {"sum": "12乘7"}),
    ("九的平方根是多少", "maths", {"sum": "九的平方根"}),
    ("八十的百分之二十等于多少", "maths", {"sum": "八十的百分之二十"}),
    ("谢谢你", "thanks", {}),
    ("你好", "hello", {}),
    ("再见", "goodbye", {}),
    ("你会什么", "help", {}),
    ("记住我妹妹叫小梅。", "memory.remember", {"note": "我妹妹叫小梅"}),
    ("我是谁？", "memory.who_am_i", {}),
    ("我叫什么名字？", "memory.who_am_i", {}),
    ("关于我你知道什么？", "memory.about_me", {}),
    ("你知道关于小梅的什么？", "memory.about", {"who": "小梅"}),
    ("小梅你知道什么", "memory.about", {"who": "小梅"}),
    ("我告诉过你关于小梅的什么？", "memory.told", {"who": "小梅"}),
    ("我妹妹叫什么名字？", "memory.ask", {"who": "妹妹"}),
    ("我住在哪里？", "memory.ask", {}),
    ("忘掉刚才那个", "memory.forget_that", {}),
    ("忘掉关于小梅的一切。", "memory.forget", {"who": "小梅"}),
    ("忘掉一切", "memory.forget", {}),
    ("在我的笔记里找锅炉", "knowledge.search", {"query": "锅炉"}),
    ("搜索我的笔记里的锅炉", "knowledge.search", {"query": "锅炉"}),
]

NOT_UNDERSTOOD = [
    *(
        "",
        "嗯",
        "请",
        "今天天气怎么样",
        "给我讲个笑话",
        "你是谁",
        "巴黎现在几点",
        "几点开门",
        "设一个十分钟",
        "提醒他六点打电话",
    ),
    *(
        "停车场在哪里",
        "取消订单",
        "什么是计时器",
        "声音是什么",
        "三加五的故事",
        "谢谢你的礼物",
        "你好吗我的朋友",
        "一百块钱",
        "十分钟前发生了什么",
    ),
    *("安静的夜晚很美", "我听过这首歌", "明天会下雨吗", "音量是什么意思", "What time is it?"),
]


@pytest.mark.parametrize(("heard", "rule", "slots"), UNDERSTOOD, ids=[heard for heard, _, _ in UNDERSTOOD])
def test_a_command_is_understood(heard: str, rule: str, slots: dict[str, str]) -> None:
    match = matcher("zh").match(heard)

    assert match is not None
    assert (match.rule, dict(match.slots)) == (rule, slots)


@pytest.mark.parametrize("heard", NOT_UNDERSTOOD)
def test_other_sentences_are_left_to_the_model(heard: str) -> None:
    assert matcher("zh").match(heard) is None


def test_every_rule_has_a_phrasing_in_the_table() -> None:
    assert {rule for _, rule, _ in UNDERSTOOD} == set(matcher("zh").rules)


def test_both_languages_know_the_same_commands() -> None:
    assert set(matcher("zh").rules) == set(matcher("en").rules)
