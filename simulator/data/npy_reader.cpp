// NumPy arrays: two .npy files, or two members of one .npz archive.
#include "core/interchange/zip_archive.h"
#include "simulator/data/dataset_readers.h"
#include "simulator/data/npy_array.h"

#include <fmt/format.h>

namespace simulator {
namespace {

core::Result<ArrayFile> openFile(const std::filesystem::path& path) {
    auto bytes = ByteSource::open(path);
    return bytes ? openNpyArray(std::move(*bytes)) : core::failure(bytes.error());
}

core::Result<ArrayFile> openMember(const core::ZipArchive& archive, const std::filesystem::path& path,
                                   const std::string& name) {
    constexpr std::size_t limit = std::size_t{8} << 30U;
    auto bytes = archive.read(name + ".npy", limit);
    if (!bytes)
        return core::failure(bytes.error());
    return openNpyArray(ByteSource(path.string() + ":" + name, std::move(*bytes)));
}

} // namespace

OpenedDataset openNpy(const DatasetRequest& request) {
    auto inputs = openFile(pathOf(request, "inputs"));
    if (!inputs)
        return core::failure(inputs.error());
    std::optional<ArrayFile> labels;
    if (const auto path = pathOf(request, "labels"); !path.empty()) {
        auto opened = openFile(path);
        if (!opened)
            return core::failure(opened.error());
        labels = std::move(*opened);
    }
    return makeArraySource(std::move(*inputs), std::move(labels), inputTransform(request));
}

OpenedDataset openNpz(const DatasetRequest& request) {
    const std::filesystem::path path = pathOf(request, "file");
    const auto bytes = core::readFile(path);
    if (!bytes)
        return core::failure(bytes.error());
    const auto archive = core::ZipArchive::open(*bytes, path.string());
    if (!archive)
        return core::failure(archive.error());
    const std::string inputName = textOf(request, "inputs", "x_train");
    const std::string labelName = textOf(request, "labels", "y_train");
    const auto missing = [&](const std::string& name) {
        return core::failure(datasetTrouble(
            "dataset/missing-array", path, "", fmt::format("has no array \"{}\"", name),
            "name the arrays in \"inputs\" and \"labels\"; numpy.load(file).files lists them"));
    };
    if (!archive->contains(inputName + ".npy"))
        return missing(inputName);
    auto inputs = openMember(*archive, path, inputName);
    if (!inputs)
        return core::failure(inputs.error());
    std::optional<ArrayFile> labels;
    if (archive->contains(labelName + ".npy")) {
        auto opened = openMember(*archive, path, labelName);
        if (!opened)
            return core::failure(opened.error());
        labels = std::move(*opened);
    } else if (request.spec.parameters.contains("labels")) {
        return missing(labelName);
    }
    return makeArraySource(std::move(*inputs), std::move(labels), inputTransform(request));
}

} // namespace simulator
