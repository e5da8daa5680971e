#include "app/window/frame/status_line.h"

#include "simulator/target/target_catalogue.h"
#include "views/common/text/finding_text.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/elided_label.h"
#include "views/common/widgets/segmented_control.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

namespace app {

using views::toQString;

namespace {

QToolButton* statusButton(QWidget* parent, const QString& tip) {
    auto* button = new QToolButton(parent);
    button->setProperty("kind", "quiet");
    button->setProperty("small", true);
    button->setFont(views::themeOf(parent).font(11));
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

struct ToneLook {
    const char* icon;
    views::Role role;
};

ToneLook lookOf(views::ChipTone tone) {
    switch (tone) {
    case views::ChipTone::Success:
        return {"ok", views::Role::Success};
    case views::ChipTone::Warning:
        return {"warn", views::Role::Warning};
    case views::ChipTone::Error:
        return {"error", views::Role::Error};
    default:
        return {"info", views::Role::Info};
    }
}

QString byteUnitName(views::ByteUnit unit) {
    return unit == views::ByteUnit::KiB        ? QStringLiteral("MiB")
           : unit == views::ByteUnit::Kilobyte ? QStringLiteral("MB")
                                               : QStringLiteral("B");
}

} // namespace

StatusLine::StatusLine(views::Document& document, QWidget* parent)
    : QStatusBar(parent)
    , m_document(document)
    , m_icon(new QLabel(this))
    , m_message(new views::ElidedLabel(this))
    , m_progress(new QProgressBar(this))
    , m_activity(new QLabel(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_estimate(new QLabel(this))
    , m_units(new views::SegmentedControl(tr("Units of time"), this))
    , m_bytes(statusButton(this, tr("Unit of bytes: click for the next")))
    , m_target(statusButton(this, tr("The simulated system: click to change it")))
    , m_seed(statusButton(this, tr("Seed of the run: click to change it"))) {
    const views::Theme& theme = views::themeOf(this);
    setSizeGripEnabled(false);
    setMinimumHeight(theme.ipx(26));
    auto* left = new QWidget(this);
    auto* layout = new QHBoxLayout(left);
    layout->setContentsMargins(theme.ipx(8), 0, 0, 0);
    layout->setSpacing(theme.ipx(6));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(theme.ipx(120), theme.ipx(8));
    m_cancel->setProperty("small", true);
    for (QLabel* label : {m_activity, m_estimate}) {
        label->setFont(theme.font(11));
        label->setProperty("role", "text2");
    }
    m_message->setFont(theme.font(11));
    for (QWidget* widget : {static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_activity),
                            static_cast<QWidget*>(m_cancel), static_cast<QWidget*>(m_icon)})
        layout->addWidget(widget);
    layout->addWidget(m_message, 1);
    // Takes the space while there is progress instead of a message.
    layout->addStretch();
    addWidget(left, 1);
    for (const QString& name : {tr("cycles"), tr("time"), QStringLiteral("%")})
        m_units->addSegment(name);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_estimate), static_cast<QWidget*>(m_units), static_cast<QWidget*>(m_bytes),
          static_cast<QWidget*>(m_target), static_cast<QWidget*>(m_seed)})
        addPermanentWidget(widget);
    connect(m_cancel, &QPushButton::clicked, this, &StatusLine::cancelRequested);
    connect(m_units, &views::SegmentedControl::chosen, this, [this](int index) {
        constexpr std::array units{views::TimeUnit::Cycles, views::TimeUnit::Time,
                                   views::TimeUnit::PercentOfStep};
        emit unitsChosen({units[std::size_t(index)], m_document.units().bytes});
    });
    connect(m_bytes, &QToolButton::clicked, this, [this] {
        const auto next = views::ByteUnit((int(m_document.units().bytes) + 1) % 3);
        emit unitsChosen({m_document.units().time, next});
    });
    connect(m_target, &QToolButton::clicked, this, [this] { emit panelRequested(views::PanelId::Pipeline); });
    connect(m_seed, &QToolButton::clicked, this,
            [this] { emit panelRequested(views::PanelId::TrainingOptions); });
    connect(&document, &views::Document::unitsChanged, this, &StatusLine::refresh);
    connect(&document, &views::Document::projectChanged, this, &StatusLine::refresh);
    connect(&document, &views::Document::opened, this, &StatusLine::refresh);
    connect(&document, &views::Document::projectChanged, this, &StatusLine::forget);
    connect(&document, &views::Document::opened, this, &StatusLine::forget);
    connect(&document, &views::Document::estimateChanged, this, &StatusLine::showEstimate);
    endProgress();
    refresh();
    tell(views::ChipTone::Info, tr("Offline. No account, no telemetry."));
}

