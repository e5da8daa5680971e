#include "simulator/data/open_dataset.h"

#include "simulator/data/dataset_readers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

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
    DatasetReader{"synthetic", openSynthetic},
};

const core::Json* find(const DatasetRequest& request, std::string_view key) {
    const auto found = request.spec.parameters.find(key);
    return found == request.spec.parameters.end() ? nullptr : &*found;
}

} // namespace

OpenedDataset openDataset(const DatasetRequest& request) {
    const auto reader = std::ranges::find(readers, request.spec.kind, &DatasetReader::kind);
    if (reader == readers.end())
        return core::failure(
            datasetTrouble("dataset/unknown-kind", {}, "/training/dataset/kind",
                           fmt::format("no reader for datasets of the kind \"{}\"", request.spec.kind),
                           "use idx, csv, npy, npz or synthetic"));
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

InputTransform inputTransform(const DatasetRequest& request) {
    InputTransform transform;
    if (const core::Json* scale = find(request, "scale"); scale && scale->is_number())
        transform.scale = scale->get<double>();
    if (const core::Json* shape = find(request, "shape"); shape && shape->is_array())
        transform.shape = shape->get<Extents>();
    return transform;
}

} // namespace simulator
