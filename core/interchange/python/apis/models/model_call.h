#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

namespace core {

/// A call of a function of a model.
struct ModelCall {
    const PythonApiCall& call;
    PythonModelName name;

    [[nodiscard]] PythonModel& model() const { return call.builder.model(name.model); }
    [[nodiscard]] PythonArguments& arguments() const { return call.arguments; }
    [[nodiscard]] PythonPlace place() const { return call.arguments.place; }
    [[nodiscard]] Json json(const PythonValue& value) const {
        return call.builder.json(value, call.arguments.place);
    }
};

} // namespace core
