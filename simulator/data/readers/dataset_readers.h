#pragma once

#include "simulator/data/readers/open_dataset.h"
#include "simulator/data/samples/array_source.h"

#include <string_view>

namespace simulator {

// The readers, one file each; only open_dataset.cpp lists them. Keys of a spec are checked when the project
// is read, see core/config/dataset_catalogue.h.

[[nodiscard]] OpenedDataset openIdx(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openCsv(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openNpy(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openNpz(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openImageFolder(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openCifar(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openText(const DatasetRequest& request);
[[nodiscard]] OpenedDataset openSynthetic(const DatasetRequest& request);

// What readers ask of a spec.

/// The path under a key, from the folder of the request; empty where the key is absent.
[[nodiscard]] std::filesystem::path pathOf(const DatasetRequest& request, std::string_view key);
[[nodiscard]] std::string textOf(const DatasetRequest& request, std::string_view key,
                                 std::string_view preset);
[[nodiscard]] std::int64_t integerOf(const DatasetRequest& request, std::string_view key,
                                     std::int64_t preset);
[[nodiscard]] bool switchOf(const DatasetRequest& request, std::string_view key, bool preset);
[[nodiscard]] Extents integersOf(const DatasetRequest& request, std::string_view key);
/// One text or a list of them.
[[nodiscard]] std::vector<std::string> textsOf(const DatasetRequest& request, std::string_view key,
                                               const std::vector<std::string>& preset);
/// The same as paths from the folder of the request.
[[nodiscard]] std::vector<std::filesystem::path> pathsOf(const DatasetRequest& request, std::string_view key);
[[nodiscard]] InputTransform inputTransform(const DatasetRequest& request);

} // namespace simulator
