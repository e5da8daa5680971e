#include "core/interchange/python/apis/standard/argument_reading.h"

#include "core/interchange/python/syntax/modules.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

using LineAttributes = std::map<std::string, PythonValue>;

PythonLibraryObject emptyNamespace() {
    return {namespaceClass, std::make_shared<LineAttributes>()};
}

/// "train, evaluate".
std::string commandNames(const PythonLibraryObject& commands) {
    std::vector<std::string> names;
    for (const auto& [name, parser] :
         *commands.attributes->at(commandParsers).as<PythonDictionary>()->entries)
        names.push_back(name.constant().get<std::string>()); // add_parser() takes nothing else
    return fmt::format("{}", fmt::join(names, ", "));
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
        if (const PythonValue* names = find("option_strings"))
            for (const PythonValue& option : names->items())
                if (option.isText())
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

/// Reads one command line by one parser.
class LineReading {
public:
    LineReading(const PythonApiCall& call, const PythonLibraryObject& parser)
        : m_call(call) {
        for (const PythonValue& action : parser.attributes->at(parserActions).items())
            m_arguments.emplace_back(*action.as<PythonLibraryObject>());
        m_set = parser.attributes->at(parserDefaults).as<PythonLibraryObject>()->attributes.get();
        if (const auto commands = parser.attributes->find(parserCommands);
            commands != parser.attributes->end())
            m_commands = commands->second.as<PythonLibraryObject>();
    }

    void read(const std::vector<std::string>& words) {
        for (m_next = 0; m_next < words.size();) {
            const std::string& word = words[m_next];
            if (word == "--") {
                m_places.insert(m_places.end(), words.begin() + static_cast<std::ptrdiff_t>(m_next) + 1,
                                words.end());
                break;
            }
            if (isOption(word)) {
                readOption(words);
            } else if (m_commands != nullptr && m_places.size() >= placesBeforeCommand()) {
                readCommand(words);
                break;
            } else {
                m_places.push_back(words[m_next++]);
            }
        }
        readPositional();
        if (m_commands != nullptr && m_command.empty())
            lackCommand();
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
        PythonLibraryObject all = emptyNamespace();
        for (const LineArgument& argument : m_arguments)
            if (const std::string name = argument.text("dest"); !all.attributes->contains(name))
                (*all.attributes)[name] = defaultOf(argument);
        for (const auto& [name, value] : *m_set)
            (*all.attributes)[name] = value;
        for (const auto& [name, value] : m_given)
            (*all.attributes)[name] = value;
        for (const auto& [name, value] : m_ofCommand)
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

    /// The positional arguments before the command: each takes one word.
    [[nodiscard]] std::size_t placesBeforeCommand() const {
        return static_cast<std::size_t>(std::ranges::count_if(
            m_arguments, [](const LineArgument& argument) { return argument.isPositional(); }));
    }

    /// The word that names a command, and all that is behind it.
    void readCommand(const std::vector<std::string>& words) {
        const auto& commands = *m_commands->attributes->at(commandParsers).as<PythonDictionary>()->entries;
        const auto chosen = std::ranges::find_if(commands, [&](const auto& entry) {
            return entry.first.constant().template get_ref<const std::string&>() == words[m_next];
        });
        if (chosen == commands.end())
            refuse(fmt::format("the program has no command \"{}\"", quotedName(words[m_next])),
                   fmt::format("its commands are {}", quotedName(commandNames(*m_commands))));
        m_command = words[m_next++];
        LineReading inner(m_call, *chosen->second.as<PythonLibraryObject>());
        inner.read({words.begin() + static_cast<std::ptrdiff_t>(m_next), words.end()});
        m_ofCommand = *inner.values().attributes;
        m_rest.insert(m_rest.end(), inner.m_rest.begin(), inner.m_rest.end());
        if (const PythonValue& name = m_commands->attributes->at("dest"); name.isText())
            m_ofCommand[name.constant().get<std::string>()] = pythonText(m_command);
    }

    /// Nothing names a command: the program goes on without, if it may.
    void lackCommand() {
        const PythonValue& required = m_commands->attributes->at("required");
        m_call.builder.facts.openCommands = commandNames(*m_commands);
        if (m_call.interpreter.isTrue(required, m_call.place()))
            refuse("the program takes one of several commands, and none is chosen",
                   fmt::format("`ipu-workbench import` with --arguments \"COMMAND\" chooses {}",
                               quotedName(m_call.builder.facts.openCommands)));
        if (const PythonValue& name = m_commands->attributes->at("dest"); name.isText())
            m_given[name.constant().get<std::string>()] = PythonValue();
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
    /// What add_subparsers() made; null: the parser has no commands.
    const PythonLibraryObject* m_commands = nullptr;
    std::string m_command;
    LineAttributes m_ofCommand;
    LineAttributes m_given;
    std::vector<std::string> m_places;
    std::vector<std::string> m_rest;
    std::size_t m_next = 0;
};

} // namespace

std::vector<std::string> commandLineWords(const PythonApiCall& call, std::size_t position) {
    const PythonValue* named = call.arguments.given("args", position);
    call.builder.asksForCommandLine = true;
    if (named == nullptr || !named->is<PythonList>())
        return call.builder.commandLine;
    std::vector<std::string> words;
    for (const PythonValue& word : named->items())
        words.push_back(call.interpreter.text(word, call.place()));
    return words;
}

PythonLibraryObject readCommandLine(const PythonApiCall& call, const PythonLibraryObject& parser,
                                    const std::vector<std::string>& words, std::vector<std::string>* rest) {
    LineReading reading(call, parser);
    reading.read(words);
    if (rest == nullptr)
        reading.refuseRest();
    else
        *rest = reading.rest();
    return reading.values();
}

} // namespace core
