#include "views/flame/flame_layout.h"

#include "views/profile/tables/number_card.h"

#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

namespace views {

namespace {

constexpr double flameRow = 22;
constexpr double tallestFlameRow = 36;

QString levelName(core::TimeLevel level) {
    constexpr std::array names{"All",       "IPU",  "Stage", "Phase", "Layer",       "Kind of operation",
                               "Operation", "Part", "Idle",  "Cause", "Not recorded"};
    static_assert(names.size() == core::timeLevelCount);
    return QLatin1String(names[static_cast<std::size_t>(level)]);
}

bool holdsWords(const core::TimeNode& node, const QStringList& words) {
    const QString name = toQString(node.name);
    return std::ranges::all_of(words,
                               [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); });
}

void collectMatches(const core::TimeNode& node, const QStringList& words, FlamePath& path, bool isInside,
                    FlameMatch& match) {
    const bool isMatch = !path.empty() && holdsWords(node, words);
    if (isMatch) {
        match.nodes.insert(path);
        if (!isInside)
            match.cycles += node.cycles;
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        path.push_back(i);
        collectMatches(node.children[i], words, path, isInside || isMatch, match);
        path.pop_back();
    }
}

std::size_t depthOf(const core::TimeNode& node) {
    std::size_t deepest = 0;
    for (const core::TimeNode& child : node.children)
        deepest = std::max(deepest, depthOf(child));
    return deepest + 1;
}

/// Those above the focus, its own and those below it.
std::size_t flameRows(const FlameScene& scene) {
    return scene.focus.size() + depthOf(*nodeAt(scene.data->root, scene.focus));
}

/// Boxes below one another.
class BoxMaker {
public:
    BoxMaker(const FlameScene& scene, const QRectF& rect, double scale)
        : m_scene(scene)
        , m_rect(rect)
        , m_row(rowOf(scene, rect, scale))
        , m_least(flameLeast * scale) {}

    std::vector<FlameBox> make() {
        const core::TimeNode* node = &m_scene.data->root;
        FlamePath path;
        for (std::size_t depth = 0; depth < m_scene.focus.size(); ++depth) {
            add(path, *node, m_rect.left(), m_rect.width(), depth).isAbove = true;
            path.push_back(m_scene.focus[depth]);
            node = &node->children[m_scene.focus[depth]];
        }
        descend(path, *node, m_rect.left(), m_rect.width(), m_scene.focus.size());
        return std::move(m_boxes);
    }

private:
    static double rowOf(const FlameScene& scene, const QRectF& rect, double scale) {
        const auto rows = static_cast<double>(flameRows(scene));
        return std::clamp(std::floor(rect.height() / rows), flameRowHeight(scale),
                          std::round(tallestFlameRow * scale));
    }

    FlameBox& add(const FlamePath& path, const core::TimeNode& node, double x, double width,
                  std::size_t depth) {
        FlameBox& box = m_boxes.emplace_back();
        box.path = path;
        box.node = &node;
        box.cycles = node.cycles;
        box.depth = depth;
        box.rect = QRectF(x, m_rect.top() + m_row * static_cast<double>(depth), width, m_row - 1);
        return box;
    }

    void descend(FlamePath& path, const core::TimeNode& node, double x, double width, std::size_t depth) {
        add(path, node, x, width, depth);
        const double perCycle =
            node.cycles.value() > 0 ? width / static_cast<double>(node.cycles.value()) : 0;
        // The longest come first: what follows one that is too narrow is so, too.
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            const core::TimeNode& child = node.children[i];
            const double childWidth = perCycle * static_cast<double>(child.cycles.value());
            if (childWidth < m_least && i + 1 < node.children.size())
                return addRest(path, node, i, x, perCycle, depth + 1);
            path.push_back(i);
            descend(path, child, x, childWidth, depth + 1);
            path.pop_back();
            x += childWidth;
        }
    }

    void addRest(const FlamePath& path, const core::TimeNode& node, std::size_t first, double x,
                 double perCycle, std::size_t depth) {
        core::Cycles rest;
        for (std::size_t i = first; i < node.children.size(); ++i)
            rest += node.children[i].cycles;
        FlameBox& box = m_boxes.emplace_back();
        box.path = path;
        box.hidden = node.children.size() - first;
        box.cycles = rest;
        box.depth = depth;
        box.rect = QRectF(x, m_rect.top() + m_row * static_cast<double>(depth),
                          perCycle * static_cast<double>(rest.value()), m_row - 1);
    }

    const FlameScene& m_scene;
    QRectF m_rect;
    double m_row;
    double m_least;
    std::vector<FlameBox> m_boxes;
};

TableCell nameCellOf(const core::TimeNode& node) {
    TableCell cell = textCell(toQString(node.name));
    cell.isLink = !node.layer.empty();
    if (node.phase)
        cell.colour = [phase = *node.phase](const Theme& theme) { return theme.activity(activityOf(phase)); };
    else if (node.cause)
        cell.colour = [cause = *node.cause](const Theme& theme) { return theme.idleHatch(cause); };
    return cell;
}

} // namespace

