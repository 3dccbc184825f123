"""The times of the rungs in every handout, and all labs with their rungs on one page of the documentation.

``python -m benchmarks.measured_tables`` writes both from the records of the two engines.
"""

from dataclasses import dataclass
from pathlib import Path

from benchmarks.rung_figures import Figures, checked, figures_of, provenance, shown_case
from grader.grading.validate import handout_name
from grader.labs.lab import Lab
from grader.labs.manifest import Rung
from grader.model.run import EngineKind
from grader.model.submission import Language
from tools.labs import recorded_labs
from tools.pages import HANDOUT_SECTION, table, write
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "benchmarks" / "tables" / "labs.md"
"""The page that shows every lab."""

PAGE_SECTION = "labs"

_WHOLE_FROM = 99.95
"""Microseconds from which on no decimals are shown."""

_HUNDREDTHS_BELOW = 9.995


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What a handout's table says, in one language. ``caption`` has places for devices and sizes."""

    caption: str
    header: tuple[str, ...]


_WORDS = {
    "en": _Words(
        caption="{gpu}, {sizes}. A speedup is over the baseline in the same language; *modelled* is the emulator's "
        "model of a {model} on the case that it times.",
        header=("rung", "language", "time, µs", "speedup", "modelled"),
    ),
    "ru": _Words(
        caption="{gpu}, {sizes}. Ускорение считается относительно базового ядра на том же языке; последний столбец — "
        "модель {model} в эмуляторе на том размере, который он хронометрирует.",
        header=("ядро", "язык", "время, мкс", "ускорение", "по модели"),
    ),
    "zh": _Words(
        caption="{gpu}，{sizes}。加速比以同一种语言的基准核函数为 1；“模型”一栏是模拟器按 {model} "
        "的性能模型，在它所计时的规模上得到的加速比。",
        header=("核函数", "语言", "时间，µs", "加速比", "模型"),
    ),
}

_LANGUAGES = {Language.CUDA_C: "CUDA C", Language.NUMBA: "Numba"}


def handouts(lab: Lab) -> dict[Path, str]:
    """What belongs between the marks of each handout of ``lab``."""
    return {lab.folder / handout_name(code): _handout(lab, _WORDS[code]) for code in lab.manifest.handouts}


def _handout(lab: Lab, words: _Words) -> str:
    caption = words.caption.format(
        gpu=provenance(EngineKind.CUDA)["device"],
        sizes=_sizes(lab),
        model=provenance(EngineKind.EMULATOR)["device"],
    )
    rows = [
        [
            _label(lab, each),
            _LANGUAGES[each.language],
            _microseconds(each),
            _times(each.speedup),
            _times(each.modelled),
        ]
        for each in figures_of(lab)
    ]
    return f"{caption}\n\n{table(words.header, rows, numbers_from=2)}"


def page() -> str:
    """All labs: what each asks, and its rungs on both engines."""
    return "\n\n".join(_on_page(lab) for lab in recorded_labs())


def _on_page(lab: Lab) -> str:
    manifest = lab.manifest
    header = [
        *("rung", "language"),
        *("emulator, cases right", "modelled speedup", "GPU, cases right", "time, µs", "speedup"),
    ]
    parts = [
        f"## {lab.name}",
        f"{manifest.title}. {manifest.summary}",
        f"From: {' '.join(manifest.source.split())}. Times at {_sizes(lab)}.",
        table(header, (_page_row(lab, each) for each in figures_of(lab)), numbers_from=2),
        "\n".join(f"- `{rung.name}`: {rung.summary}{_no_gain(rung)}." for rung in manifest.rungs),
    ]
    return "\n\n".join(parts)


def _page_row(lab: Lab, figures: Figures) -> list[str]:
    return [
        _label(lab, figures),
        _LANGUAGES[figures.language],
        _right(lab, figures, EngineKind.EMULATOR),
        _times(figures.modelled),
        _right(lab, figures, EngineKind.CUDA),
        _microseconds(figures),
        _times(figures.speedup),
    ]


def _no_gain(rung: Rung) -> str:
    """Why a rung does not pay, said once where the reason is the same in both languages."""
    by_reason: dict[str, list[str]] = {}
    for language, reason in rung.no_gain.items():
        by_reason.setdefault(reason.rstrip("."), []).append(_LANGUAGES[language])
    return "".join(
        f". No gain today in {' and '.join(languages)}: {reason}" for reason, languages in by_reason.items()
    )


def _right(lab: Lab, figures: Figures, engine: EngineKind) -> str:
    if engine not in figures.right:
        return "–"
    return f"{len(figures.right[engine])} of {len(checked(lab, engine))}"


def _label(lab: Lab, figures: Figures) -> str:
    """The rung; with the kernel where it has several."""
    several = len(lab.manifest.rung(figures.rung).kernels) > 1
    return f"`{figures.rung}`, `{figures.kernel}`" if several else f"`{figures.rung}`"


def _sizes(lab: Lab) -> str:
    return ", ".join(f"{name} = {size}" for name, size in shown_case(lab).sizes.items())


def _microseconds(figures: Figures) -> str:
    if figures.seconds is None:
        return "–"
    value = figures.seconds * 1e6
    decimals = 0 if value >= _WHOLE_FROM else 2 if value < _HUNDREDTHS_BELOW else 1
    return f"{value:,.{decimals}f}".replace(",", " ")


def _times(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    for each_lab in recorded_labs():
        for path, text in handouts(each_lab).items():
            write({HANDOUT_SECTION: text}, path)
    write({PAGE_SECTION: page()}, PAGE)
