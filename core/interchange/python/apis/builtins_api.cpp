// The names that Python has by itself.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/ipu_configuration.h"
#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/data/dataset_functions.h"
#include "core/interchange/python/apis/data/fed_samples.h"
#include "core/interchange/python/apis/object_functions.h"
#include "core/interchange/python/apis/rates/set_rates.h"
#include "core/interchange/python/apis/standard/iterator_functions.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/language/operators.h"
#include "core/interchange/python/language/text_format.h"
#include "core/text/decimal_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace core {

namespace {

const PythonValue& firstArgument(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        call.refuse("python/value", fmt::format("{}() lacks its argument", call.name()),
                    {"pass it in the brackets"});
    return call.arguments.list.front();
}

/// Whether a value is one that only a run knows: no array of NumPy whose rows the interpreter meets.
bool isUnknown(const PythonValue& value) {
    const auto* method = value.as<PythonMethod>();
    return (value.is<PythonData>() && !isArrayOfProgram(value)) || value.is<PythonQueue>() ||
           value.is<PythonLoss>() || manyIn(value) != nullptr ||
           (method != nullptr && !method->owner->is<PythonInstance>());
}

std::int64_t wholeArgument(const PythonApiCall& call, std::size_t position) {
    const bool isOne = position < call.arguments.list.size() && call.arguments.list[position].isNumber();
    if (!isOne)
        call.refuse("python/value", fmt::format("{}() takes a number here", call.name()),
                    {"write the number in the program: what a run computes is not known"});
    return static_cast<std::int64_t>(call.arguments.list[position].constant().get<double>());
}

PythonValue range(const PythonApiCall& call) {
    if (const auto unknown = std::ranges::find_if(call.arguments.list, isUnknown);
        unknown != call.arguments.list.end())
        return samplesOfArguments(call.arguments);
    const bool hasStart = call.arguments.list.size() > 1;
    const std::int64_t start = hasStart ? wholeArgument(call, 0) : 0;
    const std::int64_t stop = wholeArgument(call, hasStart ? 1 : 0);
    const std::int64_t step = call.arguments.list.size() > 2 ? wholeArgument(call, 2) : 1;
    constexpr double longest = 100000;
    const double count =
        step == 0
            ? 0
            : std::ceil((static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step));
    if (count > longest) {
        // Too many to be followed one by one: each round is like the others.
        constexpr double most = 9007199254740992.0;
        PythonData numbers;
        numbers.element = std::make_shared<const PythonValue>(PythonData());
        numbers.count = static_cast<std::int64_t>(std::min(count, most));
        return numbers;
    }
    PythonValues list;
    for (std::int64_t i = start; step != 0 && (step > 0 ? i < stop : i > stop); i += step)
        list.push_back(pythonConstant(i));
    return pythonList(std::move(list));
}

PythonValue zip(const PythonApiCall& call) {
    if (std::ranges::any_of(call.arguments.list, isUnknown)) {
        PythonValues parts;
        for (const PythonValue& part : call.arguments.list)
            parts.push_back(isUnknown(part) ? part
                                            : pythonList(call.interpreter.iterate(part, call.place())));
        const PythonValue pairs = pythonList(parts, true);
        PythonValue zipped = zipSamples(parts).value_or(partOfRun(pairs));
        const auto* data = zipped.as<PythonData>();
        if (data == nullptr || !data->isGradient)
            return zipped;
        PythonData gradients = *data;
        gradients.element = std::make_shared<const PythonValue>(pairs);
        return gradients;
    }
    std::vector<PythonValues> columns(call.arguments.list.size());
    std::size_t count = columns.empty() ? 0 : std::numeric_limits<std::size_t>::max();
    std::size_t shortest = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (isEndlessIterator(call.arguments.list[i]))
            continue;
        columns[i] = call.interpreter.iterate(call.arguments.list[i], call.place());
        shortest = columns[i].size() < count ? i : shortest;
        count = std::min(count, columns[i].size());
    }
    if (!columns.empty() && shortest == columns.size())
        call.refuse("python/endless", "zip() of iterators without end does not end",
                    {"add a list to it that has one"});
    for (std::size_t i = 0; i < columns.size(); ++i) // Python takes from those before the shortest once more
        for (std::size_t taken = 0;
             isEndlessIterator(call.arguments.list[i]) && taken < count + (i < shortest ? 1 : 0); ++taken) {
            call.interpreter.countWork(1, call.place());
            columns[i].push_back(*nextOfEndless(call, call.arguments.list[i]));
        }
    PythonValues rows;
    for (std::size_t i = 0; i < count; ++i) {
        PythonValues row;
        for (const PythonValues& column : columns)
            row.push_back(column[i]);
        rows.push_back(pythonList(std::move(row), true));
    }
    return pythonIterator(std::move(rows));
}

