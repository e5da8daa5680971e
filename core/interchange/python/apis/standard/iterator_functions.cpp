// The functions of itertools, and those of random that choose among values.
#include "core/interchange/python/apis/standard/iterator_functions.h"

#include "core/interchange/python/apis/data/dataset_functions.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/language/operators.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

namespace core {

namespace {

/// count() and cycle(): what comes next is a number that grows, or the next of a list that begins again.
constexpr const char* endlessClass = "itertools.endless";

PythonValue endless(PythonValue values) {
    auto attributes = std::make_shared<std::map<std::string, PythonValue>>();
    (*attributes)["values"] = std::move(values);
    (*attributes)["next"] = pythonConstant(0);
    return PythonLibraryObject{endlessClass, std::move(attributes)};
}

PythonValue counting(const PythonApiCall& call) {
    const PythonValue* start = call.arguments.find("start", 0);
    const PythonValue* step = call.arguments.find("step", 1);
    PythonValue made = endless(PythonValue());
    auto& attributes = *made.as<PythonLibraryObject>()->attributes;
    attributes["next"] = start == nullptr ? pythonConstant(0) : *start;
    attributes["step"] = step == nullptr ? pythonConstant(1) : *step;
    return made;
}

PythonValue cycled(const PythonApiCall& call) {
    if (call.arguments.list.empty() || call.arguments.list[0].is<PythonData>())
        return PythonData();
    PythonValues items = call.interpreter.iterate(call.arguments.list[0], call.place());
    return items.empty() ? pythonIterator({}) : endless(pythonList(std::move(items)));
}

PythonValue chain(const PythonApiCall& call) {
    if (const auto data = std::ranges::find_if(call.arguments.list,
                                               [](const PythonValue& part) { return part.is<PythonData>(); });
        data != call.arguments.list.end())
        return *data;
    PythonValues all;
    const bool isOne = call.name() == "from_iterable" && call.arguments.list.size() == 1;
    for (const PythonValue& part :
         isOne ? call.interpreter.iterate(call.arguments.list[0], call.place()) : call.arguments.list)
        for (PythonValue& item : call.interpreter.iterate(part, call.place())) {
            call.interpreter.countWork(1, call.place());
            all.push_back(std::move(item));
        }
    return pythonIterator(std::move(all));
}

PythonValue cartesian(const PythonApiCall& call) {
    const PythonValue* repeat = call.arguments.keyword("repeat");
    const std::int64_t times =
        repeat != nullptr && repeat->isWhole() ? repeat->constant().get<std::int64_t>() : 1;
    std::vector<PythonValues> rows{{}};
    std::vector<PythonValues> columns;
    for (const PythonValue& part : call.arguments.list)
        columns.push_back(call.interpreter.iterate(part, call.place()));
    for (std::int64_t i = 0; i < times; ++i)
        for (const PythonValues& column : columns) {
            std::vector<PythonValues> longer;
            const std::size_t values = rows.size() * column.size() * (rows.empty() ? 0 : rows[0].size() + 1);
            if (values > static_cast<std::size_t>(mostListBytes) / sizeof(PythonValue))
                throw PythonTooLarge();
            for (const PythonValues& row : rows)
                for (const PythonValue& item : column) {
                    call.interpreter.countWork(row.size(), call.place());
                    longer.push_back(row);
                    longer.back().push_back(item);
                }
            rows = std::move(longer);
        }
    PythonValues tuples;
    for (PythonValues& row : rows)
        tuples.push_back(pythonList(std::move(row), true));
    return pythonIterator(std::move(tuples));
}

/// repeat(value, times), and without a number of times an iterator without end.
PythonValue repeated(const PythonApiCall& call) {
    const PythonValue* times = call.arguments.find("times", 1);
    if (call.arguments.list.empty())
        call.refuse("python/value", "repeat() lacks its value", {"write repeat(value, times)"});
    if (times == nullptr)
        return endless(pythonList({call.arguments.list[0]}));
    if (!times->isWhole())
        return PythonData();
    return call.interpreter.operation("*", pythonList({call.arguments.list[0]}), *times, call.place());
}

PythonValue islice(const PythonApiCall& call) {
    if (call.arguments.list.size() < 2)
        call.refuse("python/value", "islice() takes a list and a number", {"write islice(list, n)"});
    if (call.arguments.list[0].is<PythonData>() && call.arguments.list.size() == 2) {
        PythonArguments count{{call.arguments.list[1]}, {}, call.place()}; // the first elements of a dataset
        return call.interpreter.call(
            PythonMethod{std::make_shared<const PythonValue>(call.arguments.list[0]), "take"}, count);
    }
    const PythonValue& until =
        call.arguments.list.size() > 2 ? call.arguments.list[2] : call.arguments.list[1];
    PythonValues items;
    if (isEndlessIterator(call.arguments.list[0])) {
        for (std::int64_t i = 0; until.isWhole() && i < until.constant().get<std::int64_t>(); ++i) {
            call.interpreter.countWork(1, call.place());
            items.push_back(*nextOfEndless(call, call.arguments.list[0]));
        }
    } else {
        items = call.interpreter.iterate(call.arguments.list[0], call.place());
    }
    PythonValues bounds{PythonValue(), call.arguments.list[1], PythonValue()};
    for (std::size_t i = 1; call.arguments.list.size() > 2 && i < 4; ++i)
        bounds[i - 1] = i < call.arguments.list.size() ? call.arguments.list[i] : PythonValue();
    PythonValues taken;
    const PythonSlice slice{std::make_shared<const PythonValues>(std::move(bounds))};
    const PythonValue places = sliceOfPlaces(items.size(), slice);
    for (const PythonValue& place : places.items())
        taken.push_back(items[place.constant().get<std::size_t>()]);
    return pythonIterator(std::move(taken));
}

std::vector<PythonValues> columnsOf(const PythonApiCall& call) {
    std::vector<PythonValues> columns;
    for (const PythonValue& part : call.arguments.list)
        columns.push_back(call.interpreter.iterate(part, call.place()));
    return columns;
}

bool areOfRun(const PythonApiCall& call) {
    return std::ranges::any_of(call.arguments.list, &PythonInterpreter::isOfRun);
}

/// accumulate(values, function, initial=…); without a function, their sums.
PythonValue accumulated(const PythonApiCall& call) {
    if (call.arguments.list.empty() || areOfRun(call))
        return PythonData();
    const PythonValue* function = call.arguments.find("func", 1);
    PythonValues totals;
    if (const PythonValue* initial = call.arguments.keyword("initial");
        initial != nullptr && !initial->isNone())
        totals.push_back(*initial);
    for (const PythonValue& item : call.interpreter.iterate(call.arguments.list[0], call.place())) {
        if (totals.empty()) {
            totals.push_back(item);
            continue;
        }
        PythonArguments two{{totals.back(), item}, {}, call.place()};
        totals.push_back(function == nullptr || function->isNone()
                             ? call.interpreter.operation("+", totals.back(), item, call.place())
                             : call.interpreter.call(*function, two));
    }
    return pythonIterator(std::move(totals));
}

PythonValue zippedToLongest(const PythonApiCall& call) {
    if (areOfRun(call))
        return PythonData();
    const std::vector<PythonValues> columns = columnsOf(call);
    const PythonValue* fill = call.arguments.keyword("fillvalue");
    std::size_t longest = 0;
    for (const PythonValues& column : columns)
        longest = std::max(longest, column.size());
    PythonValues rows;
    for (std::size_t i = 0; i < longest; ++i) {
        PythonValues row;
        for (const PythonValues& column : columns)
            row.push_back(i < column.size() ? column[i] : fill == nullptr ? PythonValue() : *fill);
        rows.push_back(pythonList(std::move(row), true));
    }
    return pythonIterator(std::move(rows));
}

/// starmap(function, tuples).
PythonValue mappedTuples(const PythonApiCall& call) {
    if (call.arguments.list.size() != 2 || areOfRun(call))
        return PythonData();
    PythonValues made;
    for (const PythonValue& tuple : call.interpreter.iterate(call.arguments.list[1], call.place())) {
        PythonArguments spread{call.interpreter.iterate(tuple, call.place()), {}, call.place()};
        made.push_back(call.interpreter.call(call.arguments.list[0], spread));
    }
    return pythonIterator(std::move(made));
}

/// combinations(values, n) and permutations(values, n), in the order of the places of the values.
PythonValue chosen(const PythonApiCall& call) {
    if (call.arguments.list.empty() || areOfRun(call))
        return PythonData();
    const PythonValues items = call.interpreter.iterate(call.arguments.list[0], call.place());
    const PythonValue* length = call.arguments.find("r", 1);
    const bool isOrdered = call.name() == "permutations";
    const std::size_t count =
        length != nullptr && length->isWhole() ? length->constant().get<std::size_t>() : items.size();
    std::vector<std::vector<std::size_t>> choices{{}};
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::vector<std::size_t>> longer;
        for (const auto& choice : choices)
            for (std::size_t place = 0; place < items.size(); ++place) {
                const bool isNext = isOrdered ? std::ranges::find(choice, place) == choice.end()
                                              : choice.empty() || place > choice.back();
                if (!isNext)
                    continue;
                call.interpreter.countWork(choice.size() + 1, call.place());
                longer.push_back(choice);
                longer.back().push_back(place);
            }
        choices = std::move(longer);
    }
    PythonValues made;
    for (const auto& choice : choices) {
        PythonValues one;
        for (const std::size_t place : choice)
            one.push_back(items[place]);
        made.push_back(pythonList(std::move(one), true));
    }
    return pythonIterator(std::move(made));
}

/// takewhile(), dropwhile() and filterfalse().
PythonValue takenByTest(const PythonApiCall& call) {
    if (call.arguments.list.size() != 2 || areOfRun(call))
        return PythonData();
    const std::string name = call.name();
    PythonValues made;
    bool isBehind = false;
    for (const PythonValue& item : call.interpreter.iterate(call.arguments.list[1], call.place())) {
        PythonArguments one{{item}, {}, call.place()};
        const bool holds = !isBehind && call.interpreter.isTrue(
                                            call.interpreter.call(call.arguments.list[0], one), call.place());
        if (name == "takewhile" && !holds)
            break;
        isBehind = isBehind || (name == "dropwhile" && !holds);
        if (name == "takewhile" || isBehind || (name == "filterfalse" && !holds))
            made.push_back(item);
    }
    return pythonIterator(std::move(made));
}

/// groupby(values, key): neighbours with equal keys.
PythonValue grouped(const PythonApiCall& call) {
    if (call.arguments.list.empty() || areOfRun(call))
        return PythonData();
    const PythonValue* key = call.arguments.find("key", 1);
    PythonValues groups;
    for (const PythonValue& item : call.interpreter.iterate(call.arguments.list[0], call.place())) {
        PythonArguments one{{item}, {}, call.place()};
        const PythonValue of = key == nullptr || key->isNone() ? item : call.interpreter.call(*key, one);
        if (groups.empty() || !areEqual(groups.back().items()[0], of))
            groups.push_back(pythonList({of, pythonIterator({})}, true));
        groups.back().items()[1].as<PythonList>()->items->push_back(item);
    }
    return pythonIterator(std::move(groups));
}

PythonValue neighbours(const PythonApiCall& call) {
    if (call.arguments.list.empty() || areOfRun(call))
        return PythonData();
    const PythonValues items = call.interpreter.iterate(call.arguments.list[0], call.place());
    PythonValues pairs;
    for (std::size_t i = 1; i < items.size(); ++i)
        pairs.push_back(pythonList({items[i - 1], items[i]}, true));
    return pythonIterator(std::move(pairs));
}

constexpr const char* generatorClass = "random.Random";

/// random.random() and its like: one number, which only a run knows.
PythonValue drawnNumber(const PythonApiCall& call) {
    PythonData number = samplesFrom(call.path + "()");
    number.shape = Json::array();
    number.areWhole = call.name() == "randint" || call.name() == "randrange" || call.name() == "getrandbits";
    return number;
}

/// random.sample(values, k) and random.choices(values, k=…): so many of them, and which only a run knows.
PythonValue drawnValues(const PythonApiCall& call) {
    if (!call.arguments.list.empty())
        if (const auto* self = call.arguments.list[0].as<PythonLibraryObject>();
            self != nullptr && self->className == generatorClass)
            call.arguments.list.erase(call.arguments.list.begin());
    const bool isSample = call.name() == "sample";
    const PythonValue* population = call.arguments.find("population", 0);
    const PythonValue* given = isSample ? call.arguments.find("k", 1) : call.arguments.keyword("k");
    const PythonValue once = pythonConstant(1);
    const PythonValue& count = given == nullptr ? once : *given;
    if (population == nullptr || (isSample && given == nullptr))
        call.refuse("python/value", fmt::format("{}() takes values and how many of them", call.name()),
                    {fmt::format("write random.{}(values, k=8)", call.name())});
    const auto rounds = roundsOfValue(*population);
    PythonValue one = PythonData();
    if (rounds)
        one = likeOthers(rounds->element);
    else if (const auto* list = population->as<PythonList>(); list != nullptr && !list->items->empty())
        one = likeOthers(list->items->front());
    constexpr std::int64_t longest = 100000;
    const std::int64_t all =
        count.isWhole() ? count.constant().get<std::int64_t>() : PythonData::unknownCount;
    if (all < 0 || all > longest)
        return pythonList({pythonMany(one, all)});
    call.interpreter.countWork(static_cast<std::size_t>(all), call.place());
    return pythonList(PythonValues(static_cast<std::size_t>(all), one));
}

PythonValue generatorOfNumbers(const PythonApiCall&) {
    return pythonObject(generatorClass);
}

} // namespace

