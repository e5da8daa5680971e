#include "views/graph/graph_view.h"

#include "core/model/typed_graph.h"
#include "core/project/project_edit.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/elided_label.h"
#include "views/common/widgets/search_popup.h"
#include "views/common/widgets/segmented_control.h"
#include "views/document/view_intents.h"
#include "views/graph/canvas/canvas_footer.h"
#include "views/graph/canvas/empty_canvas.h"
#include "views/graph/canvas/minimap.h"
#include "views/graph/canvas/quick_add.h"
#include "views/graph/note_menu.h"
#include "views/graph/repeat_offer.h"
#include "views/graph/stage_parts.h"
#include "views/graph/stage_strip.h"

#include <QAction>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace views {

namespace {

QToolButton* barButton(const QString& iconName, const QString& text, const QString& tip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setProperty("small", true);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(text.isEmpty() ? tip : text);
    button->setFocusPolicy(Qt::TabFocus);
    if (!iconName.isEmpty()) {
        button->setIcon(icon(button, iconName));
        button->setToolButtonStyle(text.isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    }
    return button;
}

constexpr std::array overlayMetrics{OverlayMetric::Time, OverlayMetric::Flops, OverlayMetric::Bytes,
                                    OverlayMetric::Off};

} // namespace

GraphView::GraphView(Document& document, Selection& selection, ViewIntents& intents, QWidget* parent)
    // Before the canvas is there: naming it makes assistive tools an interface of it, which is kept.
    : QWidget((installCanvasAccessibility(), parent))
    , m_document(document)
    , m_selection(selection)
    , m_intents(intents)
    , m_commands(document, selection)
    , m_canvas(new CanvasView(document, selection, m_commands, this))
    , m_header(new StageHeaderStrip(document, selection, *m_canvas, this))
    , m_gauges(new GaugeStrip(document, *m_canvas, this))
    , m_minimap(new Minimap(*m_canvas))
    , m_bar(new QWidget(this))
    , m_footer(new CanvasFooter(scene().camera(), this)) {
    makeBar();
    connect(m_footer, &CanvasFooter::mapToggled, this, &GraphView::placeOverlays);
    connect(m_footer, &CanvasFooter::foldToggled, this, [this](bool isFolded) {
        m_areGaugesFolded = isFolded;
        fitHeight();
    });
    makeActions();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_header);
    layout->addWidget(m_canvas, 1);
    layout->addWidget(m_footer);
    layout->addWidget(m_gauges);
    setFocusProxy(m_canvas);
    auto* empty = new EmptyCanvas(*m_canvas);
    connect(empty, &EmptyView::actionRequested, this, [this] {
        m_commands.addLayer(QStringLiteral("InputLayer"), std::nullopt);
        m_canvas->setFocus();
    });
    connect(&scene(), &CanvasScene::drawingChanged, this, &GraphView::updateBar);
    connect(&document, &Document::previewChanged, this, &GraphView::updateBar);
    connect(&scene(), &CanvasScene::viewportChanged, this, &GraphView::placeOverlays);
    connect(&scene(), &CanvasScene::messageChanged, this,
            [this](const QString& text) { m_intents.notify(ChipTone::Info, text); });
    connect(&scene(), &CanvasScene::quickAddRequested, this, &GraphView::openQuickAdd);
    connect(&scene(), &CanvasScene::sourceRequested, this, &GraphView::openSources);
    connect(m_canvas, &CanvasView::inspectorRequested, this,
            [this] { m_intents.showPanel(PanelId::Inspector); });
    connect(&scene(), &CanvasScene::noteRequested, this, [this] { editNote(this, m_commands); });
    connect(m_canvas, &CanvasView::renameRequested, this, &GraphView::openRename);
    connect(m_canvas, &CanvasView::contextMenuRequested, this, &GraphView::openContextMenu);
    connect(&scene(), &CanvasScene::layoutKindChanged, this, [this] {
        const bool isStages = scene().layoutKind() == CanvasLayoutKind::Stages;
        m_layoutSwitch->setCurrent(isStages ? 0 : 1);
        m_header->setVisible(isStages);
        fitHeight();
    });
    connect(m_header, &StageHeaderStrip::ipuMenuRequested, this, &GraphView::openIpuMenu);
    connect(&selection, &Selection::changed, this, &GraphView::updateBar);
    updateBar();
}

