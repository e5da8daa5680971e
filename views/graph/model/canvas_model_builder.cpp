#include "views/graph/model/canvas_model_builder.h"

#include "core/model/graph/flattened_model.h"
#include "core/model/typed_graph.h"
#include "core/project/blocks/repeat_blocks.h"
#include "core/project/choices/muted_layers.h"
#include "core/project/project_edit.h"
#include "views/common/text/layer_texts.h"
#include "views/common/text/number_text.h"
#include "views/graph/model/group_detection.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <utility>

namespace views {

namespace {

using core::Json;

void addNode(CanvasModel& model, const LayerLooks::Look& look, std::string path, std::uint32_t call,
             core::InvocationId drawn) {
    CanvasNode& node = model.nodes.emplace_back();
    node.key = {std::move(path), call};
    node.name = look.name;
    node.className = look.className;
    node.attributes = look.attributes;
    node.icon = look.icon;
    node.drawn = drawn;
    node.isInput = look.isInput;
    node.isFollower = look.isFollower;
}

void addEdges(CanvasModel& model, const std::vector<core::TensorRef>& inputs, int to) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
        model.edges.push_back({int(inputs[i].invocation.index()), int(inputs[i].output), to, int(i)});
    CanvasNode& node = model.nodes[std::size_t(to)];
    node.inputCount = int(inputs.size());
    node.isMerge = inputs.size() > 1;
}

/// The outputs of every node that an analysis knows: `take(node, outputs)`.
template <class Take>
void forEachTyped(const CanvasModel& model, const core::TypedGraph& graph, Take take) {
    // The analysis may be of an older snapshot for a moment: match by path and call.
    for (const core::TypedInvocation& invocation : graph.invocations) {
        const int node = model.find(graph.layer(invocation.layer).path, invocation.call);
        if (node >= 0)
            take(std::size_t(node), invocation.outputs);
    }
}

void addShapes(CanvasModel& model, const core::TypedGraph& graph) {
    forEachTyped(model, graph, [&](std::size_t node, const std::vector<core::TensorSpec>& outputs) {
        for (const core::TensorSpec& spec : outputs)
            model.nodes[node].outputShapes.push_back(shapeText(spec.shape, true));
    });
}

void markOutputs(CanvasModel& model, const std::vector<core::TensorRef>& outputs) {
    for (const core::TensorRef& output : outputs) {
        if (output.invocation.index() >= model.nodes.size())
            continue;
        CanvasNode& node = model.nodes[output.invocation.index()];
        node.modelOutputs.push_back(int(output.output));
        node.outputCount = std::max(node.outputCount, int(output.output) + 1);
    }
    for (CanvasNode& node : model.nodes)
        std::ranges::sort(node.modelOutputs);
}

/// Layers that are bypassed look like what they were.
void markMuted(CanvasModel& model, const core::Project& project) {
    const std::map<std::string, core::MutedLayer> muted = core::mutedLayers(project);
    for (CanvasNode& node : model.nodes) {
        const auto found = muted.find(node.key.path);
        if (found == muted.end())
            continue;
        node.isMuted = true;
        node.className = toQString(found->second.className);
        node.attributes = QCoreApplication::translate("views::CanvasModel", "bypassed");
        node.icon = layerIcon(found->second.className);
        node.isFollower = isFollowerClass(found->second.className);
    }
}

void countOutputs(CanvasModel& model) {
    for (const CanvasEdge& edge : model.edges) {
        int& count = model.nodes[std::size_t(edge.from)].outputCount;
        count = std::max(count, edge.output + 1);
    }
}

/// Paths of nested models with the slash after them, outermost first.
void collectNested(const core::ModelGraph& model, const std::string& prefix,
                   std::vector<std::string>& paths) {
    for (const core::Layer& layer : model.layers) {
        if (layer.model == nullptr || !layer.isNestedModel())
            continue;
        paths.push_back(prefix + layer.name + "/");
        collectNested(*layer.model, paths.back(), paths);
    }
}

/// A block that is repeated and folded is one group of all its copies.
void groupRepeats(CanvasModel& model, const core::Project& project) {
    const std::vector<core::RepeatBlock> blocks = core::foldedBlocks(project);
    if (blocks.empty())
        return;
    std::map<std::string, std::vector<int>> nodesOf;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const std::string& path = model.nodes[i].key.path;
        nodesOf[path.substr(0, path.find('/'))].push_back(int(i));
    }
    for (const core::RepeatBlock& block : blocks) {
        std::vector<std::vector<int>> copies;
        std::vector<int> members;
        for (const std::vector<std::string>& layers : block.copies) {
            std::vector<int>& copy = copies.emplace_back();
            for (const std::string& layer : layers)
                copy.insert(copy.end(), nodesOf[layer].begin(), nodesOf[layer].end());
            std::ranges::sort(copy);
            members.insert(members.end(), copy.begin(), copy.end());
        }
        const int group =
            addGroup(model, repeatGroupId(block.id), CanvasGroup::Origin::Repeat, std::move(members));
        if (group < 0)
            continue;
        model.groups[std::size_t(group)].title =
            QStringLiteral("%1 × %2").arg(toQString(block.title)).arg(block.times());
        model.groups[std::size_t(group)].copies = std::move(copies);
    }
}

