#include "views/comparison/pareto.h"

#include <cmath>

namespace views {

std::vector<ParetoPoint> paretoPoints(const std::vector<core::RunRow>& rows) {
    std::vector<ParetoPoint> points;
    for (const core::RunRow& row : rows) {
        if (row.samplesPerSecond && row.peak && std::isfinite(*row.samplesPerSecond))
            points.push_back({row.run.value(), *row.samplesPerSecond, *row.peak, row.ipus, row.schedule,
                              row.fits.value_or(true)});
    }
    return points;
}

ParetoScene paretoScene(const std::vector<core::RunRow>& rows, const std::vector<core::RunId>& compared,
                        const Units& units) {
    ParetoScene scene;
    scene.points = paretoPoints(rows);
    scene.units = units;
    for (const core::RunId run : compared)
        scene.lettered.push_back(run.value());
    bool isOne = true;
    for (const core::RunRow& row : rows) {
        isOne = isOne && (!scene.limit || !row.limit || *row.limit == *scene.limit);
        if (row.limit)
            scene.limit = row.limit;
    }
    if (!isOne)
        scene.limit.reset();
    return scene;
}

} // namespace views
