#pragma once

#include "core/model/typed_graph.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/inspector/form/fact_list.h"

#include <set>
#include <vector>

namespace views {

/// What the inspector says about one call of a layer.
struct LayerFacts {
    /// Inputs, weights, outputs.
    std::vector<Fact> shapes;
    /// Parameters, arithmetic, times, bytes.
    std::vector<Fact> cost;
};

/// `graph` as analysed; a free batch axis counts as one sample and is said to. Times come from the estimate
/// where it has them.
[[nodiscard]] LayerFacts layerFacts(const core::TypedGraph& graph, const core::TypedInvocation& invocation,
                                    const Document& document);

/// Sums over several calls, each with the calls that have least and most of it in its formula. Weights of a
/// layer that is called more than once count once. Of `calls`, those that are not known add nothing.
[[nodiscard]] std::vector<Fact>
selectionFacts(const core::TypedGraph& graph, const std::set<InvocationKey>& calls, const Document& document);

/// The call in the analysed graph; null while it is not known.
[[nodiscard]] const core::TypedInvocation* findInvocation(const core::TypedGraph& graph,
                                                          const InvocationKey& key);

/// "2 · 28 · 28 · 512 · 256" where twice the outputs times a weight's inputs is the arithmetic of the layer;
/// empty where it is not that simple.
[[nodiscard]] QString flopsFormula(const core::TypedGraph& graph, const core::TypedInvocation& invocation);

} // namespace views
