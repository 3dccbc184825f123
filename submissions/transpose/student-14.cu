// Übung 3: Matrix transponieren
// Gruppe: Jörg und Zoë, geprüft für die Größe 1024 × 1024
__global__ void transpose(const float *a, float *b, int rows, int cols)
{
    int spalte = blockIdx.x * 32 + threadIdx.x;
    int zeile0 = blockIdx.y * 32 + threadIdx.y;

    for (int i = 0; i < 32; i += 8) {
        int zeile = zeile0 + i;
        if (zeile < rows && spalte < cols)   // nicht über den Rand
            b[spalte * rows + zeile] = a[zeile * cols + spalte];
    }
}
