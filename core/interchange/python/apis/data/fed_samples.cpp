#include "core/interchange/python/apis/data/fed_samples.h"

#include "core/interchange/python/apis/data/dataset_rows.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/syntax/messages.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using Arrays = std::vector<std::shared_ptr<const PythonArray>>;

/// Null where there is none of that name.
const PythonValue* entryNamed(const PythonDictionary& dictionary, const std::string& name) {
    const auto entry = std::ranges::find_if(*dictionary.entries,
                                            [&](const auto& one) { return one.first.constant() == name; });
    return entry == dictionary.entries->end() ? nullptr : &entry->second;
}

/// The arrays of a structure; those of a dictionary in the order of the names. False: not all are known.
/// With `taken` there need be no names: it gets those that the arrays have, empty where they have none.
bool takeArrays(const PythonValue& structure, const std::vector<std::string>& names, Arrays& arrays,
                std::vector<std::string>* taken = nullptr) {
    const auto* all = names.empty() && taken != nullptr ? structure.as<PythonDictionary>() : nullptr;
    if (all != nullptr)
        return std::ranges::all_of(*all->entries, [&](const auto& entry) {
            const std::size_t before = arrays.size();
            if (!entry.first.isText() || !takeArrays(entry.second, {}, arrays, taken))
                return false;
            if (arrays.size() == before + 1)
                taken->back() = entry.first.constant().template get<std::string>();
            return true;
        });
    if (const auto* dictionary = structure.as<PythonDictionary>()) {
        for (const std::string& name : names) {
            const PythonValue* entry = entryNamed(*dictionary, name);
            if (entry == nullptr || !takeArrays(*entry, {}, arrays))
                return false;
        }
        return !names.empty();
    }
    if (const auto* list = structure.as<PythonList>(); list != nullptr && (list->isTuple || names.size() > 1))
        return std::ranges::all_of(
            *list->items, [&](const PythonValue& item) { return takeArrays(item, {}, arrays, taken); });
    const auto array = samplesArrayOf(structure);
    if (array == nullptr || array->extents.empty())
        return false;
    arrays.push_back(array);
    if (taken != nullptr)
        taken->emplace_back();
    return true;
}

/// Samples of a library and their labels, as they are.
void takeLibrary(const PythonValue& pair, PythonFed& fed) {
    const auto* both = pair.as<PythonList>();
    const auto* samples =
        both == nullptr || both->items->empty() ? nullptr : both->items->front().as<PythonData>();
    const auto* labels =
        both == nullptr || both->items->size() != 2 ? nullptr : both->items->back().as<PythonData>();
    if (samples == nullptr || labels == nullptr || !samples->divisor || labels->divisor != 1 ||
        samples->dataset.empty() || samples->dataset != labels->dataset)
        return;
    fed.dataset = samples->dataset;
    fed.divisor = *samples->divisor;
}

/// Extents of one of each array of a structure, in the order of the names; an array that is not known has
/// none.
void takeShapes(const PythonValue& structure, const std::vector<std::string>& names,
                std::vector<Json>& shapes) {
    if (const auto* dictionary = structure.as<PythonDictionary>()) {
        for (const std::string& name : names)
            if (const PythonValue* entry = entryNamed(*dictionary, name))
                takeShapes(*entry, {}, shapes);
        return;
    }
    const auto* list = structure.as<PythonList>();
    const bool isPart = list != nullptr && std::ranges::any_of(*list->items, [](const PythonValue& item) {
                            return item.is<PythonData>() || item.is<PythonDictionary>();
                        });
    if (isPart) {
        for (const PythonValue& item : *list->items)
            takeShapes(item, {}, shapes);
        return;
    }
    shapes.push_back(withoutBatch(shapeOf(structure)));
}

std::vector<std::string> namesOf(const PythonProgramBuilder& builder,
                                 const std::vector<PythonTensor>& tensors) {
    std::vector<std::string> names;
    for (const PythonTensor& tensor : tensors)
        names.push_back(builder.facts.draft.layers[static_cast<std::size_t>(tensor.layer)].name);
    return names;
}

