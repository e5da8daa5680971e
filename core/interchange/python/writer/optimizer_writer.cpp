#include "core/interchange/python/writer/optimizer_writer.h"

#include "core/catalogue/optimizers.h"
#include "core/project/options/option_sections.h"
#include "core/project/run_figures.h"

#include <fmt/format.h>

namespace core {

bool averagesGradients(const Project& project) {
    return project.training.averagesReplicas && project.training.optimizer &&
           runFigures(project, RunMode::Train, std::nullopt).replicas > 1;
}

std::string writeOptimizerClass(PythonText& text, const Project& project, PythonApi api,
                                std::set<std::string>& names) {
    Json training = trainingSection(project);
    if (!training.contains("optimizer"))
        return "";
    const Json& optimizer = scaledOptimizer(training["optimizer"]);
    const auto option = [&](const char* key) {
        const bool hasConfig = optimizer.is_object() && optimizer.contains("config");
        const Json value = hasConfig ? optimizer["config"].value(key, Json()) : Json();
        return value.is_number() ? value : Json(0);
    };
    const Json decay = option("gradient_decay");
    const Json bound = api == PythonApi::TensorFlow21 ? option("global_clipnorm") : Json(0);
    const bool averages = averagesGradients(project);
    if (!averages && decay == 0 && bound == 0)
        return "";
    const auto said = (optimizer.is_string() ? optimizer : optimizer["class_name"]).get<std::string>();
    const KerasClass* known = optimizerCatalogue().named(said);
    const std::string base = known == nullptr ? said : std::string(known->className);
    std::string name = std::string(averages ? "Averaged" : "") + (decay == 0 ? "" : "Decayed") +
                       (bound == 0 ? "" : "Clipped") + base;
    while (!names.insert(name).second)
        name += "_";
    std::string gradient = "gradient";
    if (decay != 0)
        gradient += fmt::format(" + {} * variable", pythonLiteral(decay));
    if (averages)
        gradient = decay == 0 ? "gradient / NUM_REPLICAS" : "(" + gradient + ") / NUM_REPLICAS";
    text.line();
    text.line();
    text.line(fmt::format("class {}(tf.keras.optimizers.{}):", name, base));
    text.indent();
    if (averages)
        text.line("# Keras adds up the gradients of replicas: each is divided by how many there are.");
    if (decay != 0)
        text.line("# Each gradient has a part of its weight, which lets that decay.");
    text.line("def apply_gradients(self, grads_and_vars, *args, **kwargs):");
    text.indent();
    text.line(fmt::format("changed = [({}, variable) for gradient, variable in grads_and_vars]", gradient));
    if (bound != 0) {
        text.line("gradients, variables = zip(*changed)");
        text.line(fmt::format("gradients, _ = tf.clip_by_global_norm(gradients, {})", pythonLiteral(bound)));
        text.line("changed = zip(gradients, variables)");
    }
    text.line("return super().apply_gradients(changed, *args, **kwargs)");
    text.dedent();
    text.dedent();
    return name;
}

} // namespace core
