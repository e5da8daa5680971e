// Functions that a command line calls: click, typer, fire.
#include "core/interchange/python/apis/standard/command_functions.h"

#include "core/interchange/python/apis/standard/argument_reading.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace core {

namespace {

using CommandAttributes = std::map<std::string, PythonValue>;

/// What a decorator of an option, or one that makes a command, is before it has its function.
constexpr const char* decoratorClass = "click.decorator";
/// A function with options that is no command so far.
constexpr const char* optionedClass = "click.function";
constexpr const char* commandClass = "click.Command";
constexpr const char* typerClass = "typer.Typer";
constexpr const char* contextClass = "click.Context";
constexpr const char* choiceClass = "click.Choice";
constexpr const char* defaultClass = "typer.Parameter";

PythonLibraryObject objectWith(const char* className, CommandAttributes attributes) {
    return {className, std::make_shared<CommandAttributes>(std::move(attributes))};
}

const PythonLibraryObject* objectOf(const PythonValue* value, std::string_view className) {
    const auto* object = value == nullptr ? nullptr : value->as<PythonLibraryObject>();
    return object != nullptr && object->className == className ? object : nullptr;
}

/// The first argument: the object whose function is called.
const PythonLibraryObject& selfOf(const PythonApiCall& call, const char* className) {
    const auto* object = objectOf(call.arguments.list.empty() ? nullptr : &call.arguments.list[0], className);
    if (object == nullptr)
        call.refuse("python/value", "this is a function of a command", {"write @click.command() above it"});
    return *object;
}

/// "--batch-size" and batch_size are batch_size.
std::string parameterName(std::string text) {
    text.erase(0, std::min(text.find_first_not_of('-'), text.size()));
    std::ranges::replace(text, '-', '_');
    return text;
}

/// What reads a word: int of a default that is one.
PythonValue typeOf(const PythonValue& byDefault) {
    if (byDefault.isWhole())
        return PythonLibraryName{"builtin.int"};
    return byDefault.isNumber() ? PythonValue(PythonLibraryName{"builtin.float"}) : PythonValue();
}

/// How argparse would be told of an option or argument of click.
class ActionMaker {
public:
    explicit ActionMaker(const PythonApiCall& call)
        : m_call(call)
        , m_isArgument(call.name() == "argument") {}

    /// One action, or two where a name switches on and another off.
    PythonValues make() {
        readNames();
        if (m_name.empty())
            m_call.refuse("python/value", fmt::format("{}() lacks its name", m_call.name()),
                          {"write @click.option(\"--name\", default=value)"});
        m_action["dest"] = pythonText(m_name);
        const PythonValue* byDefault = m_call.arguments.keyword("default");
        if (byDefault != nullptr)
            m_action["default"] = *byDefault;
        if (!m_off.empty())
            return switches();
        if (isSet("is_flag")) {
            m_action["action"] = pythonText("store_true");
            return {action(m_on)};
        }
        if (isSet("count"))
            m_action["action"] = pythonText("count");
        if (isSet("multiple"))
            m_action["action"] = pythonText("append");
        if ((isSet("multiple") || isSet("count")) && byDefault == nullptr)
            m_action["default"] = isSet("count") ? pythonConstant(0) : pythonList({}, true);
        readType(byDefault);
        readCount(byDefault);
        const PythonValue* required = m_call.arguments.keyword("required");
        if (required != nullptr)
            m_action["required"] = *required;
        else if (isSet("prompt") && byDefault == nullptr)
            m_action["required"] = pythonConstant(true);
        return {action(m_on)};
    }

private:
    [[nodiscard]] bool isSet(const char* keyword) const {
        const PythonValue* value = m_call.arguments.keyword(keyword);
        return value != nullptr && m_call.interpreter.isTrue(*value, m_call.place());
    }

    void readNames() {
        for (const PythonValue& given : m_call.arguments.list) {
            if (!given.isText())
                continue;
            const std::string text = given.constant().get<std::string>();
            const std::size_t slash = text.find('/');
            const std::string on = text.substr(0, slash);
            if (slash != std::string::npos)
                m_off.push_back(pythonText(text.substr(slash + 1)));
            if (!text.starts_with('-')) {
                m_name = parameterName(text);
                m_isNamed = true;
                continue;
            }
            m_on.push_back(pythonText(on));
            if (!m_isNamed && (m_name.empty() || on.starts_with("--")))
                m_name = parameterName(on);
        }
    }

