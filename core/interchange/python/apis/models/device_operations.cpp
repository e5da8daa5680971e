// Operations that a program runs on the device one by one.
#include "core/interchange/python/apis/models/device_operations.h"

#include "core/interchange/python/apis/calls/model_elements.h"
#include "core/interchange/python/apis/calls/program_function.h"
#include "core/interchange/python/apis/graphs/function_model.h"
#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace core {

namespace {

/// An array of which no more is known than that the program has it, with its extents.
const PythonData* arrayOfProgram(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    const bool isArray = data != nullptr && data->element == nullptr && data->model < 0 &&
                         !data->isGradient && !data->weights && data->placeholder == 0 &&
                         data->shape.is_array() && !data->shape.empty();
    return isArray ? data : nullptr;
}

bool holdsArray(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    return arrayOfProgram(value) != nullptr || (data != nullptr && data->onDevice > 0) ||
           std::ranges::any_of(value.items(), holdsArray);
}

/// Runs remembered operations on tensors.
class EagerGraph {
public:
    EagerGraph(PythonInterpreter& interpreter, PythonProgramBuilder& builder)
        : m_interpreter(interpreter)
        , m_builder(builder) {}

    PythonValue result(std::int64_t operation) {
        if (const auto known = m_results.find(operation); known != m_results.end())
            return known->second;
        const PythonComputation& computation =
            *m_builder.eagerOperations.at(static_cast<std::size_t>(operation) - 1);
        PythonArguments arguments{{}, {}, computation.arguments.place};
        for (const PythonValue& one : computation.arguments.list)
            arguments.list.push_back(value(one, arguments.place));
        for (const auto& [name, one] : computation.arguments.keywords)
            arguments.keywords.emplace_back(name, value(one, arguments.place));
        PythonValue made = compute(computation, arguments);
        m_results.emplace(operation, made);
        return made;
    }

    [[nodiscard]] const PythonValues& inputs() const { return m_inputs; }
    [[nodiscard]] std::int64_t batch() const { return m_batch; }

private:
    PythonValue compute(const PythonComputation& computation, PythonArguments& arguments) {
        switch (computation.kind) {
        case PythonComputation::Kind::Negative:
            return callOnTensors(m_builder, "math.negative", arguments);
        case PythonComputation::Kind::Element:
            return sliceTensor(m_builder, *arguments.list[0].as<PythonTensor>(), arguments.list[1],
                               arguments.place);
        case PythonComputation::Kind::Operator:
            if (auto made = weightOperation(m_builder, computation.name, arguments.list[0], arguments.list[1],
                                            arguments.place))
                return std::move(*made);
            return tensorOperation(m_builder, computation.name, arguments.list[0], arguments.list[1],
                                   arguments.place)
                .value_or(PythonValue());
        default:
            return m_interpreter.call(PythonLibraryName{computation.name}, arguments);
        }
    }

    PythonValue value(const PythonValue& given, PythonPlace place) {
        if (const auto* data = given.as<PythonData>(); data != nullptr && data->onDevice > 0)
            return result(data->onDevice);
        if (const PythonData* data = arrayOfProgram(given))
            return leaf(*data, place);
        const auto* list = given.as<PythonList>();
        if (list == nullptr || !holdsArray(given))
            return given;
        PythonValues items;
        for (const PythonValue& item : *list->items)
            items.push_back(value(item, place));
        return pythonList(std::move(items), list->isTuple);
    }

    PythonValue leaf(const PythonData& data, PythonPlace place) {
        if (data.array != nullptr)
            if (const auto known = m_arrays.find(data.array.get()); known != m_arrays.end())
                return known->second;
        if (data.array != nullptr && !m_inputs.empty())
            return data; // its numbers are known: a constant
        if (!m_inputs.empty() && data.shape[0] != Json(m_batch))
            m_builder.refuse(
                place, "python/unsupported",
                "the numbers of this array are not read, and it has other rows than the input of what "
                "the device computes",
                {"write its numbers with tf.constant(), tf.ones() or the like"});
        m_batch = data.shape[0].is_number_integer() ? data.shape[0].get<std::int64_t>() : 0;
        PythonArguments none{{}, {}, place};
        const std::string path = "tf.device";
        m_inputs.push_back(makeElement({m_builder, m_interpreter, path, none}, "input",
                                       Json(data.shape.begin() + 1, data.shape.end()), data.shape[0], &data));
        if (data.array != nullptr)
            m_arrays.emplace(data.array.get(), m_inputs.back());
        return m_inputs.back();
    }

    PythonInterpreter& m_interpreter;
    PythonProgramBuilder& m_builder;
    std::map<std::int64_t, PythonValue> m_results;
    std::map<const PythonArray*, PythonValue> m_arrays;
    PythonValues m_inputs;
    std::int64_t m_batch = 0;
};

} // namespace

bool isEager(const PythonProgramBuilder& builder, const PythonArguments& arguments) {
    constexpr std::size_t most = 10000;
    return builder.scope.isStrategy && builder.facts.draft.models.empty() &&
           builder.facts.draft.layers.empty() && builder.eagerOperations.size() < most &&
           (std::ranges::any_of(arguments.list, holdsArray) ||
            std::ranges::any_of(arguments.keywords,
                                [](const auto& entry) { return holdsArray(entry.second); }));
}

void rememberEager(PythonProgramBuilder& builder, PythonComputation computation, PythonValue& made) {
    // What only makes arrays of what the program has.
    constexpr std::array<std::string_view, 4> making{"constant", "convert_to_tensor", "Variable", "identity"};
    auto* data = std::get_if<PythonData>(&made.content);
    const bool isMade = computation.kind == PythonComputation::Kind::Function &&
                        std::ranges::find(making, lastPart(computation.name)) != making.end();
    // Its extents need not be known: a variable may be an operand.
    const bool isValue = data != nullptr && data->element == nullptr && data->model < 0 &&
                         data->dataset.empty() && !data->isGradient && !data->weights &&
                         data->placeholder == 0;
    if (!isValue || isMade)
        return;
    builder.eagerOperations.push_back(std::make_shared<const PythonComputation>(std::move(computation)));
    data->onDevice = static_cast<std::int64_t>(builder.eagerOperations.size());
}

void forgetEager(PythonValue& made) {
    if (auto* data = std::get_if<PythonData>(&made.content))
        data->onDevice = 0;
}

void compileEager(PythonInterpreter& interpreter, PythonProgramBuilder& builder) {
    if (builder.eagerOperations.empty())
        return;
    EagerGraph graph(interpreter, builder);
    const PythonPlace place = builder.eagerOperations.back()->arguments.place;
    const PythonValue answer = graph.result(static_cast<std::int64_t>(builder.eagerOperations.size()));
    PythonArguments none{{}, {}, place};
    const std::string path = "tf.device";
    PythonData samples;
    samples.batchSize = graph.batch();
    addTrainedModel({builder, interpreter, path, none}, nullptr, outputsOf(answer), graph.inputs(), samples,
                    Json::object());
}

} // namespace core
