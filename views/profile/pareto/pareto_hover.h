#pragma once

#include "views/profile/pareto/pareto_plot.h"

#include <QObject>
#include <functional>

class QCustomPlot;

namespace views {

/// "1 276 samples/s, 661 MiB on the fullest IPU, 16 IPUs, Grouped; does not fit".
[[nodiscard]] QString paretoPointText(const ParetoPoint& point, const Units& units);

/// Says what a point of a Pareto plot is when the pointer rests on it; elsewhere the tooltip of the plot is
/// shown.
class ParetoHover final : public QObject {
public:
    /// `sceneOf` gives what is drawn; `nameOf` what the point with an id is, above its figures, and may be
    /// empty.
    ParetoHover(QCustomPlot& plot, std::function<ParetoScene()> sceneOf,
                std::function<QString(std::int64_t id)> nameOf);

    /// At a place of the plot; empty where no point is near.
    [[nodiscard]] QString textAt(const QPointF& at) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QCustomPlot& m_plot;
    std::function<ParetoScene()> m_sceneOf;
    std::function<QString(std::int64_t id)> m_nameOf;
};

} // namespace views
