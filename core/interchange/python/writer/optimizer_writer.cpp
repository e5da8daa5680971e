#include "core/interchange/python/writer/optimizer_writer.h"

#include "core/catalogue/optimizers.h"
#include "core/project/options/option_sections.h"
#include "core/project/run_figures.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>
#include <vector>

namespace core {

bool averagesGradients(const Project& project) {
    return project.training.averagesReplicas && project.training.optimizer &&
           runFigures(project, RunMode::Train, std::nullopt).replicas > 1;
}

namespace {

/// What a project makes of gradients and weights beyond what the class of its optimizer does.
class OptimizerClassWriter {
public:
    OptimizerClassWriter(PythonText& text, const Project& project, PythonApi api,
                         std::set<std::string>& names)
        : m_text(text)
        , m_project(project)
        , m_isOld(api == PythonApi::TensorFlow21)
        , m_names(names) {}

    WrittenOptimizer write() {
        Json training = trainingSection(m_project);
        if (!training.contains("optimizer"))
            return {};
        const Json& optimizer = scaledOptimizer(training["optimizer"]);
        m_isScaled = &optimizer != &training["optimizer"];
        if (optimizer.is_object())
            m_config = optimizer.value("config", Json::object());
        const auto said = (optimizer.is_string() ? optimizer : optimizer["class_name"]).get<std::string>();
        const KerasClass* known = optimizerCatalogue().named(said);
        const std::string className = known == nullptr ? said : std::string(known->className);
        m_decay = number("gradient_decay");
        m_averages = averagesGradients(m_project);
        for (const auto& entry : m_config.items())
            m_hasRule = m_hasRule || (isOlderRule(entry.key()) && isOn(entry.key()));
        m_older = m_isScaled || changesRate() ? nullptr : olderOptimizerOf(className, rulesAlone());
        m_bound = m_isOld || m_older != nullptr ? number("global_clipnorm") : Json(0);
        const bool changesGradients = m_averages || m_decay != 0 || m_bound != 0;
        const bool hasOwnRule = m_hasRule && m_older == nullptr;
        if (!changesGradients && !hasOwnRule)
            return {"", m_older};
        m_text.line();
        m_text.line();
        const std::string base = m_older != nullptr ? "tf.compat.v1.train." + std::string(m_older->name)
                                                    : "tf.keras.optimizers." + className;
        const std::string name =
            freeName(m_older != nullptr ? std::string(m_older->name) : className, hasOwnRule);
        m_text.line(fmt::format("class {}({}):", name, base));
        m_text.indent();
        if (hasOwnRule && className == "SGD")
            writeMomentum();
        else if (hasOwnRule)
            writeMeanOfSquares();
        if (changesGradients)
            writeGradients();
        m_text.dedent();
        return {name, m_older, m_bound == 0 ? std::vector<std::string>{} : std::vector{std::string(clip)}};
    }

private:
    static constexpr const char* clip = "global_clipnorm";

    [[nodiscard]] Json number(const char* key) const {
        const Json value = m_config.value(key, Json());
        return value.is_number() ? value : Json(0);
    }
    [[nodiscard]] bool isOn(const std::string& key) const {
        const Json value = m_config.value(key, Json());
        return value.is_boolean() ? value.get<bool>() : value.is_number() && value != 0;
    }
    /// Without what the class of the program does itself.
    [[nodiscard]] Json rulesAlone() const {
        Json config = m_config;
        config.erase("gradient_decay");
        config.erase(clip);
        return config;
    }
    /// The optimizers of tf.compat.v1.train have no rate that Keras could set.
    [[nodiscard]] bool changesRate() const {
        const Json rate = m_config.value("learning_rate", Json());
        return (!rate.is_null() && !rate.is_number()) ||
               std::ranges::any_of(m_project.training.callbacks, [](const KerasObject& callback) {
                   return callback.className == "LearningRateScheduler" ||
                          callback.className == "ReduceLROnPlateau";
               });
    }

    std::string freeName(const std::string& base, bool hasOwnRule) {
        std::string name = std::string(m_averages ? "Averaged" : "") + (m_decay == 0 ? "" : "Decayed") +
                           (m_bound == 0 ? "" : "Clipped") + (hasOwnRule ? "Older" : "") + base;
        while (!m_names.insert(name).second)
            name += "_";
        return name;
    }

    /// By what the class says of itself it is read as the optimizer that it stands for.
    void writeMark(const char* comment) {
        m_text.line(comment);
        Json mark = Json::object();
        for (const auto& [key, value] : m_config.items())
            if (isOlderRule(key))
                mark[key] = value;
        m_text.line("workbench_optimizer = " + pythonLiteral(mark));
        m_text.line();
    }

    void writeMomentum() {
        writeMark("# As tf.compat.v1.train.MomentumOptimizer: the present learning rate times the sum of all "
                  "gradients.");
        writeSlots({{"momentum", ""}});
        m_text.line("def _resource_apply_dense(self, grad, var, apply_state=None):");
        m_text.indent();
        m_text.line("rate = self._decayed_lr(var.dtype)");
        m_text.line("share = self._get_hyper(\"momentum\", var.dtype)");
        m_text.line("trace = self.get_slot(var, \"momentum\")");
        m_text.line("trace.assign(share * trace + grad)");
        m_text.line(isOn("nesterov") ? "return var.assign_sub(rate * (grad + share * trace))"
                                     : "return var.assign_sub(rate * trace)");
        m_text.dedent();
    }

