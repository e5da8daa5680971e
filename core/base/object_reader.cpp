#include "core/base/object_reader.h"

#include "core/base/whole_number.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

/// How a value of the wanted type is written.
std::string exampleOf(std::string_view wanted) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> examples{{
        {"text", R"("text")"},
        {"a whole number", "8"},
        {"a number", "0.5"},
        {"true or false", "true"},
        {"a list", "[0, 1]"},
        {"an object", R"({"key": "value"})"},
    }};
    const auto* const found = std::find_if(examples.begin(), examples.end(),
                                           [&](const auto& example) { return example.first == wanted; });
    return fmt::format("write {}, for example {}", wanted, found->second);
}

} // namespace

ObjectReader::ObjectReader(const Json& object, std::string file, std::string pointer, Diagnostics& findings)
    : m_object(object)
    , m_file(std::move(file))
    , m_pointer(std::move(pointer))
    , m_findings(findings) {
    if (!m_object.is_object())
        m_findings.push_back(makeError(Trouble::Input, "project/wrong-type", {m_file, m_pointer},
                                       fmt::format("expected an object, found {}", typeName(m_object)),
                                       {"write it as {\"key\": value, …}"}));
}

std::optional<std::string> ObjectReader::readText(std::string_view key) {
    const Json* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_string()) {
        refuseType(key, *value, "text");
        return std::nullopt;
    }
    return value->get<std::string>();
}

std::optional<bool> ObjectReader::readBool(std::string_view key) {
    const Json* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_boolean()) {
        refuseType(key, *value, "true or false");
        return std::nullopt;
    }
    return value->get<bool>();
}

std::optional<std::int64_t> ObjectReader::readInteger(std::string_view key, std::int64_t low,
                                                      std::int64_t high) {
    const Json* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    const std::optional<std::int64_t> number = wholeNumber(*value);
    // 1e99 is a whole number, only none that anything can count to.
    const bool isTooLarge =
        value->is_number_float() && std::floor(value->get<double>()) == value->get<double>();
    if (!number && (value->is_number_integer() || isTooLarge)) {
        const bool isBounded = low != anyLow || high != anyHigh;
        refuse(key, "project/out-of-range",
               isBounded
                   ? fmt::format("\"{}\" is {}, allowed are {} to {}", key, toText(*value, -1), low, high)
                   : fmt::format("\"{}\" is {}, which is out of range", key, toText(*value, -1)),
               {isBounded ? "choose a value in that range" : "choose a smaller number"});
        return std::nullopt;
    }
    if (!number) {
        refuseType(key, *value, "a whole number");
        return std::nullopt;
    }
    if (*number < low || *number > high) {
        refuse(key, "project/out-of-range",
               fmt::format("\"{}\" is {}, allowed are {} to {}", key, *number, low, high),
               {"choose a value in that range"});
        return std::nullopt;
    }
    return number;
}

std::optional<double> ObjectReader::readNumber(std::string_view key, double low, double high) {
    const Json* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_number()) {
        refuseType(key, *value, "a number");
        return std::nullopt;
    }
    const auto number = value->get<double>();
    if (!(number >= low && number <= high)) {
        refuse(key, "project/out-of-range",
               fmt::format("\"{}\" is {}, allowed are {} to {}", key, number, low, high),
               {"choose a value in that range"});
        return std::nullopt;
    }
    return number;
}

std::optional<std::size_t> ObjectReader::readChoice(std::string_view key,
                                                    std::span<const std::string_view> names) {
    const std::optional<std::string> text = readText(key);
    if (!text)
        return std::nullopt;
    const auto found = std::find(names.begin(), names.end(), *text);
    if (found != names.end())
        return static_cast<std::size_t>(found - names.begin());
    std::vector<std::string> hints{fmt::format("allowed: {}", fmt::join(names, ", "))};
    if (const auto near = nearestName(*text, std::vector<std::string>(names.begin(), names.end())))
        hints.insert(hints.begin(), fmt::format("did you mean \"{}\"?", *near));
    refuse(key, "project/unknown-value", fmt::format("\"{}\" cannot be \"{}\"", key, *text),
           std::move(hints));
    return std::nullopt;
}

