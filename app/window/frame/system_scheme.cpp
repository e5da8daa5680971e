#include "app/window/frame/system_scheme.h"

#include <QApplication>
#include <QPalette>

#ifdef HAS_DESKTOP_PORTAL
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#endif

namespace app {

namespace {

/// What the system wore before the program put on its own palette: asked once, kept for later windows.
views::ThemeKind startKind() {
    static const views::ThemeKind kind = QApplication::palette().color(QPalette::Window).lightness() < 128
                                             ? views::ThemeKind::Dark
                                             : views::ThemeKind::Light;
    return kind;
}

#ifdef HAS_DESKTOP_PORTAL
/// Hears the portal. Qt's D-Bus calls slots by name, with exactly the signal's arguments.
class PortalListener final : public QObject {
    Q_OBJECT

public:
    explicit PortalListener(SystemScheme& scheme)
        : QObject(&scheme)
        , m_scheme(scheme) {
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
            m_scheme.take(key, value.variant());
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
            m_scheme.take(key, value);
        });
    }

    SystemScheme& m_scheme;
};
#endif

} // namespace

SystemScheme::SystemScheme(QObject* parent)
    : QObject(parent)
    , m_start(startKind()) {
    listen();
}

views::ThemeKind SystemScheme::kind() const {
    if (m_wantsContrast)
        return views::ThemeKind::HighContrast;
    if (!m_isDark)
        return m_start;
    return *m_isDark ? views::ThemeKind::Dark : views::ThemeKind::Light;
}

void SystemScheme::take(const QString& key, const QVariant& value) {
    const views::ThemeKind before = kind();
    bool isNumber = false;
    const uint number = value.toUInt(&isNumber);
    if (!isNumber)
        return;
    if (key == QStringLiteral("color-scheme") && number <= 2)
        m_isDark = number == 0 ? std::nullopt : std::optional(number == 1);
    else if (key == QStringLiteral("contrast") && number <= 1)
        m_wantsContrast = number == 1;
    if (kind() != before)
        emit changed();
}

void SystemScheme::listen() {
#ifdef HAS_DESKTOP_PORTAL
    new PortalListener(*this);
#endif
}

} // namespace app

#ifdef HAS_DESKTOP_PORTAL
#include "system_scheme.moc"
#endif
