#pragma once

#include "views/common/theme/theme.h"

#include <QFrame>
#include <QString>
#include <vector>

namespace views {

/// What a tooltip of a painted view says: a title, rows of name and value, and a muted last line.
struct ToolTipContent {
    struct Row {
        QString name;
        QString value;
        bool operator==(const Row&) const = default;
    };
    QString title;
    std::vector<Row> rows;
    QString footer;

    [[nodiscard]] bool isEmpty() const { return title.isEmpty() && rows.empty(); }
    bool operator==(const ToolTipContent&) const = default;
};

/// Size of the card for this content, at most `maximumWidth` wide.
[[nodiscard]] QSizeF toolTipSize(const ToolTipContent& content, double maximumWidth, const Theme& theme);
void paintToolTip(QPainter& painter, const QRectF& rect, const ToolTipContent& content, const Theme& theme);

/// The rectangle of a card of `size` so that it is inside `area` and does not cover `anchor`: below right of
/// the mouse, flipped at the edges.
[[nodiscard]] QRectF toolTipPlace(const QPointF& anchor, const QSizeF& size, const QRectF& area);

/// The tooltip of a painted view: a child of the view that follows the mouse without delay. `pin` leaves a
/// copy of the present card on the view, with a ✕ (Alt+click).
class ToolTipCard final : public QFrame {
    Q_OBJECT

public:
    explicit ToolTipCard(QWidget* view);

    /// Shows `content` beside `anchor` (in the view's coordinates); empty content hides the card.
    void showAt(const QPointF& anchor, const ToolTipContent& content);
    void pin();
    /// Takes away the copies that are pinned on the view; false where there are none.
    bool dismissPinned();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    ToolTipContent m_content;
    bool m_isPinned = false;
};

} // namespace views
