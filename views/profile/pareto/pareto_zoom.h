#pragma once

#include "views/profile/pareto/pareto_plot.h"

#include <QObject>

class QCustomPlot;

namespace views {

/// The wheel zooms a Pareto plot, dragging moves it, and what is filled anew stays where one looks.
class ParetoZoom final : public QObject {
    Q_OBJECT

public:
    explicit ParetoZoom(QCustomPlot& plot);

    [[nodiscard]] bool isZoomed() const { return m_isZoomed; }
    /// All of it, with the next filling.
    void forget() { m_isZoomed = false; }
    void fill(const ParetoScene& scene, const Theme& theme);

private:
    QCustomPlot& m_plot;
    bool m_isZoomed = false;
    /// Ranges change because the plot is filled, not because somebody zooms.
    bool m_isFilling = false;
};

} // namespace views
