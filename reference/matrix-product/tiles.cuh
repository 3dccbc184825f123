// Tiles of matrices in shared memory, for the products C = A·B and C = A·Aᵀ of any element type.
//
// A block needs, for each step along k, a piece of either factor, both with k as the slow index: first[i][row]
// and second[i][col]. The elements that one thread multiplies then lie side by side, and four of them come in one
// 16-byte load.
//
// Each tile is moved in two halves, `fetch` from global memory into registers and `store` from there into shared
// memory, so that a kernel may do something else in between. Zeros stand in for what lies outside a matrix: they
// add nothing, and no thread has to leave before a barrier. A tile that is `whole` has aligned quads and ends within
// the matrix; up to the last step that ends within k it may be moved without asking what is there: after `begin`, each
// `fetch_next` moves it and goes on by so many steps.

#pragma once

// Four neighbouring elements, loaded and stored at once.
template <typename T> struct QuadOf;
template <> struct QuadOf<float> { using type = float4; };
template <> struct QuadOf<int> { using type = int4; };
template <typename T> using Quad = typename QuadOf<T>::type;

// How the second factor lies in memory: B[k][n] as it is, or a matrix [n][k] that counts as transposed.
enum class Second { as_is, transposed };

// Can rows of `cols` elements be read four at a time? Then no four of them straddle the end of a row either.
template <typename T> __device__ bool in_quads(const T *matrix, int cols)
{
    return cols % 4 == 0 && reinterpret_cast<size_t>(matrix) % sizeof(Quad<T>) == 0;
}

template <typename T> __device__ void copy_quad(T *to, const T *from)
{
    *reinterpret_cast<Quad<T> *>(to) = *reinterpret_cast<const Quad<T> *>(from);
}

// Elements row .. row, col .. col + 3 of a matrix, or zeros where it ends.
template <typename T>
__device__ void fetch_quad(T *to, const T *matrix, int rows, int cols, int row, int col, bool quads)
{
    const T *from = matrix + (size_t)row * cols + col;
    if (quads && row < rows && col < cols) {
        copy_quad(to, from);
    } else {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            to[j] = row < rows && col + j < cols ? from[j] : T(0);
        }
    }
}

// A tile WIDTH wide (a piece of m or n) and DEPTH deep (a piece of k), moved by THREADS threads.
//
// Rows are four elements longer than they need be. For the matrix that is transposed on the way this matters: a
// warp reads 16 rows of 8 elements, one whole sector of each, and stores a column of them at a time. With the
// padding, two elements of a warp that are r rows and q quads apart lie in banks r + 16 q apart: all different.
template <typename T, int WIDTH, int DEPTH, int THREADS> struct Tile {
    static constexpr int PITCH = WIDTH + 4;
    static constexpr int QUADS = WIDTH * DEPTH / 4 / THREADS;  // moved by each thread
    static_assert(WIDTH % 32 == 0 && DEPTH % 8 == 0 && QUADS * THREADS * 4 == WIDTH * DEPTH, "no whole quads");

    using Rows = T[DEPTH][PITCH];
};

// The tile of a matrix with rows along k: A, or the second factor of A·Aᵀ. It is transposed on the way.
template <typename T, int WIDTH, int DEPTH, int THREADS> class TransposedTile : public Tile<T, WIDTH, DEPTH, THREADS> {
    using Base = Tile<T, WIDTH, DEPTH, THREADS>;

public:
    __device__ explicit TransposedTile(const T *matrix, int rows, int k, int first_row, int thread)
        : matrix(matrix), rows(rows), k(k), first_row(first_row), thread(thread), quads(in_quads(matrix, k)),
          place(col(0) * Base::PITCH + row(0))
    {
    }

    __device__ void fetch(int step)
    {
#pragma unroll
        for (int i = 0; i < Base::QUADS; ++i) {
            fetch_quad(held[i], matrix, rows, k, first_row + row(i), step + col(i), quads);
        }
    }

    __device__ bool whole() const { return quads && first_row + WIDTH <= rows; }

    __device__ void begin(int step) { next = matrix + (size_t)(first_row + row(0)) * k + step + col(0); }

    __device__ void fetch_next(int steps)
    {
#pragma unroll
        for (int i = 0; i < Base::QUADS; ++i) {
            copy_quad(held[i], next + (size_t)(row(i) - row(0)) * k + col(i) - col(0));
        }
        next += steps;
    }

    __device__ void store(typename Base::Rows &tile) const
    {
        T *to = &tile[0][0] + place;
#pragma unroll
        for (int i = 0; i < Base::QUADS; ++i) {
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                to[(col(i) - col(0) + j) * Base::PITCH + row(i) - row(0)] = held[i][j];
            }
        }
    }

