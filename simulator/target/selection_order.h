#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace simulator {

/// SelectionOrder of the Python API: which physical IPU of a device each virtual IPU is.
enum class SelectionOrder : std::uint8_t { Auto, Zigzag, Snake, Hoof };

/// "AUTO", "ZIGZAG", "SNAKE", "HOOF".
[[nodiscard]] std::string_view toString(SelectionOrder order);
[[nodiscard]] std::optional<SelectionOrder> selectionOrderFromName(std::string_view name);

/// What AUTO means for a program: SNAKE when it has a pipeline whose stage k sits on IPU k for every k
/// (`ipuOfStage`, empty: not a pipeline), else ZIGZAG. Any other order is itself.
[[nodiscard]] SelectionOrder resolveOrder(SelectionOrder order, std::span<const std::int64_t> ipuOfStage);

/// Physical index of each virtual IPU 0 … n−1 of one replica. AUTO counts as ZIGZAG.
[[nodiscard]] std::vector<std::int64_t> physicalIndices(SelectionOrder order, std::int64_t n);

/// Hops between two physical IPUs of the two-column ladder in which 2r and 2r+1 share a rung and each column
/// is joined from rung to rung.
[[nodiscard]] std::int64_t hopsBetween(std::int64_t a, std::int64_t b);

} // namespace simulator
