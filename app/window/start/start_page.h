#pragma once

#include "app/window/frame/window_settings.h"
#include "app/window/start/example_list.h"
#include "app/window/start/recovery.h"
#include "views/document/latest_runner.h"

#include <QFrame>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace views {
class ContentModel;
class NoticeBar;
class TablePanel;
} // namespace views

namespace app {

class ProjectCard;

/// What is in the window while no project is open: recent projects, import, templates, examples, and the
/// unsaved work of a crash above everything.
class StartPage final : public QFrame {
    Q_OBJECT

public:
    StartPage(WindowSettings& settings, Recovery& recovery, QWidget* parent = nullptr);

    /// Reads recents and unsaved work again.
    void refresh();
    [[nodiscard]] const std::vector<Example>& examples() const { return m_examples; }
    /// One for each lesson, in their order.
    [[nodiscard]] const std::vector<QPushButton*>& lessonButtons() const { return m_lessonButtons; }
    [[nodiscard]] const std::vector<ProjectCard*>& exampleCards() const { return m_exampleCards; }
    /// In the order in which they are shown: favourites first.
    [[nodiscard]] std::vector<ProjectCard*> templateCards() const;

signals:
    void newRequested();
    void openRequested();
    void importRequested();
    void helpRequested();
    void settingsRequested();
    void projectChosen(const QString& path);
    /// A lesson by its place in the table.
    void lessonChosen(std::size_t lesson);
    void tourRequested();
    void exampleChosen(const QString& path, bool runsAtOnce);
    void templateChosen(const QString& name);
    void restoreRequested(const app::UnsavedWork& work);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeSide();
    QWidget* makeRecents();
    QWidget* makeImport();
    void makeLessons(QVBoxLayout& page);
    void showLessons();
    void makeExamples(QVBoxLayout& page);
    void makeTemplates(QVBoxLayout& page);
    void layCards();
    void chooseFavourite(const QString& name, bool isFavourite);
    void drawCards();
    void showRecovery();

    WindowSettings& m_settings;
    Recovery& m_recovery;
    std::vector<WindowSettings::Recent> m_recents;
    std::vector<Example> m_examples;
    views::NoticeBar* m_notice = nullptr;
    QVBoxLayout* m_page = nullptr;
    QWidget* m_recentRow = nullptr;
    /// In the page, while nothing was opened yet.
    int m_placeOfNoRecents = 0;
    views::TablePanel* m_recentTable = nullptr;
    QLabel* m_noRecents = nullptr;
    QGridLayout* m_lessonGrid = nullptr;
    std::vector<QPushButton*> m_lessonButtons;
    QGridLayout* m_exampleGrid = nullptr;
    QGridLayout* m_templateGrid = nullptr;
    std::vector<ProjectCard*> m_exampleCards;
    std::vector<ProjectCard*> m_templateCards;
    bool m_isDrawn = false;
    views::LatestRunner m_drawing;
};

} // namespace app
