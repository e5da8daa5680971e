#pragma once

#include <cstdint>

namespace core {

/// Editions of the IPU extensions: 2.4 sets options by methods of Keras' own classes, 2.1 has classes of its
/// own that take them.
enum class PythonApi : std::uint8_t { TensorFlow24, TensorFlow21 };

/// "TensorFlow 2.4".
[[nodiscard]] constexpr const char* nameOf(PythonApi api) {
    return api == PythonApi::TensorFlow24 ? "TensorFlow 2.4" : "TensorFlow 2.1";
}

} // namespace core