FlameData flameData(std::shared_ptr<const core::TimePieces> pieces, core::TimeGrouping grouping,
                    bool hasIdle) {
    FlameData data;
    if (hasIdle) {
        data.root = core::timeTree(*pieces, grouping);
    } else {
        core::TimePieces work = *pieces;
        std::erase_if(work.pieces, [](const core::TimePiece& piece) { return !piece.phase.has_value(); });
        data.root = core::timeTree(work, grouping);
    }
    data.pieces = std::move(pieces);
    data.grouping = grouping;
    return data;
}

const core::TimeNode* nodeAt(const core::TimeNode& root, const FlamePath& path) {
    const core::TimeNode* node = &root;
    for (const std::size_t child : path) {
        if (child >= node->children.size())
            return nullptr;
        node = &node->children[child];
    }
    return node;
}

std::set<FlamePath> nodesOf(const core::TimeNode& root, core::StageId stage, core::ProgramPhase phase,
                            const std::string& operation) {
    std::set<FlamePath> nodes;
    FlamePath path;
    const auto visit = [&](const core::TimeNode& node, const auto& self) -> bool {
        const bool isOther = (node.stage.isValid() && node.stage != stage) ||
                             (node.phase && node.phase != phase) || node.cause.has_value() ||
                             (!node.operation.empty() && !operation.empty() && node.operation != operation);
        if (isOther)
            return false;
        // What is common to all of a node is known of it; of its last parts everything is.
        bool holds = node.children.empty() && node.stage == stage && node.phase == phase &&
                     (operation.empty() || node.operation == operation);
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            path.push_back(i);
            holds = self(node.children[i], self) || holds;
            path.pop_back();
        }
        if (holds)
            nodes.insert(path);
        return holds;
    };
    visit(root, visit);
    return nodes;
}

FlameMatch matchOf(const core::TimeNode& root, const QString& text) {
    FlameMatch match;
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    FlamePath path;
    if (!words.isEmpty())
        collectMatches(root, words, path, false, match);
    return match;
}

std::vector<FlameBox> flameBoxes(const FlameScene& scene, const QRectF& rect, double scale) {
    return scene.data ? BoxMaker(scene, rect, scale).make() : std::vector<FlameBox>{};
}

double flameRowHeight(double scale) {
    return std::round(flameRow * scale);
}

double flameHeight(const FlameScene& scene, double scale) {
    return scene.data ? flameRowHeight(scale) * static_cast<double>(flameRows(scene)) : 0;
}

const FlameBox* flameBoxAt(const std::vector<FlameBox>& boxes, const QPointF& at) {
    const auto box = std::ranges::find_if(boxes, [&](const FlameBox& one) { return one.rect.contains(at); });
    return box == boxes.end() ? nullptr : &*box;
}

QString flameWay(const core::TimeNode& root, const FlamePath& path) {
    QStringList names;
    const core::TimeNode* node = &root;
    for (const std::size_t child : path) {
        node = &node->children[child];
        names.append(toQString(node->name));
    }
    return names.isEmpty() ? toQString(root.name) : names.join(QStringLiteral(" › "));
}

