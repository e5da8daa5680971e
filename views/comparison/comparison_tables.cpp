#include "views/comparison/compared_cells.h"

#include "core/profile/queries/metric_explanation.h"
#include "core/project/options/option_table.h"
#include "views/profile/legend_bar.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace views {

namespace {

/// How a metric is written: factor, decimals and unit of its column.
UnitChoice unitOf(const core::ComparedMetric& metric, const ComparisonData& data, const Units& units) {
    double largest = 0;
    for (const std::optional<double>& value : metric.values) {
        if (value && std::isfinite(*value))
            largest = std::max(largest, std::abs(*value));
    }
    if (metric.isShare)
        return {QStringLiteral("%"), 100, 1};
    if (metric.unit == "bytes")
        return byteUnitFor(core::Bytes(static_cast<std::int64_t>(largest)), units.bytes);
    if (metric.unit == "ns") {
        // Runs may have different clocks, so nanoseconds are shown as time whatever the preference.
        const core::RunSummary& base = data.summary(data.comparison.baseline);
        const TimeScale scale{1e9, base.step};
        return timeUnitFor(core::Cycles(static_cast<std::int64_t>(largest)), TimeUnit::Time, scale);
    }
    if (metric.unit == "cycles" || metric.unit == "samples/s")
        return {toQString(metric.unit), 1, largest < 100 ? 2 : 0};
    return {toQString(metric.unit), 1, 4};
}

TableCell valueCell(const std::optional<double>& value, const UnitChoice& unit) {
    return value ? numberCell(fixedText(*value * unit.factor, unit.decimals), *value) : dashCell();
}

/// Length of the bar: the whole for ±50 %, or ±25 percentage points.
TableCell barCell(const core::ComparedMetric& metric, std::size_t run) {
    TableCell cell;
    const double scale = metric.isShare ? 0.25 : 0.5;
    const std::optional<double> value = metric.isShare ? metric.deltas[run] : metric.relative[run];
    if (value && std::isfinite(*value) && *value != 0) {
        cell.signedShare = std::clamp(*value / scale, -1.0, 1.0);
        cell.isBetter = isBetter(metric, run).value_or(true);
    }
    cell.sort = value.value_or(0);
    return cell;
}

TableCell deltaCell(const core::ComparedMetric& metric, std::size_t run) {
    // Metrics have different units, so they are sorted by what can be compared.
    const std::optional<double> size = metric.isShare ? metric.deltas[run] : metric.relative[run];
    TableCell cell = numberCell(deltaText(metric, run), size.value_or(0));
    // What rounds to nothing is neither good nor bad.
    if (!cell.text.startsWith(QStringLiteral("±")))
        cell.isBetter = isBetter(metric, run);
    cell.isMuted = !cell.isBetter;
    return cell;
}

QString columnTitle(const ComparisonData& data, std::size_t run) {
    return runLetter(run) + QStringLiteral("  ") + runName(data, run);
}

/// As forms call an option: its heading and its name under it.
QString optionName(const std::string& path) {
    const core::ProjectOption* option = core::findProjectOption(path);
    if (option == nullptr)
        return toQString(path);
    const QString section = toQString(option->section);
    const QString label = toQString(option->label);
    return section.compare(label, Qt::CaseInsensitive) == 0 ? section
                                                            : section + QStringLiteral(" · ") + label;
}

/// JSON text as the user writes it; the default where a run does not set the option.
QString plain(const std::string& path, const std::optional<std::string>& json) {
    const core::ProjectOption* option = core::findProjectOption(path);
    if (!json && (option == nullptr || core::defaultValue(*option).is_null()))
        return QStringLiteral("default");
    QString text = toQString(json ? *json : core::defaultText(*option));
    if (text.size() >= 2 && text.startsWith(QLatin1Char('"')) && text.endsWith(QLatin1Char('"')))
        text = text.mid(1, text.size() - 2);
    return text;
}

/// The values of a path in every run: the baseline's where a run does not differ.
std::vector<QString> optionValues(const ComparisonData& data, const std::string& path) {
    std::optional<QString> base;
    std::vector<std::optional<QString>> values(data.count());
    for (std::size_t run = 0; run < data.count(); ++run) {
        for (const core::OptionDifference& option : data.comparison.differences[run].options) {
            if (option.path != path)
                continue;
            base = plain(path, option.before);
            values[run] = plain(path, option.after);
        }
    }
    std::vector<QString> texts;
    for (const std::optional<QString>& value : values)
        texts.push_back(value.value_or(base.value_or(QString())));
    return texts;
}

void addDifferenceRow(const ComparisonData& data, const QString& name, const std::vector<QString>& values,
                      bool isMuted, TableContent& content) {
    TableCell title = textCell(name);
    title.isMuted = isMuted;
    std::vector<TableCell> row{title};
    for (std::size_t run = 0; run < data.count(); ++run) {
        TableCell cell = textCell(values[run]);
        if (values[run] != values[data.comparison.baseline])
            cell.tone = ChipTone::Warning;
        row.push_back(cell);
    }
    content.rows.push_back(std::move(row));
}

QString stagesText(const std::vector<core::StageId>& stages) {
    QStringList numbers;
    for (const core::StageId stage : stages) {
        if (stage.isValid())
            numbers.append(QString::number(stage.value()));
    }
    numbers.removeDuplicates();
    return numbers.isEmpty() ? QStringLiteral("–") : numbers.join(QStringLiteral(", "));
}

template <class Unit>
std::optional<double> realOf(const std::optional<core::Quantity<Unit>>& quantity) {
    return quantity ? std::optional(core::real(quantity->value())) : std::nullopt;
}

/// What a stage does in a slot, in seconds.
std::optional<double> workSeconds(const core::RunSummary& summary, std::size_t stage) {
    if (stage >= summary.stages.size() || summary.provenance.clockHz <= 0)
        return std::nullopt;
    const core::StageSummary& s = summary.stages[stage];
    return core::real((s.forward + s.backward + s.recompute).value()) / summary.provenance.clockHz;
}

std::optional<double> stageBytes(const core::RunSummary& summary, std::size_t stage,
                                 core::Bytes core::StageSummary::*field) {
    return stage < summary.stages.size() ? std::optional(core::real((summary.stages[stage].*field).value()))
                                         : std::nullopt;
}

bool differs(const core::ComparedLayer& layer, const core::LayerTimes& times) {
    return layer.isMoved() ||
           std::any_of(times.begin(), times.end(), [&](const auto& time) { return time != times.front(); });
}

} // namespace

