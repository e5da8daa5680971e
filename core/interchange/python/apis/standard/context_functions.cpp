// Scopes that programs enter by contextlib.
#include "core/interchange/python/apis/standard/context_functions.h"

#include <string>

namespace core {

namespace {

constexpr const char* stackClass = "contextlib.ExitStack";
/// How many scopes were open where a stack was made.
constexpr const char* openBefore = "$open";

const PythonLibraryObject& stackOf(const PythonApiCall& call) {
    const auto* stack =
        call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonLibraryObject>();
    if (stack == nullptr || stack->className != stackClass)
        call.refuse("python/value", "this is a function of an ExitStack",
                    {"make one: with contextlib.ExitStack() as stack:"});
    return *stack;
}

PythonValue makeStack(const PythonApiCall& call) {
    auto attributes = std::make_shared<std::map<std::string, PythonValue>>();
    (*attributes)[std::string(pythonEnterFunction)] = PythonValue();
    (*attributes)[openBefore] = pythonConstant(static_cast<std::int64_t>(call.interpreter.openContexts()));
    return PythonLibraryObject{stackClass, std::move(attributes)};
}

PythonValue enterContext(const PythonApiCall& call) {
    static_cast<void>(stackOf(call));
    const PythonValue* context = call.arguments.find("cm", 1);
    if (context == nullptr)
        call.refuse("python/value", "enter_context() lacks what it enters",
                    {"write stack.enter_context(ipu.keras.PipelineStage(0))"});
    return call.interpreter.enterContext(*context, call.place());
}

PythonValue closeStack(const PythonApiCall& call) {
    const PythonLibraryObject& stack = stackOf(call);
    call.interpreter.leaveContexts(stack.attributes->at(openBefore).constant().get<std::size_t>());
    return {};
}

/// contextlib.suppress(KeyError, …).
PythonValue suppressed(const PythonApiCall& call) {
    auto attributes = std::make_shared<std::map<std::string, PythonValue>>();
    (*attributes)[std::string(pythonEnterFunction)] = PythonValue();
    (*attributes)["errors"] = pythonList(call.arguments.list);
    return PythonLibraryObject{std::string(pythonSuppress), std::move(attributes)};
}

PythonValue givenContext(const PythonApiCall& call) {
    const PythonValue* context = call.arguments.find("enter_result", 0);
    return context == nullptr ? PythonValue(PythonData()) : pythonIterator({*context});
}

} // namespace

std::vector<PythonApiName> contextFunctions() {
    const std::string stack(stackClass);
    return {readName(stack, makeStack),
            readName(stack + ".enter_context", enterContext),
            readName(stack + ".close", closeStack),
            hostName(stack + ".*"),
            readName("contextlib.nullcontext", givenContext),
            readName(std::string(pythonSuppress), suppressed)};
}

} // namespace core
