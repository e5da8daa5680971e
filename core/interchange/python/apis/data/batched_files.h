#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <string_view>
#include <vector>

namespace core {

/// Functions of Keras and TensorFlow that make a dataset of files or arrays, in batches of which the last may
/// be smaller: image_dataset_from_directory() and its like; and generators of Keras, which fit() does not
/// take.
[[nodiscard]] std::vector<PythonApiName> batchedFileNames();

/// `PythonData::origin` of what such a generator answers.
inline constexpr std::string_view generatorOfKeras = "a generator of Keras";

} // namespace core
