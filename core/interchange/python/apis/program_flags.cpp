#include "core/interchange/python/apis/program_flags.h"

namespace core {

namespace {

/// flags.DEFINE_integer("batch", 8, "…").
PythonValue defineFlag(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.find("name", 0);
    const PythonValue* byDefault = call.arguments.find("default", 1);
    if (name != nullptr && name->isText())
        call.builder.flags[name->constant().get<std::string>()] =
            byDefault == nullptr ? PythonValue() : *byDefault;
    return PythonData();
}

/// app.run(main): the flags are those by default, and nothing is left of the line.
PythonValue runMain(const PythonApiCall& call) {
    const PythonValue* main = call.arguments.given("main", 0);
    if (main == nullptr) // that of the program
        main = call.interpreter.bound("main");
    if (main == nullptr || !main->is<PythonFunction>())
        return {};
    const PythonValue function = *main;
    PythonArguments line{{pythonList({pythonText("program.py")})}, {}, call.place()};
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