TableContent flameTable(const FlameData& data, const FlamePath& path, const Units& units) {
    const core::TimeNode& node = *nodeAt(data.root, path);
    std::vector<const core::TimeNode*> rows;
    for (const core::TimeNode& child : node.children)
        rows.push_back(&child);
    if (rows.empty())
        rows.push_back(&node);
    const UnitChoice time = timeUnitFor(rows.front()->cycles, units.time, data.timeScale());
    TableContent table;
    TableColumn name{QStringLiteral("Name"), ColumnKind::Text, {}, 180, {}, true};
    TableColumn cycles =
        numberColumn(QStringLiteral("Time"), QStringLiteral("All IPUs of a replica together"));
    cycles.unit = time.name;
    TableColumn share = numberColumn(QStringLiteral("Of all"), QStringLiteral("Share of everything shown"));
    share.unit = QStringLiteral("%");
    TableColumn part = numberColumn(QStringLiteral("Of part"), QStringLiteral("Share of what it is part of"));
    part.unit = QStringLiteral("%");
    table.columns = {name,
                     {QStringLiteral("Level"), ColumnKind::Text, {}, 0, {}, false},
                     {QStringLiteral("Stage"), ColumnKind::Chip, {}, 0, {}, false},
                     cycles,
                     share,
                     part,
                     numberColumn(QStringLiteral("Runs"),
                                  QStringLiteral("How often it runs, or how many gaps these are"))};
    std::vector<core::Cycles> times;
    for (const core::TimeNode* row : rows) {
        times.push_back(row->cycles);
        table.rows.push_back(
            {nameCellOf(*row), textCell(levelName(row->level)),
             row->stage.isValid() ? stageCell(row->stage.index(), QString::number(row->stage.index()))
                                  : dashCell(),
             cyclesCell(row->cycles, time),
             numberCell(fixedText(100 * data.shareOf(*row), 2), data.shareOf(*row)),
             numberCell(fixedText(100 * ratio(row->cycles, node.cycles), 2), ratio(row->cycles, node.cycles)),
             row->times > 0 ? numberCell(groupedText(row->times), double(row->times)) : dashCell()});
    }
    table.footerOf = [times, time, all = data.root.cycles, whole = node.cycles,
                      columns = table.columns.size()](const std::vector<std::size_t>& shown) {
        core::Cycles sum;
        for (const std::size_t row : shown)
            sum += times[row];
        std::vector<TableCell> footer(columns);
        footer[0] =
            textCell(countedText(std::int64_t(shown.size()), QStringLiteral("row"), QStringLiteral("rows")));
        footer[3] = cyclesCell(sum, time);
        footer[4] = numberCell(fixedText(100 * ratio(sum, all), 2), ratio(sum, all));
        footer[5] = numberCell(fixedText(100 * ratio(sum, whole), 2), ratio(sum, whole));
        return footer;
    };
    std::vector<std::size_t> every(rows.size());
    for (std::size_t i = 0; i < every.size(); ++i)
        every[i] = i;
    table.footer = table.footerOf(every);
    const NumberExplanation::Input all{QStringLiteral("all IPUs"),
                                       timeText(data.root.cycles, units.time, data.timeScale()).joined(),
                                       QStringLiteral("Everything that is shown.")};
    const NumberExplanation::Input whole{QStringLiteral("the whole part"),
                                         timeText(node.cycles, units.time, data.timeScale()).joined(),
                                         QStringLiteral("What the rows add up to.")};
    explainColumns(
        table,
        {{QStringLiteral("Time"),
          {QStringLiteral("What it takes of the time of all IPUs of a replica together."),
           QStringLiteral("the sum over its programs (or gaps) of their time, divided by the steps of their "
                          "operations"),
           {{QStringLiteral("Runs")}, all},
           QStringLiteral("The time looked at · IPUs.")}},
         {QStringLiteral("Of all"),
          {QStringLiteral("Its share of everything that is shown."),
           QStringLiteral("100 · Time / all IPUs"),
           {{QStringLiteral("Time")}, all},
           QStringLiteral("100 %: the rows of a level add up to what holds them.")}},
         {QStringLiteral("Of part"),
          {QStringLiteral("Its share of what it is part of."),
           QStringLiteral("100 · Time / the whole part"),
           {{QStringLiteral("Time")}, whole},
           QStringLiteral("100 %: the rows add up to that.")}},
         {QStringLiteral("Runs"),
          {QStringLiteral("How often its program runs in the time, or how many gaps these are."),
           {},
           {},
           QStringLiteral("Micro-batches of an update, for each of its programs.")}}});
    return table;
}

ToolTipContent flameToolTip(const FlameData& data, const FlameBox& box, const Units& units) {
    ToolTipContent content;
    const core::TimeNode& holder = *nodeAt(data.root, box.path);
    const auto add = [&](const QString& name, const QString& value) {
        content.rows.push_back({name, value});
    };
    content.title = box.node != nullptr
                        ? toQString(box.node->name)
                        : QStringLiteral("%1 more of %2").arg(box.hidden).arg(toQString(holder.name));
    if (box.node != nullptr && box.node->level != core::TimeLevel::All)
        add(QStringLiteral("What"), levelName(box.node->level));
    add(QStringLiteral("Time"), timeText(box.cycles, units.time, data.timeScale()).joined());
    add(QStringLiteral("Of all"), percentText(ratio(box.cycles, data.root.cycles), 2));
    if (box.node != nullptr) {
        const FlamePath above(box.path.begin(), box.path.end() - (box.path.empty() ? 0 : 1));
        const core::TimeNode& parent = *nodeAt(data.root, above);
        if (!box.path.empty())
            add(QStringLiteral("Of ") + toQString(parent.name),
                percentText(ratio(box.cycles, parent.cycles), 2));
        if (box.node->times > 0)
            add(box.node->cause ? QStringLiteral("Gaps") : QStringLiteral("Runs"),
                groupedText(box.node->times));
        if (!box.node->layer.empty() && toQString(box.node->layer) != content.title)
            add(QStringLiteral("Layer"), toQString(box.node->layer));
        if (box.path.size() > 1)
            content.footer = flameWay(data.root, above);
    } else {
        content.footer = QStringLiteral("Double click: look inside");
    }
    return content;
}

QString flameFigures(const FlameData& data, const Units& units) {
    core::Cycles idle;
    for (const core::TimePiece& piece : data.pieces->pieces)
        if (piece.cause)
            idle += piece.cycles;
    return QStringLiteral("%1 × %2 · idle %3")
        .arg(countedText(data.pieces->ipus, QStringLiteral("IPU"), QStringLiteral("IPUs")),
             timeText(data.pieces->to - data.pieces->from, units.time, data.timeScale()).joined(),
             percentText(ratio(idle, data.pieces->total())));
}

} // namespace views
