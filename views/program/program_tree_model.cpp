#include "views/program/program_tree_model.h"

#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/table_style.h"

#include <array>
#include <utility>

namespace views {

namespace {

/// Icon of a kind of step.
QString iconOf(core::StepKind kind) {
    static const std::array<const char*, core::stepKindCount> names{
        "layers", "redo", "more", "chevron-right", "ipu", "lanes", "flow", "data", "time"};
    return QString::fromLatin1(names[static_cast<std::size_t>(kind)]);
}

/// What a step does, in the words of the timeline.
QString kindWord(core::StepKind kind) {
    static const std::array<const char*, core::stepKindCount> words{
        "sequence", "repeat", "switch", "call", "compute", "exchange", "IPU copy", "host stream", "sync"};
    return QString::fromLatin1(words[static_cast<std::size_t>(kind)]);
}

} // namespace

void ProgramTreeModel::setProgram(std::shared_ptr<const ProgramData> program, const Units& units) {
    beginResetModel();
    m_program = std::move(program);
    m_units = units;
    m_roots.clear();
    m_children.clear();
    m_rows.clear();
    m_times.clear();
    m_pointed = none;
    if (m_program) {
        const auto& steps = m_program->steps;
        m_times = stepTimes(steps, m_program->ipus);
        m_timeUnit = operationTimeUnit(*m_program, units);
        m_byteUnit = operationByteUnit(*m_program, units);
        m_children.resize(steps.size());
        m_rows.resize(steps.size());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const core::ProgramStepId parent = steps[i].parent;
            std::vector<std::size_t>& siblings =
                parent.isValid() && parent.index() < i ? m_children[parent.index()] : m_roots;
            m_rows[i] = static_cast<int>(siblings.size());
            siblings.push_back(i);
        }
    }
    endResetModel();
}

std::size_t ProgramTreeModel::stepOf(const QModelIndex& index) const {
    return index.isValid() ? static_cast<std::size_t>(index.internalId()) : none;
}

const core::ProgramStepRecord* ProgramTreeModel::step(const QModelIndex& index) const {
    const std::size_t i = stepOf(index);
    return i == none ? nullptr : &m_program->steps[i];
}

QModelIndex ProgramTreeModel::indexOf(core::ProgramStepId step) const {
    return step.isValid() && step.index() < m_rows.size() ? createIndex(m_rows[step.index()], 0, step.index())
                                                          : QModelIndex();
}

QModelIndex ProgramTreeModel::indexOf(core::OperationId operation) const {
    for (std::size_t i = 0; m_program && i < m_program->steps.size(); ++i) {
        if (m_program->steps[i].operation == operation)
            return createIndex(m_rows[i], 0, i);
    }
    return {};
}

QModelIndex ProgramTreeModel::indexOf(const TimeCursor& place) const {
    std::size_t best = none;
    for (std::size_t i = 0; m_program && place.isInProgram() && i < m_program->steps.size(); ++i) {
        const core::ProgramStepRecord& record = m_program->steps[i];
        if (m_children[i].empty() && record.stage == place.stage && record.phase == place.phase &&
            record.start <= place.inside && (best == none || record.start >= m_program->steps[best].start))
            best = i;
    }
    return best == none ? QModelIndex() : createIndex(m_rows[best], 0, best);
}

void ProgramTreeModel::setPointed(const QModelIndex& index) {
    const std::size_t before = std::exchange(m_pointed, stepOf(index));
    for (const std::size_t changed : {before, m_pointed}) {
        if (before != m_pointed && changed != none && changed < m_rows.size())
            emit dataChanged(createIndex(m_rows[changed], 0, changed),
                             createIndex(m_rows[changed], columnCountValue - 1, changed));
    }
}

QModelIndex ProgramTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    const std::size_t above = stepOf(parent);
    const std::vector<std::size_t>& siblings = above == none ? m_roots : m_children[above];
    return createIndex(row, column, siblings[static_cast<std::size_t>(row)]);
}

QModelIndex ProgramTreeModel::parent(const QModelIndex& child) const {
    const core::ProgramStepRecord* record = step(child);
    if (record == nullptr || !record->parent.isValid() || record->parent.index() >= stepOf(child))
        return {};
    return createIndex(m_rows[record->parent.index()], 0, record->parent.index());
}

int ProgramTreeModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0 || !m_program)
        return 0;
    const std::size_t above = stepOf(parent);
    return static_cast<int>((above == none ? m_roots : m_children[above]).size());
}

int ProgramTreeModel::columnCount(const QModelIndex& /*parent*/) const {
    return columnCountValue;
}

