#include "core/interchange/python/writer/model_writer.h"

#include "core/interchange/python/writer/call_text.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/plan/stage_assignment_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <utility>

namespace core {

namespace {

/// Names that a program uses already; variables keep away from them.
bool isTaken(std::string_view name) {
    return name == "model" || name == "layers" || name == "tf" || name == "ipu" || name == "np" ||
           name == "os" || name == "zip" || name == "stages" || name == "assignments";
}

/// Whether a call of the layer passes use_causal_mask.
bool isCausal(const ModelGraph& model, const Layer& layer) {
    return std::ranges::any_of(model.invocations, [&](const LayerInvocation& call) {
        return call.layer == layer.id && call.arguments.contains("use_causal_mask");
    });
}

bool isHostTransfer(const Layer& layer) {
    return layer.className == "HostTransfer";
}

/// Whether a part of a model is computed on the host: a scope around calls says so.
bool visitsHost(const ModelGraph& model) {
    return std::ranges::any_of(model.layers, isHostTransfer);
}

/// The calls between a way to the host and the way back.
std::set<InvocationId> callsOnHost(const ModelGraph& model) {
    std::set<InvocationId> onHost;
    for (bool grows = visitsHost(model); grows;) {
        grows = false;
        for (const LayerInvocation& call : model.invocations) {
            const Layer& layer = model.layer(call.layer);
            const bool isHosts = isHostTransfer(layer)
                                     ? layer.config.value("direction", "to_host") == "to_host"
                                     : std::ranges::any_of(call.inputs, [&](const TensorRef& input) {
                                           return onHost.contains(input.invocation);
                                       });
            grows = (isHosts && onHost.insert(call.id).second) || grows;
        }
    }
    return onHost;
}

/// Tensors of the first call of a layer.
std::size_t inputsOf(const ModelGraph& model, const Layer& layer) {
    const auto call = std::ranges::find(model.invocations, layer.id, &LayerInvocation::layer);
    return call == model.invocations.end() || call->inputs.empty() ? 1 : call->inputs.size();
}

/// Extents of an InputLayer with its batch axis; null where it names none.
Json inputShape(const Json& config) {
    for (const char* key : {"batch_input_shape", "batch_shape"})
        if (config.contains(key) && config[key].is_array() && !config[key].empty())
            return config[key];
    return {};
}

/// Writes one model as a function; nested models first.
class ModelWriter {
public:
    ModelWriter(PythonText& text, const ModelProgram& program, LayerWriter& layers,
                std::set<std::string>& names)
        : m_text(text)
        , m_program(program)
        , m_layers(layers)
        , m_functions(names) {}

    Diagnostics write() {
        const bool hasNested = std::ranges::any_of(m_program.model->layers,
                                                   [](const Layer& layer) { return layer.isNestedModel(); });
        const bool isPipelined = m_program.stages.isPipelined();
        if (m_program.isOld && hasNested && isPipelined)
            refuse("/model", "PipelineModel of TensorFlow 2.1 takes no nested models",
                   "expand them, or export for 2.4");
        const bool isSharded = m_program.stages.isSharded();
        m_usesScopes =
            !hasNested && (isSharded || (isPipelined && m_program.model->kind == ModelKind::Functional));
        if (m_usesScopes) {
            const auto calls = assignableInvocations(*m_program.model);
            for (std::size_t i = 0; i < calls.size() && i < m_program.stages.stages.size(); ++i)
                m_stageOf[calls[i]] = m_program.stages.stages[i];
        }
        function(*m_program.model, "create_model", true);
        return std::move(m_problems);
    }

private:
    void function(const ModelGraph& model, const std::string& name, bool isOuter) {
        // Functions of nested models come first, once each.
        std::map<LayerId, std::string> inner;
        for (const Layer& layer : model.layers) {
            if (layer.model != nullptr) {
                inner[layer.id] = unique("create_" + pythonName(layer.name));
                function(*layer.model, inner[layer.id], false);
            }
        }
        m_text.line();
        m_text.line();
        m_text.line(fmt::format("def {}():", name));
        m_text.indent();
        // The Sequential class of TensorFlow 2.1 for IPUs takes a list of layers and has no add().
        const bool isCalled = isOuter && m_program.isOld && m_usesScopes;
        if (model.kind == ModelKind::Sequential && !isCalled && !visitsHost(model))
            sequential(model, inner, isOuter);
        else
            functional(model, inner, isOuter);
        if (isOuter && !m_program.isOld && m_program.stages.isPipelined() && !m_usesScopes)
            assignStages(model);
        if (isOuter)
            m_text.line("return model");
        m_text.dedent();
    }

