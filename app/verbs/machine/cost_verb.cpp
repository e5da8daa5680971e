#include "app/reports/report_table.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb.h"
#include "simulator/cost/query/cost_query.h"
#include "simulator/target/target_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// The plan and price of one operation.
class CostVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("OPERATION", m_operation, "The operation; --list names them");
        command.add_option("KEY=VALUE", m_arguments, "Its keys; --list names them");
        command.add_option("--target", m_target, "A target of the catalogue or a target file")
            ->capture_default_str();
        addWholeNumber(command, "--tiles", m_tiles, 1, 1'000'000, "Tiles it may use; all otherwise")
            ->type_name("N");
        command.add_flag("--list", m_list, "List the operations and their keys");
    }

    core::Result<Report> run(const VerbContext&) override {
        if (m_list)
            return list();
        if (m_operation.empty())
            return core::failure(
                usageError("usage/arguments", "OPERATION", "an operation is needed",
                           "cost --list names them; for example: cost matmul m=64 k=64 n=64"));
        auto arguments = simulator::readCostArguments(m_arguments);
        if (!arguments)
            return core::failure(std::move(arguments.error()));
        auto target = simulator::resolveTarget(m_target);
        if (!target)
            return core::failure(asUsage(std::move(target.error())));
        const auto answer = simulator::queryCost({m_operation, std::move(*arguments), *target, m_tiles});
        if (!answer)
            return core::failure(answer.error());
        Report report;
        report.json = simulator::toJson(*answer);
        report.text = textOf(report.json);
        return report;
    }

private:
    /// A name on the command line that is not known is a usage error; a target file's content is not.
    static core::Diagnostics asUsage(core::Diagnostics findings) {
        for (core::Diagnostic& finding : findings) {
            if (finding.trouble == core::Trouble::Input && finding.location.file.empty())
                finding.trouble = core::Trouble::Usage;
        }
        return findings;
    }

    static Report list() {
        Report report;
        report.json = reportJson("cost");
        ReportTable operations({{"name"}, {"group"}, {"summary"}, {"keys"}});
        ReportTable lines({ReportTable::textColumn("operation"),
                           ReportTable::textColumn("group"),
                           {"name", ReportTable::Align::Left, "key"},
                           {"default"},
                           {"meaning"}});
        for (const simulator::CostOperation& operation : simulator::costOperations()) {
            lines.addLine({operation.name, std::string(operation.group), "", "", operation.summary});
            for (const simulator::CostKey& key : operation.keys) {
                const ReportTable::Cell needed(nullptr, "(needed)");
                lines.add(
                    {"", "", key.name, key.defaultValue.empty() ? needed : key.defaultValue, key.meaning});
            }
            operations.add({operation.name, operation.group, operation.summary, lines.takeJson()});
        }
        report.json["operations"] = operations.takeJson();
        report.text = lines.text();
        report.csv = lines.csv();
        return report;
    }

    /// The fields of the JSON, one per line.
    static std::string textOf(const core::Json& json) {
        std::string text;
        for (const auto& [key, value] : json.items()) {
            if (key == "schema" || key == "version")
                continue;
            if (!value.is_object()) {
                text += fmt::format("{}: {}\n", key,
                                    value.is_string() ? value.get<std::string>() : core::toText(value, -1));
                continue;
            }
            text += fmt::format("{}:\n", key);
            for (const auto& [inner, figure] : value.items())
                text += fmt::format("  {}: {}\n", inner, core::toText(figure, -1));
        }
        return text;
    }

    std::string m_operation;
    std::vector<std::string> m_arguments;
    std::string m_target = "ipu2";
    std::int64_t m_tiles = 0;
    bool m_list = false;
};

} // namespace

VerbDefinition costVerb() {
    return {
        .name = "cost",
        .summary = "The plan and price of one operation",
        .examples =
            {"cost matmul m=1024 k=1024 n=1024 type=float16 partials=float16",
             "cost amp_conv1x1 field_elements=64 in_channels=16 out_channels=16 conv_groups=1 type=float16 "
             "partials=float16 conv_units=16 first_pass=true --target bow --json",
             "cost --list"},
        .make = makeVerb<CostVerb>,
        .hasCsv = true};
}

} // namespace app
