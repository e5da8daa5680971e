#include "core/profile/analysis/tile_time.h"
#include "views/liveness/liveness_data.h"
#include "views/profile/legend_bar.h"

#include <algorithm>
#include <functional>
#include <map>

namespace views {

namespace {

using core::Bytes;
using core::LiveRangeRecord;
using core::MemoryCategory;

QString lowerCase(QString text) {
    text[0] = text[0].toLower();
    return text;
}

/// "1 goes forward before micro-batch 0 is back", "1 to 3 go forward before micro-batch 0 is back".
QString countText(const core::StashCount& count) {
    const QString first = QString::number(count.microBatch + 1);
    const QString back = QStringLiteral(" before micro-batch %1 is back").arg(count.microBatch);
    if (count.depth() == 1)
        return first + QStringLiteral(" goes forward") + back;
    const QString between = count.depth() == 2 ? QStringLiteral(" and ") : QStringLiteral(" to ");
    return first + between + QString::number(count.last) + QStringLiteral(" go forward") + back;
}

/// The peak, part by part.
class PeakReason {
public:
    PeakReason(const LivenessData& data, const core::LivenessPoint& peak, const Units& units)
        : m_data(data)
        , m_peak(peak)
        , m_bytes(units.bytes)
        // In GiB the small rows would be nothing.
        , m_unit(byteUnitFor(std::min(peak.live, Bytes(std::int64_t{512} << 20U)), units.bytes)) {}

    [[nodiscard]] TableContent table() {
        m_content.columns = {{QStringLiteral("At the peak"), ColumnKind::Text, {}, 120, {}, false},
                             {QStringLiteral("Because"), ColumnKind::Text, {}, 300, {}, true},
                             {QStringLiteral("Bytes"), ColumnKind::Number, m_unit.name, 0, {}, false},
                             {QStringLiteral("%"), ColumnKind::Number, {}, 0, {}, false}};
        addAlwaysLive();
        for (std::size_t i = 0; i < core::memoryCategoryCount; ++i)
            if (const auto category = static_cast<MemoryCategory>(i); !core::isAlwaysLive(category))
                addCategory(category);
        add(QStringLiteral("Not itemised"), QStringLiteral("no block names them"), m_peak.unnamed);
        m_content.footer = {textCell(QStringLiteral("Sum = peak")), textCell({}),
                            bytesCell(m_peak.live, m_unit), numberCell(QStringLiteral("100.0"), 1)};
        return std::move(m_content);
    }

private:
    [[nodiscard]] Bytes at(MemoryCategory category) const {
        return m_peak.byCategory[static_cast<std::size_t>(category)];
    }

    void add(const QString& name, const QString& reason, Bytes bytes, core::StageId explained = {}) {
        if (bytes.value() == 0)
            return;
        TableCell title = textCell(name);
        if (explained.isValid()) {
            title.stage = explained.index();
            title.isLink = true;
        }
        TableCell because = textCell(reason);
        because.isMuted = true;
        m_content.rows.push_back(
            {title, because, bytesCell(bytes, m_unit),
             numberCell(fixedText(100 * ratio(bytes, m_peak.live), 1), ratio(bytes, m_peak.live))});
    }

    void addAlwaysLive() {
        Bytes sum;
        std::map<std::string, Bytes> byName;
        for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
            const auto category = static_cast<MemoryCategory>(i);
            if (!core::isAlwaysLive(category) || at(category).value() == 0)
                continue;
            sum += at(category);
            byName[lowerCase(categoryName(category)).toStdString()] += at(category);
        }
        add(QStringLiteral("Always live"), largestOf(byName, 2), sum);
    }

    void addCategory(MemoryCategory category) {
        switch (category) {
        case MemoryCategory::Stash:
            return addStash();
        case MemoryCategory::Activations: {
            const ProgramStretch stretch{m_peak.stage, m_peak.phase, 0, 0};
            return add(QStringLiteral("Activations"),
                       QStringLiteral("while %1 runs, %2")
                           .arg(lowerCase(stretchName(stretch, true)), largestLayer(category)),
                       at(category));
        }
        case MemoryCategory::Temporary:
            return add(QStringLiteral("Temporaries"),
                       QStringLiteral("of the operations at the peak, %1").arg(largestLayer(category)),
                       at(category));
        default:
            return add(categoryName(category), {}, at(category));
        }
    }

