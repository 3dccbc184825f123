"""Statements about the names and the parameters of kernels."""

from grader.messages.message import Message, message

_DECLARED = "the lab asks for `{wanted}`, but {location} declares `{declared}`"

PARAMETERS: dict[str, Message] = {
    # Names
    "kernel-missing": message("there is no kernel {kernel}; the lab asks for `{wanted}`"),
    "kernel-missing-similar": message(
        "there is no kernel {kernel}: rename `{similar}` to `{kernel}` if it is that kernel; "
        "the submission defines {others:and}; the lab asks for `{wanted}`"
    ),
    "name-looks-like": message(
        "there is no kernel {meant}: the letter {character} ({name}) in a name of the submission only looks like one "
        "of `{meant}`; type that name again"
    ),
    "kernel-missing-others": message(
        "there is no kernel {kernel}; the submission defines {others:and}; add the kernel, or rename the right one to "
        "`{kernel}`; the lab asks for `{wanted}`"
    ),
    "kernel-at": message("`{kernel}` ({location})"),
    "kernel-is-template": message(
        "{kernel} ({location}) is a template, and nothing says which instance to take: launch "
        "`{kernel}<{example}><<<grid, block>>>(...)` in main, or replace template<...> by a #define; the lab asks for "
        "`{wanted}`"
    ),
    "kernel-instances": message(
        "{kernel} ({location}) has several instances, {instances:and}: keep one of them in launches and explicit "
        "instantiations"
    ),
    "instance-chosen": message(
        "{kernel} is graded as `{instance}`, the instance that {location} launches; host code also launches "
        "{others:and}"
    ),
    # Parameters that differ
    "parameter-differs": message(
        "parameter {number} of {kernel} is `{found}`, which cannot take the lab's `{parameter}`: declare it as "
        f"`{{parameter}}`; {_DECLARED}"
    ),
    "parameter-unknown": message(
        "parameter {number} of {kernel}, `{found}`, is none of the lab's arguments: remove it, or replace it by a "
        f"constant; {_DECLARED}"
    ),
    "parameter-missing": message(
        f"{{kernel}} does not declare {{parameters:and}}: add what is missing; {_DECLARED}"
    ),
    "parameter-ambiguous": message(
        "parameter {number} of {kernel}, `{found}`, may be {parameters:or}: give it the lab's name, or declare all of "
        f"them; {_DECLARED}"
    ),
    # Parameters in an order of their own
    "parameters-mapped": message("{kernel} declares the lab's parameters in its own way: {changes:and}"),
    "parameter-by-order": message(
        "`{name}`, parameter {number}, is taken as the lab's `{parameter}` by the order of declaration"
    ),
    "parameter-by-name": message(
        "`{name}`, parameter {number}, is taken as the lab's `{parameter}` by its name"
    ),
    "parameter-by-not-const": message(
        "`{name}`, parameter {number}, is taken as the lab's `{parameter}`, because it is not `const`"
    ),
    "parameter-by-const": message(
        "`{name}`, parameter {number}, is taken as the lab's `{parameter}`, because it is `const`"
    ),
    "parameter-by-output": message(
        "`{name}`, parameter {number}, is taken as the lab's `{parameter}`, because it has the name of an output"
    ),
    "parameter-by-extent": message(
        "`{name}`, parameter {number}, is taken as the lab's `{parameter}`, because it names that size of an array"
    ),
    "parameter-by-index": message(
        "`{name}`, parameter {number}, is taken as the lab's `{parameter}`, because indices use it as a row's length"
    ),
    "parameter-by-type": message(
        "`{name}`, parameter {number}, is taken as the lab's `{parameter}` by its type"
    ),
    "parameter-by-rest": message(
        "`{name}`, parameter {number}, is taken as the lab's `{parameter}`, the only one left"
    ),
    "parameter-renamed": message("`{name}` is the lab's `{parameter}`"),
    "parameter-not-passed": message("`{parameter}` is not passed, because the kernel does not declare it"),
    "sizes-not-declared": message(
        "declare {sizes:and} and compare the index with the size, unless the kernel is right for every size"
    ),
}