void groupNestedModels(CanvasModel& model, const core::ModelGraph& graph) {
    std::vector<std::string> paths;
    collectNested(graph, {}, paths);
    for (const std::string& path : paths) {
        // A model that is called several times is a block for each call.
        std::map<core::InvocationId, std::vector<int>> calls;
        for (std::size_t i = 0; i < model.nodes.size(); ++i) {
            if (model.nodes[i].key.path.starts_with(path))
                calls[model.nodes[i].drawn].push_back(int(i));
        }
        std::size_t call = 0;
        for (auto& [drawn, members] : calls) {
            std::string id = path.substr(0, path.size() - 1);
            if (call > 0)
                id.append(":").append(std::to_string(call));
            ++call;
            addGroup(model, id, CanvasGroup::Origin::Model, std::move(members));
        }
    }
}

void groupAsPersonSaid(CanvasModel& model, const core::Project& project) {
    const auto groups = project.canvas.other.find("groups");
    if (groups == project.canvas.other.end() || !groups->is_object())
        return;
    for (const auto& [name, layers] : groups->items()) {
        if (!layers.is_array())
            continue;
        std::vector<int> members;
        for (const Json& layer : layers) {
            if (!layer.is_string())
                continue;
            for (std::size_t i = 0; i < model.nodes.size(); ++i) {
                if (model.nodes[i].key.path == layer.get_ref<const std::string&>())
                    members.push_back(int(i));
            }
        }
        addGroup(model, name, CanvasGroup::Origin::Person, std::move(members));
    }
}

/// Structure, nested models opened.
bool addFlattened(CanvasModel& model, const core::Project& project, LayerLooks& looks) {
    const core::Result<core::FlattenedModel> flattened = core::flattenModel(project.model);
    if (!flattened)
        return false;
    model.nodes.reserve(flattened->invocations.size());
    for (std::size_t i = 0; i < flattened->invocations.size(); ++i) {
        const core::FlattenedInvocation& invocation = flattened->invocations[i];
        const core::FlattenedLayer& layer = flattened->layers[invocation.layer.index()];
        addNode(model, looks.of(*layer.layer), layer.path, invocation.call, invocation.drawn);
        addEdges(model, invocation.inputs, int(i));
    }
    markOutputs(model, flattened->outputs);
    const std::set<std::string> locked = core::lockedLayers(project);
    const std::vector<core::InvocationId> assignable = flattened->assignable();
    const bool isAssigned = project.assignment.stages.size() == assignable.size();
    for (std::size_t entry = 0; entry < assignable.size(); ++entry) {
        CanvasNode& node = model.nodes[assignable[entry].index()];
        node.assignable = entry;
        node.isLocked = locked.contains(node.key.path);
        if (isAssigned)
            node.stage = project.assignment.stages[entry];
    }
    if (isAssigned && !assignable.empty()) {
        model.stageCount = project.assignment.stageCount();
        for (CanvasNode& node : model.nodes) {
            if (node.isInput)
                node.stage = core::StageId(0);
        }
    }
    return true;
}

void addAsDrawn(CanvasModel& model, const core::ModelGraph& graph, LayerLooks& looks) {
    for (const core::LayerInvocation& invocation : graph.invocations) {
        const core::Layer& layer = graph.layer(invocation.layer);
        addNode(model, looks.of(layer), layer.name, invocation.call, invocation.id);
        std::vector<core::TensorRef> earlier;
        for (const core::TensorRef& input : invocation.inputs) {
            if (input.invocation < invocation.id)
                earlier.push_back(input);
        }
        addEdges(model, earlier, int(model.nodes.size()) - 1);
    }
    markOutputs(model, graph.outputs);
}

} // namespace

