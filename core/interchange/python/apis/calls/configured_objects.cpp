#include "core/interchange/python/apis/calls/configured_objects.h"

#include "core/config/keras_catalogue.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/own_schedules.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace core {

namespace {

PythonConfigured configuredOf(const PythonApiCall& call, const std::string& className) {
    return {{{"class_name", className}, {"config", Json::object()}}, call.path};
}

/// The parameters of initializers and constraints in the order of their constructors. Those that are not here
/// take a seed alone.
std::vector<std::string_view> parametersOf(std::string_view className) {
    struct Row {
        std::string_view name;
        std::vector<std::string_view> parameters;
    };
    static const std::array<Row, 11> rows{{{"constant", {"value"}},
                                           {"random_normal", {"mean", "stddev", "seed"}},
                                           {"truncated_normal", {"mean", "stddev", "seed"}},
                                           {"random_uniform", {"minval", "maxval", "seed"}},
                                           {"variance_scaling", {"scale", "mode", "distribution", "seed"}},
                                           {"orthogonal", {"gain", "seed"}},
                                           {"identity", {"gain"}},
                                           {"max_norm", {"max_value", "axis"}},
                                           {"min_max_norm", {"min_value", "max_value", "rate", "axis"}},
                                           {"unit_norm", {"axis"}},
                                           {"non_neg", {}}}};
    const std::string plain = snakeCase(std::string(className));
    const auto row = std::ranges::find(rows, plain, &Row::name);
    return row == rows.end() ? std::vector<std::string_view>{"seed"} : row->parameters;
}

/// The parameters of a metric in the order of its constructor: name and type come before those of its own,
/// but for what these classes begin with.
std::vector<std::string_view> parametersOfMetric(const KerasClass& metric) {
    struct Row {
        std::string_view className;
        std::vector<std::string_view> first;
    };
    static const std::array<Row, 10> rows{{{"TopKCategoricalAccuracy", {"k"}},
                                           {"SparseTopKCategoricalAccuracy", {"k"}},
                                           {"Precision", {"thresholds", "top_k", "class_id"}},
                                           {"Recall", {"thresholds", "top_k", "class_id"}},
                                           {"TruePositives", {"thresholds"}},
                                           {"TrueNegatives", {"thresholds"}},
                                           {"FalsePositives", {"thresholds"}},
                                           {"FalseNegatives", {"thresholds"}},
                                           {"AUC", {"num_thresholds", "curve", "summation_method"}},
                                           {"MeanIoU", {"num_classes"}}}};
    const auto row = std::ranges::find(rows, metric.className, &Row::className);
    std::vector<std::string_view> names = row == rows.end() ? std::vector<std::string_view>() : row->first;
    names.insert(names.end(), {"name", "dtype"});
    for (const KerasParameter& parameter : metric.parameters)
        if (std::ranges::find(names, parameter.name) == names.end())
            names.push_back(parameter.name);
    return names;
}

/// Arguments that metrics of Keras have and a run does not follow, with their defaults as JSON. Source: the
/// signatures in the documentation of TensorFlow 2.
struct UnfollowedArgument {
    std::string_view className;
    std::string_view name;
    std::string_view defaultText;
};
constexpr std::array<UnfollowedArgument, 17> unfollowedArguments{{
    {"AUC", "curve", "\"ROC\""},
    {"AUC", "summation_method", "\"interpolation\""},
    {"AUC", "thresholds", "null"},
    {"AUC", "multi_label", "false"},
    {"AUC", "num_labels", "null"},
    {"AUC", "label_weights", "null"},
    {"AUC", "from_logits", "false"},
    {"Precision", "top_k", "null"},
    {"Precision", "class_id", "null"},
    {"Recall", "top_k", "null"},
    {"Recall", "class_id", "null"},
    {"MeanIoU", "ignore_class", "null"},
    {"MeanIoU", "sparse_y_true", "true"},
    {"MeanIoU", "sparse_y_pred", "true"},
    {"MeanIoU", "axis", "-1"},
    {"SparseCategoricalCrossentropy", "ignore_class", "null"},
    {"BinaryCrossentropy", "axis", "-1"},
}};

/// A metric is measured without what a run does not follow, and the program's reader is told so.
void leaveUnfollowedOut(const PythonApiCall& call, Json& config) {
    const std::string className = call.name();
    for (const UnfollowedArgument& argument : unfollowedArguments) {
        const auto given = config.find(argument.name);
        if (argument.className != className || given == config.end())
            continue;
        if (*given != Json::parse(argument.defaultText))
            call.warn("python/ignored",
                      fmt::format("\"{}\" of the metric {} is left out: a run measures {} with {}={}",
                                  argument.name, className, className, argument.name, argument.defaultText),
                      {"read the metric as that, or measure it on predictions outside of the workbench"});
        config.erase(given);
    }
}

/// Positional arguments, by the order of the constructor's parameters.
void namePositional(const PythonApiCall& call, const std::string& className, const KerasCatalogue* catalogue,
                    Json& config) {
    std::vector<std::string_view> names;
    if (catalogue == nullptr)
        names = parametersOf(className);
    const KerasClass* known = catalogue == nullptr ? nullptr : catalogue->find(className);
    if (known != nullptr && catalogue == &metricCatalogue())
        names = parametersOfMetric(*known);
    else if (known != nullptr)
        for (const KerasParameter& parameter : known->parameters)
            names.push_back(parameter.name);
    if (call.arguments.list.size() > names.size())
        call.refuse("python/unsupported", fmt::format("name the arguments of {}", className),
                    {"write name=value for each of them"});
    for (std::size_t i = 0; i < call.arguments.list.size(); ++i)
        config[std::string(names[i])] = call.builder.json(call.arguments.list[i], call.place());
}

} // namespace

