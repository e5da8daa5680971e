#include "views/profile/pareto/pareto_hover.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <qcustomplot.h>

namespace views {

namespace {

QString paretoText(const char* source) {
    return QCoreApplication::translate("ParetoHover", source);
}

} // namespace

QString paretoPointText(const ParetoPoint& point, const Units& units) {
    QString said = paretoText("%1 samples/s, %2 on the fullest IPU, %3")
                       .arg(point.samplesPerSecond >= 100 ? fixedText(point.samplesPerSecond, 0)
                                                          : compactText(point.samplesPerSecond),
                            bytesText(point.peak, units.bytes).joined(),
                            countedText(point.ipus, paretoText("IPU"), paretoText("IPUs")));
    if (!point.schedule.empty())
        said += QStringLiteral(", ") + toQString(point.schedule);
    return point.fits ? said : said + paretoText("; does not fit");
}

ParetoHover::ParetoHover(QCustomPlot& plot, std::function<ParetoScene()> sceneOf,
                         std::function<QString(std::int64_t id)> nameOf)
    : QObject(&plot)
    , m_plot(plot)
    , m_sceneOf(std::move(sceneOf))
    , m_nameOf(std::move(nameOf)) {
    plot.installEventFilter(this);
}

QString ParetoHover::textAt(const QPointF& at) const {
    const ParetoScene scene = m_sceneOf();
    const auto id = paretoPointAt(m_plot, scene, at.x(), at.y());
    const auto point = id ? std::ranges::find(scene.points, *id, &ParetoPoint::id) : scene.points.end();
    if (point == scene.points.end())
        return {};
    const QString name = m_nameOf(*id);
    return (name.isEmpty() ? QString() : name + u'\n') + paretoPointText(*point, scene.units);
}

bool ParetoHover::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QObject::eventFilter(watched, event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString said = textAt(help->pos());
    if (said.isEmpty())
        return QObject::eventFilter(watched, event);
    QToolTip::showText(help->globalPos(), said, &m_plot);
    return true;
}

} // namespace views
