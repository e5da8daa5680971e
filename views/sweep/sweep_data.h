#pragma once

#include "core/profile/queries/sweep_queries.h"
#include "core/project/project.h"
#include "views/common/text/number_text.h"
#include "views/common/widgets/picture_export.h"
#include "views/profile/pareto/pareto_plot.h"
#include "views/profile/tables/table_content.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace views {

/// The open project: a stored sweep holds what is varied, not what it varies.
struct SweptProject {
    core::Project project;
    std::filesystem::path path;
};

/// The sweeps of a database, and the points of one of them.
struct SweepData {
    /// The newest first.
    std::vector<core::SweepRow> sweeps;
    /// Index of the sweep whose points these are.
    std::size_t shown = 0;
    /// The paths that its points set, in the order of their values.
    std::vector<std::string> paths;
    std::vector<core::SweepPointRecord> points;
    /// Of the points that meet the sweep's conditions those that no other beats in throughput, memory and
    /// IPUs: indices, the fastest first.
    std::vector<std::size_t> front;
    /// Every simulated point, made with the rest.
    ParetoScene scene;

    [[nodiscard]] const core::SweepRow& sweep() const { return sweeps[shown]; }
    /// Index of a stored point by its number; nothing where it is not stored.
    [[nodiscard]] std::optional<std::size_t> indexOf(std::int64_t point) const;
};

/// "18 of 24 points, 12 fit, 4 do not fit, 2 refused, 5 on the front".
[[nodiscard]] QString sweepCounts(const SweepData& data);
/// "pipeline.schedule: 1F1B, training.batch_size: 8" of a point, then its figures or why it has none.
[[nodiscard]] QString pointText(const SweepData& data, std::size_t index, const Units& units);
/// A row for each point of the front: figures, then the values of the paths.
[[nodiscard]] TableContent frontTable(const SweepData& data, const Units& units);
/// The points and the front as a scene; a pipeline schedule among the paths is a point's shape.
[[nodiscard]] ParetoScene sweepScene(const SweepData& data);
/// The plane with what the points are, as a picture of its own.
[[nodiscard]] Picture sweepPicture(const SweepData& data, const Theme& theme, const QSizeF& size = {});

/// Reads the wanted sweep of a database, or the newest. Called on a worker.
using SweepReader = core::Result<SweepData> (*)(const core::ProfileDatabase& database,
                                                std::optional<std::int64_t> wanted,
                                                const SweptProject& swept);

} // namespace views
