// The names of pipelines of stage functions: pipelining_ops, its queues, and what compiles them.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/graphs/function_model.h"
#include "core/interchange/python/apis/graphs/pipeline_call.h"

#include "core/interchange/python/apis/data/dataset_functions.h"
#include "core/interchange/python/apis/data/fed_samples.h"
#include "core/interchange/python/apis/older/graph_collections.h"
#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

PythonValue stageOptions(const PythonApiCall& call) {
    PythonConfigured options{Json::object(), ""};
    constexpr std::array<const char*, 3> names{"convolution_options", "matmul_options", "slice_options"};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const PythonValue* given = call.arguments.given(names[i], i))
            options.json[names[i]] = call.builder.json(*given, call.place());
    return options;
}

/// What both queues are told. Their names have no meaning here; editions differ in what follows the
/// `positions` first arguments.
PythonQueue queue(const PythonApiCall& call, std::size_t positions) {
    PythonQueue made;
    for (const auto& [name, value] : call.arguments.keywords) {
        if ((name == "prefetch_depth" || name == "buffer_depth") && !value.isNone())
            made.options[name] = call.builder.json(value, call.place());
        else if (name != "dataset" && name != "feed_name" && name != "outfeed_mode" && !value.isNone())
            call.warn("python/ignored",
                      fmt::format("\"{}\" of {} is left out", quotedName(name), call.name()),
                      {"remove it: the project has no such option"});
    }
    if (call.arguments.list.size() > positions)
        call.refuse("python/unsupported", fmt::format("name the further arguments of {}", call.name()),
                    {"write name=value: editions differ in their order"});
    return made;
}

PythonValue infeedQueue(const PythonApiCall& call) {
    PythonQueue made = queue(call, 2);
    const PythonValue* dataset = call.arguments.find("dataset", 0);
    const auto* data = dataset == nullptr ? nullptr : dataset->as<PythonData>();
    if (data == nullptr)
        call.refuse("python/value", "IPUInfeedQueue() takes a dataset first",
                    {"write IPUInfeedQueue(dataset)"});
    const PythonData* first = data->element == nullptr ? nullptr : firstSamples(*data->element);
    if (first != nullptr && first->batchSize > 0 && first->shape.is_array() && !first->shape.empty() &&
        first->shape[0].is_null())
        call.refuse("value-error/infeed-shape",
                    "the last batch of this dataset may be smaller, and an infeed takes batches of one size",
                    {"write batch(size, drop_remainder=True)"});
    if (data->hasOpenBatch)
        refuseOpenBatch(call);
    made.dataset = *data;
    feedLoop(call.builder, *data, call.place());
    return made;
}

PythonValue outfeedQueue(const PythonApiCall& call) {
    PythonQueue made = queue(call, 1);
    made.isInfeed = false;
    if (const PythonValue* mode = call.arguments.keyword("outfeed_mode"); mode != nullptr && !mode->isNone())
        made.keepsLastOnly = call.builder.json(*mode, call.place()) == "LAST";
    return made;
}

/// What a dictionary of the program has under that name, alone; null: it is none, or has more.
const PythonValue* entryOf(const PythonValue& value, const char* name) {
    const auto* entries = value.as<PythonDictionary>();
    return entries != nullptr && entries->entries->size() == 1 &&
                   entries->entries->front().first.constant() == name
               ? &entries->entries->front().second
               : nullptr;
}

