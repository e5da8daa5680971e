#include "simulator/engine/training/training_backup.h"

#include "core/base/file_limit.h"
#include "core/base/write_door.h"
#include "core/interchange/archive/zip_archive.h"
#include "simulator/data/files/npy_array.h"
#include "simulator/data/files/npz_archive.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <tuple>

namespace simulator {
namespace {

using core::Json;

constexpr const char* stateMember = "state.json";

/// What lasts from one update to the next.
bool lasts(TensorRole role) {
    return role == TensorRole::Parameter || role == TensorRole::State || role == TensorRole::OptimizerSlot;
}

std::string memberOf(std::size_t replica, const Tensor& tensor) {
    return fmt::format("replica{}/{}.npy", replica, tensor.name);
}

/// JSON has no NaN.
double numberFrom(const Json& json) {
    return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

Json toJson(const core::TrainingRecords& records) {
    Json json = {{"tensors", Json::array()},
                 {"confusion", Json::array()},
                 {"predictions", Json::array()},
                 {"images", Json::array()}};
    for (const core::TensorStatisticsRecord& r : records.tensors)
        json["tensors"].push_back({r.tensor, r.layer, static_cast<int>(r.kind), r.update, r.epoch, r.elements,
                                   r.notFinite, r.norm, r.minimum, r.maximum, r.mean, r.histogram});
    for (const core::ConfusionRecord& r : records.confusion)
        json["confusion"].push_back({r.output, r.epoch, r.truth, r.predicted, r.count});
    for (const core::SamplePredictionRecord& r : records.predictions)
        json["predictions"].push_back({r.output, r.epoch, r.sample, r.truth, r.predicted, r.probability});
    for (const core::SampleImageRecord& r : records.images)
        json["images"].push_back({r.sample, r.rows, r.columns, r.channels, r.pixels});
    return json;
}

core::TrainingRecords trainingRecordsFrom(const Json& json) {
    core::TrainingRecords records;
    for (const Json& r : json.at("tensors"))
        records.tensors.push_back({r.at(0), r.at(1), static_cast<core::TrainedTensorKind>(r.at(2).get<int>()),
                                   r.at(3), r.at(4), r.at(5), r.at(6), numberFrom(r.at(7)),
                                   numberFrom(r.at(8)), numberFrom(r.at(9)), numberFrom(r.at(10)),
                                   r.at(11).get<std::vector<std::int64_t>>()});
    for (const Json& r : json.at("confusion"))
        records.confusion.push_back({r.at(0), r.at(1), r.at(2), r.at(3), r.at(4)});
    for (const Json& r : json.at("predictions"))
        records.predictions.push_back(
            {r.at(0), r.at(1), r.at(2), numberFrom(r.at(3)), numberFrom(r.at(4)), numberFrom(r.at(5))});
    for (const Json& r : json.at("images"))
        records.images.push_back(
            {r.at(0), r.at(1), r.at(2), r.at(3), r.at(4).get<std::vector<std::uint8_t>>()});
    return records;
}

Json toJson(const BackupState& state, std::size_t replicas) {
    Json json = {{"version", 2},
                 {"replicas", replicas},
                 {"epochs", state.epochs},
                 {"rate_factor", state.rateFactor},
                 {"loss_scale", state.lossScale},
                 {"callbacks", state.callbacks},
                 {"records", Json::array()},
                 {"training_records", toJson(state.trainingRecords)}};
    for (const core::MetricRecord& record : state.records)
        json["records"].push_back({record.name, record.update, record.epoch, record.value});
    return json;
}

/// Nothing when a key is missing or of another type.
std::optional<BackupState> stateFrom(const Json& json, std::size_t replicas) {
    try {
        if (json.at("version") != 2 || json.at("replicas") != replicas)
            return std::nullopt;
        BackupState state{json.at("epochs").get<std::int64_t>(),
                          json.at("rate_factor").get<double>(),
                          json.at("loss_scale"),
                          json.at("callbacks"),
                          {},
                          trainingRecordsFrom(json.at("training_records"))};
        for (const Json& record : json.at("records"))
            state.records.push_back({record.at(0).get<std::string>(), record.at(1).get<std::int64_t>(),
                                     record.at(2).get<std::int64_t>(), numberFrom(record.at(3))});
        return state;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

/// Whether no record occurs twice or belongs to an epoch that is not done: what the run goes on to record
/// would be beside it.
bool holdsTogether(const BackupState& state) {
    // Nobody trains longer, and sums of epochs stay numbers.
    constexpr std::int64_t mostEpochs = 1'000'000'000;
    if (state.epochs < 0 || state.epochs > mostEpochs || !state.callbacks.is_array())
        return false;
    const auto isDone = [&](const auto& record) { return record.epoch >= 0 && record.epoch < state.epochs; };
    const auto areDifferent = [](const auto& records, auto key) {
        std::set<decltype(key(records.front()))> seen;
        return std::ranges::all_of(records,
                                   [&](const auto& record) { return seen.insert(key(record)).second; });
    };
    const core::TrainingRecords& details = state.trainingRecords;
    return std::ranges::all_of(state.records, isDone) && std::ranges::all_of(details.tensors, isDone) &&
           std::ranges::all_of(details.confusion, isDone) &&
           std::ranges::all_of(details.predictions, isDone) &&
           areDifferent(details.tensors,
                        [](const auto& r) { return std::tuple(r.update, r.kind, r.tensor); }) &&
           areDifferent(details.confusion,
                        [](const auto& r) { return std::tuple(r.output, r.epoch, r.truth, r.predicted); }) &&
           areDifferent(details.predictions,
                        [](const auto& r) { return std::tuple(r.output, r.epoch, r.sample); }) &&
           areDifferent(details.images, [](const auto& r) { return r.sample; });
}

core::Diagnostic damagedBackup(const std::filesystem::path& path) {
    return datasetTrouble("backup/damaged", path, stateMember,
                          "the state in the backup is not one that this program writes",
                          "delete it, or name another backup_dir");
}

core::Diagnostic otherModel(const std::filesystem::path& path) {
    return datasetTrouble("backup/other-model", path, "",
                          "the backup belongs to another model, optimizer or number of replicas",
                          "delete it, or name another backup_dir");
}

core::Result<void> readTensor(const core::ZipArchive& archive, const std::filesystem::path& path,
                              std::size_t replica, TrainingReplica& into, const Tensor& tensor) {
    const std::string member = memberOf(replica, tensor);
    if (!archive.contains(member))
        return core::failure(otherModel(path));
    const std::size_t limit = static_cast<std::size_t>(tensor.elements()) * sizeof(double) +
                              static_cast<std::size_t>(longestNpyHeader);
    if (archive.size(member) > limit)
        return core::failure(otherModel(path));
    auto bytes = archive.read(member, limit);
    if (!bytes)
        return core::failure(bytes.error());
    // A scalar is stored as a row of one.
    const auto array = openNpyArray(ByteSource(path, std::move(*bytes)));
    if (!array)
        return core::failure(array.error());
    const auto values = array->readAll();
    if (!values)
        return core::failure(values.error());
    if (static_cast<std::int64_t>(values->size()) != tensor.elements())
        return core::failure(otherModel(path));
    into.store().write(tensor.id, *values);
    return {};
}

} // namespace

core::Result<void> saveBackup(const std::filesystem::path& path, std::span<const TrainingReplica> replicas,
                              const BackupState& state) {
    std::vector<std::pair<std::string, std::string>> members;
    members.emplace_back(stateMember, toJson(state, replicas.size()).dump());
    for (std::size_t i = 0; i < replicas.size(); ++i)
        for (const Tensor& tensor : replicas[i].graph().tensors)
            if (lasts(tensor.role))
                members.emplace_back(memberOf(i, tensor),
                                     npyBytes({tensor.elements()}, replicas[i].store().read(tensor.id)));
    return core::writeFileAtomically(path, zipBytes(members, core::productMark), core::Overwrite::Replace,
                                     core::Links::Refuse);
}

core::Result<std::optional<BackupState>> loadBackup(const std::filesystem::path& path,
                                                    std::span<TrainingReplica> replicas) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        return std::optional<BackupState>();
    const auto bytes = core::readFile(path, core::FileLimit::weights);
    if (!bytes)
        return core::failure(bytes.error());
    const auto archive = core::ZipArchive::open(*bytes, path.string());
    if (!archive)
        return core::failure(archive.error());
    // Records of a long training pack well; more than this is no backup.
    const std::size_t limit = 16 * core::FileLimit::mebibyte + 4 * bytes->size();
    const auto text = archive->read(stateMember, limit);
    if (!text)
        return core::failure(text.error());
    const auto json = core::parseJson(*text, path.string());
    if (!json)
        return core::failure(json.error());
    auto state = stateFrom(*json, replicas.size());
    if (!state)
        return core::failure(otherModel(path));
    if (!holdsTogether(*state))
        return core::failure(damagedBackup(path));
    for (std::size_t i = 0; i < replicas.size(); ++i)
        for (const Tensor& tensor : replicas[i].graph().tensors)
            if (lasts(tensor.role))
                if (auto result = readTensor(*archive, path, i, replicas[i], tensor); !result)
                    return core::failure(result.error());
    return std::optional<BackupState>(std::move(*state));
}

core::Result<void> restoreState(const std::filesystem::path& path, const std::function<void()>& restore) {
    try {
        restore();
        return {};
    } catch (const Json::exception&) {
        return core::failure(damagedBackup(path));
    }
}

} // namespace simulator
