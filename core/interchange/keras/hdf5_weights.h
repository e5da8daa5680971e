#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A weight as a file of weights names it.
struct StoredWeight {
    /// The layer (of a nested model: the model) that the file lists it under.
    std::string layer;
    /// The weight's own name there: "dense/kernel:0", "vars/0".
    std::string name;
    std::vector<std::int64_t> extents;
    /// None where they were not wanted.
    std::vector<float> values;
};

/// The most bytes of values that are taken from an HDF5 file of `fileSize` bytes: enough for weights that
/// were stored with half precision, or packed while there are few.
[[nodiscard]] std::uint64_t hdf5ValueBytes(std::uint64_t fileSize);

/// The weights of an HDF5 file in the file's order: `model.save_weights` and `model.save` of Keras 2
/// (layer_names and weight_names attributes, below "model_weights" or at the root), and `.weights.h5` of
/// Keras 3 (groups "layers/NAME/…/vars/N"). Weights of more than `mostElements` elements come without their
/// values: nobody can need them. Hostile files can hold libhdf5 up for ever: see `hdf5Weights`. Errors:
/// those of Hdf5File, "hdf5/damaged", "hdf5/no-weights", "hdf5/size".
[[nodiscard]] Result<std::vector<StoredWeight>> readHdf5Weights(std::string_view bytes, std::string_view file,
                                                                std::int64_t mostElements);

/// An HDF5 file that Keras 2 loads with `model.load_weights`: consecutive weights of one layer in one group.
/// Errors: "hdf5/not-written".
[[nodiscard]] Result<std::string> writeHdf5Weights(std::span<const StoredWeight> weights);

} // namespace core
