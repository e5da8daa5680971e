#include "views/layers/traffic_matrix.h"

#include "core/model/typed_graph.h"
#include "views/document/stage_lookup.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <set>

namespace views {

namespace {

QString trafficText(const char* text) {
    return QCoreApplication::translate("views::TrafficMatrix", text);
}

/// Bytes of a tensor; a batch axis that is free counts one sample.
double bytesOf(const core::TensorSpec& spec) {
    double elements = 1;
    for (const core::Dimension& extent : spec.shape.dimensions)
        elements *= double(extent.value_or(1));
    return elements * double(core::elementBytes(spec.type));
}

InvocationKey keyOf(const core::TypedGraph& graph, const core::TypedInvocation& call) {
    return {graph.layer(call.layer).path, call.call};
}

QString layerName(const InvocationKey& key) {
    return key.call == 0 ? toQString(key.path)
                         : trafficText("%1, call %2").arg(toQString(key.path)).arg(key.call + 1);
}

/// Group of each call.
std::vector<std::size_t> groupByLayer(const core::TypedGraph& graph, TrafficMatrix& matrix) {
    const std::size_t count = graph.invocations.size();
    const std::size_t run = (count + mostTrafficRows - 1) / std::max<std::size_t>(1, mostTrafficRows);
    std::vector<std::size_t> groupOf(count);
    for (std::size_t i = 0; i < count; ++i) {
        groupOf[i] = i / std::max<std::size_t>(1, run);
        if (groupOf[i] == matrix.groups.size())
            matrix.groups.push_back({layerName(keyOf(graph, graph.invocations[i])), {}});
        TrafficMatrix::Group& group = matrix.groups[groupOf[i]];
        group.calls.push_back(keyOf(graph, graph.invocations[i]));
        if (group.calls.size() > 1)
            group.name =
                trafficText("%1 … %2").arg(layerName(group.calls.front()), layerName(group.calls.back()));
    }
    return groupOf;
}

std::vector<std::size_t> groupByStage(const Document& document, const core::TypedGraph& graph,
                                      TrafficLevel level, TrafficMatrix& matrix) {
    const core::Project& project = document.project();
    const StageLookup& stages = document.stages();
    const bool isPipelined = !project.assignment.stages.empty();
    std::map<std::size_t, std::vector<std::size_t>> byGroup;
    for (std::size_t i = 0; i < graph.invocations.size(); ++i) {
        // An input arrives where the first stage is.
        const auto stage = stages.stageOf(keyOf(graph, graph.invocations[i])).value_or(core::StageId(0));
        const std::size_t group = level == TrafficLevel::Stages || !isPipelined
                                      ? stage.index()
                                      : project.deviceMapping.ipuOf(stage).index();
        byGroup[group].push_back(i);
    }
    std::vector<std::size_t> groupOf(graph.invocations.size());
    for (const auto& [number, calls] : byGroup) {
        TrafficMatrix::Group group;
        group.name =
            (level == TrafficLevel::Stages ? trafficText("Stage %1") : trafficText("IPU %1")).arg(number);
        for (const std::size_t call : calls) {
            groupOf[call] = matrix.groups.size();
            group.calls.push_back(keyOf(graph, graph.invocations[call]));
        }
        matrix.groups.push_back(std::move(group));
    }
    return groupOf;
}

} // namespace

double TrafficMatrix::affinity(std::size_t a, std::size_t b) const {
    if (a == b)
        return 1;
    const auto all = [this](std::size_t which) {
        double sum = 0;
        for (std::size_t other = 0; other < groups.size(); ++other)
            sum += other == which ? 0 : traffic(which, other) + traffic(other, which);
        return sum;
    };
    const double between = traffic(a, b) + traffic(b, a);
    return between <= 0 ? 0 : between / std::min(all(a), all(b));
}

double TrafficMatrix::largestTraffic() const {
    double largest = 0;
    for (std::size_t from = 0; from < groups.size(); ++from) {
        for (std::size_t to = 0; to < groups.size(); ++to)
            largest = std::max(largest, from == to ? 0 : traffic(from, to));
    }
    return largest;
}

TrafficMatrix trafficMatrix(const Document& document, TrafficLevel level) {
    TrafficMatrix matrix;
    if (!document.isOpen() || !document.analysis().graph)
        return matrix;
    const core::TypedGraph& graph = *document.analysis().graph;
    const std::vector<std::size_t> groupOf = level == TrafficLevel::Layers
                                                 ? groupByLayer(graph, matrix)
                                                 : groupByStage(document, graph, level, matrix);
    matrix.bytes.assign(matrix.groups.size() * matrix.groups.size(), 0);
    std::set<std::tuple<std::size_t, std::uint32_t, std::size_t>> sent;
    for (std::size_t reader = 0; reader < graph.invocations.size(); ++reader) {
        for (const core::TensorRef& input : graph.invocations[reader].inputs) {
            const std::size_t maker = input.invocation.index();
            const std::vector<core::TensorSpec>& outputs = graph.invocations[maker].outputs;
            if (input.output >= outputs.size() || !sent.insert({maker, input.output, groupOf[reader]}).second)
                continue;
            matrix.bytes[groupOf[maker] * matrix.groups.size() + groupOf[reader]] +=
                bytesOf(outputs[input.output]);
        }
    }
    return matrix;
}

QString trafficCsv(const TrafficMatrix& matrix) {
    const auto quoted = [](QString text) { return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"'; };
    QString csv = QStringLiteral("from,to,bytes,affinity\n");
    for (std::size_t from = 0; from < matrix.groups.size(); ++from) {
        for (std::size_t to = 0; to < matrix.groups.size(); ++to) {
            if (matrix.traffic(from, to) > 0)
                csv += QStringLiteral("%1,%2,%3,%4\n")
                           .arg(quoted(matrix.groups[from].name), quoted(matrix.groups[to].name))
                           .arg(matrix.traffic(from, to), 0, 'f', 0)
                           .arg(matrix.affinity(from, to), 0, 'f', 4);
        }
    }
    return csv;
}

} // namespace views
