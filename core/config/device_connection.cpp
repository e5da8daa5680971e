#include "core/config/device_connection.h"

namespace core {

namespace {

constexpr std::string_view type = "device_connection.type";
constexpr std::string_view version = "device_connection.version";
constexpr std::string_view remoteBuffers = "device_connection.enable_remote_buffers";

} // namespace

std::string_view DeviceConnection::moment() const {
    if (!everAttaches())
        return "never";
    return isAttachedAtConfiguration() ? "when it is configured" : "when it first runs";
}

DeviceConnection deviceConnection(const IpuConfig& config) {
    return {optionText(config, type), optionText(config, version), optionIsOn(config, remoteBuffers)};
}

IpuConfig withoutConnection(IpuConfig config) {
    for (const std::string_view option : {type, version, remoteBuffers})
        if (const auto found = config.values.find(option); found != config.values.end())
            config.values.erase(found);
    return config;
}

} // namespace core
