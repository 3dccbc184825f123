// Has a main of its own, which would hold the clock.
int total(const int *, int, int *) { return 0; }
int main() { return 0; }