PythonValue enumerate(const PythonApiCall& call) {
    const auto* data = firstArgument(call).as<PythonData>();
    if (data != nullptr && (data->weights || data->isGradient)) { // one of each stands for all
        PythonData place;
        place.shape = Json::array();
        place.areWhole = true;
        PythonValues pairs;
        for (PythonValue& item : call.interpreter.iterate(firstArgument(call), call.place()))
            pairs.push_back(pythonList({place, std::move(item)}, true));
        return pythonIterator(std::move(pairs));
    }
    if (isUnknown(firstArgument(call))) {
        PythonData numbered;
        if (const auto rounds = roundsOfValue(firstArgument(call))) {
            numbered.element = std::make_shared<const PythonValue>(rounds->element);
            numbered.count = rounds->count;
            numbered.isNumbered = true;
        }
        return numbered;
    }
    const PythonValue* start = call.arguments.find("start", 1);
    std::int64_t number = start != nullptr && start->isWhole() ? start->constant().get<std::int64_t>() : 0;
    PythonValues rows;
    for (PythonValue& item : call.interpreter.iterate(firstArgument(call), call.place()))
        rows.push_back(pythonList({pythonConstant(number++), std::move(item)}, true));
    return pythonIterator(std::move(rows));
}

PythonValue reversed(const PythonApiCall& call) {
    if (isUnknown(firstArgument(call)))
        return PythonData();
    PythonValues items = call.interpreter.iterate(firstArgument(call), call.place());
    std::ranges::reverse(items);
    return pythonIterator(std::move(items));
}

/// What the class of the first argument defines for a function of Python: __int__ and its like.
std::optional<PythonValue> ownConversion(const PythonApiCall& call,
                                         std::initializer_list<const char*> names) {
    const auto* object = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonInstance>();
    if (object == nullptr)
        return std::nullopt;
    for (const char* name : names)
        if (object->definition->function(name) != nullptr) {
            PythonArguments none{{}, {}, call.place()};
            return call.interpreter.callOwn(PythonInstance(*object), name, none);
        }
    return std::nullopt;
}

/// Whether `a` comes before `b`, as the operator says.
bool isBefore(const PythonApiCall& call, const PythonValue& a, const PythonValue& b) {
    if (!a.is<PythonList>() || !b.is<PythonList>())
        return call.interpreter.isTrue(call.interpreter.operation("<", a, b, call.place()), call.place());
    for (std::size_t i = 0; i < std::min(a.items().size(), b.items().size()); ++i) {
        if (isBefore(call, a.items()[i], b.items()[i]))
            return true;
        if (isBefore(call, b.items()[i], a.items()[i]))
            return false;
    }
    return a.items().size() < b.items().size();
}

PythonValue sorted(const PythonApiCall& call) {
    if (isUnknown(firstArgument(call)))
        return PythonData();
    PythonValues items = call.interpreter.iterate(firstArgument(call), call.place());
    const PythonValue* key = call.arguments.given("key", 99);
    std::vector<std::pair<PythonValue, PythonValue>> keyed;
    for (PythonValue& item : items) {
        PythonArguments one{{item}, {}, call.place()};
        keyed.emplace_back(key == nullptr ? item : call.interpreter.call(*key, one), std::move(item));
    }
    // What a run measures decides no order here.
    const auto isOpen = [](const auto& entry) {
        return isUnknown(entry.first) || std::ranges::any_of(entry.first.items(), isUnknown);
    };
    if (std::ranges::any_of(keyed, isOpen))
        return partOfRun(firstArgument(call));
    const PythonValue* reverse = call.arguments.given("reverse", 99);
    const bool isReverse = reverse != nullptr && call.interpreter.isTrue(*reverse, call.place());
    std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
        return isReverse ? isBefore(call, b.first, a.first) : isBefore(call, a.first, b.first);
    });
    PythonValues result;
    for (auto& entry : keyed)
        result.push_back(std::move(entry.second));
    return pythonList(std::move(result));
}

