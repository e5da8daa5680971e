#include "simulator/compiler/onnx/known_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace simulator {
namespace {

using core::OnnxNode;
using core::OnnxType;
using Values = std::vector<const KnownValue*>;
using Answer = std::optional<KnownValue>;

/// Shapes and indices are short; longer tensors are data.
constexpr std::int64_t mostElements = 65536;
constexpr int deepest = 512;

bool isInteger(OnnxType type) {
    return type != OnnxType::Float && type != OnnxType::Double && type != OnnxType::Float16 &&
           type != OnnxType::BFloat16;
}

std::vector<std::int64_t> integersOf(const KnownValue& value) {
    std::vector<std::int64_t> list;
    for (const double number : value.values)
        list.push_back(static_cast<std::int64_t>(number));
    return list;
}

std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < -count || axis >= count)
        return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

/// Elements before, along and after an axis.
struct AxisView {
    std::int64_t outer = 1;
    std::int64_t extent = 1;
    std::int64_t inner = 1;
    AxisView(const Extents& extents, std::size_t axis) {
        for (std::size_t i = 0; i < extents.size(); ++i)
            (i < axis ? outer : i == axis ? extent : inner) *= extents[i];
    }
};

Answer binary(const OnnxNode& node, const Values& in, double (*f)(double, double), bool answersBool = false) {
    if (in.size() < 2)
        return std::nullopt;
    KnownValue result{in[0]->extents.size() >= in[1]->extents.size() ? in[0]->extents : in[1]->extents,
                      answersBool ? OnnxType::Bool : in[0]->type,
                      {}};
    const auto rank = result.extents.size();
    for (std::size_t back = 1; back <= rank; ++back) {
        for (const KnownValue* value : {in[0], in[1]}) {
            if (back > value->extents.size())
                continue;
            const std::int64_t own = value->extents[value->extents.size() - back];
            std::int64_t& extent = result.extents[rank - back];
            if (own != extent && own != 1 && extent != 1)
                return std::nullopt;
            if (extent == 1)
                extent = own;
        }
    }
    const std::int64_t count = elementCount(result.extents);
    if (count > mostElements)
        return std::nullopt;
    const auto at = [&](const KnownValue& value, std::int64_t position) {
        std::int64_t index = 0;
        std::int64_t stride = 1;
        for (std::size_t back = 1; back <= rank; ++back) {
            const std::int64_t extent = result.extents[rank - back];
            const std::int64_t place = position % extent;
            position /= extent;
            if (back > value.extents.size())
                continue;
            const std::int64_t own = value.extents[value.extents.size() - back];
            index += own == 1 ? 0 : place * stride;
            stride *= own;
        }
        return value.values[static_cast<std::size_t>(index)];
    };
    const bool truncates = node.operation == "Div" && isInteger(in[0]->type);
    for (std::int64_t i = 0; i < count; ++i) {
        const double value = f(at(*in[0], i), at(*in[1], i));
        if (std::isnan(value))
            return std::nullopt;
        result.values.push_back(truncates ? std::trunc(value) : value);
    }
    return result;
}

Answer unary(const Values& in, double (*f)(double)) {
    KnownValue result = *in[0];
    for (double& value : result.values)
        value = f(value);
    return result;
}

Answer concat(const OnnxNode& node, const Values& in) {
    const auto axis = axisOf(node.integer("axis", 0), in[0]->extents.size());
    if (!axis)
        return std::nullopt;
    KnownValue result = *in[0];
    result.extents[*axis] = 0;
    for (const KnownValue* part : in) {
        if (part->extents.size() != result.extents.size())
            return std::nullopt;
        result.extents[*axis] += part->extents[*axis];
    }
    result.values.clear();
    const AxisView view(in[0]->extents, *axis);
    for (std::int64_t outer = 0; outer < view.outer; ++outer) {
        for (const KnownValue* part : in) {
            const AxisView own(part->extents, *axis);
            const auto begin = part->values.begin() + outer * own.extent * own.inner;
            if ((outer + 1) * own.extent * own.inner > static_cast<std::int64_t>(part->values.size()))
                return std::nullopt;
            result.values.insert(result.values.end(), begin, begin + own.extent * own.inner);
        }
    }
    return result;
}

