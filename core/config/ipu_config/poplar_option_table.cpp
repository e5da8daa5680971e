#include "core/config/ipu_config/poplar_option_table.h"

#include "core/text/nearest_name.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

enum class FlagType : std::uint8_t { Proportion, Switch, Choice, WholeNumber, Text };

struct PoplarFlagRow {
    std::string_view name;
    FlagType type = FlagType::Text;
    std::vector<std::string_view> choices = {};
    /// What a legal text says to the planner; null where it says nothing.
    void (*hint)(std::string_view text, PoplarPlanHints& hints) = nullptr;
};

/// The number that the whole text is, when it lies within the limits.
std::optional<double> numberIn(std::string_view text, double low, double high) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isRead = error == std::errc() && end == text.data() + text.size();
    return isRead && number >= low && number <= high ? std::optional(number) : std::nullopt;
}

const PoplarFlagRow memoryProportion{
    "availableMemoryProportion", FlagType::Proportion, {}, [](std::string_view text, PoplarPlanHints& hints) {
        hints.availableMemoryProportion = numberIn(text, 0, 1);
    }};
const PoplarFlagRow partials{"partialsType",
                             FlagType::Choice,
                             {"half", "float", "float16", "float32"},
                             [](std::string_view text, PoplarPlanHints& hints) {
                                 hints.partialsType = text == "half" || text == "float16" ? DataType::Float16
                                                                                          : DataType::Float32;
                             }};
const PoplarFlagRow wideLoads{
    "use128BitConvUnitLoad", FlagType::Switch, {}, [](std::string_view text, PoplarPlanHints& hints) {
        hints.use128BitConvUnitLoad = text == "true";
    }};
const PoplarFlagRow minimisation{"planMinimisationTarget",
                                 FlagType::Choice,
                                 {"memory", "cycles"},
                                 [](std::string_view text, PoplarPlanHints& hints) {
                                     if (text == "memory")
                                         hints.availableMemoryProportion = 0;
                                 }};

const std::vector<PoplarFlagRow>& rowsOf(PoplarOperation operation) {
    static const std::vector<PoplarFlagRow> convolution{
        memoryProportion,
        partials,
        {"pass",
         FlagType::Choice,
         {"NONE", "INFERENCE_FWD", "TRAINING_FWD", "TRAINING_BWD", "TRAINING_WU", "FC_INFERENCE_FWD",
          "FC_TRAINING_FWD", "FC_TRAINING_BWD", "FC_TRAINING_WU"}},
        wideLoads,
        {"enableMultiStageReduce", FlagType::Switch},
        {"enableFastReduce", FlagType::Switch},
        {"enableConvDithering", FlagType::Switch},
        {"enableSingleInputReduce", FlagType::Switch},
        {"disableTransformations", FlagType::Switch},
        {"gatherConvOutput", FlagType::Switch},
        {"remapOutputTensor", FlagType::Switch},
        {"insertTransformsCycleCountProgs", FlagType::Switch},
        {"startTileMultiplier", FlagType::WholeNumber},
        {"partialsType.interTile", FlagType::Choice, partials.choices},
        {"partialsType.interIPU", FlagType::Choice, partials.choices},
        {"planConstraints"},
        {"planConstraintsOutputFilename"},
        {"numIOTiles", FlagType::WholeNumber},
    };
    static const std::vector<PoplarFlagRow> matmul{
        memoryProportion,
        partials,
        {"fullyConnectedPass",
         FlagType::Choice,
         {"NONE", "INFERENCE_FWD", "TRAINING_FWD", "TRAINING_BWD", "TRAINING_WU"}},
        {"inputRHSIsPreArranged", FlagType::Switch},
        wideLoads,
        {"enableMultiStageReduce", FlagType::Switch},
        {"enableFastReduce", FlagType::Switch},
        {"enableSingleInputReduce", FlagType::Switch},
        {"remapOutputTensor", FlagType::Switch},
        {"gatherOutput", FlagType::Switch},
        {"planConstraints"},
    };
    static const std::vector<PoplarFlagRow> slice{
        memoryProportion,
        {"usedForSlice", FlagType::Switch},
        {"usedForUpdate", FlagType::Switch},
        {"operationForUpdate", FlagType::Choice, {"none", "add", "max", "sum"}},
        minimisation,
        {"partialType", FlagType::Choice, partials.choices},
        {"indicesDistribution", FlagType::Choice, {"uniform", "onePoint"}},
        {"indicesAreSorted", FlagType::Switch},
        {"validateIndices", FlagType::Switch},
        {"planConstraints"},
    };
    static const std::vector<PoplarFlagRow> pooling{
        {"poolUseIntrospectiveMapping", FlagType::Switch},
        {"optimizeForSpeed", FlagType::Switch},
    };
    switch (operation) {
    case PoplarOperation::Convolution:
        return convolution;
    case PoplarOperation::MatMul:
        return matmul;
    case PoplarOperation::Slice:
        return slice;
    case PoplarOperation::Pooling:
        return pooling;
    }
    return convolution;
}

