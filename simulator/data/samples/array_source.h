#pragma once

#include "simulator/data/files/array_file.h"
#include "simulator/data/samples/sample_source.h"

#include <memory>
#include <vector>

namespace simulator {

/// How values of a file become inputs of a model.
struct InputTransform {
    /// Divides every input.
    double scale = 1;
    /// Extents of one input instead of the file's; empty: the file's.
    Extents shape;
};

/// The shape of one input after the transform. Refuses a shape of another number of values: "dataset/shape".
[[nodiscard]] core::Result<Extents> transformedShape(const InputTransform& transform, const Extents& stored,
                                                     const std::filesystem::path& file);
/// Divides by the scale as float64, as `x / 255.0` does in NumPy.
void scaleInputs(const InputTransform& transform, std::span<float> values);

/// Samples whose inputs and targets are rows of arrays, one for each input and target of a model. Refuses
/// arrays of different length, "dataset/sample-counts", and a shape for several inputs, "dataset/shape".
[[nodiscard]] core::Result<std::shared_ptr<const SampleSource>>
makeArraySource(std::vector<ArrayFile> inputs, std::vector<ArrayFile> targets,
                const InputTransform& transform);

} // namespace simulator
