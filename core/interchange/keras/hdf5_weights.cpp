#include "core/interchange/keras/hdf5_weights.h"

#include "core/base/write_door.h"
#include "core/interchange/archive/hdf5_handle.h"

#include <algorithm>
#include <cstring>
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

/// What the child says of the file, in the order of the texts of `hdf5WeightsFinding`.
enum class WeightsVerdict : char { Whole = 'w', Damaged = 'd', Empty = 'e', Elsewhere = 'x', TooMuch = 'm' };

/// Reads weights in the child and hands each to the parent at once, so that one is in memory at a time.
class WeightsTeller {
public:
    WeightsTeller(const ChildWriter& write, std::uint64_t budget)
        : m_write(write)
        , m_left(budget) {}

    [[nodiscard]] WeightsVerdict verdict() const { return m_verdict; }
    [[nodiscard]] std::size_t count() const { return m_count; }
    bool refuse(WeightsVerdict verdict) {
        m_verdict = verdict;
        return false;
    }
    /// False and refused when the weights are more than were asked for.
    bool take(std::uint64_t values) {
        constexpr std::uint64_t valueBytes = sizeof(float);
        if (values > m_left / valueBytes)
            return refuse(WeightsVerdict::TooMuch);
        m_left -= values * valueBytes;
        return true;
    }
    void tell(const StoredWeight& weight) {
        ++m_count;
        tellNumber(weight.layer.size());
        m_write(weight.layer);
        tellNumber(weight.name.size());
        m_write(weight.name);
        tellNumber(weight.extents.size());
        for (const std::int64_t extent : weight.extents)
            tellNumber(static_cast<std::uint64_t>(extent));
        tellNumber(weight.values.size());
        m_write({reinterpret_cast<const char*>(weight.values.data()), weight.values.size() * sizeof(float)});
    }
    /// Behind the last weight, the end of the answer.
    void tellVerdict() {
        const char letter = static_cast<char>(m_verdict);
        m_write({&letter, 1});
    }

private:
    void tellNumber(std::uint64_t number) {
        m_write({reinterpret_cast<const char*>(&number), sizeof(number)});
    }

    const ChildWriter& m_write;
    std::uint64_t m_left;
    std::size_t m_count = 0;
    WeightsVerdict m_verdict = WeightsVerdict::Damaged;
};

/// Takes apart what the child told, checking every length.
class ToldWeights {
public:
    explicit ToldWeights(std::string_view text)
        : m_rest(text) {}

    [[nodiscard]] std::optional<std::vector<StoredWeight>> all() {
        std::vector<StoredWeight> weights;
        while (!m_rest.empty()) {
            StoredWeight weight;
            weight.layer = std::string(bytes(number()));
            weight.name = std::string(bytes(number()));
            const std::uint64_t rank = number();
            for (std::uint64_t i = 0; i < rank && m_isWhole; ++i)
                weight.extents.push_back(static_cast<std::int64_t>(number()));
            const std::uint64_t count = number();
            if (count > m_rest.size() / sizeof(float))
                return std::nullopt;
            const std::string_view values = bytes(count * sizeof(float));
            weight.values.resize(static_cast<std::size_t>(count));
            std::memcpy(weight.values.data(), values.data(), values.size());
            if (!m_isWhole)
                return std::nullopt;
            weights.push_back(std::move(weight));
        }
        return weights;
    }

private:
    std::string_view bytes(std::uint64_t count) {
        m_isWhole = m_isWhole && count <= m_rest.size();
        const std::string_view part = m_rest.substr(0, m_isWhole ? static_cast<std::size_t>(count) : 0);
        m_rest.remove_prefix(part.size());
        return part;
    }
    std::uint64_t number() {
        std::uint64_t value = 0;
        const std::string_view raw = bytes(sizeof(value));
        std::memcpy(&value, raw.data(), raw.size());
        return value;
    }

    std::string_view m_rest;
    bool m_isWhole = true;
};

/// Whether every link on the way to a member stays in the file.
bool staysInside(hid_t group, const std::string& path) {
    for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
        const std::string part = path.substr(0, end);
        H5L_info_t info;
        if (!part.empty() && H5Lget_info(group, part.c_str(), &info, H5P_DEFAULT) >= 0 &&
            info.type != H5L_TYPE_HARD && info.type != H5L_TYPE_SOFT)
            return false;
        if (end == std::string::npos)
            return true;
    }
}

/// Values that lie in other files, raw or as parts of a virtual dataset, are never fetched.
bool liesElsewhere(hid_t dataset) {
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    return !creation.isOpen() || H5Pget_external_count(creation.id()) != 0 ||
           H5Pget_layout(creation.id()) == H5D_VIRTUAL;
}

