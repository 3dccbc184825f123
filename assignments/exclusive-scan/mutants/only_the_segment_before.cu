// mutant: scan_in_one_pass adds the sum of one segment before it, not of all | verdict: wrong | beside: expert
// launch: scan_in_one_pass block=1 grid=ceil(n/1024)
__global__ void scan_in_one_pass(const int *x, int *y, long long *state, int n)
{
    unsigned long long *words = (unsigned long long *)state;
    int segment = (int)atomicAdd(&words[0], 1ull), sum = 0;
    for (int i = segment * 1024; i < min(n, segment * 1024 + 1024); i++)
        sum += x[i];
    atomicExch(&words[1 + segment], 1ull << 32 | (unsigned)sum);
    int before = 0;
    if (segment > 0) {
        unsigned long long word;
        do word = atomicAdd(&words[segment], 0ull); while (word == 0);
        before = (int)(unsigned)word;
    }
    for (int i = segment * 1024; i < min(n, segment * 1024 + 1024); i++) {
        y[i] = before;
        before += x[i];
    }
}
