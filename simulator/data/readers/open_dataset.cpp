#include "simulator/data/readers/open_dataset.h"

#include "core/config/dataset_catalogue.h"
#include "simulator/data/readers/dataset_readers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace simulator {
namespace {

struct DatasetReader {
    std::string_view kind;
    OpenedDataset (*open)(const DatasetRequest&);
};

constexpr std::array readers{
    DatasetReader{"idx", openIdx},
    DatasetReader{"csv", openCsv},
    DatasetReader{"npy", openNpy},
    DatasetReader{"npz", openNpz},
    DatasetReader{"image_folder", openImageFolder},
    DatasetReader{"cifar10", openCifar},
    DatasetReader{"text", openText},
    DatasetReader{"synthetic", openSynthetic},
};

const core::Json* find(const DatasetRequest& request, std::string_view key) {
    const auto found = request.spec.parameters.find(key);
    return found == request.spec.parameters.end() ? nullptr : &*found;
}

/// Whether there is nothing under a key, or an empty name.
bool isMissing(const core::Json* value) {
    return value == nullptr || (value->is_string() && value->get_ref<const std::string&>().empty()) ||
           (value->is_array() && std::ranges::all_of(*value, [](const core::Json& one) {
                return one.is_string() && one.get_ref<const std::string&>().empty();
            }));
}

/// A key that the kind needs and the request does not have.
std::optional<std::string_view> missingKey(const DatasetRequest& request) {
    for (const core::DatasetKind& kind : core::datasetKinds())
        for (const core::DatasetKey& key : kind.keys)
            if (kind.name == request.spec.kind && key.required && isMissing(find(request, key.name)))
                return key.name;
    return std::nullopt;
}

} // namespace

OpenedDataset openDataset(const DatasetRequest& request) {
    const auto reader = std::ranges::find(readers, request.spec.kind, &DatasetReader::kind);
    if (reader == readers.end()) {
        std::vector<std::string_view> names;
        std::ranges::transform(readers, std::back_inserter(names), &DatasetReader::kind);
        return core::failure(
            datasetTrouble("dataset/unknown-kind", {}, "/training/dataset/kind",
                           fmt::format("no reader for datasets of the kind \"{}\"", request.spec.kind),
                           fmt::format("use {}", fmt::join(names, ", "))));
    }
    if (const auto missing = missingKey(request))
        return core::failure(datasetTrouble("dataset/missing-key", {}, "/training/dataset",
                                            fmt::format("\"{}\" is missing or empty", *missing),
                                            fmt::format("add \"{}\" to the dataset", *missing)));
    auto source = reader->open(request);
    if (source && (*source)->samples() < 1)
        return core::failure(datasetTrouble("dataset/empty",
                                            (*source)->inputs().empty() ? "" : (*source)->inputs()[0].name,
                                            "", "holds no sample", "give a file with samples"));
    return source;
}

std::filesystem::path pathOf(const DatasetRequest& request, std::string_view key) {
    const core::Json* value = find(request, key);
    return value && value->is_string() ? request.folder / value->get<std::string>() : std::filesystem::path();
}

std::string textOf(const DatasetRequest& request, std::string_view key, std::string_view preset) {
    const core::Json* value = find(request, key);
    return value && value->is_string() ? value->get<std::string>() : std::string(preset);
}

std::int64_t integerOf(const DatasetRequest& request, std::string_view key, std::int64_t preset) {
    const core::Json* value = find(request, key);
    return value && value->is_number() ? value->get<std::int64_t>() : preset;
}

bool switchOf(const DatasetRequest& request, std::string_view key, bool preset) {
    const core::Json* value = find(request, key);
    return value && value->is_boolean() ? value->get<bool>() : preset;
}

Extents integersOf(const DatasetRequest& request, std::string_view key) {
    const core::Json* value = find(request, key);
    return value && value->is_array() ? value->get<Extents>() : Extents();
}

std::vector<std::string> textsOf(const DatasetRequest& request, std::string_view key,
                                 const std::vector<std::string>& preset) {
    const core::Json* value = find(request, key);
    if (value && value->is_string())
        return {value->get<std::string>()};
    return value && value->is_array() ? value->get<std::vector<std::string>>() : preset;
}

std::vector<std::filesystem::path> pathsOf(const DatasetRequest& request, std::string_view key) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& text : textsOf(request, key, {}))
        paths.push_back(request.folder / text);
    return paths;
}

InputTransform inputTransform(const DatasetRequest& request) {
    InputTransform transform;
    if (const core::Json* scale = find(request, "scale"); scale && scale->is_number())
        transform.scale = scale->get<double>();
    if (const core::Json* shape = find(request, "shape"); shape && shape->is_array())
        transform.shape = shape->get<Extents>();
    return transform;
}

} // namespace simulator
