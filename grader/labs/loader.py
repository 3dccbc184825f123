"""Load ``lab.toml`` as a ``Manifest``; every error is one line."""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from grader.config.lines import key_lines
from grader.config.table import Table
from grader.config.wording import display, shown
from grader.labs.consistency import check
from grader.labs.convert import ManifestError, convert, refuse
from grader.labs.finding_rules import finding_rules
from grader.labs.frame import functions
from grader.labs.kernel_tables import kernel_request, pipeline, structs_of
from grader.labs.lab_toml import SCHEMA_VERSION, CaseSet, CaseTable, Kind, LabToml, RungTable
from grader.labs.manifest import (
    Case,
    Manifest,
    Rubric,
    Rung,
    Sweep,
    Tolerance,
)
from grader.labs.needs import needs_of
from grader.labs.program import ProgramRequest
from grader.labs.program_tables import program_request, structure_rules
from grader.labs.rubric_tables import speed_rules, technique_rules


def load_manifest(path: Path) -> Manifest:
    """Read and check ``path``. Raises: ``ManifestError``, one line with file and line number."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        refuse(f"{display(path)} cannot be read: {error.strerror}")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        refuse(f"{display(path)} is not TOML: {error}")
    try:
        _check_sizes_are_whole(content)
        toml = convert(content, LabToml)
        if toml.schema_version != SCHEMA_VERSION:
            found = toml.schema_version
            refuse(
                f"schema_version is {found}; this grader reads {SCHEMA_VERSION}; update it", "schema_version"
            )
        manifest = _manifest(toml)
        check(manifest)
    except ManifestError as error:
        raise with_line(path, error) from None
    return manifest


def _check_sizes_are_whole(content: dict[str, Any]) -> None:
    """Say where numbers that are no sizes belong. Raises: ``ManifestError``."""
    cases = content.get("cases")
    for index, case in enumerate(cases if isinstance(cases, list) else ()):
        sizes = case.get("sizes") if isinstance(case, dict) else None
        for name, size in sizes.items() if isinstance(sizes, dict) else ():
            if isinstance(size, (float, bool)):
                refuse(
                    f"cases[{index}].sizes.{name} is {shown(size)}, and a size is a whole number; "
                    f"a number that kernels get by value stands in values = {{ {name} = {shown(size)} }}",
                    *("cases", index, "sizes", name),
                )


def with_line(path: Path, error: ManifestError) -> ManifestError:
    """``error`` with its line in the manifest at ``path``, which is valid TOML."""
    source = path.read_text(encoding="utf-8")
    table = Table(file=display(path), content=tomllib.loads(source), lines=key_lines(source))
    return ManifestError(table.located(error.where, error.problem))


def _manifest(toml: LabToml) -> Manifest:
    program = _program(toml)
    structs = structs_of(toml.structs)
    return Manifest(
        name=toml.name,
        version=toml.version,
        title=toml.title,
        summary=toml.summary,
        source=toml.source,
        baseline=toml.baseline,
        kernels=tuple(kernel_request(kernel, structs) for kernel in toml.kernels),
        rungs=tuple(
            Rung(name=r.name, kernels=_implemented(r, program), summary=r.summary, no_gain=r.no_gain)
            for r in toml.rungs
        ),
        structs=structs,
        languages=tuple(toml.languages),
        cases=tuple(
            Case(
                name=case.name,
                visibility=case.visibility,
                use=frozenset(case.use),
                sizes=case.sizes,
                inputs=case.inputs,
                engines=frozenset(case.engines),
                values=case.values,
            )
            for case in [*_case_set(toml.case_set), *toml.cases]
        ),
        tolerance=Tolerance(factor=toml.tolerance.factor, derivation=toml.tolerance.derivation),
        rubric=Rubric(
            correctness=toml.rubric.correctness,
            agreement=toml.rubric.agreement,
            technique=technique_rules(toml.rubric.technique),
            structure=structure_rules(toml.rubric.structure),
            speed=speed_rules(toml.rubric.speed, toml.baseline, program),
            findings=finding_rules(toml.rubric.findings),
            weights=toml.rubric.weights,
        ),
        forbid=tuple(toml.forbid),
        macros=toml.macros,
        common=toml.common,
        files=tuple(toml.files),
        handouts=tuple(toml.handouts),
        sweeps=tuple(
            Sweep(over=s.over, values=tuple(s.values), kernel=s.kernel, rung=s.rung, shows=s.shows)
            for s in toml.sweeps
        ),
        work=toml.work,
        reads_all_inputs=toml.reads_all_inputs,
        nearby_sizes=toml.nearby_sizes,
        limits=toml.limits,
        needs=needs_of(toml.needs),
        program=program,
        pipelines=tuple(pipeline(each, structs) for each in toml.programs),
        frame=functions(toml.frame, structs),
    )


def _program(toml: LabToml) -> ProgramRequest | None:
    """The program that the lab asks for. Raises: ``ManifestError`` for a table of the other kind."""
    if toml.kind is Kind.KERNEL:
        if toml.program is not None:
            refuse('[program] belongs to a program lab; add kind = "program" at the top', "program")
        if toml.rubric.structure:
            refuse(
                "rubric.structure judges whole programs; use rubric.technique for kernels",
                "rubric",
                "structure",
            )
        return None
    if toml.program is None:
        refuse("a program lab needs a [program] table with device and params", "kind")
    for key, present in (
        ("kernels", toml.kernels),
        ("programs", toml.programs),
        ("frame", toml.frame),
        ("sweeps", toml.sweeps),
        ("macros", toml.macros),
        ("work", toml.work),
    ):
        if present:
            refuse(
                f"{key} belongs to a lab of kernels; a program lab has [program] instead, so remove it", key
            )
    if toml.rubric.technique or toml.rubric.agreement:
        refuse("a program's rubric has correctness, structure, speed and findings; remove the rest", "rubric")
    return program_request(toml.program)


def _implemented(rung: RungTable, program: ProgramRequest | None) -> tuple[str, ...]:
    """What a rung implements. Raises: ``ManifestError``."""
    if program is not None:
        if rung.kernels is not None:
            refuse(
                f"rung {rung.name} of a program lab is a whole program; remove its kernels",
                "rungs",
                rung.name,
            )
        return (program.name,)
    if rung.kernels is None:
        refuse(f"rung {rung.name} needs kernels, the names of those that it implements", "rungs", rung.name)
    return tuple(rung.kernels)


def _case_set(name: str | None) -> list[CaseTable]:
    """The cases shared by a family of labs: ``case_sets/<name>.toml`` of this package."""
    if name is None:
        return []
    sets = {Path(file.name).stem: file for file in (resources.files("grader.labs") / "case_sets").iterdir()}
    if name not in sets:
        refuse(f"case_set names {name!r}, which is not one of {', '.join(sorted(sets))}", "case_set")
    return msgspec.toml.decode(sets[name].read_bytes(), type=CaseSet).cases
