#pragma once

#include "views/common/text/number_text.h"

#include <QByteArray>
#include <QDateTime>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace app {

/// What the window remembers between starts: the only place of the program that knows QSettings.
class WindowSettings {
public:
    /// The person's own settings; a file where one is given (tests).
    explicit WindowSettings(const QString& file = {});

    /// A project that was open lately, with what the start page says about it.
    struct Recent {
        QString path;
        QDateTime opened;
        bool isPinned = false;
        QString model;
        int stages = 0;
        QString system;
        double samplesPerSecond = 0;
    };

    /// "system", "light", "dark", "high-contrast".
    [[nodiscard]] QString theme() const;
    void setTheme(const QString& name);
    [[nodiscard]] bool forcesHatches() const;
    void setForcesHatches(bool forces);
    [[nodiscard]] views::Units units() const;
    void setUnits(const views::Units& units);
    [[nodiscard]] bool reopensLast() const;
    void setReopensLast(bool reopens);

    [[nodiscard]] QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);
    /// Docks of a workspace; empty where they were never changed.
    [[nodiscard]] QByteArray docks(const QString& workspace) const;
    void setDocks(const QString& workspace, const QByteArray& state);
    /// Whether nothing but the head of a dock is shown; `otherwise` where the person never said so.
    [[nodiscard]] bool isFolded(const QString& dock, bool otherwise) const;
    void setFolded(const QString& dock, bool isFolded);
    void forgetDocks();
    /// Docks of all workspaces under names that the person gave, in the order of the alphabet.
    [[nodiscard]] QStringList layouts() const;
    void keepLayout(const QString& name);
    /// The docks of all workspaces become those of the layout; false: there is none of the name.
    bool takeLayout(const QString& name);
    void forgetLayout(const QString& name);

    /// Pinned ones first, then newest first; at most 40.
    [[nodiscard]] std::vector<Recent> recents() const;
    /// Adds it or brings it to the front.
    void noteRecent(const Recent& recent);
    void forgetRecent(const QString& path);
    void pinRecent(const QString& path, bool isPinned);

    /// Names of templates that come first on the start page.
    [[nodiscard]] QStringList favouriteTemplates() const;
    void setFavouriteTemplates(const QStringList& names);

    [[nodiscard]] QStringList recentLayers() const;
    void setRecentLayers(const QStringList& layers);
    /// Ids of the lessons whose goals were reached.
    [[nodiscard]] QStringList passedLessons() const;
    void notePassedLesson(const QString& id);
    [[nodiscard]] QString folder() const;
    void setFolder(const QString& folder);

    /// Files of unsaved work that a program which still runs, or ran, wrote.
    [[nodiscard]] QStringList recoveryFiles() const;
    void setRecoveryFiles(const QStringList& files);

    /// What a person allowed a project, each a mark of what was asked ("code SHA256 of the library").
    [[nodiscard]] bool isGranted(const QString& mark) const;
    void grant(const QString& mark);

private:
    void writeRecents(const std::vector<Recent>& recents);

    // Reading a value of QSettings is a const matter to whoever asks.
    mutable QSettings m_settings;
};

} // namespace app
