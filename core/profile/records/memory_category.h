#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace core {

/// Order of display, bottom to top. Stash, activations and temporaries are not always live.
enum class MemoryCategory : std::uint8_t {
    VertexCode,
    VertexState,
    ExchangeCode,
    ControlCode,
    Constants,
    Stack,
    Weights,
    OptimizerState,
    Accumulators,
    Stash,
    HostIo,
    MessageBuffers,
    Activations,
    Temporary,
};
inline constexpr std::size_t memoryCategoryCount = 14;

/// The key of `by_category` in the JSON of `run`: "weights", "vertex_code", ….
[[nodiscard]] std::string_view toString(MemoryCategory category);
[[nodiscard]] bool isAlwaysLive(MemoryCategory category);

} // namespace core
