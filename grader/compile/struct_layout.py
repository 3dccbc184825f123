"""Compare the layout of a submission's struct with that of the lab's, as the compiler sees it."""

import re

from grader.model.element_types import Composite

PROBE = "grader_probe"
"""The name of a template that is instantiated with what is asked."""

TEMPLATE = f"\ntemplate <unsigned long long... numbers> __global__ void {PROBE}() {{}}\n"
"""The declaration of the template, with mangled names that spell out numbers."""

_NUMBER = re.compile(r"Ly(\d+)E")


def layout_expression(struct: Composite) -> str:
    """An instance of the template: the size of the struct, then offset and size of each member.

    NVRTC 13.0 has no ``__builtin_offsetof``; every release has ``__INTADDR__``, which its ``offsetof`` is made of.
    """
    name = struct.name
    places = [f"(({name} *)nullptr)->{member.name}" for member in struct.members]
    members = (f"__INTADDR__(&{place}), sizeof({place})" for place in places)
    return f"{PROBE}<{', '.join((f'sizeof({name})', *members))}>"


def read_layout(mangled: str) -> tuple[int, ...]:
    """The numbers in the mangled name of an instance."""
    return tuple(map(int, _NUMBER.findall(mangled)))


def expected_layout(struct: Composite) -> tuple[int, ...]:
    """The numbers of the lab's own struct."""
    members = ((member.offset, member.dtype.itemsize * member.count) for member in struct.members)
    return (struct.itemsize, *(number for pair in members for number in pair))


def struct_declaration(struct: Composite) -> str:
    """The struct as a student may write it: ``struct Ray { float origin[3]; float mass; };``."""
    members = (
        f"{member.dtype.c_name} {member.name}{'' if member.count == 1 else f'[{member.count}]'};"
        for member in struct.members
    )
    return f"struct {struct.name} {{ {' '.join(members)} }};"
