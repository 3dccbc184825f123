"""What a build says about the part of a Python file that cannot be taken from its syntax tree."""

from grader.messages.message import Message, message

PYTHON: dict[str, Message] = {
    "python-host-code-ignored": message(
        "the code from this line on that is not a kernel, a device function or a constant does not run; "
        "a kernel launch in it gives block, grid and shared memory, unless a launch line does"
    ),
    # Why a name has no value
    "python-computed": message(
        "{location}: `{source}` is computed by the program, which the grader never runs; write the value itself"
    ),
    "python-computed-name": message(
        "{location}: {name} is computed by the program, which the grader never runs; write the value itself, "
        "as in `{name} = 16`"
    ),
    "python-too-large": message("{location}: `{source}` is too large for a constant; write a smaller one"),
    "python-arithmetic": message("{location}: `{source}` has no value ({error}); correct it"),
    "python-name-unknown": message("{location}: {source} is not defined before this line; define it"),
    "python-host-function": message(
        "{location}: `{source}` is for host code; a kernel or a constant cannot use it"
    ),
    "python-foreign-code": message(
        "{location}: {option}= adds code that is not in this file; write it as a function with "
        "@cuda.jit(device=True)"
    ),
    "python-class": message(
        "{location}: {name} is a class or an asynchronous function; write kernels, device functions and "
        "constants outside of it"
    ),
    "python-parameter": message(
        "{location}: {name} is a parameter of the function around it; move the kernel to the top level of the "
        "file and write a constant, as in `{name} = 16`"
    ),
    "python-bound-in-function": message(
        "{location}: {name} is changed by a function when the program runs; write its value once, "
        "at the top level of the file"
    ),
    "python-bound-in-block": message(
        "{location}: {name} gets its value in a loop or another block of host code; write it once, "
        "at the top level of the file"
    ),
    "python-bound-in-branches": message(
        "{location}: {name} differs between the branches of this `if`, which the grader never runs; "
        "write it once, outside of them"
    ),
    "python-changed": message(
        "{location}: the elements of {name} are changed here; write the final ones where {name} gets its value"
    ),
    "python-library": message(
        "{location}: kernels can use nothing of {name}; they can use numba, numba.cuda, numpy, math and the "
        "files of the submission"
    ),
    "python-not-in-file": message("{location}: the imported file does not define {name}"),
    "python-decorator": message(
        "{location}: {name} has the decorator `@{source}`, which the grader never runs; write @cuda.jit for a "
        "kernel or @cuda.jit(device=True) for a device function"
    ),
    # What a kernel needs of it
    "python-name-needed": message(
        "{location}: {function} uses {name}, which cannot be taken from the file: {problem}"
    ),
    "python-not-taken": message("{kernel} cannot be taken from the file: {problem}"),
    "python-in-class": message(
        "{kernel} ({location}) is inside a class; move it to the top level of the file; the lab asks for `{wanted}`"
    ),
    "python-not-for-kernels": message(
        "{location}: {function} uses `{name}`, which kernels cannot use; see what a Numba file may hold"
    ),
    "python-module-as-value": message(
        "{location}: {function} uses the module {name} as a value; write out what it uses of it, "
        "as in `{name}.name`"
    ),
    "python-inner-function": message(
        "{location}: the function inside {function} uses variables around it beside text constants; "
        "move it to the top level of the file with @cuda.jit(device=True)"
    ),
    "python-too-deep": message("{location}: {function} is nested too deeply to be compiled; split it"),
}
