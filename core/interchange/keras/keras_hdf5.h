#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace core {

/// True for the bytes of an HDF5 file.
[[nodiscard]] bool isHdf5(std::string_view bytes);

/// The text {"model_config": …, "training_config": …} of these two attributes, the second where there is one.
/// Hostile files can hold libhdf5 up for ever: see `hdf5ModelText`. Errors: those of Hdf5File,
/// "hdf5/no-model", "hdf5/damaged".
[[nodiscard]] Result<std::string> readHdf5ModelText(std::string_view bytes, std::string_view file);

} // namespace core
