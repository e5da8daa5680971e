#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/plan/plan_estimate.h"
#include "core/project/project.h"
#include "views/common/text/number_text.h"
#include "views/document/selection.h"

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace core {
struct TypedGraph;
}

namespace views {

class StageLookup;

using ProjectSnapshot = std::shared_ptr<const core::Project>;

/// A pure function from one project to the next; it refuses with diagnostics.
using ProjectEdit = std::function<core::Result<core::Project>(const core::Project&)>;

/// What is known about one snapshot beyond its text: computed elsewhere, handed in, shown by the views.
struct ProjectAnalysis {
    /// Shapes and types of every tensor; null while the model has a shape error.
    std::shared_ptr<const core::TypedGraph> graph;
    /// Everything that breaks a rule, each with its place.
    core::Diagnostics diagnostics;
};

/// The open project: one immutable snapshot at a time, the way back and forth between snapshots, and what is
/// known about the present one. Views read it and ask it to apply edits; nobody else holds the truth.
class Document final : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    /// Shows another project and forgets the history. `path` is empty for one that was never saved; its
    /// relative paths start at `folder` then.
    void open(core::Project project, const std::filesystem::path& path,
              const std::filesystem::path& folder = {});
    /// No project: the start page.
    void close();

    [[nodiscard]] bool isOpen() const { return m_snapshot != nullptr; }
    /// Only while open.
    [[nodiscard]] const core::Project& project() const { return *m_snapshot; }
    [[nodiscard]] ProjectSnapshot snapshot() const { return m_snapshot; }
    /// The stages of the present snapshot, looked up once for all views. Only while open.
    [[nodiscard]] const StageLookup& stages() const;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// Folder that relative paths of the project start from.
    [[nodiscard]] std::filesystem::path folder() const {
        return m_path.empty() ? m_folder : m_path.parent_path();
    }
    /// Name of the file, or of the project where it was never saved.
    [[nodiscard]] QString title() const;

    [[nodiscard]] bool isDirty() const;
    /// The present snapshot is that of the file at `path`.
    void markSaved(const std::filesystem::path& path);
    /// The present snapshot is in no file, whatever the history says (restored work).
    void markUnsaved();

    /// Applies an edit as one step of the history, named by `text` ("Move 3 layers to stage 1"). Edits that
    /// share a `mergeKey` and follow one another become one step. A refusal changes nothing, is returned and
    /// announced by `refused`. An edit without effect leaves no step. The edit that gives a model its first
    /// output sets the loss that this asks for, too; later ones keep it so until somebody chooses another.
    core::Result<void> apply(const QString& text, const ProjectEdit& edit, const QString& mergeKey = {});

    [[nodiscard]] QUndoStack& undoStack() { return m_undoStack; }

    /// Keeps what is selected with each step of the history, and alive: layers that are gone are not
    /// selected. It lives as long as the document.
    void keepSelection(Selection& selection) { m_selection = &selection; }

    /// A snapshot under the mouse that is not (yet) an edit; null when there is none. Estimates follow it.
    void setPreview(ProjectSnapshot preview);
    /// The same of a whole plan, which the canvas shows in place of the project until it is left.
    void setPlanPreview(ProjectSnapshot preview);
    [[nodiscard]] const ProjectSnapshot& preview() const { return m_preview; }
    [[nodiscard]] bool isPlanPreview() const { return m_preview && m_isPlanPreview; }
    /// What the canvas draws: a plan that is previewed, else the project. Only while open.
    [[nodiscard]] const core::Project& drawn() const { return *shown(); }
    [[nodiscard]] const ProjectSnapshot& shown() const { return isPlanPreview() ? m_preview : m_snapshot; }
    /// What the next estimate is about: the preview, else the project.
    [[nodiscard]] ProjectSnapshot estimated() const { return m_preview ? m_preview : m_snapshot; }

    /// Analysis of a snapshot; ignored unless it is the present one.
    void setAnalysis(const ProjectSnapshot& of, ProjectAnalysis analysis);
    [[nodiscard]] const ProjectAnalysis& analysis() const { return m_analysis; }
    /// The analysis is of the present snapshot.
    [[nodiscard]] bool isAnalysisCurrent() const { return m_analysisOf == m_snapshot; }

    /// Estimate of a snapshot; ignored unless it is the project or its preview.
    void setEstimate(const ProjectSnapshot& of, core::PlanEstimate estimate);
    /// Of the project itself, the last that arrived. Where that is a refusal, with the figures of the last
    /// plan that had some: they are old then.
    [[nodiscard]] const std::optional<core::PlanEstimate>& estimate() const { return m_estimate; }
    /// Of the preview, while there is one and it has arrived.
    [[nodiscard]] const std::optional<core::PlanEstimate>& previewEstimate() const {
        return m_previewEstimate;
    }
    [[nodiscard]] bool isEstimateCurrent() const { return m_estimateOf == m_snapshot; }
    /// The figures of `estimate` are those of the present snapshot, and not the last that could be known.
    [[nodiscard]] bool areFiguresCurrent() const {
        return isEstimateCurrent() && m_estimate && m_estimate->refusal.empty();
    }

    [[nodiscard]] const Units& units() const { return m_units; }
    void setUnits(const Units& units);
    /// Clock and step of the current estimate, for reading cycles as time.
    [[nodiscard]] TimeScale timeScale() const;

signals:
    /// Another project is shown, or none.
    void opened();
    /// Another snapshot of the same project (or of another, after `opened`).
    void projectChanged();
    void pathChanged();
    void dirtyChanged(bool dirty);
    void previewChanged();
    void analysisChanged();
    void estimateChanged();
    void unitsChanged();
    /// An edit broke a rule: show it where the edit was made.
    void refused(const core::Diagnostics& why);

private:
    friend class ProjectCommand;
    void show(ProjectSnapshot snapshot);
    void followOutputs(core::Project& next);
    void takeEstimate(core::PlanEstimate estimate);
    [[nodiscard]] SelectionState selectedNow() const;
    /// Layers and calls alone: run, time and micro-batch are no matter of the project.
    void selectAgain(const SelectionState& state);

    Selection* m_selection = nullptr;
    /// The loss has been that which the outputs of a drawing ask for.
    bool m_isLossProposed = false;

    ProjectSnapshot m_snapshot;
    /// Made when first asked for; `m_stagesOf` says of which snapshot.
    mutable std::unique_ptr<const StageLookup> m_stages;
    mutable ProjectSnapshot m_stagesOf;
    std::filesystem::path m_path;
    std::filesystem::path m_folder;
    QUndoStack m_undoStack;
    bool m_isUnsaved = false;
    ProjectSnapshot m_preview;
    bool m_isPlanPreview = false;
    ProjectAnalysis m_analysis;
    ProjectSnapshot m_analysisOf;
    std::optional<core::PlanEstimate> m_estimate;
    ProjectSnapshot m_estimateOf;
    std::optional<core::PlanEstimate> m_previewEstimate;
    Units m_units;
};

} // namespace views
