#include "core/interchange/python/draft/tensor_functions.h"

#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/model/layers/function_shapes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace core {

namespace {

struct NamePair {
    std::string_view from;
    std::string_view to;
};

/// The functions that operators on tensors are.
constexpr std::array<NamePair, 13> operatorFunctions{{
    {"//", "math.floordiv"},
    {"%", "math.floormod"},
    {"+", "__operators__.add"},
    {"-", "math.subtract"},
    {"*", "math.multiply"},
    {"/", "math.truediv"},
    {"**", "math.pow"},
    {"@", "linalg.matmul"},
    {">", "math.greater"},
    {">=", "math.greater_equal"},
    {"<", "math.less"},
    {"<=", "math.less_equal"},
    {"!=", "math.not_equal"},
}};

/// 2 − x: the reversed operator of x.
constexpr std::array<NamePair, 11> reversedFunctions{{
    {"maximum", "math.maximum"},
    {"minimum", "math.minimum"},
    {"add", "__operators__.radd"},
    {"subtract", "__operators__.rsub"},
    {"multiply", "__operators__.rmul"},
    {"truediv", "__operators__.rtruediv"},
    {"pow", "__operators__.rpow"},
    {"greater", "math.less"},
    {"greater_equal", "math.less_equal"},
    {"less", "math.greater"},
    {"less_equal", "math.greater_equal"},
}};

/// Names of the arguments behind the first. Source: the signatures in TensorFlow's documentation.
struct ArgumentNames {
    std::string_view function;
    std::array<std::string_view, 3> names;
};
constexpr std::array<ArgumentNames, 32> argumentNames{{
    {"reshape", {"shape"}},
    {"transpose", {"perm"}},
    {"concat", {"axis"}},
    {"matmul", {"b", "transpose_a", "transpose_b"}},
    {"cast", {"dtype"}},
    {"expand_dims", {"axis"}},
    {"squeeze", {"axis"}},
    {"tile", {"multiples"}},
    {"gather", {"indices", "validate_indices", "axis"}},
    {"pad", {"paddings", "mode", "constant_values"}},
    {"softmax", {"axis"}},
    {"log_softmax", {"axis"}},
    {"stack", {"axis"}},
    {"unstack", {"num", "axis"}},
    {"split", {"num_or_size_splits", "axis"}},
    {"argmax", {"axis"}},
    {"argmin", {"axis"}},
    {"one_hot", {"depth", "on_value", "off_value"}},
    {"clip_by_value", {"clip_value_min", "clip_value_max"}},
    {"where", {"x", "y"}},
    {"repeat", {"repeats", "axis"}},
    {"cumsum", {"axis", "exclusive", "reverse"}},
    {"norm", {"ord", "axis"}},
    {"l2_normalize", {"axis", "epsilon"}},
    {"leaky_relu", {"alpha"}},
    {"broadcast_to", {"shape"}},
    {"depth_to_space", {"block_size"}},
    {"space_to_depth", {"block_size"}},
    {"reverse", {"axis"}},
    {"roll", {"shift", "axis"}},
    {"top_k", {"k", "sorted"}},
    {"resize", {"size", "method"}},
}};

/// The name of the argument at a place from 1; empty: it is not known.
std::string argumentName(std::string_view function, std::size_t place) {
    if (function.starts_with("reduce_"))
        return place == 1 ? "axis" : place == 2 ? "keepdims" : "";
    const auto row = std::ranges::find(argumentNames, function, &ArgumentNames::function);
    if (row == argumentNames.end())
        return place == 1 ? "y" : "";
    return place <= row->names.size() ? std::string(row->names[place - 1]) : "";
}

/// How many tensors a function answers, as its arguments say; 1: one, or they do not say.
std::size_t outputsOf(PythonProgramBuilder& builder, std::string_view function,
                      const PythonArguments& arguments) {
    constexpr std::int64_t most = 4096;
    std::int64_t count = 1;
    if (function == "top_k")
        count = 2;
    if (const PythonValue* parts = arguments.keyword("num_or_size_splits");
        function == "split" && parts != nullptr)
        count = parts->is<PythonList>() ? static_cast<std::int64_t>(parts->items().size())
                : parts->isWhole()      ? parts->constant().get<std::int64_t>()
                                        : 1;
    const auto* tensor = arguments.list.empty() ? nullptr : arguments.list.front().as<PythonTensor>();
    if (function == "unstack" && tensor != nullptr) {
        const PythonValue* axis = arguments.keyword("axis");
        const Json shape = tensorShape(builder, *tensor);
        const auto rank = static_cast<std::int64_t>(shape.size());
        std::int64_t at = axis != nullptr && axis->isWhole() ? axis->constant().get<std::int64_t>() : 0;
        at += at < 0 ? rank : 0;
        if (shape.is_array() && at >= 0 && at < rank &&
            shape[static_cast<std::size_t>(at)].is_number_integer())
            count = shape[static_cast<std::size_t>(at)].get<std::int64_t>();
    }
    return count > 1 && count <= most ? static_cast<std::size_t>(count) : 1;
}

/// Swaps the tensor to the front, and answers the function that takes its operands so.
std::string reversedFunction(const PythonProgramBuilder& builder, const std::string& last,
                             PythonArguments& arguments) {
    PythonValue* other = nullptr;
    for (auto& [key, value] : arguments.keywords)
        other = value.is<PythonTensor>() ? &value : other;
    if (other == nullptr && arguments.list.size() > 1)
        other = &arguments.list[1];
    const auto row = std::ranges::find(reversedFunctions, last, &NamePair::from);
    if (other == nullptr || row == reversedFunctions.end())
        builder.refuse(arguments.place, "python/unsupported", "this call on tensors is not read",
                       {"give the tensor as the first argument"});
    std::swap(arguments.list[0], *other);
    return std::string(row->to);
}

/// Extents of reshape() whose first is that of the samples: it is left open, and what was open is said
/// instead. `shape`: before, where samples may be joined with another axis.
void openBatch(PythonValues& extents, const Json& shape, std::int64_t batch) {
    std::int64_t all = 1;
    for (const Json& extent : shape)
        all = extent.is_number_integer() ? all * extent.get<std::int64_t>() : 0;
    const std::int64_t each = all % batch == 0 ? all / batch : 0;
    std::int64_t known = 1;
    PythonValue* open = nullptr;
    for (auto extent = extents.begin() + 1; extent != extents.end(); ++extent) {
        if (extent->constant() == -1)
            open = &*extent;
        else
            known = extent->isWhole() ? known * extent->constant().get<std::int64_t>() : 0;
    }
    if (each <= 0 || known <= 0 || (open == nullptr ? known != each : each % known != 0))
        return;
    if (open != nullptr)
        *open = pythonConstant(each / known);
    extents.front() = pythonConstant(-1);
}

/// tf.reshape(x, (tf.shape(x)[0], -1, 4)): both are open, and the first is the samples.
void closeSecond(PythonValues& extents, const Json& shape) {
    const auto isOpen = [](const PythonValue& extent) { return extent.constant() == -1; };
    if (extents.empty() || !isOpen(extents.front()) || std::ranges::count_if(extents, isOpen) != 2)
        return;
    std::int64_t each = 1;
    for (std::size_t i = 1; i < shape.size(); ++i)
        each = shape[i].is_number_integer() ? each * shape[i].get<std::int64_t>() : 0;
    std::int64_t known = 1;
    for (const PythonValue& extent : extents)
        if (!isOpen(extent))
            known = extent.isWhole() ? known * extent.constant().get<std::int64_t>() : 0;
    if (each > 0 && known > 0 && each % known == 0)
        *std::find_if(extents.begin() + 1, extents.end(), isOpen) = pythonConstant(each / known);
}

/// What is copied as often as the inputs of the program have samples is copied once for each sample: a run
/// may take them in other numbers at a time.
void repeatBySamples(PythonProgramBuilder& builder, std::string_view function, PythonArguments& arguments) {
    const auto* tensor = arguments.list.empty() ? nullptr : arguments.list.front().as<PythonTensor>();
    const char* const key = function == "tile"           ? "multiples"
                            : function == "repeat"       ? "repeats"
                            : function == "broadcast_to" ? "shape"
                            : function == "reshape"      ? "shape"
                                                         : nullptr;
    const auto counts = std::ranges::find_if(
        arguments.keywords, [&](const auto& entry) { return key != nullptr && entry.first == key; });
    if (tensor == nullptr || counts == arguments.keywords.end())
        return;
    if (function == "reshape") {
        PythonValues extents = counts->second.items();
        if (const Json shape = tensorShape(builder, *tensor); shape.is_array())
            closeSecond(extents, shape);
        if (!extents.empty())
            counts->second = pythonList(std::move(extents));
    }
    const std::optional<std::int64_t> batch = fixedBatch(builder, *tensor);
    const Json shape = batch && *batch > 1 ? tensorShape(builder, *tensor) : Json();
    if (!shape.is_array())
        return;
    const bool isOne = !shape.empty() && shape[0] == 1;
    PythonValue& count = counts->second;
    if (function == "repeat") {
        const PythonValue* axis = arguments.keyword("axis");
        const bool isFirst =
            axis != nullptr &&
            (axis->constant() == 0 || axis->constant() == -static_cast<std::int64_t>(shape.size()));
        if (isOne && isFirst && count.constant() == *batch)
            count = pythonConstant(-1);
        return;
    }
    PythonValues extents = count.items();
    if (extents.empty() || extents.front().constant() != *batch)
        return;
    if (function == "reshape") {
        openBatch(extents, shape, *batch);
        count = pythonList(std::move(extents));
        return;
    }
    const bool isOfSamples = extents.size() == shape.size() ? isOne : function == "broadcast_to";
    if (!isOfSamples)
        return;
    extents.front() = pythonConstant(-1);
    count = pythonList(std::move(extents));
}

PythonLayerName addFunctionLayer(PythonProgramBuilder& builder, const char* className,
                                 const std::string& function, PythonPlace place) {
    PythonLayer layer;
    layer.className = className;
    layer.place = place;
    layer.name = builder.freshName("tf." + function);
    layer.config = {{"name", layer.name}, {"trainable", true}, {"dtype", "float32"}, {"function", function}};
    return builder.addLayer(std::move(layer));
}

/// Calls of convolutions in a function, by layer, and which of them each is.
using ConvolutionPositions = std::map<std::int64_t, std::int64_t>;

/// Whether a call was made in the function that had so many of each layer before.
bool isWithin(const std::vector<std::size_t>& before, const PythonTensor& tensor) {
    const auto layer = static_cast<std::size_t>(tensor.layer);
    return layer >= before.size() || static_cast<std::size_t>(tensor.call) >= before[layer];
}

/// What a convolution waits for must be there before the function.
void checkIndependence(const PythonProgramBuilder& builder, const PythonLayer& layer,
                       const std::vector<std::size_t>& before, const ConvolutionPositions& position) {
    const std::vector<PythonLayer>& layers = builder.facts.draft.layers;
    std::vector<PythonTensor> open = layer.calls.back().tensors;
    while (!open.empty()) {
        const PythonTensor tensor = open.back();
        open.pop_back();
        if (!isWithin(before, tensor))
            continue;
        if (position.contains(tensor.layer))
            builder.refuse(layer.place, "python/unsupported",
                           "convolutions of a multi_conv must not depend on one another",
                           {"call the second one outside of the function"});
        const PythonCall& call =
            layers[static_cast<std::size_t>(tensor.layer)].calls[static_cast<std::size_t>(tensor.call)];
        open.insert(open.end(), call.tensors.begin(), call.tensors.end());
    }
}

/// Tensors of joined convolutions become outputs of the layer that joins them.
struct JoinedTensors {
    const ConvolutionPositions& position;
    const std::vector<std::size_t>& before;
    std::int64_t layer = 0;
    std::int64_t call = 0;

