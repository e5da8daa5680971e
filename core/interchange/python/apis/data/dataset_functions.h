#pragma once

#include "core/interchange/python/apis/calls/api_table.h"
#include "core/interchange/python/language/library.h"

#include <optional>
#include <vector>

namespace core {

/// The names of tf.data.
[[nodiscard]] std::vector<PythonApiName> datasetNames();
/// A dataset whose batches have a size that only a run knows.
[[noreturn]] void refuseOpenBatch(const PythonApiCall& call);
/// A function of a dataset, such as batch(); nothing: it says nothing about its samples.
[[nodiscard]] std::optional<PythonValue> callDatasetMethod(const PythonApiCall& call,
                                                           const PythonData& dataset);
/// A batch of arrays in tuples, as a step of training is given it: of an open number of samples.
[[nodiscard]] PythonValue batchOfArrays(const PythonValue& arrays);
/// What a loop over samples meets; nothing where that is not known.
[[nodiscard]] std::optional<PythonRounds> roundsOf(const PythonData& samples);
/// The same of anything: samples and queues have rounds.
[[nodiscard]] std::optional<PythonRounds> roundsOfValue(const PythonValue& value);
/// zip() of lists and samples; nothing: how many rows there are is not known.
[[nodiscard]] std::optional<PythonValue> zipSamples(const PythonValues& parts);

} // namespace core
