#pragma once

#include "app/services/catalogue/export_document.h"
#include "app/window/dialogs/dialogs.h"
#include "app/window/frame/window_settings.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/picture_export.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_source.h"

#include <QObject>
#include <QThreadPool>
#include <functional>

namespace app {

/// Writes the project and the chosen run into files of other programs: whatever the verbs `export` and
/// `render` write. Texts are made and written on a worker, pictures are drawn here.
class Exports final : public QObject {
    Q_OBJECT

public:
    Exports(const views::Document& document, const views::Selection& selection,
            const views::ProfileSource& source, WindowSettings& settings, Dialogs& dialogs,
            QObject* parent = nullptr);
    ~Exports() override;

    /// A format that takes projects, and one of its variants.
    void writeProject(const ExportFormat& format, const std::string& variant);
    /// The same of a format that takes runs.
    void writeRun(const ExportFormat& format, const std::string& variant);
    /// A name of `runPictures()`.
    void writePicture(const QString& view);
    void writeSchedulePicture();

    // What views hand over as it stands on the screen.
    void save(const views::Picture& picture);
    void saveTable(const QString& name, const QString& csv);

    [[nodiscard]] bool isBusy() const { return m_busy > 0; }

signals:
    void failed(const QString& what, const core::Diagnostics& why);
    void noticed(views::ChipTone tone, const QString& text);

private:
    using Maker = std::function<core::Result<std::string>()>;
    /// `name` without an ending; `kind` of QFileDialog, "CSV (*.csv)".
    void write(const QString& name, const QString& suffix, const QString& kind, Maker make);
    [[nodiscard]] QString proposal(const QString& name, const QString& suffix) const;
    [[nodiscard]] QString runName(const QString& what) const;
    void keepFolder(const QString& path);

    const views::Document& m_document;
    const views::Selection& m_selection;
    const views::ProfileSource& m_source;
    WindowSettings& m_settings;
    Dialogs& m_dialogs;
    QThreadPool m_pool;
    int m_busy = 0;
};

/// Everything that File > Export offers, in its order: one action each. An empty `id` is a line.
struct ExportEntry {
    QString id;
    /// Below "File/Export".
    QString menu;
    QString text;
    /// Of a run, else of the project.
    bool ofRun = false;
    std::function<void(Exports&)> write;
};
[[nodiscard]] std::vector<ExportEntry> exportEntries();

} // namespace app
