#pragma once

#include "core/interchange/project/project_file.h"
#include "core/interchange/python/draft/program_draft.h"
#include "core/interchange/python/import_choice.h"

#include <optional>
#include <string>

/// What the programming system says against a program that was followed, at the lines that cause it.
namespace core {

/// The configuration that is applied where a model is used; null: none.
[[nodiscard]] const PythonConfiguration* configurationOf(const PythonFacts& facts, std::int64_t index);

/// Groups of replicas of a collective that leads to no output of the model, such as one of what an outfeed
/// is given.
[[nodiscard]] std::optional<Diagnostic> wrongGroup(const PythonFacts& facts, std::int64_t index,
                                                   const Project& project);

/// A device has 1, 2, 4, 8, … IPUs.
[[nodiscard]] std::optional<Diagnostic> wrongDevice(const PythonFacts& facts, std::int64_t index);
/// What a project cannot hold of a model: functions of its own, and eager execution. A pipeline refuses them
/// itself, in its own words; in this order.
[[nodiscard]] std::optional<Diagnostic> brokenByProgram(const PythonFacts& facts, std::int64_t index);
/// Puts the line of the program in the place of a finding about its document.
void placeFindings(const PythonFacts& facts, std::int64_t index, Diagnostics& findings);
/// What the programming system would raise where the program runs.
[[nodiscard]] Diagnostics refusedByRules(const PythonFacts& facts, std::int64_t index,
                                         const ProjectFile& read);
/// What the simulated machine does not have, where somebody is to be asked.
[[nodiscard]] Diagnostics refusedBySystem(const PythonFacts& facts, std::int64_t index,
                                          const ProjectFile& read, const ImportChoice& choice);
/// More replicas than the IPUs make.
[[nodiscard]] std::optional<Diagnostic> wrongReplicas(const PythonFacts& facts, std::int64_t index,
                                                      const Project& project);
/// The optimizer, as JSON, that makes the same of gradients which the program divides by another number than
/// that of the replicas; nothing: they are divided by that, or it has no such options
/// (`multiplyGradients()`).
[[nodiscard]] std::optional<Json> dividedOptimizer(const PythonModel& model, std::int64_t replicas);
/// Gradients that are divided by another number than that of the replicas.
[[nodiscard]] std::optional<Diagnostic> wrongDivisor(const PythonFacts& facts, std::int64_t index,
                                                     const Project& project);
/// Samples and labels that the model does not take: their number, extents and batches.
[[nodiscard]] std::optional<Diagnostic> wrongSamples(const PythonFacts& facts, std::int64_t index,
                                                     const Project& project);
/// An evaluate() or predict() whose steps are no whole number of executions.
[[nodiscard]] std::optional<Diagnostic> wrongRounds(const PythonFacts& facts, std::int64_t index,
                                                    const Project& project);
/// A training whose gradients run through an operation that TensorFlow knows no derivative of.
[[nodiscard]] std::optional<Diagnostic> missingGradient(const PythonFacts& facts, std::int64_t index,
                                                        const Project& project);
/// Options without effect, and that a program which only predicts is run so when one says so.
void warnOfUse(const PythonFacts& facts, std::int64_t index, const Project& project, Diagnostics& warnings);

} // namespace core
