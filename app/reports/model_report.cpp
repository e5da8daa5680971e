#include "app/reports/model_report.h"

#include "app/reports/report_table.h"
#include "core/model/graph/model_summary.h"
#include "core/plan/stage_summary_table.h"

#include <fmt/format.h>
#include <set>

namespace app {

namespace {

std::vector<std::int64_t> stageNumbers(const core::StageAssignment& assignment) {
    std::vector<std::int64_t> numbers;
    for (const core::StageId stage : assignment.stages)
        numbers.push_back(stage.isValid() ? static_cast<std::int64_t>(stage.index()) : -1);
    return numbers;
}

std::string shapesText(const std::vector<core::Shape>& shapes) {
    std::string text;
    for (const core::Shape& shape : shapes)
        text.append(text.empty() ? "" : " ").append(core::toText(shape));
    return text;
}

std::string countText(const core::Dimension& count) {
    return count ? std::to_string(*count) : "?";
}

/// Rows of a model, those of nested models below theirs. JSON is the model's own summary, which nests them.
class LayerRows {
public:
    LayerRows(const std::vector<std::int64_t>& stages, const core::ModelSummary& summary, std::string column)
        : m_table({ReportTable::textColumn("layer"), ReportTable::textColumn("class"),
                   ReportTable::textColumn("output shape"),
                   ReportTable::textColumn("parameters", ReportTable::Align::Right),
                   ReportTable::textColumn("FLOPs", ReportTable::Align::Right),
                   ReportTable::textColumn("activation bytes", ReportTable::Align::Right),
                   ReportTable::textColumn(std::move(column), ReportTable::Align::Right)}) {
        for (std::size_t i = 0; i < summary.assignable.size() && i < stages.size(); ++i)
            m_stages[summary.assignable[i].layer].insert(stages[i]);
        add(summary.layers, "");
    }

    [[nodiscard]] const ReportTable& table() const { return m_table; }

private:
    void add(const std::vector<core::LayerSummary>& layers, const std::string& prefix) {
        for (const core::LayerSummary& layer : layers) {
            const std::string path = prefix + layer.name;
            m_table.add({path, layer.className, shapesText(layer.outputShapes), layer.parameters,
                         countText(layer.flops), countText(layer.activationBytes), stageText(path)});
            add(layer.layers, path + "/");
        }
    }

    [[nodiscard]] std::string stageText(const std::string& path) const {
        const auto found = m_stages.find(path);
        std::string text;
        if (found == m_stages.end())
            return text;
        for (const std::int64_t stage : found->second)
            text.append(text.empty() ? "" : " ").append(stage < 0 ? "None" : std::to_string(stage));
        return text;
    }

    ReportTable m_table;
    std::map<std::string, std::set<std::int64_t>> m_stages;
};

} // namespace

core::Result<Report> modelReport(const core::Project& project, const std::string& file) {
    core::InferenceOptions options;
    options.opaqueLayers = project.opaqueLayers;
    options.precision = core::precisionFromName(project.training.precision).value_or(core::PrecisionPolicy{});
    options.file = file;
    const auto summary = core::summarize(project.model, project.training.batchSize, options);
    if (!summary)
        return core::failure(summary.error());
    const std::vector<std::int64_t> stages = stageNumbers(project.assignment);
    const bool isSharded = project.assignment.isSharded();
    const LayerRows rows(stages, *summary, isSharded ? "shard" : "stage");
    Report report;
    report.json = reportJson("summary");
    // Shards are no pipeline stages: the table of the stage assignment knows nothing of them.
    report.json.update(core::toJson(*summary, isSharded ? std::vector<std::int64_t>() : stages));
    if (isSharded)
        report.json["sharding"] = stages;
    report.csv = rows.table().csv();
    report.text =
        fmt::format("{}\nlayers: {}\nparameters: {} ({} trainable)\noutputs: {}\n\n{}", rows.table().text(),
                    summary->layerCount, summary->parameters, summary->trainableParameters,
                    shapesText(summary->outputShapes),
                    isSharded ? std::string() : core::stageSummaryTable(project.model, project.assignment));
    return report;
}

} // namespace app
