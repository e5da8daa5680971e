#pragma once

#include "core/interchange/sweep/sweep.h"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace core {

/// The points of a sweep as numbers, one for each path that any point sets: where two points have the same
/// number, they have the same value, written alike. So what points have in common is found without looking
/// at their values.
class SweepAxes {
public:
    /// `sweep` must outlive it.
    explicit SweepAxes(const Sweep& sweep);

    /// Of a path that a point does not set.
    static constexpr std::uint64_t unset = 0;

    /// As `Sweep::paths()` has them.
    [[nodiscard]] const std::vector<std::string>& paths() const { return m_paths; }
    /// The numbers of a point, in the order of the paths.
    void numbersOf(std::int64_t point, std::vector<std::uint64_t>& numbers) const;
    /// Its values in that order as a JSON list, null where it sets none.
    [[nodiscard]] std::string valuesOf(std::span<const std::uint64_t> numbers) const;
    /// Which settings are put in first: points with the same number here set their paths in the same order.
    [[nodiscard]] std::uint64_t orderOf(std::int64_t point) const;

private:
    struct Axis {
        /// The values that the file names, as text; their numbers begin with 1.
        std::vector<std::string> texts;
        std::unordered_map<std::string, std::uint64_t> numbers;
        const SweepRange* range = nullptr;
    };
    /// A number at its path.
    struct Place {
        std::size_t path = 0;
        std::uint64_t number = unset;
    };

    [[nodiscard]] std::size_t pathNumber(const std::string& path) const;
    [[nodiscard]] std::uint64_t known(std::size_t path, const Json& value);

    const Sweep& m_sweep;
    std::vector<std::string> m_paths;
    std::vector<Axis> m_axes;
    std::int64_t m_gridPoints = 0;
    /// Of each path of the grid, its numbers value by value.
    std::vector<std::vector<Place>> m_grid;
    /// Of each entry of the list.
    std::vector<std::vector<Place>> m_list;
    struct RandomPath {
        std::size_t path = 0;
        /// Of the choices; empty between bounds.
        std::vector<std::uint64_t> choices;
    };
    std::vector<RandomPath> m_random;
};

} // namespace core
