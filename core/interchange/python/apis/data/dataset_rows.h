#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <memory>
#include <optional>

/// The rows that a dataset of tf.data answers, as far as the program says their numbers.
namespace core {

/// Copies of the arrays of a structure, in that structure; null where one of them is not known.
[[nodiscard]] std::shared_ptr<const PythonValue> wholeArrays(const PythonValue& structure);

/// The same as rows of a dataset that answers them as a whole.
[[nodiscard]] std::shared_ptr<const PythonValue> wholeElements(const PythonValue& structure);

/// The samples of rows of which each is a batch, one behind the other; null where batches are not alike.
[[nodiscard]] std::shared_ptr<const PythonValue> samplesOfElements(const PythonValue& elements);

/// What a function of a dataset, by its plain name, leaves of its rows (`whole`, `isShuffled`,
/// `keepsRemainder`); nothing where that is not followed. A function of the program that is mapped over them
/// is called for every row.
[[nodiscard]] std::optional<PythonData> rowsAfter(const PythonApiCall& call, const PythonData& dataset);

/// The rows of several datasets side by side; null where those of one are not known.
[[nodiscard]] std::shared_ptr<const PythonValue> zippedRows(const PythonValue& datasets);

} // namespace core
