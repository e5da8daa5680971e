#include "views/liveness/liveness_picture.h"

#include "core/profile/queries/run_queries.h"
#include "views/liveness/liveness_painter.h"

#include <algorithm>
#include <fmt/core.h>

namespace views {

core::Result<core::IpuId> fullestIpu(const core::ProfileDatabase& database, core::RunId run) {
    const core::Result<core::RunSummary> summary = core::loadRun(database, run);
    if (!summary)
        return core::failure(summary.error());
    const auto fullest = std::max_element(summary->memory.begin(), summary->memory.end(),
                                          [](const auto& a, const auto& b) { return a.peak < b.peak; });
    if (fullest == summary->memory.end())
        return core::failure(core::makeError(core::Trouble::Input, "run/no-memory", {},
                                             fmt::format("run {} was recorded without memory", run.value()),
                                             {"run the project with the profile level \"ipu\" or finer"}));
    return fullest->ipu;
}

Picture pictureOf(const LivenessScene& scene, const QSizeF& size, const Theme& theme) {
    const LivenessLayout layout{size.width(), size.height(), theme.scale()};
    return {
        QStringLiteral("Memory of IPU %1, run %2").arg(scene.data->ipu.value()).arg(scene.data->run.value()),
        size, [scene, layout, theme](QPainter& painter) { paintLiveness(painter, scene, layout, theme); }};
}

core::Result<Picture> livenessPicture(const core::ProfileDatabase& database, core::RunId run,
                                      const Theme& theme, const QSizeF& size, std::optional<core::IpuId> ipu,
                                      const Units& units) {
    if (!ipu) {
        const core::Result<core::IpuId> fullest = fullestIpu(database, run);
        if (!fullest)
            return core::failure(fullest.error());
        ipu = *fullest;
    }
    core::Result<LivenessData> data = loadLiveness(database, run, *ipu);
    if (!data)
        return core::failure(data.error());
    constexpr std::size_t mostLifetimes = 1500;
    LivenessScene scene;
    scene.placement = std::make_shared<const LifetimePlacement>(placeLifetimes(data->ranges, mostLifetimes));
    scene.state.columns = {data->peakStep()};
    scene.state.units = units;
    scene.data = std::make_shared<const LivenessData>(*std::move(data));
    return pictureOf(scene, sizeOr(size, QSizeF(1200, 700)), theme);
}

} // namespace views
