#include "core/interchange/python/writer/model_writer.h"

#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/plan/stage_assignment_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace core {

namespace {

bool isOperation(const Layer& layer) {
    const LayerDefinition* definition = findLayerDefinition(layer.className);
    return definition == nullptr || definition->category == LayerCategory::Operation || definition->isOpaque;
}

/// Layers that the IPU extensions define.
bool isIpuLayer(const LayerDefinition& definition) {
    return definition.category == LayerCategory::Ipu || definition.className == "InstanceNormalization" ||
           definition.className == "MultiConv" || definition.className == "OutlinedFunction";
}

/// A layer entry {"class_name", "config"} as an expression that makes it.
std::string layerText(const std::string& className, const Json& config, bool isPlain);

/// A value of a layer's config: inner layers are made, everything else is a literal.
std::string attributeText(const Json& value, const AttributeDefinition* attribute) {
    const bool isLayer = attribute != nullptr && attribute->kind == AttributeKind::Layer &&
                         value.is_object() && value.contains("class_name") && value.contains("config");
    if (!isLayer)
        return pythonLiteral(value);
    const bool isBare = value.size() == 2 && value["config"].is_object() &&
                        value["config"].contains("name") &&
                        findLayerDefinition(value["class_name"].get<std::string>()) != nullptr;
    return isBare ? layerText(value["class_name"].get<std::string>(), value["config"], true)
                  : fmt::format("tf.keras.layers.deserialize({})", pythonLiteral(value));
}

std::string layerText(const std::string& className, const Json& config, bool isPlain) {
    const LayerDefinition* definition = findLayerDefinition(className);
    const bool areNames =
        std::ranges::all_of(config.items(), [](const auto& entry) { return isPythonName(entry.key()); });
    if (!isPlain || definition == nullptr || !areNames || !isPythonName(className))
        return fmt::format("tf.keras.layers.deserialize({})",
                           pythonLiteral({{"class_name", className}, {"config", config}}));
    std::vector<std::string> arguments;
    for (const auto& [key, value] : config.items())
        arguments.push_back(key + "=" + attributeText(value, definition->findAttribute(key)));
    return fmt::format("{}.{}({})", isIpuLayer(*definition) ? "ipu.keras.layers" : "tf.keras.layers",
                       className, fmt::join(arguments, ", "));
}

/// Writes one model as a function; nested models first.
class ModelWriter {
public:
    ModelWriter(PythonText& text, const ModelProgram& program)
        : m_text(text)
        , m_program(program) {}

    Result<void> write() {
        const bool hasNested = std::ranges::any_of(m_program.model->layers,
                                                   [](const Layer& layer) { return layer.isNestedModel(); });
        const bool isPipelined = m_program.stages.isPipelined();
        if (m_program.isOld && hasNested && isPipelined)
            return failure(makeError(Trouble::Input, "python/api", {"", "/model"},
                                     "PipelineModel of TensorFlow 2.1 takes no nested models",
                                     {"expand them, or export for 2.4"}));
        const bool isSharded = m_program.stages.isSharded();
        m_usesScopes =
            !hasNested && (isSharded || (isPipelined && m_program.model->kind == ModelKind::Functional));
        if (m_usesScopes) {
            const auto calls = assignableInvocations(*m_program.model);
            for (std::size_t i = 0; i < calls.size() && i < m_program.stages.stages.size(); ++i)
                m_stageOf[calls[i]] = m_program.stages.stages[i];
        }
        function(*m_program.model, "create_model", true);
        return {};
    }

private:
    void function(const ModelGraph& model, const std::string& name, bool isOuter) {
        // Functions of nested models come first, once each.
        std::map<LayerId, std::string> inner;
        for (const Layer& layer : model.layers) {
            if (layer.isNestedModel()) {
                inner[layer.id] = unique("create_" + pythonName(layer.name));
                function(*layer.model, inner[layer.id], false);
            }
        }
        m_text.line();
        m_text.line();
        m_text.line(fmt::format("def {}():", name));
        m_text.indent();
        if (model.kind == ModelKind::Sequential)
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

    std::string made(const Layer& layer, const std::map<LayerId, std::string>& inner) const {
        if (const auto found = inner.find(layer.id); found != inner.end())
            return found->second + "()";
        if (layer.model != nullptr) { // a wrapped model stays in its wrapper
            Json config = layer.config;
            return layerText(layer.className, config, false);
        }
        return layerText(layer.className, layer.config, !isOperation(layer));
    }

    std::string modelArguments(const ModelGraph& model) const {
        std::string text = "name=" + pythonLiteral(model.name);
        return text;
    }

    void finish(const std::string& head, std::vector<std::string> arguments, bool isOuter) {
        if (isOuter && m_program.isOld)
            arguments.insert(arguments.end(), m_program.arguments.begin(), m_program.arguments.end());
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
        finish(className("Sequential", true), {modelArguments(model)}, true);
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
            m_text.line(fmt::format("model.add({})", made(layer, inner)));
        }
        enter(std::nullopt);
    }

