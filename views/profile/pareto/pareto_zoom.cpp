#include "views/profile/pareto/pareto_zoom.h"

#include <QScopedValueRollback>
#include <qcustomplot.h>

namespace views {

ParetoZoom::ParetoZoom(QCustomPlot& plot)
    : QObject(&plot)
    , m_plot(plot) {
    plot.setInteractions(QCP::iRangeZoom | QCP::iRangeDrag);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis})
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
            if (m_isFilling)
                return;
            m_isZoomed = true;
            markParetoAxes(m_plot);
        });
}

void ParetoZoom::fill(const ParetoScene& scene, const Theme& theme) {
    const QCPRange x = m_plot.xAxis->range();
    const QCPRange y = m_plot.yAxis->range();
    const QScopedValueRollback filling(m_isFilling, true);
    fillParetoPlot(m_plot, scene, theme);
    if (m_isZoomed) {
        m_plot.xAxis->setRange(x);
        m_plot.yAxis->setRange(y);
        markParetoAxes(m_plot);
    }
    m_plot.replot(QCustomPlot::rpQueuedReplot);
}

} // namespace views
