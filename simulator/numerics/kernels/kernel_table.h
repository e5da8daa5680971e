#pragma once

#include "simulator/numerics/kernels/elementwise.h"
#include "simulator/numerics/kernels/matrix_product.h"
#include "simulator/numerics/kernels/movement.h"
#include "simulator/numerics/kernels/normalization.h"
#include "simulator/numerics/kernels/optimizer.h"
#include "simulator/numerics/kernels/random.h"
#include "simulator/numerics/kernels/recurrent.h"
#include "simulator/numerics/kernels/reduction.h"
#include "simulator/numerics/kernels/softmax.h"
#include "simulator/numerics/kernels/vector.h"
#include "simulator/numerics/kernels/window.h"
#include "simulator/numerics/kernels/winograd.h"

namespace simulator {

/// The kernels of one instruction set. Add a family: its header above, one member, one line in
/// kernel_table.cpp.
struct KernelTable {
    const char* name;
    MatrixKernels matrix;
    ElementwiseKernels elementwise;
    ReductionKernels reduction;
    SoftmaxKernels softmax;
    NormalizationKernels normalization;
    WindowKernels window;
    MovementKernels movement;
    RecurrentKernels recurrent;
    RandomKernels random;
    OptimizerKernels optimizer;
    WinogradKernels winograd;
};

namespace KERNEL_VARIANT {

const MatrixKernels& matrixKernels();
const ElementwiseKernels& elementwiseKernels();
const ReductionKernels& reductionKernels();
const SoftmaxKernels& softmaxKernels();
const NormalizationKernels& normalizationKernels();
const WindowKernels& windowKernels();
const MovementKernels& movementKernels();
const RecurrentKernels& recurrentKernels();
const RandomKernels& randomKernels();
const OptimizerKernels& optimizerKernels();
const WinogradKernels& winogradKernels();
const KernelTable& kernelTable();

} // namespace KERNEL_VARIANT
} // namespace simulator
