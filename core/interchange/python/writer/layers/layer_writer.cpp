#include "core/interchange/python/writer/layers/layer_writer.h"

#include "core/interchange/python/writer/layers/formula_text.h"
#include "core/interchange/python/writer/layers/keras_objects.h"
#include "core/interchange/python/writer/layers/library_classes.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/graph/layer_precision.h"
#include "core/model/onnx/onnx_layer.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

/// An attribute that Keras only writes down, or that changes nothing here.
bool isBookkeeping(const AttributeDefinition& attribute) {
    return attribute.documentation.starts_with("Bookkeeping") ||
           attribute.documentation.find("no effect") != std::string::npos;
}

/// Whether a value says no more than leaving it out does; [1, 1] is 1.
bool isDefault(const Json& value, const AttributeDefinition& attribute) {
    if (value.is_null() || value == attribute.defaultValue)
        return true;
    return value.is_array() && !value.empty() &&
           std::ranges::all_of(value, [&](const Json& entry) { return entry == attribute.defaultValue; });
}

/// Keras' type of a layer: a text, or its policy by name.
std::string typeText(const Json& value) {
    if (!value.is_object() || !value.contains("config") || !value["config"].is_object() ||
        !value["config"].contains("name"))
        return pythonLiteral(value);
    const Json& name = value["config"]["name"];
    const auto policy = precisionFromJson(name);
    return policy && policy->compute == policy->variable
               ? pythonLiteral(name)
               : pythonLiteral({{"class_name", "Policy"}, {"config", {{"name", name}}}});
}

/// A list as a tuple: the default of a parameter must not change.
std::string constantText(const Json& value) {
    if (!value.is_array())
        return pythonLiteral(value);
    const std::string list = pythonLiteral(value);
    return fmt::format("({}{})", list.substr(1, list.size() - 2), value.size() == 1 ? "," : "");
}

/// The first sentence, or as much of it as fits into a line.
std::string summaryOf(std::string_view documentation) {
    constexpr std::size_t width = 84;
    std::string_view sentence = documentation.substr(0, documentation.find(". "));
    constexpr std::size_t shortest = 20;
    for (const std::string_view separator : {": ", "; ", " (", ", "}) {
        const std::size_t end = sentence.find(separator, shortest);
        if (sentence.size() > width && end != std::string_view::npos)
            sentence = sentence.substr(0, end);
    }
    return fmt::format("{}{}", sentence, sentence.ends_with('.') ? "" : ".");
}

bool isLayerValue(const Json& value) {
    return value.is_object() && value.contains("class_name") && value["class_name"].is_string() &&
           value.contains("config") && value["config"].is_object();
}

} // namespace

std::string LayerWriter::tensorFlowName(std::string_view name) {
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    };
    std::string result(name);
    for (char& c : result)
        if (!isPlain(c) && c != '_' && c != '-' && c != '/' && c != '\\' && c != '>')
            c = '_';
    if (result.empty() || !isPlain(result.front()))
        result.insert(0, "layer");
    return result;
}

void LayerWriter::refuse(const LayerRequest& request, std::string message, std::string hint) {
    // Of layers of one kind the first one says it.
    if (std::ranges::find(m_problems, message, &Diagnostic::message) == m_problems.end())
        m_problems.push_back(makeError(Trouble::Input, "python/api", {"", std::string(request.place)},
                                       std::move(message), {std::move(hint)}));
}

bool LayerWriter::uses(std::string_view className) const {
    return std::ranges::any_of(m_classes,
                               [&](const OwnClass& own) { return own.layer->className == className; });
}

// ---- which class ----------------------------------------------------------------------------------------

/// The program's own class for a layer; those with the same constants share it.
std::string LayerWriter::ownClass(const LayerRequest& request, const LayerDefinition& definition,
                                  const WrittenLayer& layer) {
    Json constants = Json::object();
    for (const std::string& name : wordsOf(layer.constants))
        constants[name] = request.config.contains(name) ? request.config[name] : Json();
    const auto known = std::ranges::find_if(m_classes, [&](const OwnClass& own) {
        return own.layer == &layer && own.constants == constants &&
               (constants.empty() || own.inputs == request.inputs);
    });
    if (known != m_classes.end())
        return known->name;
    std::string name(request.isCausal ? "CausalMultiHeadAttention" : layer.className);
    while (!m_names.insert(name).second)
        name += "_";
    m_classes.push_back({name, &layer, &definition, std::move(constants), request.inputs});
    return name;
}

