#pragma once

#include <QString>
#include <QVariant>
#include <functional>

class QObject;

namespace app {

/// A setting of the namespace org.freedesktop.appearance, "color-scheme" or "contrast", and its value.
using TakeSetting = std::function<void(const QString& key, const QVariant& value)>;

/// Asks the settings portal of the desktop for the settings that look is made of, and hears when they change
/// as long as `owner` lives. Nothing is told where there is no portal.
void followSettingsPortal(QObject& owner, TakeSetting take);

} // namespace app
