#pragma once

#include <QFrame>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace app {

/// A part of the window and what it is for.
struct TourStep {
    QString title;
    /// May hold <b>.
    QString text;
    /// The part, made visible; null where there is none now, which leaves the card in the middle.
    std::function<QWidget*()> show;
};

/// A walk over the window: everything but one part at a time is dimmed, and a card beside that part says what
/// it is for. The part itself stays in use. Enter and the right arrow go on, the left arrow goes back, Esc
/// leaves.
class Tour final : public QWidget {
    Q_OBJECT

public:
    Tour(std::vector<TourStep> steps, QWidget& window);

    [[nodiscard]] std::size_t step() const { return m_step; }
    [[nodiscard]] std::size_t count() const { return m_steps.size(); }
    [[nodiscard]] QString text() const;
    /// The part that is explained, in the window's coordinates; empty where there is none.
    [[nodiscard]] QRect spotlight() const { return m_spot; }
    [[nodiscard]] QFrame& card() const { return *m_card; }
    /// After the last step it ends.
    void goOn();
    void goBack();
    void leave();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showStep();
    void place();

    std::vector<TourStep> m_steps;
    std::size_t m_step = 0;
    QWidget* m_part = nullptr;
    QRect m_spot;
    QFrame* m_card;
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_count;
    QPushButton* m_back;
    QPushButton* m_next;
};

} // namespace app