std::string explainedName(const core::ComparedMetric& metric, const core::RunSummary& run) {
    const auto behind = [&](std::string_view beginning) -> std::optional<std::string> {
        return metric.name.starts_with(beginning) ? std::optional(metric.name.substr(beginning.size()))
                                                  : std::nullopt;
    };
    std::string name = metric.name;
    if (metric.name == "compute_fraction")
        name = "idle_fraction";
    else if (const auto cause = behind("idle_fraction."))
        name = "idle." + *cause;
    else if (const auto ipu = behind("peak_bytes.ipu"))
        name = "memory." + *ipu + ".peak_bytes";
    else if (metric.name == "peak_bytes" && !run.memory.empty())
        name = "memory." +
               std::to_string(std::ranges::max_element(run.memory, {}, &core::IpuMemorySummary::peak) -
                              run.memory.begin()) +
               ".peak_bytes";
    else if (std::ranges::find(run.metrics, metric.name, &core::MetricSeries::name) != run.metrics.end())
        name = "metrics." + metric.name;
    return core::explain(run, name) ? name : std::string();
}

namespace {

NumberExplanation metricExplanation(const core::ComparedMetric& metric, const core::RunSummary& run,
                                    std::size_t index) {
    NumberExplanation explanation{
        QStringLiteral("%1 of run %2.").arg(toQString(metric.label), runLetter(index)),
        QStringLiteral("a sum or a share of figures that the page of figures explains one by one"),
        {},
        metric.better == core::Better::Higher  ? QStringLiteral("More is better.")
        : metric.better == core::Better::Lower ? QStringLiteral("Less is better.")
                                               : QStringLiteral("Neither more nor less is better.")};
    const std::string name = explainedName(metric, run);
    const auto figure = core::explain(run, name);
    if (name.empty() || !figure)
        return explanation;
    explanation.meaning = toQString(figure->meaning);
    explanation.formula = toQString(figure->formula);
    explanation.figure = name;
    for (const core::ExplainedInput& input : figure->inputs) {
        const bool isWhole = input.value == std::floor(input.value) && std::abs(input.value) < 9e15;
        QString value = isWhole ? groupedText(std::int64_t(input.value)) : compactText(input.value);
        if (!input.unit.empty())
            value += thinSpace + toQString(input.unit);
        explanation.inputs.push_back({toQString(input.name), value, toQString(input.meaning)});
    }
    if (!figure->boundMeaning.empty())
        explanation.bound = toQString(figure->boundMeaning);
    return explanation;
}

} // namespace

