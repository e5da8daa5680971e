#include "simulator/cost/query/query_names.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace simulator {

namespace {

using core::Json;

struct OtherName {
    std::string_view other;
    std::string_view name;
};

constexpr std::array operationNames{
    OtherName{"matvec", "matvec_partials"},
    OtherName{"matrix_vector", "matvec_partials"},
    OtherName{"matrix_vector_product", "matvec_partials"},
    OtherName{"conv1d", "conv"},
    OtherName{"conv2d", "conv"},
    OtherName{"convolution", "conv"},
    OtherName{"gemm", "matmul"},
    OtherName{"matrix_product", "matmul"},
    OtherName{"stream_copy", "host_stream_copy"},
    OtherName{"host_copy", "host_stream_copy"},
    OtherName{"vertex_step", "program_step"},
};

/// Keys of one operation; an empty one stands for all.
struct OtherKey {
    std::string_view operation;
    std::string_view other;
    std::string_view name;
};

constexpr std::array keyNames{
    OtherKey{"", "dtype", "type"},
    OtherKey{"", "precision", "type"},
    OtherKey{"", "partials_type", "partials"},
    OtherKey{"", "partialsType", "partials"},
    OtherKey{"", "availableMemoryProportion", "available_memory_proportion"},
    OtherKey{"conv", "batch_size", "batch"},
    OtherKey{"conv", "kernel_size", "kernel"},
    OtherKey{"conv", "strides", "stride"},
    OtherKey{"conv", "dilation_rate", "dilation"},
    OtherKey{"conv", "filters", "out_channels"},
    OtherKey{"conv", "conv_groups", "groups"},
    OtherKey{"conv", "channels", "in_channels"},
    OtherKey{"matmul", "rows", "m"},
    OtherKey{"matmul", "inner", "k"},
    OtherKey{"matmul", "columns", "n"},
    OtherKey{"matvec_partials", "m", "rows"},
    OtherKey{"matvec_partials", "k", "columns"},
    OtherKey{"matvec_partials", "n", "columns"},
    OtherKey{"matvec_partials", "segments", "column_segments"},
};

bool isForPeople(std::string_view key) {
    constexpr std::array<std::string_view, 5> notes{"note", "notes", "description", "details", "comment"};
    return key.ends_with("_note") || std::ranges::find(notes, key) != notes.end();
}

/// A shape as the list that it is; empty where it is none.
std::vector<std::int64_t> shapeOf(const Json& value) {
    Json list = value;
    if (value.is_string()) {
        std::string text = value.get<std::string>();
        std::ranges::replace(text, 'x', ',');
        list = Json::parse("[" + text + "]", nullptr, false);
    }
    std::vector<std::int64_t> shape;
    if (!list.is_array())
        return shape;
    for (const Json& entry : list) {
        if (!entry.is_number_integer())
            return {};
        shape.push_back(entry.get<std::int64_t>());
    }
    return shape;
}

/// Takes a shape out of the arguments when it is there and readable.
std::vector<std::int64_t> take(Json& arguments, const char* key, std::size_t low, std::size_t high) {
    const auto found = arguments.find(key);
    if (found == arguments.end())
        return {};
    std::vector<std::int64_t> shape = shapeOf(*found);
    if (shape.size() < low || shape.size() > high)
        return {};
    arguments.erase(found);
    return shape;
}

/// What a shape says; where a key is given as well, the key stands.
void set(Json& arguments, const char* key, std::int64_t value) {
    if (!arguments.contains(key))
        arguments[key] = value;
}

void readConvolutionShapes(Json& arguments) {
    if (const auto input = take(arguments, "input_shape", 4, 4); !input.empty()) {
        set(arguments, "batch", input[0]);
        set(arguments, "height", input[1]);
        set(arguments, "width", input[2]);
        set(arguments, "in_channels", input[3]);
    }
    if (const auto weights = take(arguments, "weight_shape", 4, 4); !weights.empty()) {
        if (!arguments.contains("kernel"))
            arguments["kernel"] = {weights[0], weights[1]};
        if (arguments.contains("in_channels") && arguments["in_channels"].is_number_integer() &&
            weights[2] > 0)
            set(arguments, "groups",
                std::max<std::int64_t>(arguments["in_channels"].get<std::int64_t>() / weights[2], 1));
        set(arguments, "in_channels", weights[2]);
        set(arguments, "out_channels", weights[3]);
    }
    const auto padding = arguments.find("padding");
    if (padding == arguments.end() || !padding->is_string())
        return;
    if (*padding == "valid")
        *padding = 0;
    else if (*padding == "same") {
        const std::vector<std::int64_t> kernel =
            arguments.contains("kernel") && !arguments["kernel"].is_number() ? shapeOf(arguments["kernel"])
                                                                             : std::vector<std::int64_t>();
        Json around = Json::array();
        for (const std::int64_t extent : kernel)
            around.push_back((extent - 1) / 2);
        const Json& one = arguments.value("kernel", Json(1));
        if (kernel.empty() && one.is_number_integer())
            around = (one.get<std::int64_t>() - 1) / 2;
        *padding = around;
    }
}

void readProductShapes(Json& arguments) {
    const auto left = take(arguments, "left_shape", 2, 3);
    if (!left.empty()) {
        set(arguments, "m", left[left.size() - 2]);
        set(arguments, "k", left.back());
        if (left.size() == 3)
            set(arguments, "batch", left.front());
    }
    if (const auto right = take(arguments, "right_shape", 2, 3); !right.empty()) {
        set(arguments, "k", right[right.size() - 2]);
        set(arguments, "n", right.back());
    }
}

} // namespace

CostQuery withKnownNames(CostQuery query) {
    const auto operation = std::ranges::find(operationNames, query.operation, &OtherName::other);
    if (operation != operationNames.end())
        query.operation = operation->name;
    if (!query.arguments.is_object())
        return query;
    Json arguments = Json::object();
    for (const auto& [key, value] : query.arguments.items()) {
        if (isForPeople(key))
            continue;
        const auto row = std::ranges::find_if(keyNames, [&](const OtherKey& known) {
            return known.other == key && (known.operation.empty() || known.operation == query.operation);
        });
        const std::string name(row == keyNames.end() ? std::string_view(key) : row->name);
        if (name == key || !query.arguments.contains(name))
            arguments[name] = value;
        else
            arguments[key] = value;
    }
    if (query.operation == "conv")
        readConvolutionShapes(arguments);
    if (query.operation == "matmul")
        readProductShapes(arguments);
    query.arguments = std::move(arguments);
    return query;
}

} // namespace simulator
