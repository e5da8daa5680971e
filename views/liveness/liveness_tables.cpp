#include "core/profile/analysis/tile_time.h"
#include "views/liveness/liveness_data.h"
#include "views/profile/legend_bar.h"

#include <algorithm>
#include <functional>
#include <map>

namespace views {

namespace {

using core::Bytes;

Bytes liveBytes(const core::LiveRangeRecord& range, std::int64_t step) {
    return isLiveAt(range, step) ? range.bytes : Bytes();
}

/// Bytes of one thing (a block, a layer, a category) at each frozen step.
using Columns = std::vector<Bytes>;

Columns columnsOf(const core::LiveRangeRecord& range, const std::vector<std::int64_t>& steps) {
    Columns columns;
    for (const std::int64_t step : steps)
        columns.push_back(liveBytes(range, step));
    return columns;
}

void add(Columns& sum, const Columns& other) {
    sum.resize(other.size());
    for (std::size_t i = 0; i < other.size(); ++i)
        sum[i] += other[i];
}

Bytes largest(const Columns& columns) {
    return columns.empty() ? Bytes() : *std::max_element(columns.begin(), columns.end());
}

/// The curve at the frozen steps: what the rows must sum to.
Columns totals(const LivenessData& data, const std::vector<std::int64_t>& steps) {
    Columns columns;
    for (const std::int64_t step : steps) {
        const core::LivenessPoint* point = data.pointAt(step);
        columns.push_back(point != nullptr ? point->live : Bytes());
    }
    return columns;
}

ThemeColour colourOf(core::MemoryCategory category) {
    return [category](const Theme& theme) { return theme.category(category); };
}

/// The columns that every table of frozen steps has: bytes at A, its share, bytes at B …, differences.
class FrozenColumns {
public:
    FrozenColumns(const LivenessData& data, const std::vector<std::int64_t>& steps, const Units& units)
        : m_totals(totals(data, steps))
        , m_unit(byteUnitFor(largest(m_totals), units.bytes)) {
        // Numbers that are compared keep two decimals.
        if (m_unit.factor < 1)
            m_unit.decimals = 2;
    }

    void addHeaders(TableContent& content) const {
        for (std::size_t i = 0; i < m_totals.size(); ++i) {
            content.columns.push_back({columnLetter(i), ColumnKind::Number, m_unit.name, 0, {}, false});
            if (i == 0)
                content.columns.push_back({QStringLiteral("%"), ColumnKind::Number, {}, 0, {}, false});
        }
        for (std::size_t i = 1; i < m_totals.size(); ++i)
            content.columns.push_back({QStringLiteral("Δ A − %1").arg(columnLetter(i)),
                                       ColumnKind::Number,
                                       m_unit.name,
                                       0,
                                       {},
                                       false});
    }

    void addCells(std::vector<TableCell>& row, const Columns& values) const {
        for (std::size_t i = 0; i < values.size(); ++i) {
            row.push_back(bytesCell(values[i], m_unit));
            if (i == 0)
                row.push_back(values[0].value() == 0
                                  ? dashCell()
                                  : numberCell(fixedText(100 * ratio(values[0], m_totals[0]), 1),
                                               ratio(values[0], m_totals[0])));
        }
        for (std::size_t i = 1; i < values.size(); ++i) {
            const auto difference = static_cast<double>((values[0] - values[i]).value());
            row.push_back(numberCell(signedText(difference * m_unit.factor, m_unit.decimals), difference));
        }
    }

    [[nodiscard]] const Columns& sum() const { return m_totals; }

private:
    Columns m_totals;
    UnitChoice m_unit;
};

/// The blocks that are live at any of the steps, largest first.
std::vector<std::size_t> blocksByColumns(const LivenessData& data, const std::vector<std::int64_t>& steps) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < data.ranges.size(); ++i) {
        if (std::any_of(steps.begin(), steps.end(),
                        [&](std::int64_t s) { return isLiveAt(data.ranges[i], s); }))
            order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return largest(columnsOf(data.ranges[a], steps)) > largest(columnsOf(data.ranges[b], steps));
    });
    return order;
}

TableCell layerCell(const core::LiveRangeRecord& range) {
    if (range.layer.empty()) {
        TableCell cell = textCell(QStringLiteral("–"));
        cell.isMuted = true;
        return cell;
    }
    TableCell cell = range.stage.isValid() ? stageCell(range.stage.index(), toQString(range.layer))
                                           : textCell(toQString(range.layer));
    cell.sort = {};
    cell.isLink = true;
    return cell;
}