bool haveAsManyRows(const PythonFed& fed) {
    const auto fits = [&](const auto& array) { return array->extents.front() == fed.samples; };
    return fed.samples > 0 && std::ranges::all_of(fed.inputs, fits) && std::ranges::all_of(fed.labels, fits);
}

/// The rows of all batches that a dataset answers; null: they are not known.
std::shared_ptr<const PythonValue> rowsOf(const PythonData& dataset) {
    return dataset.whole != nullptr && dataset.answersWholes ? samplesOfElements(*dataset.whole)
                                                             : dataset.whole;
}

/// Whether loops are fed with the same already.
bool isFed(const std::vector<PythonFed>& known, const PythonData& dataset, PythonPlace place) {
    return std::ranges::any_of(known, [&](const PythonFed& one) {
        return one.whole == dataset.whole && (dataset.whole != nullptr || one.place == place);
    });
}

/// The call that samples come from, as messages name it; empty: none that is worth saying.
std::string sourceOf(const PythonValue& samples) {
    const PythonData* first = firstSamples(samples);
    if (first == nullptr)
        return "";
    return first->origin.empty() ? first->unread : first->origin;
}

/// Why the numbers of samples, or of their labels, are not known here.
std::string reasonOf(const PythonValue& samples, const char* what) {
    const std::string source = sourceOf(samples);
    return fmt::format("the numbers of {}{} are not worked out while the program is read", what,
                       source.empty() ? "" : fmt::format(", which come of {},", quotedName(source)));
}

PythonFed knownOrNot(PythonFed fed, std::string reason) {
    if (reason.empty() && !haveAsManyRows(fed))
        reason = "they and their labels are not as many";
    if (!reason.empty()) {
        fed.inputs.clear();
        fed.labels.clear();
        fed.reason = std::move(reason);
    }
    return fed;
}

} // namespace

const PythonList* pairOf(const PythonValue& given) {
    const auto* tuple = given.as<PythonList>();
    return tuple != nullptr && tuple->isTuple && tuple->items->size() >= 2 ? tuple : nullptr;
}

PythonFed fedSamples(const PythonProgramBuilder& builder, const PythonModel& model,
                     const PythonValue& samples, const PythonValue* labels, PythonPlace place) {
    PythonFed fed{place};
    const auto* dataset = samples.as<PythonData>();
    const bool isDataset = dataset != nullptr && dataset->element != nullptr;
    const auto rows = isDataset ? rowsOf(*dataset) : nullptr;
    const PythonValue* whole = isDataset ? rows.get() : &samples;
    fed.reason = isDataset && sourceOf(samples).empty()
                     ? "what the program makes of its dataset is not worked out while it is read"
                     : reasonOf(samples, "the samples");
    if (isDataset) {
        fed.isShuffled = dataset->isShuffled;
        fed.keepsRemainder = dataset->keepsRemainder;
        const bool isCounted = dataset->count > 0 && dataset->batchSize > 0;
        fed.samples = whole != nullptr ? countSamples(*whole)
                      : isCounted      ? dataset->count * dataset->batchSize
                                       : PythonData::unknownCount;
    } else {
        fed.samples = countSamples(samples);
    }
    takeLibrary(isDataset           ? *dataset->element
                : labels == nullptr ? samples
                                    : pythonList({samples, *labels}, true),
                fed);
    const PythonValue& shaped = isDataset ? *dataset->element : samples;
    const bool isBatched = !isDataset || dataset->batchSize > 0;
    if (const PythonList* both = isDataset && isBatched ? pairOf(shaped) : nullptr) {
        takeShapes(both->items->front(), namesOf(builder, model.inputs), fed.inputShapes);
        takeShapes((*both->items)[1], namesOf(builder, model.outputs), fed.labelShapes);
    } else if (isBatched && !isDataset) {
        takeShapes(shaped, namesOf(builder, model.inputs), fed.inputShapes);
        if (labels != nullptr) {
            takeShapes(*labels, namesOf(builder, model.outputs), fed.labelShapes);
            fed.labelled = countSamples(*labels);
        }
    }
    if (whole == nullptr)
        return fed;
    const PythonValue* features = whole;
    if (const PythonList* pair = isDataset ? pairOf(*whole) : nullptr) {
        features = &pair->items->front();
        labels = &(*pair->items)[1];
    }
    const std::string reason =
        !takeArrays(*features, namesOf(builder, model.inputs), fed.inputs)
            ? reasonOf(*features, "the samples")
        : labels != nullptr && !takeArrays(*labels, namesOf(builder, model.outputs), fed.labels)
            ? reasonOf(*labels, "the labels")
            : "";
    fed.reason.clear();
    if (!isDataset && !fed.inputs.empty())
        fed.samples = fed.inputs.front()->extents.front();
    return knownOrNot(std::move(fed), reason);
}