PythonValue length(const PythonApiCall& call) {
    const PythonValue& value = firstArgument(call);
    if (const auto* list = value.as<PythonList>())
        if (const auto known = lengthOf(*list))
            return pythonConstant(*known);
    if (isArrayOfProgram(value))
        return pythonConstant(arrayOf(value)->extents.front());
    if (isUnknown(value)) {
        const auto rounds = roundsOfValue(value);
        const auto* data = value.as<PythonData>();
        const std::string origin = data == nullptr ? "" : data->origin;
        PythonData unknown = samplesFrom(origin.empty() ? "len()" : fmt::format("len() of {}", origin));
        unknown.cure = "write the number in place of len(): what it counts is not in the program";
        unknown.shape = Json::array(); // a number all the same
        return rounds && rounds->count >= 0 ? pythonConstant(rounds->count) : PythonValue(std::move(unknown));
    }
    const auto* dictionary = value.as<PythonDictionary>();
    if (dictionary != nullptr && std::ranges::any_of(*dictionary->entries, [](const auto& entry) {
            return PythonInterpreter::isOfRun(entry.first);
        }))
        return arrayOfShape(Json::array()); // which of its keys are the same only a run knows
    const auto* object = value.as<PythonInstance>();
    if (object != nullptr && object->definition->function("__len__") != nullptr) {
        PythonArguments none{{}, {}, call.place()};
        return call.interpreter.call(PythonMethod{std::make_shared<const PythonValue>(value), "__len__"},
                                     none);
    }
    return pythonConstant(static_cast<std::int64_t>(call.interpreter.iterate(value, call.place()).size()));
}

/// list(), tuple(), set(): the values of something.
PythonValue listOf(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        return call.name() == "set" ? pythonSet({}) : pythonList({}, call.name() == "tuple");
    const auto rounds = roundsOfValue(call.arguments.list[0]);
    if (isUnknown(call.arguments.list[0]) && (!rounds || rounds->count < 0))
        return gradientsIn(call.arguments.list[0]) != nullptr ? call.arguments.list[0]
                                                              : PythonValue(PythonData());
    const bool isSet = call.name() == "set" || call.name() == "frozenset";
    constexpr std::int64_t mostFollowed = 100000;
    if (rounds && rounds->count > mostFollowed)
        return isSet ? PythonValue(PythonData())
                     : pythonList({pythonMany(rounds->element, rounds->count)}, call.name() == "tuple");
    PythonValues items = call.interpreter.iterate(call.arguments.list[0], call.place());
    if (isSet)
        return pythonSet(std::move(items));
    return pythonList(std::move(items), call.name() == "tuple");
}

PythonValue dictionaryOf(const PythonApiCall& call) {
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    for (const PythonValue& other : call.arguments.list) {
        const auto option = dictionaryOfOption(call.builder, other);
        if (const auto* dictionary = (option ? *option : other).as<PythonDictionary>()) {
            entries.insert(entries.end(), dictionary->entries->begin(), dictionary->entries->end());
            continue;
        }
        if (isUnknown(other))
            return samplesOfArguments(call.arguments);
        for (const PythonValue& pair : call.interpreter.iterate(other, call.place())) {
            if (pair.items().size() != 2)
                call.refuse("python/value", "dict() takes pairs", {"write dict(name=value)"});
            entries.emplace_back(pair.items()[0], pair.items()[1]);
        }
    }
    for (const auto& [key, value] : call.arguments.keywords)
        entries.emplace_back(pythonText(key), value);
    return pythonDictionary(std::move(entries));
}

/// iter(): what a loop over it would meet.
PythonValue iterator(const PythonApiCall& call) {
    const auto* list = firstArgument(call).as<PythonList>();
    feedLoop(call.builder, firstArgument(call), call.place());
    if ((list != nullptr && list->isIterator) || firstArgument(call).is<PythonData>())
        return firstArgument(call);
    if (const auto* queue = firstArgument(call).as<PythonQueue>())
        return queue->dataset;
    return pythonIterator(call.interpreter.iterate(firstArgument(call), call.place()));
}

