#include "simulator/engine/training/training_feed.h"

#include "simulator/data/files/byte_source.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace simulator {
namespace {

using core::TensorId;

Extents sampleExtents(const Tensor& tensor) {
    return tensor.extents.empty() ? Extents{} : Extents(tensor.extents.begin() + 1, tensor.extents.end());
}

/// Without extents of 1: [28, 28, 1] is as good as [28, 28].
Extents squeezed(Extents extents) {
    std::erase(extents, 1);
    return extents;
}

bool asksToShuffle(const core::DatasetSpec& spec) {
    const auto found = spec.parameters.find("shuffle");
    return found != spec.parameters.end() && found->is_boolean() && found->get<bool>();
}

bool movesValues(const Operation& operation) {
    return std::holds_alternative<Cast>(operation.attributes) ||
           std::holds_alternative<Reshape>(operation.attributes) ||
           std::holds_alternative<Slice>(operation.attributes) ||
           std::holds_alternative<Transpose>(operation.attributes) ||
           std::holds_alternative<Copy>(operation.attributes);
}

/// How many different numbers an input may hold where it is looked up in a table; 0 where it is not.
/// `withClipped`: host embeddings that move other indices into their table count too.
std::int64_t indexLimit(const TrainingGraph& graph, TensorId input, bool withClipped) {
    std::int64_t limit = 0;
    std::vector<bool> isInput(graph.tensors.size(), false);
    isInput[input.index()] = true;
    for (const Operation& operation : graph.operations) {
        if (operation.inputs.empty())
            continue;
        if (movesValues(operation) && isInput[operation.inputs.front().index()])
            isInput[operation.outputs.front().index()] = true;
        std::int64_t found = 0;
        if (const auto* gather = std::get_if<Gather>(&operation.attributes);
            gather && isInput[operation.inputs[1].index()])
            found = graph.tensor(operation.inputs[0]).extents[static_cast<std::size_t>(gather->axis)];
        if (const auto* lookup = std::get_if<HostLookup>(&operation.attributes);
            lookup && isInput[operation.inputs[1].index()] && (withClipped || !lookup->clipIndices))
            found = graph.tensor(operation.inputs[0]).extents[0];
        if (const auto* oneHot = std::get_if<OneHot>(&operation.attributes);
            oneHot && isInput[operation.inputs[0].index()])
            found = oneHot->depth;
        if (found > 0)
            limit = limit == 0 ? found : std::min(limit, found);
    }
    return limit;
}

/// The loss that reads a target, or what a loss function makes of its form; null where none does.
const Operation* lossOf(const TrainingGraph& graph, TensorId target) {
    std::vector<bool> isTarget(graph.tensors.size(), false);
    isTarget[target.index()] = true;
    for (const Operation& operation : graph.operations) {
        if (std::holds_alternative<Loss>(operation.attributes) && isTarget[operation.inputs[1].index()])
            return &operation;
        if (!operation.inputs.empty() && movesValues(operation) && isTarget[operation.inputs.front().index()])
            isTarget[operation.outputs.front().index()] = true;
    }
    return nullptr;
}

/// Width of the prediction that a target is compared with; 0 where no loss reads it.
std::int64_t predictionWidth(const TrainingGraph& graph, TensorId target) {
    const Operation* loss = lossOf(graph, target);
    if (loss == nullptr)
        return 0;
    const Extents& extents = graph.tensor(loss->inputs[0]).extents;
    return extents.empty() ? 1 : extents.back();
}

bool isClassNumber(const Tensor& target) {
    return !core::isFloating(target.type);
}

std::string text(const Extents& extents) {
    return fmt::format("[{}]", fmt::join(extents, ", "));
}

core::Diagnostic mismatch(const std::string& what, const SampleField& field, const Tensor& tensor,
                          std::string hint) {
    return datasetTrouble(fmt::format("dataset/{}-shape", what), field.name, "",
                          fmt::format("gives {}s of the shape {}, \"{}\" takes {}", what, text(field.extents),
                                      tensor.name, text(sampleExtents(tensor))),
                          std::move(hint));
}

std::string targetHint(const SampleField& field, const Tensor& tensor) {
    const bool isNumber = squeezed(field.extents).empty();
    if (isNumber && !isClassNumber(tensor))
        return "use a sparse loss (SparseCategoricalCrossentropy) for class numbers, or one output";
    if (isClassNumber(tensor))
        return "use CategoricalCrossentropy for targets of one value per class, or give class numbers";
    return "give targets of the output's shape";
}

} // namespace

std::vector<WantedField> wantedInputs(const TrainingGraph& graph) {
    std::vector<WantedField> fields;
    for (const TensorId id : graph.inputs) {
        const Tensor& tensor = graph.tensor(id);
        std::int64_t limit = indexLimit(graph, id, true);
        if (limit == 0 && !core::isFloating(tensor.type))
            limit = 2;
        fields.push_back({sampleExtents(tensor),
                          limit > 0 ? WantedField::Kind::Classes : WantedField::Kind::Numbers, limit});
    }
    return fields;
}

