#include "core/catalogue/losses.h"

#include "core/catalogue/keras_parameters.h"

namespace core {

namespace {

using enum TargetForm;

/// No class has this number.
constexpr double noClass = -1e9;

const KerasParameter fromLogits = switchKey("from_logits", "false");
const KerasParameter labelSmoothing = shareKey("label_smoothing", "0.0");
const KerasParameter lastAxis = integerKey("axis", "-1", -8, 8);
const KerasParameter allAxes{"axis", KerasParameterType::Axes, "null", -8, 8};
const KerasParameter model{"model", KerasParameterType::Model, ""};
const KerasParameter focusing = numberKey("gamma", "2.0", 0, 1e3);

const std::vector<std::string_view> divergenceNames{"kld", "KLD", "kl_divergence",
                                                    "kullback_leibler_divergence"};

} // namespace

std::span<const LossDefinition> losses() {
    static const std::vector<LossDefinition> rows{
        {{"SparseCategoricalCrossentropy",
          {fromLogits, lastAxis, integerKey("ignore_class", "null", 0, 1e15)}},
         Classes,
         {"ignore_class", noClass}},
        {{"CategoricalCrossentropy", {fromLogits, labelSmoothing, lastAxis}}},
        {{"BinaryCrossentropy", {fromLogits, labelSmoothing, lastAxis}, {"bce", "BCE"}}},
        {{"BinaryFocalCrossentropy",
          {fromLogits, labelSmoothing, lastAxis, focusing, switchKey("apply_class_balancing", "false"),
           shareKey("alpha", "0.25")}},
         Dense,
         {"gamma"},
         {"alpha", 0, "apply_class_balancing"}},
        {{"CategoricalFocalCrossentropy",
          {fromLogits, labelSmoothing, lastAxis, focusing, notNegativeKey("alpha", "0.25")}},
         Dense,
         {"gamma"},
         {"alpha"}},
        {{"MeanSquaredError", {}, {"mse", "MSE"}}},
        {{"MeanAbsoluteError", {}, {"mae", "MAE"}}},
        {{"MeanAbsolutePercentageError", {}, {"mape", "MAPE"}}},
        {{"MeanSquaredLogarithmicError", {}, {"msle", "MSLE"}}},
        {{"Huber", {notNegativeKey("delta", "1.0")}, {"huber_loss"}}, Dense, {"delta"}},
        {{"LogCosh", {}, {"logcosh"}}},
        {{"Poisson", {}}},
        {{"KLDivergence", {}, divergenceNames}},
        {{"Hinge", {}}},
        {{"SquaredHinge", {}}},
        {{"CategoricalHinge", {}}},
        {{"CosineSimilarity", {lastAxis}, {"cosine_proximity"}}},
        {{"Dice", {allAxes}}},
        {{"Tversky", {notNegativeKey("alpha", "0.5"), notNegativeKey("beta", "0.5"), allAxes}},
         Dense,
         {"alpha"},
         {"beta"}},
        {{"Circle",
          {numberKey("gamma", "80.0", 0, 1e6), shareKey("margin", "0.4"),
           switchKey("remove_diagonal", "true")}},
         Classes,
         {"gamma"},
         {"margin"}},
        // A function of a program: what it computes, as a model of labels and predictions.
        {{"LossFunction", {model}}},
        {{"SparseLossFunction", {model}}, Classes},
    };
    return rows;
}

bool LossDefinition::runsOverAllAxes() const {
    const KerasParameter* axis = parameter("axis");
    return axis != nullptr && axis->defaultText == "null";
}

const KerasCatalogue& lossCatalogue() {
    static const KerasCatalogue catalogue{
        "loss",
        classesOf(losses()),
        {
            textKey("name", "null"),
            {"reduction",
             KerasParameterType::Choice,
             "\"auto\"",
             0,
             0,
             {"auto", "none", "sum", "sum_over_batch_size"}},
            textKey("dtype", "null"),
        },
    };
    return catalogue;
}

const LossDefinition* findLoss(std::string_view text) {
    return rowNamed(losses(), lossCatalogue(), text);
}

std::span<const MetricDefinition> metrics() {
    using enum MetricSums;
    const LossNumber halfway{"thresholds", 0.5};
    const KerasParameter thresholds = shareKey("thresholds", "null");
    const KerasParameter topK = integerKey("k", "5", 1, 1e9);
    static const std::vector<MetricDefinition> rows{
        {{"accuracy", {}, {"acc"}}, Dense, {}, {}, Mean, "Accuracy"},
        {{"crossentropy", {}, {"ce"}}, Dense, {}, {}, Mean, "Crossentropy"},
        {{"Accuracy", {}}},
        {{"SparseCategoricalAccuracy", {}}, Classes},
        {{"CategoricalAccuracy", {}}},
        {{"BinaryAccuracy", {numberKey("threshold", "0.5", -1e12, 1e12)}}, Dense, {"threshold"}},
        {{"TopKCategoricalAccuracy", {topK}}, Dense, {"k"}},
        {{"SparseTopKCategoricalAccuracy", {topK}}, Classes, {"k"}},
        {{"SparseCategoricalCrossentropy", {fromLogits, lastAxis}},
         Classes,
         {},
         "SparseCategoricalCrossentropy"},
        {{"CategoricalCrossentropy", {fromLogits, labelSmoothing, lastAxis}},
         Dense,
         {},
         "CategoricalCrossentropy"},
        {{"BinaryCrossentropy", {fromLogits, labelSmoothing}, {"bce", "BCE"}},
         Dense,
         {},
         "BinaryCrossentropy"},
        {{"MeanSquaredError", {}, {"mse", "MSE"}}, Dense, {}, "MeanSquaredError"},
        {{"RootMeanSquaredError", {}}, Dense, {}, {}, Ratio},
        {{"MeanAbsoluteError", {}, {"mae", "MAE"}}, Dense, {}, "MeanAbsoluteError"},
        {{"MeanAbsolutePercentageError", {}, {"mape", "MAPE"}}, Dense, {}, "MeanAbsolutePercentageError"},
        {{"MeanSquaredLogarithmicError", {}, {"msle", "MSLE"}}, Dense, {}, "MeanSquaredLogarithmicError"},
        {{"LogCoshError", {textKey("name", "\"logcosh\"")}, {"logcosh", "log_cosh"}}, Dense, {}, "LogCosh"},
        {{"Poisson", {}}, Dense, {}, "Poisson"},
        {{"KLDivergence", {textKey("name", "\"kullback_leibler_divergence\"")}, divergenceNames},
         Dense,
         {},
         "KLDivergence"},
        {{"Hinge", {}}, Dense, {}, "Hinge"},
        {{"SquaredHinge", {}}, Dense, {}, "SquaredHinge"},
        {{"CategoricalHinge", {}}, Dense, {}, "CategoricalHinge"},
        {{"CosineSimilarity", {lastAxis}, {"cosine_proximity"}}},
        {{"Precision", {thresholds}}, Dense, halfway, {}, Ratio},
        {{"Recall", {thresholds}}, Dense, halfway, {}, Ratio},
        {{"TruePositives", {thresholds}}, Dense, halfway, {}, Count},
        {{"TrueNegatives", {thresholds}}, Dense, halfway, {}, Count},
        {{"FalsePositives", {thresholds}}, Dense, halfway, {}, Count},
        {{"FalseNegatives", {thresholds}}, Dense, halfway, {}, Count},
        {{"AUC", {integerKey("num_thresholds", "200", 2, 1e6)}},
         Dense,
         {"num_thresholds"},
         {},
         FourPerThreshold},
        {{"MeanIoU", {integerKey("num_classes", "", 1, 1e6)}},
         Classes,
         {"num_classes", 2},
         {},
         PairsOfClasses},
    };
    return rows;
}

const KerasCatalogue& metricCatalogue() {
    static const KerasCatalogue catalogue{
        "metric",
        classesOf(metrics()),
        {textKey("name", "null"), textKey("dtype", "null")},
        true,
    };
    return catalogue;
}

const MetricDefinition* findMetric(std::string_view text) {
    return rowNamed(metrics(), metricCatalogue(), text);
}

} // namespace core