PythonValue next(const PythonApiCall& call) {
    if (isUnknown(firstArgument(call))) {
        const auto rounds = roundsOfValue(firstArgument(call));
        return rounds ? rounds->element : PythonValue(PythonData());
    }
    if (auto value = nextOfEndless(call, firstArgument(call)))
        return std::move(*value);
    if (const auto* object = firstArgument(call).as<PythonInstance>();
        object != nullptr && object->definition->function("__next__") != nullptr) {
        PythonArguments none{{}, {}, call.place()};
        return call.interpreter.callOwn(*object, "__next__", none);
    }
    const auto* list = firstArgument(call).as<PythonList>();
    if (list != nullptr && list->isIterator && list->items->empty() && call.arguments.list.size() > 1)
        return call.arguments.list[1];
    if (list == nullptr || !list->isIterator || list->items->empty())
        call.interpreter.messages().raise(call.place(), {"StopIteration", "Exception"}, "python/unsupported",
                                          "next() has no further value here",
                                          {"loop over the list with for"});
    PythonValue first = list->items->front();
    list->items->erase(list->items->begin());
    return first;
}

PythonValue integer(const PythonApiCall& call) {
    if (auto own = ownConversion(call, {"__int__", "__index__", "__trunc__"}))
        return *own;
    if (call.arguments.list.empty())
        return pythonConstant(0);
    PythonValue value = call.arguments.list[0];
    if (const auto* entry = value.as<PythonInstance>();
        entry != nullptr && entry->definition->kind == PythonClassKind::Enumeration)
        value = entry->attributes->at("value");
    if (value.constant().is_boolean())
        return pythonConstant(value.constant().get<bool>() ? 1 : 0);
    if (value.isText()) {
        const std::string& text = value.constant().get_ref<const std::string&>();
        const PythonValue* base = call.arguments.find("base", 1);
        constexpr int usual = 10;
        constexpr int largest = 36;
        const std::int64_t given =
            base != nullptr && base->isWhole() ? base->constant().get<std::int64_t>() : usual;
        char* end = nullptr;
        const std::int64_t number = std::strtoll(
            text.c_str(), &end, given >= 0 && given <= largest ? static_cast<int>(given) : usual);
        if (text.empty() || *end != '\0')
            call.interpreter.messages().raise(call.place(), {"ValueError", "Exception"}, "python/value",
                                              "int() takes a number here",
                                              {"write the number in the program"});
        return pythonConstant(number);
    }
    if (value.isWhole())
        return value;
    return value.isNumber() ? pythonConstant(wholeArgument(call, 0)) : PythonValue(PythonData());
}

/// chr() and ord(), of what is one byte in UTF-8.
PythonValue characterOf(const PythonApiCall& call) {
    const PythonValue& value = firstArgument(call);
    constexpr std::int64_t most = 127;
    if (call.name() == "ord") {
        const std::string text = value.isText() ? value.constant().get<std::string>() : std::string();
        return text.size() == 1 ? pythonConstant(static_cast<std::int64_t>(text.front()))
                                : PythonValue(PythonData());
    }
    const std::int64_t code = value.isWhole() ? value.constant().get<std::int64_t>() : -1;
    return code >= 0 && code <= most ? pythonText(std::string(1, static_cast<char>(code)))
                                     : PythonValue(PythonData());
}

/// bin(), oct() and hex() of a whole number.
PythonValue digitsOf(const PythonApiCall& call) {
    const PythonValue& value = firstArgument(call);
    if (!value.isWhole())
        return PythonData();
    const auto number = value.constant().get<std::int64_t>();
    const std::uint64_t size =
        number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    const std::string sign = number < 0 ? "-" : "";
    if (call.name() == "bin")
        return pythonText(fmt::format("{}0b{:b}", sign, size));
    return pythonText(call.name() == "oct" ? fmt::format("{}0o{:o}", sign, size)
                                           : fmt::format("{}0x{:x}", sign, size));
}

PythonValue formatted(const PythonApiCall& call) {
    const PythonValue* specification = call.arguments.find("format_spec", 1);
    const bool isWritten = specification == nullptr || specification->isText();
    auto text = isWritten
                    ? formatValue(firstArgument(call), specification == nullptr
                                                           ? std::string()
                                                           : specification->constant().get<std::string>())
                    : std::nullopt;
    return text ? pythonText(std::move(*text)) : PythonValue(PythonData());
}

