#include "core/config/ipu_config/ipu_config_values.h"

#include "core/config/ipu_config/ipu_config_table.h"

namespace core {

namespace {

const Json& valueOf(const IpuConfig& config, const IpuConfigOption& option) {
    const auto set = config.values.find(option.name);
    return set != config.values.end() ? set->second : defaultValue(option);
}

} // namespace

bool optionIsOn(const IpuConfig& config, SwitchOptionName name) {
    return valueOf(config, name.option()).get<bool>();
}

std::int64_t optionInteger(const IpuConfig& config, IntegerOptionName name) {
    return valueOf(config, name.option()).get<std::int64_t>();
}

double optionNumber(const IpuConfig& config, NumberOptionName name) {
    return valueOf(config, name.option()).get<double>();
}

std::string optionText(const IpuConfig& config, TextOptionName name) {
    return valueOf(config, name.option()).get<std::string>();
}

const Json& optionIntegers(const IpuConfig& config, IntegersOptionName name) {
    return valueOf(config, name.option());
}

const Json& optionFlags(const IpuConfig& config, PoplarOptionName name) {
    return valueOf(config, name.option());
}

std::optional<std::string> poplarOption(const IpuConfig& config, PoplarOptionName name,
                                        std::string_view key) {
    const Json& options = optionFlags(config, name);
    const auto found = options.find(key);
    return found == options.end() ? std::nullopt : std::optional(found->get<std::string>());
}

bool floatingPointBehaviourIsOn(const IpuConfig& config, FloatingPointBehaviour behaviour) {
    return optionIsOn(config, "floating_point_behaviour.set_all") ||
           valueOf(config, behaviour.option()).get<bool>();
}

void setOption(IpuConfig& config, AnyOptionName name, Json value) {
    config.values[std::string(name.text())] = std::move(value);
}

} // namespace core