    std::string unique(std::string name) {
        while (!m_functions.insert(name).second)
            name += "_";
        return name;
    }

    /// The expression that makes a layer.
    PythonCallText made(const ModelGraph& model, const Layer& layer,
                        const std::map<LayerId, std::string>& inner, const Json* config = nullptr) {
        const auto found = inner.find(layer.id);
        if (found != inner.end() && layer.isNestedModel())
            return {found->second, {}};
        LayerRequest request{layer.className, config == nullptr ? layer.config : *config, {}, layer.name};
        if (layer.extra.is_object() && layer.extra.contains("module") && layer.extra["module"].is_string())
            request.module = layer.extra["module"].get_ref<const std::string&>();
        request.inputs = inputsOf(model, layer);
        request.isCausal = isCausal(model, layer);
        if (found != inner.end())
            request.expressions["layer"] = found->second + "()";
        if (const std::string name = LayerWriter::tensorFlowName(layer.name); name != layer.name)
            m_text.line(fmt::format("# TensorFlow takes no name like {}.", pythonLiteral(layer.name)));
        return m_layers.text(request);
    }

    /// The classes of TensorFlow 2.1 for IPUs have no names.
    void finish(const ModelGraph& model, const std::string& head, std::vector<std::string> arguments,
                bool isOuter) {
        if (isOuter && m_program.isOld)
            arguments.insert(arguments.end(), m_program.arguments.begin(), m_program.arguments.end());
        else
            arguments.push_back("name=" + pythonLiteral(LayerWriter::tensorFlowName(model.name)));
        m_text.call((isOuter ? "model = " : "return ") + head, arguments);
    }

    std::string className(const char* kind, bool isOuter) const {
        if (!isOuter || !m_program.isOld)
            return fmt::format("tf.keras.{}", kind);
        return fmt::format("ipu.keras.{}{}", m_program.stages.isPipelined() ? "Pipeline" : "", kind);
    }

    [[nodiscard]] std::string scopeOf(StageId stage) const {
        return m_program.stages.isSharding ? fmt::format("with ipu.scopes.ipu_shard({}):", stage.value())
                                           : fmt::format("with ipu.keras.PipelineStage({}):", stage.value());
    }

    /// Layers added one by one, each in the scope of its shard.
    void shardedSequential(const ModelGraph& model, const std::map<LayerId, std::string>& inner) {
        finish(model, className("Sequential", true), {}, true);
        std::size_t call = 0;
        std::optional<StageId> open;
        const auto enter = [&](std::optional<StageId> shard) {
            if (shard == open)
                return;
            if (open)
                m_text.dedent();
            if (shard) {
                m_text.line(scopeOf(*shard));
                m_text.indent();
            }
            open = shard;
        };
        for (const Layer& layer : model.layers) {
            if (layer.isImplicit)
                continue;
            const bool isPlaced = layer.className != "InputLayer" && call < m_program.stages.stages.size();
            enter(isPlaced ? std::optional(m_program.stages.stages[call++]) : std::nullopt);
            const PythonCallText text =
                layer.className == "InputLayer" ? inputCallText(layer) : made(model, layer, inner);
            m_text.call("model.add", {text.flat()});
        }
        enter(std::nullopt);
    }

    void sequential(const ModelGraph& model, const std::map<LayerId, std::string>& inner, bool isOuter) {
        if (isOuter && m_usesScopes)
            return shardedSequential(model, inner);
        const bool groups = isOuter && m_program.isOld && m_program.stages.isPipelined();
        std::size_t call = 0;
        std::optional<StageId> stage;
        const Layer* input = nullptr;
        // Arguments of one call: their text waits until the comments of their layers are written.
        m_text.line("layers = [");
        m_text.indent();
        for (const Layer& layer : model.layers) {
            if (layer.isImplicit)
                continue;
            if (isOuter && m_program.isOld && layer.className == "InputLayer") {
                input = &layer; // the classes of 2.1 take layers that compute
                continue;
            }
            if (groups && call < m_program.stages.stages.size()) {
                const StageId own = m_program.stages.stages[call++];
                if (own != stage)
                    openStage(std::exchange(stage, own).has_value());
            }
            PythonCallText text =
                layer.className == "InputLayer" ? inputCallText(layer) : made(model, layer, inner);
            if (input != nullptr)
                takeShape(*std::exchange(input, nullptr), layer, text);
            m_text.call(text.callee, text.arguments, ",");
        }
        if (stage) {
            m_text.dedent();
            m_text.line("],");
        }
        m_text.dedent();
        m_text.line("]");
        finish(model, className("Sequential", isOuter), {"layers"}, isOuter);
    }