void GraphView::makeBar() {
    const Theme& theme = themeOf(this);
    m_bar->setFixedHeight(theme.ipx(36));
    auto* layout = new QHBoxLayout(m_bar);
    layout->setContentsMargins(theme.ipx(8), 0, theme.ipx(10), 0);
    layout->setSpacing(theme.ipx(6));
    m_layoutSwitch = new SegmentedControl(tr("Layout"), m_bar);
    m_layoutSwitch->addSegment(tr("Stages"), tr("One column per pipeline stage"), QStringLiteral("layers"));
    m_layoutSwitch->addSegment(tr("Free layout"), tr("The whole graph, without columns"),
                               QStringLiteral("graph"));
    connect(m_layoutSwitch, &SegmentedControl::chosen, this, [this](int index) {
        scene().setLayoutKind(index == 0 ? CanvasLayoutKind::Stages : CanvasLayoutKind::Free);
    });
    layout->addWidget(m_layoutSwitch);
    layout->addSpacing(theme.ipx(6));
    m_overlayLabel = new QLabel(tr("Overlay"), m_bar);
    m_overlayLabel->setProperty("role", "text2");
    layout->addWidget(m_overlayLabel);
    m_overlaySwitch = new SegmentedControl(tr("Overlay"), m_bar);
    m_overlaySwitch->addSegment(tr("Time"), tr("Forward time of one micro-batch"));
    m_overlaySwitch->addSegment(tr("FLOPs"), tr("Forward arithmetic"));
    m_overlaySwitch->addSegment(tr("Bytes"), tr("Activations"));
    m_overlaySwitch->addSegment(tr("Off"), tr("No figures in the boxes"));
    layout->addWidget(m_overlaySwitch);
    // Beside what it is the unit of.
    m_unit = new QLabel(m_bar);
    m_unit->setProperty("role", "text3");
    m_unit->setFont(theme.mono(10));
    m_unit->setToolTip(tr("Unit of the figures in the boxes"));
    layout->addWidget(m_unit);
    m_heat = barButton(QString(), tr("Heat"), tr("Colour the boxes by the figure"), m_bar);
    m_heat->setCheckable(true);
    layout->addWidget(m_heat);
    const auto setOverlay = [this] {
        scene().setOverlay(overlayMetrics[std::size_t(m_overlaySwitch->current())], m_heat->isChecked());
    };
    connect(m_overlaySwitch, &SegmentedControl::chosen, this, setOverlay);
    connect(m_heat, &QToolButton::toggled, this, setOverlay);
    layout->addSpacing(theme.ipx(6));
    m_solve = barButton(QStringLiteral("target"), tr("Solve split…"),
                        tr("Find stages of equal time or memory"), m_bar);
    connect(m_solve, &QToolButton::clicked, this, [this] { m_intents.openSolver(); });
    layout->addWidget(m_solve);
    m_arrange = barButton(QStringLiteral("graph"), tr("Arrange"),
                          tr("Forget where boxes were put by hand (Ctrl+L)"), m_bar);
    connect(m_arrange, &QToolButton::clicked, &m_commands, &CanvasCommands::arrange);
    layout->addWidget(m_arrange);
    m_repeats = new RepeatOffer(m_document, m_commands, m_intents, m_bar);
    layout->addWidget(m_repeats);
    layout->addStretch(1);
    m_facts = new ElidedLabel(m_bar);
    m_facts->setProperty("role", "text2");
    m_facts->setFont(theme.font(11));
    m_facts->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(m_facts, 1000); // all the room there is
    m_facts->installEventFilter(this);
}

QAction* GraphView::addAction(const QString& text, const QList<QKeySequence>& keys, std::function<void()> run,
                              bool needsSelection) {
    auto* action = new QAction(text, this);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, std::move(run));
    m_canvas->addAction(action);
    m_actions.push_back(action);
    m_sections.back().actions.push_back(action);
    if (needsSelection)
        m_selectionActions.push_back(action);
    return action;
}

