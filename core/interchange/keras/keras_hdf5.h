#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <string>
#include <string_view>

namespace core {

/// True for the bytes of an HDF5 file.
[[nodiscard]] bool isHdf5(std::string_view bytes);

/// The text of the attribute "model_config". Hostile files can hold libhdf5 up for ever: see `hdf5ModelText`.
/// Errors: those of Hdf5File, "hdf5/no-model", "hdf5/damaged".
[[nodiscard]] Result<std::string> readHdf5ModelText(std::string_view bytes, std::string_view file);

/// The model of a `.h5` file, from the attribute `model_config` of its root; weights are not read. Errors:
/// "hdf5/damaged", "hdf5/no-model" for a file of weights alone, and those of `readKerasModel`.
[[nodiscard]] Result<ModelGraph> readKerasHdf5(std::string_view bytes, std::string_view file,
                                               Diagnostics& warnings);

} // namespace core