LayerWriter::Target LayerWriter::targetOf(const LayerRequest& request, const LayerDefinition& definition) {
    const std::string& name = definition.className;
    const LibraryClass* keras = findKerasClass(name, m_api);
    const LibraryClass* ipu = findIpuClass(name);
    const bool isIpu = ipu != nullptr && (keras == nullptr || request.module.starts_with("ipu"));
    const bool isSerialized = name == "Embedding" && request.config.contains("serialization_factor") &&
                              request.config["serialization_factor"] != 1;
    if (request.isCausal && keras != nullptr)
        return {ownClass(request, definition, writtenCausalAttention()),
                keras->arguments,
                keras->newerArguments,
                {}};
    if (isIpu && !isSerialized)
        return {"ipu.keras.layers." + name, ipu->arguments, {}, {}};
    if (keras != nullptr && !isSerialized)
        return {"tf.keras.layers." + name, keras->arguments, keras->newerArguments, {}};
    if (const WrittenLayer* own = findWrittenLayer(name))
        return {ownClass(request, definition, *own), own->arguments, {}, own->constants};
    return {};
}

// ---- values ---------------------------------------------------------------------------------------------

void LayerWriter::checkActivation(const LayerRequest& request, const Json& value) {
    if (!value.is_string())
        return;
    const auto& name = value.get_ref<const std::string&>();
    const char* function = functionOfActivation(name, m_api);
    if (function == nullptr)
        refuse(request, fmt::format("{} has no activation \"{}\"", nameOf(m_api), name),
               "choose another activation, such as relu or tanh");
    else if (*function != '\0')
        m_activations.emplace(name, function);
}

/// An inner layer.
std::string LayerWriter::layerValue(const LayerRequest& request, const Json& value) {
    const std::string module =
        value.contains("module") && value["module"].is_string() ? value["module"].get<std::string>() : "";
    return text({value["class_name"].get_ref<const std::string&>(), value["config"], module, request.place})
        .flat();
}

std::string LayerWriter::valueText(const LayerRequest& request, const AttributeDefinition* attribute,
                                   const Json& value) {
    const AttributeKind kind = attribute == nullptr ? AttributeKind::Any : attribute->kind;
    switch (kind) {
    case AttributeKind::Activation:
        checkActivation(request, value);
        return pythonLiteral(value);
    case AttributeKind::Initializer:
        return initializerText(value, m_api);
    case AttributeKind::Regularizer:
        return regularizerText(value);
    case AttributeKind::DataType:
        return value.is_string() && isPythonName(value.get<std::string>()) ? "tf." + value.get<std::string>()
                                                                           : pythonLiteral(value);
    default:
        break;
    }
    if (isLayerValue(value) && kind != AttributeKind::Constraint)
        return layerValue(request, value);
    const bool areLayers = value.is_array() && !value.empty() && std::ranges::all_of(value, isLayerValue);
    if (!areLayers)
        return pythonLiteral(value);
    std::vector<std::string> list;
    for (const Json& entry : value)
        list.push_back(layerValue(request, entry));
    return fmt::format("[{}]", fmt::join(list, ", "));
}

void LayerWriter::takeAttribute(const LayerRequest& request, const LayerDefinition& definition,
                                const Target& target, const std::string& key, const Json& value,
                                PythonCallText& call) {
    const AttributeDefinition* attribute = definition.findAttribute(key);
    std::vector<std::string> names{key};
    if (attribute != nullptr) {
        names.push_back(attribute->name);
        names.insert(names.end(), attribute->aliases.begin(), attribute->aliases.end());
    }
    const bool isOld = m_api == PythonApi::TensorFlow21;
    const auto taken = std::ranges::find_if(names, [&](const std::string& name) {
        return hasWord(target.arguments, name) && !(isOld && hasWord(target.newerArguments, name));
    });
    if (const auto given = request.expressions.find(key); given != request.expressions.end()) {
        call.arguments.push_back(key + "=" + given->second);
    } else if (taken != names.end()) {
        call.arguments.push_back(*taken + "=" + valueText(request, attribute, value));
    } else if (attribute != nullptr && !isDefault(value, *attribute) && !isBookkeeping(*attribute) &&
               !hasWord(target.constants, key)) {
        refuse(request,
               fmt::format("{} of {} has no argument \"{}\"", definition.className,
                           target.callee.starts_with("ipu.") ? "ipu.keras.layers" : nameOf(m_api), key),
               fmt::format("{}leave {} at its default, {}",
                           isOld && hasWord(target.newerArguments, key) ? "export for 2.4, or " : "", key,
                           pythonLiteral(attribute->defaultValue)));
    }
}