void StatusLine::tell(views::ChipTone tone, const QString& text) {
    const views::Theme& theme = views::themeOf(this);
    const ToneLook look = lookOf(tone);
    m_icon->setPixmap(views::iconPixmap(QString::fromLatin1(look.icon), theme.color(look.role), theme.ipx(14),
                                        devicePixelRatioF()));
    m_message->setText(text);
    m_message->setToolTip(text);
}

QString StatusLine::message() const {
    return m_message->text();
}

void StatusLine::showProgress(double fraction, const QString& activity, double seconds) {
    m_progress->setValue(int(fraction * 1000));
    QString text = activity;
    m_forecast.add(seconds, fraction);
    if (const std::optional<double> left = m_forecast.left())
        text += tr(" · %1 left").arg(views::durationText(*left));
    m_activity->setText(QStringLiteral("%1 · %2").arg(views::percentText(fraction, 0), text));
    for (QWidget* widget : {static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_activity),
                            static_cast<QWidget*>(m_cancel)})
        widget->show();
    m_icon->hide();
    m_message->hide();
    m_progress->setAccessibleName(m_activity->text());
}

void StatusLine::endProgress() {
    for (QWidget* widget : {static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_activity),
                            static_cast<QWidget*>(m_cancel)})
        widget->hide();
    m_icon->show();
    m_message->show();
}

void StatusLine::forget() {
    m_icon->clear();
    m_message->setText({});
    m_message->setToolTip({});
}

void StatusLine::setEstimating(bool isBusy) {
    m_isEstimating = isBusy;
    showEstimate();
}

void StatusLine::showEstimate() {
    if (!m_document.isOpen())
        return m_estimate->clear();
    const auto& estimate = m_document.estimate();
    const QString why = estimate && !m_isEstimating
                            ? views::findingText(toQString(estimate->refusal), &m_document.project().model,
                                                 m_document.units().bytes)
                            : QString();
    m_estimate->setText(m_isEstimating  ? tr("Estimating …")
                        : why.isEmpty() ? tr("Estimate up to date")
                                        : tr("No estimate of this plan"));
    m_estimate->setToolTip(why);
}

void StatusLine::refresh() {
    const views::Units& units = m_document.units();
    m_units->setCurrent(units.time == views::TimeUnit::Cycles ? 0
                        : units.time == views::TimeUnit::Time ? 1
                                                              : 2);
    m_bytes->setText(byteUnitName(units.bytes));
    const bool isOpen = m_document.isOpen();
    m_target->setVisible(isOpen);
    m_seed->setVisible(isOpen);
    m_estimate->setVisible(isOpen);
    if (!isOpen)
        return;
    const core::SystemOptions& system = m_document.project().system;
    QString target = toQString(system.target);
    if (const simulator::CatalogueTarget* row = simulator::findTarget(system.target))
        target += QStringLiteral(" · %1 GHz").arg(row->target.clockHz / 1e9, 0, 'f', 2);
    m_target->setText(target);
    m_seed->setText(tr("seed %1").arg(m_document.project().training.seed));
}

} // namespace app
