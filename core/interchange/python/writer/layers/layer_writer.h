#pragma once

#include "core/base/diagnostic.h"
#include "core/interchange/python/writer/layers/written_layers.h"
#include "core/interchange/python/writer/text/python_edition.h"
#include "core/interchange/python/writer/text/python_text.h"
#include "core/model/layer_definition.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace core {

/// What a layer is written from.
struct LayerRequest {
    std::string_view className;
    const Json& config;
    /// Keras' module of it: "ipu.keras.layers" of a class that Keras has, too.
    std::string_view module = {};
    /// The layer's name, for findings.
    std::string_view place = {};
    /// Tensors of its first call.
    std::size_t inputs = 1;
    /// It is called with use_causal_mask.
    bool isCausal = false;
    /// Attributes that are an expression already: an inner model.
    std::map<std::string, std::string, std::less<>> expressions = {};
};

/// Writes layers as expressions that make them, of classes that the edition has; where it has none, of small
/// classes that the program defines itself.
class LayerWriter {
public:
    /// Names of the program's own functions and classes are kept apart in `names`. Formulas that are
    /// differentiated are written as functions that have a gradient.
    LayerWriter(PythonApi api, std::set<std::string>& names, bool differentiatesExpressions)
        : m_api(api)
        , m_names(names)
        , m_differentiatesExpressions(differentiatesExpressions) {}

    /// Files a problem where the edition cannot make the layer.
    [[nodiscard]] PythonCallText text(const LayerRequest& request);

    /// The classes and activations that the layers so far use.
    void writeClasses(PythonText& text) const;
    /// How often a class with that base name was used: "CrossReplicaMean".
    [[nodiscard]] bool uses(std::string_view className) const;
    /// Names of the layers whose table stays in the host's memory.
    [[nodiscard]] const std::vector<std::string>& hostTables() const { return m_hostTables; }
    [[nodiscard]] const Diagnostics& problems() const { return m_problems; }

    /// A layer's name as TensorFlow takes it: other letters become underscores.
    [[nodiscard]] static std::string tensorFlowName(std::string_view name);

private:
    /// A class of the program.
    struct OwnClass {
        std::string name;
        const WrittenLayer* layer = nullptr;
        const LayerDefinition* definition = nullptr;
        /// Constants of the class.
        Json constants;
        std::size_t inputs = 1;
    };
    /// The class that a request's layer is made of.
    struct Target {
        std::string callee;
        std::string_view arguments;
        std::string_view newerArguments;
        std::string_view constants;
    };

    Target targetOf(const LayerRequest& request, const LayerDefinition& definition);
    std::string ownClass(const LayerRequest& request, const LayerDefinition& definition,
                         const WrittenLayer& layer);
    PythonCallText callOf(const LayerRequest& request, const LayerDefinition& definition,
                          const Target& target);
    void takeAttribute(const LayerRequest& request, const LayerDefinition& definition, const Target& target,
                       const std::string& key, const Json& value, PythonCallText& call);
    std::string valueText(const LayerRequest& request, const AttributeDefinition* attribute,
                          const Json& value);
    std::string layerValue(const LayerRequest& request, const Json& value);
    void checkActivation(const LayerRequest& request, const Json& value);
    void refuse(const LayerRequest& request, std::string message, std::string hint);
    void refuseLayer(const LayerRequest& request, const LayerDefinition* definition);

    void writeClass(PythonText& text, const OwnClass& own) const;
    void writeConstructor(PythonText& text, const OwnClass& own) const;
    static void writeConfig(PythonText& text, const OwnClass& own);
    void writeFormula(PythonText& text, const OwnClass& own) const;

    PythonApi m_api;
    std::set<std::string>& m_names;
    bool m_differentiatesExpressions;
    std::vector<OwnClass> m_classes;
    /// Functions registered under the name of an activation.
    std::map<std::string, std::string> m_activations;
    std::vector<std::string> m_hostTables;
    Diagnostics m_problems;
};

} // namespace core
