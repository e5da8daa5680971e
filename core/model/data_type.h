#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace core {

/// Element types as TensorFlow names them. float64 data is read as float32 and int64 as int32, as Keras on
/// IPU does
///, so neither lives on a device.
enum class DataType : std::uint8_t { Float32, Float16, Int32, Int16, Int8, UInt32, UInt16, UInt8, Bool };

/// Bytes of one element on a device.
[[nodiscard]] int elementBytes(DataType type);
[[nodiscard]] bool isFloating(DataType type);
/// "float32", "int8", … as Keras spells it.
[[nodiscard]] std::string_view toString(DataType type);
/// Reads Keras' spelling; "float64" gives Float32, "int64" Int32, "half" Float16. Nothing for any other text.
[[nodiscard]] std::optional<DataType> dataTypeFromName(std::string_view name);

} // namespace core
