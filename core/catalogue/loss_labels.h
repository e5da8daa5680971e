#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace core {

/// Extents behind the samples' axis of the labels that the model of a loss function (inputs labels, then
/// predictions) is made for; nothing where they follow from those of the predictions, or are open: they are
/// written as the predictions are, or, with `areClasses`, as class numbers that stand for the last axis of
/// those.
[[nodiscard]] std::optional<std::vector<std::int64_t>> ownLabelExtents(const Json& model, bool areClasses);
/// How many labels one batch of such a model has, where their first axis is not as long as that of the
/// predictions: those may be turned, time before samples. Nothing: as many as predictions.
[[nodiscard]] std::optional<std::int64_t> ownLabelCount(const Json& model);

} // namespace core
