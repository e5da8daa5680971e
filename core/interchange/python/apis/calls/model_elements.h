#pragma once

#include "core/interchange/python/apis/calls/api_table.h"
#include "core/interchange/python/apis/calls/program_function.h"

#include <string>
#include <vector>

namespace core {

/// An input of the model for an element that a function of the program is handed. `shape` without the batch
/// axis; `batch` null: open; `samples`: what says its type, null: nothing does.
PythonValue makeElement(const PythonApiCall& call, const std::string& name, Json shape, Json batch,
                        const PythonData* samples = nullptr);
/// Inputs of the model for the open parameters that a dataset's elements fill, from the one at `first` on.
[[nodiscard]] PythonValues makeElements(const PythonApiCall& call, const PythonProgramFunction& function,
                                        std::size_t first, const PythonData& dataset);
/// The same as arguments of the function, behind `first`: what a dataset answers by names goes to **keywords.
[[nodiscard]] PythonArguments makeArguments(const PythonApiCall& call, const PythonProgramFunction& function,
                                            PythonValues first, const PythonData& dataset);
/// A dictionary of inputs of the model for samples by their names; they are added to `elements`.
PythonValue namedElements(const PythonApiCall& call, const PythonDictionary& parts, const PythonData& dataset,
                          PythonValues& elements);
/// The tensors of elements, those within lists and dictionaries too.
[[nodiscard]] std::vector<PythonTensor> tensorsOfElements(const PythonValues& elements);
/// Elements that lead to the outputs become the model's inputs; a shape that nothing says is a warning.
void takeInputs(const PythonApiCall& call, PythonModel& model, const PythonValues& elements,
                const std::vector<std::int64_t>& used);

} // namespace core
