#pragma once

#include "core/profile/analysis/time_tree.h"
#include "views/common/text/number_text.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/profile/tables/table_content.h"

#include <QRectF>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace views {

/// The time of a run as a tree, with what it is measured against.
struct FlameData {
    std::shared_ptr<const core::TimePieces> pieces;
    core::TimeGrouping grouping = core::TimeGrouping::Stage;
    core::TimeNode root;

    [[nodiscard]] TimeScale timeScale() const { return {pieces->clockHz, pieces->step}; }
    /// Share of the time of all IPUs.
    [[nodiscard]] double shareOf(const core::TimeNode& node) const { return ratio(node.cycles, root.cycles); }
};
/// Without idle time where that is not asked for; the root is then what is left.
[[nodiscard]] FlameData flameData(std::shared_ptr<const core::TimePieces> pieces, core::TimeGrouping grouping,
                                  bool hasIdle);

/// A node by the numbers of the children that lead to it; empty: the root.
using FlamePath = std::vector<std::size_t>;
/// The node at the end of a path; null where the tree has none.
[[nodiscard]] const core::TimeNode* nodeAt(const core::TimeNode& root, const FlamePath& path);

/// Words that a node's name, or that of something around it, must hold.
struct FlameMatch {
    /// Nodes that match by their own name.
    std::set<FlamePath> nodes;
    core::Cycles cycles;
};
/// What matches the text; time is counted once where a match holds another. Nothing matches empty text.
[[nodiscard]] FlameMatch matchOf(const core::TimeNode& root, const QString& text);

/// The nodes that hold an operation where it runs in a stage program, from the root down. An empty name: any.
[[nodiscard]] std::set<FlamePath> nodesOf(const core::TimeNode& root, core::StageId stage,
                                          core::ProgramPhase phase, const std::string& operation);

/// What is drawn.
struct FlameScene {
    std::shared_ptr<const FlameData> data;
    Units units;
    /// Takes the whole width; what it is part of stands above it.
    FlamePath focus;
    std::optional<FlamePath> chosen;
    std::optional<FlamePath> hovered;
    /// What runs at the place that is pointed at in some view, with all that it is part of.
    std::set<FlamePath> pointed = {};
    QString filter;
    FlameMatch match;
    QString title;
};

/// A box of a node, or of several children too narrow to be told apart.
struct FlameBox {
    FlamePath path;
    /// Null: `hidden` children of the node at `path` together.
    const core::TimeNode* node = nullptr;
    std::size_t hidden = 0;
    core::Cycles cycles;
    std::size_t depth = 0;
    QRectF rect;
    /// Part of the way to the focus: wider than its share.
    bool isAbove = false;
};

/// Boxes from the top down, the children of a box below it in the order of their time. What would be narrower
/// than `flameLeast` px is drawn as one box, so that no time vanishes.
inline constexpr double flameLeast = 5;
[[nodiscard]] std::vector<FlameBox> flameBoxes(const FlameScene& scene, const QRectF& rect, double scale);
/// Least height of a row; rows grow with the height there is for them.
[[nodiscard]] double flameRowHeight(double scale);
/// Height of the rows that the focus has.
[[nodiscard]] double flameHeight(const FlameScene& scene, double scale);
[[nodiscard]] const FlameBox* flameBoxAt(const std::vector<FlameBox>& boxes, const QPointF& at);

/// "All IPUs", "Stage 1 › Forward › conv1".
[[nodiscard]] QString flameWay(const core::TimeNode& root, const FlamePath& path);
/// The children of a node, a row each, with their sum below; a node without children is its only row.
[[nodiscard]] TableContent flameTable(const FlameData& data, const FlamePath& path, const Units& units);
[[nodiscard]] ToolTipContent flameToolTip(const FlameData& data, const FlameBox& box, const Units& units);
/// "2 IPUs × 43.18 ms · idle 22.9 %".
[[nodiscard]] QString flameFigures(const FlameData& data, const Units& units);

} // namespace views
