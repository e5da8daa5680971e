#pragma once

#include <string>
#include <string_view>

namespace core {

/// ASCII letters only; everything else stays.
[[nodiscard]] std::string lowerCase(std::string_view text);

/// "MaxPooling2D" → "max_pooling2d": a name of Keras' classes as Keras' to_snake_case writes it.
[[nodiscard]] std::string snakeCase(std::string_view className);

} // namespace core
