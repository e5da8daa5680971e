#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

enum class TemplateParameterKind : std::uint8_t {
    Integer,
    Number,
    Switch,
    Text,
    Choice,
    Integers, ///< 3,7,7,7
    Numbers,
    Texts, ///< block4a,block6a
};

/// A setting of a template, as `new TEMPLATE key=value` takes it.
struct TemplateParameter {
    std::string name;
    TemplateParameterKind kind = TemplateParameterKind::Integer;
    /// Null: worked out from the others, as the documentation says.
    Json defaultValue;
    std::string documentation;
    double low = -1e308;
    double high = 1e308;
    std::vector<std::string> choices;
    /// Names it also goes by in other programs.
    std::vector<std::string> aliases;
};

/// By any of its names; null where there is none.
[[nodiscard]] const TemplateParameter* findParameter(std::span<const TemplateParameter> parameters,
                                                     std::string_view name);

/// Makers of parameters.
namespace parameter {

[[nodiscard]] TemplateParameter integer(std::string name, Json byDefault, std::int64_t low, std::int64_t high,
                                        std::string documentation);
[[nodiscard]] TemplateParameter number(std::string name, Json byDefault, double low, double high,
                                       std::string documentation);
[[nodiscard]] TemplateParameter toggle(std::string name, bool byDefault, std::string documentation);
[[nodiscard]] TemplateParameter text(std::string name, Json byDefault, std::string documentation);
[[nodiscard]] TemplateParameter choice(std::string name, std::vector<std::string> choices,
                                       std::string documentation);
[[nodiscard]] TemplateParameter list(TemplateParameterKind kind, std::string name, Json byDefault,
                                     std::string documentation);
[[nodiscard]] TemplateParameter withAliases(TemplateParameter parameter, std::vector<std::string> aliases);

} // namespace parameter

/// "integer 1 … 512", "one of 18, 34, 50", "list of integers": for tables of parameters.
[[nodiscard]] std::string acceptedValues(const TemplateParameter& parameter);

/// Checked settings of one template, defaults filled in.
class TemplateArguments {
public:
    /// Errors, all collected, the key as place: "template/unknown-key" with the nearest known one,
    /// "template/value". `given` is an object; text is read as `key=value` writes it ("3,7,7,7", "true",
    /// "50").
    [[nodiscard]] static Result<TemplateArguments> read(std::span<const TemplateParameter> parameters,
                                                        const Json& given);

    /// True when the setting is neither left out nor null.
    [[nodiscard]] bool has(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name) const;
    [[nodiscard]] double number(std::string_view name) const;
    [[nodiscard]] bool isOn(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
    [[nodiscard]] std::vector<double> numbers(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;

private:
    [[nodiscard]] const Json& value(std::string_view name) const;

    std::map<std::string, Json, std::less<>> m_values;
};

} // namespace core
