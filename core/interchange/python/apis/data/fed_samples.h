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

/// Remembers what a queue or an iterator takes its samples of.
void feedLoop(PythonProgramBuilder& builder, const PythonValue& dataset, PythonPlace place);

/// Remembers what an estimator feeds to a model that its function has made, by the names of the inputs.
void feedModel(PythonProgramBuilder& builder, const PythonModel& model, const PythonData& dataset,
               PythonPlace place);

/// What loops feed to a model that has so many inputs and outputs: without arrays where it is not the same
/// for all of them, or not as many. Nothing where no loop is fed.
[[nodiscard]] std::optional<PythonFed> fedByLoops(const PythonFacts& facts, std::size_t inputs,
                                                  std::size_t outputs);

} // namespace core