Answer gather(const OnnxNode& node, const Values& in) {
    const auto axis = axisOf(node.integer("axis", 0), in[0]->extents.size());
    if (!axis || in.size() < 2)
        return std::nullopt;
    const AxisView view(in[0]->extents, *axis);
    KnownValue result{in[0]->extents, in[0]->type, {}};
    const auto at = result.extents.begin() + static_cast<std::ptrdiff_t>(*axis);
    result.extents.insert(result.extents.erase(at), in[1]->extents.begin(), in[1]->extents.end());
    for (std::int64_t outer = 0; outer < view.outer; ++outer) {
        for (std::int64_t index : integersOf(*in[1])) {
            index = index < 0 ? index + view.extent : index;
            if (index < 0 || index >= view.extent)
                return std::nullopt;
            for (std::int64_t inner = 0; inner < view.inner; ++inner)
                result.values.push_back(in[0]->values[static_cast<std::size_t>(
                    (outer * view.extent + index) * view.inner + inner)]);
        }
    }
    return result;
}

std::vector<std::int64_t> axesSetting(const OnnxNode& node, const Values& in, std::size_t position = 1) {
    return in.size() > position ? integersOf(*in[position]) : node.integers("axes");
}

Answer unsqueeze(const OnnxNode& node, const Values& in) {
    std::vector<std::int64_t> axes = axesSetting(node, in);
    KnownValue result = *in[0];
    const std::size_t rank = result.extents.size() + axes.size();
    for (std::int64_t& axis : axes) {
        const auto place = axisOf(axis, rank);
        if (!place)
            return std::nullopt;
        axis = static_cast<std::int64_t>(*place);
    }
    std::ranges::sort(axes);
    for (const std::int64_t axis : axes) {
        if (axis > static_cast<std::int64_t>(result.extents.size()))
            return std::nullopt;
        result.extents.insert(result.extents.begin() + axis, 1);
    }
    return result;
}

Answer squeeze(const OnnxNode& node, const Values& in) {
    const std::vector<std::int64_t> axes = axesSetting(node, in);
    KnownValue result{{}, in[0]->type, in[0]->values};
    for (std::size_t i = 0; i < in[0]->extents.size(); ++i) {
        const bool isNamed = std::ranges::any_of(
            axes, [&](std::int64_t axis) { return axisOf(axis, in[0]->extents.size()) == i; });
        if (in[0]->extents[i] != 1 || (!axes.empty() && !isNamed))
            result.extents.push_back(in[0]->extents[i]);
    }
    return result;
}

Answer reshape(const Values& in) {
    if (in.size() < 2)
        return std::nullopt;
    KnownValue result{integersOf(*in[1]), in[0]->type, in[0]->values};
    std::int64_t fixed = 1;
    for (std::size_t i = 0; i < result.extents.size(); ++i) {
        if (result.extents[i] == 0 && i < in[0]->extents.size())
            result.extents[i] = in[0]->extents[i];
        fixed *= result.extents[i] < 0 ? 1 : result.extents[i];
    }
    const auto count = static_cast<std::int64_t>(in[0]->values.size());
    for (std::int64_t& extent : result.extents)
        extent = extent < 0 && fixed > 0 ? count / fixed : extent;
    return elementCount(result.extents) == count ? Answer(result) : std::nullopt;
}

/// Slices one axis after the other.
Answer slice(const OnnxNode& node, const Values& in) {
    const bool hasInputs = in.size() > 1;
    if (hasInputs && in.size() < 3)
        return std::nullopt;
    const auto starts = hasInputs ? integersOf(*in[1]) : node.integers("starts");
    const auto ends = hasInputs ? integersOf(*in[2]) : node.integers("ends");
    std::vector<std::int64_t> axes = axesSetting(node, in, 3);
    std::vector<std::int64_t> steps = in.size() > 4 ? integersOf(*in[4]) : std::vector<std::int64_t>{};
    if (axes.empty()) {
        axes.resize(starts.size());
        std::iota(axes.begin(), axes.end(), 0);
    }
    steps.resize(starts.size(), 1);
    if (ends.size() != starts.size() || axes.size() != starts.size())
        return std::nullopt;
    KnownValue result = *in[0];
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto axis = axisOf(axes[i], result.extents.size());
        if (!axis || steps[i] == 0)
            return std::nullopt;
        const AxisView view(result.extents, *axis);
        const auto place = [&](std::int64_t value) {
            const std::int64_t low = steps[i] > 0 ? 0 : -1;
            const std::int64_t high = steps[i] > 0 ? view.extent : view.extent - 1;
            return std::clamp(value < 0 ? value + view.extent : value, low, std::max(low, high));
        };
        std::vector<std::int64_t> kept;
        const std::int64_t end = place(ends[i]);
        for (std::int64_t at = place(starts[i]); steps[i] > 0 ? at < end : at > end; at += steps[i])
            kept.push_back(at);
        std::vector<double> values;
        for (std::int64_t outer = 0; outer < view.outer; ++outer) {
            for (const std::int64_t at : kept) {
                const auto begin = result.values.begin() + (outer * view.extent + at) * view.inner;
                values.insert(values.end(), begin, begin + view.inner);
            }
        }
        result.values = std::move(values);
        result.extents[*axis] = static_cast<std::int64_t>(kept.size());
    }
    return result;
}

