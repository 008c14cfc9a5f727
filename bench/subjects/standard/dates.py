"""Dates, spans and calendars."""

from __future__ import annotations

import calendar
import datetime


def read_date(text: str) -> datetime.date:
    """A date from its ISO text."""
    return datetime.date.fromisoformat(text)


def date_after(ordinal: int, days: int) -> str:
    """The date some days later, as text."""
    return (datetime.date.fromordinal(ordinal) + datetime.timedelta(days=days)).isoformat()


def make_date(year: int, month: int, day: int) -> int:
    """The ordinal of a date."""
    return datetime.date(year, month, day).toordinal()


def divide_spans(days: int, seconds: int, parts: int) -> datetime.timedelta:
    """A span of time divided by a number."""
    return datetime.timedelta(days=days, seconds=seconds) // parts


def iso_week(year: int, month: int, day: int) -> tuple[int, int, int]:
    """The ISO year, week and weekday of a date."""
    return tuple(datetime.date(year, month, day).isocalendar())


def month_text(year: int, month: int) -> str:
    """The calendar of one month."""
    return calendar.TextCalendar().formatmonth(year, month)


def month_days(year: int, month: int) -> list[list[int]]:
    """The weeks of one month as numbers."""
    return calendar.Calendar(firstweekday=6).monthdayscalendar(year, month)