PythonValue optimizerFunctionOutput(const PythonApiCall& call) {
    const PythonValue* optimizer = call.arguments.find("opt", 0);
    const PythonValue* loss = call.arguments.find("loss", 1);
    const auto* object = optimizer == nullptr ? nullptr : optimizer->as<PythonConfigured>();
    if (object == nullptr || loss == nullptr)
        call.refuse("python/value", "OptimizerFunctionOutput() takes an optimizer and a loss",
                    {"write OptimizerFunctionOutput(optimizer, loss)"});
    if (object->path.starts_with("keras.") && object->model < 0)
        call.refuse(
            "value-error/optimizer",
            fmt::format("OptimizerFunctionOutput() takes an optimizer of tf.train, and {} is one of Keras",
                        object->json.value("class_name", std::string("this"))),
            {"use tf.train.GradientDescentOptimizer, MomentumOptimizer, AdamOptimizer or the like"});
    constexpr std::size_t read = 2;
    const auto told = [&](const char* name, std::size_t position) -> const PythonValue* {
        const PythonValue* value = call.arguments.given(name, position);
        const auto* named = value == nullptr ? nullptr : value->as<PythonDictionary>();
        const bool isEmpty = value == nullptr || (named != nullptr && named->entries->empty()) ||
                             (value->is<PythonList>() && value->items().empty());
        return isEmpty ? nullptr : value;
    };
    const PythonValue* computing = told("compute_gradients_kwargs", read);
    const PythonValue* variables = computing == nullptr ? nullptr : entryOf(*computing, "var_list");
    const bool tellsMore =
        (computing != nullptr && variables == nullptr) || told("apply_gradients_kwargs", read + 1) != nullptr;
    if (tellsMore)
        call.warn("python/ignored", "the arguments for computing and applying gradients are left out",
                  {"remove them: the project computes and applies gradients as its optimizer says"});
    const auto left =
        variables == nullptr ? std::nullopt : layersLeft(call.builder, call.place(), *variables);
    return trainingStep(call, object->json, summedTarget(call, *loss),
                        left.value_or(std::vector<std::int64_t>()));
}

PythonValue compileComputation(const PythonApiCall& call) {
    const std::size_t before = call.builder.facts.draft.models.size();
    PythonValue answer;
    const auto outer = std::exchange(call.builder.compiledPipelines, 0);
    const auto refusal =
        call.interpreter.attempt([&] { answer = callWithList(call, "computation", "inputs"); });
    call.builder.compiledPipelines = outer;
    const auto& models = call.builder.facts.draft.models;
    const PythonValue* function = call.arguments.find("computation", 0);
    const PythonValue* inputs = call.arguments.find("inputs", 1);
    // What a session feeds says its extents: the function may ask for them.
    if (refusal && (inputs == nullptr || function == nullptr || models.size() != before ||
                    !compileGraph(call, *function, inputs->items())))
        throw PythonRefusal(*refusal);
    if (refusal)
        answer = PythonData();
    if (!refusal && inputs != nullptr && function != nullptr && models.size() == before)
        compileGraph(call, *function, inputs->items());
    const bool isTensor = answer.is<PythonTensor>() || !answer.items().empty(); // tells its model itself
    if (models.size() == before || models.back().training.empty() || (!models.back().isTrained() && isTensor))
        return answer;
    PythonData compiled;
    compiled.compiled = static_cast<std::int64_t>(models.size()) - 1;
    return compiled;
}

} // namespace

const PythonApiTable& pipeliningApi() {
    static const PythonApiTable api{
        {},
        {"tensorflow.python.ipu.pipelining_ops", "tensorflow.python.ipu.ipu_infeed_queue",
         "tensorflow.python.ipu.ipu_outfeed_queue", "tensorflow.python.ipu.ipu_compiler"},
        [] {
            std::vector<PythonApiName> names{
                readName("ipu.**.IPUInfeedQueue", infeedQueue),
                readName("ipu.**.IPUOutfeedQueue", outfeedQueue),
                readName("ipu.**.*pipelining_ops*.**.pipeline", callPipeline),
                readName("ipu.**.OptimizerFunctionOutput", optimizerFunctionOutput),
                readName("ipu.**.PipelineStageOptions", stageOptions),
                readName("ipu.**.*ipu_compiler*.**.compile", compileComputation),
                refusedName("ipu.**.*ipu_compiler*.**", "is not read", "a model and its fit() are")};
            names.front().takesSamples = true;
            return names;
        }()};
    return api;
}

} // namespace core
