#pragma once

#include "core/base/result.h"
#include "core/model/edit/graph_edit.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

// What the edits of a model share.

/// An error "edit/CODE" at a layer.
[[nodiscard]] tl::unexpected<Diagnostics> refuseEdit(std::string code, std::string layer, std::string message,
                                                     Hints hints);

[[nodiscard]] std::optional<Diagnostics> objectionTo(const ModelGraph& graph, LayerId layer);
[[nodiscard]] std::optional<Diagnostics> objectionTo(const ModelGraph& graph, const TensorRef& tensor);
/// When `layer` cannot take these inputs.
[[nodiscard]] std::optional<Diagnostics> objectionToInputs(const ModelGraph& graph, const Layer& layer,
                                                           const std::vector<TensorRef>& inputs);
/// As many inputs as the layer takes at most.
[[nodiscard]] std::size_t mostInputs(const Layer& layer);

/// Whether a call's outputs lead to another call (or it is that call).
[[nodiscard]] bool reaches(const ModelGraph& graph, InvocationId from, InvocationId to);
[[nodiscard]] bool isUsed(const ModelGraph& graph, const TensorRef& tensor);
/// An output of the model that now feeds `user` is handed on to the last call behind it, or is none any more
/// where that gives an output already.
void handOnOutput(ModelGraph& graph, const TensorRef& tensor, InvocationId user);

/// Takes an input of a call away; arguments that named it go, others keep naming theirs.
void removeInput(LayerInvocation& invocation, std::size_t input);
void appendInput(const ModelGraph& graph, LayerInvocation& invocation, TensorRef source);

/// A new layer, checked, without an id.
[[nodiscard]] Result<Layer> makeLayer(const ModelGraph& graph, const NewLayer& wanted);
/// Puts a layer and its call at the end.
InvocationId appendCall(ModelGraph& graph, Layer layer, std::vector<TensorRef> inputs);

/// Ends an edit: a Sequential model that is no chain any more becomes Functional.
[[nodiscard]] Result<ModelGraph> settle(ModelGraph graph);
/// Ends an edit of connections. A call that an input leads to and whose tensors nobody reads gives an output
/// of the model, as in a drawing: unless it was such a call in `before` and gave none, because that was
/// chosen.
[[nodiscard]] Result<ModelGraph> settle(const ModelGraph& before, ModelGraph graph);

} // namespace core
