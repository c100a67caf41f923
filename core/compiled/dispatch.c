// Which builds of kernel.c are in this library, and the widest that this processor can run.

#include <stdint.h>

#include "compiled/seen.h"
#include "declared.h"

// The name of each function that is declared, and a digest of its declaration, in lines; a function with another digest
// is of another version of Artfish.
SEEN const char *artfish_declared(void) { return DECLARED; }

#if defined(__x86_64__)
#include <cpuid.h>

static uint64_t enabled_registers(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

SEEN const char *artfish_widest(void) {
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return "sse2";
    uint64_t enabled = enabled_registers();
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return "sse2";
    const uint32_t wide = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL | bit_AVX512CD;
    if ((enabled & 0xe6) == 0xe6 && (b & wide) == wide) return "avx512";
    if ((enabled & 0x6) == 0x6 && (b & bit_AVX2)) return "avx2";
    return "sse2";
}
#else
SEEN const char *artfish_widest(void) { return "neon"; }
#endif
