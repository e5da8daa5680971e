#pragma once

#include "views/graph/model/canvas_model.h"

namespace tests {

/// Builds a canvas model by hand, one call after the other.
class CanvasSample {
public:
    /// Adds a call fed by `inputs`; answers its index.
    int add(const QString& name, const QString& className, const std::vector<int>& inputs,
            const QString& attributes = {}, const QString& shape = {});
    /// The stage of every call added so far, by ranges: calls up to `lasts[k]` are on stage k.
    void split(const std::vector<int>& lasts);
    /// Indexes the model and finds its groups.
    views::CanvasModel finish();

private:
    views::CanvasModel m_model;
};

/// ResNet-50 with Keras' names, split over `stages` as evenly as the blocks allow.
[[nodiscard]] views::CanvasModel resnet50(std::size_t stages);

/// A chain of `count` dense layers.
[[nodiscard]] views::CanvasModel chain(int count, std::size_t stages);

/// An encoder and a decoder with long skips: tensors that pass through stages.
[[nodiscard]] views::CanvasModel unet(std::size_t stages);

} // namespace tests
