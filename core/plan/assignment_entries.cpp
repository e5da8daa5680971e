#include "core/plan/assignment_entries.h"

#include <map>

namespace core {

namespace {

/// Walks a model and counts the positions and the calls as it goes.
class EntryCollector {
public:
    std::vector<AssignmentEntry> collect(const ModelGraph& graph, const std::string& prefix) {
        std::vector<AssignmentEntry> entries;
        for (const InvocationId id : assignableInvocations(graph))
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
    std::map<std::string, std::uint32_t> m_calls;
    std::size_t m_next = 0;
};

void flattenInto(std::vector<AssignmentEntry>& out, const std::vector<AssignmentEntry>& entries) {
    for (const AssignmentEntry& entry : entries) {
        if (entry.isNestedModel)
            flattenInto(out, entry.entries);
        else
            out.push_back(entry);
    }
}

} // namespace

std::vector<AssignmentEntry> assignmentEntries(const ModelGraph& graph) {
    return EntryCollector().collect(graph, "");
}

std::vector<AssignmentEntry> flattened(const std::vector<AssignmentEntry>& entries) {
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
