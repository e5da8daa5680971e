#include "simulator/target/selection_order.h"

#include <algorithm>
#include <cstdlib>

namespace simulator {

namespace {

constexpr std::array<std::string_view, 4> names{"AUTO", "ZIGZAG", "SNAKE", "HOOF"};

std::int64_t physicalIndex(SelectionOrder order, std::int64_t v, std::int64_t n) {
    constexpr std::array<std::int64_t, 4> bend{0, 1, 3, 2};
    switch (order) {
    case SelectionOrder::Snake:
        return n < 4 ? v : v - v % 4 + bend[static_cast<std::size_t>(v % 4)];
    case SelectionOrder::Hoof:
        return v < (n + 1) / 2 ? 2 * v : n - 1 - n % 2 - 2 * (v - (n + 1) / 2);
    case SelectionOrder::Auto:
    case SelectionOrder::Zigzag:
        break;
    }
    return v;
}

} // namespace

std::string_view toString(SelectionOrder order) {
    return names[static_cast<std::size_t>(order)];
}

std::optional<SelectionOrder> selectionOrderFromName(std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
        return std::nullopt;
    return static_cast<SelectionOrder>(found - names.begin());
}

SelectionOrder resolveOrder(SelectionOrder order, std::span<const std::int64_t> ipuOfStage) {
    if (order != SelectionOrder::Auto)
        return order;
    if (ipuOfStage.empty())
        return SelectionOrder::Zigzag;
    for (std::size_t stage = 0; stage < ipuOfStage.size(); ++stage)
        if (ipuOfStage[stage] != static_cast<std::int64_t>(stage))
            return SelectionOrder::Zigzag;
    return SelectionOrder::Snake;
}

std::vector<std::int64_t> physicalIndices(SelectionOrder order, std::int64_t n) {
    std::vector<std::int64_t> indices;
    for (std::int64_t v = 0; v < n; ++v)
        indices.push_back(physicalIndex(order, v, n));
    return indices;
}

std::int64_t hopsBetween(std::int64_t a, std::int64_t b) {
    return std::abs(a / 2 - b / 2) + (a % 2 == b % 2 ? 0 : 1);
}

} // namespace simulator
