#pragma once

#include <QDialog>

namespace views {
class Document;
}

namespace app {

class Appearance;
class WindowSettings;
class Workspaces;

/// The person's choices: theme, hatches, units, what happens at the start. Each takes effect at once.
class SettingsDialog final : public QDialog {
    Q_OBJECT

public:
    SettingsDialog(Appearance& appearance, WindowSettings& settings, views::Document& document,
                   Workspaces& workspaces, QWidget* parent);
};

} // namespace app
