#pragma once

#include "core/interchange/python/writer/text/python_edition.h"

#include <string_view>

namespace core {

/// A class of layers that an edition of TensorFlow or of its IPU extensions has.
struct LibraryClass {
    std::string_view className;
    /// Arguments of its constructor beside `name`, `trainable` and `dtype`, separated by blanks.
    std::string_view arguments;
    /// Of these, what TensorFlow 2.1 did not have yet.
    std::string_view newerArguments = {};
    bool isIn21 = true;

    [[nodiscard]] bool takes(std::string_view argument, PythonApi api) const;
};

/// The class of `tf.keras.layers`; null where that edition has none of the name. Source: the reference of
/// tf.keras.layers of TensorFlow 2.4 and 2.1.
[[nodiscard]] const LibraryClass* findKerasClass(std::string_view className, PythonApi api);

/// The class of `ipu.keras.layers`; null where there is none. Source: the Python API reference of the IPU
/// extensions, Keras layers.
[[nodiscard]] const LibraryClass* findIpuClass(std::string_view className);

/// Whether a list of words separated by blanks has one of that name.
[[nodiscard]] bool hasWord(std::string_view words, std::string_view word);

} // namespace core
