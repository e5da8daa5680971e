#pragma once

#include "core/profile/records/project_difference.h"

#include <QDateTime>
#include <QDialog>

namespace views {
class TablePanel;
}

namespace app {

/// The file of the open project that another program has changed.
struct ChangedFile {
    QString name;
    /// Of the file now.
    QDateTime changed;
    /// It was noticed because the person saves, so keeping one's own replaces the file at once.
    bool isSaving = false;
    /// From the window's project to the file's. `trouble` says that the file cannot be read as a project.
    core::ProjectDifference difference;
};

/// Asks which of two projects stays, and shows what is different between them.
class ChangedFileDialog final : public QDialog {
    Q_OBJECT

public:
    enum class Choice : std::uint8_t { Cancel, KeepMine, TakeTheirs };

    explicit ChangedFileDialog(const ChangedFile& file, QWidget* parent = nullptr);

    [[nodiscard]] Choice choice() const { return m_choice; }
    /// What is different, one row each: a setting or a layer, here and in the file.
    [[nodiscard]] views::TablePanel& table() const { return *m_table; }

private:
    Choice m_choice = Choice::Cancel;
    views::TablePanel* m_table;
};

} // namespace app
