#include "simulator/cost/vertex/random_vertex.h"

#include "core/base/quantity.h"

#include <array>

namespace simulator {

namespace {

/// lead + launches · 6 + cycles · ceil(elements / vector) + remainder, by width.
struct RandomRow {
    std::int64_t lead;
    std::array<std::int64_t, 2> launches;
    std::array<std::int64_t, 2> cycles;
    std::array<std::int64_t, 2> vector;
    std::array<std::int64_t, 2> remainder;
};

constexpr std::int64_t workers = 6;
/// Rounds of the truncated normal's rejection.
constexpr std::int64_t truncationRounds = 4;

/// In the order of `RandomDistribution`: float first, half second.
constexpr std::array rows{
    RandomRow{4, {22, 24}, {4, 4}, {32, 16}, {4, 12}}, // Uniform
    RandomRow{4, {22, 24}, {4, 4}, {2, 4}, {3, 12}},   // Normal
    RandomRow{4,
              {26, 28},
              {11 * truncationRounds + 5, 12 * truncationRounds + 5},
              {2, 4},
              {0, 0}},                                 // TruncatedNormal
    RandomRow{4, {23, 21}, {1, 1}, {32, 16}, {1, 9}},  // Bernoulli
    RandomRow{4, {22, 24}, {16, 16}, {2, 4}, {4, 12}}, // LogUniformClasses: a uniform draw and its logarithm
};

double cycles(const RandomRow& row, core::DataType type, std::int64_t elements) {
    const std::size_t half = core::elementBytes(type) <= 2 ? 1 : 0;
    // The remainder's cycles also where the vectors come out even, so that more elements never cost less.
    const std::int64_t vectors = core::ceilDivide(elements, row.vector[half]);
    return static_cast<double>(row.lead + row.launches[half] * workers + row.cycles[half] * vectors +
                               row.remainder[half]);
}

} // namespace

double dropoutCycles(core::DataType type, std::int64_t elements) {
    static constexpr RandomRow row{6, {24, 24}, {2, 2}, {2, 4}, {1, 9}};
    return elements <= 0 ? 0 : cycles(row, type, elements);
}

double randomCycles(RandomDistribution distribution, core::DataType type, std::int64_t elements) {
    return elements <= 0 ? 0 : cycles(rows[static_cast<std::size_t>(distribution)], type, elements);
}

} // namespace simulator
