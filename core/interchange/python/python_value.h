#pragma once

#include "core/base/json.h"
#include "core/interchange/python/python_syntax.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace core {

/// What an expression of a program stands for, as far as models and their options need it.
struct PythonValue {
    enum class Kind : std::uint8_t {
        Plain,         ///< None, a truth value, a number, a text: `json`
        List,          ///< also tuples: `items`
        Dictionary,    ///< key, value, … in `items`
        Symbol,        ///< something of a library, by its full name: `text`
        Object,        ///< a Keras object of a class: {"class_name", "config"} in `json`
        Layer,         ///< `index` among the layers
        Tensor,        ///< output `output` of call `call` of layer `index`
        Model,         ///< `index` among the models
        Configuration, ///< an option, or the root, of configuration `index`: `text`
        Function,      ///< a function of the program
        Data,  ///< samples; `index` is the batch size (0: unknown), `text` the dataset where it is one of
               ///< Keras'; a placeholder has its number, from 1, in `call` and its shape in `json`
        Queue, ///< an infeed or outfeed queue (`text`) with its options in `json`; items[0]: its dataset;
               ///< `call` is 1 for one that keeps the last result only
        Loss,  ///< {"class_name", "config"} in `json` of the tensor items[0]
        Scope, ///< a strategy or its scope
        Stage, ///< the scope of pipeline stage `index`
        Shard, ///< the scope of the shard on IPU `index`
        Assignment, ///< entry `call` of the stage assignment of model `index`; its layer when `output` is 1
        Method,     ///< `text` of the value items[0]
        Lambda,
    };
    Kind kind = Kind::Plain;
    Json json;
    std::string text;
    std::vector<PythonValue> items;
    std::int64_t index = 0;
    std::int64_t call = 0;
    std::int64_t output = 0;
    const PythonStatement* function = nullptr;
    PythonPlace place;

    [[nodiscard]] static PythonValue plain(Json json) {
        PythonValue value;
        value.json = std::move(json);
        return value;
    }
    [[nodiscard]] static PythonValue of(Kind kind, std::int64_t index = 0) {
        PythonValue value;
        value.kind = kind;
        value.index = index;
        return value;
    }
    [[nodiscard]] static PythonValue of(Kind kind, std::string text) {
        PythonValue value = of(kind);
        value.text = std::move(text);
        return value;
    }

    [[nodiscard]] bool isNone() const { return kind == Kind::Plain && json.is_null(); }
    [[nodiscard]] bool isText() const { return kind == Kind::Plain && json.is_string(); }
};

/// What stands behind the last dot of a library's name for something.
[[nodiscard]] inline std::string lastPart(const std::string& path) {
    return path.substr(path.rfind('.') + 1);
}

} // namespace core
