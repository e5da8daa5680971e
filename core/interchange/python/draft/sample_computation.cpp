#include "core/interchange/python/draft/sample_computation.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace core {

namespace {

/// What is computed of so many others one by one is a total that the host keeps, no loss.
constexpr int deepestComputation = 500;

/// What a value brings to what is computed of it.
struct ComputedFrom {
    bool isOfSamples = false;
    std::int64_t model = -1;
    bool isChained = false;
    int depth = 0;

    void take(const PythonValue& value) {
        if (const auto* data = value.as<PythonData>()) {
            isOfSamples = isOfSamples || data->model >= 0 || data->part >= 0 || data->computed != nullptr;
            model = std::max(model, data->model);
            isChained = isChained || data->isChained;
            depth = std::max(depth, data->computed == nullptr ? 0 : data->computed->depth);
        } else if (const auto* loss = value.as<PythonLoss>(); loss != nullptr && loss->model >= 0) {
            isOfSamples = true;
            model = std::max(model, loss->model);
        }
        for (const PythonValue& item : value.items())
            take(item);
    }
    void take(const PythonArguments& arguments) {
        for (const PythonValue& value : arguments.list)
            take(value);
        for (const auto& entry : arguments.keywords)
            take(entry.second);
    }
};

bool holdsComputation(const PythonValue& value, const PythonComputation* computation) {
    const auto* data = value.as<PythonData>();
    return (data != nullptr && data->computed.get() == computation) ||
           std::ranges::any_of(value.items(),
                               [&](const PythonValue& item) { return holdsComputation(item, computation); });
}

/// Functions that leave the values as they are.
bool keepsValues(const PythonComputation& computation) {
    constexpr std::array<std::string_view, 4> names{"cast", "identity", "convert_to_tensor", "to_float"};
    const std::string_view name = std::string_view(computation.name);
    return computation.kind == PythonComputation::Kind::Function &&
           std::ranges::find(names, name.substr(name.rfind('.') + 1)) != names.end() &&
           !computation.arguments.list.empty() && computation.arguments.list[0].is<PythonData>();
}

} // namespace

PythonData weightsOfModel() {
    PythonData weights;
    weights.origin = modelWeights;
    weights.weights = 1;
    return weights;
}

bool isProgramWeight(const PythonValue& value) {
    const auto* object = value.as<PythonLibraryObject>();
    return object != nullptr && object->className == pythonWeightClass;
}

std::optional<PythonValues> weightOwners(const PythonValue& value) {
    if (const auto* data = value.as<PythonData>())
        return data->weightOwners == nullptr ? std::nullopt : std::optional(data->weightOwners->items());
    if (!value.is<PythonList>())
        return std::nullopt;
    PythonValues all;
    for (const PythonValue& item : value.items()) {
        const auto owners = weightOwners(item);
        if (!owners)
            return std::nullopt;
        all.insert(all.end(), owners->begin(), owners->end());
    }
    return all;
}

std::optional<PythonValue> joinedWeights(const PythonValue& left, const PythonValue& right) {
    auto owners = weightOwners(left);
    const auto others = weightOwners(right);
    if (!owners || !others)
        return std::nullopt;
    owners->insert(owners->end(), others->begin(), others->end());
    PythonData both = weightsOfModel();
    both.weightOwners = std::make_shared<const PythonValue>(pythonList(std::move(*owners)));
    return both;
}

bool areOfSamples(const PythonArguments& arguments) {
    ComputedFrom from;
    from.take(arguments);
    return from.isOfSamples;
}

bool drawsNumbers(std::string_view path) {
    return path.starts_with("tf.random.") || path.starts_with("tf.random_") ||
           path.starts_with("tf.truncated_normal");
}

