#include "app/services/sweep/stored_sweep.h"

#include "app/services/sweep/point_projects.h"
#include "app/services/sweep/sweep_runner.h"
#include "core/interchange/project/project_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace app {

namespace {

core::Diagnostic unknown(const core::ProfileDatabase& database, std::string what) {
    return core::makeError(core::Trouble::Input, "sweep/unknown", {database.path().string(), ""},
                           std::move(what), {"choose one of the sweeps that are listed"});
}

core::Result<SweepSubject> subjectOf(const core::SweepRecord& record, const views::SweptProject& swept) {
    auto sweep = core::readSweep(record.content, record.name);
    if (!sweep)
        return core::failure(std::move(sweep.error()));
    SweepSubject subject;
    subject.sweep = std::move(*sweep);
    subject.file = swept.path.string();
    subject.folder = swept.path.parent_path();
    if (subject.sweep.templateName.empty())
        subject.document = core::toJson(swept.project);
    return subject;
}

} // namespace

core::Result<views::SweepData> readStoredSweep(const core::ProfileDatabase& database,
                                               std::optional<std::int64_t> wanted,
                                               const views::SweptProject& swept) {
    auto sweeps = core::listSweeps(database);
    if (!sweeps)
        return core::failure(std::move(sweeps.error()));
    views::SweepData data;
    data.sweeps = std::move(*sweeps);
    if (data.sweeps.empty())
        return data;
    const auto shown = std::ranges::find_if(
        data.sweeps, [&](const core::SweepRow& row) { return !wanted || row.id == *wanted; });
    data.shown = shown == data.sweeps.end() ? 0 : std::size_t(shown - data.sweeps.begin());
    const core::SweepRow& row = data.sweeps[data.shown];
    const auto subject = subjectOf(row.record, swept);
    if (!subject)
        return core::failure(subject.error());
    data.paths = subject->sweep.paths();
    auto points = core::loadPoints(database, row.id);
    if (!points)
        return core::failure(std::move(points.error()));
    data.points = std::move(*points);
    const bool hasConditions = !subject->sweep.conditions.empty();
    data.front = core::paretoFront(data.points, [&](const core::SweepPointRecord& record) {
        return !hasConditions || subject->isWanted(subject->sweep.point(record.point), record);
    });
    data.scene = views::sweepScene(data);
    return data;
}

core::Result<PointOfSweep> projectOfPoint(const core::ProfileDatabase& database, std::int64_t sweep,
                                          std::int64_t point, const views::SweptProject& swept) {
    const auto sweeps = core::listSweeps(database);
    if (!sweeps)
        return core::failure(sweeps.error());
    const auto row = std::ranges::find(*sweeps, sweep, &core::SweepRow::id);
    if (row == sweeps->end())
        return core::failure(unknown(database, fmt::format("there is no sweep {}", sweep)));
    const auto subject = subjectOf(row->record, swept);
    if (!subject)
        return core::failure(subject.error());
    if (point < 0 || point >= subject->sweep.pointCount())
        return core::failure(unknown(database, fmt::format("sweep {} has no point {}", sweep, point)));
    auto project = PointProjects(*subject).wholeProject(subject->sweep.point(point));
    if (!project)
        return core::failure(std::move(project.error()));
    const auto stored = core::loadPoints(database, sweep, std::array{point});
    if (!stored)
        return core::failure(stored.error());
    PointOfSweep read{std::move(*project), hashOf(*subject) == row->record.hash, subject->sweep.numerics,
                      std::nullopt};
    if (!stored->empty() && stored->front().run)
        read.run = core::RunId(*stored->front().run);
    return read;
}

} // namespace app
