#include "simulator/engine/training_backup.h"

#include "core/interchange/zip_archive.h"
#include "simulator/data/npy_array.h"
#include "simulator/data/npz_archive.h"

#include <fmt/format.h>
#include <limits>

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

Json toJson(const BackupState& state, std::size_t replicas) {
    Json json = {{"version", 1},
                 {"replicas", replicas},
                 {"epochs", state.epochs},
                 {"rate_factor", state.rateFactor},
                 {"callbacks", state.callbacks},
                 {"records", Json::array()}};
    for (const core::MetricRecord& record : state.records)
        json["records"].push_back({record.name, record.update, record.epoch, record.value});
    return json;
}

/// Nothing when a key is missing or of another type.
std::optional<BackupState> stateFrom(const Json& json, std::size_t replicas) {
    try {
        if (json.at("version") != 1 || json.at("replicas") != replicas)
            return std::nullopt;
        BackupState state{json.at("epochs").get<std::int64_t>(),
                          json.at("rate_factor").get<double>(),
                          json.at("callbacks"),
                          {}};
        for (const Json& record : json.at("records"))
            state.records.push_back({record.at(0).get<std::string>(), record.at(1).get<std::int64_t>(),
                                     record.at(2).get<std::int64_t>(),
                                     // JSON has no NaN.
                                     record.at(3).is_number() ? record.at(3).get<double>()
                                                              : std::numeric_limits<double>::quiet_NaN()});
        return state;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
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
    constexpr std::size_t limit = std::size_t{8} << 30U;
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
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    return core::writeFileAtomically(path, zipBytes(members), core::Overwrite::Replace);
}

core::Result<std::optional<BackupState>> loadBackup(const std::filesystem::path& path,
                                                    std::span<TrainingReplica> replicas) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        return std::optional<BackupState>();
    const auto bytes = core::readFile(path);
    if (!bytes)
        return core::failure(bytes.error());
    const auto archive = core::ZipArchive::open(*bytes, path.string());
    if (!archive)
        return core::failure(archive.error());
    constexpr std::size_t limit = std::size_t{1} << 30U;
    const auto text = archive->read(stateMember, limit);
    if (!text)
        return core::failure(text.error());
    const auto json = core::parseJson(*text, path.string());
    if (!json)
        return core::failure(json.error());
    auto state = stateFrom(*json, replicas.size());
    if (!state)
        return core::failure(otherModel(path));
    for (std::size_t i = 0; i < replicas.size(); ++i)
        for (const Tensor& tensor : replicas[i].graph().tensors)
            if (lasts(tensor.role))
                if (auto result = readTensor(*archive, path, i, replicas[i], tensor); !result)
                    return core::failure(result.error());
    return std::optional<BackupState>(std::move(*state));
}

} // namespace simulator
