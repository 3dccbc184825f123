"""A synthetic class for the similarity benchmark: independent works on one lab, in the ways students differ.

Each work is drawn from the choices that students of a matrix product make: with or without tiles, their size, how rows
and columns are computed, how bounds are guarded, which loop computes what, how sums are kept. Two works that draw the
same choices are alike without a copy, as in a real class.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.submission import Language, SourceFile, Submission

LAB = "matmul"

_NAMES = {
    "row": ("row", "r", "i", "y", "rowIndex", "gy", "line"),
    "col": ("col", "j", "x", "colIndex", "gx", "column"),
    "sum": ("sum", "acc", "total", "s", "value", "result", "tmp"),
    "step": ("step", "t", "p", "phase", "base", "chunk"),
    "inner": ("kk", "q", "l", "n0", "inner", "d"),
    "first": ("As", "tileA", "a_tile", "sa", "blockA", "shA"),
    "second": ("Bs", "tileB", "b_tile", "sb", "blockB", "shB"),
}
_COMMENTS = ("// one thread per element", "/* load a tile */", "// one tile", "// bounds", "", "")


@dataclass(frozen=True)
class Choices:
    """What one student decides; texts are parts of the source, ``{0}`` stands for what they are about."""

    names: dict[str, str]
    tiled: bool
    tile: int
    per_thread: int
    macro: bool
    helper: str
    short_ids: bool
    columns_first: bool
    index: str
    access: str
    multiply: str
    guard: str
    padding: str
    pragma: str
    sums: int
    transposed: bool
    flat: bool
    second_first: bool
    counted_steps: bool
    descending: bool
    strided: bool
    scaled: str
    seed: int


def draw(random_: random.Random) -> Choices:
    """The choices of one student."""
    used: set[str] = set()
    names = {}
    for what, options in _NAMES.items():
        names[what] = random_.choice([each for each in options if each not in used])
        used.add(names[what])
    tiled = random_.random() < 0.75
    return Choices(
        names=names,
        tiled=tiled,
        tile=random_.choice((8, 16, 16, 32)),
        per_thread=random_.choice((1, 1, 1, 2, 4)),
        macro=random_.random() < 0.7,
        helper=random_.choice(("", "", "", "ternary", "early")),
        short_ids=random_.random() < 0.4,
        columns_first=random_.random() < 0.3,
        index=random_.choice(
            ("{0} * {1} + {2}", "{2} + {0} * {1}", "(size_t){0} * {1} + {2}", "(long long)({0}) * {1} + {2}")
        ),
        access=random_.choice(("{0}[{1}]", "{0}[{1}]", "*({0} + {1})", "__ldg(&{0}[{1}])")),
        multiply=random_.choice(
            (
                "{0} += {1} * {2};",
                "{0} = {0} + {1} * {2};",
                "{0} = fmaf({1}, {2}, {0});",
                "{0} += __fmul_rn({1}, {2});",
            )
        ),
        guard=random_.choice(("ternary", "if", "product", "clamped")),
        padding=random_.choice(("", "", " + 1", " + 4")),
        pragma=random_.choice(("", "", "#pragma unroll", "#pragma unroll 4", "#pragma unroll 2")),
        sums=random_.choice((1, 1, 1, 2, 4)),
        transposed=random_.random() < 0.2,
        flat=random_.random() < 0.2,
        second_first=random_.random() < 0.3,
        counted_steps=random_.random() < 0.4,
        descending=random_.random() < 0.15,
        strided=random_.random() < 0.15,
        scaled=random_.choice(("{0}", "{0}", "{0}", "1.0f * {0}", "{0} + 0.0f")),
        seed=random_.randrange(1 << 30),
    )


class _Writer:
    """Writes one student's work in CUDA C."""

    def __init__(self, own: Choices) -> None:
        self.own = own
        self.name = own.names
        self.random = random.Random(own.seed)
        self.size = "TILE" if own.macro else str(own.tile)
        self.x, self.y = ("tx", "ty") if own.short_ids else ("threadIdx.x", "threadIdx.y")

    def source(self) -> str:
        own, name = self.own, self.name
        rows = own.tile * own.per_thread
        ids = [
            f"int {name['row']} = blockIdx.y * {self.size} * {own.per_thread} + {self.y};",
            f"int {name['col']} = blockIdx.x * {self.size} + {self.x};",
        ]
        body = [
            *(["const int tx = threadIdx.x;", "const int ty = threadIdx.y;"] if own.short_ids else []),
            *(reversed(ids) if own.columns_first else ids),
            *(self._tiled() if own.tiled else self._direct()),
        ]
        lines = [
            *([f"#define TILE {own.tile}"] if own.macro else []),
            *self._helper(),
            f"// @launch matmul grid=(ceil(n / {own.tile}), ceil(m / {rows})) block=({own.tile}, {own.tile})",
            "__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k)",
            "{",
            *(f"    {line}" for line in body if line.strip()),
            "}",
        ]
        return "\n".join(lines) + "\n"

    def _comment(self) -> str:
        return self.random.choice(_COMMENTS)

    def _helper(self) -> list[str]:
        head = "__device__ float pick(const float *p, int i, int j, int h, int w) {"
        if self.own.helper == "ternary":
            return [head, "    return (i < h && j < w) ? p[i * w + j] : 0.0f;", "}"]
        if self.own.helper == "early":
            return [head, "    if (i >= h || j >= w)", "        return 0;", "    return p[i * w + j];", "}"]
        return []

    def _element(self, array: str, row: str, col: str, width: str) -> str:
        at = self.own.index.format(f"({row})", width, f"({col})")
        return self.own.access.format(array, at)

    def _checked(  # noqa: PLR0913, PLR0917 - what an access names
        self, target: str, array: str, row: str, col: str, height: str, width: str
    ) -> list[str]:
        """Statements that set ``target`` to an element, or to zero outside the array."""
        own = self.own
        inside = f"{row} < {height} && {col} < {width}"
        if own.helper:
            return [f"{target} = pick({array}, {row}, {col}, {height}, {width});"]
        element = self._element(array, row, col, width)
        if own.guard == "ternary":
            return [f"{target} = ({inside}) ? {element} : 0.0f;"]
        if own.guard == "if":
            return [f"{target} = 0.0f;", f"if ({inside})", f"    {target} = {element};"]
        if own.guard == "product":
            return [f"if (!({inside}))", f"    {target} = 0.0f;", "else", f"    {target} = {element};"]
        clamped = self._element(array, f"min({row}, {height} - 1)", f"min({col}, {width} - 1)", width)
        return [f"{target} = {clamped} * ({inside});"]

    def _sums(self) -> list[str]:
        own, total = self.own, self.name["sum"]
        if own.per_thread > 1:
            return [f"float {total}[{own.per_thread}] = {{}};"]
        return [f"float {total}{number or ''} = 0.0f;" for number in range(own.sums)]

    def _add(self, left: str, right: str, inner: str) -> list[str]:
        own, total = self.own, self.name["sum"]
        if own.per_thread > 1:
            return [
                f"for (int u = 0; u < {own.per_thread}; u++)",
                f"    {own.multiply.format(f'{total}[u]', left, right)}",
            ]
        if own.sums == 1:
            return [own.multiply.format(total, left, right)]
        lines = []
        for number in range(own.sums):
            lines += [
                f"if ({inner} % {own.sums} == {number})",
                f"    {own.multiply.format(f'{total}{number or str()}', left, right)}",
            ]
        return lines

    def _loop(self, name: str, end: str) -> str:
        if self.own.descending:
            return f"for (int {name} = {end} - 1; {name} >= 0; {name}--) {{"
        return f"for (int {name} = 0; {name} < {end}; {name}++) {{"

    def _shared(self, array: str, row: str, col: str) -> str:
        pitch = f"({self.size}{self.own.padding})"
        return f"{array}[({row}) * {pitch} + {col}]" if self.own.flat else f"{array}[{row}][{col}]"

    def _declared(self, array: str, rows: str) -> str:
        pitch = f"{self.size}{self.own.padding}"
        return (
            f"__shared__ float {array}[{rows} * ({pitch})];"
            if self.own.flat
            else f"__shared__ float {array}[{rows}][{pitch}];"
        )

    def _tiled(self) -> Iterator[str]:
        own, size, x, y = self.own, self.size, self.x, self.y
        row, col, step, inner = (self.name[key] for key in ("row", "col", "step", "inner"))
        first, second = self.name["first"], self.name["second"]
        many = own.per_thread > 1
        yield self._comment()
        yield self._declared(first, f"{size} * {own.per_thread}" if many else size)
        yield self._declared(second, size)
        yield from self._sums()
        if own.counted_steps:
            yield f"for (int {step} = 0; {step} < (k + {size} - 1) / {size}; {step}++) {{"
            at = f"{step} * {size}"
        else:
            yield f"for (int {step} = 0; {step} < k; {step} += {size}) {{"
            at = step
        yield f"    {self._comment()}"
        up, across = (x, y) if own.transposed else (y, x)
        load_second = self._checked(self._shared(second, up, across), "b", f"{at} + {y}", col, "k", "n")
        if many:
            target = self._shared(first, f"{y} + u * {size}", x)
            load = self._checked(target, "a", f"{row} + u * {size}", f"{at} + {x}", "m", "k")
            load_first = [
                f"for (int u = 0; u < {own.per_thread}; u++) {{",
                *(f"    {line}" for line in load),
                "}",
            ]
        else:
            load_first = self._checked(self._shared(first, y, x), "a", row, f"{at} + {x}", "m", "k")
        loads = (load_second, load_first) if own.second_first else (load_first, load_second)
        yield from (f"    {line}" for load in loads for line in load)
        yield "    __syncthreads();"
        yield f"    {own.pragma}"
        yield f"    {self._loop(inner, size)}"
        right = self._shared(second, x, inner) if own.transposed else self._shared(second, inner, x)
        left = self._shared(first, f"{y} + u * {size}" if many else y, inner)
        if many:
            yield f"        float right = {right};"
            right = "right"
        yield from (f"        {line}" for line in self._add(left, right, inner))
        yield "    }"
        yield "    __syncthreads();"
        yield "}"
        yield from self._result()

    def _direct(self) -> Iterator[str]:
        own = self.own
        row, col, inner, total = (self.name[key] for key in ("row", "col", "inner", "sum"))
        yield self._comment()
        yield from self._sums()
        if own.strided:
            yield f"const float *from = b + {col};"
        yield own.pragma
        yield self._loop(inner, "k")
        if own.strided:
            yield f"    float right = {col} < n ? from[{inner} * n] : 0.0f;"
        else:
            yield "    float right;"
            yield from (f"    {line}" for line in self._checked("right", "b", inner, col, "k", "n"))
        if own.per_thread > 1:
            at = f"{row} + u * {self.size}"
            yield f"    for (int u = 0; u < {own.per_thread}; u++) {{"
            yield "        float left;"
            yield from (f"        {line}" for line in self._checked("left", "a", at, inner, "m", "k"))
            yield f"        {own.multiply.format(f'{total}[u]', 'left', 'right')}"
            yield "    }"
        else:
            yield "    float left;"
            yield from (f"    {line}" for line in self._checked("left", "a", row, inner, "m", "k"))
            yield from (f"    {line}" for line in self._add("left", "right", inner))
        yield "}"
        yield from self._result()

    def _result(self) -> Iterator[str]:
        own, total, col = self.own, self.name["sum"], self.name["col"]
        if own.per_thread > 1:
            row, value = f"({self.name['row']} + u * {self.size})", f"{total}[u]"
            yield f"for (int u = 0; u < {own.per_thread}; u++)"
        else:
            row = self.name["row"]
            value = " + ".join(f"{total}{number or ''}" for number in range(own.sums))
        yield f"if ({row} < m && {col} < n)"
        yield f"    c[{own.index.format(row, 'n', col)}] = {own.scaled.format(f'({value})')};"


def submission(student: str, source: str, language: Language = Language.CUDA_C) -> Submission:
    """``source`` as the work of ``student``."""
    suffix = ".cu" if language == Language.CUDA_C else ".py"
    file = SourceFile(name=f"{LAB}{suffix}", data=source.encode())
    return Submission(student=student, lab=LAB, language=language, files=(file,), path=f"{student}{suffix}")


def works(size: int, seed: int) -> list[str]:
    """The sources of a class of ``size`` students who did not copy."""
    random_ = random.Random(seed)
    return [_Writer(draw(random_)).source() for _ in range(size)]
