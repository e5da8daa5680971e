#include "core/interchange/keras/hdf5_weights.h"

#include "core/interchange/archive/hdf5_handle.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <optional>

namespace core {

namespace {

using Handle = Hdf5Handle;

constexpr std::size_t memoryIncrement = 65536;

/// The texts of an attribute that lists names, fixed or variable in length.
std::vector<std::string> namesOf(hid_t object, const char* attributeName) {
    std::vector<std::string> names;
    if (H5Aexists(object, attributeName) <= 0)
        return names;
    const Handle attribute(H5Aopen(object, attributeName, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    if (count <= 0 || H5Tget_class(type.id()) != H5T_STRING)
        return names;
    if (H5Tis_variable_str(type.id()) > 0) {
        std::vector<char*> texts(static_cast<std::size_t>(count), nullptr);
        if (H5Aread(attribute.id(), type.id(), texts.data()) < 0)
            return names;
        for (char* text : texts)
            names.emplace_back(text == nullptr ? "" : text);
        H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, texts.data());
        return names;
    }
    const std::size_t width = H5Tget_size(type.id());
    std::string all(width * static_cast<std::size_t>(count), '\0');
    if (H5Aread(attribute.id(), type.id(), all.data()) < 0)
        return names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const std::string_view text = std::string_view(all).substr(i * width, width);
        names.emplace_back(text.substr(0, text.find('\0')));
    }
    return names;
}

std::optional<StoredWeight> readDataset(hid_t group, const std::string& path) {
    const Handle dataset(H5Dopen2(group, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.isOpen())
        return std::nullopt;
    const Handle space(H5Dget_space(dataset.id()), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if (rank < 0)
        return std::nullopt;
    std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
    StoredWeight weight;
    weight.name = path;
    weight.extents.assign(extents.begin(), extents.end());
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    // What the file stores is as large as what it says it has: never more than can be there.
    constexpr hssize_t largest = hssize_t{1} << 33;
    if (count < 0 || count > largest || (count > 0 && H5Dget_storage_size(dataset.id()) == 0))
        return std::nullopt;
    weight.values.resize(static_cast<std::size_t>(count));
    if (count > 0 &&
        H5Dread(dataset.id(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, weight.values.data()) < 0)
        return std::nullopt;
    return weight;
}

/// Members of a group, numbers in their order ("2" before "10").
std::vector<std::string> membersOf(hid_t group) {
    std::vector<std::string> names;
    H5Literate(
        group, H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
            static_cast<std::vector<std::string>*>(data)->emplace_back(name);
            return 0;
        },
        &names);
    std::ranges::stable_sort(names, [](const std::string& a, const std::string& b) {
        const auto isNumber = [](const std::string& text) {
            return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
        };
        return isNumber(a) && isNumber(b) && a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    return names;
}

bool isGroup(hid_t parent, const std::string& name) {
    H5O_info_t info;
    return H5Oget_info_by_name(parent, name.c_str(), &info, H5P_DEFAULT) >= 0 && info.type == H5O_TYPE_GROUP;
}

/// Keras 2: what the attributes list.
bool readListed(hid_t root, std::vector<StoredWeight>& weights) {
    for (const std::string& layer : namesOf(root, "layer_names")) {
        const Handle group(H5Gopen2(root, layer.c_str(), H5P_DEFAULT), H5Gclose);
        if (!group.isOpen())
            return false;
        for (const std::string& name : namesOf(group.id(), "weight_names")) {
            auto weight = readDataset(group.id(), name);
            if (!weight)
                return false;
            weight->layer = layer;
            weights.push_back(std::move(*weight));
        }
    }
    return true;
}

/// Keras 3: every "vars" below a layer, own ones first.
bool readVariables(hid_t group, const std::string& layer, const std::string& path, int depth,
                   std::vector<StoredWeight>& weights) {
    constexpr int deepest = 32;
    if (depth > deepest)
        return false;
    std::vector<std::string> members = membersOf(group);
    std::ranges::stable_partition(members, [](const std::string& name) { return name == "vars"; });
    // Bidirectional: Keras lists the forward layer first.
    std::ranges::stable_partition(
        members, [](const std::string& name) { return name == "vars" || name.starts_with("forward"); });
    for (const std::string& name : members) {
        const std::string below = path.empty() ? name : path + "/" + name;
        if (isGroup(group, name)) {
            const Handle child(H5Gopen2(group, name.c_str(), H5P_DEFAULT), H5Gclose);
            const bool isNestedLayer = path == "layers" || path.ends_with("/layers");
            if (!child.isOpen() ||
                !readVariables(child.id(), isNestedLayer ? below : layer, below, depth + 1, weights))
                return false;
            continue;
        }
        auto weight = readDataset(group, name);
        if (!weight)
            return false;
        weight->layer = layer;
        weight->name = below.substr(std::min(below.size(), layer.empty() ? 0 : layer.size() + 1));
        weights.push_back(std::move(*weight));
    }
    return true;
}

void writeNames(hid_t object, const char* attributeName, const std::vector<std::string>& names) {
    std::size_t width = 1;
    for (const std::string& name : names)
        width = std::max(width, name.size());
    std::string all(width * names.size(), '\0');
    for (std::size_t i = 0; i < names.size(); ++i)
        std::ranges::copy(names[i], all.begin() + static_cast<std::ptrdiff_t>(i * width));
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), width);
    H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
    const hsize_t count = names.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle attribute(H5Acreate2(object, attributeName, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
    H5Awrite(attribute.id(), type.id(), all.data());
}

bool writeDataset(hid_t group, const StoredWeight& weight) {
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.id(), 1);
    const std::vector<hsize_t> extents(weight.extents.begin(), weight.extents.end());
    const Handle space(extents.empty()
                           ? H5Screate(H5S_SCALAR)
                           : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                       H5Sclose);
    const Handle dataset(H5Dcreate2(group, weight.name.c_str(), H5T_IEEE_F32LE, space.id(), links.id(),
                                    H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    return dataset.isOpen() &&
           H5Dwrite(dataset.id(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, weight.values.data()) >= 0;
}

bool writeAll(hid_t root, std::span<const StoredWeight> weights) {
    std::vector<std::string> layers;
    for (std::size_t begin = 0; begin < weights.size();) {
        const std::string& layer = weights[begin].layer;
        const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(links.id(), 1);
        const Handle group(H5Gcreate2(root, layer.c_str(), links.id(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
        if (!group.isOpen())
            return false;
        std::vector<std::string> names;
        for (; begin < weights.size() && weights[begin].layer == layer; ++begin) {
            names.push_back(weights[begin].name);
            if (!writeDataset(group.id(), weights[begin]))
                return false;
        }
        writeNames(group.id(), "weight_names", names);
        layers.push_back(layer);
    }
    writeNames(root, "layer_names", layers);
    writeNames(root, "backend", {"tensorflow"});
    writeNames(root, "keras_version", {"2.4.0"});
    return true;
}

} // namespace

Result<std::vector<StoredWeight>> readHdf5Weights(std::string_view bytes, std::string_view file) {
    const Hdf5Silence silence;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.id(), memoryIncrement, 0);
    H5Pset_file_image(access.id(), const_cast<char*>(bytes.data()), bytes.size());
    const Handle root(H5Fopen("weights.h5", H5F_ACC_RDONLY, access.id()), H5Fclose);
    const auto damaged = [&] {
        return failure(
            hdf5Finding("hdf5/damaged", file, "the HDF5 file cannot be read", "check that it is whole"));
    };
    if (!root.isOpen())
        return damaged();
    std::vector<StoredWeight> weights;
    const bool isModel = H5Lexists(root.id(), "model_weights", H5P_DEFAULT) > 0;
    const Handle top(H5Gopen2(root.id(), isModel ? "model_weights" : "/", H5P_DEFAULT), H5Gclose);
    if (!top.isOpen() || !readListed(top.id(), weights))
        return damaged();
    if (weights.empty() && H5Aexists(top.id(), "layer_names") <= 0 &&
        !readVariables(top.id(), "", "", 0, weights))
        return damaged();
    if (weights.empty())
        return failure(hdf5Finding("hdf5/no-weights", file, "the file holds no weights of a model",
                                   "save them with model.save_weights(file)"));
    return weights;
}

Result<std::string> writeHdf5Weights(std::span<const StoredWeight> weights) {
    const Hdf5Silence silence;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.id(), memoryIncrement, 0);
    const Handle file(H5Fcreate("weights.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
    const auto refused = [] {
        return failure(hdf5Finding("hdf5/not-written", "", "the weights cannot be put into an HDF5 file",
                                   "save them as .npz"));
    };
    if (!file.isOpen() || !writeAll(file.id(), weights) || H5Fflush(file.id(), H5F_SCOPE_GLOBAL) < 0)
        return refused();
    const ssize_t size = H5Fget_file_image(file.id(), nullptr, 0);
    if (size <= 0)
        return refused();
    std::string bytes(static_cast<std::size_t>(size), '\0');
    if (H5Fget_file_image(file.id(), bytes.data(), bytes.size()) != size)
        return refused();
    return bytes;
}

} // namespace core
