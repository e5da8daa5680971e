#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/project/project.h"
#include "simulator/target/ipu_target.h"
#include "simulator/target/selection_order.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace simulator {

/// Chips, links and host of the simulated machine.
struct IpuSystem {
    IpuTarget target;
    /// IPUs of all replicas.
    std::int64_t ipus = 1;
    std::int64_t ipusPerReplica = 1;
    std::int64_t replicas = 1;
    /// Host processes that share the replicas evenly; each shards variables over its own replicas only.
    std::int64_t processes = 1;
    /// They reduce gradients on their hosts instead of over links.
    bool reducesOnHosts = false;
    std::int64_t machines = 1;
    bool remoteMemory = true;
    /// Physical index of each virtual IPU of a replica (selection order).
    std::vector<std::int64_t> physicalIndex;

    /// Machine an IPU of the whole system is in.
    [[nodiscard]] std::int64_t machineOf(std::int64_t physicalIpu) const;
    [[nodiscard]] std::int64_t localReplicas() const { return replicas / processes; }
    /// IPUs of one machine that the system uses.
    [[nodiscard]] std::int64_t ipusPerMachine() const;
    bool operator==(const IpuSystem&) const = default;
};

/// The largest system that is simulated: more IPUs than any pod has.
inline constexpr std::int64_t largestSystem = 65536;

/// The system of a project: its target (a name or a target file relative to `folder`, with the section's
/// overrides applied), as many machines as the IPUs need unless it says how many, and `order` resolved for
/// one replica (ZIGZAG where it is still AUTO). Errors: those of the target; "system/machines" when the
/// machines cannot hold the IPUs.
[[nodiscard]] core::Result<IpuSystem> makeSystem(const core::SystemOptions& options,
                                                 std::int64_t ipusPerReplica, std::int64_t replicas,
                                                 SelectionOrder order = SelectionOrder::Zigzag,
                                                 const std::filesystem::path& folder = {});

} // namespace simulator
