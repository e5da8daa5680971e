#include "core/interchange/python/apis/standard/command_line.h"

#include "core/interchange/python/syntax/modules.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

using LineAttributes = std::map<std::string, PythonValue>;

constexpr const char* parserClass = "argparse.ArgumentParser";
constexpr const char* namespaceClass = "argparse.Namespace";
constexpr const char* actionClass = "argparse.Action";
// Attributes of a parser, as argparse itself calls them.
constexpr const char* actionsOfParser = "_actions";
constexpr const char* defaultsOfParser = "_defaults";

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

PythonValue makeParser(const PythonApiCall& call) {
    PythonLibraryObject parser = objectOf(parserClass);
    PythonValues actions;
    // Arguments of the parsers that it is made of.
    if (const PythonValue* parents = call.arguments.keyword("parents"))
        for (const PythonValue& parent : parents->items())
            if (const auto* other = parent.as<PythonLibraryObject>();
                other != nullptr && other->className == parserClass)
                for (const PythonValue& action : other->attributes->at(actionsOfParser).items())
                    actions.push_back(action);
    (*parser.attributes)[actionsOfParser] = pythonList(std::move(actions));
    (*parser.attributes)[defaultsOfParser] = objectOf(namespaceClass);
    return parser;
}

/// One argument that a parser takes.
class LineArgument {
public:
    explicit LineArgument(const PythonLibraryObject& action)
        : m_attributes(*action.attributes) {}

    [[nodiscard]] std::string text(const char* name) const {
        const PythonValue* value = find(name);
        return value != nullptr && value->isText() ? value->constant().get<std::string>() : std::string();
    }
    [[nodiscard]] const PythonValue* find(const char* name) const {
        const auto found = m_attributes.find(name);
        return found == m_attributes.end() || found->second.isNone() ? nullptr : &found->second;
    }
    [[nodiscard]] std::vector<std::string> options() const {
        std::vector<std::string> all;
        for (const PythonValue& option : m_attributes.at("option_strings").items())
            all.push_back(option.constant().get<std::string>());
        return all;
    }
    [[nodiscard]] bool isPositional() const { return options().empty(); }
    [[nodiscard]] std::string shown() const { return isPositional() ? text("dest") : options().back(); }
    /// How many values it takes, at least and at most.
    [[nodiscard]] std::pair<std::size_t, std::size_t> values() const {
        constexpr std::size_t any = 1 << 20;
        const std::string action = text("action");
        if (action.starts_with("store_") || action == "count" || action == "append_const" || isBothWays())
            return {0, 0};
        const PythonValue* count = find("nargs");
        if (count == nullptr)
            return {1, 1};
        if (count->isWhole())
            return std::pair(count->constant().get<std::size_t>(), count->constant().get<std::size_t>());
        const std::string sign = text("nargs");
        return {sign == "+" ? 1 : 0, sign == "?" ? 1 : any};
    }
    [[nodiscard]] bool isOne() const {
        const PythonValue* count = find("nargs");
        return count == nullptr || text("nargs") == "?";
    }
    /// argparse.BooleanOptionalAction: --name and --no-name.
    [[nodiscard]] bool isBothWays() const {
        const auto* action = find("action") == nullptr ? nullptr : find("action")->as<PythonLibraryName>();
        return action != nullptr && action->path.ends_with("BooleanOptionalAction");
    }

private:
    const LineAttributes& m_attributes;
};

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
    parserOf(call).attributes->at(actionsOfParser).as<PythonList>()->items->emplace_back(action);
    return action;
}

PythonValue setDefaults(const PythonApiCall& call) {
    const PythonValue& defaults = parserOf(call).attributes->at(defaultsOfParser);
    for (const auto& [name, value] : call.arguments.keywords)
        (*defaults.as<PythonLibraryObject>()->attributes)[name] = value;
    return {};
}

/// A group of arguments belongs to its parser.
PythonValue sameParser(const PythonApiCall& call) {
    return parserOf(call);
}

/// Reads one command line by one parser.
class LineReading {
public:
    LineReading(const PythonApiCall& call, const PythonLibraryObject& parser)
        : m_call(call) {
        for (const PythonValue& action : parser.attributes->at(actionsOfParser).items())
            m_arguments.emplace_back(*action.as<PythonLibraryObject>());
        m_set = parser.attributes->at(defaultsOfParser).as<PythonLibraryObject>()->attributes.get();
    }

    void read(const std::vector<std::string>& words) {
        for (m_next = 0; m_next < words.size();) {
            const std::string& word = words[m_next];
            if (word == "--") {
                m_places.insert(m_places.end(), words.begin() + static_cast<std::ptrdiff_t>(m_next) + 1,
                                words.end());
                break;
            }
            if (isOption(word))
                readOption(words);
            else
                m_places.push_back(words[m_next++]);
        }
        readPositional();
    }

    /// What no argument of the parser is.
    [[nodiscard]] const std::vector<std::string>& rest() const { return m_rest; }

