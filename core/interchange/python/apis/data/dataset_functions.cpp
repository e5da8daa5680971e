// Datasets of tf.data: what they answer each time, and how often.
#include "core/interchange/python/apis/data/dataset_functions.h"

#include "core/interchange/python/apis/calls/program_function.h"
#include "core/interchange/python/apis/data/array_functions.h"
#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/data/dataset_rows.h"
#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

/// Samples that a dataset answers, each with its place among them; what comes from the same one keeps that.
PythonValue numberedParts(const PythonValue& element, bool keepsNumbers) {
    std::int64_t next = 0;
    if (keepsNumbers)
        static_cast<void>(mapSamples(element, [&](const PythonData& part) {
            next = std::max(next, part.part + 1);
            return part;
        }));
    return mapSamples(element, [&](const PythonData& part) {
        PythonData numbered = part;
        numbered.part = keepsNumbers && part.part >= 0 ? part.part : next++;
        numbered.model = -1;
        numbered.computed = nullptr;
        numbered.array = nullptr;
        return numbered;
    });
}

} // namespace

PythonValue batchOfArrays(const PythonValue& arrays) {
    return mapSamples(numberedParts(arrays, false), [](PythonData batch) {
        if (batch.shape.is_array() && !batch.shape.empty())
            batch.shape[0] = nullptr;
        return batch;
    });
}

