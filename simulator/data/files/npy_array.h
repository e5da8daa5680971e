#pragma once

#include "simulator/data/files/array_file.h"

namespace simulator {

/// The most bytes that come before the numbers of a .npy file.
inline constexpr std::uint64_t longestNpyHeader = 65536 + 12;

/// What the header of a .npy file says; the numbers need not be there. Errors as of openNpyArray.
[[nodiscard]] core::Result<ArrayLayout> npyLayout(const ByteSource& bytes);

/// An array of NumPy's .npy format (versions 1 to 3), C order. Errors: "dataset/not-npy", "dataset/cut-off",
/// "dataset/array-type", "dataset/fortran-order".
[[nodiscard]] core::Result<ArrayFile> openNpyArray(ByteSource bytes);

/// The array as the bytes of a .npy file: little-endian float32.
[[nodiscard]] std::string npyBytes(const Extents& extents, std::span<const float> values);
/// The same of int32.
[[nodiscard]] std::string npyBytes(const Extents& extents, std::span<const std::int32_t> values);

} // namespace simulator
