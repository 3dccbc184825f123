"""Submissions with results that cannot be compared between the two engines, and why."""

NOT_BUILT = {
    "matmul-sample-student-09-cuda-c": "a syntax error",
    "matmul-sample-student-10-numba": "Python that Numba cannot compile",
    "transpose-sample-student-12-cuda-c": "an empty file",
    "transpose-sample-student-13-cuda-c": "no text",
    "transpose-sample-student-16-cuda-c": "other parameters than the lab's",
}
"""Submissions that never become device code, and why."""

NOT_LAUNCHED = {
    "reduction-mutant-grid_stays-cuda-c": "its own launch line never leaves fewer values",
}
"""Submissions that the lab's launch plan refuses, and why."""

UNSEEN = {
    ("spmv-mutant-shuffles_in_the_branch-cuda-c", "spmv"): "shuffles values from lanes that have ended",
}
"""Kernels with undefined behavior that the emulator does not report; it has one result among the possible ones."""

ROUNDED_DIFFERENTLY = {
    (
        "axpy-precisions",
        "axpy_half",
    ): "the assembler fuses `mul.f16` and `add.f16`; the emulator rounds twice",
}
"""Kernels with two right results: each is a tolerance from the exact one, on its own side."""

UNDEFINED = {
    ("coalescing-mutant-no_guard-cuda-c", "increment"): "out of bounds",
    ("coalescing-mutant-no_second_barrier-cuda-c", "increment_float3"): "shared-memory race",
    ("coalescing-mutant-one_too_many-numba", "increment"): "out of bounds",
    ("coalescing-mutant-overlapping_chunks-cuda-c", "increment"): "global-memory race",
    ("copy-stride-mutant-as_in_the_lecture-cuda-c", "copy_offset"): "out of bounds",
    ("copy-stride-mutant-as_in_the_lecture-cuda-c", "copy_stride"): "out of bounds",
    ("copy-stride-mutant-no_barrier-cuda-c", "copy_offset"): "shared-memory race, uninitialised read",
    ("copy-stride-mutant-one_too_many-cuda-c", "copy_offset"): "out of bounds",
    ("copy-stride-mutant-one_too_many-cuda-c", "copy_stride"): "out of bounds",
    ("dot-product-mutant-no_barrier_before_reuse-numba", "dot_product_shared"): "shared-memory race",
    (
        "dot-product-mutant-no_barrier_before_sum-cuda-c",
        "dot_product_shared",
    ): "shared-memory race, uninitialised read",
    ("dot-product-mutant-no_guard-cuda-c", "dot_product_global"): "out of bounds",
    ("function-table-mutant-no_barrier-cuda-c", "function_table"): "shared-memory race",
    ("function-table-mutant-no_guard-cuda-c", "function_table"): "out of bounds",
    ("function-table-mutant-one_too_many-numba", "function_table"): "out of bounds",
    ("matmul-int32-mutant-no_first_barrier-numba", "matmul_int32"): "shared-memory race, uninitialised read",
    ("matmul-int32-mutant-no_second_barrier-cuda-c", "matmul_int32"): "shared-memory race",
    ("matmul-int32-mutant-patch_past_the_edge-numba", "matmul_int32"): "out of bounds",
    ("matmul-mutant-adds_to_garbage-numba", "matmul"): "adds to an output that nobody wrote",
    ("matmul-mutant-no_first_barrier-cuda-c", "matmul"): "shared-memory race",
    ("matmul-mutant-no_second_barrier-numba", "matmul"): "shared-memory race",
    ("matmul-mutant-one_too_many-cuda-c", "matmul"): "out of bounds",
    ("matmul-mutant-tile_larger_than_block-cuda-c", "matmul"): "reads shared memory that nobody wrote",
    ("matmul-sample-student-05-cuda-c", "matmul"): "shared-memory race",
    ("matmul-sample-student-08-cuda-c", "matmul"): "never ends, which costs a GPU its context",
    (
        "matmul-transposed-mutant-barrier_between_the_loads-cuda-c",
        "matmul_transposed",
    ): "shared-memory race, uninitialised read",
    (
        "matmul-transposed-mutant-below_leave_at_once-cuda-c",
        "matmul_transposed",
    ): "divergent barrier, uninitialised read",
    ("matmul-transposed-mutant-halves_added-numba", "matmul_transposed"): "global-memory race",
    ("matmul-transposed-mutant-mirrored_within_the_block-cuda-c", "matmul_transposed"): "global-memory race",
    ("matmul-transposed-mutant-row_length_of_c-cuda-c", "matmul_transposed"): "out of bounds",
    ("matmul-transposed-sample-student-03-cuda-c", "matmul_transposed"): "global-memory race",
    ("matvec-mutant-past_the_row-cuda-c", "matvec"): "out of bounds",
    ("matvec-mutant-race_on_the_output-cuda-c", "matvec"): "global-memory race",
    ("matvec-mutant-unaligned_float4-cuda-c", "matvec"): "misaligned access",
    ("matvec-sample-student-09-cuda-c", "matvec"): "shared-memory race, uninitialised read",
    ("reduction-mutant-barrier_in_the_branch-cuda-c", "reduce_int32"): "divergent barrier",
    ("reduction-mutant-barrier_in_the_branch-cuda-c", "reduce_float32"): "divergent barrier",
    ("reduction-mutant-every_block_first-numba", "reduce_float32"): "global-memory race, uninitialised read",
    ("reduction-mutant-every_block_first-numba", "reduce_int32"): "global-memory race, uninitialised read",
    ("reduction-mutant-no_barrier_between_levels-numba", "reduce_float32"): "shared-memory race",
    ("reduction-mutant-no_barrier_between_levels-numba", "reduce_int32"): "shared-memory race",
    ("reduction-mutant-no_first_barrier-cuda-c", "reduce_float32"): "shared-memory race, uninitialised read",
    ("reduction-mutant-no_first_barrier-cuda-c", "reduce_int32"): "shared-memory race, uninitialised read",
    ("reduction-mutant-whole_blocks_only-cuda-c", "reduce_float32"): "out of bounds",
    ("reduction-mutant-whole_blocks_only-cuda-c", "reduce_int32"): "out of bounds",
    ("reduction-mutant-work_not_filled-cuda-c", "reduce_float32"): "uninitialised read",
    ("reduction-mutant-work_not_filled-cuda-c", "reduce_int32"): "uninitialised read",
    ("reduction-sample-student-19-cuda-c", "reduce_int32"): "out of bounds",
    ("row-max-mutant-no_first_barrier-numba", "row_max_shared"): "shared-memory race, uninitialised read",
    ("row-max-mutant-race_on_the_largest-cuda-c", "row_max_global"): "global-memory race",
    ("row-mean-mutant-no_first_barrier-cuda-c", "row_mean_shared"): "shared-memory race, uninitialised read",
    ("row-mean-mutant-race_on_the_columns-numba", "row_mean_shared_padded"): "global-memory race",
    ("row-min-mutant-no_barrier_in_the_tree-cuda-c", "row_min_shared"): "shared-memory race",
    ("row-min-mutant-past_the_row-cuda-c", "row_min_global"): "out of bounds",
    ("row-sum-mutant-no_first_barrier-cuda-c", "row_sum_shared"): "shared-memory race",
    ("row-sum-mutant-no_second_barrier-numba", "row_sum_shared_padded"): "shared-memory race",
    ("row-sum-mutant-past_the_row-cuda-c", "row_sum_global"): "out of bounds",
    ("row-sum-mutant-race_on_the_sum-cuda-c", "row_sum_global"): "global-memory race",
    ("row-sum-sample-student-05-cuda-c", "row_sum_shared"): "divergent barrier",
    ("row-sum-squares-mutant-no_second_barrier-cuda-c", "row_sum_squares_shared"): "shared-memory race",
    ("row-sum-squares-mutant-rows_that_are_not_there-numba", "row_sum_squares_shared"): "out of bounds",
    ("row-sum-squares-sample-student-09-numba", "row_sum_squares_global"): "out of bounds",
    ("spmv-mutant-columns_not_followed-cuda-c", "spmv"): "out of bounds",
    ("spmv-mutant-into_the_next_row-cuda-c", "spmv"): "out of bounds",
    ("spmv-mutant-race_on_split_rows-numba", "spmv"): "global-memory race",
    (
        "spmv-mutant-rows_and_columns_mixed-cuda-c",
        "spmv",
    ): "global-memory race, out of bounds, uninitialised read",
    ("texture-shift-mutant-one_too_many-numba", "shift_global"): "global-memory race, out of bounds",
    ("transpose-mutant-no_barrier-cuda-c", "transpose"): "shared-memory race",
    ("transpose-mutant-one_too_many-numba", "transpose"): "out of bounds",
    ("transpose-mutant-tile_not_turned-numba", "transpose"): "reads shared memory that nobody wrote",
    ("transpose-mutant-wrong_row_length-cuda-c", "transpose"): "out of bounds",
    ("transpose-sample-student-11-cuda-c", "transpose"): "out of bounds",
    ("vector-add-mutant-no_guard-cuda-c", "vector_add"): "out of bounds",
    ("vector-add-mutant-one_too_many-numba", "vector_add"): "out of bounds",
    ("vector-add-sample-student-22-numba", "vector_add"): "out of bounds",
}
"""Kernels with undefined behavior, so that two engines may differ; the emulator must report the reason."""
