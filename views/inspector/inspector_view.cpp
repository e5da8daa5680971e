#include "views/inspector/inspector_view.h"

#include "core/model/edit/graph_edit.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/project/choices/muted_layers.h"
#include "core/project/choices/pipeline_choices.h"
#include "core/project/project_edit.h"
#include "views/common/access/box_name.h"
#include "views/common/text/layer_texts.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/elided_label.h"
#include "views/common/widgets/empty_view.h"
#include "views/document/stage_lookup.h"
#include "views/inspector/declared_shape.h"
#include "views/inspector/form/property_form.h"
#include "views/inspector/layer_facts.h"
#include "views/inspector/layer_sections.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <set>

namespace views {

namespace {

bool areInputs(const core::ModelGraph& model, const std::vector<std::string>& paths) {
    return std::ranges::all_of(paths, [&](const std::string& path) {
        const std::optional<core::LayerId> id = model.findLayer(path);
        return id && model.layer(*id).className == "InputLayer";
    });
}

using core::Json;

/// A rounded tile with the icon of the layer's kind in the colour of its stage.
QPixmap iconTile(const QString& name, const QColor& fill, const QColor& color, double ratio,
                 const Theme& theme) {
    const double side = theme.px(30);
    QPixmap pixmap(QSizeF(side * ratio, side * ratio).toSize());
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(0, 0, side, side), theme.px(7), theme.px(7));
    const double icon = theme.px(16);
    paintIcon(painter, QRectF((side - icon) / 2, (side - icon) / 2, icon, icon), name, color);
    return pixmap;
}

QWidget* sectionBox(const QString& title, QWidget* content, QVBoxLayout* into,
                    SectionHeader** headerOut = nullptr) {
    const Theme& theme = themeOf(into->parentWidget());
    auto* box = new QFrame;
    box->setProperty("line", "top");
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(theme.ipx(12), theme.ipx(2), theme.ipx(12), theme.ipx(6));
    layout->setSpacing(0);
    auto* header = new SectionHeader(title, box);
    layout->addWidget(header);
    layout->addWidget(content);
    QObject::connect(header, &SectionHeader::toggled, content, &QWidget::setVisible);
    into->addWidget(box);
    if (headerOut != nullptr)
        *headerOut = header;
    return box;
}

} // namespace

