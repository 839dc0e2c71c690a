"""Dates, times and durations.

See: RFC 3339, sections 5.6 and 5.7 (restrictions) and appendix A (durations).
"""

from __future__ import annotations

import re

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))")
_CLOCK = "T(?:{n}H(?:{n}M(?:{n}S)?)?|{n}M(?:{n}S)?|{n}S)".format(n="[0-9]++")
_CALENDAR = "(?:{n}Y(?:{n}M(?:{n}D)?)?|{n}M(?:{n}D)?|{n}D)".format(n="[0-9]++")
_DURATION = re.compile(f"P(?:{_CALENDAR}(?:{_CLOCK})?|{_CLOCK}|[0-9]++W)")
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAY_MINUTES = 24 * 60


def is_date(value: str) -> bool:
    """RFC 3339 full-date, of a day that exists."""
    match = _DATE.fullmatch(value)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    if not 1 <= month <= 12:
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + (is_leap and month == 2)


def is_time(value: str) -> bool:
    """RFC 3339 full-time; second 60 only in the last minute of a day of UTC."""
    match = _TIME.fullmatch(value)
    if match is None:
        return False
    hour, minute, second = int(match[1]), int(match[2]), int(match[3])
    away_hours, away_minutes = int(match[5] or 0), int(match[6] or 0)
    if hour > 23 or minute > 59 or second > 60 or away_hours > 23 or away_minutes > 59:
        return False
    if second < 60:
        return True
    away = away_hours * 60 + away_minutes
    utc = hour * 60 + minute + (away if match[4] == "-" else -away)
    return utc % _DAY_MINUTES == _DAY_MINUTES - 1


def is_date_time(value: str) -> bool:
    """RFC 3339 date-time."""
    return value[10:11] in ("T", "t") and is_date(value[:10]) and is_time(value[11:])


def is_duration(value: str) -> bool:
    """RFC 3339 duration."""
    return _DURATION.fullmatch(value) is not None