    void sequential(const ModelGraph& model, const std::map<LayerId, std::string>& inner, bool isOuter) {
        if (isOuter && m_usesScopes)
            return shardedSequential(model, inner);
        const bool groups = isOuter && m_program.isOld && m_program.stages.isPipelined();
        std::vector<std::string> lines;
        std::size_t call = 0;
        std::string group;
        std::optional<StageId> stage;
        m_text.line("layers = [");
        m_text.indent();
        for (const Layer& layer : model.layers) {
            if (layer.isImplicit)
                continue;
            const bool isInput = layer.className == "InputLayer";
            if (groups && !isInput && call < m_program.stages.stages.size()) {
                const StageId own = m_program.stages.stages[call++];
                // An empty list for every stage that has no layer of its own.
                if (!stage)
                    m_text.line("[");
                else if (own != *stage)
                    m_text.line("], [");
                stage = own;
            }
            m_text.line(made(layer, inner) + ",");
        }
        if (groups)
            m_text.line("],");
        m_text.dedent();
        m_text.line("]");
        finish(className("Sequential", isOuter), {"layers", modelArguments(model)}, isOuter);
    }

    // ---- functional models ------------------------------------------------------------------------------

    std::string variable(const ModelGraph& model, const TensorRef& ref) const {
        const std::string& base = m_variables.at({&model, ref.invocation});
        const bool isList = m_lists.contains({&model, ref.invocation});
        return isList ? fmt::format("{}[{}]", base, ref.output) : base;
    }

    /// JSON of an argument with its tensors as variables.
    std::string argumentText(const ModelGraph& model, const LayerInvocation& call, const Json& value) const {
        if (value.is_object() && value.size() == 1 && value.contains("$input")) {
            const auto at = value["$input"].get<std::size_t>();
            return at < call.inputs.size() ? variable(model, call.inputs[at]) : "None";
        }
        if (value.is_object() && value.size() == 1 && value.contains("$constant"))
            return pythonLiteral(value["$constant"]);
        if (value.is_array()) {
            std::vector<std::string> list;
            for (const Json& entry : value)
                list.push_back(argumentText(model, call, entry));
            return fmt::format("[{}]", fmt::join(list, ", "));
        }
        return pythonLiteral(value);
    }

    static std::size_t countTensors(const Json& value) {
        if (value.is_object() && value.contains("$input"))
            return 1;
        std::size_t count = 0;
        if (value.is_structured()) {
            for (const Json& entry : value)
                count += countTensors(entry);
        }
        return count;
    }

    std::string callText(const ModelGraph& model, const LayerInvocation& call) const {
        std::vector<std::string> arguments;
        std::size_t named = 0;
        std::vector<std::string> keywords;
        for (const auto& [key, value] : call.arguments.items()) {
            if (key == "$args")
                continue;
            named += countTensors(value);
            if (isPythonName(key))
                keywords.push_back(key + "=" + argumentText(model, call, value));
        }
        if (call.arguments.contains("$args")) {
            const Json& args = call.arguments["$args"];
            for (const Json& entry : args)
                arguments.push_back(argumentText(model, call, entry));
        } else {
            std::vector<std::string> list;
            for (std::size_t i = 0; i + named < call.inputs.size(); ++i)
                list.push_back(variable(model, call.inputs[i]));
            arguments.push_back(list.size() == 1 ? list[0] : fmt::format("[{}]", fmt::join(list, ", ")));
        }
        arguments.insert(arguments.end(), keywords.begin(), keywords.end());
        return fmt::format("({})", fmt::join(arguments, ", "));
    }

    std::string inputText(const Layer& layer) const {
        std::vector<std::string> arguments;
        for (const auto& [key, value] : layer.config.items()) {
            if (key == "batch_input_shape" && value.is_array() && !value.empty()) {
                const Json shape(value.begin() + 1, value.end());
                arguments.push_back("shape=" + pythonLiteral(value.size() == 1 ? Json::array() : shape));
                if (!value[0].is_null())
                    arguments.push_back("batch_size=" + pythonLiteral(value[0]));
            } else if (isPythonName(key) && !value.is_null()) {
                arguments.push_back(key + "=" + pythonLiteral(value));
            }
        }
        return fmt::format("tf.keras.Input({})", fmt::join(arguments, ", "));
    }

    /// A nested model or a layer that answers several tensors.
    static bool answersList(const ModelGraph& model, const LayerInvocation& call) {
        const Layer& layer = model.layer(call.layer);
        if (layer.isNestedModel())
            return layer.model->outputs.size() > 1;
        const Json& inner = layer.config.contains("layer") && layer.config["layer"].is_object() &&
                                    layer.config["layer"].contains("config")
                                ? layer.config["layer"]["config"]
                                : layer.config;
        if (inner.is_object() && inner.contains("return_state") && inner["return_state"] == true)
            return true;
        for (const LayerInvocation& user : model.invocations) {
            for (const TensorRef& input : user.inputs) {
                if (input.invocation == call.id && input.output > 0)
                    return true;
            }
        }
        return false;
    }

