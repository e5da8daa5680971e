// Inputs of models for what a function of the program is handed.
#include "core/interchange/python/apis/calls/model_elements.h"

#include "core/interchange/python/draft/layers.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace core {

PythonValue makeElement(const PythonApiCall& call, const std::string& name, Json shape, Json batch,
                        const PythonData* samples) {
    PythonArguments arguments{{}, {}, call.place()};
    arguments.keywords.emplace_back("shape", pythonConstant(std::move(shape)));
    arguments.keywords.emplace_back("batch_size", pythonConstant(std::move(batch)));
    if (!call.builder.isUsed(name))
        arguments.keywords.emplace_back("name", pythonText(name));
    if (samples != nullptr && (samples->areHalves || samples->areWhole))
        arguments.keywords.emplace_back("dtype", pythonText(samples->areHalves          ? "float16"
                                                            : samples->byteType.empty() ? "int32"
                                                                                        : samples->byteType));
    return makeInput(call.builder, arguments);
}

namespace {

/// What samples are beside their number; one extent that is not known where nobody says it.
Json extentsOf(const PythonData* samples) {
    const bool isKnown = samples != nullptr && samples->shape.is_array() && !samples->shape.empty();
    return isKnown ? Json(samples->shape.begin() + 1, samples->shape.end()) : Json::array({nullptr});
}

Json batchOf(const PythonData& dataset) {
    return dataset.batchSize > 0 ? Json(dataset.batchSize) : Json();
}

/// An input of the model for a part of what a dataset answers; null: it is not known which. Samples that say
/// how many they are come before the dataset.
PythonValue elementOf(const PythonApiCall& call, const std::string& name, const PythonData* samples,
                      const PythonData& dataset) {
    const bool saysBatch = samples != nullptr && samples->shape.is_array() && !samples->shape.empty() &&
                           samples->shape[0].is_number_integer();
    return makeElement(call, name, extentsOf(samples), saysBatch ? samples->shape[0] : batchOf(dataset),
                       samples);
}

} // namespace

/// A dictionary of inputs of the model for them; they are added to `elements`.
PythonValue namedElements(const PythonApiCall& call, const PythonDictionary& parts, const PythonData& dataset,
                          PythonValues& elements) {
    std::vector<std::pair<PythonValue, PythonValue>> named;
    for (const auto& [key, value] : *parts.entries) {
        const auto* samples = value.as<PythonData>();
        elements.push_back(makeElement(call, key.isText() ? key.constant().get<std::string>() : "input",
                                       extentsOf(samples), batchOf(dataset), samples));
        named.emplace_back(key, elements.back());
    }
    return pythonDictionary(std::move(named));
}

namespace {

/// What a dataset of dictionaries answers under a name; null: it has no such part.
const PythonValue* partNamed(const PythonDictionary& parts, const std::string& name) {
    for (const auto& [key, value] : *parts.entries)
        if (key.isText() && key.constant() == name)
            return &value;
    return nullptr;
}

/// Inputs of the model for a part of what a dataset answers that is a tuple or a dictionary itself.
PythonValue nestedElements(const PythonApiCall& call, const std::string& name, const PythonValue& part,
                           const PythonData& dataset) {
    if (const auto* parts = part.as<PythonDictionary>()) {
        std::vector<std::pair<PythonValue, PythonValue>> named;
        for (const auto& [key, value] : *parts->entries)
            named.emplace_back(key,
                               nestedElements(call, key.isText() ? key.constant().get<std::string>() : name,
                                              value, dataset));
        return pythonDictionary(std::move(named));
    }
    if (const auto* list = part.as<PythonList>()) {
        PythonValues items;
        for (const PythonValue& item : *list->items)
            items.push_back(nestedElements(call, name, item, dataset));
        return pythonList(std::move(items), true);
    }
    return elementOf(call, name, part.as<PythonData>(), dataset);
}

/// A body or a first stage has a parameter for each part of what the infeed answers, behind what it is given
/// otherwise. Source: "Note how the body signature contains variables which correspond to the nested
/// structure".
void checkSignature(const PythonApiCall& call, const PythonProgramFunction& function, std::size_t first,
                    const PythonValue& element) {
    const auto* named = element.as<PythonDictionary>();
    if (function.takesAnyNumber() || function.open.size() < first)
        return;
    for (std::size_t i = first; named != nullptr && i < function.open.size(); ++i)
        if (const PythonParameter& parameter = *function.open[i];
            parameter.kind == PythonParameter::Kind::Any && !parameter.hasDefault &&
            partNamed(*named, parameter.name) == nullptr)
            call.builder.refuse(
                function.definition->place, "value-error/infeed-values",
                fmt::format("{}() takes \"{}\", and the infeed has no part of that name",
                            function.definition->text.empty() ? "the function" : function.definition->text,
                            quotedName(parameter.name)),
                {"name the parameters as the entries of the dictionaries that the dataset answers"});
    if (named != nullptr)
        return;
    const std::size_t parts = element.is<PythonList>() ? element.items().size() : 1;
    const auto required = static_cast<std::size_t>(
        std::count_if(function.open.begin() + static_cast<std::ptrdiff_t>(first), function.open.end(),
                      [](const PythonParameter* parameter) { return !parameter->hasDefault; }));
    const std::size_t most = function.open.size() - first;
    if (required <= parts && parts <= most)
        return;
    call.builder.refuse(
        function.definition->place, "value-error/infeed-values",
        fmt::format("{}() takes {} {} from the infeed, which has {}",
                    function.definition->text.empty() ? "the function" : function.definition->text, required,
                    required == 1 ? "value" : "values", parts),
        {"give it a parameter for each part of what the dataset answers",
         "give what it takes before those as inputs of the loop or pipeline"});
}

} // namespace