    void replace(PythonTensor& tensor) const {
        const auto at = position.find(tensor.layer);
        if (at != position.end() && isWithin(before, tensor))
            tensor = {layer, call, at->second};
    }
    void replaceIn(PythonValue& value, int depth = 0) const {
        constexpr int deepest = 64;
        if (auto* tensor = std::get_if<PythonTensor>(&value.content))
            return replace(*tensor);
        if (const auto* list = value.as<PythonList>(); list != nullptr && depth < deepest)
            for (PythonValue& item : *list->items)
                replaceIn(item, depth + 1);
    }
};

/// The convolutions that a function called and that can be joined.
ConvolutionPositions joinableConvolutions(PythonProgramBuilder& builder,
                                          const std::vector<std::size_t>& before, PythonPlace place) {
    const std::vector<PythonLayer>& layers = builder.facts.draft.layers;
    ConvolutionPositions position;
    std::vector<std::int64_t> called;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const std::size_t own = layers[i].calls.size() - (i < before.size() ? before[i] : 0);
        const bool isConvolution = layers[i].className.find("Conv") != std::string::npos &&
                                   layers[i].className != "MultiConv" && layers[i].model < 0;
        if (own > 0 && layers[i].model >= 0)
            builder.warn(place, "python/ignored",
                         fmt::format("convolutions of the model {} are not joined by multi_conv",
                                     quotedName(layers[i].name)),
                         {"call its layers one by one in the function"});
        if (own > 0 && isConvolution)
            called.push_back(static_cast<std::int64_t>(i));
    }
    const bool isAgain = builder.joinedConvolutions.contains(called);
    for (const std::int64_t index : called) {
        const auto at = static_cast<std::size_t>(index);
        const std::size_t earlier = at < before.size() ? before[at] : 0;
        const bool isOnce = layers[at].calls.size() - earlier == 1 && (earlier == 0 || isAgain);
        if (isOnce && layers[at].calls.back().tensors.size() == 1)
            position.emplace(index, static_cast<std::int64_t>(position.size()));
        else
            builder.warn(
                place, "python/ignored",
                fmt::format("the convolution {} is called more than once: multi_conv does not join it",
                            quotedName(layers[at].name)),
                {"give each call in the function a convolution of its own"});
    }
    return position;
}

} // namespace

