#include "core/interchange/sweep/sweep_axes.h"

#include <algorithm>

namespace core {

namespace {

/// Marks the place of a random number between bounds, which the file does not name.
constexpr std::uint64_t betweenBounds = std::uint64_t{1} << 63U;

/// What `orderOf` says of random points and of those of the grid; entries of the list count on.
constexpr std::uint64_t gridOrder = 1;
constexpr std::uint64_t randomOrder = 2;
constexpr std::uint64_t firstListOrder = 3;

} // namespace

SweepAxes::SweepAxes(const Sweep& sweep)
    : m_sweep(sweep)
    , m_paths(sweep.paths())
    , m_axes(m_paths.size()) {
    m_gridPoints = sweep.pointCount() - static_cast<std::int64_t>(sweep.list.size()) - sweep.samples;
    for (const auto& [path, values] : sweep.grid) {
        std::vector<Place>& places = m_grid.emplace_back();
        for (const Json& value : values)
            places.push_back({pathNumber(path), known(pathNumber(path), value)});
    }
    for (const std::vector<ProjectSetting>& settings : sweep.list) {
        std::vector<Place>& places = m_list.emplace_back();
        for (const ProjectSetting& setting : settings)
            places.push_back({pathNumber(setting.path), known(pathNumber(setting.path), setting.value)});
    }
    for (const SweepRange& range : sweep.ranges) {
        RandomPath& random = m_random.emplace_back();
        random.path = pathNumber(range.path);
        m_axes[random.path].range = &range;
        for (const Json& choice : range.choices)
            random.choices.push_back(known(random.path, choice));
    }
}

std::size_t SweepAxes::pathNumber(const std::string& path) const {
    return static_cast<std::size_t>(std::ranges::find(m_paths, path) - m_paths.begin());
}

std::uint64_t SweepAxes::known(std::size_t path, const Json& value) {
    Axis& axis = m_axes[path];
    const auto [entry, isNew] = axis.numbers.emplace(toText(value, -1), axis.texts.size() + 1);
    if (isNew)
        axis.texts.push_back(entry->first);
    return entry->second;
}

void SweepAxes::numbersOf(std::int64_t point, std::vector<std::uint64_t>& numbers) const {
    numbers.assign(m_paths.size(), unset);
    if (point < m_gridPoints) {
        // The last path turns fastest.
        for (std::size_t i = m_grid.size(); i-- > 0;) {
            const auto count = static_cast<std::int64_t>(m_grid[i].size());
            const Place& place = m_grid[i][static_cast<std::size_t>(point % count)];
            numbers[place.path] = place.number;
            point /= count;
        }
        return;
    }
    point -= m_gridPoints;
    if (point < static_cast<std::int64_t>(m_list.size())) {
        for (const Place& place : m_list[static_cast<std::size_t>(point)])
            numbers[place.path] = place.number;
        return;
    }
    point -= static_cast<std::int64_t>(m_list.size());
    for (std::size_t i = 0; i < m_random.size(); ++i) {
        const std::uint64_t place = m_sweep.randomPlace(point, i);
        const RandomPath& random = m_random[i];
        numbers[random.path] = random.choices.empty() ? betweenBounds | place : random.choices[place];
    }
}

std::string SweepAxes::valuesOf(std::span<const std::uint64_t> numbers) const {
    std::string text = "[";
    for (std::size_t path = 0; path < numbers.size(); ++path) {
        if (path > 0)
            text += ',';
        const std::uint64_t number = numbers[path];
        if (number == unset)
            text += "null";
        else if ((number & betweenBounds) == 0)
            text += m_axes[path].texts[number - 1];
        else
            text += toText(m_axes[path].range->value(number & ~betweenBounds), -1);
    }
    text += ']';
    return text;
}

std::uint64_t SweepAxes::orderOf(std::int64_t point) const {
    if (point < m_gridPoints)
        return gridOrder;
    const std::int64_t entry = point - m_gridPoints;
    return entry < static_cast<std::int64_t>(m_list.size())
               ? firstListOrder + static_cast<std::uint64_t>(entry)
               : randomOrder;
}

} // namespace core
