#include "core/interchange/keras/keras_reader.h"

#include <fmt/format.h>

namespace core {

void KerasWarnings::note(const std::string& key, Entry entry) {
    const auto [known, isNew] = m_index.emplace(key, m_entries.size());
    if (isNew)
        m_entries.push_back(std::move(entry));
    ++m_entries[known->second].count;
}

void KerasWarnings::unknownLayer(const std::string& className, const std::string& layer,
                                 const std::string& base, const std::string& pointer) {
    std::string message =
        base.empty()
            ? fmt::format("layer \"{}\" is of the unknown class \"{}\": it is opaque, its output taken to "
                          "have its input's shape",
                          layer, className)
            : fmt::format("layer \"{}\" is of the unknown class \"{}\": its shapes and weights are taken to "
                          "be those of \"{}\"",
                          layer, className, base);
    note("layer " + className, {"keras/unknown-layer", std::move(message),
                                "a run needs its shape and cost under \"opaque_layers\"", pointer, 0});
}

void KerasWarnings::opaqueLayer(const std::string& className, const std::string& layer,
                                const std::string& pointer) {
    note("opaque " + className,
         {"keras/opaque-layer",
          fmt::format(
              "{} \"{}\" is Python code: its output is taken to have the shape that the file declares, "
              "or its input's",
              className, layer),
          "a run needs its shape and cost under \"opaque_layers\"", pointer, 0});
}

void KerasWarnings::unknownAttribute(const std::string& className, const std::string& attribute,
                                     const std::string& layer, const std::string& pointer) {
    note("attribute " + className + "/" + attribute,
         {"keras/unknown-attribute",
          fmt::format("{} \"{}\" has the unknown attribute \"{}\": it is kept and has no effect", className,
                      layer, attribute.substr(0, 80)),
          "check its spelling, or remove it", pointer, 0});
}

void KerasWarnings::unknownActivation(const std::string& name, const std::string& layer,
                                      const std::string& pointer) {
    note("activation " + name,
         {"keras/unknown-activation",
          fmt::format("layer \"{}\" uses the unknown activation \"{}\"", layer, name.substr(0, 80)),
          "a run needs one that Keras has", pointer, 0});
}

void KerasWarnings::appendTo(Diagnostics& warnings, std::string_view file) const {
    for (const Entry& entry : m_entries) {
        std::string message = entry.message;
        if (entry.count > 1)
            message += fmt::format(" ({} times)", entry.count);
        warnings.push_back(makeWarning(Trouble::Input, entry.code, {std::string(file), entry.pointer},
                                       std::move(message), {entry.hint}));
    }
}

} // namespace core
