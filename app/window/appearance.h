#pragma once

#include "app/window/window_settings.h"
#include "views/common/theme.h"

#include <QObject>

namespace app {

/// The theme the program wears: what the person chose, else what the system wears.
class Appearance final : public QObject {
    Q_OBJECT

public:
    explicit Appearance(WindowSettings& settings, QObject* parent = nullptr);

    /// "system", "light", "dark", "high-contrast".
    [[nodiscard]] QString choice() const { return m_settings.theme(); }
    void choose(const QString& name);
    [[nodiscard]] bool forcesHatches() const { return m_settings.forcesHatches(); }
    void setForcesHatches(bool forces);

signals:
    void changed();

private:
    void apply();

    WindowSettings& m_settings;
    views::ThemeKind m_systemKind;
    double m_scale;
};

} // namespace app
