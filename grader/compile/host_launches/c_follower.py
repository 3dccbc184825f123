"""Follow the statements of a host function: each branch, the first round of each loop, and the functions it calls."""

from collections.abc import Sequence
from dataclasses import replace

from grader.compile.host_launches import c_declarations as declared
from grader.compile.host_launches.c_calls import launches_in, symbol_writes_in
from grader.compile.host_launches.c_expressions import Scope, read_expression
from grader.compile.host_launches.c_functions import HostFunction, Parameter, parameters
from grader.compile.host_launches.c_launch import host_launch
from grader.compile.host_launches.c_state import Frame, Lambda, Program
from grader.compile.host_launches.c_statements import Form, Statement, statements
from grader.compile.host_launches.c_tokens import Span, closing, spelled
from grader.compile.host_launches.values import (
    Dimensions,
    Expression,
    Listing,
    SymbolWrite,
    Unreadable,
    Variable,
    conditional,
    operation,
    value_of,
    whole,
)
from grader.compile.tokens import Kind, Token

_DEEPEST_CALL = 8
_LITERALS = {"true": whole(1), "false": whole(0), "nullptr": whole(0), "NULL": whole(0)}
_WITHOUT_ARGUMENTS = {"checkCmdLineFlag": whole(0)}
"""What functions of CUDA's samples return in a program that is started without arguments."""

_OF_EVERY_DEVICE = {"maxThreadsPerBlock": 1024, "warpSize": 32}
"""Members of ``cudaDeviceProp`` that are equal on all devices."""


