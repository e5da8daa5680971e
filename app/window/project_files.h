#pragma once

#include "app/window/dialogs/dialogs.h"
#include "app/window/file_watch.h"
#include "app/window/frame/window_settings.h"
#include "app/window/start/recovery.h"
#include "views/common/widgets/chip.h"
#include "views/document/document.h"

#include <QObject>
#include <QTemporaryDir>
#include <filesystem>
#include <functional>

namespace app {

/// Opens, saves and leaves projects: the document's way from and to files. Whatever would lose unsaved
/// changes asks first.
class ProjectFiles final : public QObject {
    Q_OBJECT

public:
    ProjectFiles(views::Document& document, WindowSettings& settings, Recovery& recovery, Dialogs& dialogs,
                 QObject* parent = nullptr);

    // Each answers whether it was done; what kept it from being done comes with `failed`.
    /// Asks first where unsaved work of it was left behind.
    bool open(const std::filesystem::path& path);
    bool openByDialog();
    /// An example: a copy without a file, so that nothing changes it.
    bool openCopy(const std::filesystem::path& path);
    bool newEmpty();
    bool newFromTemplate(const std::string& name, const core::Json& arguments = core::Json::object());
    /// A project that `make` gives; `failure` says what could not be done.
    bool newMade(const QString& failure, const std::function<core::Result<core::Project>()>& make);
    /// A project around a model of another program (Keras, ONNX, a Python program).
    bool importModel(const std::filesystem::path& path);
    bool importByDialog();
    /// Unsaved work of a crash becomes the open project, unsaved.
    bool restore(const UnsavedWork& work);
    bool save();
    bool saveAs();
    /// What the file says; asks first.
    bool revert();
    bool close();
    /// Asks about unsaved changes; false: stay.
    bool mayLeave();

    // When another program changed the file of the open project:
    /// Asks which of the two stays, and shows what is different.
    bool settleChange() { return settle(false); }
    /// What this window holds stays; saving replaces the file without another question.
    bool keepMine();
    /// What the file holds becomes a step of the history, which undo takes back.
    bool takeTheirs();
    [[nodiscard]] FileWatch& watch() { return m_watch; }

    /// Where the runs of the present project are stored: beside its file; in a temporary folder until it has
    /// one.
    [[nodiscard]] std::filesystem::path database() const;

signals:
    void failed(const QString& what, const core::Diagnostics& why);
    void noticed(views::ChipTone tone, const QString& text);
    /// Unsaved work was given up or saved: nothing to recover.
    void settled();
    /// Another program changed the project's file, or took it away.
    void changedOnDisk(bool isMissing);
    /// The question about it is answered.
    void changeSettled();

private:
    using Loader = std::function<core::Result<core::Project>(core::Diagnostics& warnings)>;
    bool show(const QString& what, const Loader& load, const std::filesystem::path& path,
              const std::filesystem::path& folder);
    [[nodiscard]] bool hasLeftBehind(const std::filesystem::path& path, bool& isOpened);
    bool saveTo(const std::filesystem::path& path);
    bool settle(bool isSaving);
    void noticeChange();
    void keepRuns(const std::filesystem::path& path);
    void noteRecent();

    views::Document& m_document;
    WindowSettings& m_settings;
    Recovery& m_recovery;
    Dialogs& m_dialogs;
    FileWatch m_watch;
    /// Named after this process, so that the next one takes it away when this one dies.
    QTemporaryDir m_scratch;
    int m_unsavedCount = 0;
};

/// "resnet50.ipuproj" of a path.
[[nodiscard]] QString fileName(const std::filesystem::path& path);

} // namespace app
