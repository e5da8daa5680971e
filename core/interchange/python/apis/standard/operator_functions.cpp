// The functions of operator, and of bisect.
#include "core/interchange/python/apis/standard/operator_functions.h"

#include <algorithm>
#include <string>

namespace core {

namespace {

constexpr const char* itemGetter = "operator.itemgetter";
constexpr const char* attributeGetter = "operator.attrgetter";

/// Operators as functions of two values.
std::vector<PythonApiName> binaryOperators() {
    struct Operator {
        const char* name;
        const char* sign;
    };
    static constexpr Operator operators[]{{"add", "+"},       {"sub", "-"}, {"mul", "*"},  {"truediv", "/"},
                                          {"floordiv", "//"}, {"mod", "%"}, {"pow", "**"}, {"eq", "=="},
                                          {"ne", "!="},       {"lt", "<"},  {"le", "<="},  {"gt", ">"},
                                          {"ge", ">="}};
    std::vector<PythonApiName> names;
    for (const Operator& one : operators)
        names.push_back(readName(std::string("operator.") + one.name, [&one](const PythonApiCall& call) {
            const PythonValues& given = call.arguments.list;
            return given.size() == 2 ? call.interpreter.operation(one.sign, given[0], given[1], call.place())
                                     : PythonValue(PythonData());
        }));
    return names;
}

/// itemgetter(0) and attrgetter("name"): what takes that of a value. Of several, they are a tuple.
PythonValue makeGetter(const PythonApiCall& call) {
    auto attributes = std::make_shared<std::map<std::string, PythonValue>>();
    (*attributes)["taken"] = pythonList(call.arguments.list, true);
    return PythonLibraryObject{call.path, std::move(attributes)};
}

PythonValue callGetter(const PythonApiCall& call) {
    const auto* getter = call.arguments.list.front().as<PythonLibraryObject>();
    if (getter == nullptr || call.arguments.list.size() != 2)
        call.refuse("python/value", "this takes one value", {"call it on the value itself"});
    PythonValues taken;
    for (const PythonValue& key : getter->attributes->at("taken").items()) {
        PythonValue value = call.arguments.list[1];
        if (getter->className == itemGetter) {
            taken.push_back(call.interpreter.elementOf(value, key, call.place(), call.place()));
            continue;
        }
        std::string path = call.interpreter.text(key, call.place());
        for (std::size_t dot = 0; dot != std::string::npos; path = path.substr(dot + 1)) {
            dot = path.find('.');
            value = call.interpreter.attributeOf(value, path.substr(0, dot));
            if (dot == std::string::npos)
                break;
        }
        taken.push_back(value);
    }
    return taken.size() == 1 ? taken.front() : pythonList(std::move(taken), true);
}

/// bisect_left(sorted, x) and bisect_right(sorted, x): the place where x belongs.
PythonValue placeInOrder(const PythonApiCall& call) {
    const PythonValues& given = call.arguments.list;
    if (given.size() < 2 || std::ranges::any_of(given, &PythonInterpreter::isOfRun))
        return PythonData();
    const bool isLeft = call.name() == "bisect_left";
    std::int64_t place = 0;
    for (const PythonValue& item : call.interpreter.iterate(given[0], call.place())) {
        const PythonValue isBefore =
            call.interpreter.operation(isLeft ? "<" : "<=", item, given[1], call.place());
        if (!call.interpreter.isTrue(isBefore, call.place()))
            break;
        ++place;
    }
    return pythonConstant(place);
}

} // namespace

std::vector<PythonApiName> functionsOfOperator() {
    std::vector<PythonApiName> names = binaryOperators();
    for (const char* name : {"bisect", "bisect_left", "bisect_right"})
        names.push_back(readName(std::string("bisect.") + name, placeInOrder));
    for (const std::string getter : {itemGetter, attributeGetter}) {
        names.push_back(readName(getter, makeGetter));
        names.push_back(readName(getter + ".__call__", callGetter));
    }
    return names;
}

} // namespace core
