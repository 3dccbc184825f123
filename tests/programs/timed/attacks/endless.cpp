// Never answers.
int total(const int *, int, int *) { for (;;) {} }
