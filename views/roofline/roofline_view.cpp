#include "views/roofline/roofline_view.h"

#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/filter_edit.h"
#include "views/common/widgets/segmented_control.h"
#include "views/document/view_intents.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"
#include "views/roofline/roofline_canvas.h"
#include "views/roofline/roofline_painter.h"

#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSplitter>
#include <utility>

namespace views {

/// Which shape is which phase.
class RooflineView::Key final : public QWidget {
public:
    explicit Key(RooflineCanvas* canvas, QWidget* parent)
        : QWidget(parent)
        , m_canvas(*canvas) {
        setAccessibleName(RooflineView::tr("Shapes of the phases"));
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    }

    [[nodiscard]] QSize sizeHint() const override { return {themeOf(this).ipx(300), themeOf(this).ipx(24)}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, themeOf(this).ipx(24)}; }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        paintRooflineKey(painter, rect(), m_canvas.scene(), themeOf(this));
    }

private:
    RooflineCanvas& m_canvas;
};

RooflineView::RooflineView(Document& document, Selection& selection, ProfileSource& source,
                           ViewIntents& intents, QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent)
    , m_canvas(new RooflineCanvas)
    , m_table(new TablePanel(tr("Points of the roofline"), this))
    , m_units(document.units()) {
    setPromise(QStringLiteral("roofline"),
               tr("How near every operation comes to what the IPU can do at most appears after a run."));
    buildBar();
    QSplitter* content = makeSplitter(Qt::Vertical, this);
    content->addWidget(m_canvas);
    content->addWidget(m_table);
    content->setStretchFactor(0, 3);
    content->setStretchFactor(1, 2);
    content->setSizes({420, 260});
    setContent(content);
    setFocusProxy(m_canvas);
    m_canvas->setUnits(m_units);
    connect(m_canvas, &RooflineCanvas::chosen, this, &RooflineView::choose);
    connect(m_canvas, &RooflineCanvas::pointed, this, &RooflineView::pointAt);
    connect(&selection, &Selection::cursorMoved, this, &RooflineView::followCursor);
    connect(m_canvas, &RooflineCanvas::framed, this, [this](const std::optional<RooflineFrame>& frame) {
        m_frame = frame;
        showTable();
    });
    connect(m_table, &TablePanel::rowChosen, this,
            [this](int row) { choose(m_rows[static_cast<std::size_t>(row)]); });
    connect(m_table, &TablePanel::rowActivated, this, [this](int row) {
        choose(m_rows[static_cast<std::size_t>(row)]);
        this->intents().showWorkspace(WorkspaceId::Timeline);
    });
    reload();
}

void RooflineView::buildBar() {
    addRunChooser();
    m_groupings = new SegmentedControl(tr("What a point is"), &bar());
    m_groupings->addSegment(tr("Operations"), tr("A point for each operation of the program"));
    m_groupings->addSegment(tr("Layers"), tr("The operations of a layer together, all phases"));
    m_groupings->addSegment(tr("Stages"), tr("The operations of a stage together, all phases"));
    m_groupings->setCurrent(0);
    bar().add(m_groupings);
    m_figures = new QLabel(&bar());
    m_figures->setToolTip(tr("MFU: share of what all IPUs of a replica could compute in the step that the "
                             "model needs; what is only recomputed does not count"));
    m_figures->setProperty("role", "text2");
    bar().add(m_figures);
    addTimeChip();
    m_chip = new FilterChips(&bar());
    bar().add(m_chip);
    bar().addStretch();
    m_key = new Key(m_canvas, &bar());
    bar().add(m_key);
    m_filter = new QLineEdit(&bar());
    makeFilter(*m_filter, tr("Filter points"));
    m_filter->setProperty("small", true);
    m_filter->setFixedWidth(themeOf(this).ipx(160));
    bar().add(m_filter);
    addPictureExport(tr("Save the picture"), [this] { return picture(); });
    addTableExport(tr("Save the table of points"), QStringLiteral("roofline"), *m_table);
    connect(m_groupings, &SegmentedControl::chosen, this, [this] {
        m_frame.reset();
        if (hasData())
            showData();
    });
    filterTables(*m_filter, [this] { return std::vector<TablePanel*>{m_table}; });
    connect(m_chip, &FilterChips::removed, this, [this] {
        m_frame.reset();
        RooflineScene scene = m_canvas->scene();
        scene.frame.reset();
        m_canvas->setScene(std::move(scene));
        showTable();
    });
}

