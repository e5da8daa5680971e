#include "core/interchange/python/apis/standard/program_flags.h"

#include "core/interchange/python/apis/standard/command_line.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace core {

namespace {

constexpr std::string_view flagsObject = "flags.FLAGS";
constexpr std::string_view holderClass = "flags.FlagHolder";
/// The attribute of a FlagHolder that names its flag.
constexpr const char* flagOfHolder = "name";

constexpr std::string_view multiplePrefix = "multi_";

/// What the command line says of a flag, each time: --batch=8, --batch 8, --noshuffle.
std::vector<std::string> saidOf(const PythonProgramBuilder& builder, const std::string& flag, bool isSwitch) {
    std::vector<std::string> said;
    const std::vector<std::string>& words = builder.commandLine;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string word = words[i].substr(std::min(words[i].find_first_not_of('-'), words[i].size()));
        if (word.size() == words[i].size())
            continue;
        if (word.starts_with(flag + "="))
            said.push_back(word.substr(flag.size() + 1));
        else if (word == flag)
            said.emplace_back(isSwitch ? "true" : i + 1 < words.size() ? words[i + 1] : "");
        else if (isSwitch && word == "no" + flag)
            said.emplace_back("false");
    }
    return said;
}

bool isSwitchKind(const std::string& kind) {
    return kind.starts_with("bool");
}

/// A member of an enumeration of the program by its name, in letters of either case.
PythonValue memberOf(const PythonApiCall& call, const PythonValue& enumeration, const std::string& name) {
    const auto* type = enumeration.as<PythonClassName>();
    if (type == nullptr || type->definition->kind != PythonClassKind::Enumeration)
        return PythonData();
    for (const std::string& member : type->definition->order)
        if (lowerCase(member) == lowerCase(name))
            if (const PythonValue* found = type->definition->attribute(member))
                return *found;
    call.refuse("python/arguments",
                fmt::format("{} has no member \"{}\"", quotedName(type->definition->name), quotedName(name)),
                {"name one that its class defines"});
}

/// The text of a flag as what DEFINE_integer, DEFINE_list, … say that it is.
PythonValue flagValue(const PythonApiCall& call, std::string kind, const PythonValue& enumeration,
                      const std::string& text) {
    if (kind.starts_with(multiplePrefix))
        kind = kind.substr(multiplePrefix.size());
    if (kind == "integer" || kind == "float") {
        PythonArguments word{{pythonText(text)}, {}, call.place()};
        return call.interpreter.call(PythonLibraryName{kind == "integer" ? "builtin.int" : "builtin.float"},
                                     word);
    }
    if (isSwitchKind(kind))
        return pythonConstant(text != "false" && text != "False" && text != "0");
    if (kind == "enum_class")
        return memberOf(call, enumeration, text);
    if (kind != "list" && kind != "spaceseplist")
        return pythonText(text);
    if (text.empty())
        return pythonList({});
    PythonArguments separator{{}, {}, call.place()};
    if (kind == "list")
        separator.list.push_back(pythonText(","));
    const PythonValue parts = call.interpreter.call(
        PythonMethod{std::make_shared<const PythonValue>(pythonText(text)), "split"}, separator);
    PythonValues stripped;
    for (const PythonValue& part : parts.items()) {
        PythonArguments none{{}, {}, call.place()};
        stripped.push_back(
            call.interpreter.call(PythonMethod{std::make_shared<const PythonValue>(part), "strip"}, none));
    }
    return pythonList(std::move(stripped));
}

/// What a flag is without a command line: texts are read as those of one, a single value of several is a
/// list.
PythonValue defaultOfFlag(const PythonApiCall& call, const std::string& kind, const PythonValue& enumeration,
                          const PythonValue& given) {
    if (given.isText() && !kind.starts_with(multiplePrefix))
        return flagValue(call, kind, enumeration, given.constant().get<std::string>());
    if (!kind.starts_with(multiplePrefix) || given.isNone() || given.is<PythonData>())
        return given;
    PythonValues values;
    for (const PythonValue& one : given.isText() || !given.is<PythonList>()
                                      ? PythonValues{given}
                                      : call.interpreter.iterate(given, call.place()))
        values.push_back(one.isText() ? flagValue(call, kind, enumeration, one.constant().get<std::string>())
                                      : one);
    return pythonList(std::move(values));
}

