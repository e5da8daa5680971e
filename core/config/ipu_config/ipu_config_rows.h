#pragma once

#include "core/config/ipu_config/ipu_config_rows_arithmetic.h"
#include "core/config/ipu_config/ipu_config_rows_compiler.h"
#include "core/config/ipu_config/ipu_config_rows_system.h"
#include "core/config/ipu_config/ipu_config_rows_top.h"

#include <span>

// The rows of the option table, one file per group of subtrees: options without a category; convolutions,
// matmuls, norms, pooling, floating_point_behaviour; device_connection, experimental, io_tiles, ipu_model;
// optimizations, scheduling. They are constants, so that a name is looked up while the program is compiled
// (`ipu_config_name.h`). Everybody else reads `ipu_config_table.h`.

namespace core::ipu_config_rows {

/// The option of that name. Where there is none it throws, which is an error of compilation where a constant
/// is made. It answers a reference: under the sanitizers GCC takes no comparison of an address with null for
/// a constant.
[[nodiscard]] consteval const IpuConfigOption& option(std::string_view name) {
    for (const std::span<const IpuConfigOption> rows :
         {std::span<const IpuConfigOption>(topRows), std::span<const IpuConfigOption>(arithmeticRows),
          std::span<const IpuConfigOption>(systemRows), std::span<const IpuConfigOption>(compilerRows)})
        for (const IpuConfigOption& row : rows)
            if (row.name == name)
                return row;
    throw "the option table has no such option";
}

} // namespace core::ipu_config_rows