RooflineView::Query RooflineView::query() const {
    const std::optional<core::RunId> run = chosenRun();
    if (!run)
        return {};
    return [run](const core::ProfileDatabase& database) { return core::loadRoofline(database, *run); };
}

QString RooflineView::figures() const {
    return m_figures->text();
}

std::optional<Picture> RooflineView::picture() const {
    if (!data())
        return std::nullopt;
    return rooflinePicture(m_canvas->scene(), themeOf(this), m_canvas->size());
}

void RooflineView::dataChanged() {
    m_frame.reset();
    forgetTime();
    filterByTime();
    if (!data())
        m_canvas->setScene({});
}

void RooflineView::clearData() {
    m_rows.clear();
    m_table->setContent({});
    m_figures->clear();
    m_chip->setChips({});
}

void RooflineView::setUnits(const Units& units) {
    m_units = units;
    m_canvas->setUnits(units);
}

void RooflineView::showData() {
    RooflineScene scene = rooflineScene(data(), RooflineGrouping(m_groupings->current()));
    scene.frame = m_frame;
    // A zoom stays while the same points are shown.
    if (m_canvas->scene().data == data() && m_canvas->scene().grouping == scene.grouping)
        scene.shown = m_canvas->scene().shown;
    scene.title = tr("Roofline of run %1").arg(data()->run.value());
    m_figures->setText(rooflineFigures(*data(), scene.grouping));
    m_canvas->setScene(std::move(scene));
    m_key->update();
    showTable();
    lightSelection();
    followCursor();
}

void RooflineView::showEvent(QShowEvent* event) {
    ProfileViewOf::showEvent(event);
    followCursor();
}

void RooflineView::filterByTime() {
    if (data())
        followTime(data()->run, data()->step, [this] {
            showTable();
            lightSelection();
        });
}

/// An operation does where its program does, or that which recomputes it; a layer or stage where one of its
/// operations does.
std::vector<bool> RooflineView::pointsInTime() const {
    const RooflineScene& scene = m_canvas->scene();
    std::vector<bool> answers(scene.points().size(), true);
    if (!programsInTime())
        return answers;
    const std::set<StageProgram>& programs = *programsInTime();
    const auto runs = [&](const core::RooflinePoint& operation) {
        return !operation.phase || holds(programs, operation.stage, *operation.phase) ||
               (operation.isRecomputed && holds(programs, operation.stage, core::ProgramPhase::Recompute));
    };
    // As `core::roofline` sums them up.
    std::set<std::pair<std::string, core::StageId>> layers;
    std::set<core::StageId> stages;
    for (const core::RooflinePoint& operation : scene.data->operations)
        if (runs(operation)) {
            layers.emplace(operation.layer.empty() ? operation.name : operation.layer, operation.stage);
            stages.insert(operation.stage);
        }
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const core::RooflinePoint& point = scene.points()[i];
        answers[i] = scene.grouping == RooflineGrouping::Operation ? runs(point)
                     : scene.grouping == RooflineGrouping::Layer ? layers.contains({point.name, point.stage})
                                                                 : stages.contains(point.stage);
    }
    return answers;
}

void RooflineView::showTable() {
    const QScopedValueRollback choosing(m_isChoosing, true);
    const RooflineScene& scene = m_canvas->scene();
    if (!scene.data)
        return;
    const std::vector<bool> isInTime = pointsInTime();
    std::size_t framed = 0;
    m_rows.clear();
    for (std::size_t i = 0; i < scene.points().size(); ++i) {
        if (m_frame && !holds(*m_frame, scene.points()[i], scene.data->clockHz))
            continue;
        ++framed;
        if (isInTime[i])
            m_rows.push_back(i);
    }
    m_table->setEmptyText(m_frame && framed == 0 ? tr("The frame holds no point.")
                          : programsInTime()     ? tr("No point runs in the selected time.")
                                                 : tr("The run has no operations."));
    m_table->setContent(rooflineTable(*scene.data, scene.grouping, m_rows, m_units));
    showTimeChip(programsInTime() ? selection().state().time : std::nullopt,
                 {scene.data->clockHz, scene.data->step});
    std::vector<FilterChips::Chip> chips;
    if (m_frame)
        chips.push_back(
            {0,
             tr("%1 of %2 framed")
                 .arg(groupedText(std::int64_t(framed)), groupedText(std::int64_t(scene.points().size()))),
             QStringLiteral("filter")});
    m_chip->setChips(std::move(chips));
}

