#include "app/reports/text_table.h"
#include "app/services/stage_plan.h"
#include "app/verbs/option_value.h"
#include "app/verbs/project_argument.h"
#include "app/verbs/verb.h"
#include "core/base/nearest_name.h"
#include "core/plan/assignment_entries.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// Cuts a model into stages exactly.
class PlanVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command);
        addWholeNumber(command, "--stages", m_request.stages, 1, 16384, "Stages to cut the model into")
            ->required()
            ->type_name("N");
        addChoice<simulator::PartitionObjective>(
            command, "--objective", m_request.objective,
            {{"time", simulator::PartitionObjective::Time},
             {"memory", simulator::PartitionObjective::Memory},
             {"blend", simulator::PartitionObjective::Blend}},
            "What the largest stage is measured by: time, memory or blend")
            ->type_name("NAME");
        addNumber(command, "--time-share", m_request.timeShare, NumberRange::FromZero, 1,
                  "Share of time in a blend")
            ->type_name("SHARE")
            ->default_str(fmt::format("{}", m_request.timeShare));
        command.add_option("--lock", m_locks, "Keep a layer on a stage")
            ->type_name("LAYER=STAGE")
            ->expected(1)
            ->take_all();
        addWholeNumber(command, "--alternatives", m_alternatives, 0, 100, "How many further plans to find")
            ->type_name("K");
    }

    core::Result<Report> run(const VerbContext& context) override {
        auto file = m_project.load();
        if (!file)
            return core::failure(std::move(file.error()));
        const auto calls = core::flattened(core::assignmentEntries(file->project.model));
        if (auto locked = readLocks(calls); !locked)
            return core::failure(locked.error());
        m_request.alternatives = m_alternatives + 1;
        simulator::CompilationCache cache;
        const auto partitions = planStages(file->project, m_project.path().string(), m_project.folder(),
                                           m_request, cache, context.job);
        if (!partitions)
            return core::failure(partitions.error());
        Report report = reportOf(*partitions, calls);
        report.diagnostics = std::move(file->warnings);
        if (!context.output.file.empty())
            report.content = core::writeProject(withPlan(file->project, partitions->front()));
        return report;
    }

private:
    core::Result<void> readLocks(const std::vector<core::AssignmentEntry>& calls) {
        if (m_locks.empty())
            return {};
        m_request.locks.assign(calls.size(), std::nullopt);
        for (const std::string& text : m_locks) {
            const std::size_t at = text.rfind('=');
            std::size_t stage = 0;
            if (at == std::string::npos || !CLI::detail::lexical_cast(text.substr(at + 1), stage))
                return core::failure(usageError("usage/lock", "--lock", "expected LAYER=STAGE",
                                                "write for example --lock conv1=0"));
            if (stage >= m_request.stages)
                return core::failure(usageError("usage/lock", "--lock",
                                                fmt::format("there is no stage {}", stage),
                                                fmt::format("the stages are 0 to {}", m_request.stages - 1)));
            const std::string layer = text.substr(0, at);
            bool isFound = false;
            for (const core::AssignmentEntry& call : calls) {
                if (call.path == layer) {
                    m_request.locks[call.index] = stage;
                    isFound = true;
                }
            }
            if (!isFound)
                return core::failure(unknownLayer(layer, calls));
        }
        return {};
    }

    static core::Diagnostic unknownLayer(const std::string& layer,
                                         const std::vector<core::AssignmentEntry>& calls) {
        std::vector<std::string> names;
        for (const core::AssignmentEntry& call : calls)
            names.push_back(call.path);
        const auto near = core::nearestName(layer, names);
        return usageError("usage/lock", "--lock",
                          fmt::format("no layer is called \"{}\"", layer.substr(0, 80)),
                          near ? fmt::format("did you mean \"{}\"?", *near) : "`summary` lists the layers");
    }

    Report reportOf(const std::vector<simulator::Partition>& partitions,
                    const std::vector<core::AssignmentEntry>& calls) const {
        constexpr std::string_view names[]{"time", "memory", "blend"};
        const simulator::Partition& best = partitions.front();
        Report report;
        report.json = reportJson("plan");
        report.json["objective"] = names[static_cast<std::size_t>(m_request.objective)];
        report.json["bottleneck_cycles"] = best.bottleneckCycles();
        report.json["proven_optimal"] = true;
        report.json["stages"] = core::Json::array();
        constexpr auto right = TextTable::Align::Right;
        TextTable table({{"stage", right},
                         {"first"},
                         {"last"},
                         {"invocations", right},
                         {"cycles", right},
                         {"peak_bytes", right},
                         {"cut_bytes", right}});
        for (std::size_t i = 0; i < best.stages.size(); ++i) {
            const simulator::StageCost& stage = best.stages[i];
            const std::string& first = calls[stage.firstLayer].path;
            const std::string& last = calls[stage.endLayer - 1].path;
            const std::size_t count = stage.endLayer - stage.firstLayer;
            report.json["stages"].push_back({{"stage", i},
                                             {"first", first},
                                             {"last", last},
                                             {"invocations", count},
                                             {"cycles", stage.cycles},
                                             {"peak_bytes", stage.peakBytes},
                                             {"cut_bytes", stage.cutBytes}});
            table.add({std::to_string(i), first, last, std::to_string(count), std::to_string(stage.cycles),
                       std::to_string(stage.peakBytes), std::to_string(stage.cutBytes)});
        }
        report.json["assignment"] = best.assignment();
        report.json["alternatives"] = core::Json::array();
        for (std::size_t i = 1; i < partitions.size(); ++i)
            report.json["alternatives"].push_back({{"bottleneck_cycles", partitions[i].bottleneckCycles()},
                                                   {"peak_bytes", partitions[i].peakBytes()},
                                                   {"assignment", partitions[i].assignment()}});
        report.csv = table.csv();
        report.text = table.text();
        return report;
    }

    ProjectArgument m_project;
    simulator::PartitionRequest m_request;
    std::vector<std::string> m_locks;
    std::size_t m_alternatives = 0;
};

} // namespace

VerbDefinition planVerb() {
    return {.name = "plan",
            .summary = "Cut a project's model into stages, exactly, by time, memory or a blend",
            .examples = {"plan net.ipuproj --stages 4",
                         "plan net.ipuproj --stages 4 --lock embedding=0 --alternatives 3 --json",
                         "plan net.ipuproj --stages 8 --objective memory -o planned.ipuproj"},
            .make = makeVerb<PlanVerb>,
            .hasCsv = true};
}

} // namespace app