namespace {

/// TensorFlow packs a list that is given to a function of one tensor.
void packList(PythonProgramBuilder& builder, std::string_view function, PythonArguments& arguments) {
    constexpr std::array<std::string_view, 6> ofLists{"concat", "stack",          "einsum",
                                                      "add_n",  "parallel_stack", "meshgrid"};
    const auto* list = arguments.list.empty() ? nullptr : arguments.list[0].as<PythonList>();
    if (list == nullptr || std::ranges::find(ofLists, function) != ofLists.end() ||
        std::ranges::none_of(*list->items, [](const PythonValue& item) { return item.is<PythonTensor>(); }))
        return;
    PythonArguments packed{{arguments.list[0]}, {{"axis", pythonConstant(0)}}, arguments.place};
    arguments.list[0] = callOnTensors(builder, "stack", packed);
}

} // namespace

PythonValue callOnTensors(PythonProgramBuilder& builder, const std::string& function,
                          PythonArguments& arguments) {
    const std::string last = function.substr(function.rfind('.') + 1);
    packList(builder, last, arguments);
    const bool startsWithTensor =
        arguments.list.empty() || arguments.list[0].is<PythonTensor>() || arguments.list[0].is<PythonList>();
    const std::string name = startsWithTensor ? function : reversedFunction(builder, last, arguments);
    if (findFunctionRule(plainFunctionName(name)) == nullptr)
        builder.refuse(
            arguments.place, "python/unsupported",
            fmt::format("tf.{}() is not among the functions that are read on tensors", quotedName(name)),
            {"use a layer of tf.keras.layers that computes the same",
             "compute it with functions such as reshape(), matmul() and reduce_sum()"});
    for (std::size_t i = 1; i < arguments.list.size(); ++i) {
        const std::string key = argumentName(last, i);
        if (key.empty())
            builder.refuse(arguments.place, "python/unsupported", "name the further arguments of this call",
                           {"write name=value behind the second argument"});
        arguments.keywords.emplace_back(key, arguments.list[i]);
    }
    if (arguments.list.size() > 1)
        arguments.list.resize(1);
    if (const PythonValue* type = last == "cast" ? arguments.keyword("dtype") : nullptr)
        builder.hasHalves = builder.hasHalves || isHalfType(typeNamed(type));
    repeatBySamples(builder, last, arguments);
    const PythonValue made =
        callLayer(builder, addFunctionLayer(builder, "TFOpLambda", name, arguments.place), arguments);
    const auto* first = made.as<PythonTensor>();
    const std::size_t count = first == nullptr ? 1 : outputsOf(builder, last, arguments);
    if (count == 1)
        return made;
    PythonValues parts;
    for (std::size_t i = 0; i < count; ++i)
        parts.emplace_back(PythonTensor{first->layer, first->call, static_cast<std::int64_t>(i)});
    return pythonList(std::move(parts));
}

