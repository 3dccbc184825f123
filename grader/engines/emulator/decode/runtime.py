"""Calls of the device runtime: ``printf``, assertions and the heap, which Python carries out."""

from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.functions import Call
from grader.engines.emulator.decode.memory import load_variable, store_variable
from grader.engines.emulator.decode.program import Row, Service, ServiceCall, UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType

_ARGUMENTS = {Service.PRINT: 2, Service.ASSERT: 5, Service.MALLOC: 1, Service.FREE: 1}


def call_runtime(asm: Assembler, service: Service, call: Call) -> None:
    """Pass the values of a call's argument variables to ``service``, and its answer to the result variable.

    Raises: ``UnsupportedError`` where the number of arguments is not the runtime's.
    """
    if len(call.arguments) != _ARGUMENTS[service]:
        raise UnsupportedError(service.value, role="call of an unusual")
    sources = []
    for name in call.arguments:
        type_ = _type_of(asm, name)
        sources.append(Row(load_variable(asm, name, type_), type_.bytes))
    results = [(name, _type_of(asm, name)) for name in call.returns]
    targets = [Row(asm.temporary(type_.cell), type_.bytes) for _, type_ in results]
    asm.emit_service(ServiceCall(service, tuple(sources), tuple(targets)))
    for (name, type_), row in zip(results, targets, strict=True):
        store_variable(asm, name, type_, row.offset)


def _type_of(asm: Assembler, name: str) -> PtxType:
    variable = asm.function.variables.get(name)
    if variable is None or variable.type not in TYPES or variable.count != 1:
        raise UnsupportedError(name, role="argument")
    return TYPES[variable.type]
