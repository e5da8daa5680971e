#include "core/config/device_connection.h"

#include "core/config/ipu_config/ipu_config_values.h"

namespace core {

namespace {

constexpr TextOptionName connectionType = "device_connection.type";
constexpr TextOptionName connectionVersion = "device_connection.version";
constexpr SwitchOptionName remoteBuffers = "device_connection.enable_remote_buffers";

} // namespace

std::string_view DeviceConnection::moment() const {
    if (!everAttaches())
        return "never";
    return isAttachedAtConfiguration() ? "when it is configured" : "when it first runs";
}

DeviceConnection deviceConnection(const IpuConfig& config) {
    return {optionText(config, connectionType), optionText(config, connectionVersion),
            optionIsOn(config, remoteBuffers)};
}

IpuConfig withoutConnection(IpuConfig config) {
    for (const std::string_view option :
         {connectionType.text(), connectionVersion.text(), remoteBuffers.text()})
        if (const auto found = config.values.find(option); found != config.values.end())
            config.values.erase(found);
    return config;
}

} // namespace core
