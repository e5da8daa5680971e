#include "app/reports/report_table.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"
#include "core/config/device_connection.h"
#include "core/config/ipu_config/ipu_config_values.h"
#include "core/plan/device_listing.h"
#include "core/project/run_figures.h"
#include "simulator/target/selection_order.h"

#include <CLI/CLI.hpp>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <span>

namespace app {

namespace {

/// The listing in the manner of Graphcore's own tool.
std::string listingText(const std::vector<core::ListedDevice>& devices) {
    std::string text = "Simulated device listing:\n\n";
    for (const core::ListedDevice& device : devices) {
        const std::string id = fmt::format("[{}]", device.id);
        text += fmt::format("-+- Id: {:>5}, type: [{}]\n", id, device.isMulti() ? "Multi IPU" : "Single IPU");
        for (std::size_t position = 0; device.isMulti() && position < device.ipus.size(); ++position)
            text += fmt::format(" |--- Id: {:>5}, DNC Id: [{}]\n", fmt::format("[{}]", device.ipus[position]),
                                position);
    }
    return text;
}

/// What a program attaches to: what it selects, else the first device with as many IPUs as it uses.
core::Result<std::vector<core::ListedDevice>> attachedDevices(const core::Project& project,
                                                              std::span<const core::ListedDevice> listing) {
    const auto numbers = [&](core::IntegersOptionName option) {
        return core::deviceNumbers(core::optionIntegers(project.ipuConfig, option));
    };
    if (const auto ids = numbers("select_ipus"); !ids.empty())
        return core::selectById(listing, ids);
    auto counts = numbers("auto_select_ipus");
    if (counts.empty()) {
        const auto used =
            static_cast<std::uint64_t>(core::runFigures(project, core::RunMode::Train, {}).ipusOfDevice);
        counts.push_back(static_cast<std::int64_t>(std::bit_ceil(used)));
    }
    return core::selectByCount(listing, counts);
}

/// Which IPU holds each stage of each replica.
ReportTable placementTable(const core::Project& project, const std::vector<std::int64_t>& members) {
    const core::RunFigures figures = core::runFigures(project, core::RunMode::Train, {});
    std::vector<std::int64_t> ipuOfStage;
    for (const core::IpuId ipu : figures.ipuOf)
        ipuOfStage.push_back(static_cast<std::int64_t>(ipu.index()));
    const auto wanted =
        simulator::selectionOrderFromName(core::optionText(project.ipuConfig, "selection_order"))
            .value_or(simulator::SelectionOrder::Auto);
    const auto order =
        simulator::resolveOrder(wanted, figures.isPipelined ? std::span<const std::int64_t>(ipuOfStage)
                                                            : std::span<const std::int64_t>());
    const auto physical = simulator::physicalIndices(order, figures.ipusPerReplica);
    const auto right = ReportTable::Align::Right;
    ReportTable table({{"replica", right},
                       {"stage", right},
                       {"virtual_ipu", right, "virtual IPU"},
                       {"ipu", right, "IPU"},
                       ReportTable::jsonColumn("selection_order")});
    for (std::int64_t replica = 0; replica < figures.replicas; ++replica) {
        for (std::size_t stage = 0; stage < ipuOfStage.size(); ++stage) {
            const std::int64_t virtualIpu = ipuOfStage[stage];
            const std::int64_t position =
                replica * figures.ipusPerReplica + physical[static_cast<std::size_t>(virtualIpu)];
            // Programs that never attach, and those with more replicas than IPUs, have none there.
            const bool isThere = position < static_cast<std::int64_t>(members.size());
            table.add({replica, stage, virtualIpu,
                       isThere ? ReportTable::Cell(members[static_cast<std::size_t>(position)])
                               : ReportTable::Cell(core::Json(), "-"),
                       simulator::toString(order)});
        }
    }
    return table;
}

/// Lists the devices of a simulated system, and how a project's program attaches to them.
class DevicesVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command, false);
        addWholeNumber(command, "--ipus", m_ipus, 1, 65536, "IPUs of the system")
            ->type_name("N")
            ->default_str("16");
    }

    core::Result<Report> run(const VerbContext&) override {
        if (m_project.isGiven())
            return m_ipus ? core::failure(usageError("usage/conflict", "--ipus",
                                                     "the project says how many IPUs its system has",
                                                     "leave --ipus out, or set system.ipus with --set"))
                          : ofProject();
        if (m_project.hasSettings())
            return core::failure(usageError("usage/settings", "--set",
                                            "there is no project to put a value into",
                                            "name the project, or leave --set out"));
        return ofSystem(m_ipus.value_or(16));
    }

