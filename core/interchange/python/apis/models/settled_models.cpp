// What is known of models only at the program's end.
#include "core/interchange/python/apis/graphs/function_model.h"
#include "core/interchange/python/apis/models/device_operations.h"
#include "core/interchange/python/apis/models/model_objects.h"
#include "core/interchange/python/apis/models/model_training.h"
#include "core/interchange/python/apis/models/outfed_answers.h"
#include "core/interchange/python/apis/weights/parameter_counts.h"
#include "core/interchange/python/apis/weights/shared_weights.h"
#include "core/interchange/python/apis/weights/weight_penalty.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// A project trains all weights of its model that are not frozen.
void requireAllWeights(const PythonProgramBuilder& builder,
                       const PythonProgramBuilder::TrainedWeights& trained) {
    const bool areSome = trained.owners.empty() || std::ranges::any_of(trained.owners, &PythonValue::isNone);
    const auto left = layerLeftOut(builder, trained.model, trained.owners);
    if (left) {
        const std::string name = quotedName(builder.facts.draft.layers[static_cast<std::size_t>(*left)].name);
        builder.refuse(
            trained.place, "python/unsupported",
            fmt::format("the weights of {} are not trained with the others, which a project does not hold of "
                        "a loop",
                        name),
            {fmt::format("set {}.trainable = False before the loop and train all trainable_variables of the "
                         "model",
                         name)});
    }
    if (areSome)
        builder.refuse(
            trained.place, "python/unsupported",
            "some weights of the model are trained without its others, which a project does not hold of a "
            "loop",
            {"set trainable = False of the other layers before the loop and train all trainable_variables of "
             "the model"});
}

} // namespace

void settleModels(PythonInterpreter& interpreter, PythonProgramBuilder& builder) {
    if (builder.facts.draft.models.empty() && builder.deviceCall) {
        auto [function, arguments] = *builder.deviceCall;
        const std::string path = "run";
        compileDeviceCall({builder, interpreter, path, arguments}, function);
    }
    if (builder.facts.draft.models.empty())
        compileEager(interpreter, builder);
    checkSharedWeights(builder);
    std::erase_if(builder.ownLosses, [&](const auto& entry) { return builder.model(entry.first).fitted; });
    for (PythonModel& model : builder.facts.draft.models)
        keepTraining(model);
    for (const auto& [model, outputs] : builder.untrainedOutputs) {
        std::vector<PythonTensor>& all = builder.model(model).outputs;
        const std::vector<std::int64_t> fromLast(outputs.rbegin(), outputs.rend());
        for (const std::int64_t output : fromLast)
            if (all.size() > 1 && output < static_cast<std::int64_t>(all.size()))
                all.erase(all.begin() + output);
    }
    settlePenalties(builder);
    const std::map<std::int64_t, PythonValue> computed = builder.computed;
    for (const auto& entry : computed) {
        const PythonModelName name{entry.first};
        const PythonPlace place = builder.model(name.model).place;
        PythonArguments none{{}, {}, place};
        const std::string path = "build";
        const bool isBuilt = buildModel({builder, interpreter, path, none}, name, nullptr);
        if (!isBuilt && builder.model(name.model).use > 1)
            builder.refuse(place, "python/shape",
                           fmt::format("the program does not say what shape the input of {} has",
                                       quotedName(builder.model(name.model).name)),
                           {"write model.build((None, …)) with its extents",
                            "begin with tf.keras.Input(shape=…), or with samples whose extents the program "
                            "says"});
    }
    while (!builder.ownLosses.empty())
        settleOwnLoss(builder, interpreter, {builder.ownLosses.begin()->first}, nullptr);
    for (const PythonProgramBuilder::TrainedWeights& trained : builder.trainedWeights)
        requireAllWeights(builder, trained);
    answerWhatIsOutfed(interpreter, builder);
}

} // namespace core