const PoplarFlagRow* findRow(PoplarOperation operation, std::string_view name) {
    const std::vector<PoplarFlagRow>& rows = rowsOf(operation);
    const auto row = std::ranges::find(rows, name, &PoplarFlagRow::name);
    return row == rows.end() ? nullptr : &*row;
}

/// What the text should have been, or nothing when it is right.
std::string wantedInstead(const PoplarFlagRow& row, const std::string& text) {
    switch (row.type) {
    case FlagType::Proportion:
        return numberIn(text, 0, 1) ? "" : "a number from 0 to 1";
    case FlagType::Switch:
        return text == "true" || text == "false" ? "" : "true or false";
    case FlagType::WholeNumber:
        return numberIn(text, 0, 1e15) && text.find_first_not_of("0123456789") == std::string::npos
                   ? ""
                   : "a whole number";
    case FlagType::Choice:
        return std::find(row.choices.begin(), row.choices.end(), text) != row.choices.end()
                   ? ""
                   : fmt::format("one of {}", fmt::join(row.choices, ", "));
    case FlagType::Text:
        return "";
    }
    return "";
}

} // namespace

PoplarFlags readPoplarFlags(const Json& object, const std::string& file, const std::string& pointer,
                            Diagnostics& findings) {
    PoplarFlags flags;
    if (!object.is_object()) {
        findings.push_back(
            makeError(Trouble::Input, "project/wrong-type", {file, pointer},
                      fmt::format("expected an object of Poplar options, found {}", typeName(object)),
                      {R"(write {"availableMemoryProportion": "0.6"})"}));
        return flags;
    }
    for (const auto& [key, value] : object.items()) {
        if (value.is_null())
            continue;
        if (value.is_string())
            flags.emplace_back(key, value.get<std::string>());
        else if (value.is_number() || value.is_boolean())
            flags.emplace_back(key, toText(value, -1));
        else
            findings.push_back(makeError(Trouble::Input, "project/wrong-type",
                                         {file, childPointer(pointer, key)},
                                         fmt::format("a Poplar option must be text, not {}", typeName(value)),
                                         {R"(write it as text, for example "0.6")"}));
    }
    return flags;
}

Json toJson(const PoplarFlags& flags) {
    Json object = Json::object();
    for (const auto& [key, text] : flags)
        object[key] = text;
    return object;
}

PoplarPlanHints planHints(PoplarOperation operation, const PoplarFlags& flags) {
    PoplarPlanHints hints;
    for (const auto& [name, text] : flags) {
        const PoplarFlagRow* row = findRow(operation, name);
        if (row != nullptr && row->hint != nullptr)
            row->hint(text, hints);
    }
    return hints;
}

void checkPoplarFlags(PoplarOperation operation, const PoplarFlags& flags, const std::string& file,
                      const std::string& pointer, Diagnostics& findings) {
    const std::vector<PoplarFlagRow>& rows = rowsOf(operation);
    for (const auto& [name, text] : flags) {
        const PoplarFlagRow* row = findRow(operation, name);
        if (row == nullptr) {
            std::vector<std::string> names;
            for (const PoplarFlagRow& known : rows)
                names.emplace_back(known.name);
            const auto near = nearestName(name, names);
            findings.push_back(
                makeWarning(Trouble::Input, "poplar-option/unknown", {file, childPointer(pointer, name)},
                            fmt::format("PopLibs documents no option \"{}\" here; it changes nothing",
                                        name.substr(0, 80)),
                            {near ? fmt::format("did you mean \"{}\"?", *near)
                                  : fmt::format("known: {}", fmt::join(names, ", "))}));
        } else if (const std::string wanted = wantedInstead(*row, text); !wanted.empty()) {
            findings.push_back(makeError(Trouble::Input, "value-error/poplar-option",
                                         {file, childPointer(pointer, name)},
                                         fmt::format("{} cannot be \"{}\"", name, text.substr(0, 80)),
                                         {fmt::format("write {}", wanted)}));
        }
    }
}

} // namespace core
