#include "app/window/frame/window_settings.h"

#include <QFile>
#include <QTemporaryDir>
#include <QUrl>
#include <algorithm>
#include <filesystem>

namespace app {

namespace {

constexpr std::size_t recentLimit = 40;

/// None for a FIFO or a device, which would be waited for: settings are then those of this window alone.
QString readable(const QString& file) {
    const std::filesystem::path path = file.toStdString();
    std::error_code error;
    const bool isPlain = !std::filesystem::exists(path, error) ||
                         std::filesystem::is_regular_file(path, error) ||
                         std::filesystem::is_directory(path, error);
    return isPlain ? file : QString();
}

/// The INI format of Qt, read and written through a file of its own: QSettings hands over its new file
/// without looking whether its last bytes could be written, so that a full disk would take the place of the
/// settings.
class FlushedFormat {
public:
    static QSettings::Format format() {
        static const QSettings::Format registered =
            QSettings::registerFormat(QStringLiteral("ini"), read, write, Qt::CaseSensitive);
        return registered;
    }

private:
    static bool read(QIODevice& device, QSettings::SettingsMap& values) {
        const QTemporaryDir folder;
        QFile file(folder.filePath("settings.ini"));
        const QByteArray bytes = device.readAll();
        if (!folder.isValid() || !file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() ||
            !file.flush())
            return false;
        const QSettings stored(file.fileName(), QSettings::IniFormat);
        for (const QString& key : stored.allKeys())
            values.insert(key, stored.value(key));
        return stored.status() == QSettings::NoError;
    }

