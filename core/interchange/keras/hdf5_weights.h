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
    std::vector<float> values;
};

/// The weights of an HDF5 file in the file's order: `model.save_weights` and `model.save` of Keras 2
/// (layer_names and weight_names attributes, below "model_weights" or at the root), and `.weights.h5` of
/// Keras 3 (groups "layers/NAME/…/vars/N"). Read in a process of its own, which a damaged file cannot take
/// along; nothing outside of the bytes is read. `neededBytes`: of the weights that are looked for. Errors:
/// "hdf5/damaged", "hdf5/no-weights", "hdf5/outside", "hdf5/too-large".
[[nodiscard]] Result<std::vector<StoredWeight>> readHdf5Weights(std::string_view bytes, std::string_view file,
                                                                std::uint64_t neededBytes = 0);

/// The most bytes of values that are unpacked from a file of weights of so many bytes for a model that needs
/// so many.
[[nodiscard]] std::uint64_t valuesBudget(std::uint64_t fileBytes, std::uint64_t neededBytes);

/// An HDF5 file that Keras 2 loads with `model.load_weights`: consecutive weights of one layer in one group.
/// Errors: "hdf5/not-written".
[[nodiscard]] Result<std::string> writeHdf5Weights(std::span<const StoredWeight> weights);

} // namespace core
