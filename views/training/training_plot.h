#pragma once

#include "views/common/theme/theme.h"
#include "views/common/widgets/picture_export.h"
#include "views/profile/time/mini_timeline.h"
#include "views/training/training_data.h"

#include <memory>

class QCustomPlot;
class QPainter;

namespace views {

struct TrainingState {
    bool isLogarithmic = false;
    /// Weight of the moving average, 0 … 0.99.
    double smoothing = 0.8;
    Units units;
};

struct TrainingScene {
    std::shared_ptr<const TrainingData> data;
    /// Runs that are laid over it: B, C, …; the run itself is A then.
    std::vector<std::shared_ptr<const TrainingData>> others;
    std::shared_ptr<const MiniTimeline> profile;
    TrainingState state;
};

/// Runs that can be laid over another and still be distinguished.
inline constexpr std::size_t mostOverlays = 5;
/// How run `index` of an overlay is drawn, 0 being the run itself: by its dashes and its letter, as colours
/// belong to metrics.
[[nodiscard]] QString overlayLetter(std::size_t index);

/// One plot below the other with one x axis (weight updates): metrics, learning rate, then throughput.
void fillTrainingPlot(QCustomPlot& plot, const TrainingScene& scene, const Theme& theme);

/// "Epoch 3 of 5", the bar of progress divided into epochs, and the counts.
void paintTrainingHead(QPainter& painter, const QRectF& rect, const TrainingScene& scene, const Theme& theme);
/// Height of the head, in px of the theme.
[[nodiscard]] double trainingHeadHeight(const Theme& theme);

/// The training view of a run for a file; an empty size takes 1100 px and 200 px per plot. Errors: those of
/// loadTraining; "run/no-metrics" for a run without numerics.
[[nodiscard]] core::Result<Picture> trainingPicture(const core::ProfileDatabase& database, core::RunId run,
                                                    const Theme& theme, const QSizeF& size = {},
                                                    const TrainingState& state = {});
[[nodiscard]] Picture pictureOf(const TrainingScene& scene, const QSizeF& size, const Theme& theme);

/// What the runs of a scene say at the update nearest to `update` (x axis) of a metric: for the tooltip.
struct MetricReading {
    QString letter;
    std::optional<MetricPoint> training;
    std::optional<MetricPoint> validation;
};
[[nodiscard]] std::vector<MetricReading> readingsAt(const TrainingScene& scene, const std::string& metric,
                                                    double update);

/// Why there is nothing to plot; nothing when there is.
[[nodiscard]] std::optional<core::Diagnostic> trainingObjection(const TrainingData& data);

} // namespace views