std::optional<std::vector<std::int64_t>> ObjectReader::readIntegers(std::string_view key, std::int64_t low,
                                                                    std::int64_t high) {
    const Json* list = readList(key);
    if (list == nullptr)
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::optional<std::int64_t> number = wholeNumber((*list)[i]);
        if (!number || *number < low || *number > high) {
            m_findings.push_back(
                makeError(Trouble::Input, "project/wrong-type", {m_file, childPointer(pointerTo(key), i)},
                          fmt::format("expected a whole number from {} to {}, found {}", low, high,
                                      number ? std::to_string(*number) : std::string(typeName((*list)[i]))),
                          {"write a whole number in that range"}));
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<std::vector<std::string>> ObjectReader::readTexts(std::string_view key) {
    const Json* list = readList(key);
    if (list == nullptr)
        return std::nullopt;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < list->size(); ++i) {
        if (!(*list)[i].is_string()) {
            m_findings.push_back(
                makeError(Trouble::Input, "project/wrong-type", {m_file, childPointer(pointerTo(key), i)},
                          fmt::format("expected text, found {}", typeName((*list)[i])), {exampleOf("text")}));
            return std::nullopt;
        }
        texts.push_back((*list)[i].get<std::string>());
    }
    return texts;
}

const Json* ObjectReader::readValue(std::string_view key) {
    return find(key);
}

const Json* ObjectReader::readObject(std::string_view key) {
    const Json* value = find(key);
    if (value != nullptr && !value->is_object()) {
        refuseType(key, *value, "an object");
        return nullptr;
    }
    return value;
}

const Json* ObjectReader::readList(std::string_view key) {
    const Json* value = find(key);
    if (value != nullptr && !value->is_array()) {
        refuseType(key, *value, "a list");
        return nullptr;
    }
    return value;
}

bool ObjectReader::has(std::string_view key) const {
    return m_object.is_object() && m_object.contains(key);
}

void ObjectReader::require(std::string_view key) {
    if (m_object.is_object() && find(key) == nullptr)
        m_findings.push_back(makeError(Trouble::Input, "project/missing-key", {m_file, m_pointer},
                                       fmt::format("the key \"{}\" is missing", key),
                                       {fmt::format("add \"{}\"", key)}));
}

void ObjectReader::finish() {
    if (!m_object.is_object())
        return;
    for (const auto& [key, value] : m_object.items()) {
        if (std::find(m_known.begin(), m_known.end(), key) != m_known.end())
            continue;
        std::vector<std::string> hints;
        if (const auto near = nearestName(key, m_known))
            hints.push_back(fmt::format("did you mean \"{}\"?", *near));
        else
            hints.push_back(fmt::format("known here: {}", fmt::join(m_known, ", ")));
        refuse(key, "project/unknown-key", fmt::format("unknown key \"{}\"", key.substr(0, 80)),
               std::move(hints));
    }
}

void ObjectReader::refuse(std::string_view key, std::string code, std::string message, Hints hints) {
    m_findings.push_back(makeError(Trouble::Input, std::move(code), {m_file, pointerTo(key)},
                                   std::move(message), std::move(hints)));
}

const Json* ObjectReader::find(std::string_view key) {
    if (std::find(m_known.begin(), m_known.end(), key) == m_known.end())
        m_known.emplace_back(key);
    if (!m_object.is_object())
        return nullptr;
    const auto found = m_object.find(key);
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

void ObjectReader::refuseType(std::string_view key, const Json& value, std::string_view wanted) {
    refuse(key, "project/wrong-type", fmt::format("\"{}\" must be {}, not {}", key, wanted, typeName(value)),
           {exampleOf(wanted)});
}

} // namespace core