TableContent metricTable(const ComparisonData& data, const Units& units) {
    TableContent content;
    content.columns = {{QStringLiteral("Metric"), ColumnKind::Text, {}, 162, {}, true},
                       {QString(), ColumnKind::Text, {}, 0, {}, false}};
    const std::vector<std::size_t> order = displayOrder(data);
    for (const std::size_t run : order) {
        content.columns.push_back({columnTitle(data, run), ColumnKind::Number, {}, 0, {}, false});
        if (run == data.comparison.baseline)
            continue;
        content.columns.push_back({QString(), ColumnKind::SignedBar, {}, 56, {}, false});
        content.columns.push_back(
            {QStringLiteral("Δ %1 − %2").arg(runLetter(run), runLetter(data.comparison.baseline)),
             ColumnKind::Number,
             {},
             0,
             {},
             false});
    }
    for (const core::ComparedMetric& metric : data.comparison.metrics) {
        const bool isEmpty = std::all_of(metric.values.begin(), metric.values.end(),
                                         [](const std::optional<double>& v) { return !v || *v == 0; });
        const bool isOtherUnit = metric.name == (units.time == TimeUnit::Cycles ? "step_ns" : "step_cycles");
        if (isOtherUnit || (isEmpty && metric.isShare))
            continue;
        const UnitChoice unit = unitOf(metric, data, units);
        TableCell unitCell = textCell(unit.name);
        unitCell.isMuted = true;
        std::vector<TableCell> row{textCell(toQString(metric.label)), unitCell};
        for (const std::size_t run : order) {
            row.push_back(valueCell(metric.values[run], unit));
            if (run == data.comparison.baseline)
                continue;
            row.push_back(barCell(metric, run));
            row.push_back(deltaCell(metric, run));
        }
        content.rows.push_back(std::move(row));
    }
    // Figures of a run explain themselves; what has another name here is looked up by it.
    explainCompared(data, content, nullptr);
    content.explanation = [difference = std::move(content.explanation),
                           comparison = std::make_shared<const core::RunComparison>(data.comparison)](
                              const TableContent& asked, std::size_t row,
                              std::size_t column) -> std::optional<NumberExplanation> {
        const QString& title = asked.columns[column].title;
        const auto metric = std::ranges::find_if(comparison->metrics, [&](const core::ComparedMetric& one) {
            return toQString(one.label) == asked.rows[row].front().text;
        });
        for (std::size_t run = 0; run < comparison->runs.size() && metric != comparison->metrics.end(); ++run)
            if (title.startsWith(runLetter(run) + QLatin1Char(' ')))
                return metricExplanation(*metric, comparison->summaries[run], run);
        return title.isEmpty() || column == 0 || !title.startsWith(QStringLiteral("Δ"))
                   ? std::nullopt
                   : difference(asked, row, column);
    };
    return content;
}