Answer range(const Values& in) {
    if (in.size() < 3 || in[0]->values.empty() || in[1]->values.empty() || in[2]->values.empty())
        return std::nullopt;
    const double start = in[0]->values[0];
    const double step = in[2]->values[0];
    const double count = std::ceil((in[1]->values[0] - start) / step);
    if (!(count <= static_cast<double>(mostElements)))
        return std::nullopt;
    KnownValue result{{std::max<std::int64_t>(0, static_cast<std::int64_t>(count))}, in[0]->type, {}};
    for (std::int64_t i = 0; i < result.extents[0]; ++i)
        result.values.push_back(start + static_cast<double>(i) * step);
    return result;
}

Answer reduce(const OnnxNode& node, const Values& in, double first, double (*f)(double, double)) {
    // Shapes are lists: reduced along their only axis.
    if (in[0]->extents.size() > 1)
        return std::nullopt;
    double total = first;
    for (const double value : in[0]->values)
        total = f(total, value);
    const bool keeps = node.integer("keepdims", 1) != 0 && in[0]->extents.size() == 1;
    return KnownValue{keeps ? Extents{1} : Extents{}, in[0]->type, {total}};
}

Answer expand(const Values& in) {
    if (in.size() < 2)
        return std::nullopt;
    OnnxNode sum;
    sum.operation = "Add";
    KnownValue zeros{integersOf(*in[1]), in[0]->type, {}};
    std::int64_t count = 1;
    for (const std::int64_t extent : zeros.extents) {
        if (extent < 0 || (extent > 0 && count > mostElements / extent))
            return std::nullopt;
        count *= extent;
    }
    zeros.values.assign(static_cast<std::size_t>(count), 0);
    return binary(sum, {in[0], &zeros}, [](double a, double b) { return a + b; });
}

Answer cast(const OnnxNode& node, const Values& in) {
    KnownValue result = *in[0];
    result.type = static_cast<OnnxType>(std::clamp<std::int64_t>(node.integer("to", 1), 0, 255));
    for (double& value : result.values) {
        if (result.type == OnnxType::Bool)
            value = value != 0 ? 1 : 0;
        else if (isInteger(result.type))
            value = std::trunc(value);
    }
    return result;
}

Answer where(const Values& in) {
    if (in.size() < 3)
        return std::nullopt;
    // condition·a + (1 − condition)·b, with the broadcasting of the products.
    OnnxNode node;
    const auto picked = binary(node, {in[0], in[1]}, [](double c, double a) { return c != 0 ? a : 0; });
    const auto other = binary(node, {in[0], in[2]}, [](double c, double b) { return c != 0 ? 0 : b; });
    if (!picked || !other)
        return std::nullopt;
    auto result = binary(node, {&*picked, &*other}, [](double a, double b) { return a + b; });
    if (result)
        result->type = in[1]->type;
    return result;
}

Answer constantOfShape(const OnnxNode& node, const Values& in) {
    KnownValue result{integersOf(*in[0]), OnnxType::Float, {}};
    double value = 0;
    if (const auto* given = node.attribute("value"); given != nullptr && given->tensor) {
        const auto numbers = numbersOf(*given->tensor);
        value = numbers.empty() ? 0 : numbers[0];
        result.type = given->tensor->type;
    }
    std::int64_t count = 1;
    for (const std::int64_t extent : result.extents) {
        if (extent < 0 || (extent > 0 && count > mostElements / extent))
            return std::nullopt;
        count *= extent;
    }
    result.values.assign(static_cast<std::size_t>(count), value);
    return result;
}

