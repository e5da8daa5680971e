#include "app/services/catalogue/html_report.h"

#include "app/reports/report.h"
#include "app/reports/run_report.h"
#include "app/services/catalogue/compact_svg.h"
#include "app/services/catalogue/run_advice.h"
#include "app/services/catalogue/view_table.h"
#include "core/profile/queries/metric_explanation.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/records/span_label.h"
#include "core/profile/records/time_records.h"
#include "core/text/markup_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <tuple>

namespace app {

namespace {

constexpr std::size_t mostBytes = 2'900'000;
constexpr double pictureWidth = 1200;
/// IPUs whose lanes are all drawn: of more, each is one row.
constexpr std::int64_t mostOpenIpus = 16;
/// As high as its lanes.
constexpr double timelineHeight = 0;
constexpr double memoryHeight = 420;

constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --ink: #17202c; --soft: #5b6776; --line: #dce0e7; --paper: #ffffff; --card: #f5f7fa; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf2; --soft: #97a3b4; --line: #2b3442; --paper: #12171f; --card: #1a212c; } }
body { margin: 2rem auto; max-width: 1240px; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 Inter, system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
p.origin { color: var(--soft); margin: .2rem 0 1.2rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: .8rem; margin: 0; }
dl div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; }
dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; font-size: 1.15rem; font-variant-numeric: tabular-nums; }
dd.range { color: var(--soft); font-size: .8rem; } p.ranges { color: var(--soft); font-size: .85rem; margin: .6rem 0 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; } th.text, td.text { text-align: left; }
figure { margin: 0; } figure, div.table { overflow-x: auto; } figure svg { width: 100%; height: auto; }
.dark { display: none; }
@media (prefers-color-scheme: dark) { .both .light { display: none; } .both .dark { display: block; } }
@media print { body { margin: 0; } h2 { break-after: avoid; } figure, table { break-inside: avoid; } }
)css";

std::string shown(core::Bytes bytes) {
    return fmt::format("{:.1f} MiB", static_cast<double>(bytes.value()) / 1048576.0);
}

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

/// A table of the page: text columns are left, numbers right.
class HtmlTable {
public:
    explicit HtmlTable(std::vector<std::string> titles, std::size_t textColumns = 1)
        : m_textColumns(textColumns) {
        m_text = "<div class=\"table\"><table>\n" + row(titles, "th");
    }
    void add(const std::vector<std::string>& cells) { m_text += row(cells, "td"); }
    [[nodiscard]] std::string text() const { return m_text + "</table></div>\n"; }

private:
    [[nodiscard]] std::string row(const std::vector<std::string>& cells, std::string_view tag) const {
        std::string text = "<tr>";
        for (std::size_t i = 0; i < cells.size(); ++i)
            text += fmt::format("<{0}{1}>{2}</{0}>", tag, i < m_textColumns ? " class=\"text\"" : "",
                                core::markupText(cells[i]));
        return text + "</tr>\n";
    }

    std::size_t m_textColumns;
    std::string m_text;
};

std::string section(std::string_view title, const std::string& content) {
    return fmt::format("<h2>{}</h2>\n{}", title, content);
}

/// A line of a report as a sentence of the page.
std::string sentenceText(std::string line) {
    while (line.ends_with('\n'))
        line.pop_back();
    if (!line.empty())
        line.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(line.front())));
    return line + '.';
}

const core::IpuMemorySummary* fullest(const core::RunSummary& summary) {
    const auto found = std::ranges::max_element(summary.memory, {}, &core::IpuMemorySummary::peak);
    return found == summary.memory.end() ? nullptr : &*found;
}

std::string figures(const core::RunSummary& summary) {
    const core::RunProvenance& from = summary.provenance;
    const core::PredictedRanges ranges = core::rangesOf(summary);
    const auto milliseconds = [&](core::Cycles cycles) {
        return static_cast<double>(core::nanoseconds(cycles, from.clockHz)) / 1e6;
    };
    std::string text = "<dl>\n";
    const auto add = [&](const char* name, const std::string& value, const std::string& range = {}) {
        text += fmt::format("<div><dt>{}</dt><dd>{}</dd>{}</div>\n", name, core::markupText(value),
                            range.empty() ? "" : fmt::format("<dd class=\"range\">{}</dd>", range));
    };
    add("Throughput", fmt::format("{:.1f} samples/s", summary.samplesPerSecond),
        fmt::format("{:.1f} to {:.1f}", ranges.leastSamplesPerSecond, ranges.mostSamplesPerSecond));
    add("Step", fmt::format("{:.3f} ms", milliseconds(summary.step)),
        fmt::format("{:.3f} to {:.3f} ms", milliseconds(ranges.leastStep), milliseconds(ranges.mostStep)));
    add("Step in cycles", fmt::format("{}", summary.step.value()),
        fmt::format("{} to {}", ranges.leastStep.value(), ranges.mostStep.value()));
    add("Idle", percent(summary.idleFraction));
    add("Host stalls, with launch", percent(summary.hostStallFraction));
    if (const core::IpuMemorySummary* memory = fullest(summary))
        add(fmt::format("Peak, IPU {}", memory->ipu.index()).c_str(),
            fmt::format("{} ({})", shown(memory->peak), percent(ratio(memory->peak, memory->limit))),
            fmt::format("{} to {}", shown(ranges.leastPeak), shown(ranges.mostPeak)));
    add("Memory", summary.fits ? "fits" : "does not fit");
    add("Effective batch", fmt::format("{}", summary.effectiveBatch));
    add("IPUs", fmt::format("{} in {}", from.ipus, counted(from.replicas, "replica")));
    return text + "</dl>\n<p class=\"ranges\">" + core::markupText(sentenceText(intervalsText(ranges))) +
           "</p>\n";
}

