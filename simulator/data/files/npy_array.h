#pragma once

#include "simulator/data/files/array_file.h"

namespace simulator {

/// An array of NumPy's .npy format (versions 1 to 3), C order. Errors: "dataset/not-npy", "dataset/cut-off",
/// "dataset/array-type", "dataset/fortran-order".
[[nodiscard]] core::Result<ArrayFile> openNpyArray(ByteSource bytes);

/// The array as the bytes of a .npy file: little-endian float32.
[[nodiscard]] std::string npyBytes(const Extents& extents, std::span<const float> values);

} // namespace simulator
