#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace views {

/// Filters that are on, as chips with a ✕. With the focus there, Left and Right go from one to the next, Del
/// takes one away.
class FilterChips final : public QWidget {
    Q_OBJECT

public:
    struct Chip {
        int id = 0;
        QString text;
        QString icon;
    };

    explicit FilterChips(QWidget* parent = nullptr);

    void setChips(std::vector<Chip> chips);

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void removed(int id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] double widthOf(const Chip& chip) const;
    std::vector<Chip> m_chips;
    std::size_t m_focused = 0;
};

} // namespace views
