#include "core/profile/analysis/quantity_words.h"

#include <array>
#include <fmt/format.h>

namespace core {

namespace {

std::string timeWords(Cycles cycles, double clockHz) {
    if (clockHz <= 0)
        return fmt::format("{} cycles", cycles.value());
    double value = static_cast<double>(cycles.value()) * 1e9 / clockHz;
    constexpr std::array<std::string_view, 4> units{"ns", "µs", "ms", "s"};
    std::size_t unit = 0;
    while (value >= 1000 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, units[unit]);
}

std::string byteWords(Bytes bytes) {
    double value = static_cast<double>(bytes.value());
    constexpr std::array<std::string_view, 4> units{"bytes", "KiB", "MiB", "GiB"};
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, units[unit]);
}

} // namespace

QuantityWords plainWords(double clockHz) {
    return {[clockHz](Cycles cycles) { return timeWords(cycles, clockHz); }, byteWords};
}

} // namespace core
