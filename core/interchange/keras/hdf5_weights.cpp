#include "core/interchange/keras/hdf5_weights.h"

#include "core/base/write_door.h"
#include "core/interchange/archive/hdf5_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <optional>

namespace core {

namespace {

using Handle = Hdf5Handle;

constexpr std::size_t memoryIncrement = 65536;

/// The texts of an attribute that lists names, fixed or variable in length; none when it has more than the
/// file.
std::vector<std::string> namesOf(hid_t object, const char* attributeName, std::size_t fileSize) {
    std::vector<std::string> names;
    if (H5Aexists(object, attributeName) <= 0)
        return names;
    const Handle attribute(H5Aopen(object, attributeName, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    if (count <= 0 || static_cast<std::uint64_t>(count) > fileSize || H5Tget_class(type.id()) != H5T_STRING)
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
    if (width == 0 || width > fileSize / static_cast<std::size_t>(count))
        return names;
    std::string all(width * static_cast<std::size_t>(count), '\0');
    if (H5Aread(attribute.id(), type.id(), all.data()) < 0)
        return names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const std::string_view text = std::string_view(all).substr(i * width, width);
        names.emplace_back(text.substr(0, text.find('\0')));
    }
    return names;
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

/// Reads the weights of one file. What is wrong is in `trouble`.
class WeightsReader {
public:
    WeightsReader(std::string_view file, std::size_t fileSize, std::int64_t mostElements)
        : m_file(file)
        , m_fileSize(fileSize)
        , m_mostElements(mostElements)
        , m_left(hdf5ValueBytes(fileSize)) {}

    /// Keras 2: what the attributes list.
    bool readListed(hid_t root) {
        for (const std::string& layer : namesOf(root, "layer_names", m_fileSize)) {
            const Handle group(H5Gopen2(root, layer.c_str(), H5P_DEFAULT), H5Gclose);
            if (!group.isOpen())
                return false;
            for (const std::string& name : namesOf(group.id(), "weight_names", m_fileSize)) {
                if (!readDataset(group.id(), name))
                    return false;
                m_weights.back().layer = layer;
            }
        }
        return true;
    }

    /// Keras 3: every "vars" below a layer, own ones first.
    bool readVariables(hid_t group, const std::string& layer, const std::string& path, int depth) {
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
                    !readVariables(child.id(), isNestedLayer ? below : layer, below, depth + 1))
                    return false;
                continue;
            }
            if (!readDataset(group, name))
                return false;
            StoredWeight& weight = m_weights.back();
            weight.layer = layer;
            weight.name = below.substr(std::min(below.size(), layer.empty() ? 0 : layer.size() + 1));
        }
        return true;
    }

    [[nodiscard]] const std::optional<Diagnostic>& trouble() const { return m_trouble; }
    [[nodiscard]] std::vector<StoredWeight>& weights() { return m_weights; }

private:
    bool readDataset(hid_t group, const std::string& path) {
        const Handle dataset(H5Dopen2(group, path.c_str(), H5P_DEFAULT), H5Dclose);
        if (!dataset.isOpen())
            return false;
        m_trouble = objectionToDataset(dataset.id(), m_file, path, hdf5ValueBytes(m_fileSize));
        if (m_trouble)
            return false;
        const Handle space(H5Dget_space(dataset.id()), H5Sclose);
        const int rank = H5Sget_simple_extent_ndims(space.id());
        if (rank < 0)
            return false;
        std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
        H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
        StoredWeight& weight = m_weights.emplace_back();
        weight.name = path;
        weight.extents.assign(extents.begin(), extents.end());
        const hssize_t count = H5Sget_simple_extent_npoints(space.id());
        if (count < 0 ||
            std::ranges::any_of(weight.extents, [](std::int64_t extent) { return extent < 0; }) ||
            (count > 0 && H5Dget_storage_size(dataset.id()) == 0))
            return false;
        return count > m_mostElements || readValues(dataset.id(), static_cast<std::uint64_t>(count), weight);
    }

    /// What is allocated is compared with the size of the file before.
    bool readValues(hid_t dataset, std::uint64_t count, StoredWeight& weight) {
        if (count > m_left / sizeof(float)) {
            m_trouble = hdf5Finding(
                "hdf5/size", m_file,
                fmt::format(
                    "the weights of \"{}\" make more than the {} bytes that a file of {} is taken to hold",
                    weight.name.substr(0, 80), hdf5ValueBytes(m_fileSize), m_fileSize),
                "save the weights again without compression");
            return false;
        }
        m_left -= count * sizeof(float);
        weight.values.resize(static_cast<std::size_t>(count));
        return count == 0 ||
               H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, weight.values.data()) >= 0;
    }

    std::string m_file;
    std::size_t m_fileSize = 0;
    std::int64_t m_mostElements = 0;
    std::uint64_t m_left = 0;
    std::vector<StoredWeight> m_weights;
    std::optional<Diagnostic> m_trouble;
};

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
    writeNames(root, "origin", {std::string(productMark)});
    return true;
}

} // namespace

std::uint64_t hdf5ValueBytes(std::uint64_t fileSize) {
    constexpr std::uint64_t always = std::uint64_t{16} << 20U;
    constexpr std::uint64_t factor = 4;
    return always + factor * fileSize;
}

Result<std::vector<StoredWeight>> readHdf5Weights(std::string_view bytes, std::string_view file,
                                                  std::int64_t mostElements) {
    const Hdf5Silence silence;
    const auto opened = Hdf5File::open(bytes, file);
    if (!opened)
        return failure(opened.error());
    const bool isModel = H5Lexists(opened->id(), "model_weights", H5P_DEFAULT) > 0;
    const Handle top(H5Gopen2(opened->id(), isModel ? "model_weights" : "/", H5P_DEFAULT), H5Gclose);
    WeightsReader reader(file, bytes.size(), mostElements);
    bool isRead = top.isOpen() && reader.readListed(top.id());
    if (isRead && reader.weights().empty() && H5Aexists(top.id(), "layer_names") <= 0)
        isRead = reader.readVariables(top.id(), "", "", 0);
    if (reader.trouble())
        return failure(*reader.trouble());
    if (!isRead)
        return failure(
            hdf5Finding("hdf5/damaged", file, "the HDF5 file cannot be read", "check that it is whole"));
    if (reader.weights().empty())
        return failure(hdf5Finding("hdf5/no-weights", file, "the file holds no weights of a model",
                                   "save them with model.save_weights(file)"));
    return std::move(reader.weights());
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
