#include "tests/support/numerics/random_operands.h"

#include <algorithm>
#include <numeric>

namespace tests {

std::int64_t RandomOperands::integer(std::int64_t low, std::int64_t high) {
    // Not a standard distribution: those differ between libraries.
    return low + static_cast<std::int64_t>(m_engine() % static_cast<std::uint64_t>(high - low + 1));
}

std::int64_t RandomOperands::extent(bool atLeastOne) {
    if (m_variant == 2 && !atLeastOne && integer(0, 3) == 0)
        return 0;
    if (m_variant == 1 && coin())
        return 1;
    return integer(m_variant == 0 ? 2 : 1, 5);
}

simulator::Extents RandomOperands::extents(std::size_t rank, bool atLeastOne) {
    simulator::Extents result(rank);
    std::ranges::generate(result, [&] { return extent(atLeastOne); });
    return result;
}

simulator::Extents RandomOperands::broadcastable(const simulator::Extents& extents) {
    const auto dropped = integer(0, static_cast<std::int64_t>(extents.size()));
    simulator::Extents result(extents.begin() + dropped, extents.end());
    for (std::int64_t& extent : result) {
        if (integer(0, 2) == 0)
            extent = 1;
    }
    return result;
}

std::vector<float> RandomOperands::apart(std::int64_t count, int tensor, double range) {
    const double spacing = std::min(0.2, 2 * range / static_cast<double>(std::max<std::int64_t>(count, 1)));
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
        const double position = static_cast<double>(i) - static_cast<double>(count / 2) + 0.5;
        values.push_back(static_cast<float>((position + 0.25 * (tensor % 2)) * spacing + 0.0003 * tensor));
    }
    for (std::size_t i = values.size(); i > 1; --i)
        std::swap(values[i - 1],
                  values[static_cast<std::size_t>(integer(0, static_cast<std::int64_t>(i) - 1))]);
    return values;
}

std::vector<float> RandomOperands::between(std::int64_t count, double low, double high) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values)
        value = static_cast<float>(low + (high - low) * static_cast<double>(integer(0, 10000)) / 10000);
    return values;
}

std::vector<float> RandomOperands::integers(std::int64_t count, std::int64_t low, std::int64_t high) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values)
        value = static_cast<float>(integer(low, high));
    return values;
}

} // namespace tests