bool isEndlessIterator(const PythonValue& value) {
    const auto* object = value.as<PythonLibraryObject>();
    return object != nullptr && object->className == endlessClass;
}

std::optional<PythonValue> nextOfEndless(const PythonApiCall& call, const PythonValue& value) {
    if (!isEndlessIterator(value))
        return std::nullopt;
    auto& attributes = *value.as<PythonLibraryObject>()->attributes;
    const PythonValue next = attributes["next"];
    if (attributes["values"].isNone()) {
        attributes["next"] = call.interpreter.operation("+", next, attributes["step"], call.place());
        return next;
    }
    const PythonValues& items = attributes["values"].items();
    const auto place = next.constant().get<std::size_t>();
    attributes["next"] = pythonConstant(static_cast<std::int64_t>((place + 1) % items.size()));
    return items[place];
}

namespace {

/// The values of a heap in their order, which is one of the orders of a heap.
const PythonList* orderedHeap(const PythonApiCall& call, std::size_t position) {
    if (position >= call.arguments.list.size())
        return nullptr;
    const auto* heap = call.arguments.list[position].as<PythonList>();
    if (heap == nullptr || heap->isTuple)
        return nullptr;
    PythonArguments one{{*heap}, {}, call.place()};
    const PythonValue ordered = call.interpreter.call(PythonLibraryName{"builtin.sorted"}, one);
    if (!ordered.is<PythonList>())
        return nullptr;
    *heap->items = ordered.items();
    return heap;
}

/// heapq: heapify(), heappush(), heappop() and what joins the two.
PythonValue heapFunction(const PythonApiCall& call) {
    const std::string name = call.name();
    const PythonList* heap = orderedHeap(call, 0);
    const PythonValue* value = call.arguments.list.size() > 1 ? &call.arguments.list[1] : nullptr;
    if (heap == nullptr)
        return PythonData();
    const auto push = [&] {
        if (value == nullptr || !canHold(heap->items.get(), *value))
            call.refuse("python/value", fmt::format("{}() takes a heap and a value", name),
                        {"write heapq.heappush(heap, value)"});
        heap->items->push_back(*value);
        static_cast<void>(orderedHeap(call, 0));
    };
    if (name == "heappush" || name == "heappushpop")
        push();
    if (name == "heapify" || name == "heappush")
        return {};
    if (heap->items->empty())
        call.interpreter.messages().raise(
            call.place(), {"IndexError", "LookupError", "Exception"}, "python/value",
            fmt::format("{}() of an empty heap has no value", name), {"put values in before"});
    PythonValue first = heap->items->front();
    heap->items->erase(heap->items->begin());
    if (name == "heapreplace")
        push();
    return first;
}

/// heapq.nsmallest(n, values, key) and nlargest().
PythonValue extremesOf(const PythonApiCall& call) {
    const PythonValue* count = call.arguments.find("n", 0);
    const PythonValue* values = call.arguments.find("iterable", 1);
    if (count == nullptr || values == nullptr || !count->isWhole())
        return PythonData();
    PythonArguments one{{*values}, {{"reverse", pythonConstant(call.name() == "nlargest")}}, call.place()};
    if (const PythonValue* key = call.arguments.given("key", 2))
        one.keywords.emplace_back("key", *key);
    const PythonValue ordered = call.interpreter.call(PythonLibraryName{"builtin.sorted"}, one);
    if (!ordered.is<PythonList>())
        return ordered;
    PythonValues taken = ordered.items();
    const auto most =
        static_cast<std::size_t>(std::max<std::int64_t>(count->constant().get<std::int64_t>(), 0));
    if (taken.size() > most)
        taken.resize(most);
    return pythonList(std::move(taken));
}

} // namespace

