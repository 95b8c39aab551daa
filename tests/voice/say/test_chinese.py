"""Chinese as tables: written, said."""

from __future__ import annotations

import pytest

from companion.voice.say import speakable


def _table(rows: str) -> list[tuple[str, str]]:
    pairs = (line.split(" => ") for line in rows.strip().splitlines())
    return [(written.strip(), said.strip()) for written, said in pairs]


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    2个人 => 两个人
    第2名 => 第二名
    2楼 => 二楼
    12个 => 十二个
    101 => 一百零一
    1005 => 一千零五
    2000 => 两千
    10010 => 一万零一十
    20000 => 两万
    12345 => 一万两千三百四十五
    100005000 => 一亿零五千
    200000000 => 两亿
    1,234,567 => 一百二十三万四千五百六十七
    1.5亿 => 一点五亿
    3.14 是一个小数 => 三点一四 是一个小数
    -3 => 负三
    007 => 零零七
    iPhone 15 => iPhone 十五
    5G => 五G
    1/2 => 二分之一
    5-10天 => 五到十天
    3:2 => 三比二
    10 - 5 = 5 => 十减五等于五
    3 × 4 = 12 => 三乘四等于十二
    3 < 5 => 三小于五
    """),
)
def test_numbers(written: str, said: str) -> None:
    assert speakable(written, "zh") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    现在是14:30 => 现在是下午两点半
    10:15 是时间 => 十点十五分 是时间
    下午2:30 => 下午两点半
    2:05 pm => 下午两点零五分
    20:00 => 晚上八点
    2小时后 => 两小时后
    2026-11-30 => 二零二六年十一月三十日
    2026年11月30日 => 二零二六年十一月三十日
    11月2日 => 十一月二日
    2号 => 二号
    20年前 => 二十年前
    1990-2000年 => 一九九零年到二零零零年
    """),
)
def test_times_and_dates(written: str, said: str) -> None:
    assert speakable(written, "zh-CN") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    ¥5.00 => 五元
    ¥1.50 => 一元五角
    ¥12.34 => 十二元三角四分
    $5.00 => 五美元
    €20 => 二十欧元
    2元 => 两元
    50% => 百分之五十
    5-10% => 百分之五到百分之十
    -5°C => 零下五摄氏度
    60km/h => 每小时六十公里
    2.5kg => 二点五公斤
    25 m² => 二十五平方米
    打13812345678 => 打幺三八幺二三四五六七八
    拨打120 => 拨打幺二零
    120元 => 一百二十元
    """),
)
def test_amounts_and_telephones(written: str, said: str) -> None:
    assert speakable(written, "zh-Hans") == said


@pytest.mark.parametrize(
    ("written", "said"),
    _table("""
    9:00-17:00 => 九点到下午五点
    写信到 a.b_1@example.com => 写信到 a点b下划线幺 at example点com
    看看 example.com => 看看 example点com
    5元/斤 => 五元每斤
    1‰ => 千分之一
    99.9% => 百分之九十九点九
    航班CA1234 => 航班CA幺二三四
    房间101 => 房间幺零幺
    302室 => 三零二室
    MP3和iPhone 15 => MP三和iPhone 十五
    （>5，<3） => （大于五，小于三）
    GB 18030 => GB 一万八千零三十
    """),
)
def test_what_was_heard_to_be_read_wrong(written: str, said: str) -> None:
    assert speakable(written, "zh") == said
