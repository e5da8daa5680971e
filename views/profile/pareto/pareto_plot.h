#pragma once

#include "core/base/quantity.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/theme.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

class QCustomPlot;
class QSizeF;

namespace views {

/// Something simulated in the plane of throughput and memory: a run, or a point of a sweep.
struct ParetoPoint {
    std::int64_t id = 0;
    double samplesPerSecond = 0;
    /// Of the fullest IPU.
    core::Bytes peak;
    std::int64_t ipus = 1;
    std::string schedule;
    bool fits = true;
};

/// Indices of the points that no other one beats: at least as fast, with at most as much memory, and one of
/// both strictly; in order of memory. Points that do not fit do not count.
[[nodiscard]] std::vector<std::size_t> paretoFrontier(std::span<const ParetoPoint> points);

struct ParetoScene {
    std::vector<ParetoPoint> points;
    /// Of one IPU; nothing where points have different ones.
    std::optional<core::Bytes> limit;
    /// Points with a letter, A first.
    std::vector<std::int64_t> lettered;
    /// The point that is looked at.
    std::optional<std::int64_t> chosen;
    /// Points that are drawn as the best, by index; the line goes through those of them that no other beats
    /// in the plane. Nothing: the line goes through the frontier of all.
    std::optional<std::vector<std::size_t>> front;
    /// A shape, and its line of the key, is a number of IPUs rather than a schedule.
    bool isByIpus = false;
    Units units;
};

/// Scatter by schedule or IPUs (its shape, with a key where there are several), the frontier as a step line,
/// what does not fit on a tinted ground. Many points are drawn small.
void fillParetoPlot(QCustomPlot& plot, const ParetoScene& scene, const Theme& theme);
/// What of a scene can be told apart in a picture of that many pixels: of points alike that lie in one pixel
/// the first, and all that are the best, lettered or chosen. Few points stay as they are.
[[nodiscard]] ParetoScene thinned(const ParetoScene& scene, const QSizeF& pixels);
/// Numbers at the axes for the part that is shown now.
void markParetoAxes(QCustomPlot& plot);
/// The point within some pixels of a place in the plot.
[[nodiscard]] std::optional<std::int64_t> paretoPointAt(const QCustomPlot& plot, const ParetoScene& scene,
                                                        double x, double y);

} // namespace views