/// A row for bytes of the curve that no block names, so that the sum is always the curve.
void addUnnamed(const Columns& named, const FrozenColumns& columns, std::size_t textColumns,
                TableContent& content) {
    Columns rest = columns.sum();
    bool isEmpty = true;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        rest[i] -= i < named.size() ? named[i] : Bytes();
        isEmpty = isEmpty && rest[i].value() == 0;
    }
    if (isEmpty)
        return;
    std::vector<TableCell> row{textCell(QStringLiteral("not itemised"))};
    row.resize(textColumns);
    columns.addCells(row, rest);
    content.rows.push_back(std::move(row));
}

void addFooter(const FrozenColumns& columns, std::size_t textColumns, TableContent& content) {
    content.footer = {textCell(QStringLiteral("Sum = curve"))};
    content.footer.resize(textColumns);
    columns.addCells(content.footer, columns.sum());
}

TableContent
groupedTable(const LivenessData& data, const std::vector<std::int64_t>& steps, const Units& units,
             const QString& title, const std::function<QString(const core::LiveRangeRecord&)>& groupOf,
             const std::function<TableCell(const core::LiveRangeRecord&, const QString&)>& cellOf) {
    const FrozenColumns columns(data, steps, units);
    struct Group {
        TableCell cell;
        Columns bytes;
        std::size_t blocks = 0;
    };
    std::map<QString, Group> groups;
    Columns named;
    for (const std::size_t i : blocksByColumns(data, steps)) {
        const core::LiveRangeRecord& range = data.ranges[i];
        const QString name = groupOf(range);
        Group& group = groups.try_emplace(name, Group{cellOf(range, name), {}, 0}).first->second;
        add(group.bytes, columnsOf(range, steps));
        add(named, columnsOf(range, steps));
        ++group.blocks;
    }
    std::vector<const Group*> sorted;
    for (const auto& [name, group] : groups)
        sorted.push_back(&group);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Group* a, const Group* b) { return largest(a->bytes) > largest(b->bytes); });
    TableContent content;
    content.columns = {{title, ColumnKind::Text, {}, 220, {}, true},
                       {QStringLiteral("Blocks"), ColumnKind::Number, {}, 0, {}, false}};
    columns.addHeaders(content);
    constexpr std::size_t textColumns = 2;
    for (const Group* group : sorted) {
        std::vector<TableCell> row{
            group->cell,
            numberCell(groupedText(static_cast<std::int64_t>(group->blocks)), double(group->blocks))};
        columns.addCells(row, group->bytes);
        content.rows.push_back(std::move(row));
    }
    addUnnamed(named, columns, textColumns, content);
    addFooter(columns, textColumns, content);
    return content;
}

} // namespace

std::vector<int> columnTableRanges(const LivenessData& data, const std::vector<std::int64_t>& steps,
                                   std::size_t most) {
    const std::vector<std::size_t> order = blocksByColumns(data, steps);
    std::vector<int> rows;
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
        rows.push_back(static_cast<int>(order[i]));
    if (order.size() > most)
        rows.push_back(-1);
    return rows;
}

TableContent columnTable(const LivenessData& data, const std::vector<std::int64_t>& steps, const Units& units,
                         std::size_t most) {
    const FrozenColumns columns(data, steps, units);
    TableContent content;
    content.columns = {{QStringLiteral("Tensor"), ColumnKind::Text, {}, 240, {}, true},
                       {QStringLiteral("Owner layer"), ColumnKind::Text, {}, 180, {}, false},
                       {QStringLiteral("Category"), ColumnKind::Text, {}, 120, {}, false},
                       {QStringLiteral("Shape"), ColumnKind::Number, {}, 120, {}, false}};
    columns.addHeaders(content);
    content.columns.push_back({QStringLiteral("Born at"), ColumnKind::Number, {}, 0, {}, false});
    constexpr std::size_t textColumns = 4;
    const std::vector<std::size_t> order = blocksByColumns(data, steps);
    Columns named;
    Columns others(steps.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const core::LiveRangeRecord& range = data.ranges[order[i]];
        const Columns bytes = columnsOf(range, steps);
        add(named, bytes);
        if (i >= most) {
            add(others, bytes);
            continue;
        }
        TableCell name = textCell(toQString(range.name));
        name.colour = colourOf(range.category);
        std::vector<TableCell> row{name, layerCell(range), textCell(categoryName(range.category)),
                                   range.shape.empty() ? dashCell() : textCell(toQString(range.shape))};
        columns.addCells(row, bytes);
        row.push_back(range.alwaysLive ? dashCell()
                                       : numberCell(groupedText(range.firstStep), double(range.firstStep)));
        content.rows.push_back(std::move(row));
    }
    if (order.size() > most) {
        std::vector<TableCell> row{textCell(QStringLiteral("%1 others").arg(order.size() - most))};
        row.front().isMuted = true;
        row.resize(textColumns);
        columns.addCells(row, others);
        content.rows.push_back(std::move(row));
    }
    addUnnamed(named, columns, textColumns, content);
    addFooter(columns, textColumns, content);
    return content;
}

