#pragma once

#include "views/graph/canvas/gauge_legend.h"
#include "views/graph/scene/canvas_camera.h"

class QToolButton;

namespace views {

/// The line below the canvas, where it covers no box: what colours mean, folding the gauges, zoom, overview.
class CanvasFooter final : public QWidget {
    Q_OBJECT

public:
    CanvasFooter(CanvasCamera& camera, QWidget* parent);

    void showZoom(double zoom);
    /// The figure at the hot end of the heat; empty while boxes are not coloured.
    void showHeat(const QString& largest) { m_legend->setHeat(largest); }
    [[nodiscard]] bool wantsMap() const;

signals:
    void mapToggled();
    void foldToggled(bool isFolded);

private:
    QToolButton* addButton(const QString& iconName, const QString& tip);

    GaugeLegend* m_legend;
    QToolButton* m_fold;
    QToolButton* m_zoom = nullptr;
    QToolButton* m_map = nullptr;
};

} // namespace views
