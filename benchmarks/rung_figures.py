"""What both engines recorded of every reference kernel, side by side."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use
from grader.model.run import EngineKind
from grader.model.submission import Language
from tools.pages import RESULTS

_RIGHT = {EngineKind.EMULATOR: "emulator-rungs.json", EngineKind.CUDA: "gpu-rungs.json"}

_Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One kernel of one rung in one language.

    ``right`` names the cases in which it was right, by engine that there is a record of. ``seconds`` and ``speedup``
    are measured on a GPU on ``shown_case`` of the lab, ``modelled`` is the speedup on the emulator's. ``None`` is
    where there is no record.
    """

    rung: str
    kernel: str
    language: Language
    right: dict[EngineKind, tuple[str, ...]]
    seconds: float | None
    speedup: float | None
    modelled: float | None


def figures_of(lab: Lab) -> list[Figures]:
    """Every reference kernel of ``lab`` that there is a record of, in the order of the ladder."""
    case = shown_case(lab)
    known = dict.fromkeys([*_right(EngineKind.EMULATOR), *_right(EngineKind.CUDA)])
    found = []
    for rung in lab.manifest.rungs:
        for kernel in rung.kernels:
            for language in Language:
                key = (lab.name, rung.name, kernel, str(language))
                if key not in known:
                    continue
                timed = _timed().get((*key, case.name), {})
                found.append(
                    Figures(
                        rung=rung.name,
                        kernel=kernel,
                        language=language,
                        right={
                            engine: tuple(_right(engine)[key]["right"])
                            for engine in EngineKind
                            if key in _right(engine)
                        },
                        seconds=timed.get("seconds"),
                        speedup=timed["speedup"]["value"] if timed else None,
                        modelled=_right(EngineKind.EMULATOR).get(key, {}).get("speedup"),
                    )
                )
    return found


def checked(lab: Lab, engine: EngineKind) -> list[str]:
    """The cases in which ``engine`` checks the kernels of ``lab``."""
    return [case.name for case in lab.manifest.cases if engine in case.engines and Use.CHECK in case.use]


def shown_case(lab: Lab) -> Case:
    """The lab's largest timing case for a GPU of which there are times; without any, the largest."""
    timing = [c for c in lab.manifest.cases if EngineKind.CUDA in c.engines and Use.TIME in c.use]
    timed = {(key[0], key[-1]) for key in _timed()}
    return [c for c in timing if (lab.name, c.name) in timed or not any(lab.name == of for of, _ in timed)][
        -1
    ]


def provenance(engine: EngineKind) -> dict[str, Any]:
    """Where, when and with what the record of ``engine`` was made."""
    return dict(_document(_RIGHT[engine])["provenance"])


@cache
def _document(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    return document


@cache
def _right(engine: EngineKind) -> dict[_Key, dict[str, Any]]:
    return {_key(each): each for each in _document(_RIGHT[engine])["figures"]}


@cache
def _timed() -> dict[tuple[str, ...], dict[str, Any]]:
    return {(*_key(each), each["case"]): each for each in _document("gpu-ladder.json")["figures"]}


def _key(figure: dict[str, Any]) -> _Key:
    return figure["lab"], figure["rung"], figure["kernel"], figure["language"]
