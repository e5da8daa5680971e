#include "core/interchange/python/writer/loss_writer.h"

#include "core/interchange/keras/keras_json.h"
#include "core/interchange/python/writer/call_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace core {

namespace {

/// One loss function while it is written.
class LossWriter {
public:
    LossWriter(PythonText& text, const ModelGraph& model, LayerWriter& layers)
        : m_text(text)
        , m_model(model)
        , m_layers(layers) {}

    void write(const std::string& name, bool takesClasses) {
        m_text.line();
        m_text.line();
        m_text.line(fmt::format("def {}(y_true, y_pred):", name));
        m_text.indent();
        nameInputs();
        if (takesClasses && areRows() && !isShapedFirst()) {
            m_text.line("# Keras gives class numbers an axis of their own.");
            m_text.line("y_true = tf.reshape(y_true, [-1])");
        }
        for (const LayerInvocation& call : m_model.invocations)
            if (!m_variables.contains(call.id))
                writeCall(call);
        m_text.line(fmt::format("return {}", variable(m_model.outputs.front())));
        m_text.dedent();
    }

private:
    void nameInputs() {
        constexpr std::array<const char*, 2> names{"y_true", "y_pred"};
        for (std::size_t i = 0; i < m_model.inputs.size() && i < names.size(); ++i) {
            m_variables[m_model.inputs[i].invocation] = names[i];
            m_names.insert(names[i]);
        }
    }

    [[nodiscard]] std::string variable(const TensorRef& ref) const {
        const std::string& name = m_variables.at(ref.invocation);
        return m_split.contains(ref.invocation) ? fmt::format("{}[{}]", name, ref.output) : name;
    }

    /// Whether labels are one number for each sample.
    [[nodiscard]] bool areRows() const {
        const Layer& input = m_model.layer(m_model.invocation(m_model.inputs.front().invocation).layer);
        const Json shape = input.config.value("batch_input_shape", Json());
        return shape.is_array() && shape.size() == 1;
    }

    [[nodiscard]] bool isShapedFirst() const {
        return std::ranges::any_of(m_model.invocations, [&](const LayerInvocation& call) {
            const bool isOfLabels =
                !call.inputs.empty() && call.inputs.front().invocation == m_model.inputs.front().invocation;
            const std::string function = m_model.layer(call.layer).config.value("function", "");
            return isOfLabels && (function == "squeeze" || function == "reshape");
        });
    }

    /// tf.keras.losses.Huber(reduction="none", delta=1.0)(y_true, y_pred)
    [[nodiscard]] std::string lossText(const Layer& layer, const LayerInvocation& call) const {
        const Json& loss = layer.config.at("loss");
        std::vector<std::string> arguments{"reduction=\"none\""};
        const Json config = loss.value("config", Json::object());
        for (const auto& [key, value] : config.items())
            if (key != "reduction")
                arguments.push_back(fmt::format("{}={}", key, pythonLiteral(value)));
        return fmt::format("tf.keras.losses.{}({})({}, {})", loss["class_name"].get<std::string>(),
                           fmt::join(arguments, ", "), variable(call.inputs.at(0)),
                           variable(call.inputs.at(1)));
    }

    void writeCall(const LayerInvocation& call) {
        const Layer& layer = m_model.layer(call.layer);
        const PythonVariables variables = [this](const TensorRef& ref) { return variable(ref); };
        const std::string stem = layer.name.substr(layer.name.rfind('.') + 1);
        std::string name = pythonName(stem);
        while (!m_names.insert(name).second)
            name += "_";
        std::string text;
        if (layer.className == "LossValue") {
            text = lossText(layer, call);
        } else if (const auto function = functionCallText(layer, call, variables)) {
            text = *function;
        } else {
            LayerRequest request{layer.className, layer.config, {}, "/training/loss"};
            request.inputs = std::max<std::size_t>(call.inputs.size(), 1);
            text = fmt::format("{}({})", m_layers.text(request).flat(),
                               fmt::join(callArguments(call, variables), ", "));
        }
        m_text.line(fmt::format("{} = {}", name, text));
        m_variables[call.id] = name;
        if (std::ranges::any_of(m_model.invocations, [&](const LayerInvocation& user) {
                return std::ranges::any_of(user.inputs, [&](const TensorRef& input) {
                    return input.invocation == call.id && input.output > 0;
                });
            }))
            m_split.insert(call.id);
    }

    PythonText& m_text;
    const ModelGraph& m_model;
    LayerWriter& m_layers;
    std::set<std::string> m_names{"tf", "np", "ipu"};
    std::map<InvocationId, std::string> m_variables;
    /// Calls that answer several tensors.
    std::set<InvocationId> m_split;
};

} // namespace

std::vector<std::string> writeLossFunctions(PythonText& text, const Project& project, LayerWriter& layers,
                                            std::set<std::string>& names) {
    std::vector<std::string> functions;
    for (const KerasObject& loss : project.training.losses) {
        std::string& name = functions.emplace_back();
        if (!loss.config.is_object() || !loss.config.contains("model"))
            continue;
        Diagnostics warnings;
        const auto model = readKerasModelText(toText(loss.config["model"]), "", warnings);
        if (!model || model->inputs.size() != 2 || model->outputs.empty())
            continue; // validation says so
        name = "loss";
        while (!names.insert(name).second)
            name += "_";
        LossWriter(text, *model, layers).write(name, loss.className == "SparseLossFunction");
    }
    return functions;
}

} // namespace core
