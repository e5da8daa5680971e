#include "core/model/graph/layer_precision.h"

#include <string>

namespace core {

Json ownPrecision(std::string_view name) {
    return {{"class_name", "Policy"}, {"config", {{"name", std::string(name)}}}};
}

std::optional<PrecisionPolicy> precisionOfLayer(const Json& dtype) {
    const PrecisionPolicy half{DataType::Float16, DataType::Float16};
    const PrecisionPolicy kept = resolvePrecision(dtype, half);
    return kept == resolvePrecision(dtype, {}) ? std::optional(kept) : std::nullopt;
}

} // namespace core
