#include "core/model/layer_attributes.h"

#include "core/model/initializer_catalogue.h"
#include "core/model/layer_definition.h"
#include "core/text/text_case.h"

#include <algorithm>

namespace core {

namespace {

const Json nullValue;

const Json* member(const Json& object, const std::string& name) {
    if (!object.is_object())
        return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

std::int64_t integerOf(const Json& value) {
    return wholeNumber(value).value_or(0);
}

} // namespace

const Json* LayerAttributes::find(std::string_view name) const {
    const AttributeDefinition* attribute = m_definition->findAttribute(name);
    if (attribute == nullptr)
        return nullptr;
    if (const Json* value = member(*m_config, attribute->name))
        return value;
    for (const std::string& alias : attribute->aliases) {
        if (const Json* value = member(*m_config, alias))
            return value;
    }
    return nullptr;
}

const Json& LayerAttributes::value(std::string_view name) const {
    const AttributeDefinition* attribute = m_definition->findAttribute(name);
    if (attribute == nullptr)
        return nullValue;
    const Json* given = find(name);
    if (given != nullptr && (!given->is_null() || attribute->isNullable))
        return *given;
    const bool isOtherEdition =
        !attribute->editionMarker.empty() && member(*m_config, attribute->editionMarker) != nullptr;
    return isOtherEdition ? attribute->editionDefault : attribute->defaultValue;
}

bool LayerAttributes::isGiven(std::string_view name) const {
    const Json* given = find(name);
    return given != nullptr && !given->is_null();
}

std::int64_t LayerAttributes::integer(std::string_view name) const {
    return integerOf(value(name));
}

std::optional<std::int64_t> LayerAttributes::optionalInteger(std::string_view name) const {
    return wholeNumber(value(name));
}

double LayerAttributes::number(std::string_view name) const {
    const Json& given = value(name);
    return given.is_number() ? given.get<double>() : 0.0;
}

bool LayerAttributes::boolean(std::string_view name) const {
    const Json& given = value(name);
    return given.is_boolean() ? given.get<bool>() : (given.is_number() && given != 0);
}

std::string LayerAttributes::text(std::string_view name) const {
    const Json& given = value(name);
    if (!given.is_string())
        return {};
    auto text = given.get<std::string>();
    const AttributeDefinition* attribute = m_definition->findAttribute(name);
    if (attribute == nullptr || attribute->kind != AttributeKind::Choice ||
        std::ranges::find(attribute->choices, text) != attribute->choices.end())
        return text;
    const std::string lower = lowerCase(text); // Keras takes "SAME" for "same"
    const auto choice = std::ranges::find(attribute->choices, lower, lowerCase);
    return choice == attribute->choices.end() ? text : *choice;
}

std::vector<std::int64_t> LayerAttributes::integers(std::string_view name) const {
    const Json& given = value(name);
    const AttributeDefinition* attribute = m_definition->findAttribute(name);
    if (given.is_null() || attribute == nullptr)
        return {};
    if (given.is_number())
        return std::vector<std::int64_t>(attribute->rank, integerOf(given));
    std::vector<std::int64_t> entries;
    for (const Json& entry : given)
        entries.push_back(integerOf(entry));
    if (entries.size() == 1 && attribute->rank > 1)
        entries.resize(attribute->rank, entries.front());
    return entries;
}

std::vector<std::pair<std::int64_t, std::int64_t>> LayerAttributes::padding(std::string_view name) const {
    const Json& given = value(name);
    const AttributeDefinition* attribute = m_definition->findAttribute(name);
    const std::size_t rank = attribute == nullptr ? 0 : attribute->rank;
    if (given.is_number())
        return {rank, {integerOf(given), integerOf(given)}};
    std::vector<std::pair<std::int64_t, std::int64_t>> amounts;
    if (!given.is_array())
        return amounts;
    if (rank == 1 && given.size() == 2)
        return {{integerOf(given[0]), integerOf(given[1])}};
    for (const Json& entry : given) {
        if (entry.is_array() && entry.size() == 2)
            amounts.emplace_back(integerOf(entry[0]), integerOf(entry[1]));
        else
            amounts.emplace_back(integerOf(entry), integerOf(entry));
    }
    return amounts;
}

std::vector<std::int64_t> LayerAttributes::axes(std::string_view name) const {
    const Json& given = value(name);
    if (given.is_null())
        return {};
    if (!given.is_array())
        return {integerOf(given)};
    std::vector<std::int64_t> list;
    for (const Json& axis : given)
        list.push_back(integerOf(axis));
    return list;
}

ActivationSpec LayerAttributes::activation(std::string_view name) const {
    return activationFromJson(value(name));
}

Json LayerAttributes::initializer(std::string_view name) const {
    const AttributeDefinition* attribute = m_definition->findAttribute(name);
    const bool hasText = attribute != nullptr && attribute->defaultValue.is_string();
    return initializerFromJson(value(name), hasText ? attribute->defaultValue.get<std::string>() : "zeros");
}

} // namespace core
