"""What is wrong with the launch geometry that a student or a lab gives."""

from grader.messages.message import Message, message

GEOMETRY: dict[str, Message] = {
    "in-geometry": message("{part}: {problem}"),
    "geometry-dimensions": message("{part} has {found} dimensions; write 1 to {most}"),
    "geometry-negative": message("'{text}' is {value}, below zero"),
    "expression-too-long": message("an expression of {length} characters is too long; use at most {limit}"),
    "expression-invalid": message(
        "'{text}' is not an expression; use integers, size names, + - * / // % **, ceil, floor, log2, min and max"
    ),
    "expression-part-invalid": message(
        "'{text}' is not allowed here; use integers, size names, + - * / // % **, ceil, floor, log2, min and max"
    ),
    "exponent-invalid": message("{exponent:g} is no exponent; use a whole number from -{limit} to {limit}"),
    "logarithm-of-no-positive": message("log2 of {value:g} does not exist; use a positive number"),
    "expression-not-whole": message("'{text}' is {value:g}, not a whole number; use ceil(...) or //"),
    "expression-name-unknown": message("unknown name '{name}'; known here: {known}"),
    "expression-too-large": message("a value above {limit} in the expression; use smaller numbers"),
    "division-by-zero": message("a division by zero in the expression; check the divisor"),
    "function-takes-one": message("{function} takes 1 argument, not {found}"),
    "function-arguments": message("{function} takes {fewest} to {most} arguments, not {found}"),
    "grid-does-not-halve": message(
        "{blocks} blocks for n = {values}; one value per block must leave half as many or fewer"
    ),
    "launched-as-host": message("{kernel} is launched as in {location}: {geometry}"),
    "launched-with-lab-grid": message(
        "{kernel} is launched with the block of {location} and the grid of the lab, because both grids are equal at "
        "the sizes that host code sets ({sizes}): {geometry}"
    ),
    "host-launch-refused": message(
        "{kernel} is launched with the geometry of the lab, not as in {location}: {problem}; "
        "for another one, write the line `{directive}`"
    ),
    "geometry-refused-in-hidden-case": message("that geometry does not fit a hidden case"),
    "launch-of-case": message(
        "{location} launches {blocks:,} blocks of {threads:,} threads in this case (grid={grid})"
    ),
    "host-code-is-cause": message("{cause}; {reason}"),
}
