#include "core/config/keras_catalogue.h"

namespace core {

namespace {

constexpr auto number = KerasParameterType::Number;
constexpr auto integer = KerasParameterType::Integer;
constexpr auto flag = KerasParameterType::Switch;
constexpr auto text = KerasParameterType::Text;

KerasParameter mode() {
    return {"mode", KerasParameterType::Choice, "\"auto\"", 0, 0, {"auto", "min", "max"}};
}

KerasParameter monitor() {
    return {"monitor", text, "\"val_loss\""};
}

KerasParameter epochs(std::string_view name, std::string_view defaultText) {
    return {name, integer, defaultText, 0, 1e9};
}

} // namespace

const KerasCatalogue& callbackCatalogue() {
    static const KerasCatalogue catalogue{
        "callback",
        {
            {"EarlyStopping",
             {monitor(),
              {"min_delta", number, "0", 0, 1e12},
              epochs("patience", "0"),
              mode(),
              {"baseline", number, "null", -1e12, 1e12},
              {"restore_best_weights", flag, "false"},
              epochs("start_from_epoch", "0")}},
            {"ReduceLROnPlateau",
             {monitor(),
              {"factor", number, "0.1", 0, 1},
              epochs("patience", "10"),
              mode(),
              {"min_delta", number, "0.0001", 0, 1e12},
              epochs("cooldown", "0"),
              {"min_lr", number, "0", 0, 1e12}}},
            {"ModelCheckpoint",
             {{"filepath", text, ""},
              monitor(),
              {"save_best_only", flag, "false"},
              {"save_weights_only", flag, "true"},
              mode()}},
            {"BackupAndRestore", {{"backup_dir", text, ""}, {"delete_checkpoint", flag, "true"}}},
            {"CSVLogger", {{"filename", text, ""}, {"separator", text, "\",\""}, {"append", flag, "false"}}},
            {"TerminateOnNaN", {}},
            // Of this program: what `TensorBoard` writes to its folder goes to the profile database.
            {"RecordTraining",
             {{"tensor_statistics", integer, "0", 0, 1e9},
              {"histogram_bins", integer, "32", 1, 1024},
              {"confusion_matrix", flag, "false"},
              {"sample_predictions", integer, "0", 0, 1024}}},
        },
        {{"verbose", integer, "0", 0, 2}},
    };
    return catalogue;
}

} // namespace core
