#pragma once

/// On a function with simple loops: compiled for several x86 levels, the best of which is chosen
/// when the program is loaded. Parallel regions must stay outside: their bodies are not cloned.
#if defined(__x86_64__) && !defined(__clang__) && !defined(ASSAY_SANITIZED)
#define ASSAY_VECTORIZED \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
#else
#define ASSAY_VECTORIZED
#endif
