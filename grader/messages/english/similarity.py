"""How alike submissions are: what is compared, what is not, and how to read it."""

from grader.messages.message import Message, message, plural

SIMILARITY: dict[str, Message] = {
    "view-tokens": message("Source"),
    "view-ptx": message("PTX"),
    "view-operations": message("Across languages"),
    "view-of-language": message("{view}, {language}"),
    "fingerprinting": message("comparing: {done} of {total} submissions are read …"),
    "works-compared": plural(
        "count", "{count:,} submission to {lab} is compared.", "{count:,} submissions to {lab} are compared."
    ),
    "former-works": plural(
        "count",
        "They are also compared with {count:,} submission of former terms.",
        "They are also compared with {count:,} submissions of former terms.",
    ),
    "nothing-alike": message("No two submissions have a passage in common that was not given to everybody."),
    "similarity-is-evidence": message(
        "This is evidence to look at, and no verdict: short kernels are alike without a copy. It changes no grade."
    ),
    "similarity-spread": plural(
        "count",
        "{count:,} pair; the median is {median}, and from {outlying} on a pair stands out.",
        "{count:,} pairs; the median is {median}, and from {outlying} on a pair stands out.",
    ),
    "column-longest-match": message("longest match"),
    "not-compared": plural(
        "count",
        "{view}: {count} submission is not compared ({students}): {why}",
        "{view}: {count} submissions are not compared ({students}): {why}",
    ),
    # Why a submission lacks a view
    "no-grammar": message("there is no grammar for the language {language}"),
    "no-kernels-to-compile": message("no kernel compiles"),
    "ptx-unread": message("its PTX cannot be read: {why}"),
    "ptx-not-asked": message("nothing was compiled"),
    "ptx-of-programs": message("whole programs are compared by their source only"),
    "too-little-of-its-own": message("too little is left without what was given to everybody"),
    # Pages
    "similar-submissions": message("Similar submissions"),
    "heading-pairs": message("The pairs that stand out most"),
    "heading-all-pairs": message("All pairs of the class"),
    "heading-not-compared": message("Not compared"),
    "heading-how-alike": message("How alike they are"),
    "heading-compared": message("Compared"),
    "heading-alike": message("Alike"),
    "heading-place": message("Place in the class"),
    "heading-above-median": message("Above the median"),
    "heading-matches": message("Where they match"),
    "similarity-cells-explained": message(
        "How alike two submissions are, and in parentheses how far above the median of the class, in robust standard "
        "deviations; bold from 3.5 on. Rare passages weigh more than common ones. The starter, the handout and the "
        "reference kernels do not count."
    ),
    "similarity-histogram-explained": message(
        "Each bar counts pairs of the class; each dot is a pair of the list. From the dashed line on, a pair "
        "stands out."
    ),
    "similar-pair-explained": message(
        "The last two columns say how much of each submission is also in the other. The place is that among all pairs "
        "of the class, 1 for the most alike."
    ),
    "no-matching-lines": message("No lines of the source match; only what is compiled does."),
    "match-others": plural(
        "count", "{count} other submission has this too", "{count} other submissions have this too"
    ),
    "match-of-two": message("no other submission has this"),
    "compiled-alike": message("compiles to the same instructions"),
    "compiled-alike-explained": message("These lines compile to the same instructions in both submissions."),
}
