// Weights that a program makes of their first values.
#include "core/interchange/python/apis/models/program_variables.h"

#include "core/interchange/python/apis/models/model_objects.h"
#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_shape.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

Json objectOfClass(const char* className, Json config = Json::object()) {
    return {{"class_name", className}, {"config", std::move(config)}};
}

/// The numbers of an array, in its order.
Json numbersInitializer(const std::vector<double>& numbers) {
    return objectOfClass("Constant", {{"value", numbers}});
}

Json constantInitializer(double value) {
    if (value == 0)
        return objectOfClass("Zeros");
    return value == 1 ? objectOfClass("Ones") : objectOfClass("Constant", {{"value", value}});
}

/// What a weight begins with whose first value is this; null: it is not known.
Json initializerOf(const PythonValue& value) {
    if (value.isNumber())
        return constantInitializer(value.constant().get<double>());
    const auto* data = value.as<PythonData>();
    if (data == nullptr)
        return nullptr;
    if (!data->initializer.is_null() || data->array == nullptr || data->array->numbers.empty() ||
        data->array->numbers.size() > std::size_t{mostModelNumbers})
        return data->initializer;
    const std::vector<double>& numbers = data->array->numbers;
    const bool areAlike = std::ranges::all_of(numbers, [&](double one) { return one == numbers.front(); });
    return areAlike ? constantInitializer(numbers.front()) : numbersInitializer(numbers);
}

bool isPartOfModel(const PythonApiCall& call) {
    const PythonInstance* object = call.interpreter.runningObject();
    if (object == nullptr)
        return false;
    const std::string& base = object->definition->base;
    return isLayerBase(base) || isModelBase(base) || isModuleBase(base);
}

bool isTrained(const PythonApiCall& call) {
    const PythonValue* trainable = call.arguments.find("trainable", 1);
    const PythonValue* type = call.arguments.keyword("dtype");
    const Json name = type == nullptr ? Json("float32") : call.builder.json(*type, call.place());
    const bool isReal =
        !name.is_string() || name.get_ref<const std::string&>().find("float") != std::string::npos;
    return isReal && (trainable == nullptr || trainable->isNone() || trainable->constant() == true);
}

double boundOr(const PythonApiCall& call, const char* name, std::size_t position, double preset) {
    const PythonValue* given = call.arguments.given(name, position);
    return given != nullptr && given->isNumber() ? given->constant().get<double>() : preset;
}

/// A variable of the host, which may be assigned others.
PythonValue variableOfNumber(const PythonValue& value) {
    PythonArray number;
    number.numbers = {value.constant().get<double>()};
    number.kind = value.isWhole() ? PythonArray::Kind::Whole : PythonArray::Kind::Real;
    return pythonArray(std::move(number));
}

} // namespace

PythonValue variableOfValue(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("initial_value", 0);
    if (given == nullptr)
        return PythonData();
    PythonValue value = *given;
    if (value.is<PythonFunction>()) { // a function that makes it
        PythonArguments none{{}, {}, call.place()};
        value = call.interpreter.call(value, none);
    }
    const auto* data = value.as<PythonData>();
    if (call.builder.assignsNumbers && value.isNumber() && !isPartOfModel(call))
        return variableOfNumber(value);
    const bool isReal = value.constant().is_number_float();
    const Json shape = data != nullptr ? data->shape : isReal ? Json::array() : Json();
    const bool isKnown = shape.is_array() && (data == nullptr || data->dataset.empty()) &&
                         std::ranges::all_of(shape, [](const Json& one) { return one.is_number_integer(); });
    const Json begins = initializerOf(value);
    const bool isWeight = isKnown && isTrained(call) && (!shape.empty() || isPartOfModel(call)) &&
                          (!begins.is_null() || isPartOfModel(call));
    if (!isWeight)
        return data == nullptr || (data->array != nullptr && isPartOfModel(call)) ? value : [&] {
            PythonData open = *data;
            open.array = nullptr; // it may hold something else later
            return PythonValue(open);
        }();
    if (begins.is_null())
        call.warn("python/ignored", "the numbers that this weight begins with are left out",
                  {"draw them by a function of tf.random, or by an initializer of tf.keras"});
    PythonLibraryObject weight = newWeight(call);
    (*weight.attributes)["shape"] = pythonConstant(shape);
    if (!begins.is_null())
        (*weight.attributes)["initializer"] = PythonConfigured{begins, ""};
    const PythonValue* type = call.arguments.keyword("dtype");
    setTypeOfWeight(call.builder, weight,
                    type != nullptr                      ? typeNamed(type)
                    : data != nullptr && data->areHalves ? "float16"
                                                         : "");
    return weight;
}

Json initializerOfDraw(const PythonApiCall& call) {
    const std::string name = call.name();
    constexpr double unit = 1;
    const bool isTruncated = name == "truncated_normal";
    if (isTruncated || name == "normal" || name == "random_normal")
        return objectOfClass(
            isTruncated ? "TruncatedNormal" : "RandomNormal",
            {{"mean", boundOr(call, "mean", 1, 0)}, {"stddev", boundOr(call, "stddev", 2, unit)}});
    if (name != "uniform" && name != "random_uniform")
        return nullptr;
    return objectOfClass("RandomUniform", {{"minval", boundOr(call, "minval", 1, 0)},
                                           {"maxval", boundOr(call, "maxval", 2, unit)}});
}

PythonValue callInitializer(const PythonApiCall& call, const PythonConfigured& initializer) {
    const PythonValue* shape = call.arguments.find("shape", 0);
    PythonValue made = arrayOfShape(shape == nullptr ? Json() : writtenShape(*shape));
    if (auto* data = std::get_if<PythonData>(&made.content))
        data->initializer = initializer.json;
    return made;
}

Json scaledInitializer(const std::string& operation, const PythonValue& left, const PythonValue& right) {
    const bool isFirst = left.is<PythonData>();
    const PythonValue& number = isFirst ? right : left;
    const Json& drawn = (isFirst ? left : right).as<PythonData>()->initializer;
    if (drawn.is_null() || !number.isNumber() || (operation != "*" && (operation != "/" || !isFirst)))
        return nullptr;
    const double by = number.constant().get<double>();
    if (by == 0)
        return nullptr;
    Json scaled = drawn;
    constexpr std::array<const char*, 5> sizes{"mean", "stddev", "minval", "maxval", "value"};
    bool isScaled = false;
    for (const char* size : sizes)
        if (scaled["config"].contains(size) && scaled["config"][size].is_number()) {
            const double before = scaled["config"][size].get<double>();
            scaled["config"][size] = operation == "*" ? before * by : before / by;
            isScaled = true;
        }
    return isScaled ? scaled : Json();
}

} // namespace core
