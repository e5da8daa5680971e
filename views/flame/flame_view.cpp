#include "views/flame/flame_view.h"

#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/filter_edit.h"
#include "views/common/widgets/segmented_control.h"
#include "views/document/view_intents.h"
#include "views/flame/flame_canvas.h"
#include "views/flame/flame_painter.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace views {

namespace {

std::optional<FlamePath> firstOf(const core::TimeNode& node, const std::string& layer,
                                 const std::optional<std::string>& operation, FlamePath& path) {
    const bool isOperation =
        operation && node.level == core::TimeLevel::Operation && node.operation == *operation;
    const bool isLayer = !operation && node.level == core::TimeLevel::Layer && node.layer == layer;
    if (isOperation || isLayer)
        return path;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        path.push_back(i);
        if (auto found = firstOf(node.children[i], layer, operation, path))
            return found;
        path.pop_back();
    }
    return std::nullopt;
}

} // namespace

FlameView::FlameView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                     QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent)
    , m_canvas(new FlameCanvas)
    , m_table(new TablePanel(tr("What the chosen time consists of"), this))
    , m_units(document.units()) {
    setPromise(
        QStringLiteral("flame"),
        tr("Where the time of all IPUs goes, by stage, phase, layer and operation, appears after a run."));
    buildBar();
    QSplitter* content = makeSplitter(Qt::Vertical, this);
    auto* scroll = new QScrollArea(content);
    scroll->setAccessibleName(tr("Times"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(m_canvas);
    content->addWidget(scroll);
    auto* below = new QWidget(content);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_way = new QLabel(below);
    m_way->setProperty("role", "text2");
    m_way->setContentsMargins(themeOf(this).ipx(10), themeOf(this).ipx(5), themeOf(this).ipx(10),
                              themeOf(this).ipx(5));
    column->addWidget(m_way);
    column->addWidget(m_table, 1);
    content->addWidget(below);
    content->setStretchFactor(0, 1);
    content->setStretchFactor(1, 1);
    content->setSizes({300, 300});
    setContent(content);
    setFocusProxy(m_canvas);
    connect(m_canvas, &FlameCanvas::chosen, this, &FlameView::choose);
    connect(m_canvas, &FlameCanvas::focused, this, &FlameView::showTable);
    connect(m_canvas, &FlameCanvas::pointed, this, &FlameView::pointAt);
    connect(&selection, &Selection::cursorMoved, this, &FlameView::followCursor);
    const auto childOf = [this](int row) {
        FlamePath path = tablePath();
        if (!nodeAt(m_canvas->scene().data->root, path)->children.empty())
            path.push_back(static_cast<std::size_t>(row));
        return path;
    };
    // The table shows what the box above consists of; a row is looked into by a double click or Enter.
    connect(m_table, &TablePanel::rowActivated, this, [this, childOf](int row) { choose(childOf(row)); });
    reload();
}

void FlameView::buildBar() {
    addRunChooser();
    m_groupings = new SegmentedControl(tr("What the time is divided by first"), &bar());
    m_groupings->addSegment(tr("Stage"), tr("Stages, their phases, layers and operations"));
    m_groupings->addSegment(tr("Phase"), tr("Phases, stages, layers and operations"));
    m_groupings->addSegment(tr("Layer"), tr("Layers by the parts of their names, phases and operations"));
    m_groupings->addSegment(tr("Kind"), tr("Kinds of operation, phases, layers"));
    m_groupings->addSegment(tr("IPU"), tr("IPUs, their stages, phases, layers and operations"));
    m_groupings->setCurrent(0);
    bar().add(m_groupings);
    m_idle = new QCheckBox(tr("Idle"), &bar());
    m_idle->setToolTip(tr("Idle time by its causes, as part of the whole"));
    m_idle->setChecked(true);
    bar().add(m_idle);
    m_figures = new QLabel(&bar());
    m_figures->setProperty("role", "text2");
    bar().add(m_figures);
    addTimeChip();
    bar().addStretch();
    m_filter = new QLineEdit(&bar());
    makeFilter(*m_filter, tr("Find a part"));
    m_filter->setToolTip(tr("Words of a name: what holds them stays bright, and its share is told"));
    m_filter->setProperty("small", true);
    m_filter->setFixedWidth(themeOf(this).ipx(150));
    bar().add(m_filter);
    addPictureExport(tr("Save the picture"), [this] { return picture(); });
    addTableExport(tr("Save the table"), QStringLiteral("time"), *m_table);
    connect(m_groupings, &SegmentedControl::chosen, this, [this] { rebuild(); });
    connect(m_idle, &QCheckBox::toggled, this, [this] { rebuild(); });
    connect(m_filter, &QLineEdit::textChanged, this, &FlameView::search);
}

FlameView::Query FlameView::query() const {
    const std::optional<core::RunId> run = chosenRun();
    if (!run)
        return {};
    std::optional<core::CycleRange> range;
    if (const auto& time = selection().state().time; time && time->to > time->from)
        range = {time->from, time->to};
    return [run, range](const core::ProfileDatabase& database) {
        return core::loadTimePieces(database, *run, range);
    };
}

QString FlameView::figures() const {
    return m_figures->text();
}

std::optional<Picture> FlameView::picture() const {
    if (!m_canvas->scene().data)
        return std::nullopt;
    const double scale = themeOf(this).scale();
    const double height = flameHeight(m_canvas->scene(), scale) + themeOf(this).px(40);
    return flamePicture(m_canvas->scene(), themeOf(this), QSizeF(m_canvas->width(), height));
}

void FlameView::dataChanged() {
    if (!data())
        m_canvas->setScene({});
}

void FlameView::clearData() {
    m_table->setContent({});
    m_figures->clear();
    m_way->clear();
}

void FlameView::setUnits(const Units& units) {
    m_units = units;
}

void FlameView::showData() {
    rebuild();
    const bool isPart = selection().state().time.has_value();
    showTimeChip(isPart ? selection().state().time : std::nullopt, {data()->clockHz, data()->step});
}

/// Another tree: what was chosen in the one before has no place in it, unless it is a layer or an operation.
void FlameView::rebuild() {
    if (!data())
        return;
    const bool isSame = m_canvas->scene().data && m_canvas->scene().data->pieces == data() &&
                        m_canvas->scene().data->grouping == core::TimeGrouping(m_groupings->current());
    FlameScene scene;
    scene.data = std::make_shared<const FlameData>(
        flameData(data(), core::TimeGrouping(m_groupings->current()), m_idle->isChecked()));
    scene.units = m_units;
    scene.filter = m_filter->text();
    scene.match = matchOf(scene.data->root, scene.filter);
    scene.title = tr("Time of run %1").arg(data()->run.value());
    if (isSame && nodeAt(scene.data->root, m_canvas->scene().focus) != nullptr)
        scene.focus = m_canvas->scene().focus;
    m_canvas->setScene(std::move(scene));
    followLayer();
    followCursor();
    showFigures();
    showTable();
}

void FlameView::showEvent(QShowEvent* event) {
    ProfileViewOf::showEvent(event);
    followCursor();
}

void FlameView::search(const QString& text) {
    if (!m_canvas->scene().data)
        return;
    FlameScene scene = m_canvas->scene();
    scene.filter = text;
    scene.match = matchOf(scene.data->root, text);
    m_canvas->setScene(std::move(scene));
    showFigures();
}

void FlameView::showFigures() {
    const FlameScene& scene = m_canvas->scene();
    QString words = flameFigures(*scene.data, m_units);
    if (!scene.filter.trimmed().isEmpty())
        words = scene.match.nodes.empty()
                    ? tr("nothing is called “%1”").arg(scene.filter.trimmed())
                    : tr("found: %1, %2")
                          .arg(percentText(ratio(scene.match.cycles, scene.data->root.cycles), 2),
                               timeText(scene.match.cycles, m_units.time, scene.data->timeScale()).joined());
    m_figures->setText(words);
}

FlamePath FlameView::tablePath() const {
    const FlameScene& scene = m_canvas->scene();
    return scene.chosen.value_or(scene.focus);
}

void FlameView::showTable() {
    const FlameScene& scene = m_canvas->scene();
    if (!scene.data)
        return;
    const core::TimeNode& node = *nodeAt(scene.data->root, tablePath());
    m_way->setText(flameWay(scene.data->root, tablePath()) + QStringLiteral(" · ") +
                   timeText(node.cycles, m_units.time, scene.data->timeScale()).joined() +
                   QStringLiteral(" · ") + percentText(scene.data->shareOf(node), 2));
    m_table->setContent(flameTable(*scene.data, tablePath(), m_units));
}

void FlameView::choose(const std::optional<FlamePath>& path) {
    if (!m_canvas->scene().data)
        return;
    const QScopedValueRollback choosing(m_isChoosing, true);
    FlameScene scene = m_canvas->scene();
    scene.chosen = path;
    m_canvas->setScene(scene);
    showTable();
    SelectionState state = selection().state();
    state.operation.reset();
    state.invocations.clear();
    state.current.reset();
    state.stage.reset();
    if (path) {
        const core::TimeNode& node = *nodeAt(scene.data->root, *path);
        if (!node.operation.empty())
            state.operation = node.operation;
        if (!node.layer.empty()) {
            state.current = InvocationKey{node.layer, 0};
            state.invocations = {*state.current};
        }
        if (node.stage.isValid())
            state.stage = node.stage;
        if (node.level == core::TimeLevel::Ipu)
            state.ipu = node.ipu;
    }
    selection().set(state);
}

void FlameView::pointAt(const std::optional<FlamePath>& path) {
    const core::TimeNode* node =
        path && m_canvas->scene().data ? nodeAt(m_canvas->scene().data->root, *path) : nullptr;
    if (node == nullptr || !node->stage.isValid() || !node->phase)
        return selection().setCursor(std::nullopt);
    const ProgramPlaces* places = placesOf(data()->run, [this, path] {
        if (m_canvas->scene().hovered == path)
            pointAt(path);
    });
    if (places == nullptr)
        return;
    // What is not one operation begins with its program.
    TimeCursor start;
    start.stage = node->stage;
    start.phase = *node->phase;
    selection().setCursor(node->operation.empty() ? start
                                                  : places->find(node->stage, *node->phase, node->operation));
}

void FlameView::followCursor() {
    if (!m_canvas->scene().data || !isVisible())
        return;
    const std::optional<TimeCursor>& cursor = selection().cursor();
    FlameScene scene = m_canvas->scene();
    scene.pointed.clear();
    if (cursor && cursor->isInProgram()) {
        const ProgramPlaces* places = placesOf(data()->run, [this] { followCursor(); });
        const ProgramPlaces::Item* item = places == nullptr ? nullptr : places->at(*cursor);
        scene.pointed = nodesOf(scene.data->root, cursor->stage, cursor->phase,
                                item == nullptr ? std::string() : item->name);
    }
    if (scene.pointed != m_canvas->scene().pointed)
        m_canvas->setScene(std::move(scene));
}

void FlameView::followLayer() {
    const SelectionState& now = selection().state();
    FlameScene scene = m_canvas->scene();
    scene.chosen.reset();
    FlamePath path;
    if (now.current)
        scene.chosen = firstOf(scene.data->root, now.current->path, now.operation, path);
    m_canvas->setScene(std::move(scene));
}

void FlameView::followSelection(const SelectionState& before) {
    const SelectionState& now = selection().state();
    if (now.run != before.run || now.time != before.time)
        return reload();
    if (m_isChoosing || !m_canvas->scene().data)
        return;
    if (now.current != before.current || now.operation != before.operation) {
        followLayer();
        showTable();
    }
}

} // namespace views