bool isUnmeasuredMetric(std::string_view className) {
    constexpr std::array<std::string_view, 12> names{"PrecisionAtRecall",
                                                     "RecallAtPrecision",
                                                     "SensitivityAtSpecificity",
                                                     "SpecificityAtSensitivity",
                                                     "MeanRelativeError",
                                                     "IoU",
                                                     "BinaryIoU",
                                                     "OneHotIoU",
                                                     "OneHotMeanIoU",
                                                     "F1Score",
                                                     "FBetaScore",
                                                     "R2Score"};
    return std::ranges::find(names, className) != names.end();
}

bool isScheduleBase(const std::string& base) {
    return base.starts_with("keras.") && base.ends_with("LearningRateSchedule");
}

std::optional<PythonValue> initializerOfNumbers(const PythonApiCall& call, const PythonValue& value) {
    if (!value.is<PythonList>() && !value.is<PythonData>())
        return std::nullopt;
    const auto array = arrayOf(value);
    const char* const cure = "name a file of weights in training.weights to start from these numbers";
    if (array == nullptr) {
        call.warn(
            "python/ignored",
            "the numbers that this initializer starts from are not in the program: they are drawn instead",
            {cure});
        return PythonConfigured{{{"class_name", "RandomUniform"}, {"config", Json::object()}}, call.path};
    }
    const double first = array->numbers.empty() ? 0 : array->numbers.front();
    const bool areEqual = std::ranges::all_of(array->numbers, [&](double number) { return number == first; });
    return PythonConfigured{
        {{"class_name", "Constant"}, {"config", {{"value", areEqual ? Json(first) : Json(array->numbers)}}}},
        call.path};
}

PythonValue makeConfigured(const PythonApiCall& call, const KerasCatalogue* catalogue) {
    if (const PythonValue* value = call.arguments.find("value", 0);
        value != nullptr && catalogue == nullptr && lowerCase(call.name()) == "constant")
        if (auto initializer = initializerOfNumbers(call, *value))
            return *initializer;
    PythonConfigured object = configuredOf(call, call.name());
    const bool isMetric = catalogue == &metricCatalogue();
    if (isMetric && isUnmeasuredMetric(call.name()))
        return object;
    for (const auto& [key, given] : call.arguments.keywords)
        object.json["config"][key] = call.builder.json(given, call.place());
    if (!call.arguments.list.empty())
        namePositional(call, call.name(), catalogue, object.json["config"]);
    if (isMetric)
        leaveUnfollowedOut(call, object.json["config"]);
    return object;
}