PythonValues makeElements(const PythonApiCall& call, const PythonProgramFunction& function, std::size_t first,
                          const PythonData& dataset) {
    const PythonValue element = dataset.element == nullptr ? PythonValue() : *dataset.element;
    PythonValues parts{element};
    if (element.is<PythonList>())
        parts = element.items();
    PythonValues values;
    const auto& parameters = function.open;
    const bool takesAny = function.takesAnyNumber();
    if (dataset.element != nullptr)
        checkSignature(call, function, first, element);
    const std::size_t last = takesAny ? first + parts.size() : parameters.size();
    // What has a default is fed where the dataset answers it.
    const auto isFed = [&](std::size_t i) {
        return takesAny || !parameters[i]->hasDefault ||
               (element.is<PythonList>() && i - first < parts.size());
    };
    for (std::size_t i = first; i < last && isFed(i); ++i) {
        const std::string name = i < parameters.size() && parameters[i]->kind == PythonParameter::Kind::Any
                                     ? parameters[i]->name
                                     : "input";
        const auto* named = element.as<PythonDictionary>();
        const PythonValue* part = named == nullptr && i - first < parts.size() ? &parts[i - first] : nullptr;
        if (part != nullptr && (part->is<PythonDictionary>() || !part->items().empty())) {
            values.push_back(nestedElements(call, name, *part, dataset));
            continue;
        }
        if (named != nullptr)
            part = partNamed(*named, name);
        values.push_back(elementOf(call, name, part == nullptr ? nullptr : part->as<PythonData>(), dataset));
    }
    return values;
}

PythonArguments makeArguments(const PythonApiCall& call, const PythonProgramFunction& function,
                              PythonValues first, const PythonData& dataset) {
    const auto* named = dataset.element == nullptr ? nullptr : dataset.element->as<PythonDictionary>();
    const bool takesNames = std::ranges::any_of(function.open, [](const PythonParameter* parameter) {
        return parameter->kind == PythonParameter::Kind::Keywords;
    });
    PythonArguments made{std::move(first), {}, call.place()};
    if (named == nullptr || !takesNames) {
        const PythonValues elements = makeElements(call, function, made.list.size(), dataset);
        made.list.insert(made.list.end(), elements.begin(), elements.end());
        return made;
    }
    PythonValues elements;
    const PythonValue parts = namedElements(call, *named, dataset, elements);
    for (const auto& [key, value] : *parts.as<PythonDictionary>()->entries)
        if (key.isText())
            made.keywords.emplace_back(key.constant().get<std::string>(), value);
    return made;
}

std::vector<PythonTensor> tensorsOfElements(const PythonValues& elements) {
    std::vector<PythonTensor> tensors;
    const auto collect = [&](const PythonValues& values) {
        const std::vector<PythonTensor> within = tensorsOfElements(values);
        tensors.insert(tensors.end(), within.begin(), within.end());
    };
    for (const PythonValue& element : elements) {
        if (const auto* tensor = element.as<PythonTensor>())
            tensors.push_back(*tensor);
        collect(element.items());
        if (const auto* parts = element.as<PythonDictionary>())
            for (const auto& entry : *parts->entries)
                collect({entry.second});
    }
    return tensors;
}

void takeInputs(const PythonApiCall& call, PythonModel& model, const PythonValues& elements,
                const std::vector<std::int64_t>& used) {
    for (const PythonTensor& tensor : tensorsOfElements(elements)) {
        if (std::ranges::find(used, tensor.layer) == used.end())
            continue;
        model.inputs.push_back(tensor);
        PythonLayer& layer = call.builder.layer(tensor.layer);
        const Json& shape = layer.config["batch_input_shape"];
        if (std::ranges::any_of(shape.begin() + 1, shape.end(),
                                [](const Json& one) { return one.is_null(); }))
            call.builder.warn(layer.place, "python/shape",
                              fmt::format("the program does not say what shape \"{}\" has", layer.name),
                              {fmt::format("set the shape of the layer {} in the project", layer.name)});
    }
}

} // namespace core
