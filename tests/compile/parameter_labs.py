"""The parameters of the labs that tests of declarations use, as manifests spell them."""

LABS = {
    "add": ("const float32 a[n]", "const float32 b[n]", "float32 c[n]", "int32 n"),
    "transpose": ("const float32 a[rows][cols]", "float32 b[cols][rows]", "int32 rows", "int32 cols"),
    "matmul": (
        *("const float32 a[m][k]", "const float32 b[k][n]", "float32 c[m][n]"),
        *("int32 m", "int32 n", "int32 k"),
    ),
    "square": ("const float32 a[n][n]", "float32 b[n][n]", "int32 n"),
    "rows": ("const float32 a[rows][cols]", "float32 out[rows]", "int32 rows", "int32 cols"),
    "spmv": (
        *("fixed int32 row_starts[rows + 1]", "fixed int32 columns[nnz]", "const float32 values[nnz]"),
        *("const float32 x[cols]", "float32 y[rows]", "int32 rows"),
    ),
    "sum": ("const int32 x[n]", "int32 out[1]", "int32 work[n]", "int32 n"),
    "shift": ("const float32 x[n + offset]", "float32 shifted[n]", "int32 n", "int32 offset"),
    "scale": ("inout float32 x[n]", "float32 factor", "int32 n"),
    "means": (
        *("const float32 a[rows][cols]", "float32 row_means[rows]", "float32 column_means[cols]"),
        *("int32 rows", "int32 cols"),
    ),
    "texture": ("texture(point, clamp) float32 image[rows][cols]", "float32 out[rows][cols]", "int32 rows"),
    "wide": ("const int64 x[n]", "int64 y[n]", "int64 n"),
    "points": ("inout float32 points[n][3]", "int32 n"),
}
