#pragma once

#include <QFrame>
#include <QString>
#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace views {

/// The 36 px bar above a view: what is shown at the left, legend and search at the right. Its labels give way
/// when there is little space.
class ViewBar final : public QFrame {
    Q_OBJECT

public:
    explicit ViewBar(QWidget* parent = nullptr);

    void add(QWidget* widget, int stretch = 0);
    /// A muted label before a control.
    void addLabel(const QString& text);
    void addStretch();
    QToolButton* addButton(const QString& iconName, const QString& toolTip);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QHBoxLayout* m_layout;
    std::vector<QLabel*> m_labels;
};

/// Filters that are on, as chips with a ✕.
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

private:
    [[nodiscard]] double widthOf(const Chip& chip) const;
    std::vector<Chip> m_chips;
};

} // namespace views
