#pragma once

#include "core/config/ipu_config/ipu_config_option.h"

#include <span>

namespace core {

// The rows of the option table, one file per group of subtrees. Only ipu_config_table.cpp reads them.

/// Options without a category.
[[nodiscard]] std::span<const IpuConfigOption> ipuConfigTopRows();
/// convolutions, matmuls, norms, pooling, floating_point_behaviour.
[[nodiscard]] std::span<const IpuConfigOption> ipuConfigArithmeticRows();
/// device_connection, experimental, io_tiles, ipu_model.
[[nodiscard]] std::span<const IpuConfigOption> ipuConfigSystemRows();
/// optimizations, scheduling.
[[nodiscard]] std::span<const IpuConfigOption> ipuConfigCompilerRows();

} // namespace core
