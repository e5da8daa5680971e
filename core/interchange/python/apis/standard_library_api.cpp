// The modules that come with Python. argparse is followed with its defaults; the rest is about the host.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/number_functions.h"

#include <algorithm>
#include <numbers>

namespace core {

namespace {

constexpr const char* parserClass = "argparse.ArgumentParser";
constexpr const char* namespaceClass = "argparse.Namespace";

using Attributes = std::map<std::string, PythonValue>;

/// The parser whose function is called; it is the first argument.
const PythonLibraryObject& parserOf(const PythonApiCall& call) {
    const auto* parser =
        call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonLibraryObject>();
    if (parser == nullptr || parser->className != parserClass)
        call.refuse("python/value", "this is a function of a parser",
                    {"make one: parser = argparse.ArgumentParser()"});
    return *parser;
}

PythonValue makeParser(const PythonApiCall&) {
    return PythonLibraryObject{parserClass, std::make_shared<Attributes>()};
}

/// "--batch-size" is batch_size; of several the first long one counts.
std::string destination(const PythonApiCall& call) {
    if (const PythonValue* given = call.arguments.keyword("dest"); given != nullptr && given->isText())
        return given->constant().get<std::string>();
    std::string name;
    for (std::size_t i = 1; i < call.arguments.list.size(); ++i) {
        const PythonValue& option = call.arguments.list[i];
        if (!option.isText())
            continue;
        const std::string text = option.constant().get<std::string>();
        if (name.empty() || (text.starts_with("--") && !name.starts_with("--")))
            name = text;
    }
    name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
    std::ranges::replace(name, '-', '_');
    return name;
}

/// What an argument is when the program is started without it.
PythonValue defaultOf(const PythonApiCall& call) {
    const PythonValue* action = call.arguments.keyword("action");
    const std::string word =
        action != nullptr && action->isText() ? action->constant().get<std::string>() : std::string();
    const PythonValue* given = call.arguments.keyword("default");
    if (given == nullptr && (word == "store_true" || word == "store_false"))
        return pythonConstant(word == "store_false");
    if (given == nullptr) {
        const PythonValue* required = call.arguments.keyword("required");
        const bool isRequired = required != nullptr && call.interpreter.isTrue(*required, call.place());
        const bool isPositional = call.arguments.list.size() > 1 && call.arguments.list[1].isText() &&
                                  !call.arguments.list[1].constant().get<std::string>().starts_with("-");
        return isRequired || isPositional ? PythonValue(PythonData()) : PythonValue();
    }
    const PythonValue* type = call.arguments.given("type", 99);
    if (type == nullptr || !given->isText())
        return *given;
    PythonArguments text{{*given}, {}, call.place()};
    return call.interpreter.call(*type, text);
}

PythonValue addArgument(const PythonApiCall& call) {
    const std::string name = destination(call);
    if (name.empty())
        call.refuse("python/value", "add_argument() lacks the name of its argument",
                    {"write add_argument(\"--name\", default=value)"});
    (*parserOf(call).attributes)[name] = defaultOf(call);
    return PythonData();
}

PythonValue setDefaults(const PythonApiCall& call) {
    for (const auto& [name, value] : call.arguments.keywords)
        (*parserOf(call).attributes)[name] = value;
    return {};
}

/// A group of arguments belongs to its parser.
PythonValue sameParser(const PythonApiCall& call) {
    return parserOf(call);
}

PythonValue parseArguments(const PythonApiCall& call) {
    return PythonLibraryObject{namespaceClass, std::make_shared<Attributes>(*parserOf(call).attributes)};
}

PythonValue parseKnownArguments(const PythonApiCall& call) {
    return pythonList({parseArguments(call), pythonList({})}, true);
}

std::vector<PythonApiName> standardNames() {
    std::vector<PythonApiName> names = numberFunctions("math.");
    const std::string parser(parserClass);
    const std::vector<PythonApiName> rows{
        readName(parser, makeParser),
        readName(parser + ".add_argument", addArgument),
        readName(parser + ".set_defaults", setDefaults),
        readName(parser + ".add_argument_group", sameParser),
        readName(parser + ".add_mutually_exclusive_group", sameParser),
        readName(parser + ".parse_args", parseArguments),
        readName(parser + ".parse_known_args", parseKnownArguments),
    };
    names.insert(names.end(), rows.begin(), rows.end());
    for (const char* module :
         {"argparse.**", "os.**",       "sys.**",    "time.**",        "math.**",      "random.**",
          "pathlib.**",  "gzip.**",     "struct.**", "logging.**",     "datetime.**",  "json.**",
          "builtin.**",  "tempfile.**", "shutil.**", "collections.**", "functools.**", "itertools.**",
          "typing.**",   "warnings.**", "re.**",     "copy.**"})
        names.push_back(hostName(module));
    return names;
}

} // namespace

const PythonApiTable& standardLibraryApi() {
    static const PythonApiTable api{{}, {}, standardNames()};
    return api;
}

} // namespace core
