// Sums on the CPU, which needs no GPU; the other programs gain nothing over it.
int total(const int *x, int n, int *sum)
{
    int found = 0;
    for (int i = 0; i < n; i++) found += x[i];
    sum[0] = found;
    return 0;
}