    /// The list of a stage, behind that of the one before.
    void openStage(bool isBehindOther) {
        if (isBehindOther) {
            m_text.dedent();
            m_text.line("],");
        }
        m_text.line("[");
        m_text.indent();
    }

    /// The first layer says what comes in.
    void takeShape(const Layer& input, const Layer& layer, PythonCallText& text) {
        const Json shape = inputShape(input.config);
        if (!shape.is_null() && !layer.config.contains("batch_input_shape"))
            text.arguments.push_back("batch_input_shape=" + pythonLiteral(shape));
        const Json type = input.config.contains("dtype") ? input.config["dtype"] : Json();
        const LayerDefinition* definition = findLayerDefinition(layer.className);
        const bool isKnown = type.is_null() || type == "float32" ||
                             (type == "int32" && definition != nullptr && definition->takesIndices);
        if (!isKnown)
            refuse(input.name,
                   fmt::format("a Sequential model of TensorFlow 2.1 for IPUs has no input of type {}",
                               pythonLiteral(type)),
                   "make the model a functional one, or export for 2.4");
    }

    void refuse(const std::string& place, std::string message, std::string hint) {
        m_problems.push_back(
            makeError(Trouble::Input, "python/api", {"", place}, std::move(message), {std::move(hint)}));
    }

    // ---- functional models ------------------------------------------------------------------------------

    PythonVariables variablesOf(const ModelGraph& model) const {
        return [this, &model](const TensorRef& ref) {
            const std::vector<std::string>& names = m_variables.at({&model, ref.invocation});
            return names[std::min<std::size_t>(ref.output, names.size() - 1)];
        };
    }

    /// How many tensors a call answers.
    static std::size_t countOutputs(const ModelGraph& model, const LayerInvocation& call,
                                    const InferredModel& inferred) {
        if (call.id.index() < inferred.drawnOutputs.size() && !inferred.drawnOutputs[call.id.index()].empty())
            return inferred.drawnOutputs[call.id.index()].size();
        std::size_t count = 1;
        const auto use = [&](const TensorRef& ref) {
            if (ref.invocation == call.id)
                count = std::max<std::size_t>(count, ref.output + 1);
        };
        for (const LayerInvocation& user : model.invocations)
            std::ranges::for_each(user.inputs, use);
        std::ranges::for_each(model.outputs, use);
        return count;
    }

    /// One Functional model while its function is written.
    struct FunctionalModel {
        const ModelGraph& model;
        const std::map<LayerId, std::string>& inner;
        bool isOuter = false;
        /// Shapes, as far as they are known.
        InferredModel inferred;
        std::set<std::string> names;
        std::map<LayerId, std::vector<const LayerInvocation*>> callsOf;
        /// Variables of layers that are made before they are called.
        std::map<LayerId, std::string> objects;
        /// Calls whose tensors are not there yet.
        std::vector<const LayerInvocation*> waiting;
        /// The scopes that are open: of a stage, and in it of the host.
        std::optional<StageId> open;
        bool isOnHost = false;
        std::set<InvocationId> hostCalls;
        /// Calls of add_loss().
        std::vector<std::string> losses;

        std::string freshName(const std::string& wanted) {
            std::string name = pythonName(wanted);
            while (isTaken(name) || !names.insert(name).second)
                name += "_";
            return name;
        }
    };

    /// Opens the scope of a call's stage in place of the open one; null: that of none.
    void enterScope(FunctionalModel& writing, const LayerInvocation* call) {
        const auto found = writing.isOuter && call != nullptr ? m_stageOf.find(call->id) : m_stageOf.end();
        const std::optional<StageId> stage =
            found == m_stageOf.end() ? std::nullopt : std::optional(found->second);
        const bool isOnHost = call != nullptr && writing.hostCalls.contains(call->id);
        if (stage == writing.open && isOnHost == writing.isOnHost)
            return;
        if (writing.isOnHost)
            m_text.dedent();
        if (writing.open && stage != writing.open)
            m_text.dedent();
        if (stage && stage != writing.open) {
            m_text.line(scopeOf(*stage));
            m_text.indent();
        }
        if (isOnHost) {
            m_text.line("with ipu.scopes.outside_compilation_scope():");
            m_text.indent();
        }
        writing.open = stage;
        writing.isOnHost = isOnHost;
    }

