#include "core/catalogue/callbacks.h"

#include "core/catalogue/keras_parameters.h"

namespace core {

namespace {

KerasParameter mode() {
    return {"mode", KerasParameterType::Choice, "\"auto\"", 0, 0, {"auto", "min", "max"}};
}

KerasParameter monitor() {
    return textKey("monitor", "\"val_loss\"");
}

KerasParameter epochs(std::string_view name, std::string_view defaultText) {
    return integerKey(name, defaultText, 0, 1e9);
}

} // namespace

const KerasCatalogue& callbackCatalogue() {
    static const KerasCatalogue catalogue{
        "callback",
        {
            {"EarlyStopping",
             {monitor(), numberKey("min_delta", "0", 0, 1e12), epochs("patience", "0"), mode(),
              numberKey("baseline", "null", -1e12, 1e12), switchKey("restore_best_weights", "false"),
              epochs("start_from_epoch", "0")}},
            {"ReduceLROnPlateau",
             {monitor(), numberKey("factor", "0.1", 0, 1), epochs("patience", "10"), mode(),
              numberKey("min_delta", "0.0001", 0, 1e12), epochs("cooldown", "0"),
              numberKey("min_lr", "0", 0, 1e12)}},
            // Keras takes a function of the epoch; here stands what it answers, the last rate for all further
            // epochs.
            {"LearningRateScheduler", {{"schedule", KerasParameterType::Numbers, ""}}},
            {"ModelCheckpoint",
             {textKey("filepath", ""), monitor(), switchKey("save_best_only", "false"),
              switchKey("save_weights_only", "true"), mode()}},
            {"BackupAndRestore", {textKey("backup_dir", ""), switchKey("delete_checkpoint", "true")}},
            {"CSVLogger",
             {textKey("filename", ""), textKey("separator", "\",\""), switchKey("append", "false")}},
            {"TerminateOnNaN", {}},
            // Of this program: what `TensorBoard` writes to its folder goes to the profile database.
            {"RecordTraining",
             {integerKey("tensor_statistics", "0", 0, 1e9), integerKey("histogram_bins", "32", 1, 1024),
              switchKey("confusion_matrix", "false"), integerKey("sample_predictions", "0", 0, 1024)}},
        },
        {integerKey("verbose", "0", 0, 2)},
    };
    return catalogue;
}

bool writesFiles(std::string_view className) {
    return className == "ModelCheckpoint" || className == "BackupAndRestore" || className == "CSVLogger";
}

} // namespace core
