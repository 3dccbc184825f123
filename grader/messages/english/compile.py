"""What a build says about a student's source. A build worker reads student code, so it may say nothing else."""

from grader.messages.message import Message, message

_DIRECTIVE = "launch: KERNEL block=256 grid=ceil(n/block) shared=block*4"

COMPILE: dict[str, Message] = {
    # Files
    "no-source-file": message("there is no {suffix} file in the submission; submit at least one"),
    "source-too-large": message(
        "{file} is {size:,} bytes long; submit source files of at most {limit:,} bytes"
    ),
    "source-empty": message("{file} is empty; submit the source code"),
    "source-binary": message(
        "{file} is not a text file (it holds binary data); submit the source code itself"
    ),
    "source-not-utf8": message("the file is not UTF-8 and was read as {encoding}; save it as UTF-8"),
    "build-time-pasted": message(
        "this file joins parts of names to {macro}, which is a constant here; write {macro} in one piece"
    ),
    # Includes
    "include-test": message(
        "{location}: __has_include and __has_embed are not available here; remove the test"
    ),
    "include-computed": message(
        '{location}: write the header\'s name directly, as #include "name.cuh" or #include <name.h>'
    ),
    "header-missing": message(
        '"{header}" is not in the submission, so its declarations are missing; submit it together with this file, '
        "unless only host code needs it"
    ),
    "header-unavailable": message(
        "<{header}> is not available to the grader, so its declarations are missing; only host code may use it"
    ),
    "header-found-elsewhere": message(
        '"{header}" is read from {file}, the only file of that name in the submission'
    ),
    "header-not-included": message(
        "{name} is declared in <{header}>; add `#include <{header}>` at the top of the file"
    ),
    "curand-not-installed": message(
        "<{header}> belongs to cuRAND, which is not installed with this grader; it comes with "
        '`pip install "grader[curand]"`'
    ),
    "library-on-host-only": message(
        "{name} is not available in kernels: the grader takes Thrust and CUB's device-wide algorithms for host code; "
        "write a loop, or use a block or warp primitive of CUB"
    ),
    # Compilers
    "file-does-not-compile": message("{file} does not compile"),
    "error-in-cuda-header": message("in <{header}>, which this line uses: {reason}"),
    "error-in-included-header": message(
        "in <{header}>, which this line includes: {reason}; move the #include lines above your #define lines, "
        "as a macro changes the header too"
    ),
    "function-of-host-library": message(
        "{name} belongs to a library of the host, which a kernel cannot call; do it in host code, or write it yourself"
    ),
    "type-left-out": message(
        "this type does not compile and is left out, because no kernel of this file needs it: {reason}"
    ),
    "needs-newer-architecture": message(
        "{name} needs compute capability {needs}, and the grader compiles for {target}; do without it"
    ),
    "use-instead-of-newer": message(
        "{name} needs compute capability {needs}, and the grader compiles for {target}; use {instead}"
    ),
    "markdown-in-code": message(
        "this line is Markdown, not code; submit only the code, without its fences and the text around it"
    ),
    "notebook-command": message("this line is a command of a notebook, not Python; remove it"),
    "character-looks-like-code": message(
        "the character {character} ({name}) is not part of the language; write {instead} instead"
    ),
    "character-invisible": message(
        "the character {character} ({name}) is invisible and not part of the language; remove it"
    ),
    "brace-not-closed": message("this {{ is never closed; add the missing }}"),
    "function-is-host-code": message(
        "this function is host code; mark it __device__ so that a kernel can call it"
    ),
    "variable-is-host-code": message(
        "this is a host variable, which a kernel cannot read; make it const, a #define, or a kernel parameter"
    ),
    "launch-in-kernel": message("a kernel cannot launch another kernel here; let the lab launch each kernel"),
    "host-function-called": message(
        "{function} ({location}) is a host function; mark it __device__ so that a kernel can call it"
    ),
    "host-code-ignored": message(
        "host code does not run: {functions}; "
        "a kernel launch in it gives block, grid and shared memory, unless a launch line does"
    ),
    "unnamed-function": message("a function without a name"),
    "more-messages": message("the compiler gave more messages, which are left out: {count}"),
    "numba-cannot-compile": message("Numba cannot compile this kernel: {text}"),
    "with-advice": message("{problem} ({advice})"),
    "array-size-not-constant": message(
        "the size of a shared or local array must be a constant of the module"
    ),
    "kernel-returns-value": message("a kernel returns nothing; write the result into an array"),
    "function-not-device": message("decorate that function with @cuda.jit(device=True)"),
    "assembler-refused": message("the assembler refused this code: {text}"),
    "code-has-nul": message("the assembler refused this code: it contains a NUL character; remove it"),
    "function-not-defined": message("{function} is called but never defined; define it in the submission"),
    "numba-needs-cpp": message(
        "Numba implements this with C++ code ({function}) that the grader does not link; for half precision, "
        "compute in float32 and convert the result"
    ),
    "shared-memory-too-large": message(
        "the kernel declares {used:,} bytes of shared memory; a block may have at most {limit:,}"
    ),
    # Kernels
    "kernel-defined-twice": message("{kernel} is defined more than once, in {places:and}; keep one of them"),
    "kernel-without-body": message(
        "{kernel} ({location}) is declared but never defined: add its body; the lab asks for `{wanted}`"
    ),
    "kernel-not-compiled": message(
        "{kernel} ({location}) is not part of the compiled code: remove static, or the #if that excludes it; "
        "the lab asks for `{wanted}`"
    ),
    "kernel-is-device-function": message(
        "{kernel} ({location}) is a __device__ function, not a kernel: write __global__ instead; "
        "the lab asks for `{wanted}`"
    ),
    "kernel-is-host-function": message(
        "{kernel} ({location}) is a host function, not a kernel: add __global__; the lab asks for `{wanted}`"
    ),
    "numba-kernel-is-device-function": message(
        "{kernel} ({location}) is a device function, not a kernel: remove device=True; the lab asks for `{wanted}`"
    ),
    "numba-kernel-is-cpu-function": message(
        "{kernel} ({location}) is compiled for the CPU: decorate it with @cuda.jit; the lab asks for `{wanted}`"
    ),
    "numba-kernel-is-plain-function": message(
        "{kernel} ({location}) is a plain Python function: decorate it with @cuda.jit; the lab asks for `{wanted}`"
    ),
    "numba-kernel-is-no-function": message(
        "{kernel} ({location}) is not a function: define it with `def` and @cuda.jit; the lab asks for `{wanted}`"
    ),
    "kernel-not-in-code": message("{kernel} is not in its compiled code; define it as a __global__ function"),
    "kernel-not-reported": message("the build did not report {kernel}"),
    "kernel-reported-twice": message("the build names one kernel twice"),
    "worker-answer-unreadable": message("the worker's answer cannot be read"),
    "code-too-large": message(
        "the compiled code is {size:,} bytes of PTX; a submission may have at most {limit:,}"
    ),
    # Parameters
    "parameters-differ": message(
        "{kernel} has the wrong parameters: the lab asks for `{wanted}`, but {location} declares `{declared}`"
    ),
    "parameters-unreadable": message(
        "the parameters of {kernel} ({location}) cannot be read; declare it outside every namespace as `{wanted}`"
    ),
    "compiled-parameters-differ": message(
        "the compiled code of {kernel} takes other parameters than the lab passes; use the lab's"
    ),
    "texture-in-numba": message(
        "{kernel} reads {parameter} as a texture, which Numba does not support; write it in CUDA C"
    ),
    "struct-differs": message(
        "{struct}, which {kernel} ({location}) takes, is laid out in another way than the lab's; declare "
        "`{wanted}` outside every namespace"
    ),
    "language-not-taken": message("this lab does not take {language}; write the kernels in {wanted}"),
    "type-in-numba": message(
        "{parameter} of {kernel} has elements of type {type}, which Numba does not have; write {kernel} in CUDA C"
    ),
    "signature-differs": message(
        "{location}: the signature given to @cuda.jit does not fit {kernel}: {problem}; "
        "remove the signature and write `@cuda.jit`"
    ),
    "signature-unreadable": message("it cannot be read ({error})"),
    "signature-count": message("it has {found} types, and the lab passes {wanted} arguments"),
    "signature-type": message("{parameter} is {wanted}, not {found}"),
    "max-registers-invalid": message(
        "{location}: max_registers is of type {found}, not a whole number; write a number or remove the option"
    ),
    # Launch directives
    "directive-kernel-unknown": message(
        "launch directive for '{kernel}', which this lab does not ask for; it asks for {kernels:and}"
    ),
    "directive-repeated": message("{kernel} already has a launch directive; keep one of them"),
    "directive-invalid": message(f"invalid launch directive: {{problem}}; write: {_DIRECTIVE}"),
    "directive-text-unknown": message("'{text}' is not understood"),
    "directive-setting-unknown": message("{setting}= is not a setting"),
    "directive-setting-repeated": message("{setting}= is given twice"),
    "directive-setting-missing": message("{settings:and} missing"),
    "directive-expression-too-long": message("the expression after {setting}= is too long"),
    "directive-expression-invalid": message(
        "'{text}' after {setting}= is not an expression of integers, size names, + - * / // % **, ceil, floor, log2, "
        "min and max"
    ),
    "directive-dimensions": message("{setting}= has {found} dimensions, and at most {most} are possible"),
    "macro-not-defined": message(
        "{subject} is not defined in the submission, so it cannot be varied; define a constant of that name"
    ),
    # Rules of a lab
    "forbidden-atomics": message("this lab does not allow atomic operations (atomics)"),
    "forbidden-float-atomics": message(
        "this lab does not allow atomic operations on floating-point numbers, or the exchanges that they can be "
        "made of (float-atomics)"
    ),
    "forbidden-shuffles": message("this lab does not allow warp shuffles (shuffles)"),
    "forbidden-votes": message("this lab does not allow warp votes and matches (votes)"),
    "forbidden-tensor-cores": message("this lab does not allow tensor cores (tensor-cores)"),
    "forbidden-inline-ptx": message("this lab does not allow inline PTX (inline-ptx)"),
    "forbidden-dynamic-parallelism": message(
        "this lab does not allow kernel launches from the GPU (dynamic-parallelism)"
    ),
    "forbidden-clocks": message("this lab does not allow reading a clock or the number of a launch (clocks)"),
    "forbidden-external-calls": message(
        "this lab does not allow calls of functions outside the submission (external-calls)"
    ),
    # Functions in the frame of a lab
    "frame-function-missing": message(
        "there is no function {function}; the lab calls it from its own kernel: {wanted}"
    ),
    "frame-function-on-host": message(
        "{function} has no __device__, so it is a function of the CPU; write __device__ before it"
    ),
    "frame-function-differs": message(
        "{function} has other parameters or another result than the lab's kernel passes: write {wanted}"
    ),
    "frame-name": message("{word} is a name of the lab's own code around your function; take another name"),
    "frame-word": message(
        "{word} is not possible here: the kernel is the lab's, and you write the functions that it calls"
    ),
    "frame-directive": message(
        "the line {directive} is not possible here: it could change the lab's code around your function. Possible are "
        "#include, #define and #undef of names of your own without ##, #pragma unroll and #pragma once"
    ),
    "frame-body-files": message(
        "the statements of {function} stand in one file, and this is a second one; submit one file for {wanted}"
    ),
    "frame-body-directive": message(
        "the line {directive} is not possible here: the file is the inside of a function of the lab; use a constant"
    ),
    "frame-body-bracket": message(
        "this bracket closes {function}, which is the lab's; write its statements, and open each bracket before you "
        "close it"
    ),
    "frame-body-signature": message(
        "the lab has the signature already: {wanted}; write only the statements between its brackets, with its names"
    ),
    "frame-file-name": message("a folder called frame is the lab's; give your folder another name"),
}
