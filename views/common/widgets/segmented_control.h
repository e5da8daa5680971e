#pragma once

#include <QButtonGroup>
#include <QFrame>
#include <QString>
#include <cstdint>
#include <vector>

class QHBoxLayout;
class QToolButton;

namespace views {

/// A row of buttons of which exactly one is on: a choice that deserves to be seen whole.
class SegmentedControl final : public QFrame {
    Q_OBJECT

public:
    explicit SegmentedControl(const QString& accessibleName, QWidget* parent = nullptr);

    /// `tip` explains; `iconName` may be empty.
    QToolButton* addSegment(const QString& text, const QString& tip = {}, const QString& iconName = {});
    [[nodiscard]] int count() const { return int(m_buttons.size()); }
    [[nodiscard]] int current() const { return m_group.checkedId(); }
    /// Without a signal.
    void setCurrent(int index);
    [[nodiscard]] QToolButton* button(int index) const { return m_buttons[std::size_t(index)]; }
    /// What segments with an icon show.
    enum class Content : std::uint8_t { IconAndText, Text, Icon };
    void setContent(Content content);

signals:
    void chosen(int index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QHBoxLayout* m_layout;
    QButtonGroup m_group;
    std::vector<QToolButton*> m_buttons;
};

} // namespace views