PythonTensor constantTensor(PythonProgramBuilder& builder, const PythonArray& array,
                            const PythonTensor& beside, PythonPlace place) {
    PythonArray numbers = array;
    const auto rows = array.extents.empty() ? 0 : array.extents.front();
    const std::size_t length = rows > 0 ? array.numbers.size() / static_cast<std::size_t>(rows) : 0;
    const bool areAlike = rows > 0 && fixedBatch(builder, beside) == rows && haveOneRow(array);
    const Json shape = areAlike ? tensorShape(builder, beside) : Json();
    PythonArguments alike{{beside}, {}, place};
    PythonValue made = callOnTensors(builder, "zeros_like", alike);
    if (shape.is_array() && !shape.empty()) { // one number for each sample, in as many axes
        numbers.extents.front() = 1;
        numbers.numbers.resize(length);
        if (shape.size() > 1) {
            Json axes = Json::array();
            for (std::size_t axis = 1; axis < shape.size(); ++axis)
                axes.push_back(axis);
            PythonArguments each{{made}, {{"axis", pythonConstant(axes)}}, place};
            made = callOnTensors(builder, "math.reduce_sum", each);
        }
        if (array.extents.size() > 1) {
            Json extents(array.extents.size(), 1);
            extents.front() = -1;
            PythonArguments spread{{made}, {{"shape", pythonConstant(std::move(extents))}}, place};
            made = callOnTensors(builder, "reshape", spread);
        }
    } else if (!array.extents.empty()) { // a number is as large as what is beside it
        PythonArguments all{{made}, {}, place};
        made = callOnTensors(builder, "math.reduce_sum", all);
    }
    PythonArguments sum{{made}, {{"y", pythonConstant(jsonOf(numbers))}}, place};
    made = callOnTensors(builder, "math.add", sum);
    if (array.kind == PythonArray::Kind::Whole) {
        PythonArguments whole{{made}, {{"dtype", pythonText("int32")}}, place};
        made = callOnTensors(builder, "cast", whole);
    }
    return *made.as<PythonTensor>();
}

