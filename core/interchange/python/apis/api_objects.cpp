// Objects of the program's classes, as far as their classes come from libraries.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/api_library.h"
#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/models/model_objects.h"
#include "core/interchange/python/apis/optimizer_objects.h"
#include "core/interchange/python/apis/program_classes.h"
#include "core/interchange/python/draft/sample_computation.h"

#include <array>

namespace core {

namespace {

/// Where an object keeps the schedule that its class was given.
constexpr std::string_view scheduleOfCallback = "$schedule";

/// A callback that may set learning rates: it says what it does when an epoch begins, or has a schedule.
bool isRateCallback(const PythonClass& made) {
    return made.base.starts_with("keras.") && made.base.find("callbacks.") != std::string::npos &&
           (lastPart(made.base) == "LearningRateScheduler" || made.function("on_epoch_begin") != nullptr);
}

} // namespace

/// Models and optimizers of the program are what their Keras class is, as long as that is all they are told;
/// what they override is kept for the pipeline, which refuses it in its own words.
std::optional<PythonValue> PythonApiLibrary::construct(PythonInterpreter& interpreter,
                                                       const PythonClass& made, PythonArguments& arguments) {
    const PythonApiName* known = row(made.base);
    const bool isOfHost = known != nullptr && known->reading == PythonApiName::Reading::Host;
    const bool isPlain = made.base.empty() || isOfHost || made.base.starts_with("builtin.") ||
                         made.base.starts_with("argparse.") || isModuleBase(made.base) ||
                         made.base.ends_with("SessionRunHook") || isLossBase(made.base) ||
                         isScheduleBase(made.base);
    if (made.base.starts_with("keras.") && made.base.find("metrics.") != std::string::npos)
        return samplesFrom(made.name); // what it measures is not part of a run
    if (lastPart(made.base) == "LearningRateScheduler" && made.function("__init__") == nullptr)
        return makeCallback({m_builder, interpreter, made.base, arguments}, "LearningRateScheduler");
    const bool isWhole = arguments.find("inputs", 0) != nullptr && arguments.find("outputs", 1) != nullptr;
    const bool isComputed = isModelBase(made.base) &&
                            (made.function("__init__") != nullptr || made.function("train_step") != nullptr ||
                             (lastPart(made.base) != "Sequential" && !isWhole));
    if (isPlain || isComputed || isOptimizerBase(made.base) || isRateCallback(made) ||
        (isLayerBase(made.base) && !isWrittenLayer(made)))
        return std::nullopt;
    return constructKerasClass({m_builder, interpreter, made.base, arguments}, made);
}

std::optional<PythonClassKind> PythonApiLibrary::classKind(const std::string& path) const {
    constexpr std::array<std::pair<std::string_view, PythonClassKind>, 5> kinds{
        {{"dataclasses.dataclass", PythonClassKind::Record},
         {"typing.NamedTuple", PythonClassKind::NamedTuple},
         {"enum.Enum", PythonClassKind::Enumeration},
         {"enum.IntEnum", PythonClassKind::Enumeration},
         {"enum.StrEnum", PythonClassKind::Enumeration}}};
    for (const auto& [known, kind] : kinds)
        if (known == path)
            return kind;
    return std::nullopt;
}

void PythonApiLibrary::begin(const PythonInstance& object, PythonPlace place) {
    beginModelObject(m_builder, object, place);
}

std::optional<PythonValue> PythonApiLibrary::finish(PythonInterpreter& interpreter,
                                                    const PythonInstance& object, PythonPlace place) {
    if (const auto schedule = object.attributes->find(std::string(scheduleOfCallback));
        schedule != object.attributes->end())
        return PythonLibraryObject{pythonRateScheduler,
                                   std::make_shared<std::map<std::string, PythonValue>>(
                                       std::map<std::string, PythonValue>{{"schedule", schedule->second}})};
    if (!isOptimizerBase(object.definition->base))
        return std::nullopt;
    return finishOptimizer(m_builder, interpreter, object, place);
}

std::optional<PythonValue> PythonApiLibrary::callObject(PythonInterpreter& interpreter,
                                                        const PythonInstance& object,
                                                        PythonArguments& arguments) {
    return callModelObject({m_builder, interpreter, object.definition->base, arguments}, object);
}

std::optional<PythonValue> PythonApiLibrary::callInherited(PythonInterpreter& interpreter,
                                                           const PythonInstance& object,
                                                           const std::string& name,
                                                           PythonArguments& arguments) {
    if (isRateCallback(*object.definition)) {
        const PythonValue* schedule = arguments.find("schedule", 0);
        if (name == "__init__" && schedule != nullptr)
            (*object.attributes)[std::string(scheduleOfCallback)] = *schedule;
        return PythonData();
    }
    if (name == "__init__" && isOptimizerBase(object.definition->base)) {
        beginOptimizer({m_builder, interpreter, name, arguments}, object);
        return PythonValue();
    }
    if (isOptimizerBase(object.definition->base))
        if (auto answer = askedRule(m_builder, name, arguments))
            return answer;
    if (auto answer = callInheritedFunction({m_builder, interpreter, name, arguments}, object))
        return answer;
    const PythonApiName* known = row(object.definition->base);
    if (known != nullptr && known->reading == PythonApiName::Reading::Host)
        return PythonData(); // what a class of the standard library does is about the host
    return std::nullopt;
}

} // namespace core
