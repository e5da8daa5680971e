#pragma once

#include "core/base/json.h"
#include "core/base/object_reader.h"
#include "core/config/dataset_spec.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

enum class DatasetKeyType : std::uint8_t {
    Path,
    Paths, ///< one path or a list of them
    Text,
    Texts, ///< one text or a list of them
    Number,
    Integer,
    Integers,
    Numbers,
    Switch,
    Choice ///< one of DatasetKey::choices
};

/// A key of a dataset in a project file.
struct DatasetKey {
    std::string_view name;
    DatasetKeyType type = DatasetKeyType::Text;
    bool required = false;
    double low = 0;
    double high = 0;
    /// What it means and its default.
    std::string_view meaning;
    std::vector<std::string_view> choices = {};
};

/// A reader of samples and its keys.
struct DatasetKind {
    std::string_view name;
    std::string_view meaning;
    std::vector<DatasetKey> keys;
};

/// "idx", "csv", "npy", "npz", "image_folder", "cifar10", "text", "synthetic".
[[nodiscard]] const std::vector<DatasetKind>& datasetKinds();
/// Keys that every kind has.
[[nodiscard]] const std::vector<DatasetKey>& commonDatasetKeys();

/// Reads a dataset section strictly. Null `value`: no dataset.
[[nodiscard]] std::optional<DatasetSpec> readDatasetSpec(const Json& value, const std::string& file,
                                                         const std::string& pointer, Diagnostics& findings);
[[nodiscard]] Json toJson(const DatasetSpec& dataset);

} // namespace core
