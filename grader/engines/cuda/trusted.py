"""The engine's own kernels: drawing inputs, digests, output comparison, clock readings, cache flushes."""

from typing import Any, NamedTuple

import numpy as np

from grader.engines.cuda.status import checked
from grader.model.element_types import DType, Element

_THREADS = 256
_MOST_BLOCKS = 4096

_ALL = 2**64 - 1

SEED_BITS = 128
"""Bits of the seed of a draw."""

SOURCE = """
typedef unsigned long long u64;

// Steele, Lea and Flood's SplitMix: every bit of the argument affects every bit of the result.
__device__ u64 mixed(u64 z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

#define EACH(i, count) \\
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x)

// Pseudo-random bits of an index. With a single key, a kernel that knows some of the bits could try all keys.
__device__ u64 noise(u64 key, u64 other, u64 index)
{
    return mixed(mixed(key + (index + 1) * 0x9e3779b97f4a7c15ull) ^ other);
}

// Mixes two sectors element by element (``words`` words each): an element is the first's where its bit is set.
__device__ void mix(const uint4 *first, const uint4 *second, u64 bits, int words, uint4 *to)
{
#define PICK(number, one, another) ((bits >> (number) / words) & 1 ? (one) : (another))
    const uint4 a = first[0], b = first[1], c = second[0], d = second[1];
    to[0] = make_uint4(PICK(0, a.x, c.x), PICK(1, a.y, c.y), PICK(2, a.z, c.z), PICK(3, a.w, c.w));
    to[1] = make_uint4(PICK(4, b.x, d.x), PICK(5, b.y, d.y), PICK(6, b.z, d.z), PICK(7, b.w, d.w));
}

// Memory is read in sectors of 32 bytes. Drawing each element of a sector from another sector would read as many
// sectors as there are elements. Mixing two sectors reads two. A kernel cannot use a table of known results: there are
// as many as pairs of sectors times ways to mix them. A small array has few sectors and so few possible draws, so its
// elements are drawn one by one.
//
// ``most`` selects a random share of the sectors or elements: those with noise of at most ``most``.
#define SMALL (1u << 16)
// Elements of less than a word are mixed a word at a time.
#define WORDS(TYPE) (sizeof(TYPE) < 4 ? 1 : int(sizeof(TYPE) / 4))
#define DRAW(TYPE) \\
    extern "C" __global__ void draw_##TYPE(const TYPE *from, TYPE *to, u64 count, u64 key, u64 other, u64 most) \\
    { \\
        const u64 width = 32 / sizeof(TYPE), sectors = count < SMALL ? 0 : count / width, whole = sectors * width; \\
        EACH(i, sectors) { \\
            if (noise(other, key, i) > most) continue; \\
            const u64 bits = noise(key, other, 2 * i); \\
            const TYPE *first = from + width * __umul64hi(bits, sectors); \\
            const TYPE *second = from + width * __umul64hi(noise(key, other, 2 * i + 1), sectors); \\
            TYPE *target = to + width * i; \\
            mix((const uint4 *)first, (const uint4 *)second, bits, WORDS(TYPE), (uint4 *)target); \\
        } \\
        EACH(i, count - whole) { \\
            if (noise(other, key, sectors + i) > most) continue; \\
            to[whole + i] = from[__umul64hi(noise(key, other, 2 * sectors + i), count)]; \\
        } \\
    }

// Draws elements of any size one by one.
extern "C" __global__ void draw_bytes(const unsigned char *from, unsigned char *to, u64 count, u64 size, u64 key, \\
                                      u64 other, u64 most)
{
    EACH(i, count) {
        if (noise(other, key, i) > most) continue;
        const unsigned char *source = from + size * __umul64hi(noise(key, other, i), count);
        for (u64 byte = 0; byte < size; byte++) to[size * i + byte] = source[byte];
    }
}

// Two sums over all words that cannot be predicted without the keys. Each word is combined with the noise of its index
// before it is mixed, so no change of one word, and no swap of two, can be compensated by a third.
extern "C" __global__ void digest(const unsigned *words, u64 count, u64 key, u64 other, u64 *sums)
{
    u64 one = 0, two = 0;
    EACH(i, count) {
        const u64 hidden = mixed(noise(key, other, i) ^ words[i]);
        one += hidden;
        two += mixed(hidden ^ other);
    }
    for (int distance = 16; distance; distance /= 2) {
        one += __shfl_down_sync(~0u, one, distance);
        two += __shfl_down_sync(~0u, two, distance);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sums, one);
        atomicAdd(sums + 1, two);
    }
}

// CuPy compiles with subnormals flushed to zero; this conversion keeps them.
__device__ double wide(float x) { double y; asm("cvt.f64.f32 %0, %1;" : "=d"(y) : "f"(x)); return y; }
__device__ double wide(double x) { return x; }

#define COUNT(TYPE, BITS) \\
    extern "C" __global__ void differing_##TYPE(const TYPE *left, const TYPE *right, u64 count, double allowed, \\
                                                u64 *found) \\
    { \\
        u64 mine = 0; \\
        EACH(i, count) \\
            if (((const BITS *)left)[i] != ((const BITS *)right)[i] && \\
                !(fabs(wide(left[i]) - wide(right[i])) <= allowed)) \\
                mine++; \\
        if (mine) atomicAdd(found, mine); \\
    }

// Numbers of 16 bits come as their bits.
struct half16 { unsigned short bits; };
struct brain16 { unsigned short bits; };
__device__ double wide(half16 x) { float y; asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits)); return wide(y); }
__device__ double wide(brain16 x) { return wide(__int_as_float(int(x.bits) << 16)); }

typedef long long i64;
DRAW(char)
DRAW(short)
DRAW(int)
DRAW(i64)
DRAW(uint4)
COUNT(half16, short)
COUNT(brain16, short)
COUNT(float, int)
COUNT(double, i64)

// The distance of integers is exact: two different ones of 64 bits may convert to the same double.
#define COUNT_INTEGERS(TYPE) \\
    extern "C" __global__ void differing_##TYPE(const TYPE *left, const TYPE *right, u64 count, double allowed, \\
                                                u64 *found) \\
    { \\
        u64 mine = 0; \\
        EACH(i, count) { \\
            const TYPE one = left[i], other = right[i]; \\
            if ((one > other ? u64(one) - u64(other) : u64(other) - u64(one)) > allowed) mine++; \\
        } \\
        if (mine) atomicAdd(found, mine); \\
    }

typedef signed char int8;
typedef unsigned char uint8;
typedef short int16;
typedef unsigned short uint16;
typedef int int32;
typedef unsigned int uint32;
typedef i64 int64;
typedef u64 uint64;
COUNT_INTEGERS(int8)
COUNT_INTEGERS(uint8)
COUNT_INTEGERS(int16)
COUNT_INTEGERS(uint16)
COUNT_INTEGERS(int32)
COUNT_INTEGERS(uint32)
COUNT_INTEGERS(int64)
COUNT_INTEGERS(uint64)

__device__ u64 nanoseconds()
{
    u64 time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

// Waits for the timer's next step: on some devices it steps once per microsecond.
__device__ u64 next_step()
{
    const u64 before = nanoseconds();
    u64 now;
    do now = nanoseconds(); while (now == before);
    return now;
}

// Blocks the stream until ``*released`` is set, and measures its SM's clock in that time.
extern "C" __global__ void blocking_kernel(const volatile unsigned *released, u64 least, u64 most, u64 *reading)
{
    const u64 began = next_step();
    const i64 clock = clock64();
    u64 passed;
    i64 cycles;
    bool unblocked;
    do {
        unblocked = *released;  // reading host memory takes about a microsecond, which is not part of the reading
        passed = next_step() - began;
        cycles = clock64() - clock;
    } while (passed < least || (passed < most && !unblocked));
    reading[0] = cycles;
    reading[1] = passed;
}

// Adds up the gaps between readings of the timer: time in which another process had the device.
extern "C" __global__ void probe_contention(u64 duration, u64 gap, u64 *lost)
{
    const u64 began = nanoseconds();
    u64 sum = 0, last = began;
    while (last - began < duration) {
        const u64 now = nanoseconds();
        if (now - last > gap) sum += now - last;
        last = now;
    }
    lost[0] = sum;
    lost[1] = last - began;
}

// Reads ``count`` times 16 zero bytes; the write, which never happens, keeps the compiler from dropping the reads.
extern "C" __global__ void read_through(const uint4 *from, u64 count, unsigned *never)
{
    unsigned bits = 0;
    EACH(i, count) {
        const uint4 read = from[i];
        bits |= read.x | read.y | read.z | read.w;
    }
    if (bits) *never = bits;
}
"""

