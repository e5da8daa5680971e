#include "core/config/dataset_catalogue.h"

#include <algorithm>

namespace core {

namespace {

constexpr double largest = 9007199254740992.0;

/// A list of numbers of a key's range.
std::optional<Json> readNumbers(ObjectReader& reader, const DatasetKey& key) {
    const Json* list = reader.readList(key.name);
    if (list == nullptr)
        return std::nullopt;
    const bool isFit = !list->empty() && std::ranges::all_of(*list, [&](const Json& item) {
        return item.is_number() && item.get<double>() >= key.low && item.get<double>() <= key.high;
    });
    if (isFit)
        return *list;
    reader.refuse(key.name, "project/value", "expected a list of numbers that are not negative",
                  {"write for example [1, 2.5]"});
    return std::nullopt;
}

/// A text, or a list of them as a list.
std::optional<Json> readOneOrMore(ObjectReader& reader, std::string_view name) {
    const Json* value = reader.readValue(name);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_array()) {
        const auto one = reader.readText(name);
        return one ? std::optional<Json>(*one) : std::nullopt;
    }
    const auto texts = reader.readTexts(name);
    if (texts && texts->empty()) {
        reader.refuse(name, "project/value", "the list is empty", {"name one or more"});
        return std::nullopt;
    }
    return texts ? std::optional<Json>(*texts) : std::nullopt;
}

/// Reads one key of its declared type; the value comes back as JSON.
std::optional<Json> readKey(ObjectReader& reader, const DatasetKey& key) {
    // Only of keys that are integers: the bounds of others may be no numbers of this type.
    const auto bound = [](double value) { return static_cast<std::int64_t>(value); };
    const auto asJson = [](const auto& value) -> std::optional<Json> {
        return value ? std::optional<Json>(Json(*value)) : std::nullopt;
    };
    switch (key.type) {
    case DatasetKeyType::Path:
    case DatasetKeyType::Text:
        return asJson(reader.readText(key.name));
    case DatasetKeyType::Paths:
    case DatasetKeyType::Texts:
        return readOneOrMore(reader, key.name);
    case DatasetKeyType::Number:
        return asJson(reader.readNumber(key.name, key.low, key.high));
    case DatasetKeyType::Integer:
        return asJson(reader.readInteger(key.name, bound(key.low), bound(key.high)));
    case DatasetKeyType::Integers:
        return asJson(reader.readIntegers(key.name, bound(key.low), bound(key.high)));
    case DatasetKeyType::Numbers:
        return readNumbers(reader, key);
    case DatasetKeyType::Switch:
        return asJson(reader.readBool(key.name));
    case DatasetKeyType::Choice: {
        const auto index = reader.readChoice(key.name, key.choices);
        return index ? std::optional<Json>(std::string(key.choices[*index])) : std::nullopt;
    }
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
         {{"inputs", Paths, true, 0, 0, "file of the inputs; a list for a model with several"},
          {"labels", Paths, false, 0, 0, "file of the targets; a list for a model with several outputs"},
          scale,
          shape}},
        {"npz",
         "inputs and targets in one NumPy .npz archive",
         {{"file", Path, true, 0, 0, "the archive"},
          {"inputs", Texts, false, 0, 0, "array of the inputs, or a list; default x_train"},
          {"labels", Texts, false, 0, 0, "array of the targets, or a list; default y_train"},
          scale,
          shape}},
        {"image_folder",
         "PNG, JPEG, PGM and PPM pictures, one folder per class",
         {{"folder", Path, true, 0, 0, "folder with a folder of pictures for each class"},
          {"class_names", Texts, false, 0, 0,
           "folders in the order of their class numbers; default: all, by name"},
          {"size", Integers, false, 1, 65535,
           "[rows, columns] of an input; default: those of the first picture"},
          {"channels",
           Choice,
           false,
           0,
           0,
           "grayscale, rgb or rgba; default rgb",
           {"grayscale", "rgb", "rgba"}},
          scale}},
        {"cifar10",
         "the binary files of CIFAR-10",
         {{"files", Paths, true, 0, 0, "data_batch_1.bin, or a list of such files"}, scale}},
        {"text",
         "one text per line, as numbers of a vocabulary's tokens",
         {{"file", Path, true, 0, 0, "the lines"},
          {"vocabulary", Path, true, 0, 0,
           "one token per line; number 0 is padding, 1 an unknown token, 2 the first line"},
          {"length", Integer, true, 1, 1e6, "tokens of an input: longer lines are cut, shorter ones padded"},
          {"labels", Path, false, 0, 0, "one number per line, the targets"},
          {"next_token", Switch, false, 0, 0, "the targets are the inputs one token further; default false"},
          {"standardize",
           Choice,
           false,
           0,
           0,
           "lower_and_strip_punctuation or none; default lower_and_strip_punctuation",
           {"lower_and_strip_punctuation", "none"}},
          {"split",
           Choice,
           false,
           0,
           0,
           "whitespace or character; default whitespace",
           {"whitespace", "character"}}}},
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
        {"sample_weights", Path, false, 0, 0,
         ".npy file: what each sample counts for in the loss; default 1"},
        {"class_weights", Numbers, false, 0, 1e12,
         "what a sample of class 0, 1, … counts for in the loss of a training; default 1"},
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
