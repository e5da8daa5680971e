#include "app/services/run/prepare_run.h"

#include "app/services/run/project_wants.h"
#include "core/base/fingerprint.h"
#include "core/base/write_door.h"
#include "core/catalogue/callbacks.h"
#include "core/config/device_connection.h"
#include "core/config/ipu_config/ipu_config_table.h"
#include "core/interchange/project/project_file.h"
#include "simulator/target/target_catalogue.h"
#include "simulator/target/target_figures.h"

#include <algorithm>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace app {

namespace fs = std::filesystem;

namespace {

/// Names the options that are set and change nothing here; why is in the verb `config`.
std::optional<core::Diagnostic> optionsWithoutEffect(const core::IpuConfig& config, const std::string& file) {
    std::string names;
    for (const core::IpuConfigOption& option : core::ipuConfigOptions()) {
        const auto set = config.values.find(option.name);
        if (option.effect == core::OptionEffect::None && set != config.values.end() &&
            set->second != core::defaultValue(option))
            names += (names.empty() ? "" : ", ") + std::string(option.name);
    }
    if (names.empty())
        return std::nullopt;
    return core::makeNote(core::Trouble::Input, "ipu-config/no-effect", {file, "/ipu_config"},
                          "set, but without effect on the simulated system: " + names,
                          {"`ipu-workbench config NAME` says why"});
}

/// Gives a project whose target file is gone the figures that its run keeps of it; false: it is there, or the
/// run keeps none.
bool takeStoredTarget(core::Project& project, const core::RunSummary& stored, const fs::path& folder) {
    std::error_code error;
    if (simulator::findTarget(project.system.target) != nullptr ||
        fs::exists(core::namedFile(folder, project.system.target), error) || error)
        return false;
    const core::Json kept = core::Json::parse(stored.provenance.targetFigures, nullptr, false);
    if (!kept.is_object())
        return false;
    project.system.target = simulator::targetCatalogue().front().target.name;
    for (const simulator::TargetFigure& figure : simulator::targetFigures())
        if (const auto value = kept.find(figure.key); value != kept.end())
            project.system.other[std::string(figure.key)] = *value;
    return true;
}

} // namespace

core::Result<PreparedRun> prepareRun(core::Project project, const std::string& file, const fs::path& folder,
                                     const SimulationOptions& options, DatasetFactsCache& datasets) {
    if (options.seed)
        project.training.seed = static_cast<std::uint64_t>(*options.seed);
    const core::DeviceConnection connection = core::deviceConnection(project.ipuConfig);
    if (!connection.everAttaches())
        return core::failure(core::makeError(
            core::Trouble::Input, "failed-precondition/not-attached",
            {file, "/ipu_config/device_connection.type"},
            fmt::format(
                "with the connection type {} no device is ever attached, so there is nothing to run on",
                connection.type),
            {"set device_connection.type to ALWAYS or ON_DEMAND; what `compile -o` has written without a "
             "device runs there with --executable"}));
    const auto facts = datasets.facts(project, options.mode, folder);
    if (!facts)
        return core::failure(facts.error());
    auto outcome = core::validateAll(project, options.mode, *facts, file);
    if (!outcome.project)
        return core::failure(std::move(outcome.findings));
    // A project that only predicts is sound, and still there is nothing to train it by.
    if (options.mode == core::RunMode::Train && project.training.dataset && project.training.losses.empty() &&
        !project.model.outputs.empty())
        return core::failure(
            core::makeError(core::Trouble::Input, "value-error/no-loss", {file, "/training/loss"},
                            "the model cannot be trained: it has no loss to optimise",
                            {"run it with --mode predict",
                             "set training.loss, for example \"sparse_categorical_crossentropy\""}));
    std::string text = core::writeProject(project);
    std::string hash = core::fingerprint(text);
    std::vector<fs::path> data = dataFiles(project, folder);
    if (const auto note = dataOutside(project, folder, file))
        outcome.findings.push_back(*note);
    if (const auto note = optionsWithoutEffect(project.ipuConfig, file))
        outcome.findings.push_back(*note);
    // Going on from a checkpoint and writing it again is usual: the weights were read before.
    if (project.training.weights)
        std::erase(data, core::namedFile(folder, *project.training.weights));
    PreparedRun prepared{{std::move(*outcome.project), options.level, options.numerics, folder,
                          std::move(text), std::move(hash), timeStamp()},
                         std::move(outcome.findings)};
    prepared.request.grants = options.grants;
    prepared.request.kept = std::move(data);
    if (!file.empty())
        prepared.request.kept.emplace_back(file);
    return prepared;
}

core::Result<PreparedRun> prepareStoredRun(const core::RunSummary& stored, const fs::path& folder,
                                           bool numerics, DatasetFactsCache& datasets,
                                           const core::Json& figures) {
    auto file = core::readProject(stored.provenance.projectText, "the stored project");
    if (!file)
        return core::failure(std::move(file.error()));
    core::Project project = std::move(file->project);
    std::erase_if(project.training.callbacks,
                  [](const core::KerasObject& callback) { return core::writesFiles(callback.className); });
    const std::string targetFile = project.system.target;
    const bool hasStoredTarget = takeStoredTarget(project, stored, folder);
    if (figures.is_object())
        project.system.other.update(figures);
    SimulationOptions options;
    options.mode = stored.provenance.mode;
    options.level = simulator::ProfileLevel::None;
    options.numerics = numerics;
    options.seed = static_cast<std::int64_t>(stored.provenance.seed);
    auto prepared = prepareRun(std::move(project), "", folder, options, datasets);
    if (!prepared || !hasStoredTarget)
        return prepared;
    prepared->hasStoredTarget = true;
    prepared->warnings.push_back(core::makeWarning(
        core::Trouble::Input, "target/stored-figures", {"the stored project", "/system/target"},
        fmt::format("the target file {} is not there: simulated with the figures that the run keeps of it",
                    targetFile),
        {"put the file back, or name the folder that it is in with --folder, to hold the run against it"}));
    return prepared;
}

std::string timeStamp() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    const std::string zone = fmt::format("{:%z}", local); // "+0200"
    const std::string_view hours = std::string_view(zone).substr(0, 3);
    const std::string_view minutes = std::string_view(zone).substr(std::min<std::size_t>(3, zone.size()));
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}{}:{}", local, hours, minutes);
}

} // namespace app