/// Takes what the command line says of a flag by one of its names.
void takeSaid(const PythonApiCall& call, PythonProgramBuilder::Flag& flag, const std::string& name) {
    const std::vector<std::string> said = saidOf(call.builder, name, isSwitchKind(flag.kind));
    if (said.empty())
        return;
    if (!flag.kind.starts_with(multiplePrefix)) {
        flag.value = flagValue(call, flag.kind, flag.enumeration, said.back());
        return;
    }
    PythonValues values;
    for (const std::string& one : said)
        values.push_back(flagValue(call, flag.kind, flag.enumeration, one));
    flag.value = pythonList(std::move(values));
}

/// The object that stands for the flag of that name.
PythonLibraryObject flagHolder(const PythonValue& name) {
    return {std::string(holderClass), std::make_shared<std::map<std::string, PythonValue>>(
                                          std::map<std::string, PythonValue>{{flagOfHolder, name}})};
}

/// flags.DEFINE_integer("batch", 8, "…") answers an object whose `value` is the flag's.
PythonValue defineFlag(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.find("name", 0);
    const PythonValue* byDefault = call.arguments.find("default", 1);
    call.builder.asksForCommandLine = true;
    if (name == nullptr || !name->isText())
        return PythonData();
    PythonProgramBuilder::Flag flag;
    flag.kind = call.name().substr(std::string_view("DEFINE_").size());
    if (flag.kind.ends_with("enum_class"))
        if (const PythonValue* enumeration = call.arguments.find("enum_class", 2))
            flag.enumeration = *enumeration;
    if (byDefault != nullptr)
        flag.byDefault = defaultOfFlag(call, flag.kind, flag.enumeration, *byDefault);
    flag.value = flag.byDefault;
    takeSaid(call, flag, name->constant().get<std::string>());
    call.builder.flags[name->constant().get<std::string>()] = std::move(flag);
    return flagHolder(*name);
}

/// A flag whose parser is not known: what it is, only a run knows.
PythonValue defineOther(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.find("name", call.name() == "DEFINE" ? 1 : 0);
    PythonData unknown;
    unknown.origin = call.path + "()";
    if (name != nullptr && name->isText())
        call.builder.flags[name->constant().get<std::string>()] = {unknown, unknown, "", {}};
    return unknown;
}

/// flags.DEFINE_alias("b", "batch"): the same flag by another name.
PythonValue defineAlias(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.find("name", 0);
    const PythonValue* original = call.arguments.find("original_name", 1);
    if (name == nullptr || original == nullptr || !name->isText() || !original->isText())
        return PythonData();
    const std::string alias = name->constant().get<std::string>();
    const auto flag = call.builder.flags.find(original->constant().get<std::string>());
    if (flag == call.builder.flags.end())
        call.refuse("python/name",
                    fmt::format("there is no flag \"{}\"",
                                quotedName(original->constant().get_ref<const std::string&>())),
                    {"define it before its alias"});
    call.builder.flagAliases[alias] = flag->first;
    takeSaid(call, flag->second, alias);
    return flagHolder(*original);
}

/// The name that a flag was defined by, of that name or an alias.
std::string flagNamed(const PythonProgramBuilder& builder, const std::string& name) {
    const auto alias = builder.flagAliases.find(name);
    return alias == builder.flagAliases.end() ? name : alias->second;
}

/// The flag of a name or an alias; null: there is none.
const PythonProgramBuilder::Flag* findFlag(const PythonProgramBuilder& builder, const std::string& name) {
    const auto flag = builder.flags.find(flagNamed(builder, name));
    return flag == builder.flags.end() ? nullptr : &flag->second;
}

/// The name of the flag that `FLAGS["name"]` or a FlagHolder stands for; nothing: `value` is neither.
std::optional<std::string> nameOfFlag(const PythonValue& value) {
    if (const auto* object = value.as<PythonLibraryObject>();
        object != nullptr && object->className == holderClass)
        return object->attributes->at(flagOfHolder).constant().get<std::string>();
    const auto* entry = value.as<PythonLibraryName>();
    const std::string parent =
        entry == nullptr ? std::string() : entry->path.substr(0, entry->path.rfind('.'));
    return parent.ends_with(flagsObject) ? std::optional(lastPart(entry->path)) : std::nullopt;
}

/// FLAGS.flag_values_dict().
PythonValue valuesOfFlags(const PythonApiCall& call) {
    PythonValue values = pythonDictionary({});
    for (const auto& [name, flag] : call.builder.flags)
        values.as<PythonDictionary>()->entries->emplace_back(pythonText(name), flag.value);
    return values;
}

/// FLAGS.get_flag_value(name, default).
PythonValue valueOfFlag(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.find("name", 0);
    const PythonValue* byDefault = call.arguments.find("default", 1);
    const auto* flag = name == nullptr || !name->isText()
                           ? nullptr
                           : findFlag(call.builder, name->constant().get<std::string>());
    return flag != nullptr ? flag->value : byDefault != nullptr ? *byDefault : PythonValue();
}