private:
    static core::Result<Report> ofSystem(std::int64_t ipus) {
        if (!std::has_single_bit(static_cast<std::uint64_t>(ipus)))
            return core::failure(usageError("usage/ipus", "--ipus",
                                            fmt::format("no system has {} IPUs", ipus),
                                            fmt::format("systems have 1, 2, 4, 8, 16, … IPUs: write {} or {}",
                                                        std::bit_floor(static_cast<std::uint64_t>(ipus)),
                                                        std::bit_ceil(static_cast<std::uint64_t>(ipus)))));
        return listing(core::listDevices(ipus));
    }

    static Report listing(const std::vector<core::ListedDevice>& devices) {
        Report report;
        report.json = reportJson("devices");
        ReportTable table({{"id", TextTable::Align::Right}, {"type"}, {"ipus"}});
        for (const core::ListedDevice& device : devices)
            table.add(
                {device.id, device.type(), {device.ipus, fmt::format("{}", fmt::join(device.ipus, " "))}});
        table.writeTo(report, "devices");
        // People know the listing of the machine's own tool.
        report.text = listingText(devices);
        return report;
    }

    core::Result<Report> ofProject() {
        auto file = m_project.load();
        if (!file)
            return core::failure(std::move(file.error()));
        const core::Project& project = file->project;
        const auto devices = core::listDevices(project.system.ipus);
        const core::DeviceConnection connection = core::deviceConnection(project.ipuConfig);
        std::vector<std::int64_t> ids;
        std::vector<std::int64_t> members;
        if (connection.everAttaches()) {
            const auto attached = attachedDevices(project, devices);
            if (!attached)
                return core::failure(attached.error());
            for (const core::ListedDevice& device : *attached)
                ids.push_back(device.id);
            // The first device is the one a project runs on.
            members = attached->front().ipus;
        }
        const bool hasRemoteMemory = core::runFigures(project, core::RunMode::Train, {}).hasRemoteMemory;
        Report report = listing(devices);
        report.json["connection"] = {{"type", connection.type},
                                     {"attaches", connection.moment()},
                                     {"devices", ids},
                                     {"remote_memory", hasRemoteMemory}};
        const std::string attaches =
            fmt::format("attaches to {} {} {}", ids.size() == 1 ? "device" : "devices",
                        fmt::join(ids, " and "), connection.moment());
        report.text += fmt::format(
            "\nConnection {}: the program {}; it is compiled {} remote memory.\n", connection.type,
            connection.everAttaches() ? attaches : "never attaches to a device and can only be compiled",
            hasRemoteMemory ? "with" : "without");
        const ReportTable placement = placementTable(project, members);
        report.json["placement"] = placement.json();
        report.text +=
            "\nStages, on the IPUs of the first device (order by selection_order):\n\n" + placement.text();
        report.diagnostics = std::move(file->warnings);
        return report;
    }

    ProjectArgument m_project;
    std::optional<std::int64_t> m_ipus;
};

} // namespace

VerbDefinition devicesVerb() {
    return {.name = "devices",
            .summary = "The device listing of a simulated system, and how a project attaches to it",
            .examples = {"devices", "devices --ipus 4 --json", "devices net.ipuproj"},
            .make = makeVerb<DevicesVerb>,
            .hasCsv = true};
}

} // namespace app
