"""A line chart on two logarithmic axes as SVG, for a page that may be light or dark."""

import math
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 720, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 20, 60
_STYLE = """
.paper { fill: #ffffff } text { fill: #1f2933; font: 13px sans-serif } .grid { stroke: #c8d0d8 }
.line { fill: none; stroke-width: 2 }
.s0 { stroke: #0b62a8; fill: #0b62a8 } .s1 { stroke: #b04a00; fill: #b04a00 }
.s2 { stroke: #0b7a4b; fill: #0b7a4b } .s3 { stroke: #8a2a86; fill: #8a2a86 }
@media (prefers-color-scheme: dark) {
  .paper { fill: #14181d } text { fill: #e4e9ee } .grid { stroke: #3d4650 }
  .s0 { stroke: #6cb8f5; fill: #6cb8f5 } .s1 { stroke: #f5a35c; fill: #f5a35c }
  .s2 { stroke: #5fd3a0; fill: #5fd3a0 } .s3 { stroke: #e08cdc; fill: #e08cdc }
}
text.label { stroke: none } .line { fill: none }
"""
_DASHES = ("", "8 4", "2 3", "10 3 2 3")


@dataclass(frozen=True, slots=True)
class Series:
    """Points with positive coordinates, in the order of x."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic axis over whole decades."""

    title: str
    low: int
    high: int

    def fraction(self, value: float) -> float:
        """Where ``value`` lies between the ends, from 0 to 1."""
        return (math.log10(value) - self.low) / (self.high - self.low)


def _axis(title: str, values: list[float]) -> Axis:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return Axis(title, low, max(high, low + 1))


def _power(exponent: int) -> str:
    raised = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{raised}"


def log_chart(series: list[Series], x_title: str, y_title: str, description: str) -> str:
    """The chart; ``description`` says in words what it shows, for readers who do not see it."""
    horizontal = _axis(x_title, [x for line in series for x, _ in line.points])
    vertical = _axis(y_title, [y for line in series for _, y in line.points])

    def across(value: float) -> float:
        return _LEFT + horizontal.fraction(value) * (_WIDTH - _LEFT - _RIGHT)

    def down(value: float) -> float:
        return _HEIGHT - _BOTTOM - vertical.fraction(value) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{escape(y_title)} against {escape(x_title)}</title>",
        f"<desc>{escape(description)}</desc>",
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>',
    ]
    for exponent in range(horizontal.low, horizontal.high + 1):
        x = across(10.0**exponent)
        parts.append(f'<path class="grid" d="M{x:.1f} {_TOP}V{_HEIGHT - _BOTTOM}"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">{_power(exponent)}</text>'
        )
    for exponent in range(vertical.low, vertical.high + 1):
        y = down(10.0**exponent)
        parts.append(f'<path class="grid" d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_power(exponent)}</text>')
    for number, line in enumerate(series):
        path = "L".join(f"{across(x):.1f} {down(y):.1f}" for x, y in line.points)
        dashes = f' stroke-dasharray="{_DASHES[number]}"' if _DASHES[number] else ""
        parts.append(f'<path class="s{number} line" d="M{path}"{dashes}/>')
        parts += [
            f'<circle class="s{number}" cx="{across(x):.1f}" cy="{down(y):.1f}" r="3"/>'
            for x, y in line.points
        ]
        y = _TOP + 22 + 20 * number
        parts.append(f'<path class="s{number} line" d="M{_LEFT + 14} {y - 4}h36"{dashes}/>')
        parts.append(f'<text x="{_LEFT + 58}" y="{y}">{escape(line.name)}</text>')
    parts.append(f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 14}" text-anchor="middle">{escape(x_title)}</text>')
    parts.append(
        f'<text transform="translate(18 {_HEIGHT / 2 - 20}) rotate(-90)" text-anchor="middle">{escape(y_title)}</text>'
    )
    return "\n".join([*parts, "</svg>", ""])