TableContent liveLayerTable(const LivenessData& data, const std::vector<std::int64_t>& steps,
                            const Units& units) {
    return groupedTable(
        data, steps, units, QStringLiteral("Layer"),
        [](const core::LiveRangeRecord& range) {
            return range.layer.empty() ? QStringLiteral("no layer") : toQString(range.layer);
        },
        [](const core::LiveRangeRecord& range, const QString& name) {
            TableCell cell = layerCell(range);
            if (range.layer.empty())
                cell.text = name;
            return cell;
        });
}

TableContent liveCategoryTable(const LivenessData& data, const std::vector<std::int64_t>& steps,
                               const Units& units) {
    return groupedTable(
        data, steps, units, QStringLiteral("Category"),
        [](const core::LiveRangeRecord& range) { return categoryName(range.category); },
        [](const core::LiveRangeRecord& range, const QString& name) {
            TableCell cell = textCell(name);
            cell.colour = colourOf(range.category);
            return cell;
        });
}

TableContent ipuMemoryTable(const LivenessData& data, const Units& units) {
    Bytes most;
    for (const core::IpuMemorySummary& m : data.memory)
        most = std::max({most, m.limit, m.peak});
    const UnitChoice unit = byteUnitFor(most, units.bytes);
    const UnitChoice tileUnit = byteUnitFor(data.memoryPerTile, units.bytes);
    TableContent content;
    content.columns = {{QStringLiteral("IPU"), ColumnKind::Text, {}, 90, {}, false},
                       {QStringLiteral("At the peak"), ColumnKind::StackedBar, {}, 220, {}, true},
                       {QStringLiteral("Peak"), ColumnKind::Number, unit.name, 0, {}, false},
                       {QStringLiteral("Limit"), ColumnKind::Number, unit.name, 0, {}, false},
                       {QStringLiteral("Headroom"), ColumnKind::Number, unit.name, 0, {}, false},
                       {QStringLiteral("Always live"), ColumnKind::Number, unit.name, 0, {}, false},
                       {QStringLiteral("Worst tile"), ColumnKind::Number, tileUnit.name, 0, {}, false},
                       {QStringLiteral("Tile"), ColumnKind::Number, {}, 0, {}, false}};
    for (const core::IpuMemorySummary& m : data.memory) {
        TableCell bar;
        bar.sort = static_cast<double>(m.peak.value());
        std::vector<double> shares;
        for (std::size_t i = 0; i < m.byCategory.size() && i < core::memoryCategoryCount; ++i)
            shares.push_back(ratio(m.byCategory[i], most));
        bar.bar = [shares = std::move(shares)](const Theme& theme) {
            std::vector<GaugeSegment> segments;
            for (std::size_t i = 0; i < shares.size(); ++i)
                segments.push_back({shares[i],
                                    theme.category(static_cast<core::MemoryCategory>(i)),
                                    HatchPattern::None,
                                    {}});
            return segments;
        };
        TableCell headroom =
            numberCell(signedText(double((m.limit - m.peak).value()) * unit.factor, unit.decimals),
                       double((m.limit - m.peak).value()));
        headroom.isBetter = m.peak <= m.limit;
        content.rows.push_back(
            {numberCell(QStringLiteral("IPU %1").arg(m.ipu.value()), double(m.ipu.value())), bar,
             bytesCell(m.peak, unit), bytesCell(m.limit, unit), headroom, bytesCell(m.alwaysLive, unit),
             bytesCell(m.worstTileBytes, tileUnit),
             numberCell(groupedText(m.worstTile), double(m.worstTile))});
    }
    return content;
}

} // namespace views
