// The names that Python has by itself.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/language/operators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

const PythonValue& firstArgument(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        call.refuse("python/value", fmt::format("{}() lacks its argument", call.name()),
                    {"pass it in the brackets"});
    return call.arguments.list.front();
}

/// Whether a value is one that only a run knows.
bool isUnknown(const PythonValue& value) {
    const auto* method = value.as<PythonMethod>();
    return value.is<PythonData>() || (method != nullptr && method->owner->is<PythonData>());
}

std::int64_t wholeArgument(const PythonApiCall& call, std::size_t position) {
    const bool isOne = position < call.arguments.list.size() && call.arguments.list[position].isNumber();
    if (!isOne)
        call.refuse("python/value", fmt::format("{}() takes a number here", call.name()),
                    {"write the number in the program: what a run computes is not known"});
    return static_cast<std::int64_t>(call.arguments.list[position].constant().get<double>());
}

PythonValue range(const PythonApiCall& call) {
    const bool hasStart = call.arguments.list.size() > 1;
    const std::int64_t start = hasStart ? wholeArgument(call, 0) : 0;
    const std::int64_t stop = wholeArgument(call, hasStart ? 1 : 0);
    const std::int64_t step = call.arguments.list.size() > 2 ? wholeArgument(call, 2) : 1;
    constexpr std::size_t longest = 100000;
    PythonValues list;
    for (std::int64_t i = start; step != 0 && (step > 0 ? i < stop : i > stop); i += step) {
        if (list.size() == longest)
            call.refuse("python/endless",
                        fmt::format("a range of more than {} numbers is not followed", longest),
                        {"train with model.fit(): its steps are no loop of the program"});
        list.push_back(pythonConstant(i));
    }
    return pythonList(std::move(list));
}

PythonValue zip(const PythonApiCall& call) {
    std::vector<PythonValues> columns;
    for (const PythonValue& part : call.arguments.list)
        columns.push_back(call.interpreter.iterate(part, call.place()));
    std::size_t count = columns.empty() ? 0 : columns.front().size();
    for (const PythonValues& column : columns)
        count = std::min(count, column.size());
    PythonValues rows;
    for (std::size_t i = 0; i < count; ++i) {
        PythonValues row;
        for (const PythonValues& column : columns)
            row.push_back(column[i]);
        rows.push_back(pythonList(std::move(row), true));
    }
    return pythonList(std::move(rows));
}

PythonValue enumerate(const PythonApiCall& call) {
    const PythonValue* start = call.arguments.find("start", 1);
    std::int64_t number = start != nullptr && start->isWhole() ? start->constant().get<std::int64_t>() : 0;
    PythonValues rows;
    for (PythonValue& item : call.interpreter.iterate(firstArgument(call), call.place()))
        rows.push_back(pythonList({pythonConstant(number++), std::move(item)}, true));
    return pythonList(std::move(rows));
}

PythonValue reversed(const PythonApiCall& call) {
    PythonValues items = call.interpreter.iterate(firstArgument(call), call.place());
    std::ranges::reverse(items);
    return pythonList(std::move(items));
}

PythonValue sorted(const PythonApiCall& call) {
    PythonValues items = call.interpreter.iterate(firstArgument(call), call.place());
    const PythonValue* key = call.arguments.given("key", 99);
    std::vector<std::pair<PythonValue, PythonValue>> keyed;
    for (PythonValue& item : items) {
        PythonArguments one{{item}, {}, call.place()};
        keyed.emplace_back(key == nullptr ? item : call.interpreter.call(*key, one), std::move(item));
    }
    const bool areNumbers =
        std::ranges::all_of(keyed, [](const auto& entry) { return entry.first.isNumber(); });
    const bool areTexts = std::ranges::all_of(keyed, [](const auto& entry) { return entry.first.isText(); });
    if (!areNumbers && !areTexts)
        call.refuse("python/unsupported", "only numbers or texts are sorted here", {"write them in order"});
    std::ranges::stable_sort(keyed, [&](const auto& a, const auto& b) {
        return areTexts
                   ? a.first.constant().template get<std::string>() <
                         b.first.constant().template get<std::string>()
                   : a.first.constant().template get<double>() < b.first.constant().template get<double>();
    });
    PythonValues result;
    for (auto& entry : keyed)
        result.push_back(std::move(entry.second));
    const PythonValue* reverse = call.arguments.given("reverse", 99);
    if (reverse != nullptr && call.interpreter.isTrue(*reverse, call.place()))
        std::ranges::reverse(result);
    return pythonList(std::move(result));
}

