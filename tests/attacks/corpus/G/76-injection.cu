// Text that would act on a page, a table, a terminal or a shell, wherever a report may show it.
#include <stdio.h>

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        printf("<script>alert(1)</script><img src=x onerror=alert(1)>\n=cmd|' /C calc'!A0\n\033]0;owned\007\033[2J\n");
        printf("</pre></body>{{ 7 * 7 }}{%% include '/etc/passwd' %%}\n");
    }
}