    bool isReady(const ModelGraph& model, const LayerInvocation& call) const {
        return std::ranges::all_of(call.inputs, [&](const TensorRef& input) {
            return m_variables.contains({&model, input.invocation});
        });
    }

    /// What a layer adds to the loss, the model adds: its tensor goes on as it is.
    void rememberLoss(FunctionalModel& writing, const LayerInvocation& call) {
        const TensorRef& input = call.inputs.front();
        const std::string term = variablesOf(writing.model)(input);
        m_variables[{&writing.model, call.id}] = {term};
        const std::vector<TensorSpec>& known = writing.inferred.drawnOutputs.at(input.invocation.index());
        const bool isOne = input.output < known.size() && known[input.output].shape.rank() == 0;
        writing.losses.push_back(
            fmt::format("model.add_loss({}{}{})", isOne ? "" : "tf.reduce_mean(", term, isOne ? "" : ")"));
        if (m_program.isOld)
            refuse(writing.model.layer(call.layer).name,
                   "models of TensorFlow 2.1 for IPUs take no add_loss()", "export for 2.4");
    }

    /// Writes a call: of a layer that is made in it, or of a variable.
    void writeCall(FunctionalModel& writing, const LayerInvocation& call, const PythonCallText& object) {
        const ModelGraph& model = writing.model;
        const Layer& layer = model.layer(call.layer);
        if (layer.className == "AddLoss" && !call.inputs.empty())
            return rememberLoss(writing, call);
        if (isHostTransfer(layer) && !call.inputs.empty()) { // the scope says it
            m_variables[{&model, call.id}] = {variablesOf(model)(call.inputs.front())};
            return;
        }
        const bool isOnly = writing.callsOf[call.layer].size() == 1;
        // Of "tf.__operators__.add_3" what the function is called.
        const LayerDefinition* definition = findLayerDefinition(layer.className);
        const bool isFunction = definition != nullptr && definition->category == LayerCategory::Operation;
        const std::string stem = isFunction ? layer.name.substr(layer.name.rfind('.') + 1) : layer.name;
        const std::string name = isOnly ? stem + "_out" : fmt::format("{}_out_{}", stem, call.call);
        std::vector<std::string> names;
        const std::size_t count = countOutputs(model, call, writing.inferred);
        for (std::size_t i = 0; i < count; ++i)
            names.push_back(writing.freshName(count == 1 ? name : fmt::format("{}_{}", name, i)));
        enterScope(writing, &call);
        const std::string target = fmt::format("{} = ", fmt::join(names, ", "));
        const PythonVariables variables = variablesOf(model);
        const bool isListed = m_program.isOld && layer.className == "MultiHeadAttention";
        const std::string given = fmt::format(
            "({})",
            fmt::join(isListed ? listedArguments(call, variables) : callArguments(call, variables), ", "));
        if (isListed && (call.inputs.size() < 2 || call.arguments.contains("attention_mask") ||
                         call.arguments.contains("return_attention_scores")))
            refuse(layer.name, "TensorFlow 2.1 has no attention with masks and scores of its own",
                   "export for 2.4");
        if (const auto function = functionCallText(layer, call, variables))
            m_text.line(target + *function);
        else if (object.arguments.empty() && !object.isMade)
            m_text.line(target + object.callee + given);
        else
            m_text.call(target + object.callee, object.arguments, given);
        m_variables[{&model, call.id}] = std::move(names);
    }

    void writeLayer(FunctionalModel& writing, const Layer& layer) {
        const auto& calls = writing.callsOf[layer.id];
        if (layer.className == "InputLayer") {
            enterScope(writing, nullptr);
            const std::string name = writing.freshName(layer.name);
            const PythonCallText text = inputCallText(layer);
            m_text.call(fmt::format("{} = {}", name, text.callee), text.arguments);
            if (!calls.empty())
                m_variables[{&writing.model, calls[0]->id}] = {name};
        } else if (isFunction(writing, layer) || layer.className == "AddLoss" || isHostTransfer(layer)) {
            writing.waiting.insert(writing.waiting.end(), calls.begin(), calls.end());
        } else if (calls.size() == 1 && isReady(writing.model, *calls[0])) {
            enterScope(writing, calls[0]);
            writeCall(writing, *calls[0], made(writing.model, layer, writing.inner));
        } else {
            enterScope(writing, nullptr);
            writing.objects[layer.id] = writing.freshName(layer.name);
            const PythonCallText text = made(writing.model, layer, writing.inner);
            m_text.call(fmt::format("{} = {}", writing.objects[layer.id], text.callee), text.arguments);
            writing.waiting.insert(writing.waiting.end(), calls.begin(), calls.end());
        }
    }

