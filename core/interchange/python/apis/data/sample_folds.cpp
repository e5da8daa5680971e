#include "core/interchange/python/apis/data/sample_folds.h"

#include <algorithm>

namespace core {

namespace {

constexpr const char* foldsClass = "sklearn.model_selection.KFold";

/// How often split() answers; unknown where the program does not write it.
PythonValue folds(const PythonApiCall& call) {
    constexpr std::int64_t usual = 5;
    constexpr std::int64_t usualOfShuffles = 10;
    constexpr std::int64_t most = 10'000;
    const auto whole = [&](const char* name, std::size_t position, std::int64_t otherwise) {
        const PythonValue* given = call.arguments.find(name, position);
        return given == nullptr || !given->isWhole()
                   ? (given == nullptr ? otherwise : PythonData::unknownCount)
                   : std::clamp<std::int64_t>(given->constant().get<std::int64_t>(), 1, most);
    };
    std::int64_t count =
        whole("n_splits", 0, call.name().find("Shuffle") == std::string::npos ? usual : usualOfShuffles);
    if (call.name().starts_with("Repeated"))
        count *= std::max<std::int64_t>(whole("n_repeats", 1, usualOfShuffles), 1);
    return PythonLibraryObject{foldsClass,
                               std::make_shared<std::map<std::string, PythonValue>>(
                                   std::map<std::string, PythonValue>{{"n_splits", pythonConstant(count)}})};
}

PythonData placesOfSamples() {
    PythonData places;
    places.shape = Json::array({nullptr});
    places.areWhole = true;
    return places;
}

/// Pairs of places: those to train on, and the others.
PythonValue splitIntoFolds(const PythonApiCall& call) {
    const auto* folds =
        call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonLibraryObject>();
    PythonData pairs;
    pairs.element =
        std::make_shared<const PythonValue>(pythonList({placesOfSamples(), placesOfSamples()}, true));
    if (folds != nullptr)
        pairs.count = folds->attributes->at("n_splits").constant().get<std::int64_t>();
    return pairs;
}

} // namespace

std::vector<PythonApiName> foldNames() {
    std::vector<PythonApiName> names{
        readName(std::string(foldsClass) + ".split", splitIntoFolds),
        readName(std::string(foldsClass) + ".get_n_splits", [](const PythonApiCall& call) {
            const auto* folds = call.arguments.list.at(0).as<PythonLibraryObject>();
            return folds == nullptr ? PythonValue(PythonData()) : folds->attributes->at("n_splits");
        })};
    for (const char* name :
         {"KFold", "StratifiedKFold", "GroupKFold", "RepeatedKFold", "RepeatedStratifiedKFold",
          "ShuffleSplit", "StratifiedShuffleSplit", "TimeSeriesSplit"})
        names.push_back(readName(std::string("sklearn.**.") + name, folds));
    return names;
}

} // namespace core