    /// One Functional model while its function is written.
    struct FunctionalModel {
        const ModelGraph& model;
        const std::map<LayerId, std::string>& inner;
        bool isOuter = false;
        std::set<std::string> names;
        std::map<LayerId, std::vector<const LayerInvocation*>> callsOf;
        /// Variables of layers that are made before they are called.
        std::map<LayerId, std::string> objects;
        /// Calls whose tensors are not there yet.
        std::vector<const LayerInvocation*> waiting;
        /// The scope that is open.
        std::optional<StageId> open;

        std::string freshName(const std::string& wanted) {
            std::string name = pythonName(wanted);
            while (name == "model" || name == "tf" || name == "ipu" || name == "np" ||
                   !names.insert(name).second)
                name += "_";
            return name;
        }
    };

    /// Closes the open scope and opens that of a call's stage; null: that of none.
    void enterScope(FunctionalModel& writing, const LayerInvocation* call) {
        const auto found = writing.isOuter && call != nullptr ? m_stageOf.find(call->id) : m_stageOf.end();
        const std::optional<StageId> stage =
            found == m_stageOf.end() ? std::nullopt : std::optional(found->second);
        if (stage == writing.open)
            return;
        if (writing.open)
            m_text.dedent();
        if (stage) {
            m_text.line(scopeOf(*stage));
            m_text.indent();
        }
        writing.open = stage;
    }

    bool isReady(const ModelGraph& model, const LayerInvocation& call) const {
        return std::ranges::all_of(call.inputs, [&](const TensorRef& input) {
            return m_variables.contains({&model, input.invocation});
        });
    }

    void writeCall(FunctionalModel& writing, const LayerInvocation& call, const std::string& object) {
        const ModelGraph& model = writing.model;
        const Layer& layer = model.layer(call.layer);
        const bool isOnly = writing.callsOf[call.layer].size() == 1;
        const std::string name =
            writing.freshName(isOnly ? layer.name + "_out" : fmt::format("{}_out_{}", layer.name, call.call));
        enterScope(writing, &call);
        m_text.line(fmt::format("{} = {}{}", name, object, callText(model, call)));
        m_variables[{&model, call.id}] = name;
        if (answersList(model, call))
            m_lists.insert({&model, call.id});
    }

    void writeLayer(FunctionalModel& writing, const Layer& layer) {
        const auto& calls = writing.callsOf[layer.id];
        if (layer.className == "InputLayer") {
            enterScope(writing, nullptr);
            const std::string name = writing.freshName(layer.name);
            m_text.line(fmt::format("{} = {}", name, inputText(layer)));
            if (!calls.empty())
                m_variables[{&writing.model, calls[0]->id}] = name;
        } else if (calls.size() == 1 && isReady(writing.model, *calls[0])) {
            writeCall(writing, *calls[0], made(layer, writing.inner));
        } else {
            enterScope(writing, nullptr);
            writing.objects[layer.id] = writing.freshName(layer.name);
            m_text.line(fmt::format("{} = {}", writing.objects[layer.id], made(layer, writing.inner)));
            writing.waiting.insert(writing.waiting.end(), calls.begin(), calls.end());
        }
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
            writeCall(writing, call, writing.objects[call.layer]);
            waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
            i = 0; // what waited before may be ready now
        }
    }

    void functional(const ModelGraph& model, const std::map<LayerId, std::string>& inner, bool isOuter) {
        FunctionalModel writing{model, inner, isOuter, {}, {}, {}, {}, {}};
        for (const LayerInvocation& call : model.invocations)
            writing.callsOf[call.layer].push_back(&call);
        for (const Layer& layer : model.layers) {
            writeLayer(writing, layer);
            writeWaiting(writing);
        }
        enterScope(writing, nullptr);
        const auto ends = [&](const std::vector<TensorRef>& refs) {
            std::vector<std::string> list;
            for (const TensorRef& ref : refs)
                list.push_back(variable(model, ref));
            return list.size() == 1 ? list[0] : fmt::format("[{}]", fmt::join(list, ", "));
        };
        finish(className("Model", isOuter),
               {"inputs=" + ends(model.inputs), "outputs=" + ends(model.outputs), modelArguments(model)},
               isOuter);
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
    bool m_usesScopes = false;
    std::map<InvocationId, StageId> m_stageOf;
    std::map<std::pair<const ModelGraph*, InvocationId>, std::string> m_variables;
    std::set<std::pair<const ModelGraph*, InvocationId>> m_lists;
    std::set<std::string> m_functions{"create_model", "create_dataset"};
};

} // namespace

Result<void> writeModelProgram(PythonText& text, const ModelProgram& program) {
    return ModelWriter(text, program).write();
}

} // namespace core
