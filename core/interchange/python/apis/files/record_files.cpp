#include "core/interchange/python/apis/files/record_files.h"

#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_shape.h"

#include <optional>
#include <string>

namespace core {

namespace {

constexpr const char* featureClass = "tf.io.FixedLenFeature";

/// Extents of which only a run knows some.
PythonData arrayFrom(std::string origin, Json shape) {
    PythonData data = arrayOfShape(std::move(shape));
    data.origin = std::move(origin);
    return data;
}

/// tf.data.TFRecordDataset(files): texts of bytes.
PythonValue recordsOf(const PythonApiCall& call) {
    PythonData dataset;
    dataset.origin = call.path;
    dataset.element = std::make_shared<const PythonValue>(arrayFrom(call.path, Json::array()));
    dataset.count = PythonData::unknownCount;
    return dataset;
}

/// FixedLenFeature(shape, dtype).
PythonValue makeFeature(const PythonApiCall& call) {
    PythonLibraryObject feature = pythonObject(featureClass);
    const PythonValue* shape = call.arguments.find("shape", 0);
    const PythonValue* type = call.arguments.find("dtype", 1);
    (*feature.attributes)["shape"] = shape == nullptr ? PythonValue() : *shape;
    (*feature.attributes)["dtype"] = type == nullptr ? PythonValue() : *type;
    return feature;
}

/// A feature as the record of one sample has it, or the records of a batch.
PythonValue valueOf(const PythonApiCall& call, const PythonValue& feature) {
    const auto* object = feature.as<PythonLibraryObject>();
    if (object == nullptr || object->className != featureClass)
        return samplesFrom(call.path);
    Json shape = writtenShape(object->attributes->at("shape"));
    if (shape.is_number_integer())
        shape = Json::array({shape});
    if (shape.is_array() && call.name() == "parse_example")
        shape.insert(shape.begin(), Json());
    PythonData value = arrayFrom(call.path, std::move(shape));
    setType(value, typeNamed(&object->attributes->at("dtype")));
    return value;
}

/// parse_single_example(record, features): a dictionary of what the features say.
PythonValue parsedRecord(const PythonApiCall& call) {
    const PythonValue* features = call.arguments.find("features", 1);
    const auto* known = features == nullptr ? nullptr : features->as<PythonDictionary>();
    if (known == nullptr)
        return samplesFrom(call.path);
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    for (const auto& [name, feature] : *known->entries)
        entries.emplace_back(name, valueOf(call, feature));
    return pythonDictionary(std::move(entries));
}

/// decode_jpeg(contents, channels): the file says how large the image is.
PythonValue decodedImage(const PythonApiCall& call) {
    const PythonValue* channels = call.arguments.find("channels", 1);
    const bool isTold = channels != nullptr && channels->isWhole() && channels->constant() != 0;
    return arrayFrom(call.path, Json::array({Json(), Json(), isTold ? channels->constant() : Json()}));
}

PythonValue decodedNumbers(const PythonApiCall& call) {
    PythonData data = arrayFrom(call.path, Json::array({Json()}));
    setType(data, typeNamed(call.arguments.find("out_type", 1)));
    return data;
}

/// The columns of a line of text, one number or text for each default.
PythonValue columnsOf(const PythonApiCall& call) {
    const PythonValue* defaults = call.arguments.find("record_defaults", 1);
    PythonValues columns;
    for (const PythonValue& one : defaults == nullptr ? PythonValues{} : defaults->items()) {
        PythonData column = arrayFrom(call.path, Json::array());
        const PythonValue& value = one.items().size() == 1 ? one.items()[0] : one; // [0.0] is a default, too
        column.areWhole = value.isWhole() || typeNamed(&value).find("int") != std::string::npos;
        columns.push_back(std::move(column));
    }
    return columns.empty() ? PythonValue(samplesFrom(call.path)) : pythonList(std::move(columns));
}

/// CsvDataset(files, record_defaults): tuples of columns.
PythonValue rowsOfLines(const PythonApiCall& call) {
    PythonData dataset = *recordsOf(call).as<PythonData>();
    if (const PythonValue columns = columnsOf(call); columns.is<PythonList>())
        dataset.element = std::make_shared<const PythonValue>(pythonList(columns.items(), true));
    return dataset;
}

} // namespace

std::vector<PythonApiName> recordFileNames() {
    std::vector<PythonApiName> names;
    for (const char* name : {"tf.data.**.TFRecordDataset", "tf.data.**.TextLineDataset",
                             "tf.data.**.FixedLengthRecordDataset", "tf.data.**.list_files"})
        names.push_back(readName(name, recordsOf));
    names.push_back(readName("tf.data.**.CsvDataset", rowsOfLines));
    for (const char* module : {"tf.io.", "tf."}) {
        const std::string prefix = module;
        names.push_back(readName(prefix + "FixedLenFeature", makeFeature));
        for (const char* name : {"parse_single_example", "parse_example"})
            names.push_back(readName(prefix + name, parsedRecord));
        names.push_back(readName(prefix + "decode_raw", decodedNumbers));
        names.push_back(readName(prefix + "decode_csv", columnsOf));
        names.push_back(readName(prefix + "read_file", [](const PythonApiCall& call) -> PythonValue {
            return arrayFrom(call.path, Json::array());
        }));
    }
    for (const char* module : {"tf.io.", "tf.image."})
        for (const char* name : {"decode_jpeg", "decode_png", "decode_image", "decode_bmp"})
            names.push_back(readName(std::string(module) + name, decodedImage));
    return names;
}

} // namespace core