std::string stages(const core::RunSummary& summary) {
    HtmlTable table(
        {"Stage", "IPU", "Forward cycles", "Backward", "Recompute", "Update", "Sends", "FIFO", "Stash"}, 0);
    for (const core::StageSummary& stage : summary.stages)
        table.add({std::to_string(stage.stage.index()), std::to_string(stage.ipu.index()),
                   std::to_string(stage.forward.value()), std::to_string(stage.backward.value()),
                   std::to_string(stage.recompute.value()), std::to_string(stage.update.value()),
                   shown(stage.transfer), std::to_string(stage.fifoDepth), shown(stage.stash)});
    return table.text();
}

std::string idle(const core::RunSummary& summary) {
    const core::Cycles total = core::idleTotal(summary);
    HtmlTable table({"Cause", "Cycles of all IPUs", "Share of the idle time"});
    for (std::size_t i = 0; i < summary.idleByCause.size(); ++i) {
        if (summary.idleByCause[i].value() > 0)
            table.add({core::idleCauseLabel(static_cast<core::IdleCause>(i)),
                       std::to_string(summary.idleByCause[i].value()),
                       percent(ratio(summary.idleByCause[i], total))});
    }
    return table.text();
}

std::string memory(const core::RunSummary& summary) {
    std::vector<std::string> titles{"IPU", "Peak", "Of limit"};
    std::vector<std::size_t> present;
    for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
        const bool isUsed = std::ranges::any_of(summary.memory, [&](const core::IpuMemorySummary& ipu) {
            return i < ipu.byCategory.size() && ipu.byCategory[i].value() > 0;
        });
        if (isUsed) {
            present.push_back(i);
            std::string title(core::toString(static_cast<core::MemoryCategory>(i)));
            std::ranges::replace(title, '_', ' ');
            titles.push_back(title);
        }
    }
    HtmlTable table(titles, 0);
    for (const core::IpuMemorySummary& ipu : summary.memory) {
        std::vector<std::string> cells{std::to_string(ipu.ipu.index()), shown(ipu.peak),
                                       percent(ratio(ipu.peak, ipu.limit))};
        for (const std::size_t i : present)
            cells.push_back(i < ipu.byCategory.size() ? shown(ipu.byCategory[i]) : "");
        table.add(cells);
    }
    return table.text();
}

std::string metrics(const core::RunSummary& summary) {
    HtmlTable table({"Metric", "First", "Last", "Values"});
    for (const core::MetricSeries& series : summary.metrics) {
        if (!series.values.empty())
            table.add({series.name, fmt::format("{:.6g}", series.values.front()),
                       fmt::format("{:.6g}", series.values.back()), std::to_string(series.values.size())});
    }
    return table.text();
}

/// Suggestions for the project that was run, simulated now; a sentence where its data is not at hand.
std::string advice(const core::RunProvenance& from, const std::filesystem::path& folder) {
    const RunAdvice found = runAdvice(from, folder);
    if (!found.trouble.empty())
        return "<p>" + found.trouble + "</p>\n";
    if (found.advice.empty())
        return "<p>No single change was found that gains half a percent and fits.</p>\n";
    HtmlTable table({"Change", "Throughput", "Samples/s", "4 of 5 within", "Peak", "4 of 5 within"});
    for (const simulator::Advice& piece : found.advice) {
        const core::PredictedRanges ranges =
            core::predictedRanges(piece.intervals, piece.samplesPerSecond, core::Cycles(), piece.peak);
        table.add({piece.text, fmt::format("{:+.1f} %", 100 * piece.gain),
                   fmt::format("{:.1f}", piece.samplesPerSecond),
                   fmt::format("{:.1f} to {:.1f}", ranges.leastSamplesPerSecond, ranges.mostSamplesPerSecond),
                   shown(piece.peak),
                   fmt::format("{} to {}", shown(ranges.leastPeak), shown(ranges.mostPeak))});
    }
    return table.text();
}

