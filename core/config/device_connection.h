#pragma once

#include "core/config/ipu_config/ipu_config.h"

#include <string>

namespace core {

/// `device_connection` of an IPUConfig, read once: when a program attaches to its device, and what it may
/// know of the device before.
struct DeviceConnection {
    /// "ALWAYS", "ON_DEMAND", "PRE_COMPILE" or "NEVER".
    std::string type;
    /// "ipu1", "ipu2" or "".
    std::string version;
    bool enableRemoteBuffers = false;

    /// Whether a device is there before the program runs, so that it can be asked what it has.
    [[nodiscard]] bool isAttachedAtConfiguration() const { return type == "ALWAYS"; }
    /// Whether a program can run at all.
    [[nodiscard]] bool everAttaches() const { return type == "ALWAYS" || type == "ON_DEMAND"; }
    /// "when it is configured", "when it first runs", "never".
    [[nodiscard]] std::string_view moment() const;
};

[[nodiscard]] DeviceConnection deviceConnection(const IpuConfig& config);

/// The config without what only matters to the machine at hand: an executable compiled without a device runs
/// where there is one.
[[nodiscard]] IpuConfig withoutConnection(IpuConfig config);

} // namespace core