TableContent stageTable(const ComparisonData& data, const Units& units) {
    std::size_t stages = 0;
    core::Bytes mostBytes;
    for (const core::RunSummary& summary : data.comparison.summaries) {
        stages = std::max(stages, summary.stages.size());
        for (const core::StageSummary& stage : summary.stages)
            mostBytes = std::max({mostBytes, stage.stash, stage.transfer});
    }
    const UnitChoice bytes = byteUnitFor(mostBytes, units.bytes);
    const std::size_t base = data.comparison.baseline;
    TableContent content;
    content.columns = {{QStringLiteral("Stage"), ColumnKind::Text, {}, 90, {}, true}};
    for (const std::size_t run : displayOrder(data)) {
        const QString letter = runLetter(run) + QStringLiteral(" ");
        const auto addColumn = [&](const QString& title, const QString& unit) {
            content.columns.push_back({letter + title, ColumnKind::Number, unit, 0, {}, false});
            if (run != base)
                content.columns.push_back(differenceColumn(run, title, unit));
        };
        addColumn(QStringLiteral("slot work"), QStringLiteral("µs"));
        addColumn(QStringLiteral("cut"), bytes.name);
        addColumn(QStringLiteral("stash"), bytes.name);
    }
    const UnitChoice microseconds{QStringLiteral("µs"), 1e6, 1};
    for (std::size_t stage = 0; stage < stages; ++stage) {
        std::vector<TableCell> row{stageCell(stage, QStringLiteral("Stage %1").arg(stage))};
        for (const std::size_t run : displayOrder(data)) {
            const auto add = [&](const std::optional<double>& value, const std::optional<double>& before,
                                 const UnitChoice& unit) {
                row.push_back(value ? numberCell(fixedText(*value * unit.factor, unit.decimals), *value)
                                    : dashCell());
                if (run != base)
                    row.push_back(differenceCell(value, before, unit));
            };
            add(workSeconds(data.summary(run), stage), workSeconds(data.summary(base), stage), microseconds);
            for (core::Bytes core::StageSummary::*field :
                 {&core::StageSummary::transfer, &core::StageSummary::stash})
                add(stageBytes(data.summary(run), stage, field), stageBytes(data.summary(base), stage, field),
                    bytes);
        }
        content.rows.push_back(std::move(row));
    }
    explainCompared(data, content, [](std::size_t run, const QString& title) {
        const QString of = QStringLiteral(" of run %1").arg(runLetter(run));
        if (title == QStringLiteral("cut"))
            return NumberExplanation{
                QStringLiteral("What the stage sends to later stages for a micro-batch") + of +
                    QLatin1Char('.'),
                QStringLiteral("the sum of the tensors that cross"),
                {},
                QStringLiteral("0, where nothing crosses.")};
        if (title == QStringLiteral("stash"))
            return NumberExplanation{
                QStringLiteral("What the stage keeps of micro-batches until their backward pass") + of +
                    QLatin1Char('.'),
                QStringLiteral("bytes kept of a micro-batch · micro-batches in flight"),
                {},
                QStringLiteral("0, where all is recomputed.")};
        return NumberExplanation{QStringLiteral("What the stage does for a micro-batch") + of +
                                     QLatin1Char('.'),
                                 QStringLiteral("forward + backward + recomputed"),
                                 {},
                                 QStringLiteral("It should approach the mean of the stages: the slowest sets "
                                                "the slot.")};
    });
    return content;
}

TableContent memoryTable(const ComparisonData& data, const Units& units) {
    core::Bytes most;
    std::vector<core::IpuId> ipus;
    for (const core::RunSummary& summary : data.comparison.summaries) {
        for (const core::IpuMemorySummary& memory : summary.memory) {
            most = std::max({most, memory.peak, memory.limit});
            if (std::find(ipus.begin(), ipus.end(), memory.ipu) == ipus.end())
                ipus.push_back(memory.ipu);
        }
    }
    const UnitChoice unit = byteUnitFor(most, units.bytes);
    TableContent content;
    content.columns = {{QStringLiteral("Memory"), ColumnKind::Text, {}, 160, {}, true}};
    const std::size_t base = data.comparison.baseline;
    for (const std::size_t run : displayOrder(data)) {
        content.columns.push_back({columnTitle(data, run), ColumnKind::Number, unit.name, 0, {}, false});
        if (run != base)
            content.columns.push_back(differenceColumn(run, {}, unit.name));
    }
    using BytesOf = std::function<std::optional<core::Bytes>(const core::RunSummary&)>;
    const auto addRow = [&](TableCell title, const BytesOf& bytesOf) {
        std::vector<TableCell> row{std::move(title)};
        bool isEmpty = true;
        for (const std::size_t run : displayOrder(data)) {
            const std::optional<core::Bytes> bytes = bytesOf(data.summary(run));
            isEmpty = isEmpty && (!bytes || bytes->value() == 0);
            row.push_back(bytes ? numberCell(inUnit(bytes->value(), unit).value, double(bytes->value()))
                                : dashCell());
            if (run != base)
                row.push_back(differenceCell(realOf(bytes), realOf(bytesOf(data.summary(base))), unit));
        }
        if (!isEmpty)
            content.rows.push_back(std::move(row));
    };
    const auto ofIpu = [](core::IpuId ipu, core::Bytes core::IpuMemorySummary::*field) {
        return [ipu, field](const core::RunSummary& summary) -> std::optional<core::Bytes> {
            const auto memory = std::find_if(summary.memory.begin(), summary.memory.end(),
                                             [&](const auto& m) { return m.ipu == ipu; });
            return memory == summary.memory.end() ? std::nullopt : std::optional((*memory).*field);
        };
    };
    for (const core::IpuId ipu : ipus) {
        addRow(textCell(QStringLiteral("IPU %1, peak").arg(ipu.value())),
               ofIpu(ipu, &core::IpuMemorySummary::peak));
        addRow(textCell(QStringLiteral("IPU %1, always live").arg(ipu.value())),
               ofIpu(ipu, &core::IpuMemorySummary::alwaysLive));
    }
    for (std::size_t i = 0; i < core::memoryCategoryCount; ++i)
        addRow(textCell(QStringLiteral("All IPUs: ") + categoryName(static_cast<core::MemoryCategory>(i))),
               [i](const core::RunSummary& summary) -> std::optional<core::Bytes> {
                   core::Bytes total;
                   for (const core::IpuMemorySummary& memory : summary.memory)
                       total += i < memory.byCategory.size() ? memory.byCategory[i] : core::Bytes();
                   return total;
               });
    explainCompared(data, content, [](std::size_t run, const QString&) {
        return NumberExplanation{
            QStringLiteral("Bytes of run %1, as it planned its memory.").arg(runLetter(run)),
            QStringLiteral("the sum of the blocks that are live: at the peak, or always"),
            {},
            QStringLiteral("The memory of an IPU: tiles · memory of a tile.")};
    });
    return content;
}

