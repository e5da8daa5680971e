#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "views/document/selection.h"

#include <QString>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace views {

/// A call of a layer as the canvas shows it.
struct CanvasNode {
    InvocationKey key;
    /// Name of the layer without the path of its nested model.
    QString name;
    QString className;
    /// Attributes worth a glance: "3×3, 128, /2".
    QString attributes;
    /// Name of its category's icon.
    QString icon;
    /// The call of the outermost model that it is, or is part of.
    core::InvocationId drawn;
    /// Place in the list of `set_pipeline_stage_assignment`; nothing for inputs, and while the model is
    /// broken.
    std::optional<std::size_t> assignable;
    core::StageId stage;
    /// Element-wise: drawn as a row under what feeds it.
    bool isFollower = false;
    bool isInput = false;
    bool isMerge = false;
    /// Stays on its stage when a search looks for others.
    bool isLocked = false;
    /// Bypassed: it gives what it reads. Class and icon are those that it had before.
    bool isMuted = false;
    /// Outputs of this call that are outputs of the model, ascending.
    std::vector<int> modelOutputs;
    /// One per output; empty where not known. Text without the batch axis.
    std::vector<QString> outputShapes;
    int inputCount = 1;
    int outputCount = 1;
};

/// A tensor on its way from one call to another; nodes by index.
struct CanvasEdge {
    int from = 0;
    int output = 0;
    int to = 0;
    int input = 0;

    auto operator<=>(const CanvasEdge&) const = default;
};

/// Calls that are drawn as one block: a nested model, layers of one name prefix, what the user grouped, or
/// all copies of a block that is repeated.
struct CanvasGroup {
    enum class Origin : std::uint8_t { Model, Name, Person, Repeat };
    /// Unique: the path or prefix; what the project stores.
    std::string id;
    QString title;
    Origin origin = Origin::Name;
    /// Enclosing group; −1 at the top.
    int parent = -1;
    /// Every node inside, those of inner groups included, ascending.
    std::vector<int> members;
    /// Of a block that is repeated: the nodes of each copy, in the order in which they run.
    std::vector<std::vector<int>> copies;

    bool operator==(const CanvasGroup&) const = default;
};

/// The model as a drawing: what there is, not where. Nodes are in topological order.
struct CanvasModel {
    std::vector<CanvasNode> nodes;
    std::vector<CanvasEdge> edges;
    std::vector<CanvasGroup> groups;
    /// Innermost group of each node; −1 for none.
    std::vector<int> groupOf;
    std::size_t stageCount = 0;

    /// Edges by the node they leave and enter.
    std::vector<std::vector<int>> outgoing;
    std::vector<std::vector<int>> incoming;

    /// Index of a node; −1 where there is none.
    [[nodiscard]] int find(const InvocationKey& key) const { return find(key.path, key.call); }
    [[nodiscard]] int find(std::string_view path, std::uint32_t call) const;
    /// Whether everything has the same place in a drawing of the other, whatever is written on it.
    [[nodiscard]] bool isPlacedLike(const CanvasModel& other) const;
    /// Fills `outgoing`, `incoming` and the index behind `find`.
    void index();

private:
    /// Nodes by the hash of their path: the first of each bucket, and the next of the same bucket.
    std::vector<int> m_buckets;
    std::vector<int> m_next;
};

} // namespace views
