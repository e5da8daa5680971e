#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <string_view>

namespace core {

/// True for the bytes of an HDF5 file.
[[nodiscard]] bool isHdf5(std::string_view bytes);

/// The model of a `.h5` file, from the attribute `model_config` of its root; weights are not read. Errors:
/// "hdf5/damaged", "hdf5/no-model" for a file of weights alone, and those of `readKerasModel`.
[[nodiscard]] Result<ModelGraph> readKerasHdf5(std::string_view bytes, std::string_view file,
                                               Diagnostics& warnings);

} // namespace core