    /// "most of conv1_relu 12.3 MiB": short enough to be read whole beside the remedies.
    [[nodiscard]] QString largestOf(const std::map<std::string, Bytes>& parts, std::size_t most) const {
        std::vector<std::pair<Bytes, std::string>> largest;
        for (const auto& [name, bytes] : parts)
            largest.emplace_back(bytes, name);
        std::ranges::stable_sort(largest, std::greater(), &std::pair<Bytes, std::string>::first);
        largest.resize(std::min(largest.size(), most));
        QStringList names;
        for (const auto& [bytes, name] : largest)
            names.append(toQString(name) + QStringLiteral(" ") + bytesText(bytes, m_bytes).joined());
        return QStringLiteral("most of ") + names.join(QStringLiteral(", "));
    }

    [[nodiscard]] QString largestLayer(MemoryCategory category) const {
        std::map<std::string, Bytes> byLayer;
        for (const LiveRangeRecord& range : m_data.ranges)
            if (range.category == category && isLiveAt(range, m_peak.step) && !range.layer.empty())
                byLayer[range.layer.str()] += range.bytes;
        return byLayer.empty() ? QStringLiteral("of no layer") : largestOf(byLayer, 1);
    }

    /// A row for each stage on the IPU, and one for what no block names.
    void addStash() {
        struct Fifos {
            Bytes bytes;
            std::int64_t count = 0;
        };
        std::map<core::StageId, Fifos> byStage;
        Bytes rest = at(MemoryCategory::Stash);
        for (const LiveRangeRecord& range : m_data.ranges) {
            if (range.category != MemoryCategory::Stash || !isLiveAt(range, m_peak.step))
                continue;
            byStage[range.stage].bytes += range.bytes;
            ++byStage[range.stage].count;
            rest -= range.bytes;
        }
        for (const auto& [stage, fifos] : byStage) {
            const QString name = m_data.stages.size() > 1 && stage.isValid()
                                     ? QStringLiteral("Stash of stage %1").arg(stage.value())
                                     : QStringLiteral("Stash");
            add(name, stashReason(stage, fifos.bytes, fifos.count), fifos.bytes, stage);
        }
        add(QStringLiteral("Stash, not itemised"), QStringLiteral("no block names them"), rest);
    }

    [[nodiscard]] QString stashReason(core::StageId stage, Bytes bytes, std::int64_t tensors) const {
        const QString of = countedText(tensors, QStringLiteral("tensor"), QStringLiteral("tensors"));
        const auto count = std::ranges::find(m_data.stashCounts, stage, &core::StashCount::stage);
        const auto own = std::ranges::find(m_data.stages, stage, &core::StageSummary::stage);
        const bool isCounted = count != m_data.stashCounts.end() && own != m_data.stages.end() &&
                               count->depth() == own->fifoDepth;
        if (!isCounted)
            return QStringLiteral("%1 that wait for another program").arg(of);
        // Tensors that wait between stages have depths of their own.
        if (bytes != own->stash || bytes.value() % count->depth() != 0)
            return QStringLiteral("%1: up to %2").arg(of, countText(*count));
        return QStringLiteral("%1 × %2: %3")
            .arg(QString::number(count->depth()),
                 bytesText(Bytes(bytes.value() / count->depth()), m_bytes).joined(), countText(*count));
    }

    const LivenessData& m_data;
    const core::LivenessPoint& m_peak;
    ByteUnit m_bytes;
    UnitChoice m_unit;
    TableContent m_content;
};

} // namespace

TableContent peakReasonTable(const LivenessData& data, const Units& units) {
    const core::LivenessPoint* peak = data.pointAt(data.peakStep());
    return peak == nullptr ? TableContent() : PeakReason(data, *peak, units).table();
}

std::optional<core::StageId> peakReasonStage(const TableContent& table, std::size_t row) {
    const std::optional<std::size_t>& stage = table.rows[row].front().stage;
    return stage ? std::optional(core::StageId(*stage)) : std::nullopt;
}

} // namespace views