InspectorView::InspectorView(Document& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_empty(new EmptyView(this))
    , m_scroll(new QScrollArea(this))
    , m_icon(new QLabel)
    , m_name(new ElidedLabel)
    , m_kind(new ElidedLabel)
    , m_stage(new QComboBox)
    , m_ipu(new QLabel)
    , m_form(new PropertyForm)
    , m_note(new QLabel)
    , m_shapes(new FactList)
    , m_cost(new FactList) {
    setAccessibleName(tr("Inspector"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_empty);
    outer->addWidget(m_scroll);
    m_empty->setContent(QStringLiteral("layers"), tr("Nothing selected"),
                        tr("Click a layer on the canvas to see and change its attributes."));
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead());
    sectionBox(tr("Attributes"), m_form, layout, &m_attributesHeader);
    m_shapesBox = sectionBox(tr("Shapes"), m_shapes, layout);
    m_costBox = sectionBox(tr("Cost per micro-batch"), m_cost, layout);
    layout->addStretch(1);
    m_scroll->setWidget(content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setAccessibleName(tr("Attributes, shapes and costs"));
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFrameShape(QFrame::NoFrame);
    connectParts();
    followProject();
}

QWidget* InspectorView::makeHead() {
    const Theme& theme = themeOf(this);
    auto* head = new QWidget;
    auto* headLayout = new QVBoxLayout(head);
    headLayout->setContentsMargins(theme.ipx(12), theme.ipx(12), theme.ipx(12), theme.ipx(10));
    headLayout->setSpacing(theme.ipx(8));
    auto* title = new QHBoxLayout;
    title->setSpacing(theme.ipx(10));
    m_icon->setFixedSize(theme.ipx(30), theme.ipx(30));
    title->addWidget(m_icon, 0, Qt::AlignTop);
    auto* names = new QVBoxLayout;
    names->setSpacing(0);
    m_name->setFont(theme.font(13, QFont::DemiBold));
    m_kind->setProperty("role", "text2");
    m_kind->setFont(theme.font(11));
    names->addWidget(m_name);
    names->addWidget(m_kind);
    title->addLayout(names, 1);
    headLayout->addLayout(title);
    auto* place = new QHBoxLayout;
    nameBox(*m_stage, tr("Stage"));
    m_stage->setToolTip(tr("Pipeline stage of the selected layers (keys 0–9 on the canvas)"));
    place->addWidget(m_stage, 1);
    m_ipu->setProperty("role", "text2");
    place->addWidget(m_ipu, 1);
    headLayout->addLayout(place);
    m_note->setWordWrap(true);
    m_note->setProperty("role", "text3");
    m_note->setFont(theme.font(11));
    headLayout->addWidget(m_note);
    return head;
}

void InspectorView::connectParts() {
    connect(m_attributesHeader, &SectionHeader::remarkClicked, this, [this] {
        m_showsAll = !m_showsAll;
        refresh();
    });
    connect(m_form, &PropertyForm::edited, this, [this](const std::string& id, const Json& value) {
        applyAttribute(id, value, false);
        ++m_typings;
    });
    connect(m_form, &PropertyForm::typed, this,
            [this](const std::string& id, const Json& value) { applyAttribute(id, value, true); });
    connect(m_form, &PropertyForm::settled, this, [this] { ++m_typings; });
    connect(m_stage, &QComboBox::activated, this, &InspectorView::assignStage);
    connect(&m_selection, &Selection::changed, this, [this](const SelectionState& before) {
        if (!m_soon.isActive() && (before.invocations != m_selection.state().invocations ||
                                   before.current != m_selection.state().current))
            refresh();
    });
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &InspectorView::followProject);
    connect(&m_document, &Document::projectChanged, &m_soon, qOverload<>(&QTimer::start));
    connect(&m_document, &Document::opened, this, [this] {
        followProject();
        m_nextToPrepare = 0;
        m_idle.start();
    });
    m_idle.setSingleShot(true);
    connect(&m_idle, &QTimer::timeout, this, &InspectorView::prepareNext);
    connect(&m_document, &Document::analysisChanged, this, &InspectorView::refreshFacts);
    connect(&m_document, &Document::estimateChanged, this, &InspectorView::refreshFacts);
    connect(&m_document, &Document::unitsChanged, this, &InspectorView::refreshFacts);
}

void InspectorView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        m_stage->clear(); // its chips have the colours of the theme
        followProject();
    }
}

void InspectorView::followProject() {
    m_soon.stop();
    if (m_document.isOpen())
        offerStages(m_document.project().assignment.stageCount());
    refresh();
}

void InspectorView::offerStages(std::size_t count) {
    const QString last = count == 0 ? tr("Start a pipeline") : tr("New stage %1").arg(count);
    if (m_stage->count() == int(count) + 1 && m_stage->itemText(int(count)) == last)
        return;
    m_stage->clear();
    for (std::size_t k = 0; k < count; ++k)
        m_stage->addItem(QIcon(stageChipPixmap(k, themeOf(this), devicePixelRatioF())),
                         tr("Stage %1").arg(k));
    m_stage->addItem(last);
}

void InspectorView::catchUp() {
    if (m_soon.isActive())
        followProject();
}

PropertyForm& InspectorView::form() {
    catchUp();
    return *m_form;
}

void InspectorView::focusFirst() {
    if (PropertyRow* row = form().firstRow())
        row->editor()->setFocus(Qt::OtherFocusReason);
}

std::vector<std::string> InspectorView::selectedPaths() const {
    std::vector<std::string> paths;
    for (const InvocationKey& key : m_selection.state().invocations) {
        if (paths.empty() || paths.back() != key.path)
            paths.push_back(key.path);
    }
    return paths;
}

void InspectorView::refresh() {
    const std::vector<std::string> paths = selectedPaths();
    const bool hasContent = m_document.isOpen() && !paths.empty();
    m_empty->setVisible(!hasContent);
    m_scroll->setVisible(hasContent);
    if (!hasContent)
        return;
    m_block = selectedBlock(m_document.project(), paths);
    refreshHead(paths);
    if (m_block && paths.size() > 1)
        refreshBlock(*m_block);
    else
        refreshAttributes(paths);
    refreshFacts();
}

