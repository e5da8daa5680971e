#pragma once

#include "simulator/compiler/lowering/layer_lowering.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace simulator {

/// A setting of the call by any of its names, or by position among all positional arguments; null when
/// absent.
[[nodiscard]] core::Json setting(const LoweringCall& call, std::initializer_list<const char*> names,
                                 std::size_t position = 99);

/// The numbers of a list, or a number by itself.
[[nodiscard]] std::vector<std::int64_t> integersOf(const core::Json& value);

/// A constant written as a number or nested lists; nothing where it is neither.
[[nodiscard]] std::optional<core::TensorId> constantOf(GraphBuilder& build, const core::Json& value,
                                                       core::DataType type);

/// The answer of a function with one output.
[[nodiscard]] inline Lowered one(core::TensorId id) {
    return std::vector{id};
}

/// A function by its plain names, separated and enclosed by blanks.
struct NamedLowering {
    std::string_view names;
    LayerLowering lower;
};

/// Functions that lay elements out differently or pick some of them.
[[nodiscard]] std::span<const NamedLowering> movementFunctions(); // movement_functions.cpp

} // namespace simulator
