#pragma once

#include "core/base/result.h"
#include "core/interchange/keras/keras_inbound.h"
#include "core/model/layer_definition.h"
#include "core/model/model_graph.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace core {

/// Collects what is worth a warning once per kind, over a whole document.
class KerasWarnings {
public:
    void unknownLayer(const std::string& className, const std::string& layer, const std::string& base,
                      const std::string& pointer);
    void opaqueLayer(const std::string& className, const std::string& layer, const std::string& pointer);
    void unknownAttribute(const std::string& className, const std::string& attribute,
                          const std::string& layer, const std::string& pointer);
    void unknownActivation(const std::string& name, const std::string& layer, const std::string& pointer);
    /// In the order of first sight.
    void appendTo(Diagnostics& warnings, std::string_view file) const;

private:
    struct Entry {
        std::string code;
        std::string message;
        std::string hint;
        std::string pointer;
        std::size_t count = 0;
    };
    void note(const std::string& key, Entry entry);

    std::vector<Entry> m_entries;
    std::unordered_map<std::string, std::size_t> m_index;
};

/// Reads one model entry {"class_name", "config", …}; nested models recursively. Findings carry JSON
/// pointers.
class KerasReader {
public:
    KerasReader(std::string_view file, Diagnostics& findings, KerasWarnings& warnings)
        : m_file(file)
        , m_findings(findings)
        , m_warnings(warnings) {}

    [[nodiscard]] std::optional<ModelGraph> readModel(const Json& entry, const std::string& pointer,
                                                      int depth);

private:
    struct Draft;

    void refuse(std::string code, std::string pointer, std::string message, std::vector<std::string> hints);
    void readExtras(const Json& entry, const Json& config, ModelGraph& graph) const;
    bool readLayers(const Json& list, Draft& draft, int depth);
    std::optional<Layer> readLayer(const Json& entry, const std::string& pointer, int depth);
    bool readInnerModel(const Json& entry, const std::string& pointer, int depth, Layer& layer);
    void checkLayer(const Json& config, const std::string& className, const std::string& name,
                    const std::string& pointer);
    void checkWrapped(const Json& config, const LayerDefinition& definition, const std::string& name,
                      const std::string& pointer);
    void connectChain(Draft& draft);
    void addImplicitInput(Draft& draft);
    void connectCalls(const Json& list, Draft& draft);
    void resolveCalls(const Json& config, Draft& draft);
    void readEnds(const Json& config, Draft& draft);
    std::optional<TensorRef> resolve(const KerasHistory& history, const Draft& draft,
                                     const std::string& pointer);
    std::optional<std::vector<TensorRef>> readEnd(const Json& config, const char* key, Draft& draft);

    std::string m_file;
    Diagnostics& m_findings;
    KerasWarnings& m_warnings;
};

} // namespace core
