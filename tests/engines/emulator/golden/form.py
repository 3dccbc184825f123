"""An operation to compare with hardware: its PTX, its operands and the required accuracy."""

import hashlib
from dataclasses import dataclass

LANES = 256
"""Number of operands of every form: one block of this many threads."""

KERNEL = "form"
"""The name of every form's kernel. Its parameters are the operands' buffers and the result's, all of ``b64``."""

_WIDTH = {"pred": 32, "f16x2": 32, "lane": 32, "small": 32, "position": 32}


@dataclass(frozen=True, slots=True)
class Bound:
    """Largest difference between two correct results; one satisfied limit is enough.

    ``ulp`` counts representable numbers of the result's type, ``relative`` and ``absolute`` are of the value.
    ``inside`` is the largest magnitude of the first operand for which the source states the bound. ``source`` names
    the source.
    """

    source: str
    ulp: int = 0
    relative: float = 0.0
    absolute: float = 0.0
    inside: float = float("inf")


@dataclass(frozen=True, slots=True)
class Form:
    """One operation form.

    ``ins`` and ``out`` are kinds of operands (see ``operands``): a PTX type, or ``f16x2``, ``lane``, ``small``,
    ``position``. ``ptx`` is a module with the single kernel ``KERNEL``. Without a bound, results must be bit-exact.
    """

    name: str
    ins: tuple[str, ...]
    out: str
    ptx: str
    bound: Bound | None = None

    @property
    def digest(self) -> str:
        """Key of a recorded result: a hash of the PTX and of the kinds of operands."""
        return hashlib.sha256("\n".join((*self.ins, self.out, self.ptx)).encode()).hexdigest()[:12]

    @property
    def out_bytes(self) -> int:
        """Bytes of one stored result."""
        return width(self.out) // 8


def width(kind: str) -> int:
    """Bits of a kind of operand, at least 16: registers are no narrower."""
    return _WIDTH.get(kind) or max(int(kind.lstrip("subf")), 16)


def form(text: str, ins: str, out: str, *, name: str = "", bound: Bound | None = None) -> Form:
    """A form from PTX text in which ``{d}`` is the result and ``{0}``, ``{1}``... are the operands.

    A text without operands gets the default ones: ``add.s32`` is ``add.s32 {d}, {0}, {1};``. Registers ``%p %q %r``
    (predicates), ``%h0``–``%h3``, ``%w0``–``%w3`` and ``%l0``–``%l3`` (16, 32 and 64 bits) are available.
    """
    kinds = tuple(ins.split())
    if not text.endswith(";"):
        name = name or text
        text = f"{text} {', '.join(['{d}', *(f'{{{i}}}' for i in range(len(kinds)))])};"
    return Form(name or text.split(" ")[0], kinds, out, _module(text, kinds, out), bound)


def _module(text: str, kinds: tuple[str, ...], out: str) -> str:
    loads, registers = [], []
    for i, kind in enumerate(kinds):
        bits = width(kind)
        registers.append(f".reg .b{bits} %x{i};")
        loads.append(f"ld.param.u64 %a, [p{i}]; add.s64 %a, %a, %o; ld.global.u64 %v, [%a];")
        loads.append(f"mov.b64 %x{i}, %v;" if bits == 64 else f"cvt.u{bits}.u64 %x{i}, %v;")
    bits = width(out)
    body = text.format(*(f"%x{i}" for i in range(len(kinds))), d="%d")
    widen = "mov.b64 %v, %d;" if bits == 64 else f"cvt.u64.u{bits} %v, %d;"
    if out == "pred":
        body, widen = f"{body} selp.u32 %d, 1, 0, %p;", "cvt.u64.u32 %v, %d;"
    parameters = ", ".join(f".param .u64 p{i}" for i in range(len(kinds) + 1))
    return "\n".join(
        (
            ".version 8.3\n.target sm_75\n.address_size 64",
            f".visible .entry {KERNEL}({parameters})",
            "{",
            ".reg .b32 %t, %w<4>; .reg .b64 %a, %o, %v, %l<4>; .reg .b16 %h<4>; .reg .pred %p, %q, %r;",
            f".reg .b{bits} %d; {' '.join(registers)}",
            "mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 8;",
            *loads,
            body,
            f"ld.param.u64 %a, [p{len(kinds)}]; add.s64 %a, %a, %o;",
            f"{widen} st.global.u64 [%a], %v;",
            "ret;\n}\n",
        )
    )