void LayerLooks::begin(const core::ModelGraph& model) {
    // Those of a few edits back are asked for again when these are undone.
    constexpr std::size_t most = 4;
    if (m_looks.size() > most * model.layers.size()) {
        m_looks.clear();
        m_kept.clear();
    }
    m_model = &model;
}

const LayerLooks::Look& LayerLooks::of(const core::Layer& layer) {
    const auto [place, isNew] = m_looks.try_emplace(&layer);
    Look& look = place->second;
    if (!isNew)
        return look;
    if (m_model != nullptr)
        m_kept.push_back(std::exchange(m_model, nullptr)->layers);
    look.name = toQString(layer.name);
    look.className = toQString(layer.className);
    look.attributes = layerAttributes(layer.className, layer.config);
    look.icon = layerIcon(layer.className);
    look.isInput = layer.className == "InputLayer";
    look.isFollower = isFollowerClass(layer.className);
    return look;
}

CanvasModel makeCanvasModel(const core::Project& project, const ProjectAnalysis& analysis,
                            LayerLooks* looks) {
    LayerLooks own;
    if (looks == nullptr)
        looks = &own;
    looks->begin(project.model);
    CanvasModel model;
    if (!addFlattened(model, project, *looks))
        addAsDrawn(model, project.model, *looks);
    markMuted(model, project);
    countOutputs(model);
    model.groupOf.assign(model.nodes.size(), -1);
    model.index();
    if (analysis.graph)
        addShapes(model, *analysis.graph);
    groupRepeats(model, project);
    groupNestedModels(model, project.model);
    groupAsPersonSaid(model, project);
    detectNameGroups(model);
    return model;
}

bool hasShapesOf(const CanvasModel& model, const ProjectAnalysis& analysis) {
    std::vector<bool> isKnown(model.nodes.size(), false);
    bool isSame = true;
    if (analysis.graph) {
        forEachTyped(model, *analysis.graph,
                     [&](std::size_t node, const std::vector<core::TensorSpec>& outputs) {
                         isKnown[node] = true;
                         isSame = isSame && std::ranges::equal(model.nodes[node].outputShapes, outputs, {},
                                                               {}, [](const core::TensorSpec& spec) {
                                                                   return shapeText(spec.shape, true);
                                                               });
                     });
    }
    for (std::size_t i = 0; i < isKnown.size(); ++i)
        isSame = isSame && (isKnown[i] || model.nodes[i].outputShapes.empty());
    return isSame;
}

std::string repeatGroupId(const std::string& block) {
    return "repeat:" + block;
}

std::set<std::string> collapsedGroups(const core::Project& project, const CanvasModel& model) {
    constexpr std::size_t small = 60;
    std::set<std::string> collapsed;
    const auto stored = project.canvas.other.find("collapsed");
    const bool isStored = stored != project.canvas.other.end() && stored->is_object();
    for (const CanvasGroup& group : model.groups) {
        const auto own = isStored ? stored->find(group.id) : Json::const_iterator();
        const bool isByDefault = model.nodes.size() > small || group.origin == CanvasGroup::Origin::Repeat;
        if (isStored && own != stored->end() && own->is_boolean() ? own->get<bool>() : isByDefault)
            collapsed.insert(group.id);
    }
    return collapsed;
}

core::Project withCollapsed(const core::Project& project, const std::string& group, bool collapsed) {
    core::Project next = project;
    Json& stored = next.canvas.other["collapsed"];
    if (!stored.is_object())
        stored = Json::object();
    stored[group] = collapsed;
    return next;
}

core::Project withGroup(const core::Project& project, const std::string& name,
                        const std::vector<std::string>& layers) {
    core::Project next = project;
    Json& stored = next.canvas.other["groups"];
    if (!stored.is_object())
        stored = Json::object();
    stored[name] = layers;
    return next;
}

core::Project withoutGroup(const core::Project& project, const std::string& name) {
    core::Project next = project;
    if (const auto stored = next.canvas.other.find("groups");
        stored != next.canvas.other.end() && stored->is_object())
        stored->erase(name);
    return next;
}

core::Project withoutPositions(const core::Project& project) {
    core::Project next = project;
    next.canvas.positions.clear();
    return next;
}

} // namespace views