PythonValue sliceTensor(PythonProgramBuilder& builder, const PythonTensor& tensor, const PythonValue& index,
                        PythonPlace place) {
    const auto entryOf = [&](const PythonValue& entry) {
        return entry.is<PythonEllipsis>() ? Json{{"class_name", "__ellipsis__"}} : builder.json(entry, place);
    };
    Json spec = Json::array();
    const auto* list = index.as<PythonList>();
    if (list != nullptr && list->isTuple) {
        for (const PythonValue& entry : *list->items)
            spec.push_back(entryOf(entry));
    } else {
        spec.push_back(entryOf(index));
    }
    PythonArguments arguments{{tensor}, {{"slice_spec", pythonConstant(std::move(spec))}}, place};
    return callLayer(builder, addFunctionLayer(builder, "SlicingOpLambda", "__operators__.getitem", place),
                     arguments);
}

std::optional<PythonValue> tensorOperation(PythonProgramBuilder& builder, const std::string& operation,
                                           const PythonValue& left, const PythonValue& right,
                                           PythonPlace place) {
    if (!left.is<PythonTensor>() && !right.is<PythonTensor>())
        return std::nullopt;
    const auto row = std::ranges::find(operatorFunctions, operation, &NamePair::from);
    if (row == operatorFunctions.end())
        return std::nullopt;
    PythonArguments arguments{{left}, {{"y", right}}, place};
    return callOnTensors(builder, std::string(row->to), arguments);
}

