#include "core/config/ipu_config/poplar_option_table.h"

#include "core/base/nearest_name.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

enum class FlagType : std::uint8_t { Proportion, Switch, Choice, WholeNumber, Text };

struct PoplarFlagRow {
    std::string_view name;
    FlagType type = FlagType::Text;
    std::vector<std::string_view> choices = {};
};

const PoplarFlagRow memoryProportion{"availableMemoryProportion", FlagType::Proportion};
const PoplarFlagRow partials{"partialsType", FlagType::Choice, {"half", "float", "float16", "float32"}};

const std::vector<PoplarFlagRow>& rowsOf(PoplarOperation operation) {
    static const std::vector<PoplarFlagRow> convolution{
        memoryProportion,
        partials,
        {"pass",
         FlagType::Choice,
         {"NONE", "INFERENCE_FWD", "TRAINING_FWD", "TRAINING_BWD", "TRAINING_WU", "FC_INFERENCE_FWD",
          "FC_TRAINING_FWD", "FC_TRAINING_BWD", "FC_TRAINING_WU"}},
        {"use128BitConvUnitLoad", FlagType::Switch},
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
        {"use128BitConvUnitLoad", FlagType::Switch},
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
        {"planMinimisationTarget", FlagType::Choice, {"memory", "cycles"}},
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

bool isNumber(const std::string& text, double low, double high, bool whole) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const bool isRead = !text.empty() && *end == '\0' && number >= low && number <= high;
    return isRead && (!whole || text.find_first_not_of("0123456789") == std::string::npos);
}

/// What the text should have been, or nothing when it is right.
std::string wantedInstead(const PoplarFlagRow& row, const std::string& text) {
    switch (row.type) {
    case FlagType::Proportion:
        return isNumber(text, 0, 1, false) ? "" : "a number from 0 to 1";
    case FlagType::Switch:
        return text == "true" || text == "false" ? "" : "true or false";
    case FlagType::WholeNumber:
        return isNumber(text, 0, 1e15, true) ? "" : "a whole number";
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
        findings.push_back({Severity::Error,
                            Trouble::Input,
                            "project/wrong-type",
                            {file, pointer},
                            fmt::format("expected an object of Poplar options, found {}", typeName(object)),
                            {R"(write {"availableMemoryProportion": "0.6"})"}});
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
            findings.push_back({Severity::Error,
                                Trouble::Input,
                                "project/wrong-type",
                                {file, childPointer(pointer, key)},
                                fmt::format("a Poplar option must be text, not {}", typeName(value)),
                                {R"(write it as text, for example "0.6")"}});
    }
    return flags;
}

Json toJson(const PoplarFlags& flags) {
    Json object = Json::object();
    for (const auto& [key, text] : flags)
        object[key] = text;
    return object;
}

void checkPoplarFlags(PoplarOperation operation, const PoplarFlags& flags, const std::string& file,
                      const std::string& pointer, Diagnostics& findings) {
    const std::vector<PoplarFlagRow>& rows = rowsOf(operation);
    for (const auto& [name, text] : flags) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&key = name](const PoplarFlagRow& known) {
            return known.name == key;
        });
        if (row == rows.end()) {
            std::vector<std::string> names;
            for (const PoplarFlagRow& known : rows)
                names.emplace_back(known.name);
            const auto near = nearestName(name, names);
            findings.push_back({Severity::Warning,
                                Trouble::Input,
                                "poplar-option/unknown",
                                {file, childPointer(pointer, name)},
                                fmt::format("PopLibs documents no option \"{}\" here; it changes nothing",
                                            name.substr(0, 80)),
                                {near ? fmt::format("did you mean \"{}\"?", *near)
                                      : fmt::format("known: {}", fmt::join(names, ", "))}});
        } else if (const std::string wanted = wantedInstead(*row, text); !wanted.empty()) {
            findings.push_back({Severity::Error,
                                Trouble::Input,
                                "value-error/poplar-option",
                                {file, childPointer(pointer, name)},
                                fmt::format("{} cannot be \"{}\"", name, text.substr(0, 80)),
                                {fmt::format("write {}", wanted)}});
        }
    }
}

} // namespace core