void InspectorView::refreshHead(const std::vector<std::string>& paths) {
    const Theme& theme = themeOf(this);
    const core::Project& project = m_document.project();
    const InvocationKey key = m_selection.state().current.value_or(InvocationKey{paths.front(), 0});
    const std::optional<core::LayerId> id = project.model.findLayer(key.path);
    const std::map<std::string, core::MutedLayer> muted = core::mutedLayers(project);
    const auto bypassed = muted.find(key.path);
    const QString className = bypassed != muted.end()
                                  ? tr("%1, bypassed").arg(toQString(bypassed->second.className))
                              : id ? toQString(project.model.layer(*id).className)
                                   : tr("part of a nested model");
    m_name->setText(paths.size() == 1 ? toQString(key.path)
                                      : countedText(std::int64_t(paths.size()), tr("layer"), tr("layers")));
    m_name->setToolTip(toQString(key.path));
    m_kind->setText(paths.size() > 1 ? classesText(project.model, paths)
                    : key.call > 0   ? tr("%1, call %2").arg(className).arg(key.call + 1)
                                     : className);

    std::set<std::size_t> used;
    for (const InvocationKey& each : m_selection.state().invocations) {
        if (const std::optional<core::StageId> stage = m_document.stages().stageOf(each))
            used.insert(stage->index());
    }
    const std::size_t count = project.assignment.stageCount();
    const bool isOne = used.size() == 1;
    m_stage->setCurrentIndex(isOne && count > 0 ? int(*used.begin()) : -1);
    m_stage->setPlaceholderText(count == 0     ? tr("Not pipelined")
                                : used.empty() ? areInputs(project.model, paths) ? tr("Input, fed to stage 0")
                                                                                 : tr("No stage")
                                               : tr("Several stages"));
    m_ipu->setText(isOne ? tr("IPU %1").arg(project.deviceMapping.ipuOf(core::StageId(*used.begin())).index())
                         : QString());
    const QColor fill = isOne && count > 0 ? theme.stageTint(*used.begin()) : theme.color(Role::Hover);
    const QColor color = isOne && count > 0 ? theme.stage(*used.begin()) : theme.color(Role::Text2);
    m_icon->setPixmap(iconTile(bypassed != muted.end() ? layerIcon(bypassed->second.className)
                               : id                    ? layerIcon(project.model.layer(*id).className)
                                                       : QStringLiteral("group"),
                               fill, color, devicePixelRatioF(), theme));
}

void InspectorView::refreshAttributes(const std::vector<std::string>& paths) {
    const core::ModelGraph& model = m_document.project().model;
    std::vector<const core::Layer*> layers;
    std::set<std::string> classes;
    for (const std::string& path : paths) {
        if (const std::optional<core::LayerId> id = model.findLayer(path)) {
            layers.push_back(&model.layer(*id));
            classes.insert(layers.back()->className);
        }
    }
    const std::map<std::string, core::MutedLayer> muted = core::mutedLayers(m_document.project());
    if (std::ranges::any_of(paths, [&](const std::string& path) { return muted.contains(path); })) {
        m_note->setText(
            tr("Bypassed: what it reads goes on unchanged. Press M on the drawing to use it again, and "
               "change it then."));
        m_note->setVisible(true);
        m_attributesHeader->parentWidget()->setVisible(false);
        m_form->setSections({PropertySection()});
        return;
    }
    const core::LayerDefinition* definition =
        classes.size() == 1 ? core::findLayerDefinition(*classes.begin()) : nullptr;
    m_note->setVisible(definition == nullptr || layers.size() != paths.size());
    if (layers.size() != paths.size())
        m_note->setText(
            tr("Layers inside a nested model are changed in the model they come from; their stage can be "
               "set here."));
    else if (classes.size() > 1)
        m_note->setText(
            tr("The selected layers have different classes: what they share is below; choose layers of one "
               "class to change more."));
    else if (definition == nullptr)
        m_note->setText(
            tr("This class is not in the catalogue: its attributes are kept as they are. What it answers and "
               "costs is what you write here."));
    std::size_t all = 0;
    PropertySection section =
        definition == nullptr ? PropertySection() : attributesOf(layers, m_showsAll, all);
    if (definition == nullptr && classes.size() == 1 && layers.size() == paths.size()) {
        section.properties = opaqueProperties(m_document.project(), paths.front());
        all = section.properties.size();
    }
    if (classes.size() > 1 && layers.size() == paths.size()) {
        section = sharedAttributes(layers);
        all = section.properties.size();
    }
    m_attributesHeader->setRemark(definition == nullptr ? QString()
                                  : m_showsAll || section.properties.size() == all
                                      ? (all == 0 ? QString() : tr("%1 of %1 · fewer").arg(all))
                                      : tr("%1 of %2 · all").arg(section.properties.size()).arg(all),
                                  definition != nullptr && all > 0);
    m_attributesHeader->parentWidget()->setVisible(all > 0);
    m_form->setSections({section});
}

