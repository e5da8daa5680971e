#include "views/graph/canvas/gauge_legend.h"

#include "core/plan/plan_estimate.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/painting/canvas_painter.h"
#include "views/profile/legend_bar.h"

#include <QLinearGradient>
#include <QPainter>
#include <algorithm>

namespace views {

namespace {

std::vector<LegendEntry> gaugeEntries(const Theme& theme) {
    std::vector<LegendEntry> entries;
    const auto add = [&](const QString& name, const QColor& colour, HatchPattern pattern) {
        entries.push_back({static_cast<int>(entries.size()), name, colour, pattern});
    };
    const auto activity = [&](const QString& name, Activity what) {
        add(name, theme.activity(what), theme.activityHatch(what));
    };
    const auto category = [&](const QString& name, core::MemoryCategory what) {
        add(name, theme.category(what), HatchPattern::None);
    };
    const auto idle = [&](const QString& name, core::IdleCause what) {
        add(name, theme.idleFill(what), Theme::idlePattern(what));
    };
    activity(GaugeLegend::tr("host"), Activity::Host);
    activity(GaugeLegend::tr("backward"), Activity::Backward);
    activity(GaugeLegend::tr("forward"), Activity::Forward);
    activity(GaugeLegend::tr("recompute"), Activity::Recompute);
    category(GaugeLegend::tr("always live"), core::MemoryCategory::Weights);
    category(GaugeLegend::tr("stash"), core::MemoryCategory::Stash);
    category(GaugeLegend::tr("live at the peak"), core::MemoryCategory::Activations);
    activity(GaugeLegend::tr("cut"), Activity::Copy);
    idle(GaugeLegend::tr("idle: warm-up"), core::IdleCause::WarmUp);
    idle(GaugeLegend::tr("idle: drain"), core::IdleCause::Drain);
    idle(GaugeLegend::tr("idle: imbalance"), core::IdleCause::Imbalance);
    idle(GaugeLegend::tr("idle: transfer"), core::IdleCause::Transfer);
    idle(GaugeLegend::tr("idle: remote memory"), core::IdleCause::Offload);
    idle(GaugeLegend::tr("idle: host"), core::IdleCause::Host);
    idle(GaugeLegend::tr("idle: all-reduce"), core::IdleCause::AllReduce);
    idle(GaugeLegend::tr("idle: serial"), core::IdleCause::Serial);
    return entries;
}

} // namespace

GaugeLegend::GaugeLegend(QWidget* parent)
    : QWidget(parent)
    , m_entries(new LegendBar(tr("Colours of the gauges"), this)) {
    setAccessibleName(tr("Colours of the gauges"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    QStringList names;
    for (const LegendEntry& entry : gaugeEntries(themeOf(this)))
        names << entry.name;
    m_entries->setIsolating(false);
    m_entries->setEntries(gaugeEntries);
    m_entries->setToolTip(
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
    placeEntries();
    update();
}

double GaugeLegend::heatWidth() const {
    const Theme& theme = themeOf(this);
    return m_heat.isEmpty()
               ? 0
               : textWidth(QStringLiteral("0 ") + m_heat, theme.font(10)) + theme.px(60 + 4 + 16);
}

void GaugeLegend::placeEntries() {
    const int left = themeOf(this).ipx(10) + static_cast<int>(heatWidth());
    m_entries->setGeometry(left, 0, std::max(0, width() - left), height());
}

void GaugeLegend::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeEntries();
}

QSize GaugeLegend::sizeHint() const {
    return {400, themeOf(this).ipx(24)};
}

void GaugeLegend::paintEvent(QPaintEvent*) {
    if (m_heat.isEmpty())
        return;
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
    paintWord(QStringLiteral("0 "));
    const QRectF scale(x, middle - side / 2, theme.px(60), side);
    QLinearGradient ramp(scale.topLeft(), scale.topRight());
    for (const double share : {0.0, 1.0})
        ramp.setColorAt(share, heatColor(theme, share));
    painter.fillRect(scale, ramp);
    x = scale.right() + theme.px(4);
    paintWord(m_heat);
}

} // namespace views
