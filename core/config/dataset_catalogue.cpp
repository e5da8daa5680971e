#include "core/config/dataset_catalogue.h"

#include <algorithm>

namespace core {

namespace {

constexpr double largest = 9007199254740992.0;

/// Reads one key of its declared type; the value comes back as JSON.
std::optional<Json> readKey(ObjectReader& reader, const DatasetKey& key) {
    const auto low = static_cast<std::int64_t>(key.low);
    const auto high = static_cast<std::int64_t>(key.high);
    const auto asJson = [](const auto& value) -> std::optional<Json> {
        return value ? std::optional<Json>(Json(*value)) : std::nullopt;
    };
    switch (key.type) {
    case DatasetKeyType::Path:
    case DatasetKeyType::Text:
        return asJson(reader.readText(key.name));
    case DatasetKeyType::Number:
        return asJson(reader.readNumber(key.name, key.low, key.high));
    case DatasetKeyType::Integer:
        return asJson(reader.readInteger(key.name, low, high));
    case DatasetKeyType::Integers:
        return asJson(reader.readIntegers(key.name, low, high));
    case DatasetKeyType::Switch:
        return asJson(reader.readBool(key.name));
    }
    return std::nullopt;
}

} // namespace

const std::vector<DatasetKind>& datasetKinds() {
    using enum DatasetKeyType;
    const DatasetKey scale{"scale", Number, false, 1e-30, 1e30, "divides every input; default 1"};
    const DatasetKey shape{"shape", Integers, false,
                           1,       largest,  "shape of one input; default: that of the file"};
    static const std::vector<DatasetKind> kinds{
        {"idx",
         "images and labels in IDX files (the format of MNIST)",
         {{"images", Path, true, 0, 0, "file of the inputs"},
          {"labels", Path, false, 0, 0, "file of the targets"},
          scale,
          shape}},
        {"csv",
         "one sample per line, numbers separated by commas",
         {{"file", Path, true, 0, 0, "the file"},
          {"label_column", Integer, false, -largest, largest, "column of the target; default -1, the last"},
          {"header", Switch, false, 0, 0, "whether the first line names the columns; default: seen from it"},
          scale,
          shape}},
        {"npy",
         "inputs and targets in NumPy .npy files",
         {{"inputs", Path, true, 0, 0, "file of the inputs"},
          {"labels", Path, false, 0, 0, "file of the targets"},
          scale,
          shape}},
        {"npz",
         "inputs and targets in one NumPy .npz archive",
         {{"file", Path, true, 0, 0, "the archive"},
          {"inputs", Text, false, 0, 0, "array of the inputs; default x_train"},
          {"labels", Text, false, 0, 0, "array of the targets; default y_train"},
          scale,
          shape}},
        {"synthetic",
         "made-up samples of the model's own shapes",
         {{"samples", Integer, false, 1, largest, "how many; default 1024"},
          {"seed", Integer, false, 0, largest, "of the samples; default 0"},
          {"classes", Integer, false, 1, largest, "of the targets; default: the model's output width"}}},
    };
    return kinds;
}

const std::vector<DatasetKey>& commonDatasetKeys() {
    using enum DatasetKeyType;
    static const std::vector<DatasetKey> keys{
        {"repeat", Switch, false, 0, 0, "start again at the end, as dataset.repeat() does; default true"},
        {"shuffle", Switch, false, 0, 0, "shuffle each epoch with the project's seed; default false"},
        {"drop_remainder", Switch, false, 0, 0, "leave out a last partial batch; default true"},
    };
    return keys;
}

std::optional<DatasetSpec> readDatasetSpec(const Json& value, const std::string& file,
                                           const std::string& pointer, Diagnostics& findings) {
    const std::size_t before = findings.size();
    ObjectReader reader(value, file, pointer, findings);
    std::vector<std::string_view> names;
    for (const DatasetKind& kind : datasetKinds())
        names.push_back(kind.name);
    reader.require("kind");
    const auto index = reader.readChoice("kind", names);
    if (!index)
        return std::nullopt;
    const DatasetKind& kind = datasetKinds()[*index];
    DatasetSpec dataset{std::string(kind.name), Json::object()};
    for (const auto* keys : {&kind.keys, &commonDatasetKeys()}) {
        for (const DatasetKey& key : *keys) {
            if (key.required)
                reader.require(key.name);
            if (auto read = readKey(reader, key))
                dataset.parameters[std::string(key.name)] = std::move(*read);
        }
    }
    reader.finish();
    return findings.size() == before ? std::optional(std::move(dataset)) : std::nullopt;
}

Json toJson(const DatasetSpec& dataset) {
    Json object = {{"kind", dataset.kind}};
    for (const auto& [key, value] : dataset.parameters.items())
        object[key] = value;
    return object;
}

} // namespace core