std::vector<PythonApiName> heapFunctions() {
    std::vector<PythonApiName> names;
    for (const char* name : {"heapify", "heappush", "heappop", "heappushpop", "heapreplace"})
        names.push_back(readName(std::string("heapq.") + name, heapFunction));
    for (const char* name : {"nsmallest", "nlargest"})
        names.push_back(readName(std::string("heapq.") + name, extremesOf));
    return names;
}

std::vector<PythonApiName> iteratorFunctions() {
    constexpr std::array<std::pair<const char*, PythonValue (*)(const PythonApiCall&)>, 17> functions{
        {{"count", counting},
         {"cycle", cycled},
         {"chain", chain},
         {"chain.from_iterable", chain},
         {"product", cartesian},
         {"repeat", repeated},
         {"islice", islice},
         {"accumulate", accumulated},
         {"zip_longest", zippedToLongest},
         {"starmap", mappedTuples},
         {"combinations", chosen},
         {"permutations", chosen},
         {"takewhile", takenByTest},
         {"dropwhile", takenByTest},
         {"filterfalse", takenByTest},
         {"groupby", grouped},
         {"pairwise", neighbours}}};
    std::vector<PythonApiName> names;
    for (const auto& [name, function] : functions)
        names.push_back(readName(std::string("itertools.") + name, function));
    for (const char* draws :
         {"random.sample", "random.choices", "random.Random.sample", "random.Random.choices"})
        names.push_back(readName(draws, drawnValues));
    for (const char* name : {"random", "randint", "randrange", "uniform", "gauss", "normalvariate",
                             "triangular", "betavariate", "expovariate", "getrandbits"}) {
        names.push_back(readName(std::string("random.") + name, drawnNumber));
        names.push_back(readName(std::string(generatorClass) + "." + name, drawnNumber));
    }
    names.push_back(readName(generatorClass, generatorOfNumbers));
    return names;
}

} // namespace core
