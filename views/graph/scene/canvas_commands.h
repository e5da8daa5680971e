#pragma once

#include "core/project/choices/muted_layers.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/graph/model/canvas_model.h"

#include <QObject>
#include <QPointF>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace views {

/// An output of a call: where a line comes from.
struct TensorSource {
    InvocationKey key;
    std::uint32_t output = 0;

    auto operator<=>(const TensorSource&) const = default;
};

/// What keys, menus and gestures of the canvas do to the project: each one step of the history. A refusal is
/// announced by `Document::refused`.
class CanvasCommands final : public QObject {
    Q_OBJECT

public:
    CanvasCommands(Document& document, Selection& selection, QObject* parent = nullptr);

    // stages
    void assignToStage(const std::set<InvocationKey>& keys, core::StageId stage);
    void moveCut(std::size_t cut, std::size_t entry);
    /// The project with the cut moved, for a preview; null when it is refused.
    [[nodiscard]] ProjectSnapshot withCutMoved(std::size_t cut, std::size_t entry) const;
    void assignToIpu(core::StageId stage, core::IpuId ipu);
    void splitEvenly(std::size_t stages);
    void removeStages();

    // the graph
    /// A new layer; fed by `from` where given. It is selected. `at`: where its box was dropped.
    void addLayer(const QString& className, const std::vector<TensorSource>& from,
                  const std::optional<QPointF>& at = {});
    void addLayer(const QString& className, const std::optional<TensorSource>& from,
                  const std::optional<QPointF>& at = {});
    /// A new layer that reads nothing yet, on a stage where there are some.
    void addLooseLayer(const QString& className, core::StageId stage);
    /// A new layer behind what is selected: between it and what reads it, if anything does; a layer that
    /// joins several reads the ends of all that is selected. `branches`: beside what reads it.
    void addBehindSelection(const QString& className, bool branches, const std::optional<QPointF>& at = {});
    /// A new layer of a class that the catalogue does not know; it answers what it reads until somebody
    /// declares another shape.
    void addOpaqueLayer(const std::optional<TensorSource>& from);
    /// A new layer in the middle of a line.
    void insertLayer(const QString& className, const CanvasModel& model, int edge);
    void connectTo(const TensorSource& from, const InvocationKey& to, std::size_t input);
    /// What a connection would break.
    struct Objection {
        QString why;
        /// The connection is not made; otherwise the layer is left with a finding.
        bool isRefused = false;
    };
    [[nodiscard]] std::optional<Objection> objectionTo(const TensorSource& from, const InvocationKey& to,
                                                       std::size_t input) const;
    void disconnect(const CanvasModel& model, const std::vector<int>& edges);
    /// `reconnects`: what fed the first feeds what the last fed.
    void removeSelection(bool reconnects);
    /// Makes outputs of the model of the selected calls, or none of them where they all are.
    void toggleOutputs();
    /// Locks the selected layers to their stages, or lets them go where they all are locked.
    void toggleLocks();
    void toggleStageLock(core::StageId stage);
    /// Bypasses the selected layers, or uses them again where all are bypassed.
    void toggleMutes();
    void setStageRecomputing(core::StageId stage, bool recomputes);
    void setStageOffloading(core::StageId stage, bool offloads);
    /// availableMemoryProportion; nothing: as everywhere.
    void setStageProportion(core::StageId stage, const std::optional<std::string>& proportion);
    void rename(const InvocationKey& key, const QString& name);
    void duplicateSelection();
    void copySelection() const;
    void cutSelection();
    /// `withLinks`: the copies read what the originals read.
    void paste(bool withLinks);
    [[nodiscard]] bool canPaste() const;

    // the drawing
    void setCollapsed(const std::string& group, bool collapsed);
    void groupSelection(const QString& name);
    void ungroup(const std::string& group);
    /// Layers with one way in and out, so many times in a row, as a folded block.
    void repeatLayers(const std::vector<std::string>& chosen, std::size_t times);
    void setRepeatCount(const std::string& block, std::size_t times);
    void setFolded(const std::vector<std::string>& blocks, bool isFolded);
    /// Writes on a frame around the selected layers; an empty text takes the note away.
    void writeNote(const QString& text);
    void colourNote(std::int64_t colour);
    /// The note on exactly the selected layers; null: there is none.
    [[nodiscard]] const core::CanvasNote* selectedNote() const;
    void moveBoxes(const std::map<std::string, QPointF>& places);
    void arrange();
    /// The drawing from left to right, or from the top down again.
    void toggleLeftToRight();

private:
    using ModelEdit = std::function<core::Result<core::ModelGraph>(const core::ModelGraph&)>;
    /// A new layer that reads `from`.
    [[nodiscard]] static ModelEdit adding(const QString& className, std::vector<TensorSource> from);
    /// `selectsNew`: the layers that the edit made are selected afterwards. `at`: where the first of them
    /// stands in the free layout.
    void applyToModel(const QString& text, const ModelEdit& edit, bool selectsNew = false,
                      const std::optional<QPointF>& at = {});
    /// A model with copies of layers, which come in the order of their originals.
    struct Copies {
        core::Result<core::ModelGraph> graph;
        std::vector<std::string> originals;
        /// Those of the originals that are bypassed.
        std::map<std::string, core::MutedLayer> muted;
    };
    void addCopies(const QString& text, const std::function<Copies(const core::Project&)>& copy);
    [[nodiscard]] std::vector<std::string> selectedPaths() const;
    /// Outputs of the selected calls that no other selected call reads, in the order in which they run.
    [[nodiscard]] std::vector<TensorSource> selectedEnds() const;
    void selectBlockWith(const std::vector<std::string>& layers);

    Document& m_document;
    Selection& m_selection;
};

} // namespace views
