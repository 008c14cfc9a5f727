"""Days and dates: the number of a day, the date of a number, the phase of the moon, Fridays the thirteenth."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Small, truncated

GREGORIAN = 15 + 31 * (10 + 12 * 1582)
REFORM_DAY = 2299161
DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _is_leap(year: int) -> bool:
    if year % 4 != 0:
        return False
    return year < 1583 or year % 100 != 0 or year % 400 == 0


def _day_number(month: int, day: int, year: int) -> int:
    """The Julian day, in the Gregorian calendar from its first day on."""
    if year < 0:
        year += 1
    if month > 2:
        months, years = month + 1, year
    else:
        months, years = month + 13, year - 1
    number = math.floor(365.25 * years) + math.floor(30.6001 * months) + day + 1720995
    if day + 31 * (month + 12 * year) >= GREGORIAN:
        century = truncated(years, 100)
        number += 2 - century + truncated(century, 4)
    return number


def number_of(month: Small, day: Small, year: Small) -> int:
    if year == 0:
        raise ValueError("there is no year 0")
    if not 1 <= month <= 12:
        raise ValueError("no such month")
    longest = DAYS[month - 1] + (1 if month == 2 and _is_leap(year) else 0)
    if not 1 <= day <= longest:
        raise ValueError("no such day")
    return _day_number(month, day, year)


def date_of(thousands: Small, rest: Small) -> tuple[int, int, int]:
    number = 2400000 + 1000 * thousands + rest
    if number >= REFORM_DAY:
        century = int((number - 1867216 - 0.25) / 36524.25)
        number = number + 1 + century - truncated(century, 4)
    elif number < 0:
        raise ValueError("before the first day")
    base = number + 1524
    year = int(6680 + (base - 2439870 - 122.1) / 365.25)
    spent = 365 * year + year // 4
    month = int((base - spent) / 30.6001)
    day = base - spent - int(30.6001 * month)
    month -= 1
    if month > 12:
        month -= 12
    year -= 4715
    if month > 2:
        year -= 1
    if year <= 0:
        year -= 1
    return year, month, day


def moon(lunation: Small, phase: Small) -> str:
    if not 0 <= phase <= 3:
        raise ValueError("no such phase")
    count = lunation + phase / 4
    century = count / 1236.85
    sun = math.radians(359.2242 + 29.105356 * count)
    anomaly = math.radians(306.0253 + 385.816918 * count + 0.010730 * century * century)
    day = 2415020.75933 + 29.53058868 * count + 1.178e-4 * century * century
    if phase in (0, 2):
        day += (0.1734 - 3.93e-4 * century) * math.sin(sun) - 0.4068 * math.sin(anomaly)
    else:
        day += (0.1721 - 4.0e-4 * century) * math.sin(sun) - 0.6280 * math.sin(anomaly)
    fraction = day - math.floor(day)
    if fraction < 0.25:
        return "evening"
    return "night" if fraction < 0.75 else "morning"


def friday(month: Small, year: Small) -> str:
    if not 1 <= month <= 12 or not year >= 1:
        return "no date"
    number = _day_number(month, 13, year + 1000)
    if (number + 1) % 7 != 5:
        return "another day"
    lunations = (number - 2415020.76) / 29.53058868
    age = lunations - math.floor(lunations)
    return "full moon" if 0.48 < age < 0.52 else "friday"