namespace {

/// What a run feeds to a placeholder; null: nothing, or what only a run knows.
std::shared_ptr<const PythonArray> arrayFed(const PythonValue& dictionary, std::int64_t placeholder) {
    const auto* entries = dictionary.as<PythonDictionary>();
    if (entries == nullptr)
        return nullptr;
    for (const auto& [key, value] : *entries->entries) {
        const auto* data = key.as<PythonData>();
        const auto array =
            data != nullptr && data->placeholder == placeholder ? samplesArrayOf(value) : nullptr;
        if (array != nullptr && !array->extents.empty() && !array->isOpen)
            return array;
    }
    return nullptr;
}

bool isSameArray(const std::shared_ptr<const PythonArray>& a, const std::shared_ptr<const PythonArray>& b) {
    return a == b || (a->extents == b->extents && a->numbers == b->numbers);
}

/// After how many runs they feed the same again, and again.
std::size_t periodOf(const std::vector<Arrays>& runs) {
    for (std::size_t period = 1; period < runs.size(); ++period) {
        bool repeats = runs.size() % period == 0;
        for (std::size_t i = period; repeats && i < runs.size(); ++i)
            repeats = std::ranges::equal(runs[i], runs[i - period], isSameArray);
        if (repeats)
            return period;
    }
    return runs.size();
}

/// The rows of one array behind those of the other; null: they have other extents, or are too many.
std::shared_ptr<const PythonArray> joined(const std::shared_ptr<const PythonArray>& a,
                                          const std::shared_ptr<const PythonArray>& b) {
    const auto rest = [](const PythonArray& array) { return std::span(array.extents).subspan(1); };
    const std::size_t numbers = a->numbers.size() + b->numbers.size();
    if (!std::ranges::equal(rest(*a), rest(*b)) || numbers > static_cast<std::size_t>(mostArrayNumbers))
        return nullptr;
    PythonArray whole = *a;
    whole.extents.front() += b->extents.front();
    whole.numbers.insert(whole.numbers.end(), b->numbers.begin(), b->numbers.end());
    whole.kind = joinedKind(a->kind, b->kind);
    return std::make_shared<const PythonArray>(std::move(whole));
}

} // namespace

void feedPlaceholders(PythonProgramBuilder& builder, std::int64_t model, const PythonArguments& arguments) {
    const auto known =
        std::ranges::find(builder.fedPlaceholders, model, &PythonProgramBuilder::FedPlaceholders::model);
    if (known == builder.fedPlaceholders.end())
        return;
    PythonValues given = arguments.list;
    for (const auto& entry : arguments.keywords)
        given.push_back(entry.second);
    Arrays fed;
    for (const std::int64_t placeholder : known->placeholders) {
        std::shared_ptr<const PythonArray> array;
        for (std::size_t i = 0; array == nullptr && i < given.size(); ++i)
            array = arrayFed(given[i], placeholder);
        fed.push_back(std::move(array));
    }
    if (known->runs.empty())
        known->place = arguments.place;
    known->runs.push_back(std::move(fed));
}

