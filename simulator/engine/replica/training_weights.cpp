#include "simulator/engine/replica/training_weights.h"

#include "core/base/file_limit.h"
#include "core/base/write_door.h"
#include "core/interchange/archive/zip_archive.h"
#include "core/interchange/keras/hdf5_helper.h"
#include "core/interchange/keras/keras_archive.h"
#include "core/interchange/keras/keras_hdf5.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/onnx/onnx_importer.h"
#include "core/text/text_case.h"
#include "simulator/data/files/npy_array.h"
#include "simulator/data/files/npz_archive.h"
#include "simulator/numerics/weight_initializer.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace simulator {
namespace {

using core::StoredWeight;
using StoredWeights = std::vector<StoredWeight>;
using Found = std::vector<const StoredWeight*>;

core::Diagnostic trouble(std::string code, const std::string& file, std::string place, std::string message,
                         std::string hint) {
    return datasetTrouble(std::move(code), file, std::move(place), std::move(message), std::move(hint));
}

/// What follows the last slash, without the ":0" of TensorFlow.
std::string baseName(std::string_view name) {
    name.remove_prefix(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1);
    return std::string(name.substr(0, name.find(':')));
}

/// The layer part of "outer/inner/kernel".
std::string layerOf(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return std::string(slash == std::string_view::npos ? std::string_view() : name.substr(0, slash));
}

core::Result<StoredWeight> readNpzWeight(const core::ZipArchive& archive, const std::string& name,
                                         const std::string& label, std::size_t limit) {
    const bool isWanted = archive.size(name) <= limit;
    auto bytes = isWanted ? archive.read(name, limit)
                          : archive.readStart(name, static_cast<std::size_t>(longestNpyHeader));
    if (!bytes)
        return core::failure(bytes.error());
    ByteSource source(archive.file() + ":" + label, std::move(*bytes));
    if (!isWanted) {
        const auto layout = npyLayout(source);
        return layout ? core::Result<StoredWeight>({layerOf(label), label, layout->extents, {}})
                      : core::failure(layout.error());
    }
    auto array = openNpyArray(std::move(source));
    if (!array)
        return core::failure(array.error());
    auto values = array->readAll();
    if (!values)
        return core::failure(values.error());
    return StoredWeight{layerOf(label), label, array->layout().extents, std::move(*values)};
}

/// Arrays larger than the model's largest weight come with their extents alone.
core::Result<StoredWeights> readNpz(const core::ZipArchive& archive, const WeightNeeds& needs,
                                    std::size_t fileSize) {
    constexpr std::string_view extension = ".npy";
    const std::size_t limit =
        static_cast<std::size_t>(needs.largest) * sizeof(double) + static_cast<std::size_t>(longestNpyHeader);
    // Many members may share the same packed bytes.
    std::uint64_t left = 16 * core::FileLimit::mebibyte + 4 * std::uint64_t{fileSize} +
                         2 * static_cast<std::uint64_t>(needs.total) * sizeof(float);
    StoredWeights weights;
    std::vector<std::string> names = archive.names();
    // "arr_2" before "arr_10".
    std::ranges::stable_sort(
        names, {}, [](const std::string& name) { return name.starts_with("arr_") ? name.size() : 0; });
    for (const std::string& name : names) {
        if (!name.ends_with(extension))
            continue;
        auto weight = readNpzWeight(archive, name, name.substr(0, name.size() - extension.size()), limit);
        if (!weight)
            return core::failure(weight.error());
        const std::uint64_t bytes = weight->values.size() * sizeof(float);
        if (bytes > left)
            return core::failure(trouble("weights/size", archive.file(), name,
                                         "the arrays of the file make more than the model has weights",
                                         "give the weights of this model"));
        left -= bytes;
        weights.push_back(std::move(*weight));
    }
    return weights;
}

/// The names under which Keras 3 files its layers: class and number among its like.
std::map<std::string, std::string> kerasThreeNames(const core::TypedGraph& model) {
    std::map<std::string, std::string> names;
    std::map<std::string, int> counts;
    for (const core::TypedLayer& layer : model.layers) {
        const std::string name = core::snakeCase(layer.className);
        const int count = counts[layerOf(layer.path) + "/" + name]++;
        names[layer.path] = count == 0 ? name : fmt::format("{}_{}", name, count);
    }
    return names;
}

class WeightMatcher {
public:
    WeightMatcher(const StoredWeights& stored, const std::string& file, const core::TypedGraph& model)
        : m_stored(stored)
        , m_file(file)
        , m_model(model)
        , m_kerasThree(kerasThreeNames(model)) {}

    /// Stored weights of a layer, in the order of the model's.
    core::Result<Found> find(const core::TypedLayer& layer) const {
        Found found = ofLayer(layer);
        if (found.empty())
            return core::failure(
                trouble("weights/missing-layer", m_file, layer.path,
                        fmt::format("the file has no weights for the layer \"{}\"", layer.path),
                        "give the weights of this model; layers are found by their names"));
        // Names first: an archive lists its members alphabetically.
        if (Found named = byName(found, layer); fits(named, layer))
            return named;
        if (fits(found, layer))
            return found;
        return core::failure(mismatch(found, layer));
    }