PythonValue sliceOf(const PythonApiCall& call) {
    PythonValues bounds = call.arguments.list;
    if (bounds.empty() || bounds.size() > 3)
        call.refuse("python/value", "slice() takes one to three numbers", {"write a:b:c in the brackets"});
    if (bounds.size() == 1)
        bounds.insert(bounds.begin(), PythonValue());
    bounds.resize(3);
    return PythonSlice{std::make_shared<const PythonValues>(std::move(bounds))};
}

PythonValue realNumber(const PythonApiCall& call) {
    if (auto own = ownConversion(call, {"__float__", "__index__"}))
        return *own;
    const PythonValue value = withRateNow(call.builder, firstArgument(call));
    if (value.isText()) {
        std::string_view text = value.constant().get_ref<const std::string&>();
        constexpr std::string_view spaces = " \t\r\n\f\v";
        text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
        text = text.substr(0, text.find_last_not_of(spaces) + 1);
        text.remove_prefix(text.starts_with('+') ? 1 : 0);
        const std::optional<double> number = decimalNumber(text);
        if (!number)
            call.interpreter.messages().raise(call.place(), {"ValueError", "Exception"}, "python/value",
                                              "float() takes a number here",
                                              {"write the number in the program"});
        return pythonConstant(number.value_or(0));
    }
    if (value.isNumber())
        return pythonConstant(value.constant().get<double>());
    return value.constant().is_boolean() ? pythonConstant(value.constant().get<bool>() ? 1.0 : 0.0)
                                         : PythonValue(PythonData());
}

PythonValue textOf(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        return pythonText("");
    if (isUnknown(call.arguments.list[0]))
        return PythonData();
    if (call.name() == "repr") {
        if (auto own = ownConversion(call, {"__repr__"}))
            return *own;
        if (call.arguments.list[0].isText())
            return pythonText(formatValue(call.arguments.list[0], "!r").value_or(""));
    }
    const PythonValue& value = call.arguments.list[0];
    const auto* object = value.as<PythonLibraryObject>(); // a path
    const bool hasText = object != nullptr && object->attributes->contains(std::string(pythonTextFunction));
    const bool isOpen = !value.is<PythonConstant>() && !value.is<PythonInstance>() && !hasText;
    if (isOpen && !formatValue(value, ""))
        return PythonData();
    return pythonText(call.interpreter.text(value, call.place()));
}

PythonValue truth(const PythonApiCall& call) {
    if (isUnknown(firstArgument(call)))
        return PythonData();
    return pythonConstant(call.interpreter.isTrue(call.arguments.list[0], call.place()));
}

/// min() and max() of numbers, one by one or in a list.
PythonValue extreme(const PythonApiCall& call) {
    const bool isOne = call.arguments.list.size() == 1;
    if (isUnknown(firstArgument(call)))
        return PythonData();
    const PythonValues items =
        isOne ? call.interpreter.iterate(firstArgument(call), call.place()) : call.arguments.list;
    if (std::ranges::any_of(items, isUnknown))
        return PythonData();
    const PythonValue* byDefault = call.arguments.keyword("default");
    if (items.empty() && byDefault != nullptr)
        return *byDefault;
    if (items.empty())
        call.interpreter.messages().raise(call.place(), {"ValueError", "Exception"}, "python/value",
                                          fmt::format("{}() of nothing has no value", call.name()),
                                          {"put values in before, or give it default=…"});
    const PythonValue* key = call.arguments.given("key", 99);
    const auto keyOf = [&](const PythonValue& item) {
        PythonArguments one{{item}, {}, call.place()};
        return key == nullptr ? item : call.interpreter.call(*key, one);
    };
    PythonValue chosen = items.front();
    PythonValue best = keyOf(chosen);
    for (std::size_t i = 1; i < items.size(); ++i) {
        PythonValue own = keyOf(items[i]);
        if (isUnknown(own) || isUnknown(best)) // one of them: they are of one kind
            return items.front().is<PythonList>() ? items.front() : PythonValue(PythonData());
        if (call.name() == "min" ? !isBefore(call, own, best) : !isBefore(call, best, own))
            continue;
        chosen = items[i];
        best = std::move(own);
    }
    return chosen;
}

