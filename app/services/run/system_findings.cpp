#include "app/services/run/system_findings.h"

#include "core/config/device_connection.h"
#include "simulator/compiler/planning/compile_options.h"
#include "simulator/target/ipu_system.h"
#include "simulator/target/target_catalogue.h"

#include <fmt/format.h>

namespace app {

namespace {

/// A program is compiled for the version that its connection names, or that the attached device has.
core::Diagnostics connectionFindings(const core::Project& project, const std::string& file) {
    const core::DeviceConnection connection = core::deviceConnection(project.ipuConfig);
    const auto version = simulator::versionOfTarget(project.system.target);
    if (connection.version.empty() || !version || connection.version == *version)
        return {};
    return {core::makeError(
        core::Trouble::Input, "value-error/connection-version",
        {file, "/ipu_config/device_connection.version"},
        fmt::format("the program would be compiled for {}, but the target {} is of version {}",
                    connection.version, project.system.target, *version),
        {fmt::format("set device_connection.version to \"{}\", or choose another target", *version)})};
}

} // namespace

core::Diagnostics systemFindings(const core::Project& project, const std::string& file,
                                 const std::filesystem::path& folder) {
    const auto system =
        simulator::makeSystem(project.system, 1, 1, simulator::SelectionOrder::Zigzag, folder);
    if (system) {
        core::Diagnostics findings = connectionFindings(project, file);
        if (auto broken = simulator::brokenIoTiles(project.ipuConfig, system->target)) {
            broken->location.file = file;
            findings.push_back(std::move(*broken));
        }
        return findings;
    }
    core::Diagnostics findings = system.error();
    for (core::Diagnostic& finding : findings) {
        if (finding.location.file.empty())
            finding.location.file = file;
        if (finding.location.place.empty())
            finding.location.place = "/system/target";
    }
    return findings;
}

} // namespace app
