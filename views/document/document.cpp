#include "views/document/document.h"

#include "core/config/proposed_loss.h"
#include "core/model/typed_graph.h"
#include "views/document/project_command.h"
#include "views/document/stage_lookup.h"

#include <set>
#include <string_view>

namespace views {

Document::Document(QObject* parent)
    : QObject(parent) {
    m_undoStack.setUndoLimit(0);
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, [this] { emit dirtyChanged(isDirty()); });
}

Document::~Document() {
    // The stack deletes its commands, which must not reach a half-destroyed document through cleanChanged.
    m_undoStack.disconnect(this);
}

void Document::open(core::Project project, const std::filesystem::path& path,
                    const std::filesystem::path& folder) {
    m_undoStack.clear();
    m_undoStack.setClean();
    m_isUnsaved = false;
    m_isLossProposed = false;
    m_path = path;
    m_folder = folder;
    m_preview.reset();
    m_analysis = {};
    m_analysisOf.reset();
    m_estimate.reset();
    m_estimateOf.reset();
    m_previewEstimate.reset();
    m_snapshot = std::make_shared<const core::Project>(std::move(project));
    emit opened();
    emit pathChanged();
    emit projectChanged();
    emit dirtyChanged(isDirty());
}

void Document::close() {
    m_undoStack.clear();
    m_isUnsaved = false;
    m_path.clear();
    m_preview.reset();
    m_analysis = {};
    m_analysisOf.reset();
    m_estimate.reset();
    m_estimateOf.reset();
    m_previewEstimate.reset();
    m_snapshot.reset();
    emit opened();
    emit pathChanged();
    emit dirtyChanged(false);
}

const StageLookup& Document::stages() const {
    if (m_stagesOf != m_snapshot) {
        m_stages = std::make_unique<const StageLookup>(*m_snapshot);
        m_stagesOf = m_snapshot;
    }
    return *m_stages;
}

QString Document::title() const {
    if (!m_path.empty())
        return toQString(m_path.filename().string());
    if (!isOpen())
        return {};
    return m_snapshot->name.empty() ? tr("untitled") : toQString(m_snapshot->name);
}

bool Document::isDirty() const {
    return isOpen() && (m_isUnsaved || !m_undoStack.isClean());
}

void Document::markSaved(const std::filesystem::path& path) {
    m_path = path;
    m_isUnsaved = false;
    m_undoStack.setClean();
    emit pathChanged();
    emit dirtyChanged(isDirty());
}

void Document::markUnsaved() {
    m_isUnsaved = true;
    emit dirtyChanged(isDirty());
}

core::Result<void> Document::apply(const QString& text, const ProjectEdit& edit, const QString& mergeKey) {
    if (!isOpen())
        return {};
    core::Result<core::Project> next = edit(*m_snapshot);
    if (!next) {
        emit refused(next.error());
        return core::failure(next.error());
    }
    if (*next == *m_snapshot)
        return {};
    followOutputs(*next);
    m_undoStack.push(new ProjectCommand(
        *this, m_snapshot, std::make_shared<const core::Project>(std::move(*next)), text, mergeKey));
    return {};
}

/// What can be run can be trained, saved and run elsewhere: without a loss only the window's own run could.
void Document::followOutputs(core::Project& next) {
    const core::TrainingOptions& before = m_snapshot->training;
    if (!next.training.dataset || next.training.losses != before.losses || next.model == m_snapshot->model)
        return;
    const bool isFirst = before.losses.empty() && m_snapshot->model.outputs.empty();
    const bool isOurs = m_isLossProposed && !before.losses.empty() &&
                        before.losses == core::proposedLosses(m_snapshot->model);
    if (!isFirst && !isOurs)
        return;
    next.training.losses = core::proposedLosses(next.model);
    m_isLossProposed = true;
}

void Document::setPreview(ProjectSnapshot preview) {
    if (preview == m_preview)
        return;
    if (!preview || m_isPlanPreview)
        m_previewEstimate.reset();
    m_preview = std::move(preview);
    m_isPlanPreview = false;
    emit previewChanged();
}

void Document::setPlanPreview(ProjectSnapshot preview) {
    if (preview == m_preview)
        return;
    // Figures of another plan say nothing about this one.
    m_previewEstimate.reset();
    m_preview = std::move(preview);
    m_isPlanPreview = m_preview != nullptr;
    emit previewChanged();
}

void Document::setAnalysis(const ProjectSnapshot& of, ProjectAnalysis analysis) {
    if (of != m_snapshot)
        return;
    m_analysis = std::move(analysis);
    m_analysisOf = of;
    emit analysisChanged();
}

void Document::setEstimate(const ProjectSnapshot& of, core::PlanEstimate estimate) {
    if (of != nullptr && of == m_preview)
        m_previewEstimate = std::move(estimate);
    else if (of != nullptr && of == m_snapshot) {
        takeEstimate(std::move(estimate));
        m_estimateOf = of;
    } else
        return;
    emit estimateChanged();
}

/// What has no figures now keeps the last it had: everything where there is no estimate, else the calls that
/// it does not count.
void Document::takeEstimate(core::PlanEstimate estimate) {
    const bool hasFigures = m_estimate && !m_estimate->stages.empty() && !m_snapshot->model.layers.empty();
    if (!estimate.refusal.empty() && hasFigures) {
        m_estimate->refusal = std::move(estimate.refusal);
        return;
    }
    if (!estimate.uncounted.empty() && hasFigures) {
        const std::set<std::string_view> uncounted(estimate.uncounted.begin(), estimate.uncounted.end());
        for (core::InvocationEstimate& last : m_estimate->invocations) {
            if (!uncounted.contains(std::string_view(last.layer).substr(0, last.layer.find('/'))))
                continue;
            last.isOld = true;
            estimate.invocations.push_back(std::move(last));
        }
    }
    m_estimate = std::move(estimate);
}

void Document::setUnits(const Units& units) {
    if (units == m_units)
        return;
    m_units = units;
    emit unitsChanged();
}

TimeScale Document::timeScale() const {
    return m_estimate ? TimeScale{m_estimate->clockHz, m_estimate->step} : TimeScale{};
}

void Document::show(ProjectSnapshot snapshot) {
    m_snapshot = std::move(snapshot);
    if (m_preview) {
        m_preview.reset();
        m_previewEstimate.reset();
        emit previewChanged();
    }
    emit projectChanged();
    if (m_selection != nullptr)
        m_selection->keepAlive(m_snapshot->model);
}

SelectionState Document::selectedNow() const {
    return m_selection != nullptr ? m_selection->state() : SelectionState{};
}

void Document::selectAgain(const SelectionState& state) {
    if (m_selection == nullptr)
        return;
    SelectionState next = m_selection->state();
    next.invocations = state.invocations;
    next.current = state.current;
    m_selection->set(std::move(next));
    m_selection->keepAlive(m_snapshot->model);
}

} // namespace views