void warnOfJoinedOptions(PythonProgramBuilder& builder, PythonPlace place) {
    builder.warn(place, "python/ignored",
                 "the options of multi_conv are left out: the convolutions that join are planned over all "
                 "tiles together, without tiles that are kept for one of them (perConvReservedTiles, "
                 "planType)",
                 {"nothing is to be done: they change how long the convolutions take, not what they compute",
                  "set convolutions.poplar_options for what holds for all convolutions"});
}

void joinConvolutions(PythonProgramBuilder& builder, const std::vector<std::size_t>& before,
                      PythonValue& result, PythonPlace place) {
    std::vector<PythonLayer>& layers = builder.facts.draft.layers;
    const ConvolutionPositions position = joinableConvolutions(builder, before, place);
    if (position.size() < 2)
        return;
    PythonLayer joined;
    joined.className = "MultiConv";
    joined.place = place;
    joined.config = {{"layers", Json::array()}};
    PythonCall call;
    call.stage = builder.scope.stage;
    call.shard = builder.scope.shard;
    std::vector<std::int64_t> parts;
    for (const auto& [index, at] : position) {
        const PythonLayer& layer = layers[static_cast<std::size_t>(index)];
        checkIndependence(builder, layer, before, position);
        joined.config["layers"].push_back({{"class_name", layer.className}, {"config", layer.config}});
        call.tensors.push_back(layer.calls.back().tensors.front());
        call.structure.push_back({{"$tensor", at}});
        parts.push_back(index);
    }
    call.group = builder.group;
    const auto known = builder.joinedConvolutions.find(parts);
    std::int64_t last = known == builder.joinedConvolutions.end() ? -1 : known->second;
    if (last < 0) {
        joined.name = builder.freshName("multi_conv");
        joined.config["name"] = joined.name;
        last = builder.addLayer(std::move(joined)).layer;
        builder.joinedConvolutions.emplace(std::move(parts), last);
    }
    std::vector<PythonCall>& calls = layers[static_cast<std::size_t>(last)].calls;
    calls.push_back(std::move(call));
    const JoinedTensors tensors{position, before, last, static_cast<std::int64_t>(calls.size()) - 1};
    for (std::size_t i = 0; i < layers.size(); ++i)
        for (std::size_t own = i < before.size() ? before[i] : 0; own < layers[i].calls.size(); ++own)
            if (static_cast<std::int64_t>(i) != last)
                for (PythonTensor& tensor : layers[i].calls[own].tensors)
                    tensors.replace(tensor);
    tensors.replaceIn(result);
}

