#pragma once

#include "simulator/graph/operation_attributes.h"

#include <variant>

namespace simulator {

/// Whether an operation takes a tensor to the host in the middle of a program, or back from there (an
/// outside_compilation_scope): a stream copy that the model asks for. What forward operations compute between
/// the two ways, the host computes.
[[nodiscard]] inline bool isHostVisit(const OperationAttributes& attributes) {
    return std::holds_alternative<StreamCopy>(attributes);
}

/// Whether an operation needs the host in the middle of a program: a visit, or rows of a host embedding that
/// come or go. It happens once: rows may have been updated since by another micro-batch.
[[nodiscard]] inline bool isHostAccess(const OperationAttributes& attributes) {
    return std::holds_alternative<HostLookup>(attributes) || std::holds_alternative<HostUpdate>(attributes) ||
           isHostVisit(attributes);
}

} // namespace simulator