void GraphView::makeActions() {
    const auto keys = [](std::initializer_list<const char*> texts) {
        QList<QKeySequence> list;
        for (const char* text : texts)
            list.append(QKeySequence(QString::fromLatin1(text)));
        return list;
    };
    m_sections.push_back({});
    addAction(tr("Add layer…"), keys({"Shift+A"}), [this] {
        openQuickAdd(scene().camera().visible().center(), std::nullopt);
    })->setIcon(icon(this, QStringLiteral("plus")));
    addAction(tr("Add opaque layer"), {}, [this] {
        const auto& current = m_selection.state().current;
        m_commands.addOpaqueLayer(current ? std::optional(TensorSource{*current, 0}) : std::nullopt);
    });
    m_sections.push_back({});
    addAction(
        tr("Rename…"), keys({"F2"}),
        [this] {
            if (m_selection.state().current)
                openRename(*m_selection.state().current);
        },
        true);
    addAction(
        tr("Copy"), keys({"Ctrl+C"}), [this] { m_commands.copySelection(); }, true)
        ->setIcon(icon(this, QStringLiteral("copy")));
    addAction(
        tr("Cut and reconnect"), keys({"Ctrl+X"}), [this] { m_commands.cutSelection(); }, true);
    addAction(tr("Paste"), keys({"Ctrl+V"}), [this] { m_commands.paste(false); });
    addAction(tr("Paste with links"), keys({"Ctrl+Shift+V"}), [this] { m_commands.paste(true); });
    addAction(
        tr("Duplicate"), keys({"Ctrl+D"}), [this] { m_commands.duplicateSelection(); }, true);
    addAction(
        tr("Delete"), {}, [this] { m_commands.removeSelection(false); }, true)
        ->setIcon(icon(this, QStringLiteral("trash")));
    addAction(
        tr("Delete and reconnect"), {}, [this] { m_commands.removeSelection(true); }, true);
    m_sections.push_back({});
    addAction(
        tr("Output of the model"), keys({"O"}), [this] { m_commands.toggleOutputs(); }, true)
        ->setIcon(icon(this, QStringLiteral("flow")));
    addAction(
        tr("Bypass, or use again"), keys({"M"}), [this] { m_commands.toggleMutes(); }, true)
        ->setIcon(icon(this, QStringLiteral("mute")));
    addAction(
        tr("Lock to the stages they are on, or unlock"), keys({"Ctrl+Shift+K"}),
        [this] { m_commands.toggleLocks(); }, true)
        ->setIcon(icon(this, QStringLiteral("lock")));
    addAction(
        tr("Options of the stage…"), keys({"Shift+O"}),
        [this] {
            const auto& current = m_selection.state().current;
            const int node = current ? m_canvas->model().find(*current) : -1;
            const core::StageId stage = node < 0 ? core::StageId() : scene().node(node).stage;
            if (m_canvas->model().stageCount > 0 && stage.isValid())
                openIpuMenu(stage.index(),
                            m_canvas->mapToGlobal(m_header->headRect(stage.index()).bottomLeft().toPoint() -
                                                  QPoint(0, m_header->height())));
        },
        true);
    addAction(
        tr("Note…"), keys({"N"}), [this] { editNote(this, m_commands); }, true);
    m_sections.push_back({});
    addAction(
        tr("Group…"), keys({"Ctrl+G"}), [this] { groupSelection(); }, true)
        ->setIcon(icon(this, QStringLiteral("group")));
    addAction(
        tr("Ungroup"), keys({"Ctrl+Shift+G"}),
        [this] {
            for (const int node : scene().selectedNodes()) {
                const int group = m_canvas->model().groupOf[std::size_t(node)];
                if (group < 0)
                    continue;
                m_commands.ungroup(m_canvas->model().groups[std::size_t(group)].id);
                return;
            }
        },
        true);
    addAction(
        tr("Repeat…"), keys({"Ctrl+R"}), [this] { askRepeat(this, m_document, m_selection, m_commands); },
        true)
        ->setIcon(icon(this, QStringLiteral("layers")));
    addAction(tr("Fold repeated blocks, or unfold"), keys({"Ctrl+Shift+R"}), [this] { m_repeats->toggle(); });
    addAction(
        tr("Collapse or expand"), keys({"C", "Alt+C"}), [this] { toggleCollapse(); }, true);
    m_sections.push_back({tr("Select"), {}});
    addAction(tr("Select all"), keys({"Ctrl+A"}), [this] {
        std::set<InvocationKey> all;
        for (const CanvasNode& node : m_canvas->model().nodes)
            all.insert(node.key);
        m_selection.selectInvocations(std::move(all));
    });
    addAction(
        tr("Select everything before"), keys({"Ctrl+["}), [this] { selectConnected(true); }, true);
    addAction(
        tr("Select everything after"), keys({"Ctrl+]"}), [this] { selectConnected(false); }, true);
    m_sections.push_back({tr("View"), {}});
    addAction(tr("Show all"), keys({"Home"}), [this] {
        scene().camera().fitAll();
    })->setIcon(icon(this, QStringLiteral("fit")));
    addAction(tr("Show selection"), keys({"F", "."}), [this] { scene().fitSelection(); });
    addAction(tr("Zoom in"), keys({"+", "Ctrl++", "="}), [this] { scene().camera().zoomBy(1.25); });
    addAction(tr("Zoom out"), keys({"-", "Ctrl+-"}), [this] { scene().camera().zoomBy(1 / 1.25); });
    addAction(tr("Arrange"), keys({"Ctrl+L"}), [this] { m_commands.arrange(); });
    m_sections.push_back({tr("Stages"), {}});
    addAction(tr("Remove all stages"), {}, [this] { m_commands.removeStages(); });
    for (std::size_t stages = 2; stages <= 16; stages *= 2)
        addAction(tr("Split evenly into %1 stages").arg(stages), {},
                  [this, stages] { m_commands.splitEvenly(stages); });
}

