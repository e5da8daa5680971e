#pragma once

#include "simulator/data/array_source.h"
#include "simulator/data/open_dataset.h"

#include <string_view>

namespace simulator {

// The readers, one file each; only open_dataset.cpp lists them. Keys of a spec are checked when the project
// is read, see core/config/dataset_catalogue.h.

[[nodiscard]] OpenedDataset openIdx(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openCsv(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openNpy(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openNpz(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openSynthetic(const DatasetRequest& request);

// What readers ask of a spec.

/// The path under a key, from the folder of the request; empty where the key is absent.
[[nodiscard]] std::filesystem::path pathOf(const DatasetRequest& request, std::string_view key);
[[nodiscard]] std::string textOf(const DatasetRequest& request, std::string_view key,
                                 std::string_view preset);
[[nodiscard]] std::int64_t integerOf(const DatasetRequest& request, std::string_view key,
                                     std::int64_t preset);
[[nodiscard]] InputTransform inputTransform(const DatasetRequest& request);

} // namespace simulator
