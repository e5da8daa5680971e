#include "core/config/keras_catalogue.h"

namespace core {

namespace {

constexpr auto lossNumber = KerasParameterType::Number;
constexpr auto lossFlag = KerasParameterType::Switch;
constexpr auto lossInteger = KerasParameterType::Integer;

const KerasParameter fromLogits{"from_logits", lossFlag, "false"};
const KerasParameter labelSmoothing{"label_smoothing", lossNumber, "0.0", 0, 1};
const KerasParameter lastAxis{"axis", lossInteger, "-1", -8, 8};
const KerasParameter allAxes{"axis", KerasParameterType::Axes, "null", -8, 8};

} // namespace

const KerasCatalogue& lossCatalogue() {
    static const KerasCatalogue catalogue{
        "loss",
        {
            {"SparseCategoricalCrossentropy",
             {fromLogits, lastAxis, {"ignore_class", lossInteger, "null", 0, 1e15}}},
            {"CategoricalCrossentropy", {fromLogits, labelSmoothing, lastAxis}},
            {"BinaryCrossentropy", {fromLogits, labelSmoothing, lastAxis}, {"bce", "BCE"}},
            {"BinaryFocalCrossentropy",
             {fromLogits,
              labelSmoothing,
              lastAxis,
              {"gamma", lossNumber, "2.0", 0, 1e3},
              {"apply_class_balancing", lossFlag, "false"},
              {"alpha", lossNumber, "0.25", 0, 1}}},
            {"CategoricalFocalCrossentropy",
             {fromLogits,
              labelSmoothing,
              lastAxis,
              {"gamma", lossNumber, "2.0", 0, 1e3},
              {"alpha", lossNumber, "0.25", 0, 1e12}}},
            {"MeanSquaredError", {}, {"mse", "MSE"}},
            {"MeanAbsoluteError", {}, {"mae", "MAE"}},
            {"MeanAbsolutePercentageError", {}, {"mape", "MAPE"}},
            {"MeanSquaredLogarithmicError", {}, {"msle", "MSLE"}},
            {"Huber", {{"delta", lossNumber, "1.0", 0, 1e12}}, {"huber_loss"}},
            {"LogCosh", {}, {"logcosh"}},
            {"Poisson", {}},
            {"KLDivergence", {}, {"kld", "KLD", "kl_divergence", "kullback_leibler_divergence"}},
            {"Hinge", {}},
            {"SquaredHinge", {}},
            {"CategoricalHinge", {}},
            {"CosineSimilarity", {lastAxis}, {"cosine_proximity"}},
            {"Dice", {allAxes}},
            {"Tversky",
             {{"alpha", lossNumber, "0.5", 0, 1e12}, {"beta", lossNumber, "0.5", 0, 1e12}, allAxes}},
            {"Circle",
             {{"gamma", lossNumber, "80.0", 0, 1e6},
              {"margin", lossNumber, "0.4", 0, 1},
              {"remove_diagonal", lossFlag, "true"}}},
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
    const KerasParameter threshold{"threshold", lossNumber, "0.5", -1e12, 1e12};
    const KerasParameter topK{"k", lossInteger, "5", 1, 1e9};
    const KerasParameter thresholds{"thresholds", lossNumber, "null", 0, 1};
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
            {"AUC", {{"num_thresholds", lossInteger, "200", 2, 1e6}}},
            {"MeanIoU", {{"num_classes", lossInteger, "", 1, 1e6}}},
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
