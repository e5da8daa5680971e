#include "core/config/ipu_config/ipu_config.h"

#include "core/config/ipu_config/ipu_config_table.h"

#include <cassert>

namespace core {

const Json& optionValue(const IpuConfig& config, std::string_view name) {
    if (const auto set = config.values.find(name); set != config.values.end())
        return set->second;
    const IpuConfigOption* option = findIpuConfigOption(name);
    assert(option != nullptr);
    return defaultValue(*option);
}

bool optionIsOn(const IpuConfig& config, std::string_view name) {
    return optionValue(config, name).get<bool>();
}

std::int64_t optionInteger(const IpuConfig& config, std::string_view name) {
    return optionValue(config, name).get<std::int64_t>();
}

double optionNumber(const IpuConfig& config, std::string_view name) {
    return optionValue(config, name).get<double>();
}

std::string optionText(const IpuConfig& config, std::string_view name) {
    return optionValue(config, name).get<std::string>();
}

std::optional<std::string> poplarOption(const IpuConfig& config, std::string_view name,
                                        std::string_view key) {
    const Json& options = optionValue(config, name);
    const auto found = options.find(key);
    return found == options.end() ? std::nullopt : std::optional(found->get<std::string>());
}

bool floatingPointBehaviourIsOn(const IpuConfig& config, std::string_view behaviour) {
    return optionIsOn(config, "floating_point_behaviour.set_all") ||
           optionIsOn(config, std::string("floating_point_behaviour.").append(behaviour));
}

} // namespace core
