#pragma once

#include "app/window/frame/system_scheme.h"
#include "app/window/frame/window_settings.h"
#include "views/common/theme/theme.h"

#include <QObject>

namespace app {

/// The theme the program wears: what the person chose, else what the system wears, also when that changes.
class Appearance final : public QObject {
    Q_OBJECT

public:
    explicit Appearance(WindowSettings& settings, QObject* parent = nullptr);

    /// "system", "light", "dark", "high-contrast".
    [[nodiscard]] QString choice() const { return m_settings.theme(); }
    void choose(const QString& name);
    [[nodiscard]] bool forcesHatches() const { return m_settings.forcesHatches(); }
    void setForcesHatches(bool forces);

    [[nodiscard]] SystemScheme& system() { return m_system; }

signals:
    void changed();

private:
    void apply();

    WindowSettings& m_settings;
    SystemScheme m_system;
    double m_scale;
};

} // namespace app