class Follower(Scope):
    """Follows the statements of one call of a function."""

    def __init__(self, program: Program, frame: Frame) -> None:
        self._program = program
        self._frame = frame

    def value(self, name: str, line: int) -> Expression:
        """See ``Scope``."""
        program = self._program
        for values in (self._frame.values, program.globals):
            if name in values:
                return values[name]
        base, _, member = name.rpartition(".")
        if name.startswith("*"):
            return self.value(name[1:], line)
        if base and program.step():
            return self._member(base, member, line)
        body = program.macros.constant(name)
        if body is None or not program.step():
            return _LITERALS.get(name, Unreadable(name, line))
        program.globals[name] = Unreadable(name, line)  # ends a macro that uses itself
        program.globals[name] = Variable(name, read_expression(body, self), line=line, top=True)
        return program.globals[name]

    def _member(self, base: str, member: str, line: int) -> Expression:
        extents = value_of(self.value(base, line))
        if isinstance(extents, Dimensions) and member in {"x", "y", "z"}:
            found: Expression = getattr(extents, member)
            return found
        if member in _OF_EVERY_DEVICE:
            return whole(_OF_EVERY_DEVICE[member])
        name = f"{base}.{member}"
        return self._frame.values.setdefault(name, Variable(name, Unreadable(name, line), line=line))

    def called(
        self, name: str, templates: Sequence[Span], arguments: Sequence[Span], line: int
    ) -> Expression:
        """See ``Scope``."""
        if name in _WITHOUT_ARGUMENTS:
            return _WITHOUT_ARGUMENTS[name]
        text = Unreadable(f"{name}({', '.join(map(spelled, arguments))})", line)
        values = [read_expression(argument, self) for argument in arguments]
        function = self._program.functions.get(name)
        local = self._frame.lambdas.get(name)
        followed = self._frame.depth < _DEEPEST_CALL and self._program.step()
        if followed and local is not None:
            return self._called_lambda(local, values, line) or text
        if not followed or function is None:
            self._forget(arguments, name, line)
            return text
        frame = Frame(function.file, function.name, self._frame.depth + 1)
        self._bind_templates(frame, function, templates, line)
        self._bind(frame, function.parameters, values, line)
        for argument, parameter in zip(arguments, function.parameters, strict=False):
            if (target := _address(argument)) is not None:
                frame.values[f"*{parameter.name}"] = self.value(target, line)
        self._program.followed.add(function.name)
        Follower(self._program, frame).block(function.body)
        for argument, parameter in zip(arguments, function.parameters, strict=False):
            if (target := _address(argument)) is not None:
                self._frame.values[target] = frame.values[f"*{parameter.name}"]
            elif parameter.reference and len(argument) == 1 and parameter.name in frame.values:
                self._frame.values[argument[0].text] = frame.values[parameter.name]
        return text if frame.result is None else frame.result

    def _called_lambda(self, local: Lambda, values: list[Expression], line: int) -> Expression | None:
        outer = self._frame
        frame = Frame(
            outer.file, outer.function, outer.depth + 1, dict(outer.values), templates=outer.templates
        )
        frame.lambdas = {name: each for name, each in outer.lambdas.items() if each is not local}
        self._bind(frame, local.parameters, values, line)
        Follower(self._program, frame).block(local.body)
        return frame.result

    def _bind(
        self, frame: Frame, named: Sequence[Parameter], values: Sequence[Expression], line: int
    ) -> None:
        for index, parameter in enumerate(named):
            given = values[index] if index < len(values) else read_expression(parameter.default, self)
            frame.values[parameter.name] = _variable(parameter.name, given, parameter.type, line)

    def _bind_templates(self, frame: Frame, function: HostFunction, given: Sequence[Span], line: int) -> None:
        texts = {}
        for name, tokens in zip(function.templates, given, strict=False):
            texts[name] = self._frame.templates.get(spelled(tokens), spelled(tokens))
            frame.values[name] = Variable(name, read_expression(tokens, self), line=line)
        frame.templates = texts

    def _forget(self, arguments: Sequence[Span], function: str, line: int) -> None:
        """Forget the variables of which an unknown function gets the address."""
        for argument in arguments:
            if (target := _address(argument)) is not None:
                text = f"{function}(&{target})"
                kind = self._frame.kind(target)
                self._frame.values[target] = Variable(target, Unreadable(text, line), kind, line=line)

    def block(self, tokens: Span) -> None:
        """Follow statements; names that they declare end with them."""
        frame = self._frame
        outer, names = dict(frame.values), frame.declared
        frame.declared = set()
        for statement in statements(tokens):
            if not self._program.step():
                break
            self._statement(statement)
        frame.leave(outer, names)

    def _statement(self, statement: Statement) -> None:
        match statement.form:
            case Form.BLOCK:
                self.block(statement.body)
            case Form.IF:
                self._if(statement)
            case Form.LOOP:
                self._loop(statement)
            case Form.END:
                self._runtime_calls(statement.head)
                if statement.head and self._frame.result is None:
                    self._frame.result = read_expression(statement.head, self)
                self._frame.ended = True
            case Form.SIMPLE:
                self.simple(statement.head)

    def _if(self, statement: Statement) -> None:
        """Follow both branches. A branch that leaves the function does not count for what comes after it."""
        self._runtime_calls(statement.head)
        condition = read_expression(statement.head, self)
        frame = self._frame
        before, result = dict(frame.values), frame.result
        ends = []
        for body in (statement.body, statement.otherwise):
            frame.values, frame.ended, frame.result = dict(before), False, result
            self.block(body)
            ends.append((frame.values, frame.ended, frame.result))
        (yes, yes_ended, yes_result), (no, no_ended, no_result) = ends
        frame.ended = yes_ended and no_ended
        if yes_ended != no_ended:
            frame.values = no if yes_ended else yes
        else:
            frame.values = {
                name: self._merged(condition, name, yes[name], no[name], statement.line)
                for name in yes.keys() & no.keys()
            }
        frame.result = no_result if yes_result is None else yes_result
        if yes_result is not None and no_result is not None:
            frame.result = conditional(condition, yes_result, no_result)

    def _merged(
        self, condition: Expression, name: str, yes: Expression, no: Expression, line: int
    ) -> Expression:
        """The value of a variable after an ``if``."""
        if yes is no:
            return yes
        return _variable(name, conditional(condition, yes, no), self._frame.kind(name), line)

    def _loop(self, statement: Statement) -> None:
        """Follow the first round. Afterwards what the loop changes is unknown."""
        frame = self._frame
        outer, names, ended = dict(frame.values), frame.declared, frame.ended
        frame.declared = set()
        self._loop_head(statement)
        for name in statement.changed & frame.values.keys():
            entry = _variable(name, frame.values[name], frame.kind(name), statement.line)
            frame.values[name] = replace(entry, repeated=True)
        self.block(statement.body)
        for name in statement.changed & frame.values.keys():
            unknown = Unreadable(name, statement.line)
            frame.values[name] = Variable(name, unknown, frame.kind(name), line=statement.line)
        frame.leave(outer, names)
        frame.ended = ended

    def _loop_head(self, statement: Statement) -> None:
        """Follow what a loop does before its first round."""
        texts = [token.text for token in statement.head]
        if ";" in texts:
            self.simple(statement.head[: texts.index(";")])
        elif ":" in texts[1:]:
            colon = texts.index(":", 1)
            listed = value_of(read_expression(statement.head[colon + 1 :], self))
            name = texts[colon - 1]
            first = listed.items[0] if isinstance(listed, Listing) and listed.items else Unreadable(name)
            self._frame.declared.add(name)
            self._frame.values[name] = Variable(name, first, line=statement.line, repeated=True)
        else:
            self._runtime_calls(statement.head)

    def simple(self, tokens: Span) -> None:
        """Follow a declaration, an assignment or a call, and what it launches."""
        tokens = self._without_lambdas(tokens)
        self._runtime_calls(tokens)
        if declared.is_declaration(tokens):
            for variable in declared.declarations(tokens, self):
                self._frame.declared.add(variable.name)
                top = self._frame.function is None
                self._frame.values[variable.name] = replace(variable, top=True) if top else variable
        elif (found := declared.assignment(tokens)) is not None:
            self._assign(*found, tokens[0].line)
        elif tokens:
            read_expression(tokens, self)

    def _assign(self, name: str, operator: str, right: Span, line: int) -> None:
        value = read_expression(right, self) if right else whole(1)
        if operator:
            divides = operator == "/" and self._frame.kind(name) not in {"float", "double"}
            value = operation("//" if divides else operator, self.value(name, line), value)
        base, _, member = name.rpartition(".")
        extents = value_of(self._frame.values[base]) if base in self._frame.values else None
        if isinstance(extents, Dimensions) and member in {"x", "y", "z"}:
            value = declared.converted(value, "int")
            parts = {"x": extents.x, "y": extents.y, "z": extents.z, member: value}
            name, value = base, Dimensions(**parts)
        self._frame.values[name] = _variable(name, value, self._frame.kind(name), line)
        if name in self._program.managed and self._frame.function is not None:
            write = SymbolWrite(symbol=name, file=self._frame.file, line=line, call="=")
            self._program.facts.add_symbol_write(write)

    def _without_lambdas(self, tokens: Span) -> Span:
        """``tokens`` without the bodies of lambdas, which are followed as if called here."""
        kept: list[Token] = []
        index = 0
        while index < len(tokens):
            end = closing(tokens, index) if tokens[index].text == "{" else index
            body = tokens[index + 1 : end]
            if any(token.text == ";" for token in body):
                self._lambda(kept, body)
            else:
                kept += tokens[index : end + 1]
            index = end + 1
        return kept

    def _lambda(self, before: Span, body: Span) -> None:
        texts = [token.text for token in before]
        opening = len(texts) - 1 - texts[::-1].index("[") if "[" in texts else len(texts)
        bracket = closing(before, opening) + 1 if opening < len(texts) else opening
        inside = before[bracket + 1 : closing(before, bracket)] if "(" in texts[bracket : bracket + 1] else ()
        made = Lambda(parameters(inside), body)
        if opening > 1 and texts[opening - 1] == "=" and before[opening - 2].kind is Kind.IDENTIFIER:
            self._frame.lambdas[texts[opening - 2]] = made
        unknown = [Unreadable(each.name, body[0].line) for each in made.parameters]
        self._called_lambda(made, list(unknown), body[0].line)

    def _runtime_calls(self, tokens: Span) -> None:
        """Record the launches and the writes to device variables in ``tokens``."""
        for found in launches_in(tokens):
            self._program.facts.add_launch(host_launch(found, self, self._frame))
        for symbol, function in symbol_writes_in(tokens):
            write = SymbolWrite(symbol=symbol.text, file=self._frame.file, line=symbol.line, call=function)
            self._program.facts.add_symbol_write(write)


def _variable(name: str, value: Expression, kind: str, line: int) -> Variable:
    return Variable(name, declared.converted(value, kind), kind, declared.is_real_type(kind), line)


def _address(tokens: Span) -> str | None:
    """The name in ``&name``, possibly after a cast."""
    if len(tokens) >= 2 and tokens[-2].text == "&" and tokens[-1].kind is Kind.IDENTIFIER:  # noqa: PLR2004 - & and a name
        before = tokens[-3].text if len(tokens) > 2 else ")"  # noqa: PLR2004 - a cast before &
        return tokens[-1].text if before == ")" else None
    return None
