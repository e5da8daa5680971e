#include "simulator/numerics/kernels/kernel_table.h"

#define KERNEL_TEXT_OF(name) #name
#define KERNEL_TEXT(name) KERNEL_TEXT_OF(name)

namespace simulator::KERNEL_VARIANT {

const KernelTable& kernelTable() {
    static const KernelTable table{KERNEL_TEXT(KERNEL_VARIANT),
                                   matrixKernels(),
                                   elementwiseKernels(),
                                   reductionKernels(),
                                   softmaxKernels(),
                                   normalizationKernels(),
                                   windowKernels(),
                                   movementKernels(),
                                   recurrentKernels(),
                                   randomKernels(),
                                   optimizerKernels(),
                                   winogradKernels()};
    return table;
}

} // namespace simulator::KERNEL_VARIANT
