#include "views/graph/scene/canvas_commands.h"

#include "core/model/edit/splice_edit.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/project/choices/pipeline_choices.h"
#include "core/project/project_edit.h"
#include "views/common/text/number_text.h"
#include "views/document/stage_lookup.h"
#include "views/graph/model/canvas_model_builder.h"
#include "views/graph/model/layer_clipboard.h"

#include <algorithm>

namespace views {

namespace {

using core::Project;

/// Positions of the selected calls in the stage assignment.
std::vector<std::size_t> entriesOf(const Project& project, const std::set<InvocationKey>& keys) {
    const StageLookup stages(project);
    std::vector<std::size_t> entries;
    for (const InvocationKey& key : keys) {
        if (const std::optional<std::size_t> entry = stages.entryOf(key))
            entries.push_back(*entry);
    }
    return entries;
}

QString layersText(std::size_t count) {
    return countedText(std::int64_t(count), CanvasCommands::tr("layer"), CanvasCommands::tr("layers"));
}

core::Diagnostic nestedRefusal(const std::string& path) {
    return core::makeError(core::Trouble::Input, "edit/nested", {{}, path},
                           "layers inside a nested model are part of that model",
                           {"edit the model they come from, or assign their stage here"});
}

/// The layer of the outermost model that a call belongs to.
core::Result<core::LayerId> layerOf(const core::ModelGraph& graph, const InvocationKey& key) {
    if (const std::optional<core::LayerId> layer = graph.findLayer(key.path))
        return *layer;
    return core::failure(nestedRefusal(key.path));
}

core::Result<core::InvocationId> invocationOf(const core::ModelGraph& graph, const InvocationKey& key) {
    const core::Result<core::LayerId> layer = layerOf(graph, key);
    if (!layer)
        return core::failure(layer.error());
    for (const core::LayerInvocation& invocation : graph.invocations) {
        if (invocation.layer == *layer && invocation.call == key.call)
            return invocation.id;
    }
    return core::failure(nestedRefusal(key.path));
}

core::Result<std::vector<core::LayerId>> layersOf(const core::ModelGraph& graph,
                                                  const std::set<InvocationKey>& keys) {
    std::vector<core::LayerId> layers;
    for (const InvocationKey& key : keys) {
        const core::Result<core::LayerId> layer = layerOf(graph, key);
        if (!layer)
            return core::failure(layer.error());
        if (layers.empty() || layers.back() != *layer)
            layers.push_back(*layer);
    }
    return layers;
}

core::Result<core::TensorRef> tensorOf(const core::ModelGraph& graph, const TensorSource& source) {
    const core::Result<core::InvocationId> invocation = invocationOf(graph, source.key);
    if (!invocation)
        return core::failure(invocation.error());
    return core::TensorRef{*invocation, source.output};
}

bool isRead(const core::ModelGraph& graph, const core::TensorRef& tensor) {
    return std::ranges::any_of(graph.invocations, [&](const core::LayerInvocation& reader) {
        return std::ranges::find(reader.inputs, tensor) != reader.inputs.end();
    });
}

core::Result<core::InputSlot> slotOf(const core::ModelGraph& graph, const CanvasModel& model, int edge) {
    const CanvasEdge& which = model.edges[std::size_t(edge)];
    const core::Result<core::InvocationId> to = invocationOf(graph, model.nodes[std::size_t(which.to)].key);
    if (!to)
        return core::failure(to.error());
    return core::InputSlot{*to, std::size_t(which.input)};
}

core::Result<Project> withGraph(const Project& project, core::Result<core::ModelGraph> graph) {
    if (!graph)
        return core::failure(graph.error());
    return core::withModel(project, std::move(*graph));
}

/// Paths of the layers that `after` has and `before` has not.
std::set<InvocationKey> newLayers(const core::ModelGraph& before, const core::ModelGraph& after) {
    std::set<InvocationKey> keys;
    for (const core::Layer& layer : after.layers) {
        if (!before.findLayer(layer.name))
            keys.insert({layer.name, 0});
    }
    return keys;
}

/// The extents of a new input: those of one that is there, else a flat vector.
core::Json newInputShape(const core::ModelGraph& graph) {
    for (const core::Layer& layer : graph.layers) {
        const auto shape = layer.config.find("batch_input_shape");
        if (layer.className == "InputLayer" && shape != layer.config.end())
            return *shape;
    }
    return core::Json::array({nullptr, 128});
}

} // namespace

CanvasCommands::CanvasCommands(Document& document, Selection& selection, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_selection(selection) {}

void CanvasCommands::assignToStage(const std::set<InvocationKey>& keys, core::StageId stage) {
    m_document.apply(tr("Move %1 to stage %2").arg(layersText(keys.size())).arg(stage.index()),
                     [&](const Project& project) {
                         return core::withPipelineNeeds(
                             project, core::assignToStage(project, entriesOf(project, keys), stage));
                     });
}

void CanvasCommands::moveCut(std::size_t cut, std::size_t entry) {
    m_document.apply(tr("Move the cut between stages %1 and %2").arg(cut).arg(cut + 1),
                     [&](const Project& project) { return core::moveCut(project, cut, entry); });
}

ProjectSnapshot CanvasCommands::withCutMoved(std::size_t cut, std::size_t entry) const {
    core::Result<Project> moved = core::moveCut(m_document.project(), cut, entry);
    return moved ? std::make_shared<const Project>(std::move(*moved)) : nullptr;
}

void CanvasCommands::assignToIpu(core::StageId stage, core::IpuId ipu) {
    m_document.apply(tr("Put stage %1 on IPU %2").arg(stage.index()).arg(ipu.index()),
                     [&](const Project& project) { return core::withStageOnIpu(project, stage, ipu); });
}

void CanvasCommands::splitEvenly(std::size_t stages) {
    m_document.apply(
        tr("Split evenly into %1").arg(countedText(std::int64_t(stages), tr("stage"), tr("stages"))),
        [&](const Project& project) {
            return core::withPipelineNeeds(project, core::splitEvenly(project, stages));
        });
}

void CanvasCommands::removeStages() {
    m_document.apply(tr("Remove all stages"),
                     [](const Project& project) { return core::withStages(project, {}); });
}

void CanvasCommands::applyToModel(const QString& text, const ModelEdit& edit, bool selectsNew,
                                  const std::optional<QPointF>& at) {
    if (!m_document.isOpen())
        return;
    const ProjectSnapshot before = m_document.snapshot();
    const core::Result<void> done =
        m_document.apply(text, [&](const Project& project) -> core::Result<Project> {
            auto edited = withGraph(project, edit(project.model));
            if (!edited || !at)
                return edited;
            const std::set<InvocationKey> added = newLayers(project.model, edited->model);
            if (added.empty())
                return edited;
            return core::withPositions(*edited, {{added.begin()->path, {at->x(), at->y()}}});
        });
    if (done && selectsNew)
        m_selection.selectInvocations(newLayers(before->model, m_document.project().model));
}

void CanvasCommands::addLayer(const QString& className, const std::optional<TensorSource>& from,
                              const std::optional<QPointF>& at) {
    addLayer(className, from ? std::vector<TensorSource>{*from} : std::vector<TensorSource>(), at);
}

CanvasCommands::ModelEdit CanvasCommands::adding(const QString& className, std::vector<TensorSource> from) {
    return [name = className.toStdString(),
            from = std::move(from)](const core::ModelGraph& graph) -> core::Result<core::ModelGraph> {
        if (name == "InputLayer")
            return core::addInput(graph, {name, {}, {{"batch_input_shape", newInputShape(graph)}}});
        std::vector<core::TensorRef> inputs;
        for (const TensorSource& source : from) {
            const core::Result<core::TensorRef> tensor = tensorOf(graph, source);
            if (!tensor)
                return core::failure(tensor.error());
            inputs.push_back(*tensor);
        }
        return core::addLayer(graph, {name, {}, core::Json::object()}, inputs);
    };
}

void CanvasCommands::addLayer(const QString& className, const std::vector<TensorSource>& from,
                              const std::optional<QPointF>& at) {
    applyToModel(tr("Add %1").arg(className), adding(className, from), true, at);
}

void CanvasCommands::addLooseLayer(const QString& className, core::StageId stage) {
    if (!m_document.isOpen())
        return;
    const ProjectSnapshot before = m_document.snapshot();
    const auto edit = [&](const Project& project) -> core::Result<Project> {
        core::Result<Project> next = withGraph(project, adding(className, {})(project.model));
        if (!next || !stage.isValid() || !next->assignment.isPipelined())
            return next;
        std::vector<std::string> added;
        for (const InvocationKey& key : newLayers(project.model, next->model))
            added.push_back(key.path);
        // An input has no stage.
        const core::Result<Project> placed = core::assignLayersToStage(*next, added, stage);
        return placed ? placed : next;
    };
    if (m_document.apply(tr("Add %1").arg(className), edit))
        m_selection.selectInvocations(newLayers(before->model, m_document.project().model));
}

std::vector<TensorSource> CanvasCommands::selectedEnds() const {
    const core::ModelGraph& graph = m_document.project().model;
    std::vector<TensorSource> ends;
    const auto keyOf = [&](const core::LayerInvocation& call) {
        return InvocationKey{graph.layer(call.layer).name, call.call};
    };
    for (const core::LayerInvocation& call : graph.invocations) {
        if (!m_selection.contains(keyOf(call)))
            continue;
        const bool isRead = std::ranges::any_of(graph.invocations, [&](const core::LayerInvocation& reader) {
            return m_selection.contains(keyOf(reader)) &&
                   std::ranges::any_of(reader.inputs, [&](const core::TensorRef& input) {
                       return input.invocation == call.id;
                   });
        });
        if (!isRead)
            ends.push_back({keyOf(call), 0});
    }
    return ends;
}

void CanvasCommands::addBehindSelection(const QString& className, bool branches,
                                        const std::optional<QPointF>& at) {
    const std::optional<InvocationKey> current = m_selection.state().current;
    const core::LayerDefinition* definition = core::findLayerDefinition(className.toStdString());
    if (!current || definition == nullptr || definition->maximumInputs == 0 || !m_document.isOpen() ||
        !m_document.project().model.findLayer(current->path))
        return addLayer(className, std::vector<TensorSource>(), at);
    const std::vector<TensorSource> ends = selectedEnds();
    if (ends.size() > 1 && ends.size() <= definition->maximumInputs)
        return addLayer(className, ends, at);
    const TensorSource source = ends.size() == 1 ? ends.front() : TensorSource{*current, 0};
    const core::ModelGraph& present = m_document.project().model;
    const core::Result<core::TensorRef> tensor = tensorOf(present, source);
    if (branches || !tensor || !isRead(present, *tensor) || definition->minimumInputs > 1)
        return addLayer(className, source, at);
    applyToModel(
        tr("Insert %1 behind %2").arg(className, toQString(source.key.path)),
        [&](const core::ModelGraph& graph) {
            return core::insertBehind(graph, *tensor, {className.toStdString(), {}, core::Json::object()});
        },
        true, at);
}

namespace {

/// An opaque layer that was added beside what reads `source`, between them.
core::Result<Project> spliced(const Project& before, const Project& added, const core::TensorRef& source) {
    const std::set<InvocationKey> opaque = newLayers(before.model, added.model);
    if (opaque.empty())
        return added;
    const std::string& name = opaque.begin()->path;
    core::Result<Project> next = withGraph(
        before, core::insertBehind(before.model, source, {"OpaqueLayer", name, core::Json::object(), true}));
    if (next)
        next->opaqueLayers = added.opaqueLayers;
    return next;
}

} // namespace

void CanvasCommands::addOpaqueLayer(const std::optional<TensorSource>& from) {
    if (!m_document.isOpen())
        return;
    const ProjectSnapshot before = m_document.snapshot();
    const auto edit = [&](const Project& project) -> core::Result<Project> {
        if (!from)
            return core::withOpaqueLayer(project, {});
        const core::Result<core::TensorRef> tensor = tensorOf(project.model, *from);
        if (!tensor)
            return core::failure(tensor.error());
        core::Result<Project> added = core::withOpaqueLayer(project, {*tensor});
        return added && isRead(project.model, *tensor) ? spliced(project, *added, *tensor) : added;
    };
    if (m_document.apply(tr("Add an opaque layer"), edit))
        m_selection.selectInvocations(newLayers(before->model, m_document.project().model));
}

void CanvasCommands::insertLayer(const QString& className, const CanvasModel& model, int edge) {
    const auto edit = [&](const core::ModelGraph& graph) -> core::Result<core::ModelGraph> {
        const core::Result<core::InputSlot> slot = slotOf(graph, model, edge);
        if (!slot)
            return core::failure(slot.error());
        return core::insertOnEdge(graph, *slot, {className.toStdString(), {}, core::Json::object()});
    };
    applyToModel(tr("Insert %1").arg(className), edit, true);
}

namespace {

core::Result<core::ModelGraph> connected(const core::ModelGraph& graph, const TensorSource& from,
                                         const InvocationKey& to, std::size_t input) {
    const core::Result<core::TensorRef> tensor = tensorOf(graph, from);
    const core::Result<core::InvocationId> target = invocationOf(graph, to);
    if (!tensor || !target)
        return core::failure(tensor ? target.error() : tensor.error());
    const core::LayerInvocation& invocation = graph.invocation(*target);
    const core::LayerDefinition* definition = core::findLayerDefinition(graph.layer(*target).className);
    // A layer that takes several inputs takes one more; any other changes the one it has.
    const bool takesMore = definition != nullptr && invocation.inputs.size() < definition->maximumInputs;
    const std::size_t slot = takesMore ? invocation.inputs.size() : std::min(input, invocation.inputs.size());
    return core::connect(graph, *tensor, {*target, slot});
}

} // namespace

void CanvasCommands::connectTo(const TensorSource& from, const InvocationKey& to, std::size_t input) {
    applyToModel(tr("Connect %1 to %2").arg(toQString(from.key.path), toQString(to.path)),
                 [&](const core::ModelGraph& graph) { return connected(graph, from, to, input); });
}

std::optional<CanvasCommands::Objection>
CanvasCommands::objectionTo(const TensorSource& from, const InvocationKey& to, std::size_t input) const {
    if (!m_document.isOpen())
        return std::nullopt;
    const core::Project& project = m_document.project();
    const core::Result<core::ModelGraph> graph = connected(project.model, from, to, input);
    if (!graph)
        return Objection{toQString(graph.error().front().message), true};
    // Inference of a model of thousands of layers is too slow for a moving mouse; the badge tells afterwards.
    constexpr std::size_t most = 2000;
    if (graph->invocations.size() > most)
        return std::nullopt;
    core::InferenceOptions options;
    options.batchSize = project.training.batchSize;
    options.opaqueLayers = project.opaqueLayers;
    for (const core::Diagnostic& finding : core::inferKnownShapes(*graph, options).findings) {
        if (finding.location.place == to.path)
            return Objection{toQString(finding.message), false};
    }
    return std::nullopt;
}

void CanvasCommands::disconnect(const CanvasModel& model, const std::vector<int>& edges) {
    const auto edit = [&](const core::ModelGraph& graph) -> core::Result<core::ModelGraph> {
        // The later inputs of a call first, so that the earlier keep their numbers.
        std::vector<int> order = edges;
        std::sort(order.begin(), order.end(), [&](int a, int b) {
            return model.edges[std::size_t(a)].input > model.edges[std::size_t(b)].input;
        });
        core::Result<core::ModelGraph> next = graph;
        for (const int edge : order) {
            const core::Result<core::InputSlot> slot = slotOf(*next, model, edge);
            if (!slot)
                return core::failure(slot.error());
            next = core::disconnect(*next, *slot);
            if (!next)
                return next;
        }
        return next;
    };
    applyToModel(tr("Cut %1").arg(countedText(std::int64_t(edges.size()), tr("line"), tr("lines"))), edit);
}

void CanvasCommands::removeSelection(bool reconnects) {
    const std::set<InvocationKey> keys = m_selection.state().invocations;
    if (keys.empty())
        return;
    const auto edit = [&](const core::ModelGraph& graph) -> core::Result<core::ModelGraph> {
        const core::Result<std::vector<core::LayerId>> layers = layersOf(graph, keys);
        if (!layers)
            return core::failure(layers.error());
        return core::removeLayers(graph, *layers, reconnects ? core::Reconnect::Yes : core::Reconnect::No);
    };
    const ProjectSnapshot before = m_document.snapshot();
    applyToModel(tr("Delete %1").arg(layersText(keys.size())), edit);
    if (m_document.snapshot() != before)
        m_selection.clear();
}

namespace {

bool areLocked(const core::Project& project, const std::vector<std::string>& paths) {
    const std::set<std::string> locked = core::lockedLayers(project);
    return std::ranges::all_of(paths, [&](const std::string& path) { return locked.contains(path); });
}

} // namespace

void CanvasCommands::toggleLocks() {
    const std::vector<std::string> paths = selectedPaths();
    if (paths.empty() || !m_document.isOpen())
        return;
    const bool isAll = areLocked(m_document.project(), paths);
    m_document.apply(
        (isAll ? tr("Unlock %1") : tr("Lock %1 to the stages they are on")).arg(layersText(paths.size())),
        [&](const core::Project& project) -> core::Result<core::Project> {
            return core::withLocks(project, paths, !isAll);
        });
}

void CanvasCommands::toggleMutes() {
    const std::vector<std::string> paths = selectedPaths();
    if (paths.empty() || !m_document.isOpen())
        return;
    const std::map<std::string, core::MutedLayer> muted = core::mutedLayers(m_document.project());
    const bool isAll =
        std::ranges::all_of(paths, [&](const std::string& path) { return muted.contains(path); });
    m_document.apply((isAll ? tr("Use %1 again") : tr("Bypass %1")).arg(layersText(paths.size())),
                     [&](const core::Project& project) -> core::Result<core::Project> {
                         return core::withMuted(project, paths, !isAll);
                     });
}

void CanvasCommands::toggleStageLock(core::StageId stage) {
    const std::vector<std::string> paths = core::layersOfStage(m_document.project(), stage);
    const bool isAll = areLocked(m_document.project(), paths);
    m_document.apply((isAll ? tr("Unlock stage %1") : tr("Lock stage %1")).arg(stage.index()),
                     [&](const core::Project& project) -> core::Result<core::Project> {
                         return core::withLocks(project, paths, !isAll);
                     });
}

void CanvasCommands::setStageRecomputing(core::StageId stage, bool recomputes) {
    m_document.apply(
        (recomputes ? tr("Recompute the activations of stage %1") : tr("Keep the activations of stage %1"))
            .arg(stage.index()),
        [&](const core::Project& project) { return core::withStageRecomputing(project, stage, recomputes); });
}

void CanvasCommands::setStageOffloading(core::StageId stage, bool offloads) {
    m_document.apply((offloads ? tr("Offload the activations of stage %1")
                               : tr("Keep the activations of stage %1 on the IPU"))
                         .arg(stage.index()),
                     [&](const core::Project& project) -> core::Result<core::Project> {
                         return core::withStageOffloading(project, stage, offloads);
                     });
}

void CanvasCommands::setStageProportion(core::StageId stage, const std::optional<std::string>& proportion) {
    m_document.apply(tr("Set the memory proportion of stage %1").arg(stage.index()),
                     [&](const core::Project& project) -> core::Result<core::Project> {
                         return core::withStageProportion(project, stage, proportion);
                     });
}

void CanvasCommands::toggleOutputs() {
    const std::set<InvocationKey> keys = m_selection.state().invocations;
    if (keys.empty() || !m_document.isOpen())
        return;
    const auto isOutputOf = [](const core::ModelGraph& graph, core::InvocationId call) {
        return std::ranges::any_of(graph.outputs,
                                   [&](const core::TensorRef& output) { return output.invocation == call; });
    };
    bool isAll = true;
    for (const InvocationKey& key : keys) {
        const auto call = invocationOf(m_document.project().model, key);
        isAll = isAll && call && isOutputOf(m_document.project().model, *call);
    }
    const auto edit = [&](const core::ModelGraph& graph) -> core::Result<core::ModelGraph> {
        std::vector<core::TensorRef> outputs = graph.outputs;
        for (const InvocationKey& key : keys) {
            const core::Result<core::InvocationId> call = invocationOf(graph, key);
            if (!call)
                return core::failure(call.error());
            if (isAll)
                std::erase_if(outputs,
                              [&](const core::TensorRef& output) { return output.invocation == *call; });
            else if (!isOutputOf(graph, *call))
                outputs.push_back({*call, 0});
        }
        return core::setOutputs(graph, outputs);
    };
    const QString what = keys.size() == 1 ? toQString(keys.begin()->path) : layersText(keys.size());
    applyToModel(isAll ? tr("No output of the model at %1").arg(what)
                       : tr("Output of the model at %1").arg(what),
                 edit);
}

void CanvasCommands::rename(const InvocationKey& key, const QString& name) {
    const core::Result<void> done = m_document.apply(
        tr("Rename %1 to %2").arg(toQString(key.path), name),
        [&](const Project& project) -> core::Result<Project> {
            const core::Result<core::LayerId> layer = layerOf(project.model, key);
            if (!layer)
                return core::failure(layer.error());
            core::Result<core::ModelGraph> graph =
                core::renameLayer(project.model, *layer, name.toStdString());
            if (!graph)
                return core::failure(graph.error());
            return core::withModel(project, std::move(*graph), {{key.path, name.toStdString()}});
        });
    if (done && m_selection.contains(key))
        m_selection.selectInvocation({name.toStdString(), key.call});
}

namespace {

/// Copies are on the stages of their originals, where the project has these, and bypassed as they are.
core::Result<Project> asOriginals(const std::vector<std::string>& originals,
                                  const std::map<std::string, core::MutedLayer>& muted, const Project& before,
                                  Project after) {
    const StageLookup stages(before);
    std::map<core::StageId, std::vector<std::string>> moved;
    std::map<std::string, core::MutedLayer> copies;
    std::size_t copy = 0;
    for (const core::Layer& layer : after.model.layers) {
        if (before.model.findLayer(layer.name) || copy >= originals.size())
            continue;
        if (const auto stage = stages.stageOf({originals[copy], 0}))
            moved[*stage].push_back(layer.name);
        if (const auto original = muted.find(originals[copy]); original != muted.end())
            copies.emplace(layer.name, original->second);
        ++copy;
    }
    core::Result<Project> next = core::withMutedCopies(std::move(after), copies);
    for (const auto& [stage, layers] : moved) {
        next = core::assignLayersToStage(*next, layers, stage);
        if (!next)
            return next;
    }
    return next;
}

} // namespace

void CanvasCommands::addCopies(const QString& text, const std::function<Copies(const Project&)>& copy) {
    if (!m_document.isOpen())
        return;
    const ProjectSnapshot before = m_document.snapshot();
    const core::Result<void> done =
        m_document.apply(text, [&](const Project& project) -> core::Result<Project> {
            Copies copies = copy(project);
            core::Result<Project> next = withGraph(project, std::move(copies.graph));
            return next ? asOriginals(copies.originals, copies.muted, project, std::move(*next)) : next;
        });
    if (done)
        m_selection.selectInvocations(newLayers(before->model, m_document.project().model));
}

void CanvasCommands::duplicateSelection() {
    const std::set<InvocationKey> keys = m_selection.state().invocations;
    if (keys.empty())
        return;
    addCopies(tr("Duplicate %1").arg(layersText(keys.size())), [&](const Project& project) -> Copies {
        const core::Result<std::vector<core::LayerId>> layers = layersOf(project.model, keys);
        if (!layers)
            return {core::failure(layers.error()), {}, {}};
        std::vector<std::string> originals;
        for (const core::LayerId layer : *layers)
            originals.push_back(project.model.layer(layer).name);
        return {core::duplicateLayers(project.model, *layers, core::IncomingEdges::Keep), originals,
                core::mutedLayers(project)};
    });
}

void CanvasCommands::copySelection() const {
    if (!m_document.isOpen())
        return;
    const core::Result<std::vector<core::LayerId>> layers =
        layersOf(m_document.project().model, m_selection.state().invocations);
    if (!layers || layers->empty())
        return;
    std::vector<core::CopiedLayer> copied = core::copyLayers(m_document.project().model, *layers);
    const std::map<std::string, core::MutedLayer> muted = core::mutedLayers(m_document.project());
    for (core::CopiedLayer& layer : copied) {
        if (const auto found = muted.find(layer.name); found != muted.end())
            layer.bypassed = core::mutedToJson(found->second);
    }
    putOnClipboard(copied);
}

void CanvasCommands::cutSelection() {
    copySelection();
    removeSelection(true);
}

bool CanvasCommands::canPaste() const {
    return m_document.isOpen() && !layersOnClipboard().empty();
}

void CanvasCommands::paste(bool withLinks) {
    const std::vector<core::CopiedLayer> layers = layersOnClipboard();
    if (layers.empty())
        return;
    addCopies(tr("Paste %1").arg(layersText(layers.size())), [&](const Project& project) -> Copies {
        std::vector<std::string> originals;
        std::map<std::string, core::MutedLayer> muted;
        for (const core::CopiedLayer& layer : layers) {
            originals.push_back(layer.name);
            if (auto bypassed = core::mutedFromJson(layer.bypassed))
                muted.emplace(layer.name, *std::move(bypassed));
        }
        return {core::pasteLayers(project.model, layers, withLinks), originals, muted};
    });
}

void CanvasCommands::setCollapsed(const std::string& group, bool collapsed) {
    const QString name = toQString(group);
    m_document.apply(collapsed ? tr("Collapse %1").arg(name) : tr("Expand %1").arg(name),
                     [&](const Project& project) -> core::Result<Project> {
                         return withCollapsed(project, group, collapsed);
                     });
}

std::vector<std::string> CanvasCommands::selectedPaths() const {
    std::vector<std::string> paths;
    for (const InvocationKey& key : m_selection.state().invocations) {
        if (paths.empty() || paths.back() != key.path)
            paths.push_back(key.path);
    }
    return paths;
}

void CanvasCommands::groupSelection(const QString& name) {
    const std::vector<std::string> paths = selectedPaths();
    m_document.apply(
        tr("Group %1 as %2").arg(layersText(paths.size()), name),
        [&](const Project& project) -> core::Result<Project> {
            Project next = withGroup(project, name.toStdString(), paths);
            const CanvasModel model = makeCanvasModel(next, {});
            const bool isDrawn =
                std::any_of(model.groups.begin(), model.groups.end(), [&](const CanvasGroup& group) {
                    return group.origin == CanvasGroup::Origin::Person && group.id == name.toStdString();
                });
            if (isDrawn)
                return next;
            return core::failure(core::makeError(
                core::Trouble::Input, "edit/group", {},
                "these layers make no block: there must be two or more, in one group, and no path may leave "
                "them and come back",
                {"select the layers in between as well"}));
        });
}

void CanvasCommands::ungroup(const std::string& group) {
    m_document.apply(
        tr("Ungroup %1").arg(toQString(group)),
        [&](const Project& project) -> core::Result<Project> { return withoutGroup(project, group); });
}

void CanvasCommands::writeNote(const QString& text) {
    const std::vector<std::string> layers = selectedPaths();
    m_document.apply(
        text.isEmpty() ? tr("Remove the note on %1").arg(layersText(layers.size()))
                       : tr("Note on %1").arg(layersText(layers.size())),
        [&](const Project& project) { return core::withNote(project, layers, text.toStdString()); });
}

void CanvasCommands::colourNote(std::int64_t colour) {
    const std::vector<std::string> layers = selectedPaths();
    m_document.apply(tr("Colour of a note"), [&](const Project& project) -> core::Result<Project> {
        return core::withNoteColour(project, layers, colour);
    });
}

const core::CanvasNote* CanvasCommands::selectedNote() const {
    return m_document.isOpen() ? core::noteOn(m_document.project(), selectedPaths()) : nullptr;
}

void CanvasCommands::moveBoxes(const std::map<std::string, QPointF>& places) {
    std::map<std::string, core::CanvasLayout::Position> positions;
    for (const auto& [name, place] : places)
        positions[name] = {place.x(), place.y()};
    m_document.apply(tr("Move %1").arg(countedText(std::int64_t(places.size()), tr("box"), tr("boxes"))),
                     [&](const Project& project) -> core::Result<Project> {
                         return core::withPositions(project, positions);
                     });
}

void CanvasCommands::arrange() {
    m_document.apply(tr("Arrange"), [](const Project& project) -> core::Result<Project> {
        return withoutPositions(project);
    });
}

void CanvasCommands::toggleLeftToRight() {
    if (!m_document.isOpen())
        return;
    const bool isToRight = core::readsLeftToRight(m_document.project());
    m_document.apply(isToRight ? tr("Draw from the top down") : tr("Draw from left to right"),
                     [&](const Project& project) -> core::Result<Project> {
                         return core::withLeftToRight(project, !isToRight);
                     });
}

} // namespace views