namespace {

PythonData datasetOf(const PythonValue& element, std::int64_t count) {
    PythonData dataset;
    if (const PythonData* first = firstSamples(element)) {
        dataset.dataset = first->dataset;
        dataset.origin = first->origin;
    }
    dataset.element = std::make_shared<const PythonValue>(numberedParts(element, false));
    dataset.count = count;
    return dataset;
}

/// Lists among what a dataset is made of are arrays.
PythonValue asArrays(const PythonValue& value) {
    const auto* list = value.as<PythonList>();
    if (list != nullptr && !list->isTuple)
        return arrayOfList(value);
    if (list != nullptr) {
        PythonValues items;
        for (const PythonValue& item : *list->items)
            items.push_back(asArrays(item));
        return pythonList(std::move(items), true);
    }
    if (const auto* dictionary = value.as<PythonDictionary>()) {
        std::vector<std::pair<PythonValue, PythonValue>> entries;
        for (const auto& [key, entry] : *dictionary->entries)
            entries.emplace_back(key, asArrays(entry));
        return pythonDictionary(std::move(entries));
    }
    return value;
}

PythonValue fromSlices(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("tensors", 0);
    if (given == nullptr)
        return PythonData();
    const PythonValue arrays = asArrays(*given);
    PythonData dataset = datasetOf(oneSample(arrays), countSamples(arrays));
    dataset.whole = wholeArrays(*given);
    return dataset;
}

/// A dataset that answers whole batches, unless they are batched again.
PythonData wholeBatches(PythonData dataset) {
    const PythonData* first = firstSamples(*dataset.element);
    if (first != nullptr && first->shape.is_array() && !first->shape.empty() &&
        first->shape[0].is_number_integer())
        dataset.batchSize = first->shape[0].get<std::int64_t>();
    return dataset;
}

PythonValue fromTensors(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("tensors", 0);
    if (given == nullptr)
        return PythonData();
    PythonData dataset = wholeBatches(datasetOf(asArrays(*given), 1));
    dataset.whole = wholeElements(*given);
    dataset.answersWholes = dataset.whole != nullptr;
    return dataset;
}

PythonValue ranged(const PythonApiCall& call) {
    const auto count = callArrayFunction(call, "arange");
    return datasetOf(arrayOfShape(Json::array()), countSamples(count.value_or(PythonData())));
}

/// tf.range(): numbers of the device, as many as it says.
PythonValue deviceRange(const PythonApiCall& call) {
    for (const char* name : {"start", "limit", "delta"})
        if (const PythonValue* given = call.arguments.keyword(name))
            call.arguments.list.push_back(*given);
    const auto known = callArrayFunction(call, "arange");
    const auto unknown = std::ranges::find_if(call.arguments.list, PythonInterpreter::isOfRun);
    if (unknown == call.arguments.list.end())
        return known.value_or(PythonData());
    const PythonValue part = partOfRun(*unknown);
    PythonValue numbers = known.value_or(part);
    if (auto* data = std::get_if<PythonData>(&numbers.content); data != nullptr && data->origin.empty())
        data->origin = part.as<PythonData>()->origin; // why it is not known how many they are
    return numbers;
}

/// A shape of an output_signature or of output_shapes.
PythonValue sampleOf(const PythonApiCall& call, const PythonValue& written) {
    const auto* list = written.as<PythonList>();
    const bool isStructure = list != nullptr && !list->items->empty() &&
                             std::ranges::any_of(*list->items, [](const PythonValue& item) {
                                 return item.is<PythonList>() || item.is<PythonData>();
                             });
    if (isStructure) {
        PythonValues items;
        for (const PythonValue& item : *list->items)
            items.push_back(sampleOf(call, item));
        return pythonList(std::move(items), true);
    }
    if (written.is<PythonData>())
        return written;
    return arrayOfShape(writtenShape(written));
}

PythonValue tensorSpec(const PythonApiCall& call) {
    const PythonValue* shape = call.arguments.find("shape", 0);
    return arrayOfShape(shape == nullptr ? Json() : writtenShape(*shape));
}

PythonValue datasetShape(const PythonApiCall& call) {
    const PythonValue* shape = call.arguments.find("dims", 0);
    return shape == nullptr ? PythonValue(PythonData()) : *shape;
}

PythonValue fromGenerator(const PythonApiCall& call) {
    const PythonValue* written = call.arguments.keyword("output_signature");
    constexpr std::size_t position = 2;
    written = written == nullptr ? call.arguments.find("output_shapes", position) : written;
    if (written == nullptr)
        return samplesFrom("a generator");
    PythonData dataset = wholeBatches(datasetOf(sampleOf(call, *written), PythonData::unknownCount));
    dataset.origin = "a generator";
    return dataset;
}

PythonValue zipped(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("datasets", 0);
    PythonValues elements;
    std::int64_t count = PythonData::endless;
    for (const PythonValue& part : given == nullptr ? PythonValues() : given->items()) {
        const auto* data = part.as<PythonData>();
        if (data == nullptr || data->element == nullptr)
            return PythonData();
        elements.push_back(*data->element);
        const bool isLess = data->count >= 0 && (count < 0 || data->count < count);
        if (isLess || data->count == PythonData::unknownCount)
            count = data->count;
    }
    if (elements.empty())
        return PythonData();
    PythonData dataset = datasetOf(pythonList(std::move(elements), true), count);
    dataset.whole = zippedRows(*given);
    return dataset;
}

PythonValue cardinality(const PythonApiCall& call) {
    const auto* data = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonData>();
    return data != nullptr && data->count >= 0 ? pythonConstant(data->count) : PythonValue(PythonData());
}

/// As many times as often; unknown beyond what can be counted.
std::int64_t timesOf(std::int64_t count, std::int64_t factor) {
    std::int64_t result = 0;
    return factor < 0 || __builtin_mul_overflow(count, factor, &result) ? PythonData::unknownCount : result;
}

// ---- functions of a dataset -----------------------------------------------------------------------------

PythonValue batch(const PythonApiCall& call, PythonData data) {
    const PythonValue* size = call.arguments.find("batch_size", 0);
    const Json extent = size == nullptr || !size->isWhole() ? Json() : size->constant();
    const bool isPadded = call.path == "padded_batch";
    const PythonValue* drop = call.arguments.find("drop_remainder", isPadded ? 3 : 1);
    const bool isWhole = drop != nullptr && drop->constant() == true;
    data.hasOpenBatch = size != nullptr && size->is<PythonData>();
    data.keepsRemainder = data.keepsRemainder && !isWhole;
    if (extent.is_number_integer())
        data.batchSize = extent.get<std::int64_t>();
    const bool isCounted = data.count >= 0 && data.batchSize > 0 && extent.is_number_integer();
    if (isCounted)
        data.count =
            isWhole ? data.count / data.batchSize : (data.count + data.batchSize - 1) / data.batchSize;
    else if (data.count >= 0)
        data.count = PythonData::unknownCount;
    if (data.element != nullptr)
        data.element =
            std::make_shared<const PythonValue>(mapSamples(*data.element, [&](const PythonData& one) {
                PythonData many = one;
                many.batchSize = data.batchSize;
                many.shape = one.shape.is_array() ? Json::array({isWhole ? extent : Json()}) : Json();
                if (one.shape.is_array())
                    many.shape.insert(many.shape.end(), one.shape.begin(), one.shape.end());
                return many;
            }));
    return data;
}

PythonValue unbatch(const PythonApiCall&, PythonData data) {
    data.count = data.count >= 0 && data.batchSize > 0 ? timesOf(data.count, data.batchSize) : data.count;
    data.batchSize = 0;
    data.keepsRemainder = false;
    if (data.element != nullptr)
        data.element = std::make_shared<const PythonValue>(oneSample(*data.element));
    return data;
}

PythonValue repeat(const PythonApiCall& call, PythonData data) {
    const PythonValue* times = call.arguments.find("count", 0);
    const bool isEndless = times == nullptr || times->isNone() || times->constant() == -1;
    if (isEndless)
        data.count = PythonData::endless;
    else if (data.count >= 0)
        data.count = times->isWhole() ? timesOf(data.count, times->constant().get<std::int64_t>())
                                      : PythonData::unknownCount;
    return data;
}

PythonValue take(const PythonApiCall& call, PythonData data) {
    const PythonValue* count = call.arguments.find("count", 0);
    if (count == nullptr || !count->isWhole()) {
        data.count = PythonData::unknownCount;
        return data;
    }
    const auto most = count->constant().get<std::int64_t>();
    if (most >= 0)
        data.count = data.count >= 0 ? std::min(data.count, most) : most;
    return data;
}

PythonValue skip(const PythonApiCall& call, PythonData data) {
    const PythonValue* count = call.arguments.find("count", 0);
    if (data.count >= 0)
        data.count = count != nullptr && count->isWhole()
                         ? std::max<std::int64_t>(data.count - count->constant().get<std::int64_t>(), 0)
                         : PythonData::unknownCount;
    return data;
}

PythonValue shard(const PythonApiCall& call, PythonData data) {
    const PythonValue* shards = call.arguments.find("num_shards", 0);
    if (data.count >= 0)
        data.count = shards != nullptr && shards->isWhole() && shards->constant() > 0
                         ? data.count / shards->constant().get<std::int64_t>()
                         : PythonData::unknownCount;
    return data;
}

/// enumerate(): pairs of a number and what the dataset answers, as its other functions see them.
PythonData withNumbers(PythonData data) {
    if (!data.isNumbered || data.element == nullptr)
        return data;
    PythonData number = arrayOfShape(Json::array());
    number.areWhole = true;
    data.element =
        std::make_shared<const PythonValue>(numberedParts(pythonList({number, *data.element}, true), false));
    data.isNumbered = false;
    return data;
}

/// Its function is followed on one element; what it answers is the new element.
PythonValue map(const PythonApiCall& call, PythonData data) {
    const PythonValue* function = call.arguments.find("map_func", 0);
    const bool canFollow = data.element != nullptr && function != nullptr &&
                           (function->is<PythonLibraryObject>() || programFunction(*function));
    if (!canFollow)
        return data;
    const auto* tuple = data.element->as<PythonList>();
    PythonArguments one{tuple != nullptr ? *tuple->items : PythonValues{*data.element}, {}, call.place()};
    const PythonValue made = call.interpreter.call(*function, one);
    data.element = std::make_shared<const PythonValue>(numberedParts(made, true));
    return data;
}

/// Its function answers a dataset for each element; theirs are the new ones.
PythonValue flattened(const PythonApiCall& call, PythonData data) {
    const std::int64_t rounds = data.count;
    const PythonValue mapped = map(call, data);
    data.count = PythonData::unknownCount;
    const auto* inner = mapped.is<PythonData>() && mapped.as<PythonData>()->element != nullptr
                            ? mapped.as<PythonData>()->element->as<PythonData>()
                            : nullptr;
    if (inner == nullptr || inner->element == nullptr)
        return data;
    data.element = inner->element;
    data.batchSize = inner->batchSize;
    data.keepsRemainder = false; // batches of the elements, not those that were taken apart
    if (rounds >= 0 && inner->count >= 0)
        data.count = timesOf(rounds, inner->count);
    return data;
}

PythonValue unknownCount(const PythonApiCall&, PythonData data) {
    data.count = PythonData::unknownCount;
    return data;
}

/// window(size, shift, stride, drop_remainder): datasets of so many elements each, one for each part.
PythonValue windowed(const PythonApiCall& call, PythonData data) {
    const auto number = [&](const char* name, std::size_t position, std::int64_t otherwise) {
        const PythonValue* given = call.arguments.given(name, position);
        return given == nullptr                            ? otherwise
               : given->isWhole() && given->constant() > 0 ? given->constant().get<std::int64_t>()
                                                           : PythonData::unknownCount;
    };
    const std::int64_t size = number("size", 0, PythonData::unknownCount);
    const std::int64_t shift = number("shift", 1, size);
    const std::int64_t stride = number("stride", 2, 1);
    const PythonValue* drop = call.arguments.given("drop_remainder", 3);
    const bool areWhole = drop != nullptr && drop->constant() == true;
    const bool isKnown = size > 0 && shift > 0 && stride > 0;
    if (data.count >= 0) {
        const std::int64_t span = (size - 1) * stride + 1;
        const std::int64_t whole =
            data.count < span ? 0 : (data.count - span) / std::max<std::int64_t>(shift, 1) + 1;
        data.count = !isKnown   ? PythonData::unknownCount
                     : areWhole ? whole
                                : (data.count + shift - 1) / shift;
    }
    if (data.element != nullptr)
        data.element =
            std::make_shared<const PythonValue>(mapSamples(*data.element, [&](const PythonData& one) {
                return datasetOf(one, areWhole && size > 0 ? size : PythonData::unknownCount);
            }));
    return data;
}

PythonValue countedAs(const PythonApiCall& call, PythonData data) {
    const PythonValue* count = call.arguments.find("expected_cardinality", 0);
    if (count != nullptr && count->isWhole() && count->constant() >= 0)
        data.count = count->constant().get<std::int64_t>();
    return data;
}

PythonValue unknownElements(const PythonApiCall&, PythonData data) {
    data.element = nullptr;
    return data;
}

PythonValue numbered(const PythonApiCall&, PythonData data) {
    data.isNumbered = true;
    return data;
}

PythonValue joined(const PythonApiCall& call, PythonData data) {
    const PythonValue* other = call.arguments.find("dataset", 0);
    const auto* more = other == nullptr ? nullptr : other->as<PythonData>();
    const bool isKnown = data.count >= 0 && more != nullptr && more->count >= 0;
    data.count = isKnown ? data.count + more->count : PythonData::unknownCount;
    return data;
}

PythonValue countOf(const PythonApiCall&, PythonData data) {
    return data.count >= 0 ? pythonConstant(data.count) : PythonValue(samplesFrom(data.origin));
}

PythonValue nextElement(const PythonApiCall&, PythonData data) {
    return data.element == nullptr ? PythonValue(data) : *data.element;
}

PythonValue callOn(const PythonApiCall& call, PythonData data) {
    const PythonValue* function = call.arguments.find("transformation_func", 0);
    PythonArguments one{{data}, {}, call.place()};
    return function == nullptr ? PythonValue(data) : call.interpreter.call(*function, one);
}

struct DatasetMethod {
    std::string_view name;
    PythonValue (*meaning)(const PythonApiCall&, PythonData);
};
/// Others, such as shuffle() and prefetch(), leave the samples as they are.
constexpr std::array datasetMethods{
    DatasetMethod{"batch", batch},
    DatasetMethod{"padded_batch", batch},
    DatasetMethod{"unbatch", unbatch},
    DatasetMethod{"repeat", repeat},
    DatasetMethod{"take", take},
    DatasetMethod{"skip", skip},
    DatasetMethod{"shard", shard},
    DatasetMethod{"map", map},
    DatasetMethod{"apply", callOn},
    DatasetMethod{"assert_cardinality", countedAs},
    DatasetMethod{"ragged_batch", batch},
    DatasetMethod{"filter", unknownCount},
    DatasetMethod{"take_while", unknownCount},
    DatasetMethod{"unique", unknownCount},
    DatasetMethod{"scan", unknownElements},
    DatasetMethod{"interleave", flattened},
    DatasetMethod{"flat_map", flattened},
    DatasetMethod{"window", windowed},
    DatasetMethod{"enumerate", numbered},
    DatasetMethod{"concatenate", joined},
    DatasetMethod{"cardinality", countOf},
    DatasetMethod{"__len__", countOf},
    DatasetMethod{"get_next", nextElement},
    DatasetMethod{"next", nextElement},
};

PythonValue methodOf(const PythonApiCall& call, const std::string& method, PythonArguments arguments,
                     const PythonValue& dataset) {
    const auto* data = dataset.as<PythonData>();
    if (data == nullptr)
        return dataset;
    const PythonApiCall inner{call.builder, call.interpreter, method, arguments};
    return callDatasetMethod(inner, *data).value_or(*data);
}

constexpr const char* transformationClass = "tf.data.transformation";
constexpr const char* transformationName = "$name";
constexpr const char* transformationArguments = "$arguments";
constexpr const char* transformationKeywords = "$keywords";

/// tf.data.experimental.shuffle_and_repeat(512): what apply() does to a dataset.
PythonValue transformation(const PythonApiCall& call) {
    PythonLibraryObject object = pythonObject(transformationClass);
    std::vector<std::pair<PythonValue, PythonValue>> keywords;
    for (const auto& [name, value] : call.arguments.keywords)
        keywords.emplace_back(pythonText(name), value);
    (*object.attributes)[transformationName] = pythonText(call.name());
    (*object.attributes)[transformationArguments] = pythonList(call.arguments.list);
    (*object.attributes)[transformationKeywords] = pythonDictionary(std::move(keywords));
    return object;
}

/// The functions of a dataset that a transformation stands for, one after the other.
PythonValue applyTransformation(const PythonApiCall& call) {
    const auto* object =
        call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonLibraryObject>();
    const PythonValue dataset =
        call.arguments.list.size() > 1 ? call.arguments.list[1] : PythonValue(PythonData());
    if (object == nullptr)
        return dataset;
    PythonArguments given{object->attributes->at(transformationArguments).items(), {}, call.place()};
    for (const auto& [name, value] :
         *object->attributes->at(transformationKeywords).as<PythonDictionary>()->entries)
        given.keywords.emplace_back(name.constant().get<std::string>(), value);
    const std::string name = object->attributes->at(transformationName).constant().get<std::string>();
    const auto named = [&](std::initializer_list<std::pair<const char*, std::size_t>> arguments) {
        PythonArguments chosen{{}, {}, call.place()};
        for (const auto& [argument, position] : arguments)
            if (const PythonValue* value = given.find(argument, position))
                chosen.keywords.emplace_back(argument, *value);
        return chosen;
    };
    if (name == "shuffle_and_repeat")
        return methodOf(call, "repeat", named({{"count", 1}}),
                        methodOf(call, "shuffle", named({{"buffer_size", 0}}), dataset));
    if (name.starts_with("map_and_batch"))
        return methodOf(call, "batch", named({{"batch_size", 1}, {"drop_remainder", 3}}),
                        methodOf(call, "map", named({{"map_func", 0}}), dataset));
    if (name == "batch_and_drop_remainder") {
        PythonArguments size = named({{"batch_size", 0}});
        size.keywords.emplace_back("drop_remainder", pythonConstant(true));
        return methodOf(call, "batch", std::move(size), dataset);
    }
    if (name == "dense_to_ragged_batch")
        return methodOf(call, "batch", named({{"batch_size", 0}, {"drop_remainder", 1}}), dataset);
    if (name == "enumerate_dataset")
        return methodOf(call, "enumerate", {}, dataset);
    if (name == "parallel_interleave")
        return methodOf(call, "interleave", named({{"map_func", 0}}), dataset);
    return methodOf(call, name, std::move(given), dataset);
}

/// sample_from_datasets([a, b]): the elements of one of them each time.
PythonValue oneOfDatasets(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("datasets", 0);
    const auto* first =
        given == nullptr || given->items().empty() ? nullptr : given->items().front().as<PythonData>();
    if (first == nullptr)
        return samplesOfArguments(call.arguments);
    PythonData made = *first;
    const bool isEndless = std::ranges::all_of(given->items(), [](const PythonValue& one) {
        const auto* dataset = one.as<PythonData>();
        return dataset != nullptr && dataset->count == PythonData::endless;
    });
    made.count = isEndless ? PythonData::endless : PythonData::unknownCount;
    return made;
}

std::vector<PythonApiName> transformations() {
    std::vector<PythonApiName> names{
        readName(std::string(transformationClass) + ".__call__", applyTransformation),
        readName("tf.data.**.sample_from_datasets", oneOfDatasets),
        readName("tf.data.**.choose_from_datasets", oneOfDatasets)};
    for (const char* name :
         {"shuffle_and_repeat", "map_and_batch", "map_and_batch_with_legacy_function", "unbatch",
          "ignore_errors", "copy_to_device", "prefetch_to_device", "assert_cardinality", "take_while",
          "unique", "scan", "snapshot", "enumerate_dataset", "parallel_interleave", "dense_to_ragged_batch",
          "batch_and_drop_remainder"})
        for (const char* module : {"tf.data.experimental.", "tf.contrib.data."})
            names.push_back(readName(std::string(module) + name, transformation));
    return names;
}

} // namespace

