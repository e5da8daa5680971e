#pragma once

#include "core/base/json.h"
#include "core/model/activation_catalogue.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

struct LayerDefinition;

/// The attributes of one layer with Keras' defaults filled in: what everybody reads instead of raw `config`.
/// Names are those of the definition; names of other Keras editions are found too. Asking for an attribute
/// the definition does not have answers null. The values must have passed the definition's checks.
class LayerAttributes {
public:
    /// Both must outlive this.
    LayerAttributes(const LayerDefinition& definition, const Json& config)
        : m_definition(&definition)
        , m_config(&config) {}

    [[nodiscard]] const LayerDefinition& definition() const { return *m_definition; }
    [[nodiscard]] const Json& config() const { return *m_config; }

    /// The value in force, as JSON.
    [[nodiscard]] const Json& value(std::string_view name) const;
    [[nodiscard]] bool isNull(std::string_view name) const { return value(name).is_null(); }
    /// True when the file itself gives it, under any name, and not as null.
    [[nodiscard]] bool isGiven(std::string_view name) const;

    [[nodiscard]] std::int64_t integer(std::string_view name) const;
    [[nodiscard]] std::optional<std::int64_t> optionalInteger(std::string_view name) const;
    [[nodiscard]] double number(std::string_view name) const;
    [[nodiscard]] bool boolean(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name) const;
    /// A tuple with a single number repeated to the attribute's rank. Empty when null.
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
    /// {before, after} per field axis.
    [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> padding(std::string_view name) const;
    /// One axis or several as a list.
    [[nodiscard]] std::vector<std::int64_t> axes(std::string_view name) const;
    [[nodiscard]] ActivationSpec activation(std::string_view name = "activation") const;
    /// {"class_name", "config"}.
    [[nodiscard]] Json initializer(std::string_view name) const;

private:
    const Json* find(std::string_view name) const;

    const LayerDefinition* m_definition;
    const Json* m_config;
};

} // namespace core