PythonValue sum(const PythonApiCall& call) {
    const PythonValue* start = call.arguments.find("start", 1);
    if (isUnknown(firstArgument(call))) {
        const auto rounds = roundsOfValue(firstArgument(call));
        const bool isKnown = rounds && rounds->count >= 0 && rounds->element.isNumber() && start == nullptr;
        return isKnown ? call.interpreter.operation("*", rounds->element, pythonConstant(rounds->count),
                                                    call.place())
                       : partOfRun(firstArgument(call));
    }
    PythonValue total = start == nullptr ? pythonConstant(0) : *start;
    bool isOwn = false; // a list that was made here may grow
    for (const PythonValue& item : call.interpreter.iterate(firstArgument(call), call.place())) {
        const auto* sum = total.as<PythonList>();
        const auto* part = item.as<PythonList>();
        if (isOwn && sum != nullptr && part != nullptr && sum->isTuple == part->isTuple) {
            call.interpreter.countWork(part->items->size(), call.place());
            sum->items->insert(sum->items->end(), part->items->begin(), part->items->end());
            if (sum->items->size() > static_cast<std::size_t>(mostListBytes) / sizeof(PythonValue))
                throw PythonTooLarge();
            continue;
        }
        const bool isFirst = item.is<PythonTensor>() && total.constant() == 0;
        total = isFirst ? item : call.interpreter.operation("+", total, item, call.place());
        isOwn = part != nullptr && total.is<PythonList>();
    }
    return total;
}

PythonValue absolute(const PythonApiCall& call) {
    if (auto own = ownConversion(call, {"__abs__"}))
        return *own;
    const PythonValue& value = firstArgument(call);
    if (!value.isNumber())
        return PythonData();
    return value.constant().get<double>() < 0 ? unaryOperation("-", value).value_or(value) : value;
}

PythonValue rounded(const PythonApiCall& call) {
    if (auto own = ownConversion(call, {"__round__"}))
        return *own;
    const PythonValue& value = firstArgument(call);
    if (!value.isNumber())
        return PythonData();
    const PythonValue* digits = call.arguments.given("ndigits", 1);
    if (digits == nullptr)
        return pythonConstant(static_cast<std::int64_t>(std::nearbyint(value.constant().get<double>())));
    if (!digits->isWhole())
        return PythonData();
    const double scale = std::pow(10.0, digits->constant().get<double>());
    return pythonConstant(std::nearbyint(value.constant().get<double>() * scale) / scale);
}

/// any() and all().
PythonValue quantified(const PythonApiCall& call) {
    if (isUnknown(firstArgument(call)))
        return PythonData();
    const bool wantsAny = call.name() == "any";
    for (const PythonValue& item : call.interpreter.iterate(call.arguments.list[0], call.place()))
        if (call.interpreter.isTrue(item, call.place()) == wantsAny)
            return pythonConstant(wantsAny);
    return pythonConstant(!wantsAny);
}

/// One call stands for those with each gradient, and what belongs to it.
PythonValue mappedGradients(const PythonApiCall& call, PythonValues each) {
    PythonArguments one{std::move(each), {}, call.place()};
    return call.interpreter.call(call.arguments.list[0], one);
}

/// map() and filter().
PythonValue mapped(const PythonApiCall& call) {
    if (call.arguments.list.size() < 2)
        call.refuse("python/unsupported", fmt::format("{}() takes a function and a list here", call.name()),
                    {"write a list comprehension"});
    if (const PythonValue& over = call.arguments.list[1];
        isUnknown(over) && call.arguments.list.size() == 2) {
        const auto rounds = roundsOfValue(over);
        if (!rounds || rounds->count < 0)
            return call.name() == "map" && gradientsIn(over) != nullptr ? mappedGradients(call, {over})
                                                                        : samplesOfArguments(call.arguments);
    }
    if (const PythonValues all(call.arguments.list.begin() + 1, call.arguments.list.end());
        call.name() == "map" && all.size() > 1 && std::ranges::all_of(all, isUnknown) &&
        gradientsIn(pythonList(all)) != nullptr)
        return mappedGradients(call, all);
    PythonValues result;
    if (call.name() == "map" && call.arguments.list.size() > 2) {
        PythonArguments rows{{call.arguments.list.begin() + 1, call.arguments.list.end()}, {}, call.place()};
        const std::string path = "builtin.zip";
        const PythonValue zipped = zip({call.builder, call.interpreter, path, rows});
        for (const PythonValue& row : zipped.items()) {
            PythonArguments one{row.items(), {}, call.place()};
            result.push_back(call.interpreter.call(call.arguments.list[0], one));
        }
        return pythonIterator(std::move(result));
    }
    for (const PythonValue& item : call.interpreter.iterate(call.arguments.list[1], call.place())) {
        PythonArguments one{{item}, {}, call.place()};
        const bool hasNone = call.arguments.list[0].isNone(); // filter(None, …)
        PythonValue made = hasNone ? item : call.interpreter.call(call.arguments.list[0], one);
        if (call.name() == "map")
            result.push_back(std::move(made));
        else if (call.interpreter.isTrue(made, call.place()))
            result.push_back(item);
    }
    return pythonIterator(std::move(result));
}

