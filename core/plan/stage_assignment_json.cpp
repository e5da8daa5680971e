#include "core/plan/stage_assignment_json.h"

#include "core/base/whole_number.h"
#include "core/plan/assignment_entries.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace core {

namespace {

/// More stages, or IPUs of a replica, than any system has.
constexpr std::int64_t largestId = 65535;

/// Numbers above the range count as its end, so that the message is about the range.
std::optional<std::int64_t> cappedWholeNumber(const Json& value) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)
        return INT64_MAX;
    return wholeNumber(value);
}

class StagesReader {
public:
    StagesReader(ObjectReader& pipeline, const ModelGraph& model, std::string_view key, std::string_view noun)
        : m_pipeline(pipeline)
        , m_model(model)
        , m_key(key)
        , m_noun(noun)
        , m_entries(assignmentEntries(model)) {
        m_stages.resize(countOf(m_entries));
    }

    std::vector<StageId> read(const Json& value) {
        const std::string pointer = m_pipeline.pointerTo(m_key);
        if (value.is_object())
            readByName(value, pointer);
        else if (!value.is_array())
            refuse(pointer, "stages-type", say("{} must be a list of stages, not {}", m_key, typeName(value)),
                   "write one stage per layer call in post-order, for example [0, 0, 1, 1]");
        else if (isOpened(value))
            readOpened(value, pointer);
        else
            readList(value, m_entries, m_model.name, pointer);
        return m_isRefused ? std::vector<StageId>{} : m_stages;
    }

private:
    /// A flat list of every call, nested models opened.
    [[nodiscard]] bool isOpened(const Json& list) const {
        const bool hasList =
            std::any_of(list.begin(), list.end(), [](const Json& item) { return item.is_array(); });
        return !hasList && list.size() == m_stages.size();
    }

    void readOpened(const Json& list, const std::string& pointer) {
        const auto calls = flattened(m_entries);
        for (const AssignmentEntry& entry : calls)
            readStage(list[entry.index], entry, childPointer(pointer, entry.index));
    }

    void readList(const Json& list, const std::vector<AssignmentEntry>& entries, const std::string& owner,
                  const std::string& pointer) {
        if (list.size() != entries.size()) {
            refuse(
                pointer, "stage-count",
                say("{} stages are given for the {} layer calls of {}", list.size(), entries.size(), owner),
                "give one stage per layer call in post-order, calls of InputLayer left out");
            return;
        }
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::string place = childPointer(pointer, i);
            if (!entries[i].isNestedModel)
                readStage(list[i], entries[i], place);
            else if (list[i].is_array())
                readList(list[i], entries[i].entries, entries[i].path, place);
            else
                refuse(place, "nested-model-stage",
                       say("{} is a nested model and has no stage of its own", entries[i].path),
                       fmt::format("give a list with the stages of its {} layer calls",
                                   countOf(entries[i].entries)));
        }
    }

    void readByName(const Json& object, const std::string& pointer) {
        ObjectReader reader(object, m_pipeline.file(), pointer, m_pipeline.findings());
        const std::size_t before = m_pipeline.findings().size();
        const auto calls = flattened(m_entries);
        for (const AssignmentEntry& entry : calls) {
            const std::string place = childPointer(pointer, entry.path);
            const Json* value = reader.readValue(entry.path);
            const bool isPerCall = value != nullptr && value->is_array();
            if (value == nullptr)
                refuse(pointer, "stage-missing", say("the layer {} has no stage", entry.path),
                       "give every layer a stage, or none");
            else if (!isPerCall)
                readStage(*value, entry, place);
            else if (entry.call < value->size())
                readStage((*value)[entry.call], entry, childPointer(place, entry.call));
            else
                refuse(place, "stage-count",
                       say("call {} of the layer {} has no stage", entry.call, entry.path),
                       "give one stage per call of the layer");
        }
        reader.finish();
        m_isRefused = m_isRefused || m_pipeline.findings().size() != before;
    }

    void readStage(const Json& value, const AssignmentEntry& entry, const std::string& place) {
        if (value.is_null())
            return;
        const std::optional<std::int64_t> stage = cappedWholeNumber(value);
        if (!stage)
            refuse(place, "stage-type",
                   say("the stage of {} must be a whole number, not {}", entry.path, typeName(value)),
                   "write the number of a stage, counted from 0");
        else if (*stage < 0 || *stage > largestId)
            refuse(place, "stage-number",
                   say("the stage of {} is {}, allowed are 0 to {}", entry.path, *stage, largestId),
                   "write the number of a stage, counted from 0");
        else
            m_stages[entry.index] = StageId(static_cast<std::size_t>(*stage));
    }

    void refuse(const std::string& place, const std::string& code, std::string message,
                const std::string& hint) {
        m_isRefused = true;
        m_pipeline.findings().push_back(makeError(Trouble::Input, "value-error/" + worded(code),
                                                  {m_pipeline.file(), place}, std::move(message),
                                                  {worded(hint)}));
    }

    /// The texts speak of stages; of shards where those are read.
    [[nodiscard]] std::string worded(std::string_view text) const {
        constexpr std::string_view stage = "stage";
        std::string result(text);
        for (std::size_t at = result.find(stage); m_noun != stage && at != std::string::npos;
             at = result.find(stage, at + m_noun.size()))
            result.replace(at, stage.size(), m_noun);
        return result;
    }
    template <class... Values>
    [[nodiscard]] std::string say(std::string_view text, const Values&... values) const {
        return fmt::format(fmt::runtime(worded(text)), values...);
    }

    ObjectReader& m_pipeline;
    const ModelGraph& m_model;
    std::string m_key;
    std::string_view m_noun;
    std::vector<AssignmentEntry> m_entries;
    std::vector<StageId> m_stages;
    bool m_isRefused = false;
};

