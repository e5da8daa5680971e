#pragma once

#include "core/base/ids.h"
#include "core/profile/notes/note_records.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/picture_export.h"

#include <QString>
#include <QStringList>
#include <cstdint>
#include <string>
#include <vector>

namespace core {
struct SearchHit;
}

namespace views {

/// A task of the window: what is in its middle.
enum class WorkspaceId : std::uint8_t {
    /// What is there while no project is open.
    Start,
    Model,
    Timeline,
    Memory,
    Program,
    Compare,
    Training,
    Schedule,
    Roofline,
    Flame,
    /// The answers about a run on one page.
    Summary,
    /// The timeline over the memory.
    TimeAndMemory,
};

/// A page of a dock.
enum class PanelId : std::uint8_t {
    Layers,
    Project,
    Inspector,
    /// The options of the pipeline and of the system.
    Pipeline,
    /// The options of training.
    TrainingOptions,
    /// The options of IPUConfig.
    Options,
    /// Plan for me.
    Planner,
    /// Solve split.
    Solver,
    Problems,
    Schedule,
    Tiles,
    Schedulers,
};

/// What views ask for that is not an edit of the project. The window answers; a view calls it and knows
/// neither the window nor other views. An edit goes through Document::apply, what is looked at through
/// Selection.
class ViewIntents {
public:
    ViewIntents() = default;
    ViewIntents(const ViewIntents&) = delete;
    ViewIntents& operator=(const ViewIntents&) = delete;
    virtual ~ViewIntents() = default;

    /// Trains the open project. Nothing happens while a run is under way.
    virtual void run() = 0;
    virtual void cancelRun() = 0;

    virtual void showWorkspace(WorkspaceId workspace) = 0;
    /// Opens the timeline at a place of the chosen run, so near that what is there is seen.
    virtual void showInTimeline(const core::SearchHit& place) = 0;
    /// Shows a page of a dock and moves the focus there.
    virtual void showPanel(PanelId panel) = 0;
    /// Shows an option by its path in the project file, "/pipeline/schedule", where it can be changed.
    virtual void showSetting(const QString& pointer) = 0;
    /// Shows the selected layers on the canvas.
    virtual void showSelectedLayers() = 0;
    virtual void openSolver() = 0;

    /// Adds a layer of this Keras class behind the selected one.
    virtual void addLayer(const QString& className) = 0;
    /// Classes that were added last, the latest first; kept from one start of the program to the next.
    [[nodiscard]] virtual QStringList recentLayers() const = 0;
    virtual void keepRecentLayers(const QStringList& classNames) = 0;

    // Asks where to, and writes the file.
    virtual void savePicture(const Picture& picture) = 0;
    /// Asks where to, and writes the target of the open project with the figures that the project sets; the
    /// project uses the file then.
    virtual void saveTarget() = 0;
    /// Asks where to, and writes the cells of a schedule; the project uses the table then.
    virtual void saveScheduleTable(const std::string& cells) = 0;
    /// `name`: of the file, without an ending.
    virtual void saveTable(const QString& name, const QString& csv) = 0;

    /// Asks for a trace of another program, which is then beside the runs (`ProfileSource::reference`).
    virtual void openReference() = 0;

    /// Shows what a figure of the chosen run means and how it is computed: "samples_per_second", as the JSON
    /// of a run names it.
    virtual void explainFigure(const std::string& metric) = 0;
    /// Empty: the runs that the comparison has.
    virtual void compareRuns(const std::vector<core::RunId>& runs) = 0;
    /// Asks first: undo does not bring them back.
    virtual void deleteRuns(const std::vector<core::RunId>& runs) = 0;
    /// Makes the project that a run was made from the open one; undo brings back what was there.
    virtual void restoreProjectOf(core::RunId run) = 0;
    /// Makes the project of a point of a stored sweep the open one; undo brings back what was there.
    virtual void openSweepPoint(std::int64_t sweep, std::int64_t point) = 0;
    /// Compares a point of a stored sweep with the selected run: with the run that is kept of the point, else
    /// with one that is made now. The open project stays as it is.
    virtual void compareSweepPoint(std::int64_t sweep, std::int64_t point) = 0;

    /// Keeps these notes with the run, in place of those it had.
    virtual void storeNotes(core::RunId run, const std::vector<core::NoteRecord>& notes) = 0;
    /// Keeps these questions beside the runs, in place of those that were kept.
    virtual void storeQueries(const std::vector<core::QueryRecord>& queries) = 0;

    /// Says something in the status line; an empty text clears it.
    virtual void notify(ChipTone tone, const QString& text) = 0;
};

} // namespace views
