#include "core/model/edit/edit_rules.h"
#include "core/model/edit/splice_edit.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

Result<ModelGraph> connect(const ModelGraph& graph, TensorRef source, InputSlot slot) {
    if (auto objection = objectionTo(graph, source))
        return failure(*objection);
    if (slot.invocation.index() >= graph.invocations.size())
        return refuseEdit("no-such-layer", "", "the layer to be fed does not exist any more",
                          {"choose a layer of the model as it is now"});
    const Layer& target = graph.layer(slot.invocation);
    const std::size_t given = graph.invocation(slot.invocation).inputs.size();
    if (target.className == "InputLayer")
        return refuseEdit("too-many-inputs", target.name, "an input is fed by the data",
                          {"feed another layer"});
    if (slot.input > given || (slot.input == given && given >= mostInputs(target)))
        return refuseEdit("too-many-inputs", target.name,
                          fmt::format("{} takes at most {} input{}", target.className, mostInputs(target),
                                      mostInputs(target) == 1 ? "" : "s"),
                          {given == 0 ? std::string("use input 0")
                                      : fmt::format("replace one of the inputs 0 to {}", given - 1)});
    if (reaches(graph, slot.invocation, source.invocation))
        return refuseEdit("cycle", target.name,
                          fmt::format("\"{}\" already depends on \"{}\": the model would have a cycle",
                                      graph.layer(source.invocation).name, target.name),
                          {"feed it from a layer that comes before it"});
    ModelGraph edited = graph;
    LayerInvocation& invocation = edited.invocations[slot.invocation.index()];
    if (slot.input < given)
        invocation.inputs[slot.input] = source;
    else
        appendInput(edited, invocation, source);
    if (!isUsed(graph, source))
        handOnOutput(edited, source, slot.invocation);
    return settle(graph, std::move(edited));
}

Result<ModelGraph> disconnect(const ModelGraph& graph, InputSlot slot) {
    if (slot.invocation.index() >= graph.invocations.size() ||
        slot.input >= graph.invocation(slot.invocation).inputs.size())
        return refuseEdit("no-such-edge", "", "the connection does not exist any more",
                          {"choose a connection of the model as it is now"});
    ModelGraph edited = graph;
    removeInput(edited.invocations[slot.invocation.index()], slot.input);
    return settle(graph, std::move(edited));
}

Result<ModelGraph> insertOnEdge(const ModelGraph& graph, InputSlot slot, const NewLayer& wanted) {
    if (slot.invocation.index() >= graph.invocations.size() ||
        slot.input >= graph.invocation(slot.invocation).inputs.size())
        return refuseEdit("no-such-edge", "", "the connection does not exist any more",
                          {"choose a connection of the model as it is now"});
    Result<Layer> layer = makeLayer(graph, wanted);
    if (!layer)
        return failure(layer.error());
    const TensorRef source = graph.invocation(slot.invocation).inputs[slot.input];
    if (auto objection = objectionToInputs(graph, *layer, {source}))
        return failure(*objection);
    ModelGraph edited = graph;
    const InvocationId added = appendCall(edited, std::move(*layer), {source});
    edited.invocations[slot.invocation.index()].inputs[slot.input] = {added, 0};
    return settle(graph, std::move(edited));
}

Result<ModelGraph> insertBehind(const ModelGraph& graph, TensorRef source, const NewLayer& wanted) {
    Result<Layer> layer = makeLayer(graph, wanted);
    if (!layer)
        return failure(layer.error());
    if (auto objection = objectionTo(graph, source))
        return failure(*objection);
    if (auto objection = objectionToInputs(graph, *layer, {source}))
        return failure(*objection);
    ModelGraph edited = graph;
    const InvocationId added = appendCall(edited, std::move(*layer), {source});
    for (LayerInvocation& reader : edited.invocations) {
        if (reader.id != added)
            std::ranges::replace(reader.inputs, source, TensorRef{added, 0});
    }
    return settle(graph, std::move(edited));
}

Result<ModelGraph> setOutputs(const ModelGraph& graph, const std::vector<TensorRef>& outputs) {
    for (const TensorRef& output : outputs) {
        if (auto objection = objectionTo(graph, output))
            return failure(*objection);
    }
    if (outputs.empty())
        return refuseEdit("no-output", "", "a model needs an output", {"choose the last layer"});
    ModelGraph edited = graph;
    edited.outputs = outputs;
    return settle(std::move(edited));
}

} // namespace core
