"""The contract of all languages; a test class per language inherits from this class."""

import importlib.util
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from pygments.lexers import get_lexer_by_name

from grader import plugins
from grader.compile.assembly import assemble
from grader.engines.emulator.engine import EmulatorEngine
from grader.languages import LanguageSupport, installed, reference
from grader.model.build import AssemblyRequest, BuildRequest, Translation
from grader.model.devices import TESLA_T4
from grader.model.element_types import DType
from grader.model.kernel import KernelSpec, Param
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import LaunchJob, RunOptions
from grader.model.submission import SourceFile
from grader.model.verdict import Verdict
from grader.references import attribute
from grader.similarity.grammars import Grammar

WARM_UP = KernelSpec(name="warm_up", params=(Param.parse("int32 out[n]"),))
THREADS = 64


class LanguageContract:
    """Tests of the contract. Subclasses provide the fixture ``language``."""

    def request(self, language: LanguageSupport, data: bytes, name: str = "mine") -> BuildRequest:
        file = SourceFile(name=f"{name}{language.suffix}", data=data)
        return BuildRequest(language=language.key, files=(file,), kernels=(WARM_UP,))

    def sample(self, language: LanguageSupport) -> Translation:
        return language.translate(self.request(language, language.sample.data))

    def test_the_sample_runs_and_writes_each_threads_index(self, language: LanguageSupport) -> None:
        request = self.request(language, language.sample.data)
        translation = language.translate(request)
        assert translation.fault is None
        assert translation.module is not None
        module = assemble(AssemblyRequest.of(translation.module, request)).module
        assert module is not None
        buffer = Buffer(name="out", dtype=DType.INT32, shape=(THREADS,), role=Role.OUTPUT)
        launch = Launch(
            kernel="warm_up", shape=LaunchShape(grid=Dim3(), block=Dim3(x=THREADS)), args=("out",)
        )
        plan = LaunchPlan(buffers=(buffer,), launches=(launch,))
        result = EmulatorEngine(TESLA_T4).run(LaunchJob(module=module, plan=plan, inputs={}), RunOptions())
        assert result.fault is None
        assert list(np.frombuffer(result.outputs["out"], np.int32)) == list(range(THREADS))

    @pytest.mark.parametrize("data", [b"", b" \n", b"\0\1\2", b"\xff\xfe\0", b"no kernel", b"(" * 5000])
    def test_what_is_no_source_is_a_fault_of_the_submission(
        self, language: LanguageSupport, data: bytes
    ) -> None:
        translation = language.translate(self.request(language, data))
        assert translation.module is None
        faults = [translation.fault, *translation.problems.values()]
        assert {fault.verdict for fault in faults if fault is not None} == {Verdict.FAILED_TO_BUILD}

    def test_a_submission_without_its_suffix_is_a_fault(self, language: LanguageSupport) -> None:
        file = SourceFile(name="mine.txt", data=language.sample.data)
        request = replace(self.request(language, b""), files=(file,))
        fault = language.translate(request).fault
        assert fault is not None
        assert fault.verdict is Verdict.FAILED_TO_BUILD

    def test_a_kernel_that_is_missing_is_a_problem_of_its_own(self, language: LanguageSupport) -> None:
        other = replace(WARM_UP, name="missing")
        request = replace(self.request(language, language.sample.data), kernels=(WARM_UP, other))
        translation = language.translate(request)
        assert translation.module is not None
        assert set(translation.problems) == {"missing"}

    def test_a_translation_reads_no_package_metadata(
        self, language: LanguageSupport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def read(*_: object) -> None:
            pytest.fail("a worker that runs student code looked for plugins")

        monkeypatch.setattr(plugins, "entry_points", read)
        monkeypatch.setattr(plugins, "points", read)
        assert self.sample(language).module is not None

    def test_its_facts_fit_together(self, language: LanguageSupport) -> None:
        suffixes = {language.suffix, language.shared_suffix, *language.header_suffixes}
        assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in suffixes)
        assert language.suffix not in language.header_suffixes
        assert language.sample.name.endswith(language.suffix)
        assert language.mark in language.sample.data
        assert language.label
        assert get_lexer_by_name(language.lexer)
        assert not language.grammar or isinstance(attribute(language.grammar), Grammar)
        assert installed()[language.key] is language

    def test_what_every_command_imports_loads_no_compiler(self, language: LanguageSupport) -> None:
        module = reference(language.key).partition(":")[0]
        spec = importlib.util.find_spec(module)
        assert spec is not None
        script = (
            f"import sys; sys.path[:] = {sys.path!r}\n"
            f"import {module}\n"
            "loaded = {name.partition('.')[0] for name in sys.modules}\n"
            "print(*sorted(loaded & {'numba', 'llvmlite', 'cuda'}))"
        )
        printed = subprocess.check_output([sys.executable, "-c", script], text=True)
        assert printed.split() == []