TableContent comparedLayerTable(const ComparisonData& data, const Units& units, bool onlyDifferent) {
    core::Cycles most;
    for (const core::LayerTimes& times : data.layerTimes) {
        for (const std::optional<core::Cycles>& cycles : times)
            most = std::max(most, cycles.value_or(core::Cycles()));
    }
    const core::RunSummary& base = data.summary(data.comparison.baseline);
    const UnitChoice unit = timeUnitFor(most, units.time, {base.provenance.clockHz, base.step});
    TableContent content;
    content.columns = {{QStringLiteral("Layer"), ColumnKind::Text, {}, 190, {}, true}};
    for (const std::size_t run : displayOrder(data)) {
        content.columns.push_back(
            {runLetter(run) + QStringLiteral(" stage"), ColumnKind::Number, {}, 0, {}, false});
        content.columns.push_back(
            {runLetter(run) + QStringLiteral(" time"), ColumnKind::Number, unit.name, 0,
             QStringLiteral("What the layer takes of a step on all IPUs together: every "
                            "micro-batch, forward, backward, recomputed, updated"),
             false});
        if (run != data.comparison.baseline)
            content.columns.push_back(differenceColumn(run, QStringLiteral("time"), unit.name));
    }
    for (std::size_t i = 0; i < data.comparison.layers.size(); ++i) {
        const core::ComparedLayer& layer = data.comparison.layers[i];
        const core::LayerTimes& times = data.layerTimes[i];
        if (onlyDifferent && !differs(layer, times))
            continue;
        TableCell name = textCell(toQString(layer.layer));
        name.isLink = true;
        if (layer.isMoved())
            name.tone = ChipTone::Warning;
        std::vector<TableCell> row{name};
        for (const std::size_t run : displayOrder(data)) {
            TableCell stage = textCell(stagesText(layer.stages[run]));
            if (layer.isMoved() && run != data.comparison.baseline)
                stage.isBetter = false;
            row.push_back(stage);
            row.push_back(
                times[run] ? numberCell(inUnit(times[run]->value(), unit).value, double(times[run]->value()))
                           : dashCell());
            if (run != data.comparison.baseline)
                row.push_back(
                    differenceCell(realOf(times[run]), realOf(times[data.comparison.baseline]), unit));
        }
        content.rows.push_back(std::move(row));
    }
    explainCompared(data, content, [](std::size_t run, const QString& title) {
        if (title == QStringLiteral("stage"))
            return NumberExplanation{
                QStringLiteral("The stage of run %1 that the layer is on.").arg(runLetter(run)),
                QStringLiteral("the project's stage split"),
                {},
                QStringLiteral("The stages of the run.")};
        return NumberExplanation{
            QStringLiteral("What the layer takes of a step of run %1, all IPUs together.")
                .arg(runLetter(run)),
            QStringLiteral("forward + backward + recomputed + update, over all micro-batches"),
            {},
            QStringLiteral("The step · IPUs.")};
    });
    return content;
}

