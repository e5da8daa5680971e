#include "core/model/edit/copied_layers.h"
#include "core/model/edit/graph_edit.h"
#include "core/project/project_edit.h"
#include "core/project/validate.h"
#include "tests/fuzz/small_projects.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

// The bytes are a project and a script of edits of it. Whatever they make of the project can be saved and
// opened again, and every rule can be asked about it.

namespace {

/// Edits of eight bytes each; an edit names the byte that it wants, so that every compiler reads the same
/// script.
class Script {
public:
    Script(const std::uint8_t* data, std::size_t size)
        : m_bytes(data, size) {}

    [[nodiscard]] bool isAtEnd() const { return m_bytes.empty(); }
    void next() { m_bytes = m_bytes.subspan(std::min(m_bytes.size(), bytesOfEdit)); }
    /// 0 behind the end.
    [[nodiscard]] std::size_t below(std::size_t place, std::size_t bound) const {
        return place < m_bytes.size() && bound > 0 ? m_bytes[place] % bound : 0;
    }
    template <std::size_t count>
    [[nodiscard]] const char* oneOf(std::size_t place, const std::array<const char*, count>& words) const {
        return words[below(place, count)];
    }
    /// One to three, of this byte and those behind it.
    [[nodiscard]] std::vector<std::size_t> some(std::size_t place, std::size_t bound) const {
        std::vector<std::size_t> chosen;
        for (std::size_t i = 0; i <= below(place, 3); ++i)
            chosen.push_back(below(place + 1 + i, bound));
        return chosen;
    }

private:
    static constexpr std::size_t bytesOfEdit = 8;
    std::span<const std::uint8_t> m_bytes;
};

constexpr std::array names{"a", "b", "inner", "new", "x/y", "", "\xc3\xa9", "a b", "dense_1", "\x1b[31m"};
constexpr std::array classes{"Dense",          "Add",     "Concatenate", "Flatten",    "Dropout",
                             "Reshape",        "LSTM",    "Conv2D",      "Permute",    "Lambda",
                             "Unknown",        "Softmax", "Embedding",   "Activation", "BatchNormalization",
                             "TimeDistributed"};
constexpr std::array values{"1",   "0",        "-1",   "3",    "4294967296", "9223372036854775807",
                            "0.5", "true",     "null", "[]",   "[2,3]",      "[null,3]",
                            "{}",  "\"relu\"", "\"\"", "1e300"};
constexpr std::array attributes{"units",   "activation",         "name",         "trainable",
                                "rate",    "batch_input_shape",  "dtype",        "use_bias",
                                "unknown", "kernel_initializer", "target_shape", "axis"};
constexpr std::array options{"auto_select_ipus",
                             "allow_recompute",
                             "convolutions.poplar_options",
                             "matmuls.clear_pass_type",
                             "norms.experimental.distributed_batch_norm_replica_group_size",
                             "device_connection.type",
                             "no_such_option",
                             "selection_order"};

core::TensorRef tensor(const Script& script, std::size_t place, const core::ModelGraph& graph) {
    // One byte says both: most layers have one output.
    const std::size_t chosen = script.below(place, 256);
    return {core::InvocationId(chosen % graph.invocations.size()), chosen >= 224 ? 1U : 0U};
}

core::LayerId layer(const Script& script, std::size_t place, const core::ModelGraph& graph) {
    return core::LayerId(script.below(place, graph.layers.size()));
}

std::vector<core::LayerId> someLayers(const Script& script, std::size_t place,
                                      const core::ModelGraph& graph) {
    std::vector<core::LayerId> layers;
    for (const std::size_t index : script.some(place, graph.layers.size()))
        layers.emplace_back(index);
    return layers;
}

core::Json value(const Script& script, std::size_t place) {
    return core::Json::parse(script.oneOf(place, values));
}

// Byte 0 chooses the edit of the project, byte 1 that of its model, those behind are its arguments.

core::Result<core::ModelGraph> editedModel(const Script& script, const core::ModelGraph& graph) {
    if (graph.layers.empty() || graph.invocations.empty())
        return core::addInput(graph, {"InputLayer", "", {{"batch_input_shape", {nullptr, 3}}}});
    const core::InputSlot slot{core::InvocationId(script.below(2, graph.invocations.size())),
                               script.below(3, 3)};
    switch (script.below(1, 16)) {
    case 0: {
        core::NewLayer made{script.oneOf(2, classes), script.oneOf(3, names), core::Json::object()};
        made.attributes[script.oneOf(4, attributes)] = value(script, 5);
        return core::addLayer(graph, made, {tensor(script, 6, graph)});
    }
    case 1:
        return core::addInput(
            graph, {"InputLayer", script.oneOf(2, names), {{"batch_input_shape", value(script, 3)}}});
    case 2:
        return core::addCall(graph, layer(script, 2, graph), {tensor(script, 3, graph)});
    case 3:
        return core::removeLayers(graph, someLayers(script, 3, graph),
                                  core::Reconnect(script.below(2, 2) == 1));
    case 4:
        return core::renameLayer(graph, layer(script, 2, graph), script.oneOf(3, names));
    case 5:
        return core::setAttribute(graph, layer(script, 2, graph), script.oneOf(3, attributes),
                                  value(script, 4));
    case 6:
        return core::replaceClass(graph, layer(script, 2, graph), script.oneOf(3, classes));
    case 7:
        return core::connect(graph, tensor(script, 4, graph), slot);
    case 8:
        return core::disconnect(graph, slot);
    case 9:
        return core::insertOnEdge(graph, slot, {script.oneOf(4, classes), {}, core::Json::object()});
    case 10:
        return core::setOutputs(graph, {tensor(script, 2, graph), tensor(script, 3, graph)});
    case 11:
        return core::duplicateLayers(graph, someLayers(script, 3, graph),
                                     core::IncomingEdges(script.below(2, 2) == 1));
    case 12:
        return core::nestLayers(graph, someLayers(script, 3, graph), script.oneOf(2, names));
    case 13:
        return core::expandModel(graph, layer(script, 2, graph));
    case 14:
        return core::repeatLayers(graph, someLayers(script, 3, graph), script.below(2, 4));
    default:
        return core::pasteLayers(graph, core::copyLayers(graph, someLayers(script, 3, graph)),
                                 script.below(2, 2) == 1);
    }
}

core::Result<core::Project> edited(const Script& script, const core::Project& project) {
    const core::ModelGraph& model = project.model;
    const std::size_t entries = project.assignment.stages.size();
    const auto editing = [&](const core::ModelGraph& graph) { return editedModel(script, graph); };
    const std::vector<std::string> layers{script.oneOf(2, names), script.oneOf(3, names)};
    switch (script.below(0, 34)) {
    case 0:
        return core::assignToStage(project, script.some(3, entries + 2), core::StageId(script.below(2, 6)));
    case 1:
        return core::assignLayersToStage(project, layers, core::StageId(script.below(4, 6)));
    case 2:
        return core::moveCut(project, script.below(2, 4), script.below(3, entries + 2));
    case 3:
        return core::splitEvenly(project, script.below(2, 6));
    case 4:
        return core::withStageOnIpu(project, core::StageId(script.below(2, 5)),
                                    core::IpuId(script.below(3, 8)));
    case 5:
        return core::withStageProportion(project, core::StageId(script.below(2, 5)), script.oneOf(3, values));
    case 6:
        return core::withSchedule(project,
                                  std::array{"Sequential", "Grouped", "Interleaved"}[script.below(2, 3)]);
    case 7:
        return core::withMicroBatches(project, static_cast<std::int64_t>(script.below(2, 256)) - 4);
    case 8:
        return core::withReplicas(project, static_cast<std::int64_t>(script.below(2, 256)) - 4);
    case 9:
        return core::withIpuOption(project, script.oneOf(2, options), value(script, 3));
    case 10:
        return core::withName(project, script.oneOf(2, names));
    case 11:
        return core::withNote(project, layers, script.oneOf(4, values));
    case 12:
        return core::withNoteColour(project, layers, static_cast<std::int64_t>(script.below(4, 9)));
    case 13:
        return core::withLocks(project, layers, script.below(4, 2) == 1);
    case 14:
        if (model.invocations.empty())
            return project;
        return core::withOpaqueLayer(project, {tensor(script, 2, model)});
    case 15:
        if (model.layers.empty())
            return project;
        return core::withLayerName(project, model.layer(layer(script, 2, model)).name,
                                   script.oneOf(3, names));
    case 16:
        return core::withPositions(
            project, {{script.oneOf(2, names), {1.5, static_cast<double>(script.below(3, 9))}}});
    default:
        return core::editModel(project, editing);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    core::Project project = smallProjects()[data[0] % smallProjects().size()];
    constexpr std::size_t mostLayers = 60;
    constexpr int mostEdits = 24;
    Script script(data + 1, size - 1);
    for (int step = 0; step < mostEdits && !script.isAtEnd(); ++step, script.next()) {
        if (project.model.layers.size() >= mostLayers)
            break;
        auto next = edited(script, project);
        if (!next)
            continue;
        project = std::move(*next);
        mustReadBack(project);
        static_cast<void>(core::validateAll(project, core::RunMode::Train));
    }
    return 0;
}