PythonValue makeOptimizer(const PythonApiCall& call) {
    const auto sample = [&](PythonValue& value) {
        if (const auto* own = value.as<PythonInstance>();
            own != nullptr && isScheduleBase(own->definition->base))
            value = ownSchedule(call.builder, PythonInstance(*own), call.place());
    };
    for (PythonValue& value : call.arguments.list)
        sample(value);
    for (auto& entry : call.arguments.keywords)
        sample(entry.second);
    PythonConfigured object = configuredOf(call, call.name());
    Json& config = object.json["config"];
    for (const auto& [key, given] : call.arguments.keywords)
        config[key] = call.builder.optimizerNumber(given, call.place());
    if (call.arguments.list.size() == 1)
        config["learning_rate"] = call.builder.optimizerNumber(call.arguments.list[0], call.place());
    else if (!call.arguments.list.empty())
        namePositional(call, call.name(), &optimizerCatalogue(), config);
    object.rate = std::make_shared<PythonRate>();
    const PythonValue* given = call.arguments.keyword("learning_rate");
    given = given == nullptr && !call.arguments.list.empty() ? call.arguments.list.data() : given;
    const auto* variable = given == nullptr ? nullptr : given->as<PythonData>();
    if (variable != nullptr && variable->array != nullptr && variable->array->extents.empty())
        object.rate->variable = variable->array;
    return object;
}

PythonValue makeRegularizer(const PythonApiCall& call) {
    // Functions of Keras and classes: the class that they make, its parameters in their order, and the value
    // of those that the call leaves out, where that is not the class's own.
    struct Row {
        std::string_view name;
        const char* className;
        std::array<std::string_view, 2> parameters;
        bool fills = false;
    };
    constexpr std::array<Row, 8> rows{
        {{"l1", "L1", {"l1", ""}},
         {"L1", "L1", {"l1", ""}},
         {"l2", "L2", {"l2", ""}},
         {"L2", "L2", {"l2", ""}},
         {"l1_l2", "L1L2", {"l1", "l2"}, true},
         {"L1L2", "L1L2", {"l1", "l2"}},
         {"orthogonal_regularizer", "OrthogonalRegularizer", {"factor", "mode"}},
         {"OrthogonalRegularizer", "OrthogonalRegularizer", {"factor", "mode"}}}};
    const std::string name = call.name();
    const auto* const row = std::ranges::find(rows, name, &Row::name);
    if (row == rows.end())
        call.refuse("python/unsupported",
                    fmt::format("\"{}\" is not among the known regularizers", quotedName(name)),
                    {"known: L1, L2, L1L2, OrthogonalRegularizer"});
    const auto known = std::span(row->parameters).first(row->parameters[1].empty() ? 1 : 2);
    PythonConfigured object = configuredOf(call, row->className);
    Json& config = object.json["config"];
    if (call.arguments.list.size() > known.size())
        call.refuse("python/value", fmt::format("{}() takes {} values", name, known.size()),
                    {"leave the further ones out"});
    for (std::size_t i = 0; i < call.arguments.list.size(); ++i)
        config[std::string(known[i])] = call.builder.json(call.arguments.list[i], call.place());
    for (const auto& [key, given] : call.arguments.keywords) {
        const std::string_view parameter = key == "l" && known.size() == 1 ? known[0] : key;
        if (std::ranges::find(known, parameter) == known.end())
            call.refuse("python/value", fmt::format("{}() has no argument \"{}\"", name, quotedName(key)),
                        {fmt::format("it takes {}", fmt::join(known, " and "))});
        config[std::string(parameter)] = call.builder.json(given, call.place());
    }
    constexpr double filled = 0.01;
    for (const std::string_view parameter : known)
        if (row->fills && !config.contains(parameter))
            config[std::string(parameter)] = filled;
    return object;
}

