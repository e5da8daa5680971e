#include "app/services/run/prepare_run.h"

#include "core/base/fingerprint.h"
#include "core/config/device_connection.h"
#include "core/interchange/project/project_file.h"

#include <algorithm>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace app {

core::Result<PreparedRun> prepareRun(core::Project project, const std::string& file,
                                     const std::filesystem::path& folder, const SimulationOptions& options,
                                     DatasetFactsCache& datasets) {
    if (options.seed)
        project.training.seed = static_cast<std::uint64_t>(*options.seed);
    const core::DeviceConnection connection = core::deviceConnection(project.ipuConfig);
    if (!connection.everAttaches())
        return core::failure(core::Diagnostic{
            core::Severity::Error,
            core::Trouble::Input,
            "failed-precondition/not-attached",
            {file, "/ipu_config/device_connection.type"},
            fmt::format(
                "with the connection type {} no device is ever attached, so there is nothing to run on",
                connection.type),
            {"set device_connection.type to ALWAYS or ON_DEMAND; what `compile -o` has written without a "
             "device runs there with --executable"}});
    const auto facts = datasets.facts(project, options.mode, folder);
    if (!facts)
        return core::failure(facts.error());
    auto outcome = core::validateAll(project, options.mode, *facts, file);
    if (!outcome.project)
        return core::failure(std::move(outcome.findings));
    std::string text = core::writeProject(project);
    std::string hash = core::fingerprint(text);
    return PreparedRun{{std::move(*outcome.project), options.level, options.numerics, folder, std::move(text),
                        std::move(hash), timeStamp()},
                       std::move(outcome.findings)};
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
