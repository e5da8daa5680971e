#include "core/interchange/python/apis/standard/command_line.h"

#include "core/interchange/python/apis/standard/argument_reading.h"
#include "core/interchange/python/syntax/modules.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using LineAttributes = std::map<std::string, PythonValue>;

constexpr const char* actionClass = "argparse.Action";
constexpr const char* commandsClass = "argparse.Subparsers";

PythonLibraryObject objectOf(const char* className) {
    return {className, std::make_shared<LineAttributes>()};
}

/// The parser whose function is called; it is the first argument.
const PythonLibraryObject& parserOf(const PythonApiCall& call) {
    const auto* parser =
        call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonLibraryObject>();
    if (parser == nullptr || parser->className != parserClass)
        call.refuse("python/value", "this is a function of a parser",
                    {"make one: parser = argparse.ArgumentParser()"});
    return *parser;
}

PythonLibraryObject madeParser(const PythonApiCall& call) {
    PythonLibraryObject parser = objectOf(parserClass);
    PythonValues actions;
    // Arguments of the parsers that it is made of.
    if (const PythonValue* parents = call.arguments.keyword("parents"))
        for (const PythonValue& parent : parents->items())
            if (const auto* other = parent.as<PythonLibraryObject>();
                other != nullptr && other->className == parserClass)
                for (const PythonValue& action : other->attributes->at(parserActions).items())
                    actions.push_back(action);
    (*parser.attributes)[parserActions] = pythonList(std::move(actions));
    (*parser.attributes)[parserDefaults] = objectOf(namespaceClass);
    return parser;
}

PythonValue makeParser(const PythonApiCall& call) {
    return madeParser(call);
}

/// The commands of a program, each with a parser of its own.
PythonValue addParserCommands(const PythonApiCall& call) {
    const PythonLibraryObject& parser = parserOf(call);
    PythonLibraryObject commands = objectOf(commandsClass);
    const PythonValue* name = call.arguments.keyword("dest");
    const PythonValue* required = call.arguments.keyword("required");
    (*commands.attributes)["dest"] = name == nullptr ? PythonValue() : *name;
    (*commands.attributes)["required"] = required == nullptr ? pythonConstant(false) : *required;
    (*commands.attributes)[commandParsers] = pythonDictionary({});
    (*parser.attributes)[parserCommands] = commands;
    return commands;
}

PythonValue addParserCommand(const PythonApiCall& call) {
    const auto* commands =
        call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonLibraryObject>();
    const PythonValue* name = call.arguments.find("name", 1);
    if (commands == nullptr || name == nullptr || !name->isText())
        call.refuse("python/value", "add_parser() lacks the name of its command",
                    {"write subparsers.add_parser(\"train\")"});
    const PythonLibraryObject parser = madeParser(call);
    const PythonDictionary& parsers = *commands->attributes->at(commandParsers).as<PythonDictionary>();
    parsers.entries->emplace_back(*name, parser);
    if (const PythonValue* others = call.arguments.keyword("aliases"))
        for (const PythonValue& other : others->items())
            if (other.isText())
                parsers.entries->emplace_back(other, parser);
    return parser;
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

PythonValue addArgument(const PythonApiCall& call) {
    const std::string name = destination(call);
    if (name.empty())
        call.refuse("python/value", "add_argument() lacks the name of its argument",
                    {"write add_argument(\"--name\", default=value)"});
    PythonLibraryObject action = objectOf(actionClass);
    for (const auto& [key, value] : call.arguments.keywords)
        (*action.attributes)[key] = value;
    (*action.attributes)["dest"] = pythonText(name);
    PythonValues options;
    for (std::size_t i = 1; i < call.arguments.list.size(); ++i)
        if (const PythonValue& option = call.arguments.list[i];
            option.isText() && option.constant().get_ref<const std::string&>().starts_with('-'))
            options.push_back(option);
    (*action.attributes)["option_strings"] = pythonList(std::move(options));
    parserOf(call).attributes->at(parserActions).as<PythonList>()->items->emplace_back(action);
    return action;
}

PythonValue setDefaults(const PythonApiCall& call) {
    const PythonValue& defaults = parserOf(call).attributes->at(parserDefaults);
    for (const auto& [name, value] : call.arguments.keywords)
        (*defaults.as<PythonLibraryObject>()->attributes)[name] = value;
    return {};
}

/// A group of arguments belongs to its parser.
PythonValue sameParser(const PythonApiCall& call) {
    return parserOf(call);
}

PythonValue parseArguments(const PythonApiCall& call) {
    return readCommandLine(call, parserOf(call), commandLineWords(call, 1));
}

PythonValue parseKnownArguments(const PythonApiCall& call) {
    std::vector<std::string> unknown;
    const PythonLibraryObject known =
        readCommandLine(call, parserOf(call), commandLineWords(call, 1), &unknown);
    PythonValues rest;
    for (const std::string& word : unknown)
        rest.push_back(pythonText(word));
    return pythonList({known, pythonList(std::move(rest))}, true);
}

} // namespace

PythonValue argumentsOfProgram(PythonProgramBuilder& builder) {
    builder.asksForCommandLine = true;
    PythonValues words{
        pythonText(builder.modules == nullptr ? "program.py" : builder.modules->programFile())};
    for (const std::string& word : builder.commandLine)
        words.push_back(pythonText(word));
    return pythonList(std::move(words));
}

PythonValue makeNamespace(const PythonApiCall& call) {
    PythonLibraryObject made = objectOf(namespaceClass);
    for (const auto& [name, value] : call.arguments.keywords)
        (*made.attributes)[name] = value;
    return made;
}

std::vector<PythonApiName> commandLineFunctions() {
    const std::string parser(parserClass);
    return {
        readName(parser, makeParser),
        readName(parser + ".add_argument", addArgument),
        readName(parser + ".set_defaults", setDefaults),
        readName(parser + ".add_argument_group", sameParser),
        readName(parser + ".add_mutually_exclusive_group", sameParser),
        readName(parser + ".parse_args", parseArguments),
        readName(parser + ".parse_known_args", parseKnownArguments),
        readName(parser + ".add_subparsers", addParserCommands),
        readName(std::string(commandsClass) + ".add_parser", addParserCommand),
        readName(namespaceClass, makeNamespace),
    };
}

} // namespace core