PythonValue pythonFromJson(const PythonApiCall& call, const Json& json, const PythonValue* hook) {
    PythonValues items;
    if (json.is_object()) {
        std::vector<std::pair<PythonValue, PythonValue>> entries;
        for (const auto& [key, value] : json.items())
            entries.emplace_back(pythonText(key), pythonFromJson(call, value, hook));
        PythonValue made = pythonDictionary(std::move(entries));
        if (hook == nullptr)
            return made;
        PythonArguments one{{std::move(made)}, {}, call.place()};
        return call.interpreter.call(*hook, one);
    }
    if (!json.is_array())
        return pythonConstant(json);
    for (const Json& item : json)
        items.push_back(pythonFromJson(call, item, hook));
    return pythonList(std::move(items));
}

namespace {

/// An object of the class of that name beside the function that is called.
PythonValue objectOfClass(const PythonApiCall& call, const std::string& className, const Json& config) {
    PythonArguments arguments{{}, {}, call.place()};
    if (config.is_object())
        for (const auto& [key, value] : config.items())
            arguments.keywords.emplace_back(key, pythonFromJson(call, value));
    const std::string family = call.path.substr(0, call.path.rfind('.') + 1);
    return call.interpreter.call(PythonLibraryName{family + className}, arguments);
}

} // namespace

PythonValue objectOfName(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find(call.name() == "get" ? "identifier" : "config", 0);
    given = given == nullptr ? call.arguments.keyword("name") : given;
    if (given == nullptr || (!given->isText() && !given->is<PythonDictionary>()))
        return given == nullptr ? PythonValue() : *given;
    const Json json = call.builder.json(*given, call.place());
    if (json.is_string())
        return objectOfClass(call, json.get<std::string>(), {});
    if (!json.contains("class_name") || !json["class_name"].is_string())
        call.refuse("python/value",
                    fmt::format("{}() takes a name or {{\"class_name\", \"config\"}}", call.name()),
                    {"give what serialize() answers"});
    return objectOfClass(call, json["class_name"].get<std::string>(), json.value("config", Json()));
}

PythonValue objectOfConfig(const PythonApiCall& call) {
    const PythonValue* config = call.arguments.find("config", 0);
    if (config == nullptr || !config->is<PythonDictionary>())
        call.refuse("python/value", "from_config() takes a dictionary that the program writes",
                    {"write its entries in braces", "call the class with these arguments"});
    PythonArguments arguments{{}, {}, call.place()};
    for (const auto& [key, value] : *config->as<PythonDictionary>()->entries)
        arguments.keywords.emplace_back(call.interpreter.text(key, call.place()), value);
    return call.interpreter.call(PythonLibraryName{call.path.substr(0, call.path.rfind('.'))}, arguments);
}

PythonValue serializedObject(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        call.refuse("python/value", "serialize() lacks its object", {"pass it in the brackets"});
    return pythonFromJson(call, call.builder.json(call.arguments.list.front(), call.place()));
}

namespace {

std::vector<std::string> namesOf(const KerasClass& known) {
    std::vector<std::string> names;
    for (const KerasParameter& parameter : known.parameters)
        names.emplace_back(parameter.name);
    return names;
}

} // namespace

