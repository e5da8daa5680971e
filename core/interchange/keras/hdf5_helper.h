#pragma once

#include "core/base/result.h"
#include "core/interchange/keras/hdf5_weights.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Reading HDF5 in a process of its own, for libhdf5 loops for ever on some damaged files and believes what a
/// file announces: a bound on time (2 s of processor and 1 s for every 16 MiB) and on memory (8 times the
/// file and 32 MiB). In a program whose `main` does not call `serveHelper` (the fuzz target, the
/// benchmarks) it is read in the program itself. Errors of both: those of Hdf5File, "hdf5/limits" when it
/// takes too long, "hdf5/damaged".

/// The text of the attribute "model_config". Errors: "hdf5/no-model".
[[nodiscard]] Result<std::string> hdf5ModelText(std::string_view bytes, std::string_view file);

/// As `readHdf5Weights`, whose errors it has.
[[nodiscard]] Result<std::vector<StoredWeight>> hdf5Weights(std::string_view bytes, std::string_view file,
                                                            std::int64_t mostElements);

} // namespace core