PythonCallText LayerWriter::callOf(const LayerRequest& request, const LayerDefinition& definition,
                                   const Target& target) {
    PythonCallText call{target.callee, {}};
    const std::vector<std::string> order = wordsOf(target.arguments);
    // What every such layer is told stands by its position, as people write it: Dense(10).
    std::size_t positions = 0;
    while (positions < order.size() && positions < definition.attributes.size() &&
           definition.attributes[positions].name == order[positions] &&
           definition.attributes[positions].isRequired && request.config.contains(order[positions]) &&
           !request.expressions.contains(order[positions])) {
        call.arguments.push_back(
            valueText(request, &definition.attributes[positions], request.config[order[positions]]));
        ++positions;
    }
    std::vector<std::string> last;
    for (const auto& [key, value] : request.config.items()) {
        if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(positions), key) !=
            order.begin() + static_cast<std::ptrdiff_t>(positions))
            continue;
        if (key == "name")
            continue;
        if (key == "dtype") {
            if (precisionOfLayer(value)) // else it is what the policy says
                last.push_back("dtype=" + typeText(value));
        } else if (key == "trainable") {
            if (value == false)
                last.emplace_back("trainable=False");
        } else if (key == "batch_input_shape" || key == "batch_shape") {
            if (!value.is_null())
                last.push_back("batch_input_shape=" + pythonLiteral(value));
        } else {
            takeAttribute(request, definition, target, key, value, call);
        }
    }
    // Where a key of another edition of Keras stands, attributes that are not given mean what they do there.
    for (const AttributeDefinition& attribute : definition.attributes)
        if (!attribute.editionMarker.empty() && request.config.contains(attribute.editionMarker) &&
            !request.config.contains(attribute.name) && hasWord(target.arguments, attribute.name))
            call.arguments.push_back(attribute.name + "=" + pythonLiteral(attribute.editionDefault));
    std::ranges::move(last, std::back_inserter(call.arguments));
    if (request.config.contains("name") && request.config["name"].is_string())
        call.arguments.push_back(
            "name=" + pythonLiteral(tensorFlowName(request.config["name"].get_ref<const std::string&>())));
    return call;
}

/// Of a layer that neither the edition nor code of the program is.
void LayerWriter::refuseLayer(const LayerRequest& request, const LayerDefinition* definition) {
    constexpr const char* replace = "replace it by layers of Keras before exporting";
    if (request.className == onnxNodeClass)
        return refuse(request,
                      fmt::format("no layer of Keras is the ONNX operator {}",
                                  request.config.value("op_type", std::string("of this node"))),
                      replace);
    if (definition == nullptr || definition->isOpaque)
        return refuse(request,
                      fmt::format("what the layer {} computes is not in the project", request.className),
                      replace);
    refuse(request,
           fmt::format("{} has no layer {}, and nothing that computes the same", nameOf(m_api),
                       request.className),
           findKerasClass(request.className, PythonApi::TensorFlow24) != nullptr ? "export for 2.4"
                                                                                 : replace);
}

PythonCallText LayerWriter::text(const LayerRequest& request) {
    const LayerDefinition* definition = findLayerDefinition(std::string(request.className));
    const Json entry{{"class_name", request.className}, {"config", request.config}};
    const PythonCallText whole{"tf.keras.layers.deserialize", {pythonLiteral(entry)}};
    if (request.className == "Lambda" || request.className == "TensorFlowOpLayer")
        return whole; // Keras' own form of code
    const Target target = definition == nullptr ? Target{} : targetOf(request, *definition);
    if (target.callee.empty()) {
        refuseLayer(request, definition);
        return whole;
    }
    if (request.className == "HostEmbedding")
        m_hostTables.emplace_back(request.place);
    return callOf(request, *definition, target);
}