void InspectorView::refreshBlock(const core::RepeatBlock& block) {
    m_name->setText(QStringLiteral("%1 × %2").arg(toQString(block.title)).arg(block.times()));
    m_kind->setText(
        tr("repeated block of %1")
            .arg(countedText(std::int64_t(block.copies.front().size()), tr("layer"), tr("layers"))));
    m_note->setText(tr("What is changed here is changed in every copy."));
    m_note->setVisible(true);
    m_attributesHeader->setRemark(m_showsAll ? tr("fewer") : tr("all"), true);
    m_attributesHeader->parentWidget()->setVisible(true);
    m_form->setSections(blockSections(m_document.project(), block, m_showsAll));
}

void InspectorView::prepareNext() {
    if (!m_document.isOpen())
        return;
    const core::SharedList<core::Layer>& layers = m_document.project().model.layers;
    constexpr std::size_t atOnce = 16;
    const std::size_t end = std::min(layers.size(), m_nextToPrepare + atOnce);
    bool isMade = false;
    while (m_nextToPrepare < end && !isMade) {
        const core::Layer& layer = layers[m_nextToPrepare++];
        std::size_t all = 0;
        isMade = core::findLayerDefinition(layer.className) != nullptr &&
                 m_form->prepare({attributesOf({&layer}, m_showsAll, all)});
    }
    constexpr std::size_t most = 1000; // behind them there is hardly a shape that was not met
    if (m_nextToPrepare < std::min(layers.size(), most))
        m_idle.start();
}

void InspectorView::refreshFacts() {
    if (m_soon.isActive())
        return;
    const std::optional<InvocationKey>& current = m_selection.state().current;
    LayerFacts facts;
    if (m_document.isOpen() && current && m_document.analysis().graph) {
        const core::TypedGraph& graph = *m_document.analysis().graph;
        const core::TypedInvocation* invocation = findInvocation(graph, *current);
        // Nothing is known of a layer that refuses what feeds it.
        if (invocation != nullptr && !invocation->outputs.empty())
            facts = layerFacts(graph, *invocation, m_document);
    }
    // Of several layers the sums: what one of them costs says nothing about them.
    const std::set<InvocationKey>& selected = m_selection.state().invocations;
    if (selected.size() > 1 && m_document.isOpen() && m_document.analysis().graph)
        facts = {{}, selectionFacts(*m_document.analysis().graph, selected, m_document)};
    m_shapesBox->setVisible(!facts.shapes.empty());
    m_costBox->setVisible(!facts.cost.empty());
    m_shapes->setFacts(std::move(facts.shapes));
    m_cost->setFacts(std::move(facts.cost));
}

