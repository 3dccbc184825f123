"""The kernels, programs of kernels and structs that ``lab.toml`` declares."""

from grader.labs.convert import refuse
from grader.labs.lab_toml import KernelTable, PipelineTable, StructTable
from grader.labs.manifest import KernelRequest
from grader.labs.pipeline import Pipeline, launched_kernels
from grader.model.element_types import C_TYPES, Composite, DType, struct_type
from grader.model.kernel import KernelSpec, Param
from grader.model.plan import Geometry


def structs_of(tables: list[StructTable]) -> tuple[Composite, ...]:
    """The element types that the lab declares. Raises: ``ManifestError``."""
    made: dict[str, Composite] = {}
    for index, table in enumerate(tables):
        where = ("structs", index)
        if not table.name.isidentifier():
            refuse(f"structs: {table.name!r} is no name of a C struct; write e.g. Ray", *where, "name")
        if table.name in made or table.name in C_TYPES or table.name in {each.value for each in DType}:
            refuse(f"structs: there is a type {table.name} already; take another name", *where, "name")
        for member in table.members:
            if member.split(" ", 1)[0] in made:
                refuse(
                    f"struct {table.name}: {member!r} is a struct in a struct; write its members in its place",
                    *where,
                    "members",
                )
        try:
            made[table.name] = struct_type(table.name, table.members)
        except ValueError as error:
            refuse(f"struct {table.name}: {error}", *where, "members")
    return tuple(made.values())


def kernel_request(kernel: KernelTable, structs: tuple[Composite, ...]) -> KernelRequest:
    """The kernel that ``kernel`` asks for. Raises: ``ManifestError``."""
    where = ("kernels", kernel.name)
    if not kernel.name.isidentifier():
        refuse(f"kernels: {kernel.name!r} is no name of a function; write e.g. scan_blocks", *where, "name")
    what = f"kernel {kernel.name}"
    symbols = _params(kernel.symbols, structs, what, *where, "symbols")
    for index, symbol in enumerate(symbols):
        if not symbol.is_array:
            refuse(
                f"{what}: a variable has a size; write '{symbol.dtype} {symbol.name}[1]'",
                *where,
                "symbols",
                index,
            )
    return KernelRequest(
        spec=KernelSpec(
            name=kernel.name,
            params=_params(kernel.params, structs, what, *where, "params"),
            symbols=symbols,
        ),
        launch=Geometry(grid=tuple(kernel.grid), block=tuple(kernel.block), shared=kernel.shared),
        optional=kernel.optional,
    )


def pipeline(table: PipelineTable, structs: tuple[Composite, ...]) -> Pipeline:
    """The program of kernels that ``table`` asks for. Raises: ``ManifestError``."""
    where = ("programs", table.name)
    launched = tuple(dict.fromkeys(launched_kernels(table.steps)))
    if not launched and not table.kernels:
        refuse(
            f"program {table.name} needs steps; where lab.py has them, name the kernels that they launch",
            *where,
        )
    if launched and table.kernels is not None and set(table.kernels) != set(launched):
        refuse(
            f"program {table.name} has steps, which launch {', '.join(launched)}; remove kernels",
            *where,
            "kernels",
        )
    return Pipeline(
        spec=KernelSpec(
            name=table.name,
            params=_params(table.params, structs, f"program {table.name}", *where, "params"),
        ),
        kernels=launched or tuple(table.kernels or ()),
        steps=tuple(table.steps),
    )


def _params(
    texts: list[str], structs: tuple[Composite, ...], what: str, *where: str | int
) -> tuple[Param, ...]:
    params: list[Param] = []
    for index, text in enumerate(texts):
        try:
            params.append(Param.parse(text, structs))
        except ValueError as error:
            refuse(f"{what}: {error}", *where, index)
        if params[-1].name in {each.name for each in params[:-1]}:
            refuse(f"{what}: there is a parameter {params[-1].name} already; rename one", *where, index)
    return tuple(params)