    /// All layers' weights in one list, as model.get_weights() gives them.
    [[nodiscard]] bool isPlainList() const {
        return !m_stored.empty() && std::ranges::all_of(m_stored, [](const StoredWeight& weight) {
            return weight.layer.empty() && weight.name.starts_with("arr_");
        });
    }

private:
    Found where(const auto& accept) const {
        Found found;
        for (const StoredWeight& weight : m_stored)
            if (accept(weight))
                found.push_back(&weight);
        return found;
    }

    Found ofLayer(const core::TypedLayer& layer) const {
        const std::string own = baseName(layer.path);
        const std::string outer = layer.path.substr(0, layer.path.find('/'));
        const std::string inKerasThree = kerasThreePath(layer.path);
        Found found = where([&](const StoredWeight& weight) {
            return weight.layer == layer.path || weight.layer == "layers/" + layer.path ||
                   weight.layer == inKerasThree;
        });
        if (found.empty() && outer != layer.path)
            found = where([&](const StoredWeight& weight) {
                return weight.layer == outer && (weight.name.starts_with(own + "/") ||
                                                 weight.name.find("/" + own + "/") != std::string::npos);
            });
        if (found.empty())
            found = where([&](const StoredWeight& weight) { return weight.layer == own; });
        return found;
    }

    std::string kerasThreePath(const std::string& path) const {
        std::string result;
        for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
            const auto name = m_kerasThree.find(path.substr(0, end));
            result += (result.empty() ? "layers/" : "/layers/") +
                      (name == m_kerasThree.end() ? baseName(path.substr(0, end)) : name->second);
            if (end == std::string::npos)
                return result;
        }
    }

    static std::vector<std::int64_t> extentsOf(const core::WeightSpec& spec) {
        std::vector<std::int64_t> extents;
        for (const core::Dimension& extent : spec.shape.dimensions)
            extents.push_back(extent.value_or(0));
        return extents;
    }

    static bool fits(const Found& found, const core::TypedLayer& layer) {
        if (found.size() != layer.weights.size())
            return false;
        for (std::size_t i = 0; i < found.size(); ++i)
            if (found[i]->extents != extentsOf(layer.weights[i]))
                return false;
        return true;
    }

    static Found byName(const Found& found, const core::TypedLayer& layer) {
        Found named;
        for (const core::WeightSpec& spec : layer.weights) {
            const auto isNamed = [&](const StoredWeight* weight) {
                return baseName(weight->name) == baseName(spec.name);
            };
            // The two directions of a bidirectional layer name theirs alike: their order tells them apart.
            if (std::ranges::count_if(found, isNamed) == 1)
                named.push_back(*std::ranges::find_if(found, isNamed));
        }
        return named;
    }

    core::Diagnostic mismatch(const Found& found, const core::TypedLayer& layer) const {
        const auto shapes = [](const auto& weights, const auto& extents) {
            std::string text;
            for (const auto& weight : weights)
                text += fmt::format("{}[{}]", text.empty() ? "" : ", ", fmt::join(extents(weight), ", "));
            return text;
        };
        return trouble("weights/shape", m_file, layer.path,
                       fmt::format("\"{}\" has weights of the shapes {}, the file gives {}", layer.path,
                                   shapes(layer.weights, extentsOf),
                                   shapes(found, [](const StoredWeight* weight) { return weight->extents; })),
                       "give the weights of this model");
    }

    const StoredWeights& m_stored;
    const std::string& m_file;
    const core::TypedGraph& m_model;
    std::map<std::string, std::string> m_kerasThree;
};

/// Every weight of the model a plain list must hold, in Keras' order.
core::Result<void> writePlainList(const StoredWeights& stored, const std::string& file,
                                  TrainingReplica& replica) {
    const std::vector<LayerWeight>& own = replica.graph().weights;
    const auto isLike = [&](std::size_t i) {
        return stored[i].extents == replica.graph().tensor(own[i].tensor).extents;
    };
    for (std::size_t i = 0; i < std::max(own.size(), stored.size()); ++i) {
        if (i >= own.size() || i >= stored.size() || !isLike(i))
            return core::failure(
                trouble("weights/shape", file, fmt::format("arr_{}", i),
                        fmt::format("the file lists {} weights of other shapes than the model's {}",
                                    stored.size(), own.size()),
                        "save numpy.savez(file, *model.get_weights()) of this model"));
        replica.store().write(own[i].tensor, stored[i].values);
    }
    return {};
}

} // namespace

