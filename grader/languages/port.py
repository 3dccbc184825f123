"""The language port: facts about a language, and where its compiler is.

A package registers a ``LanguageSupport`` under its key as an entry point in the group ``grader.languages``. Importing
it must be cheap: every command does. Its translator must pass the contract in ``tests/languages/contract.py``.
"""

from dataclasses import dataclass

from grader.model.build import BuildRequest, Translation
from grader.model.kernel import KernelSpec
from grader.model.submission import Language, SourceFile
from grader.references import attribute

GROUP = "grader.languages"
"""The group of entry points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageSupport:
    """One language. Suffixes are in lower case, with their dot.

    ``label`` is the name for people. ``suffix`` marks a source file, ``header_suffixes`` what sources may include, and
    ``host_suffixes`` further files of whole programs. ``shared_suffix`` is for code that reference kernels of several
    labs share. A file without ``mark`` defines no kernel.
    ``libraries`` are those of CUDA's compilers that the translator loads. ``sample`` writes each thread's index:
    ``warm_up(int32 out[n])``. ``translator`` is the ``module:function`` that ``translate`` calls. ``lexer`` is the name
    of Pygments for the highlighting of sources. ``grammar`` is the ``module:name`` of the ``Grammar`` by which sources
    are compared; a language without one is compared by what is compiled. ``symbols``: its code has variables of device
    memory that the host can fill.
    """

    key: Language
    label: str
    suffix: str
    shared_suffix: str
    mark: bytes
    sample: SourceFile
    translator: str
    lexer: str = "text"
    grammar: str = ""
    header_suffixes: frozenset[str] = frozenset()
    host_suffixes: frozenset[str] = frozenset()
    libraries: tuple[str, ...] = ()
    textures: bool = False
    symbols: bool = False

    def can_write(self, spec: KernelSpec) -> bool:
        """Whether the kernel can be written in the language at all."""
        return (self.textures or not spec.has_textures) and (self.symbols or not spec.symbols)

    def translate(self, request: BuildRequest) -> Translation:
        """Compile a submission to PTX and find the kernels that its lab asks for.

        May run student code: call it only in a worker process with limits. Errors in the submission are part of the
        returned value. Raises: ``UserError`` if the toolchain or the lab is at fault, ``InfrastructureError`` if a tool
        fails, and whatever the import of a compiler raises that is not installed as it should be.
        """
        translation: Translation = attribute(self.translator)(request)
        return translation