void GraphView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const Theme& theme = themeOf(this);
    const bool isWide = width() > theme.ipx(820);
    m_overlayLabel->setVisible(isWide);
    m_layoutSwitch->setContent(width() > theme.ipx(700) ? SegmentedControl::Content::IconAndText
                                                        : SegmentedControl::Content::Icon);
    for (QToolButton* button : {m_solve, m_arrange})
        button->setToolButtonStyle(isWide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    m_repeats->setWide(width() > theme.ipx(1100));
    updateBar();
    fitHeight();
    placeOverlays();
}

/// Where little height is left the drawing has it: first the legend goes, then the gauges.
void GraphView::fitHeight() {
    const Theme& theme = themeOf(this);
    const int room = height() - m_bar->height() - (m_header->isHidden() ? 0 : m_header->height());
    const int gauges = m_areGaugesFolded ? 0 : m_gauges->height();
    m_footer->setVisible(room - gauges - m_footer->height() >= theme.ipx(140));
    m_gauges->setVisible(!m_areGaugesFolded && room - gauges >= theme.ipx(90));
}

void GraphView::placeOverlays() {
    m_minimap->place(m_footer->wantsMap());
    m_footer->showZoom(m_canvas->viewport().zoom);
}

void GraphView::updateBar() {
    const bool hasSelection = !m_selection.state().invocations.empty();
    for (QAction* action : m_selectionActions)
        action->setEnabled(hasSelection);
    if (!m_document.isOpen()) {
        m_factTexts.clear();
        fitFacts();
        return;
    }
    m_footer->showHeat(scene().hottest());
    const CanvasFigures& figures = scene().figures();
    QStringList facts;
    if (m_document.isPlanPreview())
        facts << tr("Preview of a plan") << tr("nothing is changed yet") << tr("Escape leaves it");
    if (hasSelection && m_selection.state().invocations.size() > 1)
        facts.append(tr("%1 selected").arg(m_selection.state().invocations.size()));
    if (figures.uncounted > 0)
        facts.append(tr("%1 of %2 layers counted")
                         .arg(figures.layers - std::min(figures.uncounted, figures.layers))
                         .arg(figures.layers));
    else if (figures.layers > 0) // an input alone is none yet
        facts.append(countedText(std::int64_t(figures.layers), tr("layer"), tr("layers")));
    if (figures.parameters > 0) {
        const NumberText count = countText(double(figures.parameters));
        facts.append(
            tr("%1 parameters").arg(count.value + (count.unit.isEmpty() ? QString() : u' ' + count.unit)));
    }
    if (m_canvas->model().stageCount > 0)
        facts.append(countedText(std::int64_t(m_canvas->model().stageCount), tr("stage"), tr("stages")));
    m_unit->setText(scene().overlayUnit().isEmpty() ? QString() : tr("in %1").arg(scene().overlayUnit()));
    m_unit->setVisible(!m_unit->text().isEmpty());
    m_factTexts = facts;
    fitFacts();
}

