#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace core {

/// What the functions of keras.applications are told of a network.
struct NetworkRequest {
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 3;
    std::int64_t classes = 1000;
    bool hasTop = true;
    /// "avg", "max" or empty: what follows the last block where there is no top.
    std::string pooling;
    /// Width multiplier of the networks that have one.
    double alpha = 1;
};

/// Those that kerasNetwork() makes.
[[nodiscard]] std::span<const std::string_view> networkNames();
/// Height and width that a network is for where nothing is said; nothing: no network of that name.
[[nodiscard]] std::optional<std::int64_t> networkExtent(std::string_view name);

/// A network of keras.applications ("MobileNet", "MobileNetV2", "DenseNet121", "EfficientNetB0", …) as Keras'
/// JSON of a Functional model, layer by layer under Keras' names. Source: keras.applications of
/// TensorFlow 2.4.
[[nodiscard]] Json kerasNetwork(std::string_view name, const NetworkRequest& request);

} // namespace core
