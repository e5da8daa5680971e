// Datasets that come in batches, and generators.
#include "core/interchange/python/apis/data/batched_files.h"

#include "core/interchange/python/draft/sample_shapes.h"

#include <memory>

namespace core {

namespace {

/// How many samples a batch has: what the program says, else what the function says. A number that only a run
/// knows is refused.
std::int64_t sizeOf(const PythonApiCall& call, std::size_t position, std::int64_t byDefault) {
    const PythonValue* size = call.arguments.given("batch_size", position);
    if (size == nullptr)
        return byDefault;
    if (!size->isWhole())
        refuseOpenNumber(call, "the size of the batches of this dataset");
    return size->constant().get<std::int64_t>();
}

/// An array of a batch, which may have fewer samples than others: their extents, with null for that number.
PythonValue partOf(const PythonApiCall& call, Json extents, std::int64_t size) {
    if (extents.is_array())
        extents.insert(extents.begin(), Json());
    PythonData part = arrayOfShape(std::move(extents));
    part.batchSize = size;
    part.origin = call.name() + "()";
    return part;
}

PythonValue datasetOf(const PythonApiCall& call, PythonValues parts, std::int64_t size, std::int64_t count) {
    PythonData dataset;
    dataset.batchSize = size;
    dataset.count = count;
    dataset.keepsRemainder = true;
    dataset.origin = call.name() + "()";
    for (std::size_t i = 0; i < parts.size(); ++i)
        std::get<PythonData>(parts[i].content).part = static_cast<std::int64_t>(i);
    dataset.element = std::make_shared<const PythonValue>(
        parts.size() == 1 ? parts.front() : pythonList(std::move(parts), true));
    return dataset;
}

/// Labels as label_mode says: class numbers, one of two, or one number for each class; none without them.
void addLabels(const PythonApiCall& call, PythonValues& parts, std::int64_t size) {
    const PythonValue* labels = call.arguments.find("labels", 1);
    const PythonValue* mode = call.arguments.find("label_mode", 2);
    if ((labels != nullptr && labels->isNone()) || (mode != nullptr && mode->isNone()))
        return;
    const std::string said = mode != nullptr && mode->isText() ? mode->constant().get<std::string>() : "int";
    parts.push_back(partOf(call,
                           said == "categorical" ? Json::array({nullptr})
                           : said == "binary"    ? Json::array({1})
                                                 : Json::array(),
                           size));
}

PythonValue imagesOfFolder(const PythonApiCall& call) {
    constexpr std::size_t sizeAt = 5;
    constexpr std::size_t extentsAt = 6;
    constexpr int side = 256;
    const std::int64_t size = sizeOf(call, sizeAt, 32);
    const PythonValue* extents = call.arguments.given("image_size", extentsAt);
    const PythonValue* colours = call.arguments.given("color_mode", 4);
    Json shape = extents == nullptr ? Json{side, side} : writtenShape(*extents);
    const Json mode = colours == nullptr ? Json("rgb") : colours->constant();
    if (shape.is_array())
        shape.push_back(mode == "grayscale" ? 1 : mode == "rgba" ? 4 : 3);
    PythonValues parts{partOf(call, std::move(shape), size)};
    addLabels(call, parts, size);
    return datasetOf(call, std::move(parts), size, PythonData::unknownCount);
}

PythonValue textsOfFolder(const PythonApiCall& call) {
    const std::int64_t size = sizeOf(call, 4, 32);
    PythonValues parts{partOf(call, Json::array(), size)};
    addLabels(call, parts, size);
    return datasetOf(call, std::move(parts), size, PythonData::unknownCount);
}

/// timeseries_dataset_from_array(data, targets, sequence_length, …): windows of it.
PythonValue windowsOfArray(const PythonApiCall& call) {
    constexpr std::size_t sizeAt = 5;
    const std::int64_t size = sizeOf(call, sizeAt, 128);
    const auto rowOf = [&](const char* name, std::size_t position) -> Json {
        const PythonValue* array = call.arguments.given(name, position);
        const Json shape = array == nullptr ? Json() : shapeOf(*array);
        return shape.is_array() && !shape.empty() ? Json(shape.begin() + 1, shape.end()) : Json();
    };
    const PythonValue* length = call.arguments.given("sequence_length", 2);
    Json window = rowOf("data", 0);
    if (window.is_array())
        window.insert(window.begin(), length != nullptr && length->isWhole() ? length->constant() : Json());
    PythonValues parts{partOf(call, std::move(window), size)};
    if (call.arguments.given("targets", 1) != nullptr)
        parts.push_back(partOf(call, rowOf("targets", 1), size));
    return datasetOf(call, std::move(parts), size, PythonData::unknownCount);
}

/// make_csv_dataset(file_pattern, batch_size, …) repeats for ever unless it is told how often.
PythonValue rowsOfTables(const PythonApiCall& call) {
    const std::int64_t size = sizeOf(call, 1, 32);
    return datasetOf(call, {partOf(call, Json(), size)}, size,
                     call.arguments.keyword("num_epochs") == nullptr ? PythonData::endless
                                                                     : PythonData::unknownCount);
}

constexpr const char* imageGenerator = "keras.preprocessing.image.ImageDataGenerator";

PythonValue generator(const PythonApiCall&) {
    PythonData made;
    made.origin = generatorOfKeras;
    return made;
}

} // namespace

std::vector<PythonApiName> batchedFileNames() {
    std::vector<PythonApiName> names{
        readName("keras.**.image_dataset_from_directory", imagesOfFolder),
        readName("keras.**.text_dataset_from_directory", textsOfFolder),
        readName("keras.**.timeseries_dataset_from_array", windowsOfArray),
        readName("tf.data.experimental.make_csv_dataset", rowsOfTables),
        readName("keras.**.TimeseriesGenerator", generator),
        readName("keras.**.ImageDataGenerator",
                 [](const PythonApiCall&) { return pythonObject(imageGenerator); }),
    };
    for (const char* name : {"flow", "flow_from_directory", "flow_from_dataframe"})
        names.push_back(readName(std::string(imageGenerator) + "." + name, generator));
    names.push_back(hostName(std::string(imageGenerator) + ".*"));
    return names;
}

} // namespace core