WeightNeeds weightNeeds(const core::TypedGraph& model, const TrainingReplica& replica) {
    WeightNeeds needs;
    for (const LayerWeight& weight : replica.graph().weights) {
        std::int64_t elements = replica.graph().tensor(weight.tensor).elements();
        std::int64_t stored = 1;
        for (const core::Dimension& extent : model.layer(weight.layer).weights[weight.index].shape.dimensions)
            stored *= extent.value_or(0);
        elements = std::max(elements, stored);
        needs.largest = std::max(needs.largest, elements);
        needs.total += elements;
    }
    return needs;
}

core::Result<StoredWeights> readWeightFile(const std::filesystem::path& path, const WeightNeeds& needs) {
    const std::string file = path.string();
    const auto bytes = core::readFile(path, core::FileLimit::weights);
    if (!bytes)
        return core::failure(bytes.error());
    if (core::isHdf5(*bytes))
        return core::hdf5Weights(*bytes, file, needs.largest);
    if (core::isOnnx(*bytes))
        return core::readOnnxWeights(*bytes, file);
    if (!core::isKerasArchive(*bytes))
        return core::failure(trouble("weights/unknown-format", file, "",
                                     "is neither an HDF5 file nor an ONNX model nor a .keras or .npz archive",
                                     "save the weights with model.save_weights(\"weights.h5\")"));
    const auto archive = core::ZipArchive::open(*bytes, file);
    if (!archive)
        return core::failure(archive.error());
    const std::string member = "model.weights.h5";
    if (!archive->contains(member))
        return readNpz(*archive, needs, bytes->size());
    // Keras stores it as it is; packed weights become little smaller.
    const std::size_t limit = 8 * core::FileLimit::mebibyte + 2 * bytes->size();
    const auto inner = archive->read(member, limit);
    return inner ? core::hdf5Weights(*inner, file, needs.largest) : core::failure(inner.error());
}

core::Result<void> writeWeights(const StoredWeights& stored, const std::string& file,
                                const core::TypedGraph& model, TrainingReplica& replica) {
    const WeightMatcher matcher(stored, file, model);
    if (matcher.isPlainList())
        return writePlainList(stored, file, replica);
    for (const LayerWeight& weight : replica.graph().weights) {
        const auto found = matcher.find(model.layer(weight.layer));
        if (!found)
            return core::failure(found.error());
        replica.store().write(weight.tensor, (*found)[weight.index]->values);
    }
    return {};
}

StoredWeights storedWeights(const core::TypedGraph& model, const TrainingReplica& replica) {
    StoredWeights weights;
    for (const LayerWeight& weight : replica.graph().weights) {
        const core::TypedLayer& layer = model.layer(weight.layer);
        const std::string name = layer.path + "/" + layer.weights[weight.index].name;
        weights.push_back({layer.path, name, replica.graph().tensor(weight.tensor).extents,
                           replica.store().read(weight.tensor)});
    }
    return weights;
}

core::Result<std::string> weightFileBytes(const std::filesystem::path& path, const StoredWeights& weights) {
    const std::string extension = path.extension().string();
    if (extension == ".h5" || extension == ".hdf5" || extension == ".keras")
        return core::writeHdf5Weights(weights);
    std::vector<std::pair<std::string, std::string>> members;
    for (const StoredWeight& weight : weights)
        members.emplace_back(weight.name + ".npy", npyBytes(weight.extents, weight.values));
    return zipBytes(members, core::productMark);
}

core::Result<void> saveWeightFile(const std::filesystem::path& path, const StoredWeights& weights,
                                  core::Links links) {
    const auto bytes = weightFileBytes(path, weights);
    return bytes ? core::writeFileAtomically(path, *bytes, core::Overwrite::Replace, links)
                 : core::failure(bytes.error());
}

void initializeWeights(const core::TypedGraph& model, std::uint64_t seed,
                       std::span<TrainingReplica> replicas) {
    const TrainingGraph& graph = replicas.front().graph();
    for (const LayerWeight& weight : graph.weights) {
        const core::TypedLayer& layer = model.layer(weight.layer);
        const core::WeightSpec& spec = layer.weights[weight.index];
        const Extents& extents = graph.tensor(weight.tensor).extents;
        const std::vector<float> values =
            initialWeights(spec.initializer, extents, layer.path + "/" + spec.name, seed);
        for (TrainingReplica& replica : replicas)
            replica.store().write(weight.tensor, values);
    }
}

void copyWeights(const TrainingReplica& from, TrainingReplica& to) {
    std::map<std::pair<core::LayerId, std::size_t>, core::TensorId> sources;
    for (const LayerWeight& weight : from.graph().weights)
        sources[{weight.layer, weight.index}] = weight.tensor;
    for (const LayerWeight& weight : to.graph().weights)
        if (const auto source = sources.find({weight.layer, weight.index}); source != sources.end())
            std::memcpy(to.store().address(weight.tensor), from.store().address(source->second),
                        static_cast<std::size_t>(to.graph().tensor(weight.tensor).bytes()));
}

} // namespace simulator