std::optional<StoredWeight> readDataset(hid_t group, const std::string& path, WeightsTeller& teller) {
    if (!staysInside(group, path)) {
        teller.refuse(WeightsVerdict::Elsewhere);
        return std::nullopt;
    }
    const Handle dataset(H5Dopen2(group, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.isOpen())
        return std::nullopt;
    if (liesElsewhere(dataset.id())) {
        teller.refuse(WeightsVerdict::Elsewhere);
        return std::nullopt;
    }
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
    if (!teller.take(static_cast<std::uint64_t>(count)))
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
bool readListed(hid_t root, WeightsTeller& teller) {
    for (const std::string& layer : namesOf(root, "layer_names")) {
        if (!staysInside(root, layer))
            return teller.refuse(WeightsVerdict::Elsewhere);
        const Handle group(H5Gopen2(root, layer.c_str(), H5P_DEFAULT), H5Gclose);
        if (!group.isOpen())
            return false;
        for (const std::string& name : namesOf(group.id(), "weight_names")) {
            auto weight = readDataset(group.id(), name, teller);
            if (!weight)
                return false;
            weight->layer = layer;
            teller.tell(*weight);
        }
    }
    return true;
}

/// Keras 3: every "vars" below a layer, own ones first.
bool readVariables(hid_t group, const std::string& layer, const std::string& path, int depth,
                   WeightsTeller& teller) {
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
        if (!staysInside(group, name))
            return teller.refuse(WeightsVerdict::Elsewhere);
        if (isGroup(group, name)) {
            const Handle child(H5Gopen2(group, name.c_str(), H5P_DEFAULT), H5Gclose);
            const bool isNestedLayer = path == "layers" || path.ends_with("/layers");
            if (!child.isOpen() ||
                !readVariables(child.id(), isNestedLayer ? below : layer, below, depth + 1, teller))
                return false;
            continue;
        }
        auto weight = readDataset(group, name, teller);
        if (!weight)
            return false;
        weight->layer = layer;
        weight->name = below.substr(std::min(below.size(), layer.empty() ? 0 : layer.size() + 1));
        teller.tell(*weight);
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
    writeNames(root, "origin", {std::string(productMark)});
    return true;
}

void readFileInChild(std::string_view bytes, WeightsTeller& teller) {
    const Hdf5Silence silence;
    closeHdf5Doors();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.id(), memoryIncrement, 0);
    H5Pset_file_image(access.id(), const_cast<char*>(bytes.data()), bytes.size());
    const Handle root(H5Fopen("weights.h5", H5F_ACC_RDONLY, access.id()), H5Fclose);
    if (!root.isOpen())
        return;
    const bool isModel = H5Lexists(root.id(), "model_weights", H5P_DEFAULT) > 0;
    if (isModel && !staysInside(root.id(), "model_weights")) {
        teller.refuse(WeightsVerdict::Elsewhere);
        return;
    }
    const Handle top(H5Gopen2(root.id(), isModel ? "model_weights" : "/", H5P_DEFAULT), H5Gclose);
    if (!top.isOpen() || !readListed(top.id(), teller))
        return;
    if (teller.count() == 0 && H5Aexists(top.id(), "layer_names") <= 0 &&
        !readVariables(top.id(), "", "", 0, teller))
        return;
    teller.refuse(teller.count() == 0 ? WeightsVerdict::Empty : WeightsVerdict::Whole);
}

Diagnostic hdf5WeightsFinding(WeightsVerdict verdict, std::string_view file) {
    switch (verdict) {
    case WeightsVerdict::Empty:
        return hdf5Finding("hdf5/no-weights", file, "the file holds no weights of a model",
                           "save them with model.save_weights(file)");
    case WeightsVerdict::Elsewhere:
        return hdf5Finding("hdf5/outside", file,
                           "the file points to other files (external storage, links or a virtual dataset), "
                           "which are not read",
                           "save the weights into one file: model.save_weights(file)");
    case WeightsVerdict::TooMuch:
        return hdf5ChildFinding(ChildEnd::TookTooMuch, file);
    default:
        return hdf5ChildFinding(ChildEnd::Crashed, file);
    }
}

} // namespace

Result<std::vector<StoredWeight>> readHdf5Weights(std::string_view bytes, std::string_view file,
                                                  std::uint64_t neededBytes) {
    const std::uint64_t budget = valuesBudget(bytes.size(), neededBytes);
    const ChildAnswer answer = [&] {
        const std::scoped_lock lock(hdf5Mutex());
        return askChild(
            [&](const ChildWriter& write) {
                WeightsTeller teller(write, budget);
                readFileInChild(bytes, teller);
                teller.tellVerdict();
            },
            hdf5Limits(bytes.size(), budget));
    }();
    if (answer.end != ChildEnd::Answered || answer.text.empty())
        return failure(hdf5ChildFinding(answer.end, file));
    const auto verdict = static_cast<WeightsVerdict>(answer.text.back());
    if (verdict != WeightsVerdict::Whole)
        return failure(hdf5WeightsFinding(verdict, file));
    auto weights = ToldWeights(std::string_view(answer.text).substr(0, answer.text.size() - 1)).all();
    if (!weights)
        return failure(hdf5ChildFinding(ChildEnd::Crashed, file));
    return std::move(*weights);
}

std::uint64_t valuesBudget(std::uint64_t fileBytes, std::uint64_t neededBytes) {
    constexpr std::uint64_t small = std::uint64_t{8} << 20U;
    constexpr std::uint64_t perByte = 4;
    // A file of a trained model holds the optimizer's state too: two or three times the weights.
    return std::max(small + perByte * fileBytes, perByte * neededBytes);
}

Result<std::string> writeHdf5Weights(std::span<const StoredWeight> weights) {
    const std::scoped_lock lock(hdf5Mutex());
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