    void refuseRest() const {
        if (m_rest.empty())
            return;
        std::vector<std::string> known;
        for (const LineArgument& argument : m_arguments)
            known.push_back(argument.shown());
        refuse(
            fmt::format("the program does not take \"{}\" on its command line", quotedName(m_rest.front())),
            known.empty()
                ? std::string("leave it out")
                : fmt::format("it takes {}", quotedName(fmt::format("{}", fmt::join(known, ", ")))));
    }

    [[nodiscard]] PythonLibraryObject values() const {
        PythonLibraryObject all = objectOf(namespaceClass);
        for (const LineArgument& argument : m_arguments)
            if (const std::string name = argument.text("dest"); !all.attributes->contains(name))
                (*all.attributes)[name] = defaultOf(argument);
        for (const auto& [name, value] : *m_set)
            (*all.attributes)[name] = value;
        for (const auto& [name, value] : m_given)
            (*all.attributes)[name] = value;
        return all;
    }

private:
    [[noreturn]] void refuse(std::string message, std::string cure) const {
        m_call.refuse("python/arguments", std::move(message), {std::move(cure)});
    }

    static bool isNumber(const std::string& word) {
        return word.size() > 1 && word.find_first_not_of("0123456789.eE+-", 1) == std::string::npos;
    }
    static bool isOption(const std::string& word) {
        return word.size() > 1 && word.front() == '-' && !isNumber(word);
    }

    const LineArgument* named(const std::string& option) const {
        const LineArgument* begun = nullptr;
        for (const LineArgument& argument : m_arguments)
            for (const std::string& own : argument.options()) {
                if (own == option ||
                    (argument.isBothWays() && own.starts_with("--") && option == "--no-" + own.substr(2)))
                    return &argument;
                if (option.starts_with("--") && own.starts_with(option))
                    begun = &argument; // argparse takes the beginning of a name as well
            }
        return begun;
    }

    void readOption(const std::vector<std::string>& words) {
        std::string option = words[m_next++];
        std::vector<std::string> values;
        const std::size_t sign = option.find('=');
        const LineArgument* argument = named(option);
        bool isAttached = false;
        if (argument == nullptr && sign != std::string::npos && (option.starts_with("--") || sign == 2)) {
            values.push_back(option.substr(sign + 1));
            option.resize(sign);
            argument = named(option);
            isAttached = true;
        } else if (argument == nullptr && !option.starts_with("--") && option.size() > 2) { // -n5
            argument = named(option.substr(0, 2));
            values.push_back(option.substr(2));
            isAttached = true;
        }
        if (argument == nullptr) {
            m_rest.push_back(words[m_next - 1]);
            return;
        }
        const auto [least, most] = argument->values();
        while (!isAttached && m_next < words.size() && values.size() < most && !isOption(words[m_next]))
            values.push_back(words[m_next++]);
        if (values.size() < least || values.size() > most)
            refuse(fmt::format("\"{}\" has {} values on the command line", quotedName(argument->shown()),
                               values.size()),
                   least == most ? fmt::format("give it {}", least) : std::string("give it one or more"));
        take(*argument, values, option);
    }

    void readPositional() {
        std::size_t at = 0;
        std::vector<const LineArgument*> open;
        for (const LineArgument& argument : m_arguments)
            if (argument.isPositional())
                open.push_back(&argument);
        for (std::size_t i = 0; i < open.size() && at < m_places.size(); ++i) {
            std::size_t later = 0; // what those behind it need
            for (std::size_t j = i + 1; j < open.size(); ++j)
                later += open[j]->values().first;
            const std::size_t left = m_places.size() - at;
            const std::size_t free = left > later ? left - later : 0;
            const std::size_t count = std::min(open[i]->values().second, std::max<std::size_t>(free, 1));
            take(*open[i],
                 {m_places.begin() + static_cast<std::ptrdiff_t>(at),
                  m_places.begin() + static_cast<std::ptrdiff_t>(std::min(at + count, m_places.size()))},
                 "");
            at += count;
        }
        for (; at < m_places.size(); ++at)
            m_rest.push_back(m_places[at]);
    }

    void take(const LineArgument& argument, const std::vector<std::string>& words,
              const std::string& option) {
        const std::string name = argument.text("dest");
        const std::string action = argument.text("action");
        if (argument.isBothWays()) {
            m_given[name] = pythonConstant(!option.starts_with("--no-"));
            return;
        }
        if (action == "store_true" || action == "store_false") {
            m_given[name] = pythonConstant(action == "store_true");
            return;
        }
        const PythonValue* constant = argument.find("const");
        if (action == "count") {
            const PythonValue* before = m_given.contains(name) ? &m_given[name] : argument.find("default");
            const std::int64_t count =
                before != nullptr && before->isWhole() ? before->constant().get<std::int64_t>() : 0;
            m_given[name] = pythonConstant(count + 1);
            return;
        }
        PythonValues values;
        for (const std::string& word : words)
            values.push_back(converted(argument, pythonText(word)));
        PythonValue value = argument.isOne() && !values.empty() ? values.front() : pythonList(values);
        if (action.ends_with("_const") || (values.empty() && argument.text("nargs") == "?"))
            value = constant == nullptr ? PythonValue() : *constant;
        if (action.starts_with("append") || action == "extend") {
            PythonValues all;
            const PythonValue* before = m_given.contains(name) ? &m_given[name] : argument.find("default");
            if (before != nullptr && before->is<PythonList>())
                all = before->items();
            if (action == "extend")
                all.insert(all.end(), values.begin(), values.end());
            else
                all.push_back(value);
            value = pythonList(std::move(all));
        }
        m_given[name] = value;
    }