namespace {

template <std::size_t count>
bool isAmong(const std::array<std::string_view, count>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

class TensorSum {
public:
    TensorSum(PythonProgramBuilder& builder, const std::function<bool(const PythonTensor&)>& isOne)
        : m_builder(builder)
        , m_isOne(isOne) {}

    std::vector<PythonTensor> summands(const PythonTensor& tensor, int depth = 0) {
        constexpr std::array<std::string_view, 3> sums{"add", "radd", "add_n"};
        constexpr std::array<std::string_view, 2> differences{"subtract", "rsub"};
        constexpr std::array<std::string_view, 5> multiples{"multiply", "rmul", "truediv", "divide",
                                                            "negative"};
        constexpr std::array<std::string_view, 2> reductions{"reduce_mean", "reduce_sum"};
        constexpr int deepest = 200;
        const PythonLayer& layer = m_builder.layer(tensor.layer);
        const std::string name = layer.className == "Add"
                                     ? "add"
                                     : plainFunctionName(layer.config.value("function", std::string()));
        const std::vector<PythonTensor> operands =
            layer.calls.at(static_cast<std::size_t>(tensor.call)).tensors;
        if (operands.empty() || depth > deepest || m_isOne(tensor))
            return {tensor};
        std::vector<PythonTensor> found;
        if (isAmong(sums, name)) {
            for (const PythonTensor& operand : operands)
                add(found, summands(operand, depth + 1));
        } else if (isAmong(differences, name)) {
            const bool isFirstTaken = name == "subtract";
            for (std::size_t i = 0; i < operands.size(); ++i)
                for (const PythonTensor& part : summands(operands[i], depth + 1))
                    found.push_back((i == 0) == isFirstTaken ? part : negative(part, tensor));
        } else if (operands.size() == 1 && (isAmong(multiples, name) || isAmong(reductions, name))) {
            const std::vector<PythonTensor> parts = summands(operands.front(), depth + 1);
            if (parts == operands || (isAmong(reductions, name) && !areReducedAlike(operands.front(), parts)))
                return {tensor};
            for (const PythonTensor& part : parts)
                found.push_back(calledOn(m_builder, tensor, {part}));
        } else {
            return {tensor};
        }
        return found;
    }

private:
    static void add(std::vector<PythonTensor>& list, const std::vector<PythonTensor>& further) {
        list.insert(list.end(), further.begin(), further.end());
    }

    /// Summands that are spread over the extents of the sum would be counted otherwise by themselves.
    bool areReducedAlike(const PythonTensor& sum, const std::vector<PythonTensor>& parts) {
        const Json extents = tensorShape(m_builder, sum);
        return extents.is_array() && std::ranges::all_of(parts, [&](const PythonTensor& part) {
                   return tensorShape(m_builder, part) == extents;
               });
    }

    /// In the stage of the difference.
    PythonTensor negative(const PythonTensor& part, const PythonTensor& difference) {
        const PythonTensor made = calledOn(m_builder, difference, {part});
        PythonLayer& layer = m_builder.layer(made.layer);
        layer.config["function"] = "math.negative";
        PythonCall& call = layer.calls.front();
        call.structure = Json::array({Json{{"$tensor", 0}}});
        call.keywords = Json::object();
        return made;
    }

    PythonProgramBuilder& m_builder;
    const std::function<bool(const PythonTensor&)>& m_isOne;
};

} // namespace

PythonTensor calledOn(PythonProgramBuilder& builder, const PythonTensor& tensor,
                      std::vector<PythonTensor> operands) {
    PythonLayer layer = builder.layer(tensor.layer);
    PythonCall call = layer.calls.at(static_cast<std::size_t>(tensor.call));
    call.tensors = std::move(operands);
    layer.calls = {std::move(call)};
    layer.name = builder.freshName(layer.name.substr(0, layer.name.find_last_not_of("_0123456789") + 1));
    layer.config["name"] = layer.name;
    return {builder.addLayer(std::move(layer)).layer, 0, tensor.output};
}

std::vector<PythonTensor> summandsOf(PythonProgramBuilder& builder, const PythonTensor& tensor,
                                     const std::function<bool(const PythonTensor&)>& isOne) {
    return TensorSum(builder, isOne).summands(tensor);
}

} // namespace core
