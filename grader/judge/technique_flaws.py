"""The technique of each kernel, judged on the observed case and on drawn blocks of the timing case."""

from collections.abc import Mapping

from grader.judge.findings import use_of_unwritten_memory
from grader.judge.kernel_report import launch_of, public_cases
from grader.judge.resources import shared_bytes
from grader.judge.technique import Evidence, technique_flaw
from grader.labs.manifest import Manifest, TechniqueRule
from grader.model.facts import DrawnBlocks, Facts, KernelFacts
from grader.model.reason import Reason, reason


def technique_flaws(facts: Facts, manifest: Manifest) -> dict[TechniqueRule, Reason | None]:
    """The first flaw of every right kernel that the emulator counted, by rule; ``None`` where a rule is met.

    A student learns neither lines nor figures of a hidden case. What a kernel does that depends on memory which nothing
    has written shows no technique: elsewhere it may do something else.
    """
    public, hides = public_cases(manifest), {kernel.name: _hides(kernel) for kernel in facts.kernels}
    undefined = {kernel.name: use_of_unwritten_memory(kernel.diagnostics, public) for kernel in facts.kernels}
    flaws: dict[TechniqueRule, Reason | None] = {}
    for rule, evidence in _judged(facts, manifest).items():
        owner = owner_of(rule, manifest)
        found = ((each, technique_flaw(rule, each)) for each in evidence)
        each, flaw = next(((each, flaw) for each, flaw in found if flaw is not None), (None, None))
        if flaw is None and hides[owner]:
            flaw = reason("other-code-when-timed")
        flaw = flaw if each is None or each.case in public else reason("flaw-in-timed-case")
        flaws[rule] = undefined[owner] or flaw
    return flaws


def observed_in_part(facts: Facts) -> frozenset[str]:
    """The kernels of which no blocks of the timing case could be observed."""
    return frozenset(kernel.name for kernel in facts.kernels if kernel.drawn and kernel.drawn.unfinished)


def two_faced_kernels(facts: Facts, manifest: Manifest) -> Mapping[str, Reason]:
    """Why to flag each kernel with two programs, one for the observed case and one that is timed.

    The size may choose among several programs for good reason. But here the rubric finds a flaw only in the one that
    is timed, or the emulator could observe only the other one.
    """
    hidden = {kernel.name for kernel in facts.kernels if _hides(kernel)}
    other_code = {kernel.name for kernel in facts.kernels if kernel.drawn and kernel.drawn.other_code}
    return {
        owner: reason("other-code-when-timed")
        for rule, (observed, *timed) in _judged(facts, manifest).items()
        if (owner := owner_of(rule, manifest)) in other_code
        and technique_flaw(rule, observed) is None
        and (owner in hidden or any(technique_flaw(rule, each) for each in timed))
    }


def _hides(kernel: KernelFacts) -> bool:
    """Whether the timing case runs other code than the observed case, and none of its blocks could be observed."""
    drawn = kernel.drawn
    return drawn is not None and drawn.other_code is not None and drawn.unfinished is not None


def _judged(facts: Facts, manifest: Manifest) -> dict[TechniqueRule, list[Evidence]]:
    """The evidence for each rule about a kernel that is right and counted."""
    evidence = {
        kernel.name: _evidence(facts, kernel, manifest)
        for kernel in facts.kernels
        if kernel.fault is None and kernel.all_cases_passed and kernel.built is not None and kernel.observed
    }
    drawn = {kernel.name: kernel.drawn for kernel in facts.kernels}
    judged: dict[TechniqueRule, list[Evidence]] = {}
    for rule in manifest.rubric.technique:
        owner = owner_of(rule, manifest)
        if found := evidence.get(owner):
            if rule.kernel != owner:
                found = [each.of(rule.kernel) for each in found]
            judged[rule] = found if counts_in_drawn_blocks(rule, drawn[owner]) else found[:1]
    return judged


def owner_of(rule: TechniqueRule, manifest: Manifest) -> str:
    """What is graded with the kernel of ``rule``: itself, or the first program that launches it."""
    return manifest.owners(rule.kernel)[0]


def counts_in_drawn_blocks(rule: TechniqueRule, drawn: DrawnBlocks | None) -> bool:
    """Whether drawn blocks can break ``rule``.

    Where a lab sets the share itself, only some inputs need the technique, and a few blocks may have none of them. Such
    a rule is judged in drawn blocks only if they run other code.
    """
    return drawn is not None and (rule.at_least is None or drawn.other_code is not None)


def _evidence(facts: Facts, kernel: KernelFacts, manifest: Manifest) -> list[Evidence]:
    """The whole observed case first, then drawn blocks of the timing case."""
    shared = shared_bytes(kernel.built, launch_of(facts, kernel, manifest)) if kernel.built else 0
    runs = [(facts.observed_case, kernel.observed)]
    if kernel.drawn is not None and kernel.drawn.counters:
        runs.append((kernel.drawn.case, kernel.drawn.counters))
    return [Evidence(shared_bytes=shared, counters=counters, case=case) for case, counters in runs]
