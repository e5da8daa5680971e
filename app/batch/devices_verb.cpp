#include "app/batch/option_value.h"
#include "app/batch/text_table.h"
#include "app/batch/verb.h"
#include "core/plan/device_listing.h"

#include <CLI/CLI.hpp>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Lists the devices of a simulated system.
class DevicesVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        addWholeNumber(command, "--ipus", m_ipus, 1, 65536, "IPUs of the system")
            ->type_name("N")
            ->default_str("16");
    }

    core::Result<Report> run(const VerbContext&) override {
        if (!std::has_single_bit(static_cast<std::uint64_t>(m_ipus)))
            return core::failure(usageError("usage/ipus", "--ipus",
                                            fmt::format("no system has {} IPUs", m_ipus),
                                            fmt::format("systems have 1, 2, 4, 8, 16, … IPUs: write {} or {}",
                                                        std::bit_floor(static_cast<std::uint64_t>(m_ipus)),
                                                        std::bit_ceil(static_cast<std::uint64_t>(m_ipus)))));
        Report report;
        const auto devices = core::listDevices(m_ipus);
        report.json = reportJson("devices");
        report.json["devices"] = core::Json::array();
        TextTable table({{"id", TextTable::Align::Right}, {"type"}, {"ipus"}});
        for (const core::ListedDevice& device : devices) {
            report.json["devices"].push_back(
                {{"id", device.id}, {"type", device.type()}, {"ipus", device.ipus}});
            table.add({std::to_string(device.id), std::string(device.type()),
                       fmt::format("{}", fmt::join(device.ipus, " "))});
        }
        report.text = listingText(devices);
        report.csv = table.csv();
        return report;
    }

private:
    std::int64_t m_ipus = 16;
};

} // namespace

VerbDefinition devicesVerb() {
    return {.name = "devices",
            .summary = "The device listing of a simulated system",
            .examples = {"devices", "devices --ipus 4 --json"},
            .make = makeVerb<DevicesVerb>,
            .hasCsv = true};
}

} // namespace app