PythonValue super(const PythonApiCall& call) {
    return call.interpreter.superObject(call.place());
}

PythonValue noValue(const PythonApiCall&) {
    return {};
}

} // namespace

const PythonApiTable& builtinsApi() {
    static const PythonApiTable api{{}, {}, [] {
                                        std::vector<PythonApiName> names = objectFunctions("builtin.");
                                        const std::vector<PythonApiName> rows{
                                            readName("builtin.range", range),
                                            readName("builtin.zip", zip),
                                            readName("builtin.enumerate", enumerate),
                                            readName("builtin.reversed", reversed),
                                            readName("builtin.sorted", sorted),
                                            readName("builtin.len", length),
                                            readName("builtin.list", listOf),
                                            readName("builtin.tuple", listOf),
                                            readName("builtin.set", listOf),
                                            readName("builtin.dict", dictionaryOf),
                                            readName("builtin.iter", iterator),
                                            readName("builtin.next", next),
                                            readName("builtin.int", integer),
                                            readName("builtin.float", realNumber),
                                            readName("builtin.bin", digitsOf),
                                            readName("builtin.oct", digitsOf),
                                            readName("builtin.hex", digitsOf),
                                            readName("builtin.chr", characterOf),
                                            readName("builtin.ord", characterOf),
                                            readName("builtin.format", formatted),
                                            readName("builtin.slice", sliceOf),
                                            readName("builtin.str", textOf),
                                            readName("builtin.repr", textOf),
                                            readName("builtin.bool", truth),
                                            readName("builtin.min", extreme),
                                            readName("builtin.max", extreme),
                                            readName("builtin.sum", sum),
                                            readName("builtin.abs", absolute),
                                            readName("builtin.round", rounded),
                                            readName("builtin.any", quantified),
                                            readName("builtin.all", quantified),
                                            readName("builtin.map", mapped),
                                            readName("builtin.filter", mapped),
                                            readName("builtin.super", super),
                                            readName("builtin.print", noValue),
                                            readName("builtin.frozenset", listOf),
                                            hostName("builtin.get_ipython"),
                                            hostName("builtin.input"),
                                            hostName("builtin.id"),
                                            hostName("builtin.hash"),
                                            readName("builtin.exit", endProgram),
                                            readName("builtin.quit", endProgram),
                                            hostName("builtin.bytes"),
                                            hostName("builtin.bytearray"),
                                            hostName("builtin.memoryview"),
                                            hostName("builtin.complex"),
                                            hostName("builtin.breakpoint"),
                                            hostName("builtin.object"),
                                            hostName("builtin.Exception"),
                                            hostName("builtin.BaseException"),
                                            hostName("builtin.ValueError"),
                                            hostName("builtin.TypeError"),
                                            hostName("builtin.KeyError"),
                                            hostName("builtin.IndexError"),
                                            hostName("builtin.AttributeError"),
                                            hostName("builtin.ImportError"),
                                            hostName("builtin.RuntimeError"),
                                            hostName("builtin.NotImplementedError"),
                                            hostName("builtin.AssertionError"),
                                            hostName("builtin.StopIteration"),
                                            hostName("builtin.OSError"),
                                            hostName("builtin.KeyboardInterrupt"),
                                            hostName("builtin.SystemExit"),
                                            hostName("builtin.FileNotFoundError"),
                                            hostName("builtin.ZeroDivisionError"),
                                            hostName("builtin.TimeoutError"),
                                            hostName("builtin.EOFError"),
                                            hostName("builtin.Warning"),
                                            hostName("builtin.UserWarning"),
                                            hostName("builtin.DeprecationWarning"),
                                            hostName("builtin.FutureWarning")};
                                        names.insert(names.end(), rows.begin(), rows.end());
                                        return names;
                                    }()};
    return api;
}

} // namespace core
