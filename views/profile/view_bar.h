#pragma once

#include "views/profile/tables/filter_chips.h"

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

} // namespace views
