#pragma once

#include <span>

namespace simulator {

struct KernelTable;

/// The fastest kernels this machine can run. The environment variable IPU_WORKBENCH_KERNELS ("baseline",
/// "avx2", "avx512") asks for others, to compare or to reproduce another machine's rounding.
[[nodiscard]] const KernelTable& kernels();

/// Every set of kernels this machine can run, slowest first.
[[nodiscard]] std::span<const KernelTable* const> availableKernels();

} // namespace simulator