    PythonValues switches() {
        m_action["action"] = pythonText("store_true");
        const PythonValue on = action(m_on);
        m_action["action"] = pythonText("store_false");
        return {on, action(m_off)};
    }

    void readType(const PythonValue* byDefault) {
        const PythonValue* type = m_call.arguments.keyword("type");
        if (type == nullptr) {
            if (byDefault != nullptr)
                m_action["type"] = typeOf(*byDefault);
        } else if (const auto* choice = objectOf(type, choiceClass)) {
            m_action["choices"] = choice->attributes->at("$choices");
        } else if (const auto* name = type->as<PythonLibraryName>()) {
            const bool isWhole = name->path.ends_with("INT") || name->path.ends_with(".int");
            const bool isReal = name->path.ends_with("FLOAT") || name->path.ends_with(".float");
            if (isWhole || isReal)
                m_action["type"] = PythonLibraryName{isWhole ? "builtin.int" : "builtin.float"};
        } else if (type->is<PythonFunction>()) {
            m_action["type"] = *type;
        }
    }

    void readCount(const PythonValue* byDefault) {
        const PythonValue* count = m_call.arguments.keyword("nargs");
        const bool isAny = count != nullptr && count->isWhole() && count->constant().get<std::int64_t>() < 0;
        const PythonValue* required = m_call.arguments.keyword("required");
        const bool isOptional =
            byDefault != nullptr ||
            (required != nullptr && !m_call.interpreter.isTrue(*required, m_call.place()));
        if (isAny)
            m_action["nargs"] = pythonText("*");
        else if (count != nullptr && count->isWhole() && count->constant().get<std::int64_t>() > 1)
            m_action["nargs"] = *count;
        else if (m_isArgument && isOptional)
            m_action["nargs"] = pythonText("?");
    }

    PythonValue action(const PythonValues& names) {
        CommandAttributes made = m_action;
        made["option_strings"] = pythonList(names);
        return objectWith("argparse.Action", std::move(made));
    }

