#include "views/graph/stage_parts.h"

#include "views/common/theme/widget_theme.h"
#include "views/graph/canvas/canvas_parts.h"
#include "views/graph/canvas/canvas_view.h"
#include "views/graph/graph_view.h"
#include "views/graph/painting/gauge_rows.h"

namespace views {

namespace {

constexpr int partsOfStage = 5; // itself and its four gauges

} // namespace

StageHeadParts::StageHeadParts(StageHeaderStrip& strip, CanvasView& canvas, Document& document,
                               Selection& selection)
    : m_strip(strip)
    , m_canvas(canvas)
    , m_document(document)
    , m_selection(selection) {
    connect(&canvas.scene(), &CanvasScene::drawingChanged, this, &PaintedParts::changed);
}

std::vector<PartPlace> StageHeadParts::places() {
    std::vector<PartPlace> places;
    if (!m_document.isOpen() || m_canvas.model().stageCount == 0)
        return places;
    for (std::size_t stage = 0; stage < m_canvas.geometry().columns.size(); ++stage)
        places.push_back({QStringLiteral("stage:%1").arg(stage), -1});
    return places;
}

PartFacts StageHeadParts::facts(int place) const {
    const auto stage = std::size_t(place);
    const core::StageId id(stage);
    PartFacts facts;
    facts.role = QAccessible::ColumnHeader;
    QStringList choices = m_strip.choicesText(id).split(u'\n');
    facts.name = choices.takeFirst();
    facts.value =
        countedText(std::int64_t(m_canvas.geometry().columns[stage].invocations), tr("layer"), tr("layers"));
    facts.description = choices.join(tr(", "));
    facts.rect = m_strip.headRect(stage);
    facts.state.selectable = true;
    facts.state.selected = m_selection.state().stage == id;
    facts.actions = {QAccessibleActionInterface::pressAction(), QAccessibleActionInterface::showMenuAction()};
    return facts;
}

void StageHeadParts::act(int place, const QString& action) {
    const auto stage = std::size_t(place);
    if (action == QAccessibleActionInterface::pressAction()) {
        const core::StageId id(stage);
        m_selection.selectStage(m_selection.state().stage == id ? std::nullopt : std::optional(id));
        return;
    }
    // A menu takes over until it is closed; who asked for it waits for an answer.
    const QPoint at = m_strip.mapToGlobal(m_strip.headRect(stage).bottomLeft().toPoint());
    QMetaObject::invokeMethod(
        &m_strip, [strip = &m_strip, stage, at] { emit strip->ipuMenuRequested(stage, at); },
        Qt::QueuedConnection);
}

GaugeParts::GaugeParts(GaugeStrip& strip, CanvasView& canvas, Document& document)
    : m_strip(strip)
    , m_document(document) {
    connect(&canvas.scene(), &CanvasScene::drawingChanged, this, &PaintedParts::changed);
    connect(&document, &Document::estimateChanged, this, &PaintedParts::changed);
    connect(&document, &Document::previewChanged, this, &PaintedParts::changed);
}

std::vector<PartPlace> GaugeParts::places() {
    std::vector<PartPlace> places;
    const core::PlanEstimate* now = m_strip.shown().now;
    for (std::size_t stage = 0; now != nullptr && stage < now->stages.size(); ++stage) {
        const int holder = int(places.size());
        const QString id = QStringLiteral("stage:%1").arg(stage);
        places.push_back({id, -1});
        for (int row = 0; row + 1 < partsOfStage; ++row)
            places.push_back({id + QStringLiteral("/%1").arg(row), holder});
    }
    return places;
}

PartFacts GaugeParts::facts(int place) const {
    PartFacts facts;
    const auto [now, before] = m_strip.shown();
    const auto stage = std::size_t(place / partsOfStage);
    const int row = place % partsOfStage - 1;
    if (now == nullptr || stage >= now->stages.size())
        return facts;
    facts.rect = m_strip.rowRect(stage, row);
    const QString of = tr("stage %1").arg(stage);
    if (row < 0) {
        facts.role = QAccessible::Grouping;
        facts.name = tr("Gauges of %1").arg(of);
        if (stage == slowestStage(*now) && now->stages.size() > 1)
            facts.description = tr("the slowest stage: it sets the length of a slot");
        if (!now->refusal.empty())
            facts.value = tr("figures of an earlier plan");
        else if (!now->uncounted.empty())
            facts.value = tr("figures of a part of the model");
        return facts;
    }
    const GaugeRow gauge =
        gaugeRows(*now, before, stage, m_document.units(), themeOf(&m_strip))[std::size_t(row)];
    facts.role = QAccessible::ProgressBar;
    facts.name = tr("%1 of %2").arg(gauge.name, of);
    facts.value = gauge.note.isEmpty() ? gauge.value.joined() : gauge.note;
    if (gauge.level != GaugeLevel::Fits)
        facts.description = gauge.level == GaugeLevel::Over ? tr("above the limit") : tr("near the limit");
    if (gauge.change)
        facts.description = tr("%1 against before").arg(percentText(*gauge.change));
    double filled = 0;
    for (const GaugeSegment& segment : gauge.gauge.segments)
        filled += segment.share;
    facts.number = {filled, 0, 1, 0};
    facts.state.readOnly = true;
    return facts;
}

void installCanvasAccessibility() {
    static const bool isInstalled = [] {
        QAccessible::installFactory([](const QString&, QObject* object) -> QAccessibleInterface* {
            if (auto* canvas = qobject_cast<CanvasView*>(object))
                return makePaintedAccessible(*canvas, QAccessible::List,
                                             std::make_unique<CanvasParts>(*canvas));
            auto* view = object == nullptr ? nullptr : qobject_cast<GraphView*>(object->parent());
            if (view == nullptr)
                return nullptr;
            if (auto* heads = qobject_cast<StageHeaderStrip*>(object))
                return makePaintedAccessible(*heads, QAccessible::Grouping,
                                             std::make_unique<StageHeadParts>(*heads, view->canvas(),
                                                                              view->document(),
                                                                              view->selection()));
            if (auto* gauges = qobject_cast<GaugeStrip*>(object))
                return makePaintedAccessible(
                    *gauges, QAccessible::Grouping,
                    std::make_unique<GaugeParts>(*gauges, view->canvas(), view->document()));
            return nullptr;
        });
        return true;
    }();
    Q_UNUSED(isInstalled)
}

} // namespace views