std::vector<PythonApiName> datasetNames() {
    std::vector<PythonApiName> names = transformations();
    for (PythonApiName& row : std::vector<PythonApiName>{
             readName("tf.data.**.from_tensor_slices", fromSlices),
             readName("tf.data.**.from_tensors", fromTensors),
             readName("tf.data.**.from_generator", fromGenerator), readName("tf.data.Dataset.range", ranged),
             readName("tf.data.Dataset.zip", zipped), readName("tf.data.**.cardinality", cardinality),
             readName("tf.TensorSpec", tensorSpec), readName("tf.TensorShape", datasetShape),
             readName("tf.range", deviceRange)})
        names.push_back(std::move(row));
    return names;
}

std::optional<PythonValue> callDatasetMethod(const PythonApiCall& call, const PythonData& dataset) {
    const auto row = std::ranges::find(datasetMethods, call.path, &DatasetMethod::name);
    if (row == datasetMethods.end() && dataset.whole == nullptr) {
        if (call.path != "shuffle")
            return std::nullopt;
        PythonData shuffled = dataset;
        shuffled.isShuffled = true;
        return shuffled;
    }
    const auto changed = dataset.whole == nullptr ? std::nullopt : rowsAfter(call, dataset);
    PythonValue made = dataset;
    if (row != datasetMethods.end())
        made = row->meaning(call, withNumbers(dataset));
    auto* data = std::get_if<PythonData>(&made.content);
    if (data != nullptr && dataset.whole != nullptr && call.path != "apply") {
        data->whole = changed ? changed->whole : nullptr;
        if (changed) { // rows that are not followed any more are in the order, and in the batches, as before
            data->isShuffled = changed->isShuffled;
            data->keepsRemainder = changed->keepsRemainder;
            data->answersWholes = changed->answersWholes;
        }
    }
    return made;
}