    const PythonApiCall& m_call;
    bool m_isArgument = false;
    std::string m_name;
    bool m_isNamed = false;
    PythonValues m_on;
    PythonValues m_off;
    CommandAttributes m_action;
};

PythonValue optionDecorator(const PythonApiCall& call) {
    return objectWith(decoratorClass, {{"$actions", pythonList(ActionMaker(call).make())}});
}

/// @click.pass_context: the function is handed the context first.
PythonValue handsContext(const PythonApiCall& call) {
    PythonValue given = call.arguments.list.empty() ? PythonValue() : call.arguments.list[0];
    const PythonValue what = pythonText(call.name());
    if (const auto* optioned = objectOf(&given, optionedClass)) {
        (*optioned->attributes)["$hands"] = what;
        return given;
    }
    return objectWith(optionedClass, {{"$callback", given}, {"$actions", pythonList({})}, {"$hands", what}});
}

/// A decorator that says nothing about the model.
PythonValue sameFunction(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.list.empty() ? nullptr : &call.arguments.list[0];
    return given == nullptr || given->isText() ? PythonValue(objectWith(decoratorClass, {})) : *given;
}

/// The parameters of a function as the arguments of its command line: typer and fire ask for no more.
PythonValues actionsOf(const PythonFunction& function) {
    PythonValues actions;
    for (const PythonParameter& parameter : function.definition->parameters) {
        if (parameter.kind == PythonParameter::Kind::Positions ||
            parameter.kind == PythonParameter::Kind::Keywords)
            continue;
        CommandAttributes action{{"dest", pythonText(parameter.name)}};
        std::string option = parameter.name;
        std::ranges::replace(option, '_', '-');
        PythonValues names{pythonText("--" + option)};
        if (option != parameter.name)
            names.push_back(pythonText("--" + parameter.name));
        std::optional<PythonValue> byDefault;
        if (const auto found = function.defaults->find(parameter.name); found != function.defaults->end())
            byDefault = found->second;
        bool isArgument = !byDefault;
        if (const auto* told = byDefault ? objectOf(&*byDefault, defaultClass) : nullptr) {
            isArgument = told->attributes->at("$class").constant() == "Argument";
            if (const PythonValue& own = told->attributes->at("$option"); own.isText())
                names = {own};
            byDefault = told->attributes->at("$default");
            if (byDefault->is<PythonEllipsis>()) {
                byDefault.reset();
                action["required"] = pythonConstant(true);
            }
        }
        if (byDefault) {
            const bool isSwitch = byDefault->is<PythonConstant>() && byDefault->constant().is_boolean();
            action["default"] = *byDefault;
            action["type"] = typeOf(*byDefault);
            if (isSwitch)
                action["action"] = PythonLibraryName{"argparse.BooleanOptionalAction"};
            if (isArgument)
                action["nargs"] = pythonText("?");
        }
        action["option_strings"] = isArgument ? pythonList({}) : pythonList(std::move(names));
        actions.emplace_back(objectWith("argparse.Action", std::move(action)));
    }
    return actions;
}

/// The command of a function, with the options that stand between them.
PythonLibraryObject commandOf(const PythonApiCall& call, const PythonValue& value, bool readsParameters) {
    const auto* optioned = objectOf(&value, optionedClass);
    const PythonValue callback = optioned == nullptr ? value : optioned->attributes->at("$callback");
    const auto* function = callback.as<PythonFunction>();
    if (function == nullptr)
        call.refuse("python/unsupported", "only a function becomes a command here",
                    {"write the command as a function: @click.command() above def main(…):"});
    const PythonValue actions = optioned != nullptr ? optioned->attributes->at("$actions")
                                : readsParameters   ? pythonList(actionsOf(*function))
                                                    : pythonList({});
    std::string name = function->definition->text;
    std::ranges::replace(name, '_', '-');
    PythonValue hands;
    if (optioned != nullptr && optioned->attributes->contains("$hands"))
        hands = optioned->attributes->at("$hands");
    return objectWith(commandClass, {{"$callback", callback},
                                     {"$actions", actions},
                                     {"$hands", hands},
                                     {"$name", pythonText(name)},
                                     {commandParsers, pythonDictionary({})}});
}

void addTo(const PythonApiCall& call, const PythonLibraryObject& group, const PythonValue& command,
           const PythonValue* name) {
    if (!canHold(group.attributes->at(commandParsers).as<PythonDictionary>()->entries.get(), command))
        call.refuse("python/value", "a command cannot be one of its own commands, or lie this deep",
                    {"give each command a group of its own"});
    group.attributes->at(commandParsers)
        .as<PythonDictionary>()
        ->entries->emplace_back(name != nullptr && name->isText()
                                    ? *name
                                    : command.as<PythonLibraryObject>()->attributes->at("$name"),
                                command);
}

/// @click.command and @click.command(…), of a group too.
PythonValue commandDecorator(const PythonApiCall& call) {
    const bool isOfGroup = call.path.starts_with(commandClass) || call.path.starts_with(typerClass);
    const PythonValue group = isOfGroup ? call.arguments.list.at(0) : PythonValue();
    const std::size_t first = isOfGroup ? 1 : 0;
    const PythonValue* given = call.arguments.list.size() > first ? &call.arguments.list[first] : nullptr;
    const bool readsParameters = call.path.starts_with("typer");
    if (given != nullptr && (given->is<PythonFunction>() || objectOf(given, optionedClass) != nullptr)) {
        const PythonLibraryObject made = commandOf(call, *given, readsParameters);
        if (isOfGroup)
            addTo(call, *group.as<PythonLibraryObject>(), made, nullptr);
        return made;
    }
    const PythonValue* name = call.arguments.find("name", first);
    return objectWith(decoratorClass, {{"$group", group},
                                       {"$name", name == nullptr ? PythonValue() : *name},
                                       {"$reads", pythonConstant(readsParameters)}});
}

/// A decorator gets its function.
PythonValue decorate(const PythonApiCall& call) {
    const PythonLibraryObject& decorator = selfOf(call, decoratorClass);
    if (call.arguments.list.size() < 2)
        return call.arguments.list[0];
    const PythonValue& target = call.arguments.list[1];
    if (const auto actions = decorator.attributes->find("$actions"); actions != decorator.attributes->end()) {
        const auto* optioned = objectOf(&target, optionedClass);
        PythonValues all = actions->second.items();
        if (optioned == nullptr)
            return objectWith(optionedClass,
                              {{"$callback", target}, {"$actions", pythonList(std::move(all))}});
        const PythonValues& later = optioned->attributes->at("$actions").items();
        all.insert(all.end(), later.begin(), later.end());
        (*optioned->attributes)["$actions"] = pythonList(std::move(all));
        return target;
    }
    if (!decorator.attributes->contains("$group"))
        return target;
    const PythonLibraryObject made =
        commandOf(call, target, call.interpreter.isTrue(decorator.attributes->at("$reads"), call.place()));
    if (const auto* group = decorator.attributes->at("$group").as<PythonLibraryObject>())
        addTo(call, *group, made, &decorator.attributes->at("$name"));
    return made;
}

PythonValue addCommand(const PythonApiCall& call) {
    const PythonLibraryObject& group = selfOf(call, commandClass);
    if (objectOf(call.arguments.find("cmd", 1), commandClass) == nullptr)
        call.refuse("python/value", "add_command() lacks its command",
                    {"give it a function with @click.command()"});
    addTo(call, group, *call.arguments.find("cmd", 1), call.arguments.find("name", 2));
    return {};
}

/// The parser of a command and those of the commands below it.
PythonLibraryObject commandParser(const PythonLibraryObject& command) {
    PythonLibraryObject parser = objectWith(parserClass, {{parserActions, command.attributes->at("$actions")},
                                                          {parserDefaults, objectWith(namespaceClass, {})}});
    const auto& below = *command.attributes->at(commandParsers).as<PythonDictionary>()->entries;
    if (below.empty())
        return parser;
    std::vector<std::pair<PythonValue, PythonValue>> parsers;
    for (const auto& [name, inner] : below)
        parsers.emplace_back(name, commandParser(*inner.as<PythonLibraryObject>()));
    (*parser.attributes)[parserCommands] =
        objectWith("argparse.Subparsers", {{"dest", pythonText("$command")},
                                           {"required", pythonConstant(true)},
                                           {commandParsers, pythonDictionary(std::move(parsers))}});
    return parser;
}

/// Calls the function of a command, and then that of the command below it that was chosen.
PythonValue runCommand(const PythonApiCall& call, const PythonLibraryObject& command,
                       const CommandAttributes& values, const PythonValue& context) {
    PythonArguments arguments{{}, {}, call.place()};
    if (const PythonValue& hands = command.attributes->at("$hands"); hands.isText())
        arguments.list.push_back(hands.constant() == "pass_obj"
                                     ? context.as<PythonLibraryObject>()->attributes->at("obj")
                                     : context);
    for (const PythonValue& action : command.attributes->at("$actions").items()) {
        const std::string name =
            action.as<PythonLibraryObject>()->attributes->at("dest").constant().get<std::string>();
        if (arguments.keyword(name) == nullptr)
            arguments.keywords.emplace_back(name, values.at(name));
    }
    PythonValue result;
    if (!command.attributes->at("$callback").isNone())
        result = call.interpreter.call(command.attributes->at("$callback"), arguments);
    const auto chosen = values.find("$command");
    for (const auto& [name, below] : *command.attributes->at(commandParsers).as<PythonDictionary>()->entries)
        if (chosen != values.end() && areEqual(name, chosen->second))
            return runCommand(call, *below.as<PythonLibraryObject>(), values, context);
    return result;
}

PythonValue startCommand(const PythonApiCall& call, const PythonLibraryObject& command,
                         const std::vector<std::string>& words) {
    const PythonLibraryObject values = readCommandLine(call, commandParser(command), words);
    const PythonValue* own = call.arguments.keyword("obj");
    const PythonValue context =
        objectWith(contextClass, {{"obj", own == nullptr ? pythonDictionary({}) : *own},
                                  {"invoked_subcommand", values.attributes->contains("$command")
                                                             ? values.attributes->at("$command")
                                                             : PythonValue()}});
    return runCommand(call, command, *values.attributes, context);
}

PythonValue callCommand(const PythonApiCall& call) {
    return startCommand(call, selfOf(call, commandClass), commandLineWords(call, 1));
}

PythonValue ensureObject(const PythonApiCall& call) {
    return selfOf(call, contextClass).attributes->at("obj");
}

PythonValue makeChoice(const PythonApiCall& call) {
    const PythonValue* choices = call.arguments.find("choices", 0);
    return objectWith(choiceClass, {{"$choices", choices == nullptr ? pythonList({}) : *choices}});
}

PythonValue numberType(const PythonApiCall& call) {
    return PythonLibraryName{call.name() == "IntRange" ? "builtin.int" : "builtin.float"};
}

PythonValue textType(const PythonApiCall&) {
    return PythonLibraryName{"builtin.str"};
}

/// typer.Option(8, "--batch") as the default of a parameter.
PythonValue typerParameter(const PythonApiCall& call) {
    PythonValue option;
    for (const PythonValue& name : call.arguments.list)
        if (name.isText() && name.constant().get_ref<const std::string&>().starts_with("--"))
            option = name;
    const PythonValue* byDefault = call.arguments.find("default", 0);
    const bool isName = byDefault != nullptr && areEqual(*byDefault, option) && option.isText();
    return objectWith(
        defaultClass,
        {{"$class", pythonText(call.name())},
         {"$option", option},
         {"$default", byDefault == nullptr || isName ? PythonValue(PythonEllipsis{}) : *byDefault}});
}

PythonValue makeTyper(const PythonApiCall&) {
    return objectWith(typerClass, {{"$callback", PythonValue()},
                                   {"$actions", pythonList({})},
                                   {"$hands", PythonValue()},
                                   {"$name", pythonText("program")},
                                   {commandParsers, pythonDictionary({})}});
}

/// app.add_typer(models, name="models")
PythonValue addTyper(const PythonApiCall& call) {
    const PythonLibraryObject& typer = selfOf(call, typerClass);
    if (objectOf(call.arguments.find("typer_instance", 1), typerClass) == nullptr)
        call.refuse("python/value", "add_typer() lacks its application", {"give it another typer.Typer()"});
    addTo(call, typer, *call.arguments.find("typer_instance", 1), call.arguments.keyword("name"));
    return {};
}

/// An application with one command is that command.
PythonValue callTyper(const PythonApiCall& call) {
    const PythonLibraryObject& typer = selfOf(call, typerClass);
    const auto& commands = *typer.attributes->at(commandParsers).as<PythonDictionary>()->entries;
    return startCommand(call,
                        commands.size() == 1 ? *commands.front().second.as<PythonLibraryObject>() : typer,
                        commandLineWords(call, 1));
}

/// typer.run(main) and fire.Fire(main); of a dictionary, fire makes a command of each function.
PythonValue runFunction(const PythonApiCall& call) {
    const PythonValue* component = call.arguments.find("component", 0);
    if (component == nullptr)
        call.refuse("python/unsupported", "fire.Fire() offers everything in the program",
                    {"name the function that trains: fire.Fire(main)"});
    call.builder.asksForCommandLine = true;
    const auto* several = component->as<PythonDictionary>();
    if (several == nullptr)
        return startCommand(call, commandOf(call, *component, true), call.builder.commandLine);
    PythonValue all = makeTyper(call);
    for (const auto& [name, function] : *several->entries)
        addTo(call, *all.as<PythonLibraryObject>(), commandOf(call, function, true), &name);
    return startCommand(call, *all.as<PythonLibraryObject>(), call.builder.commandLine);
}

PythonApiName decoratorName(std::string pattern, PythonMeaning meaning) {
    PythonApiName row = readName(std::move(pattern), std::move(meaning));
    row.decorates = true;
    return row;
}

} // namespace

