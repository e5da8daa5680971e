#pragma once

#include "core/interchange/python/writer/text/python_edition.h"

#include <span>
#include <string_view>

namespace core {

/// A layer of this program that no class of the libraries is: a program writes a small class for it, whose
/// call applies functions of TensorFlow and of the IPU extensions.
struct WrittenLayer {
    /// Of the layer catalogue.
    std::string_view className;
    /// The arguments of its constructor in order, separated by blanks; each is kept as an attribute.
    std::string_view arguments;
    /// `build`, `call` and what they use, without indentation.
    std::string_view body;
    /// What it is derived from, where that is not tf.keras.layers.Layer.
    std::string_view base = "tf.keras.layers.Layer";
    /// Attributes that are constants of the class: layers that differ in them have classes of their own.
    std::string_view constants = {};
};

/// One class for each layer of the IPU extensions that is a function there.
[[nodiscard]] std::span<const WrittenLayer> writtenIpuLayers();
/// And for layers that TensorFlow got later, or not at all.
[[nodiscard]] std::span<const WrittenLayer> writtenKerasLayers();

/// Attention that masks what is ahead, where Keras has attention without that argument.
[[nodiscard]] const WrittenLayer& writtenCausalAttention();

/// Null: there is none of that name.
[[nodiscard]] const WrittenLayer* findWrittenLayer(std::string_view className);

/// The attribute of a written class that names the layer of the catalogue, for the reader.
inline constexpr std::string_view writtenClassMark = "workbench_layer";

} // namespace core