/// What has no room is left out, from the end, rather than cut.
void GraphView::fitFacts() {
    m_bar->layout()->activate();
    if (m_fitted == std::pair(m_factTexts, m_facts->width()))
        return;
    m_fitted = {m_factTexts, m_facts->width()};
    QStringList facts = m_factTexts;
    const QString between = QStringLiteral(" · ");
    while (!facts.isEmpty() && textWidth(facts.join(between), m_facts->font()) > m_facts->width())
        facts.removeLast();
    m_facts->setText(facts.join(between));
}

/// The buttons beside the facts come and go.
bool GraphView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_facts && event->type() == QEvent::Resize)
        fitFacts();
    return QWidget::eventFilter(watched, event);
}

void GraphView::openQuickAdd(const QPointF& canvas, const std::optional<TensorSource>& from) {
    if (!m_document.isOpen())
        return;
    if (m_quickAdd == nullptr) {
        m_quickAdd =
            new SearchPopup(tr("Add a layer"), tr("Enter add   Shift+Enter as a branch   Esc leave"), this);
        connect(m_quickAdd, &SearchPopup::chosen, this, [this](const QString& className) {
            const bool isFree = scene().layoutKind() == CanvasLayoutKind::Free;
            const std::optional<QPointF> at = isFree ? std::optional(m_quickAddAt) : std::nullopt;
            if (m_isQuickAddPointed)
                scene().expectDrop(m_quickAddAt);
            if (m_quickAddFrom)
                m_commands.addLayer(className, m_quickAddFrom, at);
            else
                m_commands.addBehindSelection(
                    className, QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier), at);
            scene().expectDrop({});
            if (m_selection.state().current)
                scene().reveal(*m_selection.state().current);
            m_canvas->setFocus();
        });
    }
    m_quickAddAt = canvas;
    // The first layer of all begins the drawing at its head.
    m_isQuickAddPointed = scene().pointer() == canvas && !m_canvas->model().nodes.empty();
    m_quickAddFrom = from;
    // What is added reads the port, or else the selected layer.
    std::optional<TensorSource> read = from;
    if (const SelectionState& state = m_selection.state(); !from && state.invocations.size() == 1)
        read = TensorSource{*state.invocations.begin(), 0};
    std::optional<core::TensorSpec> tensor;
    if (read && m_document.analysis().graph) {
        for (const core::TypedInvocation& invocation : m_document.analysis().graph->invocations) {
            const core::TypedLayer& layer = m_document.analysis().graph->layer(invocation.layer);
            if (layer.path == read->key.path && invocation.call == read->key.call &&
                read->output < invocation.outputs.size())
                tensor = invocation.outputs[read->output];
        }
    }
    m_quickAdd->setEntries(layerEntries(tensor));
    m_quickAdd->openAt(m_canvas->mapToGlobal(m_canvas->viewport().toView(canvas).toPoint()), false);
}

void GraphView::openSources(const InvocationKey& reader) {
    const int node = m_canvas->model().find(reader);
    if (node < 0 || scene().node(node).isInput || !m_document.project().model.findLayer(reader.path))
        return;
    if (m_sources == nullptr) {
        m_sources = new SearchPopup(tr("Layer to read"), tr("Enter connect   Esc leave"), this);
        connect(m_sources, &SearchPopup::chosen, this, [this](const QString& id) {
            const auto source = std::size_t(id.toULongLong());
            const int target = m_canvas->model().find(m_reader);
            if (target < 0 || source >= m_canvas->model().nodes.size())
                return;
            const bool isMerge = scene().node(target).isMerge;
            m_commands.connectTo({m_canvas->model().nodes[source].key, 0}, m_reader,
                                 isMerge ? m_canvas->model().incoming[std::size_t(target)].size() : 0);
            m_canvas->setFocus();
        });
    }
    m_reader = reader;
    scene().reveal(reader);
    m_sources->setEntries(sourceEntries(m_canvas->model(), node));
    const QRectF place = m_canvas->viewport().toView(m_canvas->geometry().placeOf[std::size_t(node)]);
    m_sources->openAt(m_canvas->mapToGlobal(place.bottomLeft().toPoint()), false);
}

