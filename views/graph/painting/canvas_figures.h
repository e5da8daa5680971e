#pragma once

#include "core/plan/plan_estimate.h"
#include "views/document/document.h"
#include "views/graph/model/canvas_model.h"
#include "views/graph/painting/canvas_painter.h"

#include <optional>

namespace views {

/// What the overlay shows in each box.
enum class OverlayMetric : std::uint8_t { Time, Flops, Bytes, Off };

/// Cost of one call; nothing where it is not known.
struct NodeCost {
    std::optional<double> cycles; ///< forward, one micro-batch
    std::optional<double> flops;
    std::optional<double> bytes; ///< activations, one micro-batch
    /// `cycles` are those of an earlier state of the project.
    bool isOld = false;
    std::int64_t parameters = 0;
    std::int64_t trainableParameters = 0;
};

/// By node of the model.
struct CanvasFigures {
    std::vector<NodeCost> costs;
    std::int64_t parameters = 0;
    /// Layers that Keras counts: all calls but those of inputs.
    std::size_t layers = 0;
    /// Calls whose shapes are not known: in no sum.
    std::size_t uncounted = 0;
};

/// Figures of shapes from the analysis (its batch axis may be free, then of one sample), times from the
/// estimate.
[[nodiscard]] CanvasFigures makeFigures(const CanvasModel& model, const ProjectAnalysis& analysis,
                                        const std::optional<core::PlanEstimate>& estimate);

/// Fills the figures and texts of the boxes for a metric, all of one metric in one unit; answers that unit.
QString fillFigures(CanvasState& state, const CanvasGeometry& geometry, const CanvasFigures& figures,
                    OverlayMetric metric, const Units& units, const TimeScale& scale);

} // namespace views
