#include "simulator/engine/training/output_collector.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace simulator {
namespace {

/// The first stage that computes the tensor; those behind it may only pass it on.
std::size_t stageOf(const TrainingReplica& replica, core::TensorId tensor) {
    for (std::size_t stage = 0; stage < replica.stages(); ++stage)
        if (replica.addressIn(stage, tensor) != nullptr)
            return stage;
    return 0;
}

/// The name, or the first of "name_1", "name_2", … that is free.
std::string freeName(const std::string& name, const std::set<std::string>& taken) {
    std::string free = name;
    for (int number = 1; taken.contains(free); ++number)
        free = fmt::format("{}_{}", name, number);
    return free;
}

/// Values of one sample.
std::int64_t valuesPerSample(const ModelOutput& output) {
    std::int64_t values = 1;
    for (std::size_t axis = 1; axis < output.extents.size(); ++axis)
        values *= output.extents[axis];
    return values;
}

core::Diagnostic tooLarge(std::int64_t bytes) {
    return core::makeError(core::Trouble::Input, "predictions/too-large", {"", "/training"},
                           fmt::format("the predictions are {} MiB, more than the {} MiB that are written",
                                       bytes >> 20, mostOutputBytes >> 20),
                           {"predict a smaller dataset, or leave --predictions out: the database keeps the "
                            "first values of each output"});
}

} // namespace

core::Result<OutputCollector> OutputCollector::make(const TrainingReplica& replica,
                                                    const core::TypedGraph& model, std::int64_t batches,
                                                    bool keepsAll) {
    OutputCollector collector;
    std::set<std::string> names;
    std::int64_t bytes = 0;
    const TrainingGraph& graph = replica.graph();
    for (std::size_t i = 0; i < std::min(graph.predictions.size(), model.outputs.size()); ++i) {
        const Tensor& tensor = graph.tensor(graph.predictions[i]);
        ModelOutput output{freeName(model.layerOf(model.outputs[i].invocation).path, names),
                           tensor.type,
                           tensor.extents,
                           {}};
        names.insert(output.name);
        // A number per micro-batch counts as a sample of its own.
        if (output.extents.empty())
            output.extents = {1};
        const std::int64_t perSample = std::max<std::int64_t>(1, valuesPerSample(output));
        Source source{tensor.id, stageOf(replica, tensor.id), static_cast<std::size_t>(tensor.elements()),
                      batches * output.extents.front()};
        const std::int64_t stored = std::min(source.samples, core::storedOutputValues / perSample);
        output.extents.front() = keepsAll ? source.samples : stored;
        const std::int64_t values = output.extents.front() * perSample;
        bytes += values * static_cast<std::int64_t>(sizeof(float));
        if (bytes > mostOutputBytes)
            return core::failure(tooLarge(bytes));
        output.values.resize(static_cast<std::size_t>(values));
        collector.m_sources.push_back(source);
        collector.m_outputs.push_back(std::move(output));
    }
    return collector;
}

void OutputCollector::add(const TrainingReplica& replica, std::size_t stage, std::int64_t batch) {
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        const Source& source = m_sources[i];
        std::vector<float>& kept = m_outputs[i].values;
        const std::size_t first = static_cast<std::size_t>(batch) * source.perBatch;
        if (source.stage != stage || first >= kept.size())
            continue;
        const std::byte* data = replica.addressIn(stage, source.tensor);
        // An output that no operation computes is an input of the model.
        if (data == nullptr)
            data = replica.address(source.tensor);
        if (data == nullptr)
            continue;
        const std::vector<float> values = readElements(replica.graph().tensor(source.tensor), data);
        const std::size_t count = std::min(values.size(), kept.size() - first);
        std::copy_n(values.begin(), count, kept.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

core::ModelOutputRecords OutputCollector::records() const {
    core::ModelOutputRecords records;
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
        const ModelOutput& output = m_outputs[i];
        const std::int64_t perSample = std::max<std::int64_t>(1, valuesPerSample(output));
        const std::int64_t stored = std::min(output.extents.front(), core::storedOutputValues / perSample);
        core::ModelOutputRecord& record = records.outputs.emplace_back();
        record.output = output.name;
        record.shape.assign(output.extents.begin(), output.extents.end());
        record.shape.front() = m_sources[i].samples;
        record.type = core::toString(output.type);
        record.storedSamples = stored;
        const auto count = std::min(output.values.size(), static_cast<std::size_t>(stored * perSample));
        for (std::size_t at = 0; at < count; ++at) {
            const auto place = static_cast<std::int64_t>(at);
            records.values.push_back(
                {output.name, place / perSample, place % perSample, static_cast<double>(output.values[at])});
        }
    }
    return records;
}

} // namespace simulator