PythonValue makeCallback(const PythonApiCall& call, const std::string& className) {
    const KerasCatalogue& catalogue = callbackCatalogue();
    const KerasClass* known = catalogue.find(className);
    if (const PythonValue* schedule = call.arguments.find("schedule", 0);
        className == "LearningRateScheduler" && schedule != nullptr)
        return PythonLibraryObject{pythonRateScheduler,
                                   std::make_shared<std::map<std::string, PythonValue>>(
                                       std::map<std::string, PythonValue>{{"schedule", *schedule}})};
    const auto leaveOut = [&](std::string_view why = {}) -> PythonValue {
        call.warn("python/callback",
                  fmt::format("the callback {} is left out{}{}", quotedName(className),
                              why.empty() ? "" : ": ", why),
                  {why.empty()
                       ? "add one of the project's own callbacks in training.callbacks"
                       : "write the value in the program, or add the callback in training.callbacks"});
        return PythonData();
    };
    if (known == nullptr || call.arguments.list.size() > known->parameters.size())
        return leaveOut();
    auto given = call.arguments.keywords;
    for (std::size_t i = 0; i < call.arguments.list.size(); ++i)
        given.emplace_back(std::string(known->parameters[i].name), call.arguments.list[i]);
    PythonConfigured callback{{{"class_name", className}, {"config", Json::object()}}, ""};
    for (const auto& entry : given) {
        const std::string& name = entry.first;
        const auto* data = entry.second.as<PythonData>();
        if (data != nullptr)
            return leaveOut(fmt::format("what its \"{}\" is{} only a run knows", quotedName(name),
                                        data->origin.empty() ? "" : " (" + quotedName(data->origin) + ")"));
        const auto* object = entry.second.as<PythonLibraryObject>(); // a path
        const bool isPath =
            object != nullptr && object->attributes->contains(std::string(pythonTextFunction));
        if (!entry.second.is<PythonConstant>() && !isPath)
            return leaveOut();
        const auto isNamed = [&](const KerasParameter& parameter) { return parameter.name == name; };
        if (std::ranges::any_of(known->parameters, isNamed) || std::ranges::any_of(catalogue.common, isNamed))
            callback.json["config"][name] = call.builder.json(entry.second, call.place());
        else if (const auto meant = misspeltName(name, namesOf(*known)))
            call.refuse("type-error/argument",
                        fmt::format("{} takes no argument \"{}\"", className, quotedName(name)),
                        {fmt::format("did you mean \"{}\"?", *meant)});
        else
            call.warn("python/callback",
                      fmt::format("\"{}\" of the callback {} is left out", quotedName(name), className),
                      {"remove it: the callback works without"});
    }
    return callback;
}

PythonValue makeLossScaleOptimizer(const PythonApiCall& call) {
    const PythonValue* inner = call.arguments.find("inner_optimizer", 0);
    inner = inner == nullptr ? call.arguments.keyword("optimizer") : inner;
    if (inner == nullptr || (!inner->is<PythonConfigured>() && !inner->isText()))
        call.refuse("python/value", "LossScaleOptimizer takes an optimizer first",
                    {"write LossScaleOptimizer(tf.keras.optimizers.SGD(…))"});
    Json config{{"inner_optimizer", call.builder.json(*inner, call.place())}};
    if (config["inner_optimizer"].is_object())
        config["inner_optimizer"].erase(pythonOptimizerAlone);
    for (const char* name : {"dynamic", "initial_scale", "dynamic_growth_steps"})
        if (const PythonValue* given = call.arguments.keyword(name); given != nullptr && !given->isNone())
            config[name] = call.builder.json(*given, call.place());
    const PythonValue* scale = call.arguments.keyword("loss_scale");
    if (scale == nullptr && call.arguments.list.size() > 1)
        scale = &call.arguments.list[1];
    const auto* object = scale == nullptr ? nullptr : scale->as<PythonConfigured>();
    if (object != nullptr) {
        const Json& given = object->json["config"];
        if (given.contains("initial_loss_scale"))
            config["initial_scale"] = given["initial_loss_scale"];
        if (given.contains("increment_period"))
            config["dynamic_growth_steps"] = given["increment_period"];
    } else if (scale != nullptr && scale->isNumber()) {
        config["dynamic"] = false;
        config["initial_scale"] = scale->constant();
    } else if (scale != nullptr && scale->constant().is_boolean()) {
        config["dynamic"] = scale->constant();
    } else if (scale != nullptr && scale->constant() != "dynamic") {
        call.refuse("python/value", "a loss scale is a number or \"dynamic\"", {"write loss_scale=1024"});
    }
    PythonConfigured made{{{"class_name", "LossScaleOptimizer"}, {"config", Json::object()}}, ""};
    Json& own = config["inner_optimizer"];
    for (const char* said : {pythonOptimizerDivides, pythonOptimizerDecaysEach})
        if (own.is_object() && own.contains(said)) {
            made.json[said] = own[said];
            own.erase(said);
        }
    made.json["config"] = std::move(config);
    if (const auto* within = inner->as<PythonConfigured>())
        made.rate = within->rate;
    return made;
}

PythonValue makeLossScale(const PythonApiCall& call) {
    PythonConfigured scale{{{"class_name", "DynamicLossScale"}, {"config", Json::object()}}, ""};
    for (const auto& [name, value] : call.arguments.keywords)
        scale.json["config"][name] = call.builder.json(value, call.place());
    return scale;
}

} // namespace core
