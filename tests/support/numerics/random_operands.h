#pragma once

#include "simulator/graph/output_rules.h"

#include <cstdint>
#include <random>
#include <vector>

namespace tests {

/// Seeded shapes and values for property tests.
class RandomOperands {
public:
    /// `variant` 0 has no empty and few small dimensions, 1 many of size 1, 2 some empty ones.
    RandomOperands(std::uint32_t seed, int variant)
        : m_engine(seed)
        , m_variant(variant) {}

    /// From `low` to `high`, both included.
    std::int64_t integer(std::int64_t low, std::int64_t high);
    bool coin() { return integer(0, 1) == 1; }
    template <class Item>
    Item pick(const std::vector<Item>& items) {
        return items[static_cast<std::size_t>(integer(0, static_cast<std::int64_t>(items.size()) - 1))];
    }
    /// One dimension; never empty with `atLeastOne`.
    std::int64_t extent(bool atLeastOne = false);
    simulator::Extents extents(std::size_t rank, bool atLeastOne = false);
    /// `extents` with some leading dimensions gone and some of the others 1.
    simulator::Extents broadcastable(const simulator::Extents& extents);

    /// Distinct values, none near another one, near 0 or near those of another `tensor` (a small number), so
    /// that functions with edges are smooth around them; between about −`range` and `range`.
    std::vector<float> apart(std::int64_t count, int tensor, double range = 1.5);
    std::vector<float> between(std::int64_t count, double low, double high);
    std::vector<float> integers(std::int64_t count, std::int64_t low, std::int64_t high);

private:
    std::mt19937 m_engine;
    int m_variant;
};

} // namespace tests
