"""Which submissions are unusually alike, in a terminal."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.similarity import SimilarityDistribution, SimilarityReport, SimilarPair, View
from grader.report import palette, similarity_text
from grader.report.terminal.overview import plain_table
from grader.report.text import safe_name, safe_text

_BARS = " ▁▂▃▄▅▆▇█"


def similarity_table(report: SimilarityReport, speech: Speech = ENGLISH) -> RenderableType:
    """One row for each listed pair; below, the distribution of the class in every view, and what is not compared."""
    return Group(
        Text(_headline(report, speech)),
        *([_pairs(report, speech)] if report.pairs else [Text(speech.says("nothing-alike"))]),
        *(_distribution(shown, speech) for shown in report.distributions),
        *(Text(safe_text(speech(said)), style=palette.GREY) for said in similarity_text.uncompared(report)),
        Text(speech.says("similarity-is-evidence"), style=palette.GREY),
    )


def _headline(report: SimilarityReport, speech: Speech) -> str:
    own = speech.says("works-compared", count=report.works, lab=safe_name(report.lab))
    if not report.background:
        return own
    return f"{own} {speech.says('former-works', count=report.background)}"


def _pairs(report: SimilarityReport, speech: Speech) -> RenderableType:
    table = plain_table()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column(speech.says("column-student"), overflow="fold", min_width=8)
    table.add_column(speech.says("column-student"), overflow="fold", min_width=8)
    views = [view for view in View if any(similarity_text.measure(pair, view) for pair in report.pairs)]
    for view in views:
        table.add_column(speech(similarity_text.VIEW_TITLES[view]), justify="right")
    table.add_column(speech.says("column-longest-match"), overflow="fold")
    for number, pair in enumerate(report.pairs, start=1):
        table.add_row(
            Text(str(number)),
            Text(safe_name(similarity_text.name(pair.first))),
            Text(safe_name(similarity_text.name(pair.second))),
            *(_cell(pair, view, speech) for view in views),
            Text("\n".join(_longest(pair))),
        )
    return table


def _cell(pair: SimilarPair, view: View, speech: Speech) -> Text:
    found = similarity_text.measure(pair, view)
    style = palette.ORANGE if found is not None and found.is_outlying else ""
    return Text(similarity_text.cell(found, speech), style=style)


def _longest(pair: SimilarPair) -> Iterator[str]:
    longest = max(pair.passages, key=lambda passage: passage.runs, default=None)
    if longest is not None:
        yield from (
            safe_text(similarity_text.location(side, short=True)) for side in (longest.first, longest.second)
        )


def _distribution(shown: SimilarityDistribution, speech: Speech) -> Text:
    most = max(shown.counts)
    bars = "".join(_BARS[-(-count * (len(_BARS) - 1) // most)] for count in shown.counts)
    title = speech(similarity_text.distribution_title(shown))
    line = Text.assemble((f"{title}{speech.colon}", "bold"), "0 % ", (bars, palette.GREY), " 100 %  ")
    return line.append(speech(similarity_text.distribution_text(shown)))
