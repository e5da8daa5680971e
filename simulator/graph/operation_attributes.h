#pragma once

#include "simulator/graph/operations/communication.h"
#include "simulator/graph/operations/elementwise.h"
#include "simulator/graph/operations/embeddings.h"
#include "simulator/graph/operations/losses.h"
#include "simulator/graph/operations/movements.h"
#include "simulator/graph/operations/normalizations.h"
#include "simulator/graph/operations/products.h"
#include "simulator/graph/operations/randoms.h"
#include "simulator/graph/operations/recurrents.h"
#include "simulator/graph/operations/reductions.h"
#include "simulator/graph/operations/sequences.h"
#include "simulator/graph/operations/updates.h"
#include "simulator/graph/operations/windows.h"

#include <string_view>
#include <variant>

namespace simulator {

// Each struct of operations/ is one kind of operation: its fields, then in the comment its inputs → outputs.
// Shapes are channels last; N is the micro-batch axis. Gradient operations take what their forward operation
// needs and hold it where it has fields.

/// Every kind, once, from the lists of the families: the variant below and the names are made from this list.
/// What each kind must have (outputs, gradient, price, kernel) stands in tables of rows
/// (`operation_parts.h`).
// clang-format off
#define OPERATION_KINDS(KIND)                                                                               \
    PRODUCT_KINDS(KIND) ELEMENTWISE_KINDS(KIND) REDUCTION_KINDS(KIND) WINDOW_KINDS(KIND)                    \
    NORMALIZATION_KINDS(KIND) EMBEDDING_KINDS(KIND) RECURRENT_KINDS(KIND) RANDOM_KINDS(KIND)                \
    MOVEMENT_KINDS(KIND) LOSS_KINDS(KIND) SEQUENCE_KINDS(KIND) UPDATE_KINDS(KIND)                           \
    COMMUNICATION_KINDS(KIND)
// clang-format on

template <class, class... Kinds>
using VariantOfKinds = std::variant<Kinds...>;

/// What an operation computes.
#define OPERATION_KIND_ARGUMENT(Kind) , Kind
using OperationAttributes = VariantOfKinds<void OPERATION_KINDS(OPERATION_KIND_ARGUMENT)>;
#undef OPERATION_KIND_ARGUMENT

/// "MatMul", "Convolution", …: the name of the alternative.
[[nodiscard]] std::string_view kindName(const OperationAttributes& attributes);
/// The same by the alternative's index.
[[nodiscard]] std::string_view kindName(std::size_t kind);

} // namespace simulator
