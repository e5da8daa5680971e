#pragma once

#include <QDialog>

namespace app {

class MainWindow;

/// The person's choices: theme, hatches, units, what happens at the start. Each takes effect at once.
class SettingsDialog final : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(MainWindow& window);
};

} // namespace app