using Evaluate = Answer (*)(const OnnxNode&, const Values&);
const std::map<std::string, Evaluate, std::less<>>& evaluators() {
    static const std::map<std::string, Evaluate, std::less<>> table{
        {"Identity", [](const OnnxNode&, const Values& in) { return Answer(*in[0]); }},
        {"Add", [](const OnnxNode& n,
                   const Values& in) { return binary(n, in, [](double a, double b) { return a + b; }); }},
        {"Sub", [](const OnnxNode& n,
                   const Values& in) { return binary(n, in, [](double a, double b) { return a - b; }); }},
        {"Mul", [](const OnnxNode& n,
                   const Values& in) { return binary(n, in, [](double a, double b) { return a * b; }); }},
        {"Div", [](const OnnxNode& n,
                   const Values& in) { return binary(n, in, [](double a, double b) { return a / b; }); }},
        {"Mod",
         [](const OnnxNode& n, const Values& in) {
             return binary(n, in, [](double a, double b) { return a - b * std::floor(a / b); });
         }},
        {"Pow",
         [](const OnnxNode& n, const Values& in) {
             return binary(n, in, [](double a, double b) { return std::pow(a, b); });
         }},
        {"Max",
         [](const OnnxNode& n, const Values& in) {
             return in.size() == 2 ? binary(n, in, [](double a, double b) { return std::max(a, b); })
                                   : std::nullopt;
         }},
        {"Min",
         [](const OnnxNode& n, const Values& in) {
             return in.size() == 2 ? binary(n, in, [](double a, double b) { return std::min(a, b); })
                                   : std::nullopt;
         }},
        {"Equal",
         [](const OnnxNode& n, const Values& in) {
             return binary(
                 n, in, [](double a, double b) { return a == b ? 1.0 : 0.0; }, true);
         }},
        {"Less",
         [](const OnnxNode& n, const Values& in) {
             return binary(
                 n, in, [](double a, double b) { return a < b ? 1.0 : 0.0; }, true);
         }},
        {"Greater",
         [](const OnnxNode& n, const Values& in) {
             return binary(
                 n, in, [](double a, double b) { return a > b ? 1.0 : 0.0; }, true);
         }},
        {"And",
         [](const OnnxNode& n, const Values& in) {
             return binary(
                 n, in, [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }, true);
         }},
        {"Or",
         [](const OnnxNode& n, const Values& in) {
             return binary(
                 n, in, [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }, true);
         }},
        {"Not", [](const OnnxNode&,
                   const Values& in) { return unary(in, [](double x) { return x == 0 ? 1.0 : 0.0; }); }},
        {"Neg", [](const OnnxNode&, const Values& in) { return unary(in, [](double x) { return -x; }); }},
        {"Abs",
         [](const OnnxNode&, const Values& in) { return unary(in, [](double x) { return std::abs(x); }); }},
        {"Floor",
         [](const OnnxNode&, const Values& in) { return unary(in, [](double x) { return std::floor(x); }); }},
        {"Ceil",
         [](const OnnxNode&, const Values& in) { return unary(in, [](double x) { return std::ceil(x); }); }},
        {"Round", [](const OnnxNode&,
                     const Values& in) { return unary(in, [](double x) { return std::nearbyint(x); }); }},
        {"Sqrt",
         [](const OnnxNode&, const Values& in) { return unary(in, [](double x) { return std::sqrt(x); }); }},
        {"Concat", concat},
        {"Gather", gather},
        {"Unsqueeze", unsqueeze},
        {"Squeeze", squeeze},
        {"Reshape", [](const OnnxNode&, const Values& in) { return reshape(in); }},
        {"Slice", slice},
        {"Range", [](const OnnxNode&, const Values& in) { return range(in); }},
        {"ReduceProd",
         [](const OnnxNode& n, const Values& in) {
             return reduce(n, in, 1, [](double a, double b) { return a * b; });
         }},
        {"ReduceSum",
         [](const OnnxNode& n, const Values& in) {
             return reduce(n, in, 0, [](double a, double b) { return a + b; });
         }},
        {"ReduceMax",
         [](const OnnxNode& n, const Values& in) {
             return reduce(n, in, -HUGE_VAL, [](double a, double b) { return std::max(a, b); });
         }},
        {"ReduceMin",
         [](const OnnxNode& n, const Values& in) {
             return reduce(n, in, HUGE_VAL, [](double a, double b) { return std::min(a, b); });
         }},
        {"Expand", [](const OnnxNode&, const Values& in) { return expand(in); }},
        {"Cast", cast},
        {"Where", [](const OnnxNode&, const Values& in) { return where(in); }},
        {"ConstantOfShape", constantOfShape},
    };
    return table;
}