    void refuseNoNumber(const LineArgument& argument, const PythonValue& type,
                        const std::string& word) const {
        const auto* name = type.as<PythonLibraryName>();
        double number = 0;
        const char* end = word.data() + word.size();
        const auto [rest, error] = std::from_chars(word.data(), end, number);
        const bool isFloat = name != nullptr && name->path == "builtin.float";
        const bool isWhole = name != nullptr && name->path == "builtin.int";
        const bool isNumber = error == std::errc() && rest == end &&
                              (isFloat || word.find_first_of(".eEnN") == std::string::npos);
        if ((isFloat || isWhole) && !isNumber)
            refuse(fmt::format("\"{}\" takes a {}number on the command line, not \"{}\"",
                               quotedName(argument.shown()), isWhole ? "whole " : "", quotedName(word)),
                   "write a number behind it");
    }

    PythonValue converted(const LineArgument& argument, const PythonValue& word) const {
        PythonValue value = word;
        if (const PythonValue* type = argument.find("type")) {
            refuseNoNumber(argument, *type, word.constant().get<std::string>());
            PythonArguments text{{word}, {}, m_call.place()};
            value = m_call.interpreter.call(*type, text);
        }
        const PythonValue* choices = argument.find("choices");
        if (choices == nullptr || !value.is<PythonConstant>() || choices->is<PythonData>())
            return value;
        std::vector<std::string> texts;
        for (const PythonValue& choice : m_call.interpreter.iterate(*choices, m_call.place())) {
            if (choice.is<PythonConstant>() && choice.constant() == value.constant())
                return value;
            texts.push_back(choice.is<PythonConstant>() ? choice.constant().dump() : "…");
        }
        refuse(fmt::format("\"{}\" cannot be {} on the command line", quotedName(argument.shown()),
                           quotedName(value.constant().dump())),
               fmt::format("it can be {}", quotedName(fmt::format("{}", fmt::join(texts, ", ")))));
    }

    /// What an argument is that the command line does not say.
    PythonValue defaultOf(const LineArgument& argument) const {
        const std::string action = argument.text("action");
        const PythonValue* given = argument.find("default");
        if (given == nullptr && (action == "store_true" || action == "store_false"))
            return pythonConstant(action == "store_false");
        if (given == nullptr) {
            const PythonValue* required = argument.find("required");
            const bool isRequired =
                required != nullptr && m_call.interpreter.isTrue(*required, m_call.place());
            const std::string count = argument.text("nargs");
            if (argument.isPositional() && count == "*")
                return pythonList({});
            if (!isRequired && (!argument.isPositional() || count == "?"))
                return {};
            PythonData told;
            told.origin = fmt::format("the command line for \"{}\"", quotedName(argument.text("dest")));
            told.cure =
                fmt::format("`ipu-workbench import` with --arguments \"{}VALUE\" says it",
                            argument.isPositional() ? std::string() : quotedName(argument.shown()) + " ");
            return told;
        }
        const PythonValue* type = argument.find("type");
        if (type == nullptr || !given->isText())
            return *given;
        PythonArguments text{{*given}, {}, m_call.place()};
        return m_call.interpreter.call(*type, text);
    }

    const PythonApiCall& m_call;
    std::vector<LineArgument> m_arguments;
    const LineAttributes* m_set = nullptr;
    LineAttributes m_given;
    std::vector<std::string> m_places;
    std::vector<std::string> m_rest;
    std::size_t m_next = 0;
};

/// The words that are read: those that the program names, else those it is read with.
std::vector<std::string> wordsOf(const PythonApiCall& call) {
    const PythonValue* named = call.arguments.given("args", 1);
    call.builder.asksForCommandLine = true;
    if (named == nullptr || !named->is<PythonList>())
        return call.builder.commandLine;
    std::vector<std::string> words;
    for (const PythonValue& word : named->items())
        words.push_back(call.interpreter.text(word, call.place()));
    return words;
}

PythonValue parseArguments(const PythonApiCall& call) {
    LineReading reading(call, parserOf(call));
    reading.read(wordsOf(call));
    reading.refuseRest();
    return reading.values();
}

PythonValue parseKnownArguments(const PythonApiCall& call) {
    LineReading reading(call, parserOf(call));
    reading.read(wordsOf(call));
    PythonValues rest;
    for (const std::string& word : reading.rest())
        rest.push_back(pythonText(word));
    return pythonList({reading.values(), pythonList(std::move(rest))}, true);
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
        refusedName(parser + ".add_subparsers",
                    "makes a program of several commands, and none is chosen here",
                    "give the arguments of the command that trains to the parser itself"),
        readName(namespaceClass, makeNamespace),
    };
}

} // namespace core