void visitOperands(const PythonValue& value, const std::function<void(const PythonValue&)>& visit) {
    std::vector<PythonValue> open{value};
    std::set<const PythonComputation*> seen;
    while (!open.empty()) {
        const PythonValue next = std::move(open.back());
        open.pop_back();
        const auto* data = next.as<PythonData>();
        const std::shared_ptr<const PythonComputation> computed = data == nullptr ? nullptr : data->computed;
        if (computed == nullptr && next.is<PythonList>()) {
            for (const PythonValue& item : next.items())
                open.push_back(item);
        } else if (computed == nullptr) {
            visit(next);
        } else if (seen.insert(computed.get()).second) {
            for (const PythonValue& operand : computed->arguments.list)
                open.push_back(operand);
            for (const auto& entry : computed->arguments.keywords)
                open.push_back(entry.second);
        }
    }
}

bool holdsParts(const PythonValue& value) {
    bool holds = false;
    visitOperands(value, [&](const PythonValue& operand) {
        const auto* data = operand.as<PythonData>();
        holds = holds || (data != nullptr && data->part >= 0);
    });
    return holds;
}

std::string drawnIn(const PythonData& data) {
    std::string drawn;
    visitOperands(data, [&](const PythonValue& operand) {
        const auto* leaf = operand.as<PythonData>();
        if (leaf != nullptr && leaf->part < 0 && drawsNumbers(leaf->origin))
            drawn = leaf->origin;
    });
    return drawn;
}

bool areChangedLabels(const PythonData& data) {
    constexpr std::array<std::string_view, 5> arithmetic{"+", "-", "*", "/", "**"};
    bool isChanged = false;
    std::vector<const PythonData*> open{&data};
    for (std::size_t i = 0; i < open.size(); ++i) {
        const PythonComputation* computed = open[i]->computed.get();
        if (computed == nullptr) {
            if (open[i]->part < 1)
                return false;
            continue;
        }
        isChanged = isChanged || computed->kind == PythonComputation::Kind::Negative ||
                    std::ranges::find(arithmetic, computed->name) != arithmetic.end();
        for (const PythonValue& operand : computed->arguments.list)
            if (const auto* part = operand.as<PythonData>(); part != nullptr && open.size() < 100)
                open.push_back(part);
    }
    return isChanged;
}

bool areReckoned(const PythonData& samples) {
    constexpr std::array<std::string_view, 9> arranging{"cast",    "reshape",   "expand_dims",
                                                        "squeeze", "transpose", "identity",
                                                        "stack",   "concat",    "convert_to_tensor"};
    if (samples.computed == nullptr || samples.model >= 0)
        return false;
    const PythonComputation& computed = *samples.computed;
    const bool isArranging = computed.kind == PythonComputation::Kind::Element ||
                             (computed.kind == PythonComputation::Kind::Function &&
                              std::ranges::find(arranging, lastPart(computed.name)) != arranging.end());
    const auto* first =
        computed.arguments.list.empty() ? nullptr : computed.arguments.list.front().as<PythonData>();
    return !isArranging || (first != nullptr && areReckoned(*first));
}

bool isHandedOn(const PythonData& data, const PythonArguments& arguments) {
    const auto holds = [&](const PythonValue& value) { return holdsComputation(value, data.computed.get()); };
    return std::ranges::any_of(arguments.list, holds) ||
           std::ranges::any_of(arguments.keywords, [&](const auto& entry) { return holds(entry.second); });
}

void rememberComputation(PythonValue& made, PythonComputation computation) {
    auto* data = std::get_if<PythonData>(&made.content);
    ComputedFrom from;
    from.take(computation.arguments);
    if (data == nullptr || data->element != nullptr || data->isGradient || !from.isOfSamples)
        return;
    if (computation.kind == PythonComputation::Kind::Function && drawsNumbers(computation.name)) {
        *data = PythonData(); // it takes no more than their extents
        data->origin = computation.name + "()";
        return;
    }
    if (keepsValues(computation)) {
        const PythonData before = *computation.arguments.list[0].as<PythonData>();
        data->model = before.model;
        data->output = before.output;
        data->isChained = before.isChained;
        data->part = before.part;
        data->computed = before.computed;
        return;
    }
    data->model = from.model;
    data->isChained = from.isChained;
    data->computed = nullptr;
    computation.depth = from.depth + 1;
    if (computation.depth <= deepestComputation)
        data->computed = std::make_shared<const PythonComputation>(std::move(computation));
}

} // namespace core
