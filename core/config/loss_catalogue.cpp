#include "core/config/keras_catalogue.h"

namespace core {

namespace {

constexpr auto number = KerasParameterType::Number;
constexpr auto flag = KerasParameterType::Switch;
constexpr auto integer = KerasParameterType::Integer;

const KerasParameter fromLogits{"from_logits", flag, "false"};
const KerasParameter labelSmoothing{"label_smoothing", number, "0.0", 0, 1};
const KerasParameter lastAxis{"axis", integer, "-1", -8, 8};
const KerasParameter allAxes{"axis", KerasParameterType::Axes, "null", -8, 8};

} // namespace

const KerasCatalogue& lossCatalogue() {
    static const KerasCatalogue catalogue{
        "loss",
        {
            {"SparseCategoricalCrossentropy",
             {fromLogits, lastAxis, {"ignore_class", integer, "null", 0, 1e15}}},
            {"CategoricalCrossentropy", {fromLogits, labelSmoothing, lastAxis}},
            {"BinaryCrossentropy", {fromLogits, labelSmoothing, lastAxis}, {"bce", "BCE"}},
            {"BinaryFocalCrossentropy",
             {fromLogits,
              labelSmoothing,
              lastAxis,
              {"gamma", number, "2.0", 0, 1e3},
              {"apply_class_balancing", flag, "false"},
              {"alpha", number, "0.25", 0, 1}}},
            {"CategoricalFocalCrossentropy",
             {fromLogits,
              labelSmoothing,
              lastAxis,
              {"gamma", number, "2.0", 0, 1e3},
              {"alpha", number, "0.25", 0, 1e12}}},
            {"MeanSquaredError", {}, {"mse", "MSE"}},
            {"MeanAbsoluteError", {}, {"mae", "MAE"}},
            {"MeanAbsolutePercentageError", {}, {"mape", "MAPE"}},
            {"MeanSquaredLogarithmicError", {}, {"msle", "MSLE"}},
            {"Huber", {{"delta", number, "1.0", 0, 1e12}}, {"huber_loss"}},
            {"LogCosh", {}, {"logcosh"}},
            {"Poisson", {}},
            {"KLDivergence", {}, {"kld", "KLD", "kl_divergence", "kullback_leibler_divergence"}},
            {"Hinge", {}},
            {"SquaredHinge", {}},
            {"CategoricalHinge", {}},
            {"CosineSimilarity", {lastAxis}, {"cosine_proximity"}},
            {"Dice", {allAxes}},
            {"Tversky", {{"alpha", number, "0.5", 0, 1e12}, {"beta", number, "0.5", 0, 1e12}, allAxes}},
            {"Circle",
             {{"gamma", number, "80.0", 0, 1e6},
              {"margin", number, "0.4", 0, 1},
              {"remove_diagonal", flag, "true"}}},
        },
        {
            {"name", KerasParameterType::Text, "null"},
            {"reduction",
             KerasParameterType::Choice,
             "\"auto\"",
             0,
             0,
             {"auto", "none", "sum", "sum_over_batch_size"}},
            {"dtype", KerasParameterType::Text, "null"},
        },
    };
    return catalogue;
}

const KerasCatalogue& metricCatalogue() {
    const KerasParameter threshold{"threshold", number, "0.5", -1e12, 1e12};
    const KerasParameter topK{"k", integer, "5", 1, 1e9};
    const KerasParameter thresholds{"thresholds", number, "null", 0, 1};
    static const KerasCatalogue catalogue{
        "metric",
        {
            // Keras' text "accuracy": binary, categorical or sparse, as the loss and the output ask for.
            {"accuracy", {}, {"acc"}},
            // Keras' text "crossentropy", likewise.
            {"crossentropy", {}, {"ce"}},
            {"Accuracy", {}},
            {"SparseCategoricalAccuracy", {}},
            {"CategoricalAccuracy", {}},
            {"BinaryAccuracy", {threshold}},
            {"TopKCategoricalAccuracy", {topK}},
            {"SparseTopKCategoricalAccuracy", {topK}},
            {"SparseCategoricalCrossentropy", {fromLogits, lastAxis}},
            {"CategoricalCrossentropy", {fromLogits, labelSmoothing, lastAxis}},
            {"BinaryCrossentropy", {fromLogits, labelSmoothing}, {"bce", "BCE"}},
            {"MeanSquaredError", {}, {"mse", "MSE"}},
            {"RootMeanSquaredError", {}},
            {"MeanAbsoluteError", {}, {"mae", "MAE"}},
            {"MeanAbsolutePercentageError", {}, {"mape", "MAPE"}},
            {"MeanSquaredLogarithmicError", {}, {"msle", "MSLE"}},
            {"LogCoshError", {{"name", KerasParameterType::Text, "\"logcosh\""}}, {"logcosh", "log_cosh"}},
            {"Poisson", {}},
            {"KLDivergence",
             {{"name", KerasParameterType::Text, "\"kullback_leibler_divergence\""}},
             {"kld", "KLD", "kl_divergence", "kullback_leibler_divergence"}},
            {"Hinge", {}},
            {"SquaredHinge", {}},
            {"CategoricalHinge", {}},
            {"CosineSimilarity", {lastAxis}, {"cosine_proximity"}},
            {"Precision", {thresholds}},
            {"Recall", {thresholds}},
            {"TruePositives", {thresholds}},
            {"TrueNegatives", {thresholds}},
            {"FalsePositives", {thresholds}},
            {"FalseNegatives", {thresholds}},
            {"AUC", {{"num_thresholds", integer, "200", 2, 1e6}}},
            {"MeanIoU", {{"num_classes", integer, "", 1, 1e6}}},
        },
        {
            {"name", KerasParameterType::Text, "null"},
            {"dtype", KerasParameterType::Text, "null"},
        },
        true,
    };
    return catalogue;
}

} // namespace core