std::optional<PythonRounds> roundsOf(const PythonData& samples) {
    if (samples.element != nullptr)
        return PythonRounds{*samples.element, samples.count, samples.isNumbered};
    const bool isArray = samples.shape.is_array() && !samples.shape.empty() && samples.placeholder == 0;
    if (isArray)
        return PythonRounds{oneSample(samples), countSamples(samples), samples.isNumbered};
    if (samples.count == PythonData::unknownCount)
        return std::nullopt;
    return PythonRounds{samplesFrom(samples.origin), samples.count, samples.isNumbered};
}

std::optional<PythonRounds> roundsOfValue(const PythonValue& value) {
    if (const auto* queue = value.as<PythonQueue>())
        return queue->isInfeed ? roundsOf(queue->dataset) : std::nullopt;
    // A list of values that are alike.
    const PythonValue* many = value.items().size() == 1 ? manyIn(value) : nullptr;
    const auto* data = (many != nullptr ? *many : value).as<PythonData>();
    return data == nullptr ? std::nullopt : roundsOf(*data);
}

std::optional<PythonValue> zipSamples(const PythonValues& parts) {
    std::int64_t count = PythonData::endless;
    PythonValues elements;
    bool hasList = false;
    for (const PythonValue& part : parts) {
        const auto rounds = roundsOfValue(part);
        const bool isPlain = part.is<PythonList>() && manyIn(part) == nullptr;
        hasList = hasList || isPlain;
        if (!isPlain && (!rounds || rounds->count == PythonData::unknownCount))
            return std::nullopt;
        const std::int64_t own = rounds ? rounds->count : static_cast<std::int64_t>(part.items().size());
        count = own >= 0 && (count < 0 || own < count) ? own : count;
        elements.push_back(rounds ? rounds->element : PythonValue());
    }
    if (!hasList) {
        PythonData dataset;
        dataset.element = std::make_shared<const PythonValue>(pythonList(std::move(elements), true));
        dataset.count = count;
        return dataset;
    }
    constexpr std::int64_t longest = 100000;
    PythonValues rows;
    for (std::int64_t i = 0; i < std::min(count, longest); ++i) {
        PythonValues row = elements;
        for (std::size_t j = 0; j < parts.size(); ++j)
            if (parts[j].is<PythonList>() && manyIn(parts[j]) == nullptr)
                row[j] = parts[j].items()[static_cast<std::size_t>(i)];
        rows.push_back(pythonList(std::move(row), true));
    }
    return pythonIterator(std::move(rows));
}

void refuseOpenBatch(const PythonApiCall& call) {
    refuseOpenNumber(call, "the size of the batches of this dataset");
}

} // namespace core
