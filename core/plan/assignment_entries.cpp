#include "core/plan/assignment_entries.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace core {

namespace {

/// Walks a model and counts the positions and the calls as it goes.
class EntryCollector {
public:
    std::vector<AssignmentEntry> collect(const ModelGraph& graph, const std::string& prefix) {
        const std::vector<InvocationId> order = assignableInvocations(graph);
        std::vector<AssignmentEntry> entries;
        entries.reserve(order.size());
        for (const InvocationId id : order)
            entries.push_back(entryOf(graph, graph.invocation(id), prefix));
        // A nested model that is called again goes on counting the calls of its layers.
        for (const LayerInvocation& invocation : graph.invocations)
            ++m_calls[prefix + graph.layer(invocation.layer).name];
        return entries;
    }

private:
    AssignmentEntry entryOf(const ModelGraph& graph, const LayerInvocation& invocation,
                            const std::string& prefix) {
        const Layer& layer = graph.layer(invocation.layer);
        AssignmentEntry entry;
        entry.name = layer.name;
        entry.className = layer.className;
        entry.path = prefix + layer.name;
        entry.call = m_calls[entry.path] + invocation.call;
        entry.inputs.reserve(invocation.inputs.size());
        for (const TensorRef& input : invocation.inputs)
            entry.inputs.push_back(graph.layer(input.invocation).name);
        entry.index = m_next;
        entry.isNestedModel = layer.isNestedModel();
        if (entry.isNestedModel)
            entry.entries = collect(*layer.model, entry.path + "/");
        else
            ++m_next;
        return entry;
    }

    /// Calls of layers in earlier calls of their model.
    std::unordered_map<std::string, std::uint32_t> m_calls;
    std::size_t m_next = 0;
};

void flattenInto(std::vector<AssignmentEntry>& out, std::vector<AssignmentEntry>& entries) {
    for (AssignmentEntry& entry : entries) {
        if (entry.isNestedModel)
            flattenInto(out, entry.entries);
        else
            out.push_back(std::move(entry));
    }
}

} // namespace

std::vector<AssignmentEntry> assignmentEntries(const ModelGraph& graph) {
    return EntryCollector().collect(graph, "");
}

std::vector<AssignmentEntry> flattened(std::vector<AssignmentEntry> entries) {
    const auto isNested = [](const AssignmentEntry& entry) { return entry.isNestedModel; };
    if (std::ranges::none_of(entries, isNested))
        return entries;
    std::vector<AssignmentEntry> out;
    flattenInto(out, entries);
    return out;
}

std::size_t countOf(const std::vector<AssignmentEntry>& entries) {
    std::size_t count = 0;
    for (const AssignmentEntry& entry : entries)
        count += entry.isNestedModel ? countOf(entry.entries) : 1;
    return count;
}

} // namespace core
