#pragma once

#include "core/config/dataset_spec.h"
#include "core/config/training_options.h"
#include "core/interchange/python/writer/text/python_text.h"
#include "core/model/model_graph.h"
#include "core/model/opaque_layer.h"

#include <string>
#include <vector>

namespace core {

/// What a function that makes a dataset is written from.
struct DatasetProgram {
    /// Of the function.
    std::string name = "create_dataset";
    /// The dictionary that holds the keys of `dataset`.
    std::string constant = "DATASET";
    /// Null: samples are made up.
    const DatasetSpec* dataset = nullptr;
    const ModelGraph* model = nullptr;
    bool isRepeated = true;
    /// Of the model's outputs, one for all or one for each: made-up targets are what they compare with.
    std::vector<KerasObject> losses = {};
    OpaqueLayers opaqueLayers = {};
};

/// Writes `def create_dataset():` with the functions of TensorFlow that both editions have: batches of
/// BATCH_SIZE samples as the readers of this program give them, (inputs, targets) or with what each sample
/// counts for behind them. Where a model has several inputs or outputs, they are in tuples.
void writeDatasetProgram(PythonText& text, const DatasetProgram& program);

} // namespace core
