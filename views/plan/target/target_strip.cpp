#include "views/plan/target/target_strip.h"

#include "views/common/widgets/elided_label.h"
#include "views/document/view_intents.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>

namespace views {

namespace {

double stepSeconds(const core::PlanEstimate& estimate) {
    return estimate.clockHz > 0 ? double(estimate.step.value()) / estimate.clockHz : 0;
}

/// Cycles of two clocks cannot be compared: always as time.
QString stepText(const core::PlanEstimate& estimate) {
    return timeText(estimate.step, TimeUnit::Time, {estimate.clockHz, estimate.step}).joined();
}

/// Peak over limit of the fullest IPU.
double fullest(const core::PlanEstimate& estimate) {
    double share = 0;
    for (const core::IpuEstimate& ipu : estimate.ipus)
        if (ipu.limit.value() > 0)
            share = std::max(share, double(ipu.peak.value()) / double(ipu.limit.value()));
    return share;
}

bool hasFigures(const std::optional<core::PlanEstimate>& estimate) {
    return estimate && estimate->refusal.empty() && stepSeconds(*estimate) > 0;
}

QString fromTo(const QString& before, const QString& after) {
    return before + QStringLiteral(" → ") + after;
}

} // namespace

TargetStrip::TargetStrip(Document& document, ViewIntents& intents, TargetFigureSource source, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_source(std::move(source))
    , m_sliders(new QWidget(this))
    , m_effect(new ElidedLabel(this))
    , m_reset(new QPushButton(tr("Target's own"), this))
    , m_save(new QPushButton(tr("Save target file…"), this)) {
    setAccessibleName(tr("Figures of the target"));
    m_effect->setProperty("role", "text2");
    m_effect->setAccessibleName(tr("What the target does to the project"));
    m_reset->setProperty("small", true);
    m_reset->setToolTip(tr("Takes back every figure that the project sets by a slider."));
    m_save->setProperty("small", true);
    m_save->setToolTip(
        tr("Writes the target with the figures of this project into a file, which the project then "
           "uses; other projects and the command line take it as --target FILE."));
    auto* head = new QHBoxLayout;
    head->addWidget(m_effect, 1);
    head->addWidget(m_reset);
    head->addWidget(m_save);
    auto* all = new QVBoxLayout(this);
    all->addWidget(m_sliders);
    all->addLayout(head);
    connect(m_reset, &QPushButton::clicked, this, &TargetStrip::takeOwn);
    connect(m_save, &QPushButton::clicked, this, [&intents] { intents.saveTarget(); });
    connect(&document, &Document::opened, this, [this] {
        m_before.reset();
        refresh();
    });
    connect(&document, &Document::projectChanged, this, [this] {
        if (!m_applies)
            m_before.reset();
        refresh();
    });
    for (const auto signal : {&Document::previewChanged, &Document::estimateChanged, &Document::unitsChanged})
        connect(&document, signal, this, &TargetStrip::showEffect);
    refresh();
}

bool TargetStrip::eventFilter(QObject* watched, QEvent* event) {
    const auto* slider = qobject_cast<QSlider*>(watched);
    if (slider != nullptr && event->type() == QEvent::Wheel && !slider->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

QSlider* TargetStrip::slider(std::string_view key) const {
    const auto row = std::ranges::find_if(m_rows, [&](const Row& one) { return one.knob.figure.key == key; });
    return row == m_rows.end() ? nullptr : row->slider;
}

void TargetStrip::refresh() {
    std::vector<TargetKnob> knobs;
    if (m_document.isOpen())
        knobs = targetKnobs(m_source(m_document.project(), m_document.folder()));
    if (knobs.size() != m_rows.size())
        makeRows(knobs);
    bool setsFigures = false;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        Row& row = m_rows[i];
        row.knob = knobs[i];
        const TargetFigureValue& figure = row.knob.figure;
        setsFigures = setsFigures || figure.value != figure.own;
        row.slider->setToolTip(
            tr("%1 of the target itself: %2").arg(knobText(row.knob, figure.own), toQString(figure.source)));
        showValue(row, figure.value);
        const QSignalBlocker silent(row.slider);
        row.slider->setValue(knobPosition(row.knob, figure.value));
    }
    m_reset->setEnabled(setsFigures);
    m_save->setEnabled(!m_rows.empty());
    showEffect();
}

void TargetStrip::makeRows(const std::vector<TargetKnob>& knobs) {
    for (const Row& row : m_rows) {
        delete row.text;
        delete row.slider;
    }
    m_rows.clear();
    delete m_sliders->layout();
    auto* columns = new QHBoxLayout(m_sliders);
    columns->setContentsMargins(0, 0, 0, 0);
    for (std::size_t i = 0; i < knobs.size(); ++i) {
        Row row{knobs[i], new QLabel(m_sliders), new QSlider(Qt::Horizontal, m_sliders)};
        row.slider->setRange(-knobEnd, knobEnd);
        row.slider->setPageStep(knobEnd / 10);
        row.slider->setAccessibleName(row.knob.label);
        row.slider->setFocusPolicy(Qt::StrongFocus);
        row.slider->installEventFilter(this);
        row.text->setBuddy(row.slider);
        auto* column = new QVBoxLayout;
        column->addWidget(row.text);
        column->addWidget(row.slider);
        columns->addLayout(column, 1);
        connect(row.slider, &QSlider::valueChanged, this, [this, i](int position) {
            if (m_rows[i].slider->isSliderDown())
                preview(m_rows[i], position);
            else
                take(m_rows[i], position);
        });
        connect(row.slider, &QSlider::sliderReleased, this,
                [this, i] { take(m_rows[i], m_rows[i].slider->value()); });
        m_rows.push_back(std::move(row));
    }
}

void TargetStrip::showValue(const Row& row, double value) {
    const QString text = knobText(row.knob, value);
    row.text->setText(QStringLiteral("%1: %2").arg(row.knob.label, text));
    row.slider->setAccessibleDescription(text);
}

void TargetStrip::rememberFigures() {
    if (!m_before && m_document.areFiguresCurrent())
        m_before = m_document.estimate();
}

void TargetStrip::preview(const Row& row, int position) {
    if (!m_document.isOpen())
        return;
    rememberFigures();
    const double value = knobValue(row.knob, position);
    showValue(row, value);
    m_document.setPreview(
        std::make_shared<const core::Project>(withTargetFigure(m_document.project(), row.knob, value)));
}

void TargetStrip::take(const Row& row, int position) {
    if (!m_document.isOpen())
        return;
    rememberFigures();
    const TargetKnob knob = row.knob;
    // A slider that is where it was changes nothing, though its steps may not meet the project's own value.
    const double present = knob.figure.value;
    const double value = position == knobPosition(knob, present) ? present : knobValue(knob, position);
    showValue(row, value);
    apply(
        tr("Set %1 to %2").arg(knob.label, knobText(knob, value)),
        [&](const core::Project& project) -> core::Result<core::Project> {
            return withTargetFigure(project, knob, value);
        },
        QStringLiteral("target/") + toQString(knob.figure.key));
}

void TargetStrip::takeOwn() {
    std::vector<TargetKnob> knobs;
    for (const Row& row : m_rows)
        knobs.push_back(row.knob);
    rememberFigures();
    apply(tr("Take the target's own figures"),
          [&](const core::Project& project) -> core::Result<core::Project> {
              return withOwnTarget(project, knobs);
          },
          {});
}

void TargetStrip::apply(const QString& text, const ProjectEdit& edit, const QString& mergeKey) {
    m_applies = true;
    m_document.apply(text, edit, mergeKey);
    m_applies = false;
    // A slider that came back to where it was changes nothing, and leaves its preview.
    if (m_document.preview() && !m_document.isPlanPreview())
        m_document.setPreview(nullptr);
}

void TargetStrip::showEffect() {
    const bool isTried = m_document.isOpen() && m_document.preview() && !m_document.isPlanPreview();
    const std::optional<core::PlanEstimate> nothing;
    const std::optional<core::PlanEstimate>& after = isTried               ? m_document.previewEstimate()
                                                     : m_document.isOpen() ? m_document.estimate()
                                                                           : nothing;
    if (m_rows.empty())
        m_effectText = m_document.isOpen() ? tr("The target of this project cannot be read.") : QString();
    else if (!m_before)
        m_effectText = tr("Move a slider: what it does to this project is written here.");
    else if (!after || (!isTried && !m_document.isEstimateCurrent()))
        return;
    else if (!after->refusal.empty())
        m_effectText = toQString(after->refusal);
    else if (hasFigures(m_before) && hasFigures(after)) {
        const double change = stepSeconds(*after) / stepSeconds(*m_before) - 1;
        m_effectText =
            tr("Step %1 (%2 %), %3 samples/s, fullest IPU %4")
                .arg(fromTo(stepText(*m_before), stepText(*after)), signedText(100 * change, 1),
                     fromTo(compactText(m_before->samplesPerSecond), compactText(after->samplesPerSecond)),
                     fromTo(percentText(fullest(*m_before)), percentText(fullest(*after))));
        if (!after->fits)
            m_effectText += tr(", which does not fit");
    }
    m_effect->setText(m_effectText);
}

} // namespace views
