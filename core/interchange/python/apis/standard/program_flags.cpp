#include "core/interchange/python/apis/standard/program_flags.h"

#include "core/interchange/python/apis/standard/command_line.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace core {

namespace {

/// What the command line says of a flag: --batch=8, --batch 8, --noshuffle; nothing: it does not name it.
std::optional<std::string> saidOf(const PythonProgramBuilder& builder, const std::string& flag,
                                  bool isSwitch) {
    std::optional<std::string> said;
    const std::vector<std::string>& words = builder.commandLine;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string word = words[i].substr(std::min(words[i].find_first_not_of('-'), words[i].size()));
        if (word.size() == words[i].size())
            continue;
        if (word.starts_with(flag + "="))
            said = word.substr(flag.size() + 1);
        else if (word == flag)
            said = isSwitch ? "true" : i + 1 < words.size() ? words[i + 1] : "";
        else if (isSwitch && word == "no" + flag)
            said = "false";
    }
    return said;
}

/// A flag's text as what DEFINE_integer, DEFINE_list, … say that it is.
PythonValue flagValue(const PythonApiCall& call, const std::string& text) {
    const std::string kind = call.name().substr(std::string_view("DEFINE_").size());
    if (kind == "integer" || kind == "float") {
        PythonArguments word{{pythonText(text)}, {}, call.place()};
        return call.interpreter.call(PythonLibraryName{kind == "integer" ? "builtin.int" : "builtin.float"},
                                     word);
    }
    if (kind == "bool" || kind == "boolean")
        return pythonConstant(text != "false" && text != "False" && text != "0");
    if (kind != "list")
        return pythonText(text);
    PythonArguments comma{{pythonText(",")}, {}, call.place()};
    return call.interpreter.call(PythonMethod{std::make_shared<const PythonValue>(pythonText(text)), "split"},
                                 comma);
}

/// flags.DEFINE_integer("batch", 8, "…").
PythonValue defineFlag(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.find("name", 0);
    const PythonValue* byDefault = call.arguments.find("default", 1);
    call.builder.asksForCommandLine = true;
    if (name == nullptr || !name->isText())
        return PythonData();
    const std::string flag = name->constant().get<std::string>();
    const auto said = saidOf(call.builder, flag, call.name().starts_with("DEFINE_bool"));
    call.builder.flags[flag] = said                   ? flagValue(call, *said)
                               : byDefault == nullptr ? PythonValue()
                                                      : *byDefault;
    return PythonData();
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
        if (isFlag && !call.builder.flags.contains(name) &&
            !(name.starts_with("no") && call.builder.flags.contains(name.substr(2))))
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
    for (const char* kind : {"integer", "float", "string", "bool", "boolean", "enum", "list"})
        names.push_back(readName(module + ".DEFINE_" + kind, defineFlag));
    return names;
}

PythonApiName mainFunction(const std::string& name) {
    return readName(name, runMain);
}

} // namespace core
