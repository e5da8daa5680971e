#pragma once

#include "app/window/dialogs/dialogs.h"
#include "app/window/frame/window_settings.h"
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
    ProjectFiles(views::Document& document, WindowSettings& settings, Dialogs& dialogs,
                 QObject* parent = nullptr);

    // Each answers whether it was done; what kept it is told by `failed`.
    bool open(const std::filesystem::path& path);
    bool openByDialog();
    /// An example: a copy without a file, so that nothing changes it.
    bool openCopy(const std::filesystem::path& path);
    bool newEmpty();
    bool newFromTemplate(const std::string& name);
    /// A project around a model of another program (Keras, ONNX, a Python program).
    bool importModel(const std::filesystem::path& path);
    bool importByDialog();
    /// A project that stands in no file, or in another than where it came from: unsaved work of a crash, the
    /// project of a stored run.
    bool openText(const std::string& text, const std::filesystem::path& path, const QString& what);
    bool save();
    bool saveAs();
    /// What the file says; asks first.
    bool revert();
    bool close();
    /// Asks about unsaved changes; false: stay.
    bool mayLeave();

    /// Where the runs of the present project are stored: beside its file; in a temporary folder until it has
    /// one.
    [[nodiscard]] std::filesystem::path database() const;

signals:
    void failed(const QString& what, const core::Diagnostics& why);
    void told(views::ChipTone tone, const QString& text);
    /// Unsaved work was given up or saved: nothing to recover.
    void settled();

private:
    using Loader = std::function<core::Result<core::Project>(core::Diagnostics& warnings)>;
    bool show(const QString& what, const Loader& load, const std::filesystem::path& path,
              const std::filesystem::path& folder);
    bool saveTo(const std::filesystem::path& path);
    void keepRuns(const std::filesystem::path& path);
    void noteRecent();

    views::Document& m_document;
    WindowSettings& m_settings;
    Dialogs& m_dialogs;
    QTemporaryDir m_scratch;
    int m_unsavedCount = 0;
};

/// "resnet50.ipuproj" of a path.
[[nodiscard]] QString fileName(const std::filesystem::path& path);

} // namespace app
