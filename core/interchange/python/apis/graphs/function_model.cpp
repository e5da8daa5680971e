// Models that a function of the program computes.
#include "core/interchange/python/apis/graphs/function_model.h"

#include "core/interchange/python/apis/calls/loss_graph.h"
#include "core/interchange/python/apis/calls/model_elements.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/draft/layers.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace core {

void addTrainedModel(const PythonApiCall& call, const PythonTrainingStep* step, const PythonValues& outputs,
                     const PythonValues& elements, const PythonData& dataset, Json training) {
    PythonModel model;
    model.place = model.pipelinePlace = model.trainingPlace = call.place();
    model.name = call.builder.freshName("model");
    model.training = std::move(training);
    model.use = step == nullptr || step->optimizer.is_null() ? 2 : 3;
    model.countsReplicaSteps = true;
    if (step != nullptr) {
        takeTrainingStep(call.builder, model, *step, lossesOfStep(call, *step, elements));
    } else {
        for (const PythonValue& output : outputs)
            if (const auto* tensor = output.as<PythonTensor>())
                model.outputs.push_back(*tensor);
        if (model.outputs.empty())
            model.outputs = call.builder.enqueued;
    }
    if (model.outputs.empty())
        return; // it computes no model
    if (dataset.batchSize > 0)
        model.training["batch_size"] = dataset.batchSize;
    takeInputs(call, model, elements, call.builder.facts.draft.layersOf(model));
    for (const PythonTensor& input : model.inputs) // one whose batch is its second axis says so itself
        if (const Json shape = call.builder.layer(input.layer).config.value("batch_input_shape", Json());
            dataset.batchSize > 0 && shape.is_array() && !shape.empty() && shape[0].is_number_integer())
            model.training["batch_size"] = shape[0];
    call.builder.separateNames(model);
    call.builder.addModel(std::move(model));
}

PythonProgramFunction functionOf(const PythonApiCall& call, const PythonValue* value, const char* what) {
    auto function = value == nullptr ? std::nullopt : programFunction(*value);
    if (!function)
        call.refuse("python/value",
                    fmt::format("{}() takes {}, a function of the program", call.name(), what),
                    {"write it with def and give its name"});
    return std::move(*function);
}

namespace {

/// Arrays that a session feeds as inputs of a model; false: there is none among them.
bool makeFedInputs(const PythonApiCall& call, const PythonProgramFunction& function, PythonValues& values,
                   std::vector<std::int64_t>& placeholders) {
    bool isAny = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto* data = values[i].as<PythonData>();
        if (data == nullptr || data->placeholder == 0 || !data->shape.is_array() || data->shape.empty())
            continue;
        const Json shape = data->shape;
        placeholders.push_back(data->placeholder);
        values[i] = makeElement(call, i < function.open.size() ? function.open[i]->name : "input",
                                Json(shape.begin() + 1, shape.end()), shape[0], data);
        isAny = true;
    }
    return isAny;
}

} // namespace

bool compileGraph(const PythonApiCall& call, const PythonValue& function, PythonValues values) {
    const auto computes = programFunction(function);
    std::vector<std::int64_t> placeholders;
    if (!computes || !makeFedInputs(call, *computes, values, placeholders))
        return false;
    const std::size_t before = call.builder.facts.draft.models.size();
    call.builder.step.reset();
    PythonArguments passed{values, {}, call.place()};
    const PythonValue result = call.interpreter.call(function, passed);
    const std::optional<PythonTrainingStep> step = call.builder.step;
    PythonData dataset;
    for (const PythonValue& value : values)
        if (const auto* tensor = value.as<PythonTensor>(); tensor != nullptr && dataset.batchSize == 0) {
            const Json& batch = call.builder.layer(tensor->layer).config["batch_input_shape"][0];
            dataset.batchSize = batch.is_number_integer() ? batch.get<std::int64_t>() : 0;
        }
    addTrainedModel(call, step ? &*step : nullptr, outputsOf(result), values, dataset,
                    {{"steps_per_execution", 1}, {"steps_per_epoch", 1}});
    if (call.builder.facts.draft.models.size() == before)
        return false;
    call.builder.fedPlaceholders.push_back(
        {static_cast<std::int64_t>(before), std::move(placeholders), {}, call.place()});
    return true;
}

void compileDeviceCall(const PythonApiCall& call, const PythonValue& function) {
    const auto computes = programFunction(function);
    PythonValues& values = call.arguments.list;
    const auto* first = values.empty() ? nullptr : values.front().as<PythonData>();
    if (!computes || first == nullptr || first->element != nullptr || !first->shape.is_array() ||
        first->shape.empty())
        return;
    const Json shape = first->shape;
    PythonData samples;
    samples.batchSize = shape[0].is_number_integer() ? shape[0].get<std::int64_t>() : 0;
    values.front() = makeElement(call, computes->open.empty() ? "input" : computes->open.front()->name,
                                 Json(shape.begin() + 1, shape.end()), shape[0], first);
    const PythonValues given = values;
    call.builder.step.reset();
    const PythonValue result = call.interpreter.call(function, call.arguments);
    if (!call.builder.step)
        addTrainedModel(call, nullptr, outputsOf(result), given, samples, Json::object());
}

} // namespace core
