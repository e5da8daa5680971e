#pragma once

#include "app/services/lessons/lesson.h"
#include "views/document/document.h"

#include <QFrame>
#include <functional>
#include <optional>

class QLabel;
class QPushButton;

namespace app {

class WindowSettings;

/// A lesson that is being taken: above the workspace, so that it stays while one looks around. Its goals are
/// checked with every estimate; hints come one by one, and the reference solution is an edit that undo takes
/// back. Another project ends it.
class LessonStrip final : public QFrame {
    Q_OBJECT

public:
    /// Shows the project that `make` gives, and asks about unsaved changes first; `failure` says what could
    /// not be done.
    using Opener =
        std::function<bool(const QString& failure, const std::function<core::Result<core::Project>()>& make)>;

    LessonStrip(views::Document& document, Opener open, WindowSettings& settings, QWidget* parent = nullptr);

    /// Opens the project of the lesson at this place of the table. False where that was refused.
    bool begin(std::size_t lesson);
    /// The first lesson that was not passed yet; the first of all when every one was.
    bool beginNext();
    void leave();

    [[nodiscard]] std::optional<std::size_t> current() const { return m_current; }
    /// What the checker says of the present plan; nothing while its figures are worked out.
    [[nodiscard]] const std::optional<LessonResult>& result() const { return m_result; }
    /// What is said beside the title.
    [[nodiscard]] QString text() const;
    /// The goals in one line, without marks.
    [[nodiscard]] QString goalText() const;

signals:
    void passed(std::size_t lesson);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showHint();
    void showSolution();
    void startAgain();
    void goOn();
    void check();
    void showState();
    [[nodiscard]] QString goalRow() const;

    views::Document& m_document;
    Opener m_open;
    WindowSettings& m_settings;
    std::optional<std::size_t> m_current;
    core::Project m_start;
    std::optional<LessonResult> m_result;
    std::size_t m_hints = 0;
    bool m_isOpening = false;
    QLabel* m_title = nullptr;
    QLabel* m_text = nullptr;
    QLabel* m_goals = nullptr;
    QPushButton* m_hint = nullptr;
    QPushButton* m_solution = nullptr;
    QPushButton* m_next = nullptr;
};

/// "Slowest stage over the fastest 13.3, at most 1.25".
[[nodiscard]] QString lessonGoalText(const LessonResult::Goal& goal, const views::Units& units);

} // namespace app