PythonValue length(const PythonApiCall& call) {
    const PythonValue& value = firstArgument(call);
    if (isUnknown(value))
        return PythonData();
    return pythonConstant(static_cast<std::int64_t>(call.interpreter.iterate(value, call.place()).size()));
}

/// list(), tuple(), set(): the values of something.
PythonValue listOf(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        return pythonList({}, call.name() == "tuple");
    if (isUnknown(call.arguments.list[0]))
        return PythonData();
    PythonValues items = call.interpreter.iterate(call.arguments.list[0], call.place());
    if (call.name() == "set") {
        PythonValues once;
        for (PythonValue& item : items)
            if (std::ranges::none_of(once, [&](const PythonValue& one) { return areEqual(one, item); }))
                once.push_back(std::move(item));
        items = std::move(once);
    }
    return pythonList(std::move(items), call.name() == "tuple");
}

PythonValue dictionaryOf(const PythonApiCall& call) {
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    for (const PythonValue& other : call.arguments.list) {
        if (const auto* dictionary = other.as<PythonDictionary>()) {
            entries.insert(entries.end(), dictionary->entries->begin(), dictionary->entries->end());
            continue;
        }
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
    return pythonList(call.interpreter.iterate(firstArgument(call), call.place()));
}

PythonValue next(const PythonApiCall& call) {
    if (isUnknown(firstArgument(call)))
        return PythonData();
    const auto* list = firstArgument(call).as<PythonList>();
    if (list == nullptr || list->items->empty())
        call.refuse("python/unsupported", "next() has no further value here",
                    {"loop over the list with for"});
    PythonValue first = list->items->front();
    list->items->erase(list->items->begin());
    return first;
}

PythonValue integer(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        return pythonConstant(0);
    const PythonValue& value = call.arguments.list[0];
    if (value.constant().is_boolean())
        return pythonConstant(value.constant().get<bool>() ? 1 : 0);
    if (value.isText()) {
        const std::string& text = value.constant().get_ref<const std::string&>();
        char* end = nullptr;
        const std::int64_t number = std::strtoll(text.c_str(), &end, 10);
        if (text.empty() || *end != '\0')
            call.refuse("python/value", "int() takes a number here", {"write the number in the program"});
        return pythonConstant(number);
    }
    return value.isNumber() ? pythonConstant(wholeArgument(call, 0)) : PythonValue(PythonData());
}

PythonValue realNumber(const PythonApiCall& call) {
    const PythonValue& value = firstArgument(call);
    if (value.isText()) {
        const std::string& text = value.constant().get_ref<const std::string&>();
        char* end = nullptr;
        const double number = std::strtod(text.c_str(), &end);
        if (text.empty() || *end != '\0' || !std::isfinite(number))
            call.refuse("python/value", "float() takes a finite number here",
                        {"write the number in the program"});
        return pythonConstant(number);
    }
    return value.is<PythonConstant>() ? value : PythonValue(PythonData());
}

PythonValue textOf(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        return pythonText("");
    if (isUnknown(call.arguments.list[0]))
        return PythonData();
    return pythonText(call.interpreter.text(call.arguments.list[0], call.place()));
}

PythonValue truth(const PythonApiCall& call) {
    if (isUnknown(firstArgument(call)))
        return PythonData();
    return pythonConstant(call.interpreter.isTrue(call.arguments.list[0], call.place()));
}

/// min() and max() of numbers, one by one or in a list.
PythonValue extreme(const PythonApiCall& call) {
    const PythonValues items = call.arguments.list.size() == 1 && firstArgument(call).is<PythonList>()
                                   ? call.arguments.list[0].items()
                                   : call.arguments.list;
    const bool areNumbers =
        !items.empty() && std::ranges::all_of(items, [](const PythonValue& item) { return item.isNumber(); });
    if (!areNumbers)
        return PythonData();
    const auto number = [](const PythonValue& value) { return value.constant().get<double>(); };
    return call.name() == "min" ? *std::ranges::min_element(items, {}, number)
                                : *std::ranges::max_element(items, {}, number);
}

PythonValue sum(const PythonApiCall& call) {
    if (!firstArgument(call).is<PythonList>())
        return PythonData();
    const PythonValue* start = call.arguments.find("start", 1);
    PythonValue total = start == nullptr ? pythonConstant(0) : *start;
    for (const PythonValue& item : call.arguments.list[0].items()) {
        const auto next = binaryOperation("+", total, item);
        if (!next)
            return PythonData();
        total = *next;
    }
    return total;
}

PythonValue absolute(const PythonApiCall& call) {
    const PythonValue& value = firstArgument(call);
    if (!value.isNumber())
        return PythonData();
    return value.constant().get<double>() < 0 ? unaryOperation("-", value).value_or(value) : value;
}

PythonValue rounded(const PythonApiCall& call) {
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

/// map() and filter().
PythonValue mapped(const PythonApiCall& call) {
    if (call.arguments.list.size() != 2)
        call.refuse("python/unsupported", fmt::format("{}() takes a function and a list here", call.name()),
                    {"write a list comprehension"});
    PythonValues result;
    for (const PythonValue& item : call.interpreter.iterate(call.arguments.list[1], call.place())) {
        PythonArguments one{{item}, {}, call.place()};
        PythonValue made = call.interpreter.call(call.arguments.list[0], one);
        if (call.name() == "map")
            result.push_back(std::move(made));
        else if (call.interpreter.isTrue(made, call.place()))
            result.push_back(item);
    }
    return pythonList(std::move(result));
}

bool isOfType(const PythonValue& value, const std::string& type) {
    const Json& json = value.constant();
    if (type == "builtin.list" || type == "builtin.tuple")
        return value.is<PythonList>() && value.as<PythonList>()->isTuple == (type == "builtin.tuple");
    if (type == "builtin.dict")
        return value.is<PythonDictionary>();
    if (type == "builtin.bool")
        return json.is_boolean();
    if (type == "builtin.int")
        return json.is_number_integer() || json.is_boolean();
    return type == "builtin.float" ? json.is_number_float() : type == "builtin.str" && json.is_string();
}

PythonValue isInstance(const PythonApiCall& call) {
    const PythonValue* types = call.arguments.find("class_or_tuple", 1);
    const bool isPlain = firstArgument(call).is<PythonConstant>() ||
                         call.arguments.list[0].is<PythonList>() ||
                         call.arguments.list[0].is<PythonDictionary>();
    if (types == nullptr || !isPlain)
        return PythonData();
    for (const PythonValue& type : types->is<PythonList>() ? types->items() : PythonValues{*types})
        if (const auto* name = type.as<PythonLibraryName>();
            name != nullptr && isOfType(call.arguments.list[0], name->path))
            return pythonConstant(true);
    return pythonConstant(false);
}

PythonValue super(const PythonApiCall& call) {
    return call.interpreter.superObject(call.place());
}

PythonValue noValue(const PythonApiCall&) {
    return {};
}

} // namespace

const PythonApiTable& builtinsApi() {
    static const PythonApiTable api{{},
                                    {},
                                    {readName("builtin.range", range),
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
                                     readName("builtin.isinstance", isInstance),
                                     readName("builtin.super", super),
                                     readName("builtin.print", noValue),
                                     hostName("builtin.open"),
                                     hostName("builtin.input"),
                                     hostName("builtin.type"),
                                     hostName("builtin.hasattr"),
                                     hostName("builtin.getattr"),
                                     hostName("builtin.callable"),
                                     hostName("builtin.id"),
                                     hostName("builtin.vars"),
                                     hostName("builtin.object"),
                                     hostName("builtin.Exception"),
                                     hostName("builtin.ValueError"),
                                     hostName("builtin.RuntimeError"),
                                     hostName("builtin.NotImplementedError")}};
    return api;
}

} // namespace core
