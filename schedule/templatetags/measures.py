"""The measures of the grid as CSS custom properties: plain numbers, whatever the language."""

from django import template

from schedule.grid import Block, GridDay
from schedule.timescale import Place

register = template.Library()


@register.filter
def as_top(place: Place) -> str:
    """Print where something begins: minutes of open time and lines of folded time above it."""
    return f"--at: {_number(place.minutes)}; --above: {_number(place.lines)}"


@register.filter
def as_length(size: Place) -> str:
    """Print how long something is, in minutes of open time and lines of folded time."""
    return f"--for: {_number(size.minutes)}; --lines: {_number(size.lines)}"


@register.filter
def as_columns(block: Block) -> str:
    """Print which columns a block takes, and its part of them where it shares them."""
    lanes = f"; --lane: {block.lane}; --lanes: {block.lanes}" if block.lanes > 1 else ""
    return f"--column: {block.column}; --span: {block.span}{lanes}"


@register.filter
def as_tracks(day: GridDay) -> str:
    """Print the columns of a day for `grid-template-columns`, how many they are and what they weigh.

    They share the width equally, save where sessions side by side need more of it.
    """
    weights = [column.weight for column in day.columns]
    tracks = " ".join(f"minmax(calc(var(--least) * {_number(weight)}), 1fr)" for weight in weights)
    return f"--columns: {len(weights)}; --weight: {_number(sum(weights))}; --tracks: {tracks}"


def _number(value: float) -> str:
    return f"{round(value, 2):g}" if value < 1e5 else f"{value:.0f}"
