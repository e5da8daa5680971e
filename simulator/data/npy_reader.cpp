// NumPy arrays: .npy files, or members of one .npz archive, one for each input and target.
#include "core/interchange/zip_archive.h"
#include "simulator/data/dataset_readers.h"
#include "simulator/data/npy_array.h"

#include <fmt/format.h>

namespace simulator {
namespace {

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
    std::vector<ArrayFile> inputs;
    std::vector<ArrayFile> labels;
    for (const auto& [key, files] : {std::pair("inputs", &inputs), std::pair("labels", &labels)}) {
        for (const std::filesystem::path& path : pathsOf(request, key)) {
            auto bytes = ByteSource::open(path, request.memoryLimit);
            auto opened = bytes ? openNpyArray(std::move(*bytes)) : core::failure(bytes.error());
            if (!opened)
                return core::failure(opened.error());
            files->push_back(std::move(*opened));
        }
    }
    return makeArraySource(std::move(inputs), std::move(labels), inputTransform(request));
}

OpenedDataset openNpz(const DatasetRequest& request) {
    const std::filesystem::path path = pathOf(request, "file");
    const auto bytes = core::readFile(path);
    if (!bytes)
        return core::failure(bytes.error());
    const auto archive = core::ZipArchive::open(*bytes, path.string());
    if (!archive)
        return core::failure(archive.error());
    std::vector<std::string> labelNames = textsOf(request, "labels", {"y_train"});
    if (!request.spec.parameters.contains("labels") && !archive->contains(labelNames.front() + ".npy"))
        labelNames.clear();
    std::vector<ArrayFile> inputs;
    std::vector<ArrayFile> labels;
    for (const auto& [names, files] :
         {std::pair(textsOf(request, "inputs", {"x_train"}), &inputs), std::pair(labelNames, &labels)}) {
        for (const std::string& name : names) {
            if (!archive->contains(name + ".npy"))
                return core::failure(datasetTrouble(
                    "dataset/missing-array", path, "", fmt::format("has no array \"{}\"", name),
                    "name the arrays in \"inputs\" and \"labels\"; numpy.load(file).files lists them"));
            auto opened = openMember(*archive, path, name);
            if (!opened)
                return core::failure(opened.error());
            files->push_back(std::move(*opened));
        }
    }
    return makeArraySource(std::move(inputs), std::move(labels), inputTransform(request));
}

} // namespace simulator
