#include "simulator/target/ipu_system.h"

#include "core/project/options/option_table.h"
#include "simulator/target/target_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {

std::int64_t IpuSystem::ipusPerMachine() const {
    return core::ceilDivide(std::max<std::int64_t>(ipus, 1), std::max<std::int64_t>(machines, 1));
}

std::int64_t IpuSystem::machineOf(std::int64_t physicalIpu) const {
    return physicalIpu / ipusPerMachine();
}

namespace {

/// The section holds keys of its own beside the figures of the target, and people mean those more often.
core::Diagnostics withSystemKeys(core::Diagnostics findings) {
    std::string keys;
    for (const core::ProjectOption* option : core::projectOptionsInFileOrder("system"))
        keys += std::string(keys.empty() ? "" : ", ") + std::string(option->key());
    for (core::Diagnostic& finding : findings)
        if (finding.code == "project/unknown-key")
            finding.hints.insert(finding.hints.begin(), "keys of the system: " + keys);
    return findings;
}

} // namespace

core::Result<IpuSystem> makeSystem(const core::SystemOptions& options, std::int64_t ipusPerReplica,
                                   std::int64_t replicas, SelectionOrder order,
                                   const std::filesystem::path& folder) {
    auto target = resolveTarget(options.target, folder);
    if (target && !options.other.empty())
        target = overrideFigures(*target, options.other, "", "/system");
    if (!target)
        return core::failure(withSystemKeys(std::move(target.error())));
    IpuSystem system;
    system.target = *target;
    system.ipus = options.ipus;
    system.ipusPerReplica = ipusPerReplica;
    system.replicas = replicas;
    system.remoteMemory = options.remoteMemory;
    const std::int64_t needed = core::ceilDivide(options.ipus, system.target.ipusPerMachine);
    system.machines = options.machines.value_or(needed);
    if (system.machines < needed)
        return core::failure(
            core::makeError(core::Trouble::Input, "system/machines", {"", "/system/machines"},
                            fmt::format("{} machines of {} IPUs hold only {} of the {} IPUs", system.machines,
                                        system.target.ipusPerMachine,
                                        system.machines * system.target.ipusPerMachine, options.ipus),
                            {fmt::format("use at least {} machines, or leave the key out", needed)}));
    system.physicalIndex = physicalIndices(order, ipusPerReplica);
    return system;
}

} // namespace simulator