void settlePlaceholders(PythonProgramBuilder& builder) {
    for (const PythonProgramBuilder::FedPlaceholders& known : builder.fedPlaceholders) {
        if (known.runs.empty())
            continue;
        PythonFed fed{known.place};
        const bool isKnown = std::ranges::all_of(known.runs, [](const Arrays& run) {
            return std::ranges::none_of(run, [](const auto& array) { return array == nullptr; });
        });
        Arrays whole = isKnown ? known.runs.front() : Arrays();
        Json& training = builder.model(known.model).training;
        if (isKnown && !training.contains("batch_size")) // a placeholder leaves it open
            training["batch_size"] = whole.front()->extents.front();
        const std::size_t period = isKnown ? periodOf(known.runs) : 0;
        for (std::size_t run = 1; run < period && !whole.empty(); ++run)
            for (std::size_t i = 0; i < whole.size(); ++i)
                if (whole[i] == nullptr || (whole[i] = joined(whole[i], known.runs[run][i])) == nullptr) {
                    whole.clear();
                    break;
                }
        if (!whole.empty())
            fed.samples = whole.front()->extents.front();
        fed.inputs = std::move(whole);
        builder.facts.fedToLoops.push_back(knownOrNot(
            std::move(fed),
            isKnown ? ""
                    : "the numbers of what the sessions feed are not worked out while the program is read"));
    }
}

void feedLoop(PythonProgramBuilder& builder, const PythonValue& dataset, PythonPlace place) {
    const auto* data = dataset.as<PythonData>();
    std::vector<PythonFed>& known = builder.facts.fedToLoops;
    if (data == nullptr || data->element == nullptr || isFed(known, *data, place))
        return;
    PythonFed fed{place};
    fed.whole = data->whole;
    fed.reason = reasonOf(*data, "the samples");
    fed.isShuffled = data->isShuffled;
    fed.keepsRemainder = data->keepsRemainder;
    if (const auto rows = rowsOf(*data)) {
        fed.samples = countSamples(*rows);
        const bool isKnown = takeArrays(*rows, {}, fed.inputs, &fed.names);
        fed.reason.clear();
        fed = knownOrNot(std::move(fed), isKnown ? "" : reasonOf(*rows, "the samples"));
    }
    known.push_back(std::move(fed));
}

void feedModel(PythonProgramBuilder& builder, const PythonModel& model, const PythonData& dataset,
               PythonPlace place) {
    std::vector<PythonFed>& known = builder.facts.fedToLoops;
    if (dataset.element == nullptr || isFed(known, dataset, place))
        return;
    PythonFed fed = fedSamples(builder, model, dataset, nullptr, place);
    fed.whole = dataset.whole;
    fed.inputs.insert(fed.inputs.end(), fed.labels.begin(), fed.labels.end());
    fed.labels.clear();
    known.push_back(std::move(fed));
}

namespace {

/// Arrays of dictionaries go to the inputs by name, the others behind them.
void orderByName(PythonFed& fed, const std::vector<std::string>& inputs) {
    if (fed.names.size() != fed.inputs.size())
        return;
    Arrays ordered;
    std::vector<bool> isTaken(fed.inputs.size());
    for (const std::string& name : inputs) {
        const auto named = std::ranges::find(fed.names, name);
        if (name.empty() || named == fed.names.end())
            return;
        ordered.push_back(fed.inputs[static_cast<std::size_t>(named - fed.names.begin())]);
        isTaken[static_cast<std::size_t>(named - fed.names.begin())] = true;
    }
    for (std::size_t i = 0; i < fed.inputs.size(); ++i)
        if (!isTaken[i])
            ordered.push_back(fed.inputs[i]);
    if (ordered.size() == fed.inputs.size()) // a name of two inputs takes none from another
        fed.inputs = std::move(ordered);
}

} // namespace

std::optional<PythonFed> fedByLoops(const PythonFacts& facts, const std::vector<std::string>& names,
                                    std::size_t outputs) {
    const std::size_t inputs = names.size();
    if (facts.fedToLoops.empty())
        return std::nullopt;
    PythonFed fed = facts.fedToLoops.front();
    orderByName(fed, names);
    const bool isOne = facts.fedToLoops.size() == 1;
    const bool isAlike = fed.inputs.size() == inputs || fed.inputs.size() == inputs + outputs;
    if (!isOne || !isAlike) {
        if (!isOne)
            fed.reason =
                fmt::format("the loops of the program are fed with {} datasets", facts.fedToLoops.size());
        else if (fed.reason.empty())
            fed.reason = "they are not one array for each input and output of the model";
        fed.inputs.clear();
        return fed;
    }
    fed.labels.assign(fed.inputs.begin() + static_cast<std::ptrdiff_t>(inputs), fed.inputs.end());
    fed.inputs.resize(inputs);
    return fed;
}

} // namespace core