/// flags.set_default(holder, value) and FLAGS.set_default(name, value): what the command line says stays.
PythonValue setDefault(const PythonApiCall& call) {
    if (call.arguments.list.size() < 2)
        return {};
    const PythonValue& of = call.arguments.list[0];
    const auto name = of.isText() ? std::optional(of.constant().get<std::string>()) : nameOfFlag(of);
    const auto flag =
        name ? call.builder.flags.find(flagNamed(call.builder, *name)) : call.builder.flags.end();
    if (flag == call.builder.flags.end())
        return {};
    flag->second.byDefault =
        defaultOfFlag(call, flag->second.kind, flag->second.enumeration, call.arguments.list[1]);
    flag->second.value = flag->second.byDefault;
    takeSaid(call, flag->second, flag->first);
    return {};
}

/// app.run(main): nothing of the command line is left but the program.
PythonValue runMain(const PythonApiCall& call) {
    const PythonValue* main = call.arguments.given("main", 0);
    if (main == nullptr) // that of the program
        main = call.interpreter.bound("main");
    if (main == nullptr || !main->is<PythonFunction>())
        return {};
    for (const std::string& word : call.builder.commandLine) {
        const std::string flag = word.substr(0, word.find('='));
        const std::size_t begin = flag.find_first_not_of('-');
        const bool isFlag = begin == 1 || begin == 2;
        const std::string name = isFlag ? flag.substr(begin) : std::string();
        if (isFlag && findFlag(call.builder, name) == nullptr &&
            !(name.starts_with("no") && findFlag(call.builder, name.substr(2)) != nullptr))
            call.refuse("python/arguments",
                        fmt::format("the program does not take \"{}\" on its command line", quotedName(flag)),
                        {"leave it out, or name one of its flags"});
    }
    const PythonValue function = *main;
    PythonArguments line{{pythonList({argumentsOfProgram(call.builder).items().front()})}, {}, call.place()};
    return call.interpreter.call(function, line);
}

} // namespace

std::vector<PythonApiName> flagFunctions(const std::string& module) {
    std::vector<PythonApiName> names;
    for (const char* kind :
         {"integer", "float", "string", "bool", "boolean", "enum", "list", "spaceseplist", "enum_class",
          "multi_integer", "multi_float", "multi_string", "multi_enum", "multi_enum_class"})
        names.push_back(readName(module + ".DEFINE_" + kind, defineFlag));
    names.push_back(readName(module + ".DEFINE_alias", defineAlias));
    names.push_back(readName(module + ".DEFINE*", defineOther));
    names.push_back(readName(module + ".set_default", setDefault));
    names.push_back(readName(module + ".FLAGS.set_default", setDefault));
    names.push_back(readName(module + ".FLAGS.flag_values_dict", valuesOfFlags));
    names.push_back(readName(module + ".FLAGS.get_flag_value", valueOfFlag));
    return names;
}

std::optional<PythonValue> attributeOfFlags(const PythonProgramBuilder& builder, const PythonValue& owner,
                                            const std::string& name) {
    if (builder.flags.empty()) // every attribute of a program is asked for here
        return std::nullopt;
    if (const auto* module = owner.as<PythonLibraryName>();
        module != nullptr && module->path.ends_with(flagsObject)) {
        const auto* flag = findFlag(builder, name);
        return flag == nullptr ? std::nullopt : std::optional(flag->value);
    }
    const auto of = nameOfFlag(owner);
    const auto* flag = of ? findFlag(builder, *of) : nullptr;
    if (flag == nullptr)
        return std::nullopt;
    if (name == "value")
        return flag->value;
    if (name == "default")
        return flag->byDefault;
    if (name == "name")
        return pythonText(*of);
    return name == "present" ? std::optional(pythonConstant(!areEqual(flag->value, flag->byDefault)))
                             : std::nullopt;
}

bool setAttributeOfFlags(PythonProgramBuilder& builder, const PythonValue& owner, const std::string& name,
                         const PythonValue& value) {
    const auto* module = owner.as<PythonLibraryName>();
    const bool isOfAll = module != nullptr && module->path.ends_with(flagsObject);
    const auto of = isOfAll ? std::optional(name) : nameOfFlag(owner);
    if (!of || (!isOfAll && name != "value"))
        return false;
    builder.flags[flagNamed(builder, *of)].value = value;
    return true;
}

PythonApiName mainFunction(const std::string& name) {
    return readName(name, runMain);
}

} // namespace core
