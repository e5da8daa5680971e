#pragma once

#include "views/common/theme/theme.h"

#include <QObject>
#include <QVariant>
#include <optional>

namespace app {

/// What the system wears, now and as it changes: what its palette said at the start, then what the settings
/// portal of the desktop says, where there is one.
class SystemScheme final : public QObject {
    Q_OBJECT

public:
    explicit SystemScheme(QObject* parent = nullptr);

    [[nodiscard]] views::ThemeKind kind() const;

    /// A setting of the portal's namespace org.freedesktop.appearance: "color-scheme" (0 no preference, 1
    /// dark, 2 light) or "contrast" (1 more). Other keys and values are ignored.
    void take(const QString& key, const QVariant& value);

signals:
    void changed();

private:
    views::ThemeKind m_start;
    std::optional<bool> m_isDark;
    bool m_wantsContrast = false;
};

} // namespace app
