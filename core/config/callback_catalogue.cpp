#include "core/config/keras_catalogue.h"

namespace core {

namespace {

constexpr auto callbackNumber = KerasParameterType::Number;
constexpr auto callbackInteger = KerasParameterType::Integer;
constexpr auto callbackFlag = KerasParameterType::Switch;
constexpr auto callbackText = KerasParameterType::Text;

KerasParameter mode() {
    return {"mode", KerasParameterType::Choice, "\"auto\"", 0, 0, {"auto", "min", "max"}};
}

KerasParameter monitor() {
    return {"monitor", callbackText, "\"val_loss\""};
}

KerasParameter epochs(std::string_view name, std::string_view defaultText) {
    return {name, callbackInteger, defaultText, 0, 1e9};
}

} // namespace

const KerasCatalogue& callbackCatalogue() {
    static const KerasCatalogue catalogue{
        "callback",
        {
            {"EarlyStopping",
             {monitor(),
              {"min_delta", callbackNumber, "0", 0, 1e12},
              epochs("patience", "0"),
              mode(),
              {"baseline", callbackNumber, "null", -1e12, 1e12},
              {"restore_best_weights", callbackFlag, "false"},
              epochs("start_from_epoch", "0")}},
            {"ReduceLROnPlateau",
             {monitor(),
              {"factor", callbackNumber, "0.1", 0, 1},
              epochs("patience", "10"),
              mode(),
              {"min_delta", callbackNumber, "0.0001", 0, 1e12},
              epochs("cooldown", "0"),
              {"min_lr", callbackNumber, "0", 0, 1e12}}},
            {"ModelCheckpoint",
             {{"filepath", callbackText, ""},
              monitor(),
              {"save_best_only", callbackFlag, "false"},
              {"save_weights_only", callbackFlag, "true"},
              mode()}},
            {"BackupAndRestore",
             {{"backup_dir", callbackText, ""}, {"delete_checkpoint", callbackFlag, "true"}}},
            {"CSVLogger",
             {{"filename", callbackText, ""},
              {"separator", callbackText, "\",\""},
              {"append", callbackFlag, "false"}}},
            {"TerminateOnNaN", {}},
            // Of this program: what `TensorBoard` writes to its folder goes to the profile database.
            {"RecordTraining",
             {{"tensor_statistics", callbackInteger, "0", 0, 1e9},
              {"histogram_bins", callbackInteger, "32", 1, 1024},
              {"confusion_matrix", callbackFlag, "false"},
              {"sample_predictions", callbackInteger, "0", 0, 1024}}},
        },
        {{"verbose", callbackInteger, "0", 0, 2}},
    };
    return catalogue;
}

} // namespace core