void RooflineView::choose(std::optional<std::size_t> point) {
    if (m_isChoosing || !data())
        return;
    SelectionState state = selection().state();
    state.operation.reset();
    state.invocations.clear();
    state.current.reset();
    state.stage.reset();
    if (point) {
        const core::RooflinePoint& one = m_canvas->scene().points()[*point];
        if (one.operation.isValid())
            state.operation = one.name;
        if (!one.layer.empty()) {
            state.current = InvocationKey{one.layer, 0};
            state.invocations = {*state.current};
        }
        if (one.stage.isValid())
            state.stage = one.stage;
    }
    selection().set(state);
    lightSelection();
}

void RooflineView::pointAt(std::optional<std::size_t> point) {
    const core::RooflinePoint* one = point && data() ? &m_canvas->scene().points()[*point] : nullptr;
    if (one == nullptr || !one->operation.isValid() || !one->phase)
        return selection().setCursor(std::nullopt);
    const ProgramPlaces* places = placesOf(data()->run, [this, point] {
        if (m_canvas->scene().hovered == point)
            pointAt(point);
    });
    if (places != nullptr)
        selection().setCursor(places->find(one->stage, *one->phase, one->name));
}

void RooflineView::followCursor() {
    if (!data() || !isVisible())
        return;
    const std::optional<TimeCursor>& cursor = selection().cursor();
    RooflineScene scene = m_canvas->scene();
    scene.pointed.clear();
    if (cursor && cursor->isInProgram()) {
        const ProgramPlaces* places = placesOf(data()->run, [this] { followCursor(); });
        const ProgramPlaces::Item* item = places == nullptr ? nullptr : places->at(*cursor);
        for (std::size_t i = 0; i < scene.points().size() && item != nullptr; ++i) {
            const core::RooflinePoint& point = scene.points()[i];
            // As `core::roofline` sums them up.
            const bool runs = scene.grouping == RooflineGrouping::Operation
                                  ? point.operation == item->operation
                              : scene.grouping == RooflineGrouping::Layer
                                  ? point.stage == cursor->stage &&
                                        point.name == (item->layer.empty() ? item->name : item->layer)
                                  : point.stage == cursor->stage;
            if (runs)
                scene.pointed.insert(i);
        }
    }
    if (scene.pointed != m_canvas->scene().pointed)
        m_canvas->setScene(std::move(scene));
}

bool RooflineView::isSelected(const core::RooflinePoint& point) const {
    const SelectionState& now = selection().state();
    if (point.operation.isValid() && now.operation)
        return point.name == *now.operation;
    if (!point.layer.empty() || point.operation.isValid())
        return std::ranges::any_of(now.invocations, [&](const InvocationKey& key) {
            return !point.layer.empty() && key.path == point.layer;
        });
    return now.stage == point.stage && point.stage.isValid();
}

void RooflineView::lightSelection() {
    if (!data())
        return;
    RooflineScene scene = m_canvas->scene();
    scene.lit.clear();
    scene.chosen.reset();
    for (std::size_t i = 0; i < scene.points().size(); ++i)
        if (isSelected(scene.points()[i]))
            scene.lit.insert(i);
    if (scene.lit.size() == 1)
        scene.chosen = *scene.lit.begin();
    const QScopedValueRollback choosing(m_isChoosing, true);
    const auto row = scene.lit.empty() ? m_rows.end() : std::ranges::find(m_rows, *scene.lit.begin());
    m_table->setCurrentRow(row == m_rows.end() ? -1 : int(row - m_rows.begin()));
    m_canvas->setScene(std::move(scene));
}

void RooflineView::followSelection(const SelectionState& before) {
    const SelectionState& now = selection().state();
    if (now.run != before.run)
        return reload();
    if (now.time != before.time)
        filterByTime();
    if (now.invocations != before.invocations || now.operation != before.operation ||
        now.stage != before.stage)
        lightSelection();
}

} // namespace views
