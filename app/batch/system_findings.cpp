#include "app/batch/system_findings.h"

#include "simulator/target/ipu_system.h"

namespace app {

core::Diagnostics systemFindings(const core::Project& project, const std::string& file,
                                 const std::filesystem::path& folder) {
    const auto system =
        simulator::makeSystem(project.system, 1, 1, simulator::SelectionOrder::Zigzag, folder);
    if (system)
        return {};
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
