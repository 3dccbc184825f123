// More messages than anybody reads, some of them long.
#define J(x, y) x##y
#define N(x, y) J(x, y)
#define E1(x) N(undeclared_and_rather_long_name_to_fill_the_pages_, x);
#define E10(x) E1(N(x, 0)) E1(N(x, 1)) E1(N(x, 2)) E1(N(x, 3)) E1(N(x, 4)) E1(N(x, 5)) E1(N(x, 6)) E1(N(x, 7)) E1(N(x, 8)) E1(N(x, 9))
#define E100(x) E10(N(x, 0)) E10(N(x, 1)) E10(N(x, 2)) E10(N(x, 3)) E10(N(x, 4)) E10(N(x, 5)) E10(N(x, 6)) E10(N(x, 7)) E10(N(x, 8)) E10(N(x, 9))
#define E1000(x) E100(N(x, 0)) E100(N(x, 1)) E100(N(x, 2)) E100(N(x, 3)) E100(N(x, 4)) E100(N(x, 5)) E100(N(x, 6)) E100(N(x, 7)) E100(N(x, 8)) E100(N(x, 9))

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    E1000(1) E1000(2) E1000(3) E1000(4) E1000(5)
}
