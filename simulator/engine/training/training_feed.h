#pragma once

#include "simulator/data/readers/open_dataset.h"
#include "simulator/data/readers/sample_weights.h"
#include "simulator/data/samples/batch_stream.h"
#include "simulator/data/samples/dataset_split.h"
#include "simulator/data/samples/read_ahead.h"
#include "simulator/graph/training_graph.h"
#include "simulator/numerics/sequence/tensor_store.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace simulator {

/// What a dataset that is made up has to look like for a graph's inputs and targets.
[[nodiscard]] std::vector<WantedField> wantedInputs(const TrainingGraph& graph);
[[nodiscard]] std::vector<WantedField> wantedTargets(const TrainingGraph& graph);

/// Brings the batches of a dataset to the inputs and targets of a model.
class TrainingFeed {
public:
    /// Refuses a dataset that does not fit the model ("dataset/input-shape", "dataset/target-shape",
    /// "dataset/field-count", "dataset/no-targets") and one of less than a batch ("dataset/too-small"). A
    /// dataset without targets serves a model whose outputs have the shapes of its inputs: they are the
    /// targets. Class weights need one class per sample: "dataset/class-weight".
    [[nodiscard]] static core::Result<TrainingFeed> make(std::shared_ptr<const TrainingGraph> graph,
                                                         std::shared_ptr<const SampleSource> source,
                                                         const BatchOptions& options,
                                                         SampleWeights weights = {});

    [[nodiscard]] std::int64_t batchesPerPass() const { return m_stream.batches(); }
    [[nodiscard]] std::vector<std::int64_t> samplesOf(std::int64_t batch) {
        return m_stream.samplesOf(batch);
    }
    [[nodiscard]] std::int64_t batchSize() const { return m_batchSize; }
    /// Writes the samples of a batch into a replica's inputs and targets. Errors: those of reading;
    /// "dataset/label-range" for a class number that the model does not tell apart.
    [[nodiscard]] core::Result<void> write(std::int64_t batch, TensorStore& store);

private:
    /// One tensor of the model and the field it takes.
    struct Channel {
        core::TensorId tensor;
        std::size_t field = 0;
        bool isTarget = false;
        /// Class numbers lie below; 0: no class numbers.
        std::int64_t classes = 0;
        /// The class number that a loss leaves out.
        float ignored = -1;
        std::vector<float> batch;
    };

    TrainingFeed(std::shared_ptr<const TrainingGraph> graph, std::shared_ptr<const SampleSource> source,
                 std::shared_ptr<ReadAheadSource> ahead, const BatchOptions& options, SampleWeights weights)
        : m_graph(std::move(graph))
        , m_ahead(std::move(ahead))
        , m_stream(std::move(source), options)
        , m_batchSize(options.batchSize)
        , m_weights(std::move(weights)) {}

    [[nodiscard]] core::Result<void> addInputs();
    [[nodiscard]] core::Result<void> addTargets();
    void addChannel(core::TensorId tensor, std::size_t field, bool isTarget, std::int64_t classes);
    [[nodiscard]] core::Result<void> read(Channel& channel, std::span<const std::int64_t> samples) const;
    [[nodiscard]] core::Result<void> addWeights();
    [[nodiscard]] core::Result<void> writeWeights(std::span<const std::int64_t> samples,
                                                  TensorStore& store) const;
    [[nodiscard]] core::Result<void> checkLabels(const Channel& channel, std::span<const float> values,
                                                 std::int64_t sample) const;

    std::shared_ptr<const TrainingGraph> m_graph;
    /// The source of the stream where it is read ahead; else null.
    std::shared_ptr<ReadAheadSource> m_ahead;
    BatchStream m_stream;
    std::int64_t m_batchSize;
    SampleWeights m_weights;
    /// Tensors that take them.
    std::vector<core::TensorId> m_weighed;
    std::vector<Channel> m_channels;
};

/// Which samples of a dataset a run or its validation takes.
struct FeedOptions {
    const core::DatasetSpec& dataset;
    const core::TrainingOptions& training;
    /// Relative paths start here.
    std::filesystem::path folder;
    /// 1: nothing is read ahead.
    unsigned threads = 0;
    /// Of as many samples as the dataset has.
    std::function<SampleRange(std::int64_t)> range{};
    /// Classes weigh as the project says.
    bool isWeighted = false;
    /// Where the dataset asks for it.
    bool isShuffled = true;
};

/// Opens a dataset for a graph. Errors: those of the dataset and of TrainingFeed::make.
[[nodiscard]] core::Result<TrainingFeed> openFeed(std::shared_ptr<const TrainingGraph> graph,
                                                  const FeedOptions& options);

} // namespace simulator