    /// Whether all calls of a layer are functions of TensorFlow: then there is no layer to make.
    static bool isFunction(const FunctionalModel& writing, const Layer& layer) {
        const auto calls = writing.callsOf.find(layer.id);
        const PythonVariables none = [](const TensorRef&) { return std::string(); };
        return calls != writing.callsOf.end() &&
               std::ranges::all_of(calls->second, [&](const LayerInvocation* call) {
                   return functionCallText(layer, *call, none).has_value();
               });
    }

    /// Writes every waiting call whose tensors are there; calls of a layer keep their order.
    void writeWaiting(FunctionalModel& writing) {
        auto& waiting = writing.waiting;
        for (std::size_t i = 0; i < waiting.size();) {
            const LayerInvocation& call = *waiting[i];
            const bool isNext =
                std::none_of(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(i),
                             [&](const LayerInvocation* other) { return other->layer == call.layer; });
            if (!isNext || !isReady(writing.model, call)) {
                ++i;
                continue;
            }
            writeCall(writing, call, {writing.objects[call.layer], {}, false});
            waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
            i = 0; // what waited before may be ready now
        }
    }

    void functional(const ModelGraph& model, const std::map<LayerId, std::string>& inner, bool isOuter) {
        FunctionalModel writing{model, inner, isOuter, {},    m_functions,        {},
                                {},    {},    {},      false, callsOnHost(model), {}};
        InferenceOptions options;
        options.opaqueLayers = m_program.opaqueLayers;
        writing.inferred = inferKnownShapes(model, options);
        for (const LayerInvocation& call : model.invocations)
            writing.callsOf[call.layer].push_back(&call);
        for (const Layer& layer : model.layers) {
            writeLayer(writing, layer);
            writeWaiting(writing);
        }
        enterScope(writing, nullptr);
        const PythonVariables variables = variablesOf(model);
        const auto ends = [&](const std::vector<TensorRef>& refs) {
            std::vector<std::string> list;
            for (const TensorRef& ref : refs)
                list.push_back(variables(ref));
            return list.size() == 1 ? list[0] : fmt::format("[{}]", fmt::join(list, ", "));
        };
        finish(model, className("Model", isOuter),
               {"inputs=" + ends(model.inputs), "outputs=" + ends(model.outputs)},
               isOuter || !writing.losses.empty());
        std::ranges::for_each(writing.losses, [&](const std::string& text) { m_text.line(text); });
        if (!isOuter && !writing.losses.empty())
            m_text.line("return model");
    }

    /// A Sequential model takes a list; of others the assignment objects are changed.
    void assignStages(const ModelGraph& model) {
        Json stages = Json::array();
        for (const StageId stage : m_program.stages.stages)
            stages.push_back(stage.isValid() ? Json(stage.value()) : Json());
        const bool hasNested =
            std::ranges::any_of(model.layers, [](const Layer& layer) { return layer.isNestedModel(); });
        if (model.kind == ModelKind::Sequential && !hasNested) {
            m_text.line(fmt::format("model.set_pipeline_stage_assignment({})", pythonLiteral(stages)));
            return;
        }
        m_text.line(fmt::format("stages = {}", pythonLiteral(stages)));
        m_text.line("assignments = model.get_pipeline_stage_assignment()");
        m_text.line("for assignment, stage in zip(assignments, stages):");
        m_text.indent();
        m_text.line("assignment.pipeline_stage = stage");
        m_text.dedent();
        m_text.line("model.set_pipeline_stage_assignment(assignments)");
    }

    PythonText& m_text;
    const ModelProgram& m_program;
    LayerWriter& m_layers;
    bool m_usesScopes = false;
    std::map<InvocationId, StageId> m_stageOf;
    std::map<std::pair<const ModelGraph*, InvocationId>, std::vector<std::string>> m_variables;
    /// Of functions and classes.
    std::set<std::string>& m_functions;
    Diagnostics m_problems;
};

} // namespace

Diagnostics writeModelProgram(PythonText& text, const ModelProgram& program, LayerWriter& layers,
                              std::set<std::string>& names) {
    return ModelWriter(text, program, layers, names).write();
}

} // namespace core