Json stageJson(StageId stage) {
    return stage.isValid() ? Json(stage.value()) : Json();
}

Json toJson(const StageAssignment& assignment, const std::vector<AssignmentEntry>& entries) {
    Json list = Json::array();
    for (const AssignmentEntry& entry : entries)
        list.push_back(entry.isNestedModel ? toJson(assignment, entry.entries)
                                           : stageJson(assignment.stages[entry.index]));
    return list;
}

} // namespace

StageAssignment readStages(ObjectReader& pipeline, const ModelGraph& model) {
    const Json* value = pipeline.readValue("stages");
    return value == nullptr
               ? StageAssignment{}
               : StageAssignment{StagesReader(pipeline, model, "stages", "stage").read(*value), false};
}

StageAssignment readSharding(ObjectReader& pipeline, const ModelGraph& model) {
    const Json* value = pipeline.readValue("sharding");
    if (value == nullptr)
        return {};
    return {StagesReader(pipeline, model, "sharding", "shard").read(*value), true};
}

DeviceMapping readDeviceMapping(ObjectReader& pipeline) {
    constexpr std::string_view key = "device_mapping";
    DeviceMapping mapping;
    const Json* value = pipeline.readValue(key);
    if (value == nullptr)
        return mapping;
    if (!value->is_array()) {
        pipeline.refuse(key, "type-error/device-mapping",
                        fmt::format("device_mapping must be a list of IPUs, not {}", typeName(*value)),
                        {"write one IPU per stage, for example [0, 1]"});
        return mapping;
    }
    for (const Json& item : *value) {
        const std::optional<std::int64_t> ipu = cappedWholeNumber(item);
        if (!ipu) {
            pipeline.refuse(key, "type-error/device-mapping",
                            fmt::format("device_mapping holds {}, not only whole numbers", typeName(item)),
                            {"write one IPU per stage, for example [0, 1]"});
            return {};
        }
        if (*ipu < 0 || *ipu > largestId) {
            pipeline.refuse(key, "value-error/device-mapping",
                            fmt::format("device_mapping names IPU {}, allowed are 0 to {}", *ipu, largestId),
                            {"write IPUs of one replica, counted from 0"});
            return {};
        }
        mapping.ipus.emplace_back(static_cast<std::size_t>(*ipu));
    }
    return mapping;
}

Json toJson(const StageAssignment& assignment, const ModelGraph& model) {
    return assignment.stages.empty() ? Json() : toJson(assignment, assignmentEntries(model));
}

Json toJson(const DeviceMapping& mapping) {
    if (mapping.ipus.empty())
        return nullptr;
    Json list = Json::array();
    for (const IpuId ipu : mapping.ipus)
        list.push_back(ipu.value());
    return list;
}

} // namespace core
