#include "views/common/theme/icons.h"

#include "views/common/theme/widget_theme.h"

#include <QDir>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QPointer>
#include <QSvgRenderer>
#include <QWidget>
#include <cmath>
#include <map>
#include <memory>

namespace views {

namespace {

const QString folder = QStringLiteral(":/icons/");

QByteArray drawing(const QString& name) {
    static std::map<QString, QByteArray> drawings;
    const auto found = drawings.find(name);
    if (found != drawings.end())
        return found->second;
    QFile file(folder + name + QStringLiteral(".svg"));
    const QByteArray text = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    drawings.emplace(name, text);
    return text;
}

/// One renderer per drawing and colour; renderers are a few kilobytes and there are few colours.
QSvgRenderer* renderer(const QString& name, const QColor& color) {
    static std::map<std::pair<QString, QRgb>, std::unique_ptr<QSvgRenderer>> renderers;
    std::unique_ptr<QSvgRenderer>& entry = renderers[{name, color.rgba()}];
    if (!entry) {
        QByteArray text = drawing(name);
        text.replace("currentColor", color.name().toLatin1());
        entry = std::make_unique<QSvgRenderer>(text);
    }
    return entry->isValid() ? entry.get() : nullptr;
}

class RoleIconEngine final : public QIconEngine {
public:
    RoleIconEngine(const QWidget* widget, QString name, Role role, Role roleOn)
        : m_widget(widget)
        , m_name(std::move(name))
        , m_role(role)
        , m_roleOn(roleOn) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const double side = std::min(rect.width(), rect.height());
        const QRectF square(rect.center().x() + 0.5 - side / 2, rect.center().y() + 0.5 - side / 2, side,
                            side);
        paintIcon(*painter, square, m_name, color(mode, state));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return iconPixmap(m_name, color(mode, state), std::min(size.width(), size.height()), 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        const int side = std::min(size.width(), size.height());
        return iconPixmap(m_name, color(mode, state), static_cast<int>(std::lround(side / scale)), scale);
    }

    QIconEngine* clone() const override { return new RoleIconEngine(*this); }

private:
    [[nodiscard]] QColor color(QIcon::Mode mode, QIcon::State state) const {
        const Role role = mode == QIcon::Disabled ? Role::Disabled : state == QIcon::On ? m_roleOn : m_role;
        return themeOf(m_widget).color(role);
    }

    QPointer<const QWidget> m_widget;
    QString m_name;
    Role m_role;
    Role m_roleOn;
};

} // namespace

QStringList iconNames() {
    QStringList names;
    for (const QString& file : QDir(folder).entryList({"*.svg"}, QDir::Files, QDir::Name))
        names.append(file.chopped(4));
    return names;
}

QPixmap iconPixmap(const QString& name, const QColor& color, int size, double devicePixelRatio) {
    const QString key =
        QStringLiteral("icon/%1/%2/%3/%4").arg(name, color.name()).arg(size).arg(devicePixelRatio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QSvgRenderer* svg = renderer(name, color);
    if (svg == nullptr)
        return {};
    const int pixels = static_cast<int>(std::ceil(size * devicePixelRatio));
    pixmap = QPixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    svg->render(&painter, QRectF(0, 0, pixels, pixels));
    painter.end();
    pixmap.setDevicePixelRatio(devicePixelRatio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

void paintIcon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color) {
    if (QSvgRenderer* svg = renderer(name, color))
        svg->render(&painter, rect);
}

QIcon icon(const QWidget* widget, const QString& name, Role role) {
    return icon(widget, name, role, role);
}

QIcon icon(const QWidget* widget, const QString& name, Role role, Role roleOn) {
    return QIcon(new RoleIconEngine(widget, name, role, roleOn));
}

QIcon programIcon() {
    return QIcon(folder + QStringLiteral("ipu-workbench.svg"));
}

} // namespace views
