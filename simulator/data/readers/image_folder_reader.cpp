// Pictures in one folder per class, as Keras' image_dataset_from_directory takes them.
#include "simulator/data/files/image_file.h"
#include "simulator/data/readers/dataset_readers.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {
namespace {

namespace fs = std::filesystem;

struct LabelledFile {
    fs::path path;
    std::int64_t label = 0;
    /// Where it is among the samples of all classes, 0 … 1.
    double place = 0;
};

std::vector<fs::path> entriesOf(const fs::path& folder, bool (*isWanted)(const fs::directory_entry&)) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (isWanted(*it) && !it->path().filename().string().starts_with('.'))
            entries.push_back(it->path());
    std::ranges::sort(entries);
    return entries;
}

bool isFolder(const fs::directory_entry& entry) {
    std::error_code error;
    return entry.is_directory(error);
}

bool isImage(const fs::directory_entry& entry) {
    std::error_code error;
    return entry.is_regular_file(error) && isImageName(entry.path());
}

/// Folders of the classes in the order of their numbers.
core::Result<std::vector<fs::path>> classFolders(const DatasetRequest& request, const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
        return core::failure(core::makeError(core::Trouble::World, "file/missing", {folder.string(), ""},
                                             "is no folder",
                                             {"give the folder that holds a folder for each class"}));
    std::vector<fs::path> folders = entriesOf(folder, isFolder);
    const std::vector<std::string> names = textsOf(request, "class_names", {});
    if (!names.empty())
        folders.clear();
    for (const std::string& name : names) {
        if (!fs::is_directory(folder / name, error))
            return core::failure(datasetTrouble("dataset/missing-class", folder, "",
                                                fmt::format("has no folder \"{}\"", name),
                                                "name the folders as they are called in class_names"));
        folders.push_back(folder / name);
    }
    if (folders.empty())
        return core::failure(datasetTrouble("dataset/no-classes", folder, "", "holds no folder",
                                            "put the pictures of each class into a folder of its own"));
    return folders;
}

/// Classes are mixed evenly: every part of the dataset, the validation split too, holds each in its share.
std::vector<LabelledFile> labelledFiles(const std::vector<fs::path>& folders) {
    std::vector<LabelledFile> files;
    for (std::size_t label = 0; label < folders.size(); ++label) {
        const std::vector<fs::path> images = entriesOf(folders[label], isImage);
        for (std::size_t i = 0; i < images.size(); ++i)
            files.push_back({images[i], static_cast<std::int64_t>(label),
                             (static_cast<double>(i) + 0.5) / static_cast<double>(images.size())});
    }
    std::ranges::stable_sort(files, {}, &LabelledFile::place);
    return files;
}

class ImageFolderSource final : public SampleSource {
public:
    ImageFolderSource(std::vector<LabelledFile> files, const std::string& folder, Extents extents,
                      bool isResized, InputTransform transform)
        : m_files(std::move(files))
        , m_inputs{{folder, std::move(extents)}}
        , m_targets{{folder, {}}}
        , m_isResized(isResized)
        , m_transform(std::move(transform)) {}

    [[nodiscard]] std::int64_t samples() const override { return static_cast<std::int64_t>(m_files.size()); }
    [[nodiscard]] const std::vector<SampleField>& inputs() const override { return m_inputs; }
    [[nodiscard]] const std::vector<SampleField>& targets() const override { return m_targets; }
    [[nodiscard]] bool isDecoded() const override { return true; }

    [[nodiscard]] core::Result<void> readInput(std::size_t, std::int64_t sample,
                                               std::span<float> values) const override {
        const Extents& extents = m_inputs.front().extents;
        const fs::path& path = m_files[static_cast<std::size_t>(sample)].path;
        const auto image = readImageFile(path, extents[2]);
        if (!image)
            return core::failure(image.error());
        if (!m_isResized && (image->rows != extents[0] || image->columns != extents[1]))
            return core::failure(datasetTrouble(
                "dataset/image-size", path, "",
                fmt::format("the picture has {} × {} pixels, the first one {} × {}", image->rows,
                            image->columns, extents[0], extents[1]),
                fmt::format("add \"size\": [{}, {}] to the dataset, so that all are brought to one size",
                            extents[0], extents[1])));
        const std::vector<float> pixels = resizedImage(*image, extents[0], extents[1]);
        std::ranges::copy(pixels, values.begin());
        scaleInputs(m_transform, values);
        return {};
    }
    [[nodiscard]] core::Result<void> readTarget(std::size_t, std::int64_t sample,
                                                std::span<float> values) const override {
        values[0] = static_cast<float>(m_files[static_cast<std::size_t>(sample)].label);
        return {};
    }

private:
    std::vector<LabelledFile> m_files;
    std::vector<SampleField> m_inputs;
    std::vector<SampleField> m_targets;
    bool m_isResized;
    InputTransform m_transform;
};

std::int64_t channelsOf(const DatasetRequest& request) {
    const std::string channels = textOf(request, "channels", "rgb");
    return channels == "grayscale" ? 1 : channels == "rgba" ? 4 : 3;
}

} // namespace

OpenedDataset openImageFolder(const DatasetRequest& request) {
    const fs::path folder = pathOf(request, "folder");
    const auto folders = classFolders(request, folder);
    if (!folders)
        return core::failure(folders.error());
    std::vector<LabelledFile> files = labelledFiles(*folders);
    if (files.empty())
        return core::failure(datasetTrouble("dataset/empty", folder, "", "holds no picture in its folders",
                                            "give PNG, JPEG, PGM or PPM files"));
    const std::int64_t channels = channelsOf(request);
    Extents extents = integersOf(request, "size");
    const bool isResized = !extents.empty();
    if (isResized && extents.size() != 2)
        return core::failure(datasetTrouble("dataset/shape", folder, "",
                                            fmt::format("\"size\" has {} numbers", extents.size()),
                                            "give [rows, columns]"));
    if (!isResized) {
        const auto first = readImageFile(files.front().path, channels);
        if (!first)
            return core::failure(first.error());
        extents = {first->rows, first->columns};
    }
    extents.push_back(channels);
    return std::make_shared<ImageFolderSource>(std::move(files), folder.string(), std::move(extents),
                                               isResized, inputTransform(request));
}

} // namespace simulator
