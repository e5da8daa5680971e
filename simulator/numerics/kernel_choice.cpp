#include "simulator/numerics/kernel_choice.h"

#include "simulator/numerics/kernels/kernel_table.h"

#include <cstdlib>
#include <string_view>
#include <vector>

namespace simulator {

namespace baseline {
const KernelTable& kernelTable();
}
#ifdef SIMULATOR_KERNELS_X86
namespace avx2 {
const KernelTable& kernelTable();
}
namespace avx512 {
const KernelTable& kernelTable();
}
#endif

std::span<const KernelTable* const> availableKernels() {
    static const std::vector<const KernelTable*> tables = [] {
        std::vector<const KernelTable*> found{&baseline::kernelTable()};
#ifdef SIMULATOR_KERNELS_X86
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            found.push_back(&avx2::kernelTable());
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
            found.push_back(&avx512::kernelTable());
#endif
        return found;
    }();
    return tables;
}

const KernelTable& kernels() {
    static const KernelTable& chosen = []() -> const KernelTable& {
        const char* asked = std::getenv("IPU_WORKBENCH_KERNELS");
        for (const KernelTable* table : availableKernels()) {
            if (asked != nullptr && std::string_view(asked) == table->name)
                return *table;
        }
        return *availableKernels().back();
    }();
    return chosen;
}

} // namespace simulator