private:
    __device__ int row(int i) const { return (thread + i * THREADS) / 2 % WIDTH; }
    __device__ int col(int i) const { return (thread % 2 + (thread + i * THREADS) / (2 * WIDTH) * 2) * 4; }

    const T *matrix;
    int rows, k, first_row, thread;
    bool quads;
    int place;      // in the tile, of the first element that this thread moves
    const T *next;  // of the matrix, the first element that it moves next where tiles are whole
    alignas(16) T held[Base::QUADS][4];
};

// The tile of a matrix with rows along n: B. It keeps its order.
template <typename T, int WIDTH, int DEPTH, int THREADS> class StraightTile : public Tile<T, WIDTH, DEPTH, THREADS> {
    using Base = Tile<T, WIDTH, DEPTH, THREADS>;

public:
    __device__ explicit StraightTile(const T *matrix, int n, int k, int first_col, int thread)
        : matrix(matrix), n(n), k(k), first_col(first_col), thread(thread), quads(in_quads(matrix, n)),
          place(row(0) * Base::PITCH + col(0))
    {
    }

    __device__ void fetch(int step)
    {
#pragma unroll
        for (int i = 0; i < Base::QUADS; ++i) {
            fetch_quad(held[i], matrix, k, n, step + row(i), first_col + col(i), quads);
        }
    }

    __device__ bool whole() const { return quads && first_col + WIDTH <= n; }

    __device__ void begin(int step) { next = matrix + (size_t)(step + row(0)) * n + first_col + col(0); }

    __device__ void fetch_next(int steps)
    {
#pragma unroll
        for (int i = 0; i < Base::QUADS; ++i) {
            copy_quad(held[i], next + (size_t)(row(i) - row(0)) * n + col(i) - col(0));
        }
        next += (size_t)steps * n;
    }

    __device__ void store(typename Base::Rows &tile) const
    {
        T *to = &tile[0][0] + place;
#pragma unroll
        for (int i = 0; i < Base::QUADS; ++i) {
            copy_quad(to + (row(i) - row(0)) * Base::PITCH + col(i) - col(0), held[i]);
        }
    }

private:
    __device__ int row(int i) const { return (thread + i * THREADS) / (WIDTH / 4); }
    __device__ int col(int i) const { return (thread + i * THREADS) % (WIDTH / 4) * 4; }

    const T *matrix;
    int n, k, first_col, thread;
    bool quads;
    int place;      // in the tile, of the first element that this thread moves
    const T *next;  // of the matrix, the first element that it moves next where tiles are whole
    alignas(16) T held[Base::QUADS][4];
};

template <Second SECOND, typename T, int WIDTH, int DEPTH, int THREADS> struct SecondTileOf {
    using type = StraightTile<T, WIDTH, DEPTH, THREADS>;
};
template <typename T, int WIDTH, int DEPTH, int THREADS>
struct SecondTileOf<Second::transposed, T, WIDTH, DEPTH, THREADS> {
    using type = TransposedTile<T, WIDTH, DEPTH, THREADS>;
};

// Four neighbouring elements of a row of C.
template <typename T>
__device__ void write_quad(T *c, int rows, int cols, int row, int col, const T *values, bool quads)
{
    T *to = c + (size_t)row * cols + col;
    if (quads && row < rows && col < cols) {
        copy_quad(to, values);
    } else {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            if (row < rows && col + j < cols) {
                to[j] = values[j];
            }
        }
    }
}
