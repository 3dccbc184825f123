"""An invented sweep and an invented ladder."""

from grader.model.ladder import LadderReport, Provenance, RungTiming
from grader.model.reason import as_written, reason
from grader.model.report import Speedup, SpeedupKind
from grader.model.submission import Language
from grader.model.sweep import SweepFigure, SweepReport, SweepRow
from grader.model.verdict import Verdict
from tests.report.examples import EMULATOR


def sweep_row(value: int, seconds: float | None, registers: int = 32, spilled: int = 0) -> SweepRow:
    return SweepRow(
        value=value,
        verdict=Verdict.ACCEPTED,
        reason=reason("case-right"),
        seconds=seconds,
        speedup=None if seconds is None else 3.28e-3 / seconds,
        useful_bytes=1_000_000,
        registers=registers,
        spill_bytes=spilled,
        shared_bytes=2048,
        threads_per_block=256,
        occupancy=0.5,
        limiter="registers",
    )


FAILED_VALUE = SweepRow(
    value=128, verdict=Verdict.CRASHED, reason=as_written("invalid launch: too many threads")
)

# The lectures' table of a thread's tile, on a P100.
SWEEP = SweepReport(
    lab="matmul-int32",
    file="register_tile.cu",
    language=Language.CUDA_C,
    kernel="matmul",
    over="TILE",
    shows=SweepFigure.TIME,
    engine=EMULATOR,
    kind=SpeedupKind.MODELLED,
    baseline="global",
    case="medium",
    sizes={"m": 160, "n": 160},
    rows=(
        sweep_row(1, 3.28e-3),
        sweep_row(2, 2.27e-3),
        sweep_row(4, 2.11e-3, 64),
        sweep_row(8, 2.08e-3, 128),
        sweep_row(16, 7.37e-3, 255, 1024),
        sweep_row(32, 25.8e-3, 255, 4096),
        sweep_row(64, 83.6e-3, 255, 16384),
        FAILED_VALUE,
    ),
)

MADE = Provenance(
    created_at="2026-03-01T12:00:00+00:00",
    grader_version="0.1.0",
    grader_digest="ab" * 32,
    driver="",
    system="Linux",
    python="3.11",
    commit="",
    changed=False,
)


def rung_row(rung: str, seconds: tuple[float, ...], speedup: float, share: float | None = 0.5) -> RungTiming:
    stands = Speedup(
        value=speedup, low=speedup * 0.98, high=speedup * 1.02, kind=SpeedupKind.MODELLED, baseline="global"
    )
    return RungTiming(
        rung=rung,
        kernel="row_sum",
        language=Language.CUDA_C,
        case="medium",
        sizes={"rows": 100, "cols": 90},
        seconds=seconds,
        speedups=(stands,),
        share=share,
    )


LADDER = LadderReport(
    lab="row-sum",
    version="1.0",
    digest="cd" * 32,
    engine=EMULATOR,
    kind=SpeedupKind.MODELLED,
    baseline="global",
    rows=(
        rung_row("global", (4e-5, 4.2e-5, 4.1e-5), 1.0, 0.3),
        rung_row("expert", (1e-5, 1.1e-5, 1.2e-5), 4.0, 0.9),
    ),
)
FAILED_RUNG = RungTiming(
    rung="shared",
    kernel="row_sum",
    language=Language.NUMBA,
    case="medium",
    sizes={"rows": 100, "cols": 90},
    reason=reason("fault", verdict="wrong", reason=as_written("sum[0] is 1, expected 2")),
)