_COMPARED = {
    DType.BOOL: "uint8",
    DType.FLOAT16: "half16",
    DType.BFLOAT16: "brain16",
    DType.FLOAT32: "float",
    DType.FLOAT64: "double",
}
_DRAWN = {1: "char", 2: "short", 4: "int", 8: "i64", 16: "uint4"}


class Draw(NamedTuple):
    """How inputs are drawn: a seed of ``SEED_BITS`` bits, which fixes the result, and the share that is drawn."""

    seed: int
    share: float = 1.0


class TrustedKernels:
    """Launches these kernels on the current stream of the current device. Addresses are device addresses.

    Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        with checked(cupy):
            self._module = cupy.RawModule(code=SOURCE)
            self._found = cupy.zeros(2, np.uint64)

    def load(self) -> None:
        """Compile and load all of them, which the first launch would do otherwise."""
        with checked(self._cupy):
            self._module.get_function("read_through")

    def draw(self, source: int, target: int, element: Element, count: int, draw: Draw) -> None:
        """Fill ``target`` with elements of ``source``, both of ``count`` elements, drawn with repetition.

        In large arrays, which must be aligned to 32 bytes, each 32-byte sector is mixed from two sectors. With a share
        below 1, the other elements stay unchanged. Asynchronous.
        """
        arrays = (np.uint64(source), np.uint64(target), np.uint64(count))
        most = np.uint64(min(int(draw.share * _ALL), _ALL))
        size = element.itemsize
        if size in _DRAWN:
            self._launch(f"draw_{_DRAWN[size]}", count, *arrays, *_keys(draw.seed), most)
        else:
            self._launch("draw_bytes", count, *arrays, np.uint64(size), *_keys(draw.seed), most)

    def digest(self, address: int, size: int, seed: int) -> tuple[int, int]:
        """A digest of ``size`` bytes, a multiple of 4: a function of the bytes and the seed, with rare collisions.

        The seed has ``SEED_BITS`` bits.
        """
        words = size // 4
        with checked(self._cupy):
            self._found.fill(0)
        self._launch(
            "digest",
            words,
            np.uint64(address),
            np.uint64(words),
            *_keys(seed),
            np.uint64(self._found.data.ptr),
        )
        with checked(self._cupy):
            one, two = self._found.get()
        return int(one), int(two)

    def count_differing(self, left: int, right: int, dtype: DType, count: int, allowed: float) -> int:
        """As ``timed_output_check.count_differing``, for two arrays of numbers on the device."""
        name = f"differing_{_COMPARED.get(dtype, dtype.value)}"
        with checked(self._cupy):
            self._found.fill(0)
        arrays = (np.uint64(left), np.uint64(right), np.uint64(count))
        self._launch(name, count, *arrays, np.float64(allowed), np.uint64(self._found.data.ptr))
        with checked(self._cupy):
            return int(self._found.get()[0])

    def blocking_kernel(self, released: int, least: int, most: int, reading: int) -> None:
        """Block the stream for ``least`` nanoseconds, then until ``released`` is not zero, at most ``most``.

        ``released`` is the address of a 32-bit flag. The kernel writes two 64-bit numbers to ``reading``: an SM's clock
        cycles and the nanoseconds in which they passed. Asynchronous.
        """
        arguments = np.uint64(released), np.uint64(least), np.uint64(most), np.uint64(reading)
        self._launch_single_thread("blocking_kernel", *arguments)

    def probe_contention(self, duration: int, gap: int) -> tuple[int, int]:
        """Read the timer on one SM for ``duration`` nanoseconds.

        Returns: the nanoseconds in gaps longer than ``gap``, in which another process had the device, and the
        nanoseconds in all.
        """
        self._launch_single_thread(
            "probe_contention", np.uint64(duration), np.uint64(gap), np.uint64(self._found.data.ptr)
        )
        with checked(self._cupy):
            lost, passed = self._found.get()
        return int(lost), int(passed)

    def read_through(self, source: int, size: int) -> None:
        """Read ``size`` zero bytes, a multiple of 16, through the caches. Asynchronous."""
        count = size // 16
        self._launch(
            "read_through", count, np.uint64(source), np.uint64(count), np.uint64(self._found.data.ptr)
        )

    def _launch(self, name: str, count: int, *arguments: np.generic) -> None:
        blocks = min(_MOST_BLOCKS, max(1, -(-count // _THREADS)))
        with checked(self._cupy):
            self._module.get_function(name)((blocks,), (_THREADS,), arguments)

    def _launch_single_thread(self, name: str, *arguments: np.generic) -> None:
        with checked(self._cupy):
            self._module.get_function(name)((1,), (1,), arguments)


def _keys(seed: int) -> tuple[np.generic, ...]:
    one, other = divmod(seed, 1 << SEED_BITS // 2)
    return np.uint64(one), np.uint64(other)