    void writeMeanOfSquares() {
        writeMark(
            "# As tf.compat.v1.train.RMSPropOptimizer: where the mean of squares begins, and epsilon below "
            "the root.");
        std::vector<std::pair<std::string, std::string>> slots{{"rms", pythonLiteral(number("initial_rms"))}};
        const bool isInside = isOn("epsilon_inside_sqrt");
        if (isInside)
            slots.emplace_back("momentum", "");
        writeSlots(slots);
        if (!isInside)
            return;
        m_text.line("def _resource_apply_dense(self, grad, var, apply_state=None):");
        m_text.indent();
        m_text.line("rate = self._decayed_lr(var.dtype)");
        m_text.line("rho = self._get_hyper(\"rho\", var.dtype)");
        m_text.line("mean = self.get_slot(var, \"rms\")");
        m_text.line("mean.assign(rho * mean + (1.0 - rho) * tf.square(grad))");
        std::string spread = "mean + self.epsilon";
        if (isOn("centered")) {
            m_text.line("middle = self.get_slot(var, \"mg\")");
            m_text.line("middle.assign(rho * middle + (1.0 - rho) * grad)");
            spread = "mean - tf.square(middle) + self.epsilon";
        }
        m_text.line("trace = self.get_slot(var, \"momentum\")");
        m_text.line(
            fmt::format("trace.assign(self._get_hyper(\"momentum\", var.dtype) * trace + rate * grad / "
                        "tf.sqrt({}))",
                        spread));
        m_text.line("return var.assign_sub(trace)");
        m_text.dedent();
    }

    /// Slots that are made before Keras makes its own, which keeps those that are there.
    void writeSlots(const std::vector<std::pair<std::string, std::string>>& slots) {
        m_text.line("def _create_slots(self, var_list):");
        m_text.indent();
        m_text.line("for var in var_list:");
        m_text.indent();
        for (const auto& [name, first] : slots)
            m_text.line(first.empty() ? fmt::format("self.add_slot(var, \"{}\")", name)
                                      : fmt::format("self.add_slot(var, \"{}\", initializer="
                                                    "tf.keras.initializers.Constant({}))",
                                                    name, first));
        m_text.dedent();
        m_text.line("super()._create_slots(var_list)");
        m_text.dedent();
        m_text.line();
    }

    void writeGradients() {
        std::string gradient = "gradient";
        if (m_decay != 0)
            gradient += fmt::format(" + {} * variable", pythonLiteral(m_decay));
        if (m_averages)
            gradient = m_decay == 0 ? "gradient / NUM_REPLICAS" : "(" + gradient + ") / NUM_REPLICAS";
        if (m_averages)
            m_text.line("# The gradients of replicas are added up: each is divided by how many there are.");
        if (m_decay != 0)
            m_text.line("# Each gradient has a part of its weight, which lets that decay.");
        m_text.line("def apply_gradients(self, grads_and_vars, *args, **kwargs):");
        m_text.indent();
        m_text.line(
            fmt::format("changed = [({}, variable) for gradient, variable in grads_and_vars]", gradient));
        if (m_bound != 0) {
            m_text.line("gradients, variables = zip(*changed)");
            m_text.line(
                fmt::format("gradients, _ = tf.clip_by_global_norm(gradients, {})", pythonLiteral(m_bound)));
            m_text.line("changed = zip(gradients, variables)");
        }
        m_text.line("return super().apply_gradients(changed, *args, **kwargs)");
        m_text.dedent();
    }

    PythonText& m_text;
    const Project& m_project;
    bool m_isOld;
    std::set<std::string>& m_names;
    Json m_config = Json::object();
    Json m_decay = 0;
    Json m_bound = 0;
    bool m_averages = false;
    bool m_isScaled = false;
    bool m_hasRule = false;
    const OlderOptimizer* m_older = nullptr;
};

} // namespace

WrittenOptimizer writeOptimizerClass(PythonText& text, const Project& project, PythonApi api,
                                     std::set<std::string>& names) {
    return OptimizerClassWriter(text, project, api, names).write();
}

std::string olderOptimizerText(const OlderOptimizer& older, const std::string& className,
                               const Json& config) {
    const KerasClass* known = optimizerCatalogue().named(older.className);
    std::vector<std::string> arguments;
    for (const OlderOptimizer::Argument& argument : older.arguments) {
        const KerasParameter* parameter =
            argument.keras == nullptr || known == nullptr ? nullptr : known->parameter(argument.keras);
        if (parameter == nullptr)
            continue;
        const Json byDefault = Json::parse(parameter->defaultText);
        Json value = config.value(argument.keras, byDefault);
        value = value.is_null() ? byDefault : value;
        if (value != false)
            arguments.push_back(fmt::format("{}={}", argument.name, pythonLiteral(value)));
    }
    return fmt::format("{}({})",
                       className.empty() ? "tf.compat.v1.train." + std::string(older.name) : className,
                       fmt::join(arguments, ", "));
}

} // namespace core
