#pragma once

#include "app/window/dialogs/information.h"

#include <QDialog>

class QLineEdit;
class QTextBrowser;

namespace app {

/// The sheet of shortcuts with a field that narrows it by key or meaning.
class ShortcutSheet final : public QDialog {
    Q_OBJECT

public:
    ShortcutSheet(const ShortcutSources& sources, QWidget* parent);

    [[nodiscard]] QLineEdit& search() const { return *m_search; }
    /// What is shown, as plain text.
    [[nodiscard]] QString text() const;

private:
    void fill();

    std::vector<ShortcutGroup> m_groups;
    QLineEdit* m_search;
    QTextBrowser* m_text;
};

} // namespace app