Answer ofShape(const OnnxNode& node, const Extents& extents) {
    const auto rank = static_cast<std::int64_t>(extents.size());
    const auto place = [&](std::int64_t value) {
        return std::clamp<std::int64_t>(value < 0 ? value + rank : value, 0, rank);
    };
    const std::int64_t start = place(node.integer("start", 0));
    const std::int64_t end = std::max(start, place(node.integer("end", rank)));
    KnownValue result{{end - start}, OnnxType::Int64, {}};
    for (std::int64_t i = start; i < end; ++i)
        result.values.push_back(static_cast<double>(extents[static_cast<std::size_t>(i)]));
    return result;
}

Answer ofConstant(const OnnxNode& node) {
    if (const auto* value = node.attribute("value"); value != nullptr && value->tensor) {
        if (value->tensor->elements() > mostElements)
            return std::nullopt;
        return KnownValue{value->tensor->extents, value->tensor->type, numbersOf(*value->tensor)};
    }
    if (const auto* value = node.attribute("value_int"))
        return KnownValue{{}, OnnxType::Int64, {static_cast<double>(value->integer)}};
    if (const auto* value = node.attribute("value_float"))
        return KnownValue{{}, OnnxType::Float, {value->number}};
    if (const auto* value = node.attribute("value_ints")) {
        KnownValue result{{static_cast<std::int64_t>(value->integers.size())}, OnnxType::Int64, {}};
        result.values.assign(value->integers.begin(), value->integers.end());
        return result;
    }
    if (const auto* value = node.attribute("value_floats"))
        return KnownValue{
            {static_cast<std::int64_t>(value->numbers.size())}, OnnxType::Float, value->numbers};
    return std::nullopt;
}

} // namespace

KnownValues::KnownValues(const core::OnnxGraph& graph,
                         std::function<std::optional<Extents>(const std::string&)> extentsOf)
    : m_extentsOf(std::move(extentsOf)) {
    for (const OnnxNode& node : graph.nodes) {
        for (const std::string& output : node.outputs)
            m_writers.emplace(output, &node);
    }
    for (const core::OnnxTensor& tensor : graph.initializers) {
        if (tensor.elements() <= mostElements && !tensor.isExternal)
            m_values[tensor.name] = {tensor.extents, tensor.type, numbersOf(tensor)};
    }
}

const KnownValue* KnownValues::find(const std::string& name) {
    return find(name, 0);
}

const KnownValue* KnownValues::find(const std::string& name, int depth) {
    if (const auto found = m_values.find(name); found != m_values.end())
        return &found->second;
    const auto writer = m_writers.find(name);
    if (depth > deepest || writer == m_writers.end() || m_unknown.contains(name))
        return nullptr;
    const KnownValue* value = evaluate(*writer->second, name, depth);
    if (value == nullptr)
        m_unknown.insert(name);
    return value;
}

const KnownValue* KnownValues::evaluate(const OnnxNode& node, const std::string& name, int depth) {
    Answer answer;
    bool isFed = false;
    if (node.operation == "Constant") {
        answer = ofConstant(node);
    } else if (node.operation == "Shape" || node.operation == "Size") {
        const auto extents = node.inputs.empty() ? std::nullopt : m_extentsOf(node.inputs[0]);
        if (!extents)
            return nullptr;
        answer = node.operation == "Shape"
                     ? ofShape(node, *extents)
                     : Answer(KnownValue{{}, OnnxType::Int64, {static_cast<double>(elementCount(*extents))}});
    } else {
        const auto evaluator = evaluators().find(node.operation);
        if (evaluator == evaluators().end() || !node.domain.empty() || node.outputs.size() != 1 ||
            node.inputs.empty())
            return nullptr;
        Values inputs;
        for (const std::string& input : node.inputs) {
            const KnownValue* value = input.empty() ? nullptr : find(input, depth + 1);
            if (value == nullptr)
                return nullptr;
            inputs.push_back(value);
            isFed = isFed || m_isFed.contains(input);
        }
        answer = evaluator->second(node, inputs);
    }
    if (!answer || elementCount(answer->extents) != static_cast<std::int64_t>(answer->values.size()))
        return nullptr;
    if (isFed)
        m_isFed.insert(name);
    return &(m_values[name] = std::move(*answer));
}

bool KnownValues::isStatic(const std::string& name) {
    return find(name) != nullptr && !m_isFed.contains(name);
}

} // namespace simulator