void GraphView::openRename(const InvocationKey& key) {
    const int node = m_canvas->model().find(key);
    if (node < 0)
        return;
    scene().reveal(key);
    const QRectF place = m_canvas->viewport().toView(m_canvas->geometry().placeOf[std::size_t(node)]);
    auto* field = new QLineEdit(m_canvas);
    field->setAttribute(Qt::WA_DeleteOnClose);
    field->setProperty("small", true);
    field->setAccessibleName(tr("Name of the layer"));
    field->setText(toQString(key.path));
    field->selectAll();
    field->setGeometry(int(place.left()), int(place.top()),
                       std::max(int(place.width()), themeOf(this).ipx(150)), themeOf(this).ipx(24));
    connect(field, &QLineEdit::editingFinished, this, [this, field, key] {
        if (!field->isVisible())
            return;
        const QString name = field->text().trimmed();
        field->hide();
        field->deleteLater();
        m_canvas->setFocus();
        if (name != toQString(key.path))
            m_commands.rename(key, name);
    });
    auto* escape = new QAction(field);
    escape->setShortcut(Qt::Key_Escape);
    escape->setShortcutContext(Qt::WidgetShortcut);
    connect(escape, &QAction::triggered, this, [this, field] {
        field->hide();
        field->deleteLater();
        m_canvas->setFocus();
    });
    field->addAction(escape);
    field->show();
    field->setFocus();
}

void GraphView::addStageMenu(QMenu& menu) {
    QMenu* stages = menu.addMenu(tr("Move to stage"));
    const std::size_t count = std::max<std::size_t>(1, m_canvas->model().stageCount);
    for (std::size_t stage = 0; stage <= count; ++stage) {
        const QString text = stage == count ? tr("New stage %1").arg(stage) : tr("Stage %1").arg(stage);
        QAction* action =
            stages->addAction(QIcon(stageChipPixmap(stage, themeOf(this), devicePixelRatioF())), text);
        if (stage < 10)
            action->setShortcut(QKeySequence(Qt::Key_0 + int(stage)));
        connect(action, &QAction::triggered, this, [this, stage] {
            m_commands.assignToStage(m_selection.state().invocations, core::StageId(stage));
        });
    }
}

void GraphView::fillMenu(QMenu& menu, bool withSelection) const {
    for (const ActionSection& section : m_sections) {
        const bool isAfterMenu = !menu.isEmpty() && menu.actions().back()->menu() != nullptr;
        if (!menu.isEmpty() && !(isAfterMenu && !section.title.isEmpty()))
            menu.addSeparator();
        QMenu* into = section.title.isEmpty() ? &menu : menu.addMenu(section.title);
        for (QAction* action : section.actions) {
            if (withSelection || std::ranges::find(m_selectionActions, action) == m_selectionActions.end())
                into->addAction(action);
        }
    }
}

void GraphView::openContextMenu(const QPoint& global) {
    QMenu menu(this);
    const bool hasSelection = !m_selection.state().invocations.empty();
    if (hasSelection)
        addStageMenu(menu);
    fillMenu(menu, hasSelection);
    addNoteColors(menu, m_commands, *this);
    menu.exec(global);
}

void GraphView::openIpuMenu(std::size_t stage, const QPoint& global) {
    QMenu menu(this);
    const std::size_t ipus =
        std::max(m_canvas->model().stageCount, std::size_t(m_document.project().system.ipus));
    for (std::size_t ipu = 0; ipu < std::min<std::size_t>(ipus, 64); ++ipu) {
        QAction* action = menu.addAction(icon(this, QStringLiteral("ipu")), tr("IPU %1").arg(ipu));
        action->setCheckable(true);
        action->setChecked(m_document.project().deviceMapping.ipuOf(core::StageId(stage)).index() == ipu);
        connect(action, &QAction::triggered, this,
                [this, stage, ipu] { m_commands.assignToIpu(core::StageId(stage), core::IpuId(ipu)); });
    }
    menu.addSeparator();
    addStageOptions(menu, core::StageId(stage));
    menu.exec(global);
}

