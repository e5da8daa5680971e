#include "core/config/device_connection.h"
#include "core/config/ipu_config/ipu_config_values.h"
#include "core/plan/device_listing.h"
#include "core/project/validation_rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// The two ways to choose devices exclude each other, and what is chosen must be there.
void chosenDevicesExist(const RuleContext& context) {
    const auto counts = deviceNumbers(optionIntegers(context.project.ipuConfig, "auto_select_ipus"));
    const auto ids = deviceNumbers(optionIntegers(context.project.ipuConfig, "select_ipus"));
    if (!counts.empty() && !ids.empty()) {
        context.refuse("exception/selection-conflict", "/ipu_config/select_ipus",
                       "auto_select_ipus and select_ipus are both set", "keep one of the two");
        return;
    }
    if (counts.empty() && ids.empty())
        return;
    const auto listing = listDevices(context.project.system.ipus);
    const auto file = [&](const Result<std::vector<ListedDevice>>& chosen, std::string_view option) {
        if (chosen)
            return;
        for (Diagnostic finding : chosen.error()) {
            finding.location.place = fmt::format("/ipu_config/{}", option);
            context.add(std::move(finding));
        }
    };
    if (!counts.empty())
        file(selectByCount(listing, counts), "auto_select_ipus");
    if (!ids.empty())
        file(selectById(listing, ids), "select_ipus");
}

void connectionNamesItsVersion(const RuleContext& context) {
    const DeviceConnection connection = deviceConnection(context.project.ipuConfig);
    if (!connection.everAttaches() && connection.version.empty())
        context.refuse("value-error/connection-version", "/ipu_config/device_connection.version",
                       fmt::format("the connection type {} needs the version of the IPU", connection.type),
                       "set device_connection.version to \"ipu1\" or \"ipu2\"");
}

void enoughIpus(const RuleContext& context) {
    const RunFigures& figures = context.figures;
    if (figures.ipusPerReplica > figures.ipusOfDevice)
        context.refuse(
            "value-error/too-few-ipus", "/system/ipus",
            fmt::format("{} attached, but the model needs a multiple of {}",
                        figures.ipusOfDevice == 1 ? std::string("1 IPU is")
                                                  : fmt::format("{} IPUs are", figures.ipusOfDevice),
                        figures.ipusPerReplica),
            fmt::format("give the system at least {} IPUs, or use fewer stages", figures.ipusPerReplica));
}

void enoughIpusForTheReplicas(const RuleContext& context) {
    const auto wanted = context.project.replicas;
    const std::int64_t perReplica = context.figures.ipusPerReplica;
    const std::int64_t attached = context.project.system.ipus;
    if (wanted && perReplica <= attached && *wanted > attached / perReplica)
        context.refuse(
            "value-error/too-few-ipus", "/replicas",
            fmt::format("{} replicas of {} IPUs need {} IPUs, but {} are attached", *wanted, perReplica,
                        *wanted * perReplica, attached),
            fmt::format("use at most {} replicas, or give the system more IPUs", attached / perReplica));
}

/// Every process of a distributed program has as many replicas as the others.
void processesShareTheReplicas(const RuleContext& context) {
    const IpuConfig& config = context.project.ipuConfig;
    const std::string section = "experimental.multi_replica_distribution";
    const std::int64_t processes =
        optionInteger(config, "experimental.multi_replica_distribution.process_count");
    const std::int64_t index = optionInteger(config, "experimental.multi_replica_distribution.process_index");
    if (processes > 0 && context.figures.replicas % processes != 0)
        context.refuse(
            "value-error/process-count", "/ipu_config/" + section + ".process_count",
            fmt::format("{} processes cannot share {} replicas evenly", processes, context.figures.replicas),
            "the replicas of all processes are those of one, times their number");
    if (index >= std::max<std::int64_t>(processes, 1))
        context.refuse(
            "value-error/process-index", "/ipu_config/" + section + ".process_index",
            fmt::format("process {} of {}: indices start at 0", index, std::max<std::int64_t>(processes, 1)),
            "give an index below process_count");
}

} // namespace

std::span<const ValidationRule> configurationRules() {
    static constexpr ValidationRule rules[]{
        {"the chosen devices exist", chosenDevicesExist},
        {"a connection without a device names its version", connectionNamesItsVersion},
    };
    return rules;
}

std::span<const ValidationRule> deviceRules() {
    static constexpr ValidationRule rules[]{
        {"enough IPUs for the model", enoughIpus},
        {"enough IPUs for the replicas", enoughIpusForTheReplicas},
        {"processes share the replicas", processesShareTheReplicas},
    };
    return rules;
}

} // namespace core
