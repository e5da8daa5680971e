#pragma once

#include "core/model/graph/flattened_model.h"
#include "core/model/graph/infer_shapes.h"

#include <list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace core {

/// What is known of a model before a project's rules are asked about it.
struct ExaminedModel {
    /// Nothing where the model's structure is broken. Refers to the model that was examined.
    std::optional<FlattenedModel> flattened;
    /// As far as shapes are known; null where the model's structure is broken.
    std::shared_ptr<const TypedGraph> graph;
    /// Of the structure where it is broken, else of the shapes.
    Diagnostics findings;
    /// Layers that do less than one would think.
    Diagnostics layerWarnings = {};
    /// Regularizers that add nothing to the loss of a training, each class once.
    Diagnostics trainingWarnings = {};
};

[[nodiscard]] ExaminedModel examineModel(const ModelGraph& model, const InferenceOptions& options);

/// A model that many projects share: it is examined once for each batch size, precision and declaration of
/// layers that they ask for, so that a project which differs elsewhere does not infer its shapes again. Used
/// by one thread.
class ModelExaminer {
public:
    explicit ModelExaminer(ModelGraph model)
        : m_model(std::make_shared<const ModelGraph>(std::move(model))) {}

    [[nodiscard]] const ModelGraph& model() const { return *m_model; }
    /// Of the model with the options; shared, because only the latest few are remembered.
    [[nodiscard]] std::shared_ptr<const ExaminedModel> examined(const InferenceOptions& options);

private:
    /// Its address stays, whatever becomes of the examiner.
    std::shared_ptr<const ModelGraph> m_model;
    /// The latest first.
    std::list<std::pair<InferenceOptions, std::shared_ptr<const ExaminedModel>>> m_known;
};

} // namespace core
