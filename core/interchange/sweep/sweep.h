#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/interchange/sweep/point_condition.h"
#include "core/project/project_setting.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// What a random point takes for one path: a number between bounds, or one of some values.
struct SweepRange {
    std::string path;
    double low = 0;
    double high = 0;
    /// Both bounds are whole numbers, so the values are.
    bool isWhole = false;
    /// Not empty: one of these instead.
    std::vector<Json> choices;

    /// Where in the range a random number of 53 bits comes to: the place of the choice, how far a whole
    /// number is above the lower bound, else the random number.
    [[nodiscard]] std::uint64_t place(std::uint64_t random) const;
    /// The value at a place.
    [[nodiscard]] Json value(std::uint64_t place) const;
};

/// Many variations of one project: the points of a grid, then those of a list, then random ones. A point is a
/// list of settings, as `--set` takes them; with a template its parameters are settings below "template.".
struct Sweep {
    /// As the file writes it, relative to the file's folder; empty where the points are made from a template.
    std::filesystem::path project;
    std::string templateName;
    Json templateArguments = Json::object();
    /// Train the full runs that are kept; the points themselves are simulated only.
    bool numerics = false;
    std::vector<std::pair<std::string, std::vector<Json>>> grid;
    std::vector<std::vector<ProjectSetting>> list;
    std::int64_t samples = 0;
    std::uint64_t seed = 0;
    std::vector<SweepRange> ranges;
    std::vector<PointCondition> conditions;

    /// Points of the three parts together, before any condition.
    [[nodiscard]] std::int64_t pointCount() const;
    /// The settings of a point, 0 … pointCount() − 1: the same for the same file, whoever asks for it.
    [[nodiscard]] std::vector<ProjectSetting> point(std::int64_t index) const;
    /// Where the random sample 0 … samples − 1 lies in a range.
    [[nodiscard]] std::uint64_t randomPlace(std::int64_t sample, std::size_t range) const;
    /// Every path that any point sets, in the order of the file.
    [[nodiscard]] std::vector<std::string> paths() const;
};

/// Most points that a file may ask for.
inline constexpr std::int64_t mostSweepPoints = 100'000'000;

/// Reads a sweep file strictly: `{"format": "ipu-workbench-sweep", "version": 1, "project": "net.ipuproj",
/// "grid": {PATH: [VALUES]}, "list": [{PATH: VALUE}], "random": {"samples", "seed", "ranges": {PATH: [LOW,
/// HIGH] or {"choices": […]}}}, "where": ["fits", "replicas * 2 <= 8"], "numerics": false}`; "template":
/// {"name": "bert", PARAMETER: VALUE} instead of "project". All findings at once, each with a JSON pointer.
[[nodiscard]] Result<Sweep> readSweep(std::string_view text, const std::string& file);

/// The same points and conditions as text, for the record and for its hash.
[[nodiscard]] std::string writeSweep(const Sweep& sweep);

} // namespace core
