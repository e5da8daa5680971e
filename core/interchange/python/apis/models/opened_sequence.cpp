#include "core/interchange/python/apis/models/opened_sequence.h"

#include "core/interchange/python/draft/layers.h"

namespace core {

std::optional<std::pair<PythonTensor, PythonTensor>> openSequence(PythonProgramBuilder& builder,
                                                                  std::int64_t model) {
    if (const auto known = builder.opened.find(model); known != builder.opened.end())
        return known->second;
    const PythonModel& draft = builder.model(model);
    if (!draft.isSequential || draft.layers.empty())
        return std::nullopt;
    const std::vector<std::int64_t> layers = draft.layers;
    const PythonPlace place = draft.place;
    const PythonLayer first = builder.layer(layers.front());
    const bool hasInput = first.className == "InputLayer";
    const Json shape = first.config.value("batch_input_shape", Json());
    if (!hasInput && !shape.is_array())
        return std::nullopt;
    PythonTensor input{layers.front(), 0, 0};
    if (!hasInput) {
        PythonArguments arguments{{},
                                  {{"shape", pythonConstant(Json(shape.begin() + 1, shape.end()))},
                                   {"batch_size", pythonConstant(shape[0])}},
                                  place};
        if (!builder.isUsed(first.name + "_input"))
            arguments.keywords.emplace_back("name", pythonText(first.name + "_input"));
        input = makeInput(builder, arguments);
    }
    PythonTensor last = input;
    for (const std::int64_t layer : layers) {
        if (builder.layer(layer).className == "InputLayer")
            continue;
        PythonArguments one{{last}, {}, place};
        const PythonValue answer = callLayer(builder, {layer}, one);
        if (!answer.is<PythonTensor>())
            return std::nullopt;
        last = *answer.as<PythonTensor>();
    }
    builder.opened[model] = {input, last};
    return std::pair(input, last);
}

} // namespace core