std::vector<PythonApiName> commandFunctions() {
    const std::string command(commandClass);
    const std::string typer(typerClass);
    return {
        decoratorName("click.command", commandDecorator),
        decoratorName("click.group", commandDecorator),
        decoratorName("click.option", optionDecorator),
        decoratorName("click.argument", optionDecorator),
        decoratorName("click.pass_context", handsContext),
        decoratorName("click.pass_obj", handsContext),
        decoratorName("click.*_option", sameFunction),
        decoratorName(command + ".command", commandDecorator),
        decoratorName(command + ".group", commandDecorator),
        decoratorName(typer + ".command", commandDecorator),
        readName(std::string(decoratorClass) + ".__call__", decorate),
        readName(command + ".__call__", callCommand),
        readName(command + ".main", callCommand),
        readName(command + ".add_command", addCommand),
        readName(std::string(contextClass) + ".ensure_object", ensureObject),
        readName(choiceClass, makeChoice),
        readName("click.IntRange", numberType),
        readName("click.FloatRange", numberType),
        readName("click.Path", textType),
        readName("click.File", textType),
        readName(typer, makeTyper),
        readName(typer + ".__call__", callTyper),
        readName("typer.Option", typerParameter),
        readName("typer.Argument", typerParameter),
        readName(typer + ".add_typer", addTyper),
        readName("typer.run", runFunction),
        readName("fire.Fire", runFunction),
        hostName("click.**"),
        hostName("typer.**"),
    };
}

} // namespace core