std::vector<WantedField> wantedTargets(const TrainingGraph& graph) {
    std::vector<WantedField> fields;
    for (const TensorId id : graph.targets) {
        const Tensor& tensor = graph.tensor(id);
        WantedField field{sampleExtents(tensor), WantedField::Kind::Numbers, 0};
        const std::int64_t width = field.extents.empty() ? 1 : field.extents.back();
        if (isClassNumber(tensor)) {
            field.kind = WantedField::Kind::Classes;
            field.classes = predictionWidth(graph, id);
            if (field.classes == 0) // a loss function looks them up
                field.classes = indexLimit(graph, id, true);
        } else if (width > 1) {
            field.kind = WantedField::Kind::OneHot;
            field.classes = width;
        }
        fields.push_back(std::move(field));
    }
    return fields;
}

core::Result<TrainingFeed> TrainingFeed::make(std::shared_ptr<const TrainingGraph> graph,
                                              std::shared_ptr<const SampleSource> source,
                                              const BatchOptions& options, SampleWeights weights) {
    std::shared_ptr<ReadAheadSource> ahead;
    if (options.readsAhead && source->isDecoded())
        source = ahead = std::make_shared<ReadAheadSource>(source);
    TrainingFeed feed(std::move(graph), std::move(source), std::move(ahead), options, std::move(weights));
    if (feed.m_stream.batches() < 1)
        return core::failure(
            datasetTrouble("dataset/too-small", feed.m_stream.source().inputs().front().name, "",
                           fmt::format("has fewer samples than one batch of {}", options.batchSize),
                           "use a smaller batch or more samples"));
    if (auto result = feed.addInputs(); !result)
        return core::failure(result.error());
    if (auto result = feed.addTargets(); !result)
        return core::failure(result.error());
    if (auto result = feed.addWeights(); !result)
        return core::failure(result.error());
    return feed;
}

void TrainingFeed::addChannel(TensorId tensor, std::size_t field, bool isTarget, std::int64_t classes) {
    const auto elements = static_cast<std::size_t>(m_graph->tensor(tensor).elements());
    const Operation* loss = isTarget ? lossOf(*m_graph, tensor) : nullptr;
    const float ignored = loss && isClassNumber(m_graph->tensor(tensor))
                              ? static_cast<float>(std::get<Loss>(loss->attributes).parameter)
                              : -1.0F;
    m_channels.push_back({tensor, field, isTarget, classes, ignored, std::vector<float>(elements)});
}

core::Result<void> TrainingFeed::addInputs() {
    const std::vector<SampleField>& fields = m_stream.source().inputs();
    if (fields.size() != m_graph->inputs.size())
        return core::failure(
            datasetTrouble("dataset/field-count", fields.front().name, "",
                           fmt::format("the model takes {} inputs, the dataset gives {}",
                                       m_graph->inputs.size(), fields.size()),
                           "use a dataset with an array for every input (or a synthetic one)"));
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const Tensor& tensor = m_graph->tensor(m_graph->inputs[i]);
        if (squeezed(fields[i].extents) != squeezed(sampleExtents(tensor)))
            return core::failure(
                mismatch("input", fields[i], tensor,
                         fields[i].elements() == elementCount(sampleExtents(tensor))
                             ? fmt::format("add \"shape\": {} to the dataset", text(sampleExtents(tensor)))
                             : "change the model's input, or choose other data"));
        addChannel(tensor.id, i, false, indexLimit(*m_graph, tensor.id, false));
    }
    return {};
}

core::Result<void> TrainingFeed::addTargets() {
    const std::vector<TensorId>& targets = m_graph->targets;
    const std::vector<SampleField>& fields = m_stream.source().targets();
    const bool repeatsInputs = fields.empty();
    const std::vector<SampleField>& given = repeatsInputs ? m_stream.source().inputs() : fields;
    if (targets.empty())
        return {};
    if (given.size() != targets.size())
        return core::failure(
            datasetTrouble("dataset/field-count", given.front().name, "",
                           fmt::format("the model has {} outputs to train, the dataset gives {} targets",
                                       targets.size(), given.size()),
                           "use a dataset with an array for every output (or a synthetic one)"));
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Tensor& tensor = m_graph->tensor(targets[i]);
        if (squeezed(given[i].extents) == squeezed(sampleExtents(tensor))) {
            addChannel(tensor.id, i, !repeatsInputs,
                       isClassNumber(tensor) ? predictionWidth(*m_graph, tensor.id) : 0);
            continue;
        }
        if (repeatsInputs)
            return core::failure(datasetTrouble(
                "dataset/no-targets", given[i].name, "", "the dataset has no targets to train on",
                "give \"labels\"; only a model whose output has its input's shape trains without"));
        return core::failure(mismatch("target", given[i], tensor, targetHint(given[i], tensor)));
    }
    return {};
}

