#pragma once

#include "core/base/json.h"
#include "core/config/ipu_config/ipu_config_option.h"

#include <string_view>
#include <vector>

namespace core {

/// Every option of IPUConfig, in the order of the Python API's documentation: top-level options first, then
/// the categories by name. Source: the Python API reference of the programming system, class IPUConfig.
[[nodiscard]] const std::vector<IpuConfigOption>& ipuConfigOptions();

/// Null for an unknown name.
[[nodiscard]] const IpuConfigOption* findIpuConfigOption(std::string_view name);

/// The default of an option as JSON.
[[nodiscard]] const Json& defaultValue(const IpuConfigOption& option);

/// A category ("matmuls", "experimental.multi_replica_distribution") groups the options whose names start
/// with it.
struct IpuConfigCategory {
    std::string_view name;
    std::string_view documentation;
};
[[nodiscard]] const std::vector<IpuConfigCategory>& ipuConfigCategories();

/// A function of the API before IPUConfig and what replaces it: `set_matmul_options(opts, clear_pass_type)`
/// is the option `matmuls.clear_pass_type` today.
struct OlderConfigFunction {
    std::string_view name;
    /// Argument and the option that replaces it, in pairs; an empty option means that it is gone.
    struct Argument {
        std::string_view name;
        std::string_view option;
    };
    std::vector<Argument> arguments;
    /// What to do instead, in one sentence.
    std::string_view replacement;
};
[[nodiscard]] const std::vector<OlderConfigFunction>& olderConfigFunctions();
[[nodiscard]] const OlderConfigFunction* findOlderConfigFunction(std::string_view name);

} // namespace core
