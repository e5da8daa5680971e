#include "simulator/graph/operation.h"

#include <functional>
#include <numeric>

namespace simulator {

std::int64_t elementCount(const Extents& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::span<const core::TensorId> hostTables(const Operation& operation) {
    if (std::holds_alternative<HostLookup>(operation.attributes))
        return std::span(operation.inputs).first(1);
    // Behind the tables are the indices and the gradient.
    if (std::holds_alternative<HostUpdate>(operation.attributes))
        return std::span(operation.inputs).first(operation.inputs.size() - 2);
    return {};
}

std::string_view kindName(std::size_t kind) {
#define KIND_NAME(Kind) #Kind,
    static constexpr std::string_view names[]{OPERATION_KINDS(KIND_NAME)};
#undef KIND_NAME
    return names[kind];
}

std::string_view kindName(const OperationAttributes& attributes) {
    return kindName(attributes.index());
}

} // namespace simulator