QString ProgramTreeModel::text(std::size_t i, int column) const {
    const core::ProgramStepRecord& record = m_program->steps[i];
    switch (column) {
    case StepColumn: {
        if (record.label.empty())
            return kindWord(record.kind);
        // Of what holds others the icon tells the kind; an operation has several steps of one name.
        return m_children[i].empty() && record.operation.isValid()
                   ? toQString(record.label) + QStringLiteral(" · ") + kindWord(record.kind)
                   : toQString(record.label);
    }
    case CountColumn:
        return record.kind == core::StepKind::Repeat ? QStringLiteral("× ") + groupedText(record.count)
                                                     : QString();
    case TimeColumn:
        return m_times[i].busiest().value() == 0 ? QStringLiteral("–")
                                                 : inUnit(m_times[i].busiest().value(), m_timeUnit).value;
    case ShareColumn: {
        const core::ProgramStepId above = record.parent;
        if (!above.isValid() || above.index() >= i || m_times[above.index()].busiest().value() == 0)
            return {};
        const std::int64_t count = std::max<std::int64_t>(1, m_program->steps[above.index()].count);
        return percentText(
            static_cast<double>(count) * ratio(m_times[i].busiest(), m_times[above.index()].busiest()), 1);
    }
    case BytesColumn:
        return record.bytes.value() == 0 ? QString() : inUnit(record.bytes.value(), m_byteUnit).value;
    default:
        return {};
    }
}

QString ProgramTreeModel::tip(std::size_t i, int column) const {
    if (column == StepColumn)
        return text(i, column) + QStringLiteral("\nPoplar: ") +
               toQString(core::toString(m_program->steps[i].kind));
    if (column != TimeColumn)
        return {};
    QStringList lines;
    const auto add = [&](const QString& name, core::Cycles cycles) {
        lines.append(name + QStringLiteral(": ") +
                     timeText(cycles, m_units.time, m_program->timeScale()).joined());
    };
    for (const auto& [ipu, cycles] : m_times[i].byIpu)
        add(QStringLiteral("IPU %1").arg(ipu.value()), cycles);
    if (m_times[i].shared.value() > 0)
        add(QStringLiteral("All IPUs together"), m_times[i].shared);
    return lines.join(u'\n');
}

QString ProgramTreeModel::widestText(int column) const {
    QString widest = headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    for (std::size_t i = 0; m_program && i < m_program->steps.size(); ++i)
        if (const QString text = this->text(i, column); text.size() > widest.size())
            widest = text;
    return widest;
}

QVariant ProgramTreeModel::data(const QModelIndex& index, int role) const {
    const core::ProgramStepRecord* record = step(index);
    if (record == nullptr)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(stepOf(index), index.column());
    case Qt::ToolTipRole:
        return tip(stepOf(index), index.column());
    case IconNameRole:
        return index.column() == StepColumn ? QVariant(iconOf(record->kind)) : QVariant();
    case IconColorRole:
        return static_cast<int>(stepOf(index) == m_pointed ? Role::AccentText : Role::Text3);
    case TextColorRole:
        return stepOf(index) == m_pointed ? QVariant(static_cast<int>(Role::AccentText)) : QVariant();
    case StageRole:
        // Where the stage begins: its parent has none, or another.
        if (index.column() != StepColumn || !record->stage.isValid() ||
            (record->parent.isValid() && m_program->steps[record->parent.index()].stage == record->stage))
            return {};
        return QVariant::fromValue(record->stage.index());
    case Qt::TextAlignmentRole:
        return index.column() == StepColumn ? QVariant()
                                            : QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter));
    default:
        return {};
    }
}

QVariant ProgramTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const std::array<const char*, columnCountValue> titles{"Step", "Repeats", "Busiest IPU",
                                                                  "Of parent", "Bytes"};
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole) {
        const QString title = QString::fromLatin1(titles[static_cast<std::size_t>(section)]);
        const QString unit = !m_program               ? QString()
                             : section == TimeColumn  ? m_timeUnit.name
                             : section == BytesColumn ? m_byteUnit.name
                                                      : QString();
        return unit.isEmpty() ? title : title + QStringLiteral("  ") + unit;
    }
    if (role == Qt::ToolTipRole && section == TimeColumn)
        return QStringLiteral(
            "Work of the IPU that does most of the step, each time it runs. IPUs work beside "
            "one another: the time of each is in the tip of a row, waiting is in the "
            "timeline.");
    if (role == Qt::ToolTipRole && section == ShareColumn)
        return QStringLiteral(
            "Of the busiest IPU of the step above; what runs on other IPUs at the same time "
            "counts too, so that the sum may be above 100 %.");
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == StepColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

} // namespace views
