#include "app/platform/settings_portal.h"

#include <QObject>

#ifdef HAS_DESKTOP_PORTAL
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#endif

namespace app {

#ifdef HAS_DESKTOP_PORTAL
namespace {

/// Hears the portal. Qt's D-Bus calls slots by name, with exactly the signal's arguments.
class PortalListener final : public QObject {
    Q_OBJECT

public:
    PortalListener(QObject& owner, TakeSetting take)
        : QObject(&owner)
        , m_take(std::move(take)) {
        QDBusConnection bus = QDBusConnection::sessionBus();
        if (!bus.isConnected())
            return;
        bus.connect(service(), path(), interface(), QStringLiteral("SettingChanged"), this,
                    SLOT(hear(QString, QString, QDBusVariant)));
        for (const char* key : {"color-scheme", "contrast"})
            ask(bus, QString::fromLatin1(key));
    }

public slots:
    void hear(const QString& space, const QString& key, const QDBusVariant& value) {
        if (space == appearance())
            m_take(key, value.variant());
    }

private:
    static QString service() { return QStringLiteral("org.freedesktop.portal.Desktop"); }
    static QString path() { return QStringLiteral("/org/freedesktop/portal/desktop"); }
    static QString interface() { return QStringLiteral("org.freedesktop.portal.Settings"); }
    static QString appearance() { return QStringLiteral("org.freedesktop.appearance"); }

    void ask(const QDBusConnection& bus, const QString& key) {
        QDBusMessage question =
            QDBusMessage::createMethodCall(service(), path(), interface(), QStringLiteral("Read"));
        question << appearance() << key;
        auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(question), this);
        connect(answer, &QDBusPendingCallWatcher::finished, this, [this, key](QDBusPendingCallWatcher* call) {
            call->deleteLater();
            const QDBusPendingReply<QDBusVariant> reply = *call;
            if (!reply.isValid())
                return;
            // `Read` wraps the value twice.
            QVariant value = reply.value().variant();
            if (value.canConvert<QDBusVariant>())
                value = value.value<QDBusVariant>().variant();
            m_take(key, value);
        });
    }

    TakeSetting m_take;
};

} // namespace

void followSettingsPortal(QObject& owner, TakeSetting take) {
    new PortalListener(owner, std::move(take));
}
#else
void followSettingsPortal(QObject& /*owner*/, TakeSetting /*take*/) {}
#endif

} // namespace app

#ifdef HAS_DESKTOP_PORTAL
#include "settings_portal.moc"
#endif
