#pragma once

#include "core/base/json.h"
#include "core/model/model_graph.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// A tensor as Keras names it: output `tensor` of call `node` of a layer.
struct KerasHistory {
    std::string layer;
    std::int64_t node = 0;
    std::int64_t tensor = 0;
};

/// One entry of `inbound_nodes`: the tensors a call takes, and its arguments in the form of
/// `LayerInvocation::arguments`.
struct KerasCall {
    std::vector<KerasHistory> tensors;
    Json arguments = Json::object();
};

/// Which names are layers: a list ["a", 0, 0] among the arguments is a tensor only when "a" is one.
using IsLayer = std::function<bool(const std::string&)>;

/// Reads [name, node, tensor] or [name, node, tensor, arguments] (Keras 2) or {"class_name":
/// "__keras_tensor__", …} (Keras 3).
[[nodiscard]] std::optional<KerasHistory> historyFromJson(const Json& value);

/// Reads one entry of `inbound_nodes` in either dialect. Nothing when it is neither.
[[nodiscard]] std::optional<KerasCall> callFromJson(const Json& node, const IsLayer& isLayer);

/// How a tensor is written: [name, node, tensor], or a whole `__keras_tensor__`.
using WriteTensor = std::function<Json(const TensorRef&)>;

/// Writes one entry of `inbound_nodes`.
[[nodiscard]] Json callToJson(const LayerInvocation& invocation, KerasDialect dialect,
                              const WriteTensor& write);

} // namespace core