void GraphView::addStageOptions(QMenu& menu, core::StageId stage) {
    const core::Project& project = m_document.project();
    const bool isLast = stage.index() + 1 == project.assignment.stageCount();
    QAction* recompute = menu.addAction(tr("Recompute activations"));
    recompute->setCheckable(true);
    recompute->setChecked(!isLast && core::stageRecomputes(project, stage));
    recompute->setEnabled(!isLast && project.assignment.isPipelined());
    recompute->setToolTip(isLast ? tr("The last stage has its activations at hand: it recomputes nothing")
                                 : tr("Keep only what the stage reads, and compute the rest again"));
    connect(recompute, &QAction::triggered, this,
            [this, stage](bool isOn) { m_commands.setStageRecomputing(stage, isOn); });
    QAction* offload = menu.addAction(tr("Offload activations"));
    offload->setCheckable(true);
    offload->setChecked(core::stageOffloads(project, stage));
    offload->setEnabled(project.assignment.isPipelined());
    offload->setToolTip(tr("Keep what waits for the backward pass in streaming memory"));
    connect(offload, &QAction::triggered, this,
            [this, stage](bool isOn) { m_commands.setStageOffloading(stage, isOn); });
    menu.setToolTipsVisible(true);
    QMenu* proportions = menu.addMenu(tr("Memory proportion of the stage"));
    const auto present = core::stageProportion(project, stage);
    for (const char* value : {"", "0.1", "0.2", "0.3", "0.45", "0.6", "0.9"}) {
        const std::optional<std::string> proportion =
            *value == 0 ? std::nullopt : std::optional<std::string>(value);
        QAction* action =
            proportions->addAction(proportion ? QString::fromLatin1(value) : tr("as everywhere"));
        action->setCheckable(true);
        action->setChecked(proportion == present);
        connect(action, &QAction::triggered, this,
                [this, stage, proportion] { m_commands.setStageProportion(stage, proportion); });
    }
    QAction* lock =
        menu.addAction(icon(this, QStringLiteral("lock")), tr("Lock the layers of the stage, or unlock"));
    connect(lock, &QAction::triggered, this, [this, stage] { m_commands.toggleStageLock(stage); });
}

void GraphView::groupSelection() {
    bool isGiven = false;
    const QString name = QInputDialog::getText(this, tr("Group layers"), tr("Name of the group"),
                                               QLineEdit::Normal, tr("group"), &isGiven);
    if (isGiven && !name.trimmed().isEmpty())
        m_commands.groupSelection(name.trimmed());
}

void GraphView::toggleCollapse() {
    for (const int node : scene().selectedNodes()) {
        const int group = m_canvas->model().groupOf[std::size_t(node)];
        if (group < 0)
            continue;
        const std::string& id = m_canvas->model().groups[std::size_t(group)].id;
        m_commands.setCollapsed(id, !scene().options().collapsed.contains(id));
        return;
    }
}

void GraphView::selectConnected(bool upstream) {
    const CanvasModel& model = m_canvas->model();
    std::vector<int> waiting = scene().selectedNodes();
    std::vector<bool> seen(model.nodes.size(), false);
    for (const int node : waiting)
        seen[std::size_t(node)] = true;
    while (!waiting.empty()) {
        const auto node = std::size_t(waiting.back());
        waiting.pop_back();
        for (const int e : upstream ? model.incoming[node] : model.outgoing[node]) {
            const CanvasEdge& edge = model.edges[std::size_t(e)];
            const int next = upstream ? edge.from : edge.to;
            if (!seen[std::size_t(next)]) {
                seen[std::size_t(next)] = true;
                waiting.push_back(next);
            }
        }
    }
    std::set<InvocationKey> keys;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (seen[i])
            keys.insert(model.nodes[i].key);
    }
    m_selection.selectInvocations(std::move(keys));
}

} // namespace views
