#pragma once

#include "simulator/program/executable.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace simulator {

/// What a pass has given, in the order of the passes.
using PassProduct =
    std::variant<const StagedGraph*, const ScheduledGraph*, const RoutedGraph*, const KeptGraph*,
                 const PlannedGraph*, const OrderedGraph*, const LoweredPipeline*, const CompiledPipeline*>;

/// Called after each pass with what it gives.
using PassObserver = std::function<void(const PassProduct&)>;

/// A row of the table of passes.
struct CompilerPass {
    /// What the graph is afterwards: "routed".
    std::string_view name;
    /// What holds of the graph from then on.
    std::string_view promise;
    /// What the pass added, for people; ends with a line break. `product` is this pass's.
    std::string (*print)(const PassProduct& product) = nullptr;
};

/// Every pass, in order: one for each alternative of `PassProduct`.
[[nodiscard]] std::span<const CompilerPass> compilerPasses();

/// "staged, scheduled, …".
[[nodiscard]] std::string compilerPassNames();

/// Null when there is no such pass.
[[nodiscard]] const CompilerPass* findCompilerPass(std::string_view name);

/// The pass that has given `product`.
[[nodiscard]] const CompilerPass& passOf(const PassProduct& product);

/// What a pass has given, as text: a line that says what the pass promises, then what it added. The same
/// product gives the same text.
[[nodiscard]] std::string productText(const PassProduct& product);

} // namespace simulator