core::Result<void> TrainingFeed::checkLabels(const Channel& channel, std::span<const float> values,
                                             std::int64_t sample) const {
    if (channel.classes == 0)
        return {};
    const auto wrong = std::ranges::find_if(values, [&](float value) {
        const bool isClass =
            value >= 0 && value < static_cast<float>(channel.classes) && value == std::floor(value);
        return !isClass && !(channel.isTarget && value == channel.ignored);
    });
    if (wrong == values.end())
        return {};
    const auto& fields = channel.isTarget ? m_stream.source().targets() : m_stream.source().inputs();
    return core::failure(
        datasetTrouble("dataset/label-range", fields[channel.field].name, fmt::format("sample {}", sample),
                       fmt::format("{} is no number from 0 to {}, which is all \"{}\" tells apart", *wrong,
                                   channel.classes - 1, m_graph->tensor(channel.tensor).name),
                       "number the classes from 0, or widen the model"));
}

core::Result<void> TrainingFeed::read(Channel& channel, std::span<const std::int64_t> samples) const {
    const std::size_t elements = channel.batch.size() / samples.size();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::span<float> values = std::span(channel.batch).subspan(i * elements, elements);
        auto result = channel.isTarget ? m_stream.source().readTarget(channel.field, samples[i], values)
                                       : m_stream.source().readInput(channel.field, samples[i], values);
        if (result)
            result = checkLabels(channel, values, samples[i]);
        if (!result)
            return result;
    }
    return {};
}

core::Result<void> TrainingFeed::addWeights() {
    // What the host writes beside inputs and targets are the weights of the samples.
    for (const Tensor& tensor : m_graph->tensors)
        if (tensor.role == TensorRole::Target &&
            std::ranges::find(m_graph->targets, tensor.id) == m_graph->targets.end())
            m_weighed.push_back(tensor.id);
    if (!m_weights.countClasses())
        return {};
    const std::vector<SampleField>& targets = m_stream.source().targets();
    if (targets.size() == 1 && (targets[0].extents.size() < 2 || targets[0].elements() == 1))
        return {};
    return core::failure(datasetTrouble(
        "dataset/class-weight", targets.empty() ? "" : targets[0].name, "",
        fmt::format("class weights need one target of one class per sample, the dataset gives {}",
                    targets.size() == 1 ? fmt::format("targets of the shape {}", text(targets[0].extents))
                                        : fmt::format("{} targets", targets.size())),
        "use \"sample_weights\""));
}

core::Result<void> TrainingFeed::writeWeights(std::span<const std::int64_t> samples,
                                              TensorStore& store) const {
    if (m_weighed.empty())
        return {};
    std::vector<float> weights;
    std::vector<float> target(m_weights.countClasses()
                                  ? static_cast<std::size_t>(m_stream.source().targets().front().elements())
                                  : 0);
    for (const std::int64_t sample : samples) {
        if (m_weights.countClasses())
            if (auto result = m_stream.source().readTarget(0, sample, target); !result)
                return result;
        const auto weight = m_weights.of(sample, target);
        if (!weight)
            return core::failure(weight.error());
        weights.push_back(*weight);
    }
    for (const TensorId id : m_weighed)
        store.write(id, weights);
    return {};
}

core::Result<void> TrainingFeed::write(std::int64_t batch, TensorStore& store) {
    const std::vector<std::int64_t> samples = m_stream.samplesOf(batch);
    for (Channel& channel : m_channels) {
        if (auto result = read(channel, samples); !result)
            return result;
        store.write(channel.tensor, channel.batch);
    }
    if (m_ahead)
        m_ahead->expect(m_stream.samplesOf(batch + 1));
    return writeWeights(samples, store);
}

namespace {

/// With a synthetic infeed nothing of the dataset arrives: as many samples are made up.
OpenedDataset openSource(const DatasetRequest& request, const core::TrainingOptions& training) {
    OpenedDataset source = openDataset(request);
    if (!source || !training.syntheticData.infeed)
        return source;
    DatasetRequest madeUp = request;
    madeUp.spec = {"synthetic", {{"samples", (*source)->samples()}}};
    return openDataset(madeUp);
}

} // namespace

core::Result<TrainingFeed> openFeed(std::shared_ptr<const TrainingGraph> graph, const FeedOptions& options) {
    const DatasetRequest request{options.dataset, options.folder, wantedInputs(*graph),
                                 wantedTargets(*graph)};
    auto source = openSource(request, options.training);
    if (!source)
        return core::failure(source.error());
    const std::int64_t samples = (*source)->samples();
    auto weights = SampleWeights::open(request, samples, options.isWeighted);
    if (!weights)
        return core::failure(weights.error());
    const SampleRange range = options.range(samples);
    const BatchOptions batches{options.training.batchSize,
                               options.isShuffled && asksToShuffle(options.dataset),
                               options.training.seed,
                               range.first,
                               range.count,
                               options.threads != 1};
    return TrainingFeed::make(std::move(graph), *source, batches, std::move(*weights));
}

} // namespace simulator