/// What the project sets, but the model and the canvas, as `--set` would write it.
void addOptions(const std::string& path, const core::Json& value, HtmlTable& table) {
    if (value.is_object() && !value.empty()) {
        for (const auto& [key, child] : value.items())
            addOptions(path.empty() ? key : path + "." + key, child, table);
        return;
    }
    constexpr std::size_t longest = 120;
    std::string text = core::toText(value, -1);
    if (text.size() > longest)
        text = text.substr(0, longest) + " …";
    table.add({path, text});
}

std::string options(const core::RunProvenance& from) {
    HtmlTable table({"Option", "Value"}, 2);
    const auto document = core::parseJson(from.projectText, "");
    if (!document || !document->is_object())
        return {};
    for (const auto& [key, value] : document->items()) {
        if (key != "format" && key != "version" && key != "name" && key != "model" && key != "canvas")
            addOptions(key, value, table);
    }
    return table.text();
}

/// A drawing in both themes, or what keeps it from being drawn.
struct Drawing {
    std::string title;
    std::string light;
    std::string dark;
};

core::Result<std::string> drawn(const core::ProfileDatabase& database, const RunPictureRequest& request,
                                std::string_view view, views::ThemeKind kind) {
    const auto row = findRunPicture(view);
    const auto picture = row->paint(database, request, views::Theme(kind));
    if (!picture)
        return core::failure(picture.error());
    const auto bytes = views::renderPicture(*picture, views::PictureFormat::Svg);
    if (!bytes)
        return core::failure(bytes.error());
    const std::string prefix = fmt::format("{}-{}-", view, kind == views::ThemeKind::Dark ? "dark" : "light");
    return compactSvg(std::string_view(bytes->constData(), static_cast<std::size_t>(bytes->size())), prefix);
}

core::Result<Drawing> drawing(const core::ProfileDatabase& database, const RunPictureRequest& request,
                              std::string_view view, std::string title) {
    auto light = drawn(database, request, view, views::ThemeKind::Light);
    if (!light)
        return core::failure(light.error());
    auto dark = drawn(database, request, view, views::ThemeKind::Dark);
    if (!dark)
        return core::failure(dark.error());
    return Drawing{std::move(title), *std::move(light), *std::move(dark)};
}

std::string figureOf(const Drawing& drawing, bool isDarkToo) {
    if (!isDarkToo)
        return section(drawing.title, fmt::format("<figure>{}</figure>\n", drawing.light));
    return section(
        drawing.title,
        fmt::format("<figure class=\"both\"><div class=\"light\">{}</div><div class=\"dark\">{}</div>"
                    "</figure>\n",
                    drawing.light, drawing.dark));
}

} // namespace

core::Result<std::string> htmlReport(const core::ProfileDatabase& database, core::RunId run) {
    const auto summary = core::loadRun(database, run);
    if (!summary)
        return core::failure(summary.error());
    const core::RunProvenance& from = summary->provenance;
    std::vector<Drawing> drawings;
    // A run without spans (recorded with --profile none) has no timeline; the rest of the page is there.
    for (const auto& [view, title, height] :
         {std::tuple{"timeline", "Timeline of one step", timelineHeight},
          std::tuple{"liveness", "Memory of the fullest IPU over the program", memoryHeight},
          std::tuple{"training", "Training", memoryHeight}}) {
        RunPictureRequest request;
        request.runs = {run};
        request.baseline = run;
        request.size = QSizeF(pictureWidth, height);
        if (from.ipusPerReplica > mostOpenIpus)
            request.foldedIpus = from.ipusPerReplica;
        auto made = drawing(database, request, view, title);
        if (made)
            drawings.push_back(*std::move(made));
        else if (made.error().front().trouble == core::Trouble::World)
            return core::failure(std::move(made.error()));
    }
    std::size_t bytes = 0;
    for (const Drawing& made : drawings)
        bytes += made.light.size() + made.dark.size();
    const std::string title = fmt::format("Run {} · {}", run.value(), from.projectName);
    std::string page = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
        "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p class=\"origin\">{2}</p>\n",
        core::markupText(title), style,
        core::markupText(fmt::format(
            "{}, {}, {} on {} of {}; recorded {} by version {}", core::toString(from.mode),
            from.schedule.empty() ? "not pipelined" : from.schedule,
            from.microBatches == 1 ? "1 micro-batch" : fmt::format("{} micro-batches", from.microBatches),
            counted(from.ipus, "IPU"), from.targetName, from.started, from.programVersion)));
    page += figures(*summary);
    for (const Drawing& made : drawings)
        page += figureOf(made, bytes < mostBytes);
    page += section("Stages, per micro-batch", stages(*summary));
    page += section("Idle time by cause", idle(*summary));
    page += section("Memory at the peak", memory(*summary));
    if (!summary->metrics.empty())
        page += section("Training", metrics(*summary));
    page += section("Changes that would help", advice(from, database.path().parent_path()));
    page += section("Options", options(from));
    return page + "</body>\n</html>\n";
}

} // namespace app