    static bool write(QIODevice& device, const QSettings::SettingsMap& values) {
        const QTemporaryDir folder;
        QFile file(folder.filePath("settings.ini"));
        {
            QSettings stored(file.fileName(), QSettings::IniFormat);
            for (auto value = values.begin(); value != values.end(); ++value)
                stored.setValue(value.key(), value.value());
        }
        if (!folder.isValid() || !file.open(QIODevice::ReadOnly))
            return false;
        const QByteArray bytes = file.readAll();
        QSettings::SettingsMap written;
        if (!file.reset() || !read(file, written) || written.size() != values.size())
            return false;
        auto* target = qobject_cast<QFileDevice*>(&device);
        return device.write(bytes) == bytes.size() && (target == nullptr || target->flush());
    }
};

} // namespace

WindowSettings::WindowSettings(const QString& file)
    : m_settings(readable(file.isEmpty() ? QSettings().fileName() : file), FlushedFormat::format()) {}

QString WindowSettings::theme() const {
    return m_settings.value("look/theme", "system").toString();
}
void WindowSettings::setTheme(const QString& name) {
    m_settings.setValue("look/theme", name);
}

bool WindowSettings::forcesHatches() const {
    return m_settings.value("look/hatches", false).toBool();
}
void WindowSettings::setForcesHatches(bool forces) {
    m_settings.setValue("look/hatches", forces);
}

views::Units WindowSettings::units() const {
    views::Units units;
    units.time = views::TimeUnit(std::clamp(m_settings.value("units/time", 0).toInt(), 0, 2));
    units.bytes = views::ByteUnit(std::clamp(m_settings.value("units/bytes", 0).toInt(), 0, 2));
    return units;
}
void WindowSettings::setUnits(const views::Units& units) {
    m_settings.setValue("units/time", int(units.time));
    m_settings.setValue("units/bytes", int(units.bytes));
}

bool WindowSettings::reopensLast() const {
    return m_settings.value("start/reopen", false).toBool();
}
void WindowSettings::setReopensLast(bool reopens) {
    m_settings.setValue("start/reopen", reopens);
}

QByteArray WindowSettings::geometry() const {
    return m_settings.value("window/geometry").toByteArray();
}
void WindowSettings::setGeometry(const QByteArray& geometry) {
    m_settings.setValue("window/geometry", geometry);
}

QByteArray WindowSettings::docks(const QString& workspace) const {
    return m_settings.value("docks/" + workspace).toByteArray();
}
void WindowSettings::setDocks(const QString& workspace, const QByteArray& state) {
    m_settings.setValue("docks/" + workspace, state);
}
bool WindowSettings::isFolded(const QString& dock, bool otherwise) const {
    return m_settings.value("folded/" + dock, otherwise).toBool();
}
void WindowSettings::setFolded(const QString& dock, bool isFolded) {
    m_settings.setValue("folded/" + dock, isFolded);
}
void WindowSettings::forgetDocks() {
    m_settings.remove("docks");
    m_settings.remove("folded");
}

namespace {

constexpr const char* dockGroups[]{"docks", "folded"};

/// A name may hold what divides groups.
QString layoutKey(const QString& name) {
    return QStringLiteral("layouts/") + QString::fromLatin1(QUrl::toPercentEncoding(name));
}

/// Everything below a group, under another.
void copyGroup(QSettings& settings, const QString& from, const QString& to) {
    settings.remove(to);
    settings.beginGroup(from);
    std::vector<std::pair<QString, QVariant>> values;
    for (const QString& key : settings.allKeys())
        values.emplace_back(key, settings.value(key));
    settings.endGroup();
    for (const auto& [key, value] : values)
        settings.setValue(to + u'/' + key, value);
}

} // namespace

QStringList WindowSettings::layouts() const {
    m_settings.beginGroup("layouts");
    QStringList names;
    for (const QString& key : m_settings.childGroups())
        names << QUrl::fromPercentEncoding(key.toLatin1());
    m_settings.endGroup();
    names.sort(Qt::CaseInsensitive);
    return names;
}
void WindowSettings::keepLayout(const QString& name) {
    for (const char* group : dockGroups)
        copyGroup(m_settings, QString::fromLatin1(group),
                  layoutKey(name) + u'/' + QString::fromLatin1(group));
}
bool WindowSettings::takeLayout(const QString& name) {
    if (!layouts().contains(name))
        return false;
    for (const char* group : dockGroups)
        copyGroup(m_settings, layoutKey(name) + u'/' + QString::fromLatin1(group),
                  QString::fromLatin1(group));
    return true;
}
void WindowSettings::forgetLayout(const QString& name) {
    m_settings.remove(layoutKey(name));
}

std::vector<WindowSettings::Recent> WindowSettings::recents() const {
    std::vector<Recent> recents;
    // The number is in a file that anybody may have written.
    const int count = std::min(m_settings.beginReadArray("recent"), int(recentLimit));
    for (int i = 0; i < count; ++i) {
        m_settings.setArrayIndex(i);
        recents.push_back({m_settings.value("path").toString(), m_settings.value("opened").toDateTime(),
                           m_settings.value("pinned").toBool(), m_settings.value("model").toString(),
                           m_settings.value("stages").toInt(), m_settings.value("system").toString(),
                           m_settings.value("samplesPerSecond").toDouble()});
    }
    m_settings.endArray();
    std::stable_sort(recents.begin(), recents.end(), [](const Recent& a, const Recent& b) {
        return a.isPinned != b.isPinned ? a.isPinned : a.opened > b.opened;
    });
    return recents;
}

void WindowSettings::writeRecents(const std::vector<Recent>& recents) {
    m_settings.remove("recent");
    m_settings.beginWriteArray("recent", int(std::min(recents.size(), recentLimit)));
    for (std::size_t i = 0; i < std::min(recents.size(), recentLimit); ++i) {
        m_settings.setArrayIndex(int(i));
        m_settings.setValue("path", recents[i].path);
        m_settings.setValue("opened", recents[i].opened);
        m_settings.setValue("pinned", recents[i].isPinned);
        m_settings.setValue("model", recents[i].model);
        m_settings.setValue("stages", recents[i].stages);
        m_settings.setValue("system", recents[i].system);
        m_settings.setValue("samplesPerSecond", recents[i].samplesPerSecond);
    }
    m_settings.endArray();
}

void WindowSettings::noteRecent(const Recent& recent) {
    std::vector<Recent> all = recents();
    Recent noted = recent;
    const auto same = [&](const Recent& other) { return other.path == recent.path; };
    if (const auto old = std::find_if(all.begin(), all.end(), same); old != all.end()) {
        noted.isPinned = old->isPinned;
        all.erase(old);
    }
    all.insert(all.begin(), noted);
    writeRecents(all);
}

void WindowSettings::forgetRecent(const QString& path) {
    std::vector<Recent> all = recents();
    std::erase_if(all, [&](const Recent& recent) { return recent.path == path; });
    writeRecents(all);
}

void WindowSettings::pinRecent(const QString& path, bool isPinned) {
    std::vector<Recent> all = recents();
    for (Recent& recent : all) {
        if (recent.path == path)
            recent.isPinned = isPinned;
    }
    writeRecents(all);
}

QStringList WindowSettings::favouriteTemplates() const {
    return m_settings.value("templates/favourites").toStringList();
}
void WindowSettings::setFavouriteTemplates(const QStringList& names) {
    m_settings.setValue("templates/favourites", names);
}

QStringList WindowSettings::recentLayers() const {
    return m_settings.value("palette/recent").toStringList();
}
void WindowSettings::setRecentLayers(const QStringList& layers) {
    m_settings.setValue("palette/recent", layers);
}

QStringList WindowSettings::passedLessons() const {
    return m_settings.value("lessons/passed").toStringList();
}
void WindowSettings::notePassedLesson(const QString& id) {
    QStringList passed = passedLessons();
    if (!passed.contains(id))
        m_settings.setValue("lessons/passed", passed << id);
}

QString WindowSettings::folder() const {
    return m_settings.value("files/folder").toString();
}
void WindowSettings::setFolder(const QString& folder) {
    m_settings.setValue("files/folder", folder);
}

QStringList WindowSettings::recoveryFiles() const {
    m_settings.sync();
    return m_settings.value("recovery/files").toStringList();
}
void WindowSettings::setRecoveryFiles(const QStringList& files) {
    m_settings.setValue("recovery/files", files);
    m_settings.sync();
}

bool WindowSettings::isGranted(const QString& mark) const {
    return m_settings.value("grants/marks").toStringList().contains(mark);
}
void WindowSettings::grant(const QString& mark) {
    QStringList marks = m_settings.value("grants/marks").toStringList();
    if (marks.contains(mark))
        return;
    m_settings.setValue("grants/marks", marks << mark);
    m_settings.sync();
}

} // namespace app
