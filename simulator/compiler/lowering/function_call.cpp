#include "simulator/compiler/lowering/function_call.h"

#include <algorithm>

namespace simulator {

using core::DataType;
using core::Json;
using core::TensorId;

namespace {

void flatten(const Json& value, std::vector<double>& numbers) {
    if (value.is_number())
        numbers.push_back(value.get<double>());
    else if (value.is_boolean())
        numbers.push_back(value.get<bool>() ? 1 : 0);
    else if (value.is_array())
        std::ranges::for_each(value, [&](const Json& entry) { flatten(entry, numbers); });
}

} // namespace

Json setting(const LoweringCall& call, std::initializer_list<const char*> names, std::size_t position) {
    for (const char* name : names) {
        const auto found = call.arguments.find(name);
        if (found != call.arguments.end())
            return *found;
    }
    const auto positional = call.arguments.find("$args");
    const bool isThere =
        positional != call.arguments.end() && positional->is_array() && position < positional->size();
    if (isThere)
        return (*positional)[position];
    // Operations of Keras 3 keep their settings in the config.
    for (const char* name : names) {
        const auto found = call.attributes.config().find(name);
        if (found != call.attributes.config().end())
            return *found;
    }
    return nullptr;
}

std::vector<std::int64_t> integersOf(const Json& value) {
    std::vector<std::int64_t> list;
    for (const Json& entry : value.is_array() ? value : Json::array({value})) {
        if (entry.is_number())
            list.push_back(entry.get<std::int64_t>());
    }
    return list;
}

std::optional<TensorId> constantOf(GraphBuilder& build, const Json& value, DataType type) {
    if (!value.is_number() && !value.is_boolean() && !value.is_array())
        return std::nullopt;
    std::vector<double> numbers;
    flatten(value, numbers);
    Extents extents;
    for (const Json* level = &value; level->is_array() && !level->empty(); level = &level->front())
        extents.push_back(static_cast<std::int64_t>(level->size()));
    if (elementCount(extents) != static_cast<std::int64_t>(numbers.size()))
        return std::nullopt;
    if (numbers.size() == 1)
        return build.constant(numbers.front(), std::move(extents), type);
    return build.constant("operand", std::move(numbers), {std::move(extents), type});
}

} // namespace simulator
