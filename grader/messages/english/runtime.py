"""What is found about limits and launches of a whole program."""

from grader.messages.message import Message, message

RUNTIME: dict[str, Message] = {
    "work-release": message("release"),
    "shared-memory-not-allowed": message(
        "it asks for {size:,} bytes of dynamic shared memory, and without cudaFuncSetAttribute it gets {most:,} at most"
    ),
    "allow-shared-memory": message(
        "call cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize and these bytes before the launch"
    ),
    "cooperative-too-large": message(
        "a cooperative launch needs all its blocks on the device at once: it has {blocks:,}, and {most:,} fit"
    ),
    "printed-too-much": message(
        "{kernel} prints more than the {most:,} bytes of the buffer for printf, and the oldest text is lost"
    ),
    "raise-print-limit": message(
        "print less, wait more often, or call cudaDeviceSetLimit with cudaLimitPrintfFifoSize before the launch"
    ),
    "heap-stays-small": message(
        "the program asks for a heap of {wanted:,} bytes for malloc in kernels, and the emulator's has {most:,}"
    ),
    "host-function-calls-runtime": message(
        "a host function of a stream calls the runtime, which CUDA forbids"
    ),
    "call-runtime-elsewhere": message(
        "let the host function note what to do, and call the runtime after cudaStreamSynchronize"
    ),
    "use-texture-objects": message(
        "CUDA 12 removed texture references: pass a cudaTextureObject_t of cudaCreateTextureObject to the kernel"
    ),
    "use-surface-objects": message(
        "CUDA 12 removed surface references: pass a cudaSurfaceObject_t of cudaCreateSurfaceObject to the kernel"
    ),
    "use-the-runtime": message(
        "grader run has CUDA's runtime (functions that begin with cuda), not the driver API and not NVRTC"
    ),
}