// ---- classes of the program -----------------------------------------------------------------------------

void LayerWriter::writeConstructor(PythonText& text, const OwnClass& own) const {
    std::vector<std::string> names = wordsOf(own.layer->arguments);
    if (names.empty())
        return;
    std::vector<std::string> parameters{"self"};
    std::vector<std::string> optional;
    for (const std::string& name : names) {
        const AttributeDefinition* attribute = own.definition->findAttribute(name);
        const bool isRequired = attribute == nullptr || attribute->isRequired;
        if (isRequired)
            parameters.push_back(name);
        else
            optional.push_back(name + "=" + constantText(attribute->defaultValue));
    }
    std::ranges::move(optional, std::back_inserter(parameters));
    parameters.emplace_back("**kwargs");
    text.line();
    text.call("def __init__", parameters, ":");
    text.indent();
    text.line("super().__init__(**kwargs)");
    for (const std::string& name : names)
        text.line(fmt::format("self.{0} = {0}", name));
    text.dedent();
}

/// What a saved model needs to make the layer again.
void LayerWriter::writeConfig(PythonText& text, const OwnClass& own) {
    std::vector<std::string> kept{"super().get_config()"};
    for (const std::string& name : wordsOf(own.layer->arguments))
        kept.push_back(fmt::format("{0}=self.{0}", name));
    const bool holdsLayers =
        hasWord(own.layer->arguments, "layer") || hasWord(own.layer->arguments, "layers");
    if (kept.size() == 1 || holdsLayers)
        return;
    text.line();
    text.line("def get_config(self):");
    text.indent();
    text.call("return dict", kept);
    text.dedent();
}

/// A formula is the code of its class. The system fuses what is arithmetic alone, but knows no gradient of
/// that.
void LayerWriter::writeFormula(PythonText& text, const OwnClass& own) const {
    const auto formula = pythonFormula(own.constants["expression"].get<std::string>());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < own.inputs; ++i)
        names.push_back(fmt::format("x{}", i));
    const std::string list = fmt::format("{}", fmt::join(names, ", "));
    text.line();
    text.line("def call(self, inputs):");
    text.indent();
    text.line(list + " = inputs");
    if (formula && !formula->callsFunctions && !m_differentiatesExpressions)
        text.call("return ipu.custom_ops.codelet_expression_op",
                  {fmt::format("lambda {}: {}", list, formula->text), list});
    else
        text.line("return " + (formula ? formula->text : list));
    text.dedent();
}

void LayerWriter::writeClass(PythonText& text, const OwnClass& own) const {
    text.line();
    text.line();
    text.line(fmt::format("class {}({}):", own.name, own.layer->base));
    text.indent();
    text.line(fmt::format("\"\"\"{}\"\"\"", summaryOf(own.definition->documentation)));
    text.line();
    // The reader takes the class for this layer.
    text.line(fmt::format("{} = {}", writtenClassMark, pythonLiteral(own.layer->className)));
    for (const auto& [name, value] : own.constants.items())
        text.line(fmt::format("{} = {}", name, pythonLiteral(value)));
    writeConstructor(text, own);
    if (own.layer->className == "ElementwiseExpression") {
        writeFormula(text, own);
    } else {
        text.line();
        text.block(own.layer->body);
    }
    writeConfig(text, own);
    text.dedent();
}

void LayerWriter::writeClasses(PythonText& text) const {
    if (!m_activations.empty()) {
        std::vector<std::string> entries;
        for (const auto& [name, function] : m_activations)
            entries.push_back(fmt::format("{}: {}", pythonLiteral(name), function));
        text.line();
        text.line(fmt::format("# Activations that {} does not know by name.", nameOf(m_api)));
        text.call("tf.keras.utils.get_custom_objects().update",
                  {fmt::format("{{{}}}", fmt::join(entries, ", "))});
    }
    if (!m_classes.empty()) {
        text.line();
        text.line("# Layers that the libraries have no class for: IPU Workbench reads them as "
                  "workbench_layer says.");
    }
    for (const OwnClass& own : m_classes)
        writeClass(text, own);
}

} // namespace core
