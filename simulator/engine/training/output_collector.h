#pragma once

#include "core/base/result.h"
#include "core/model/typed_graph.h"
#include "core/profile/records/output_records.h"
#include "simulator/engine/replica/training_replica.h"

#include <span>
#include <string>
#include <vector>

namespace simulator {

/// All values of one output of a model over a run.
struct ModelOutput {
    /// The layer that makes it; a second output of the same layer is "name_1", as no two have one name.
    std::string name;
    core::DataType type = core::DataType::Float32;
    /// The samples first.
    Extents extents;
    /// Row-major.
    std::vector<float> values;
};

/// Gathers what a model gives while micro-batches leave the pipeline, in the order of the batches, whatever
/// replica computes them and in whatever order.
class OutputCollector {
public:
    /// `batches`: micro-batches of the whole run. `keepsAll`: every sample, else as many as a database
    /// stores. Errors: "predictions/too-large" when all of them are more than `mostOutputBytes`.
    [[nodiscard]] static core::Result<OutputCollector>
    make(const TrainingReplica& replica, const core::TypedGraph& model, std::int64_t batches, bool keepsAll);

    /// After the forward program of a stage: takes the outputs that this stage computes. May be called from
    /// several threads for different batches.
    void add(const TrainingReplica& replica, std::size_t stage, std::int64_t batch);

    [[nodiscard]] const std::vector<ModelOutput>& outputs() const { return m_outputs; }
    /// What the database stores of them.
    [[nodiscard]] core::ModelOutputRecords records() const;

private:
    /// Where an output of a micro-batch is found.
    struct Source {
        core::TensorId tensor;
        std::size_t stage = 0;
        /// Values of one micro-batch.
        std::size_t perBatch = 0;
        /// Of the whole run, beside `ModelOutput::extents` of what is kept.
        std::int64_t samples = 0;
    };

    std::vector<Source> m_sources;
    std::vector<ModelOutput> m_outputs;
};

/// Held in memory while the run goes on, and once more while they are written.
inline constexpr std::int64_t mostOutputBytes = std::int64_t{2} << 30;

} // namespace simulator
