// NumPy arrays: .npy files, or members of one .npz archive, one for each input and target.
#include "simulator/data/files/npy_array.h"
#include "simulator/data/readers/dataset_readers.h"

#include <map>

namespace simulator {

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
    const auto members = zipMembers(path);
    if (!members)
        return core::failure(members.error());
    std::vector<std::string> labelNames = textsOf(request, "labels", {"y_train"});
    if (!request.spec.parameters.contains("labels") && !members->contains(labelNames.front() + ".npy"))
        labelNames.clear();
    std::vector<ArrayFile> inputs;
    std::vector<ArrayFile> labels;
    // What several inputs or labels name is unpacked once.
    std::map<std::string, ArrayFile> known;
    for (const auto& [names, files] :
         {std::pair(textsOf(request, "inputs", {"x_train"}), &inputs), std::pair(labelNames, &labels)}) {
        for (const std::string& name : names) {
            auto array = known.find(name);
            if (array == known.end()) {
                auto bytes = ByteSource::openMember(path, *members, name + ".npy", request.memoryLimit);
                auto opened = bytes ? openNpyArray(std::move(*bytes)) : core::failure(bytes.error());
                if (!opened)
                    return core::failure(opened.error());
                array = known.emplace(name, std::move(*opened)).first;
            }
            files->push_back(array->second);
        }
    }
    return makeArraySource(std::move(inputs), std::move(labels), inputTransform(request));
}

} // namespace simulator
