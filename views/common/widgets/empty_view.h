#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace views {

/// What a view shows that has no data: an icon, what, why, and one button with the next step.
class EmptyView : public QWidget {
    Q_OBJECT

public:
    explicit EmptyView(QWidget* parent = nullptr);

    /// An empty `action` shows no button.
    void setContent(const QString& iconName, const QString& what, const QString& why,
                    const QString& action = {});
    [[nodiscard]] QPushButton* button() const { return m_button; }

signals:
    void actionRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void recolor();

    QString m_iconName;
    QLabel* m_icon;
    QLabel* m_what;
    QLabel* m_why;
    QPushButton* m_button;
};

} // namespace views
