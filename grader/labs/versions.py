"""Versions of a lab: one digest of what decides facts, one of what turns facts into points.

The facts of a submission are what compiling, checking, observing and timing it finds. The rubric turns them into a
score. So a change of ``rubric_digest`` needs no kernel to run again, and a change of ``code_version`` does. Each digest
covers named parts, such as ``cases.medium``, and ``changed_parts`` says which of them differ.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import msgspec

from grader.digests import file_digests
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Manifest, Rung, largest_public

Parts = Mapping[str, str]
"""A digest for each part of a lab, by the part's name: a word, or a word and a name with a dot between."""

_DESCRIBED = ("lab.toml", "README", "starter/", "mutants/")
"""Files of a lab that no grading reads, by the beginning of their names; parts cover the manifest by its meaning."""

_PLAIN = ("baseline", "forbid", "macros", "work", "reads_all_inputs", "nearby_sizes", "limits")
"""Fields of the manifest that decide facts and are one part each."""


def code_version(lab: Lab) -> str:
    """The digest of everything that decides the facts of a submission. Raises: ``OSError``."""
    return _combined(code_parts(lab))


def rubric_digest(lab: Lab) -> str:
    """The digest of everything that turns facts into a score: points, thresholds, names, texts, visibility."""
    return _combined(rubric_parts(lab))


def code_parts(lab: Lab) -> dict[str, str]:
    """The parts of ``code_version``. Raises: ``OSError`` if a file of the lab cannot be read."""
    manifest = lab.manifest
    observed = largest_public(manifest.cases)
    parts: dict[str, Any] = {
        "code": {
            name: digest
            for name, digest in file_digests(lab.folder).items()
            if not name.startswith(_DESCRIBED)
        },
        "common": {} if lab.common is None else file_digests(lab.common),
        "tolerance": manifest.tolerance.factor,
        "timed": _timed(manifest),
        # The emulator observes one case, and which one depends on what is public.
        "observed": None if observed is None else observed.name,
        **{name: getattr(manifest, name) for name in _PLAIN},
        **{f"kernels.{kernel.spec.name}": kernel for kernel in manifest.kernels},
        **{f"programs.{pipeline.spec.name}": pipeline for pipeline in manifest.pipelines},
        **({} if manifest.program is None else {"program": manifest.program}),
        **({"frame": manifest.frame} if manifest.frame else {}),
        **({"languages": manifest.languages} if manifest.languages else {}),
        **{f"cases.{case.name}": _inputs_of(case) for case in manifest.cases},
    }
    sources = file_digests(lab.reference)
    for rung in manifest.rungs:
        parts[f"rungs.{rung.name}"] = (rung.kernels, _sources_of(rung, sources))
    return {name: _digest(value) for name, value in parts.items()}


def rubric_parts(lab: Lab) -> dict[str, str]:
    """The parts of ``rubric_digest``."""
    manifest = lab.manifest
    parts: dict[str, Any] = {
        **{
            field.name: getattr(manifest.rubric, field.name)
            for field in fields(manifest.rubric)
            # Without weights the digest is that of releases which had none.
            if field.name != "weights" or manifest.rubric.weights
        },
        **{name: getattr(manifest, name) for name in ("version", "title", "summary")},
        **{f"visibility.{case.name}": case.visibility for case in manifest.cases},
    }
    return {name: _digest(value) for name, value in parts.items()}


def changed_parts(before: Parts, after: Parts) -> tuple[str, ...]:
    """The names of parts that were added, removed or changed, sorted."""
    return tuple(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))


def _timed(manifest: Manifest) -> Any:
    """The pairs of kernel and rung that speed rules ask for, and whether outputs of kernels are compared."""
    pairs = {(rule.kernel, rule.over) for rule in manifest.rubric.speed if rule.over is not None}
    return sorted(pairs), manifest.rubric.agreement > 0


def _inputs_of(case: Case) -> Any:
    return {
        field.name: getattr(case, field.name)
        for field in fields(case)
        # Without values the digest is that of releases which had none.
        if field.name not in {"name", "visibility"} and (field.name != "values" or case.values)
    }


def _sources_of(rung: Rung, sources: Mapping[str, str]) -> Any:
    return {name: digest for name, digest in sources.items() if name.partition(".")[0] == rung.name}


def _combined(parts: Parts) -> str:
    return _digest(dict(parts))


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()
