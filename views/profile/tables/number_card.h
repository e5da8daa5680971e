#pragma once

#include "views/profile/tables/table_content.h"

#include <QFrame>
#include <QString>
#include <optional>
#include <utility>
#include <vector>

class QTextBrowser;

namespace views {

/// The explanation of the number in a cell of the content; nothing where there is none. What a column says in
/// its tooltip explains its numbers where the content says no more.
[[nodiscard]] std::optional<NumberExplanation> explanationOf(const TableContent& content, std::size_t row,
                                                             std::size_t column);
/// As rich text: name, value, meaning, formula, inputs, bound. Inputs that are other cells of the row are
/// links to "column:N", figures of the run to "figure:NAME".
[[nodiscard]] QString numberPage(const TableContent& content, std::size_t row, std::size_t column,
                                 const NumberExplanation& explanation, const Theme& theme);

/// Explains the columns of a content by their titles; others as before.
void explainColumns(TableContent& content, std::vector<std::pair<QString, NumberExplanation>> byTitle);

/// A page beside what it explains, which goes with a click elsewhere or Escape.
class NumberCard final : public QFrame {
    Q_OBJECT

public:
    explicit NumberCard(QWidget* parent);

    void showAt(const QPoint& globalPosition, const QString& page);
    [[nodiscard]] QTextBrowser& page() const { return *m_page; }

signals:
    void linkChosen(const QString& link);

private:
    QTextBrowser* m_page;
};

} // namespace views
