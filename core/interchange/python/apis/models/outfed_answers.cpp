#include "core/interchange/python/apis/models/outfed_answers.h"

#include "core/interchange/python/apis/calls/loss_computation.h"
#include "core/interchange/python/apis/models/opened_sequence.h"
#include "core/interchange/python/draft/sample_computation.h"

#include <algorithm>
#include <map>
#include <set>

namespace core {

namespace {

using Handed = PythonProgramBuilder::Handed;

void collectComputed(const PythonValue& value, PythonPlace place, std::vector<Handed>& computed) {
    if (const auto* data = value.as<PythonData>();
        data != nullptr && data->computed != nullptr && data->model >= 0)
        computed.push_back({value, place});
    for (const PythonValue& item : value.items())
        collectComputed(item, place, computed);
    if (const auto* entries = value.as<PythonDictionary>())
        for (const auto& entry : *entries->entries)
            collectComputed(entry.second, place, computed);
}

/// Whether a value is computed by a computation at one of these places.
bool isComputedBy(const PythonValue& value, const std::vector<Handed>& known) {
    const auto* data = value.as<PythonData>();
    if (data == nullptr || data->computed == nullptr)
        return std::ranges::any_of(value.items(),
                                   [&](const auto& item) { return isComputedBy(item, known); });
    if (std::ranges::find(known, data->computed->arguments.place, &Handed::place) != known.end())
        return true;
    const auto by = [&](const PythonValue& operand) { return isComputedBy(operand, known); };
    return std::ranges::any_of(data->computed->arguments.list, by) ||
           std::ranges::any_of(data->computed->arguments.keywords,
                               [&](const auto& entry) { return by(entry.second); });
}

/// The model answers what was computed of its answers; false: that cannot be made of tensors.
bool answer(PythonInterpreter& interpreter, PythonProgramBuilder& builder, std::int64_t model,
            const std::vector<Handed>& values) {
    const auto opened = builder.model(model).inputs.empty() ? openSequence(builder, model) : std::nullopt;
    const std::vector<PythonTensor> answers =
        opened ? std::vector<PythonTensor>{opened->second} : builder.model(model).outputs;
    PythonValues wanted; // at once: what several of them are computed of is one layer
    for (const Handed& handed : values)
        wanted.push_back(handed.values);
    std::vector<PythonTensor> outputs;
    const auto refusal = interpreter.attempt([&] {
        PythonArguments none{{}, {}, values.front().place};
        const std::string path = "enqueue";
        const PythonValue made = computedOfAnswers({builder, interpreter, path, none},
                                                   pythonList(std::move(wanted)), answers, model);
        for (const PythonValue& output : made.items())
            if (const auto* tensor = output.as<PythonTensor>())
                outputs.push_back(*tensor);
    });
    if (answers.empty() || refusal || outputs.size() != values.size())
        return false;
    PythonModel& made = builder.model(model);
    if (opened) {
        made.isSequential = false;
        made.layers.clear();
        made.inputs = {opened->first};
    }
    made.outputs = std::move(outputs);
    return true;
}

} // namespace

void answerWhatIsOutfed(PythonInterpreter& interpreter, PythonProgramBuilder& builder) {
    const std::vector<Handed> measured = builder.measuredAnswers;
    std::map<std::int64_t, std::vector<Handed>> byModel;
    std::vector<Handed> computed;
    for (const Handed& handed : builder.handedOn)
        collectComputed(handed.values, handed.place, computed);
    for (const Handed& one : computed)
        byModel[one.values.as<PythonData>()->model].push_back(one);
    std::set<std::int64_t> answering;
    for (const auto& [model, values] : byModel) {
        const bool isTrained = builder.model(model).isTrained() ||
                               builder.model(model).training.contains("optimizer") ||
                               builder.tally.steps().contains(model);
        const bool isMeasured = std::ranges::any_of(
            values, [&](const Handed& one) { return isComputedBy(one.values, measured); });
        if (!isTrained && isMeasured && answer(interpreter, builder, model, values))
            answering.insert(model);
    }
    for (const Handed& one : measured) {
        const auto* data = one.values.as<PythonData>();
        if (data != nullptr && answering.contains(data->model))
            continue;
        builder.warn(one.place, "python/ignored",
                     "this statistic of what a model answers is left out: a loop of the program computes it, "
                     "and a project has no such output",
                     {"compute it of a tensor within the model, and make it an output of the model",
                      "hand it to an outfeed in a loop that trains nothing"});
    }
}

} // namespace core