namespace {

/// Layers on other stages than in the baseline, each by name as long as they are few.
void addMovedLayers(const ComparisonData& data, TableContent& content) {
    constexpr std::size_t mostNames = 8;
    const std::size_t baseline = data.comparison.baseline;
    std::vector<const core::ComparedLayer*> moved;
    for (const core::ComparedLayer& layer : data.comparison.layers)
        if (layer.isMoved())
            moved.push_back(&layer);
    if (moved.size() <= mostNames) {
        for (const core::ComparedLayer* layer : moved) {
            std::vector<QString> values;
            for (const std::vector<core::StageId>& stages : layer->stages)
                values.push_back(QStringLiteral("stage ") + stagesText(stages));
            addDifferenceRow(data, toQString(layer->layer), values, false, content);
        }
        return;
    }
    std::vector<QString> values;
    for (std::size_t run = 0; run < data.count(); ++run) {
        const auto others = std::ranges::count_if(moved, [&](const core::ComparedLayer* layer) {
            return layer->stages[run] != layer->stages[baseline];
        });
        values.push_back(run == baseline ? QString() : groupedText(std::int64_t(others)));
    }
    addDifferenceRow(data, QStringLiteral("Layers on another stage"), values, false, content);
}

} // namespace

TableContent differenceTable(const ComparisonData& data) {
    TableContent content;
    content.columns = {{QStringLiteral("Option"), ColumnKind::Text, {}, 150, {}, true}};
    for (std::size_t run = 0; run < data.count(); ++run)
        content.columns.push_back({runLetter(run), ColumnKind::Chip, {}, 0, {}, false});
    std::vector<std::string> paths;
    for (const core::ProjectDifference& difference : data.comparison.differences) {
        for (const core::OptionDifference& option : difference.options) {
            if (std::find(paths.begin(), paths.end(), option.path) == paths.end())
                paths.push_back(option.path);
        }
    }
    for (const std::string& path : paths)
        addDifferenceRow(data, optionName(path), optionValues(data, path), false, content);
    for (const core::ComparedFact& fact : data.comparison.facts) {
        const bool isOption = std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
            return path.ends_with("." + fact.name);
        });
        if (isOption || !fact.differs())
            continue;
        std::vector<QString> values;
        for (const std::string& value : fact.values)
            values.push_back(toQString(value));
        addDifferenceRow(data, QStringLiteral("→ ") + toQString(fact.name), values, true, content);
    }
    for (std::size_t run = 0; run < data.count(); ++run) {
        for (const core::LayerDifference& layer : data.comparison.differences[run].layers) {
            std::vector<QString> values(data.count());
            QString before = toQString(layer.before);
            QString after = toQString(layer.after);
            if (layer.change != core::LayerChange::Changed) {
                before = layer.change == core::LayerChange::Added ? QStringLiteral("–")
                                                                  : QStringLiteral("present");
                after = toQString(core::toString(layer.change));
            }
            values[data.comparison.baseline] = before;
            values[run] = after;
            const QString name =
                toQString(layer.layer) +
                (layer.attribute.empty() ? QString() : QStringLiteral(" · ") + toQString(layer.attribute));
            addDifferenceRow(data, name, values, false, content);
        }
    }
    addMovedLayers(data, content);
    return content;
}

QStringList sameness(const ComparisonData& data) {
    QStringList same;
    const core::RunComparison& c = data.comparison;
    const bool hasSameModel = std::all_of(c.differences.begin(), c.differences.end(), [](const auto& d) {
        return d.layers.empty() && d.trouble.empty();
    });
    if (hasSameModel)
        same.append(QStringLiteral("Model identical"));
    const auto moved =
        std::count_if(c.layers.begin(), c.layers.end(), [](const auto& l) { return l.isMoved(); });
    if (moved == 0 && !c.layers.empty())
        same.append(QStringLiteral("Stage split identical, %1 layers").arg(c.layers.size()));
    const auto isSame = [&](const char* fact) {
        return std::none_of(c.facts.begin(), c.facts.end(),
                            [&](const core::ComparedFact& f) { return f.name == fact && f.differs(); });
    };
    if (isSame("target") && isSame("IPUs") && isSame("seed"))
        same.append(QStringLiteral("System and seed identical: %1 × %2, seed %3")
                        .arg(data.summary(0).provenance.ipus)
                        .arg(toQString(data.summary(0).provenance.targetName))
                        .arg(data.summary(0).provenance.seed));
    for (const core::ComparedMetric& metric : c.metrics) {
        const bool isLoss = metric.name == "loss";
        if (isLoss && std::all_of(metric.deltas.begin(), metric.deltas.end(),
                                  [](const auto& d) { return d && *d == 0; }))
            same.append(isSame("schedule")
                            ? QStringLiteral("Loss equal to the last digit")
                            : QStringLiteral(
                                  "Loss equal to the last digit: the order of work changed, not the result"));
    }
    return same;
}

} // namespace views
