#pragma once

#include "core/interchange/python/apis/calls/api_table.h"
#include "core/interchange/python/draft/program_draft.h"

namespace core {

/// Samples and their labels, which may have more behind them; null: they are no such tuple.
[[nodiscard]] const PythonList* pairOf(const PythonValue& given);

/// What a model is given as samples and labels: arrays, lists and dictionaries of them by the names of inputs
/// and outputs, or a dataset that answers pairs of them.
[[nodiscard]] PythonFed fedSamples(const PythonProgramBuilder& builder, const PythonModel& model,
                                   const PythonValue& samples, const PythonValue* labels, PythonPlace place);

/// Remembers the arrays that a run of a graph feeds to the placeholders that are inputs of a model.
void feedPlaceholders(PythonProgramBuilder& builder, std::int64_t model, const PythonArguments& arguments);
/// Makes of what all runs fed what loops feed.
void settlePlaceholders(PythonProgramBuilder& builder);

/// Remembers what a queue or an iterator takes its samples of.
void feedLoop(PythonProgramBuilder& builder, const PythonValue& dataset, PythonPlace place);

/// Remembers what an estimator feeds to a model that its function has made, by the names of the inputs.
void feedModel(PythonProgramBuilder& builder, const PythonModel& model, const PythonData& dataset,
               PythonPlace place);

/// What loops feed to a model with inputs of these names and so many outputs: without arrays where it is not
/// the same for all of them, or not as many. Nothing where no loop is fed.
[[nodiscard]] std::optional<PythonFed> fedByLoops(const PythonFacts& facts,
                                                  const std::vector<std::string>& names, std::size_t outputs);

} // namespace core