namespace {

/// The project with an attribute set on some layers of the outermost model.
core::Result<core::Project> withAttribute(const core::Project& project, const std::vector<std::string>& paths,
                                          const std::string& id, const Json& value) {
    core::Result<core::ModelGraph> graph = project.model;
    for (const std::string& path : paths) {
        const std::optional<core::LayerId> layer = graph->findLayer(path);
        if (!layer)
            continue;
        Json wanted = value;
        if (id == "batch_input_shape") {
            const auto shape = batchShapeOf(graph->layer(*layer), value);
            if (!shape)
                return core::failure(core::makeError(core::Trouble::Input, "edit/attribute", {{}, path},
                                                     shape.error().toStdString(),
                                                     {"784, or 28 × 28 × 1 for pictures"}));
            wanted = *shape;
        }
        graph = core::setAttribute(*graph, *layer, id, wanted);
        if (!graph)
            return core::failure(graph.error());
    }
    return core::withModel(project, std::move(*graph));
}

} // namespace

core::Result<core::Project> InspectorView::edited(const core::Project& project, const std::string& id,
                                                  const Json& value) const {
    std::vector<std::string> paths = selectedPaths();
    if (isOpaqueProperty(id))
        return withOpaqueProperty(project, paths, id, value);
    if (m_block && isRepeatProperty(id))
        return withRepeatProperty(project, *m_block, id, value);
    if (const auto place = placeInBlock(id); m_block && place)
        return withAttribute(project, m_block->counterparts(m_block->copies.front()[place->first]),
                             place->second, value);
    // A layer of a folded block stands for its like in every copy; its name alone is its own.
    if (m_block && id != "name") {
        std::vector<std::string> all;
        for (const std::string& path : paths) {
            for (const std::string& each : m_block->counterparts(path))
                all.push_back(each);
        }
        std::ranges::sort(all);
        const auto repeats = std::ranges::unique(all);
        all.erase(repeats.begin(), repeats.end());
        paths = std::move(all);
    }
    return withAttribute(project, paths, id, value);
}

void InspectorView::applyAttribute(const std::string& id, const Json& value, bool isTyped) {
    const std::vector<std::string> paths = selectedPaths();
    if (!m_document.isOpen() || paths.empty())
        return;
    // "12" begins with "1": a count is taken when it is confirmed.
    if (isTyped && isRepeatProperty(id))
        return;
    const auto place = placeInBlock(id);
    const QString name = toQString(place ? place->second : id);
    const QString text = isRepeatProperty(id) ? tr("Repeat %1").arg(toQString(m_block->title))
                         : m_block            ? tr("Set %1 in %2 copies").arg(name).arg(m_block->times())
                         : paths.size() == 1  ? tr("Set %1 of %2").arg(name, toQString(paths.front()))
                                              : tr("Set %1 of %2 layers").arg(name).arg(paths.size());
    const auto edit = [&](const core::Project& project) { return edited(project, id, value); };
    // What is only being typed is refused at the field alone: it may become something else with the next
    // letter.
    if (isTyped) {
        if (const auto tried = edit(m_document.project()); !tried) {
            m_form->showError(id, toQString(tried.error().front().message));
            return;
        }
    }
    const QString mergeKey = QStringLiteral("typed %1 %2").arg(toQString(id)).arg(m_typings);
    const core::Result<void> done = m_document.apply(text, edit, mergeKey);
    if (!done)
        m_form->showError(id, toQString(done.error().front().message));
    else if (isRepeatProperty(id))
        selectBlock();
}

/// New copies belong to the block that is worked with.
void InspectorView::selectBlock() {
    catchUp();
    if (!m_block)
        return;
    std::set<InvocationKey> keys;
    for (const std::vector<std::string>& copy : m_block->copies) {
        for (const std::string& layer : copy)
            keys.insert({layer, 0});
    }
    m_selection.selectInvocations(std::move(keys));
}

void InspectorView::assignStage(int index) {
    const std::vector<std::string> paths = selectedPaths();
    const std::size_t count = m_document.project().assignment.stageCount();
    // "Start a pipeline" puts the selection on stage 1, behind everything else on stage 0.
    const core::StageId stage(count == 0 ? 1 : std::size_t(index));
    const core::Result<void> done = m_document.apply(
        tr("Move %1 to stage %2")
            .arg(countedText(std::int64_t(paths.size()), tr("layer"), tr("layers")))
            .arg(stage.index()),
        [&](const core::Project& project) {
            return core::withPipelineNeeds(project, core::assignLayersToStage(project, paths, stage));
        });
    if (!done)
        refresh();
}

} // namespace views
