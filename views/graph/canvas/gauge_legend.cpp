#include "views/graph/canvas/gauge_legend.h"

#include "core/plan/plan_estimate.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"
#include "views/graph/painting/canvas_painter.h"

#include <QLinearGradient>
#include <QPainter>
#include <array>

namespace views {

namespace {

struct Entry {
    QString name;
    QColor color;
    HatchPattern pattern = HatchPattern::None;
};

std::vector<Entry> entriesOf(const Theme& theme) {
    const auto activity = [&](const QString& name, Activity what) {
        return Entry{name, theme.activity(what), theme.activityHatch(what)};
    };
    const auto category = [&](const QString& name, core::MemoryCategory what) {
        return Entry{name, theme.category(what), HatchPattern::None};
    };
    const auto idle = [&](const QString& name, core::IdleCause what) {
        return Entry{name, theme.idleFill(what), Theme::idlePattern(what)};
    };
    return {activity(GaugeLegend::tr("host"), Activity::Host),
            activity(GaugeLegend::tr("backward"), Activity::Backward),
            activity(GaugeLegend::tr("forward"), Activity::Forward),
            activity(GaugeLegend::tr("recompute"), Activity::Recompute),
            category(GaugeLegend::tr("always live"), core::MemoryCategory::Weights),
            category(GaugeLegend::tr("stash"), core::MemoryCategory::Stash),
            category(GaugeLegend::tr("live at the peak"), core::MemoryCategory::Activations),
            activity(GaugeLegend::tr("cut"), Activity::Copy),
            idle(GaugeLegend::tr("warm-up"), core::IdleCause::WarmUp),
            idle(GaugeLegend::tr("drain"), core::IdleCause::Drain),
            idle(GaugeLegend::tr("imbalance"), core::IdleCause::Imbalance),
            idle(GaugeLegend::tr("transfer"), core::IdleCause::Transfer),
            idle(GaugeLegend::tr("remote memory"), core::IdleCause::Offload),
            idle(GaugeLegend::tr("waits for the host"), core::IdleCause::Host),
            idle(GaugeLegend::tr("all-reduce"), core::IdleCause::AllReduce),
            idle(GaugeLegend::tr("serial"), core::IdleCause::Serial)};
}

} // namespace

GaugeLegend::GaugeLegend(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Colours of the gauges"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    QStringList names;
    for (const Entry& entry : entriesOf(themeOf(this)))
        names << entry.name;
    setToolTip(
        tr("Time of a stage: host, backward, forward, recompute.\nMemory of an IPU: always live, stash, and "
           "what else is live at the peak.\nCut: bytes to the next stage.\nIdle, hatched by its cause: "
           "warm-up, drain, imbalance, transfer, remote memory, host, all-reduce, serial.\nThin lines with "
           "ends: "
           "where time and memory lie for most programs once they are measured."));
    setAccessibleDescription(names.join(QStringLiteral(", ")));
}

void GaugeLegend::setHeat(const QString& largest) {
    if (largest == m_heat)
        return;
    m_heat = largest;
    update();
}

QSize GaugeLegend::sizeHint() const {
    return {400, themeOf(this).ipx(24)};
}

void GaugeLegend::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    const QFont font = theme.font(10);
    const double side = theme.px(10);
    const double middle = height() / 2.0;
    double x = theme.px(10);
    painter.setFont(font);
    const auto paintWord = [&](const QString& word) {
        painter.setPen(theme.color(Role::Text2));
        painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, word);
        x += textWidth(word, font);
    };
    if (!m_heat.isEmpty()) {
        paintWord(QStringLiteral("0 "));
        const QRectF scale(x, middle - side / 2, theme.px(60), side);
        QLinearGradient ramp(scale.topLeft(), scale.topRight());
        for (const double share : {0.0, 1.0})
            ramp.setColorAt(share, heatColor(theme, share));
        painter.fillRect(scale, ramp);
        x = scale.right() + theme.px(4);
        paintWord(m_heat);
        x += theme.px(16);
    }
    for (const Entry& entry : entriesOf(theme)) {
        const double needed = side + theme.px(4) + textWidth(entry.name, font);
        if (x + needed > width())
            break;
        paintSwatch(painter, QRectF(x, middle - side / 2, side, side), entry.color, entry.pattern, theme);
        x += side + theme.px(4);
        paintWord(entry.name);
        x += theme.px(10);
    }
}

} // namespace views
