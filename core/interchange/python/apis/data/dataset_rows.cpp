#include "core/interchange/python/apis/data/dataset_rows.h"

#include "core/interchange/python/apis/calls/program_function.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>

namespace core {

namespace {

/// Rows of an array as it is cut: from one on, so many at most.
PythonArray cutRows(const PythonArray& array, std::int64_t begin, std::int64_t count) {
    PythonArray cut{array.extents,   {},          array.isTensor, array.stage, array.kind,
                    array.areHalves, array.isOpen}; // not its numbers: they may be many
    const std::int64_t rows = array.extents.front();
    const std::int64_t first = std::clamp<std::int64_t>(begin, 0, rows);
    cut.extents.front() = std::clamp<std::int64_t>(count, 0, rows - first);
    const auto width = rows == 0 ? 0 : static_cast<std::ptrdiff_t>(array.numbers.size()) / rows;
    cut.numbers.assign(array.numbers.begin() + first * width,
                       array.numbers.begin() + (first + cut.extents.front()) * width);
    return cut;
}

/// The same structure with every array in it changed; null where the change knows none.
std::shared_ptr<const PythonValue>
changedArrays(const PythonValue& structure,
              const std::function<std::optional<PythonArray>(const PythonArray&)>& change) {
    bool isKnown = true;
    PythonValue made = mapSamples(structure, [&](const PythonData& data) {
        auto array = data.array == nullptr ? std::nullopt : change(*data.array);
        isKnown = isKnown && array.has_value();
        return array ? *pythonArray(std::move(*array)).as<PythonData>() : data;
    });
    return isKnown ? std::make_shared<const PythonValue>(std::move(made)) : nullptr;
}

std::shared_ptr<const PythonValue> cutWhole(const PythonData& dataset, std::int64_t begin,
                                            std::int64_t count) {
    return changedArrays(*dataset.whole,
                         [&](const PythonArray& array) { return cutRows(array, begin, count); });
}

/// Rows that a dataset answers at once.
std::int64_t rowsAtOnce(const PythonData& dataset) {
    return dataset.answersWholes ? 1 : std::max<std::int64_t>(dataset.batchSize, 1);
}

/// The rows of a dataset that repeats for ever, so often that they fill whole batches.
std::shared_ptr<const PythonValue> roundedRows(const PythonValue& whole, std::int64_t batch) {
    return changedArrays(whole, [&](const PythonArray& array) -> std::optional<PythonArray> {
        const std::int64_t rows = array.extents.front();
        if (rows < 1)
            return std::nullopt;
        const std::int64_t times = batch / std::gcd(rows, batch);
        if (times > mostArrayNumbers ||
            static_cast<std::int64_t>(array.numbers.size()) * times > mostArrayNumbers)
            return std::nullopt;
        PythonArray again = array;
        for (std::int64_t i = 1; i < times; ++i)
            again.numbers.insert(again.numbers.end(), array.numbers.begin(), array.numbers.end());
        again.extents.front() = rows * times;
        return again;
    });
}

/// What a dataset answers once: a row of each array, or so many of them where it answers batches.
PythonValue elementOf(const PythonValue& whole, std::int64_t row, std::int64_t batch) {
    return mapSamples(whole, [&](const PythonData& data) {
        PythonArray one = cutRows(*data.array, row, std::max<std::int64_t>(batch, 1));
        if (batch == 0)
            one.extents.erase(one.extents.begin());
        return *pythonArray(std::move(one)).as<PythonData>();
    });
}

/// Puts one row, or those of a batch, behind those of each array; false where they are not known, or of other
/// extents.
bool appendRows(std::vector<PythonArray>& arrays, const PythonValue& element, bool isBatch) {
    std::size_t next = 0;
    bool fits = true;
    static_cast<void>(mapSamples(element, [&](const PythonData& data) {
        const bool isKnown =
            data.array != nullptr && !data.array->isOpen && (!isBatch || !data.array->extents.empty());
        fits = fits && isKnown;
        if (!isKnown)
            return data;
        PythonArray rows = *data.array;
        if (!isBatch)
            rows.extents.insert(rows.extents.begin(), 1);
        if (next == arrays.size()) {
            PythonArray begun = rows;
            begun.numbers.clear();
            begun.isTensor = false;
            begun.extents.front() = 0;
            arrays.push_back(std::move(begun));
        }
        PythonArray& array = arrays[next++];
        fits = fits &&
               std::ranges::equal(std::span(array.extents).subspan(1), std::span(rows.extents).subspan(1)) &&
               array.numbers.size() + rows.numbers.size() <= std::size_t{mostArrayNumbers};
        if (fits) {
            array.numbers.insert(array.numbers.end(), rows.numbers.begin(), rows.numbers.end());
            array.extents.front() += rows.extents.front();
        }
        return data;
    }));
    return fits;
}

/// Numbers among what a function answers are arrays.
PythonValue withArrays(const PythonValue& value) {
    if (const auto array = value.isNumber() ? samplesArrayOf(pythonList({value})) : nullptr) {
        PythonArray one = *array;
        one.extents.clear();
        return pythonArray(std::move(one));
    }
    const auto* list = value.as<PythonList>();
    if (list == nullptr || !list->isTuple)
        return value;
    PythonValues items;
    for (const PythonValue& item : *list->items)
        items.push_back(withArrays(item));
    return pythonList(std::move(items), true);
}

/// map(): its function is called on all that the dataset answers.
std::shared_ptr<const PythonValue> mappedRows(const PythonApiCall& call, const PythonData& dataset) {
    constexpr std::int64_t most = 4096;
    const PythonValue* function = call.arguments.find("map_func", 0);
    const std::int64_t step = rowsAtOnce(dataset);
    const bool isBatch = dataset.batchSize > 0 && !dataset.answersWholes;
    std::int64_t rows = countSamples(*dataset.whole);
    if (isBatch && !dataset.keepsRemainder)
        rows -= rows % step;
    const bool canFollow = function != nullptr && !dataset.isNumbered && rows > 0 && rows / step <= most &&
                           (function->is<PythonLibraryObject>() || programFunction(*function));
    if (!canFollow)
        return nullptr;
    std::vector<PythonArray> arrays;
    PythonValue last;
    try {
        for (std::int64_t row = 0; row < rows; row += step) {
            const PythonValue one = elementOf(*dataset.whole, row, isBatch ? std::min(step, rows - row) : 0);
            const auto* tuple = one.as<PythonList>();
            PythonArguments given{tuple != nullptr ? *tuple->items : PythonValues{one}, {}, call.place()};
            last = withArrays(call.interpreter.call(*function, given));
            if (!appendRows(arrays, last, isBatch))
                return nullptr;
        }
    } catch (const PythonRefusal&) { // of samples whose numbers are not known it may be followed all the same
        return nullptr;
    }
    std::size_t next = 0;
    PythonValue made = mapSamples(
        last, [&](const PythonData&) { return *pythonArray(std::move(arrays[next++])).as<PythonData>(); });
    return std::make_shared<const PythonValue>(std::move(made));
}

std::int64_t wholeNumberOr(const PythonValue* value, std::int64_t otherwise) {
    return value != nullptr && value->isWhole() ? value->constant().get<std::int64_t>() : otherwise;
}

} // namespace

std::shared_ptr<const PythonValue> wholeArrays(const PythonValue& structure) {
    if (const auto* dictionary = structure.as<PythonDictionary>()) {
        std::vector<std::pair<PythonValue, PythonValue>> entries;
        for (const auto& [key, value] : *dictionary->entries) {
            const auto one = wholeArrays(value);
            if (one == nullptr)
                return nullptr;
            entries.emplace_back(key, *one);
        }
        return std::make_shared<const PythonValue>(pythonDictionary(std::move(entries)));
    }
    if (const auto* tuple = structure.as<PythonList>(); tuple != nullptr && tuple->isTuple) {
        PythonValues items;
        for (const PythonValue& item : *tuple->items) {
            const auto one = wholeArrays(item);
            if (one == nullptr)
                return nullptr;
            items.push_back(*one);
        }
        return std::make_shared<const PythonValue>(pythonList(std::move(items), true));
    }
    const auto array = samplesArrayOf(structure);
    if (array == nullptr || array->extents.empty())
        return nullptr;
    return std::make_shared<const PythonValue>(pythonArray(*array));
}

std::shared_ptr<const PythonValue> wholeElements(const PythonValue& structure) {
    const auto whole = wholeArrays(structure);
    return whole == nullptr ? nullptr : changedArrays(*whole, [](const PythonArray& array) {
        PythonArray one = array;
        one.extents.insert(one.extents.begin(), 1);
        return std::optional(std::move(one));
    });
}

std::shared_ptr<const PythonValue> samplesOfElements(const PythonValue& elements) {
    std::int64_t batch = -1;
    return changedArrays(elements, [&](const PythonArray& array) -> std::optional<PythonArray> {
        if (array.extents.size() < 2 || (batch >= 0 && array.extents[1] != batch))
            return std::nullopt;
        batch = array.extents[1];
        PythonArray samples = array;
        samples.extents.erase(samples.extents.begin());
        samples.extents.front() *= array.extents.front();
        return samples;
    });
}

std::optional<PythonData> rowsAfter(const PythonApiCall& call, const PythonData& dataset) {
    constexpr std::array<std::string_view, 5> same{"prefetch", "cache", "repeat", "options", "with_options"};
    PythonData after = dataset;
    if (std::ranges::find(same, call.path) != same.end())
        return after;
    if (call.path == "shuffle") {
        after.isShuffled = true;
        return after;
    }
    const bool isEndless = dataset.count == PythonData::endless;
    if (call.path == "batch" && (dataset.batchSize == 0 || dataset.answersWholes)) {
        const PythonValue* drop = call.arguments.find("drop_remainder", 1);
        after.keepsRemainder = drop == nullptr || drop->constant() != true;
        after.answersWholes = false;
        if (const std::int64_t size = wholeNumberOr(call.arguments.find("batch_size", 0), 0);
            isEndless && size > 0)
            after.whole = roundedRows(*dataset.whole, size);
        return after;
    }
    if ((call.path == "take" || call.path == "skip") && !dataset.isShuffled && !isEndless) {
        const std::int64_t count = wholeNumberOr(call.arguments.find("count", 0), -1);
        const std::int64_t rows = countSamples(*dataset.whole);
        // A batch has no more rows than there are, however large it is said to be.
        const std::int64_t each = std::min(rowsAtOnce(dataset), std::max<std::int64_t>(rows, 1));
        if (count < 0 || count > rows)
            return count >= 0 && call.path == "take" ? std::optional(after) : std::nullopt;
        after.whole =
            call.path == "take" ? cutWhole(dataset, 0, count * each) : cutWhole(dataset, count * each, rows);
        return after;
    }
    if (call.path == "map") {
        after.whole = mappedRows(call, dataset);
        return after;
    }
    return std::nullopt;
}

std::shared_ptr<const PythonValue> zippedRows(const PythonValue& datasets) {
    PythonValues parts;
    for (const PythonValue& part : datasets.items()) {
        const auto* data = part.as<PythonData>();
        if (data == nullptr || data->whole == nullptr || data->isShuffled || data->batchSize > 0)
            return nullptr;
        parts.push_back(*data->whole);
    }
    return std::make_shared<const PythonValue>(pythonList(std::move(parts), true));
}

} // namespace core
