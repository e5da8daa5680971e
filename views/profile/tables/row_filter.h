#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

namespace views {

/// What rows of a table must hold, as one types it; every part must be met:
///
///     conv            some cell holds it, in any case
///     "weight update" with its space
///     /conv[0-9]+$/   a regular expression finds something in a cell
///     kind:matmul     a cell of the column holds it; kind:=MatMul: is it
///     time>1.5        the number that the column shows; also <, >=, <=
///     -relu           none of it: a minus inverts every part
///
/// Columns are named by the beginning of their titles, spaces left out.
class RowFilter {
public:
    [[nodiscard]] static RowFilter parse(const QString& text, const QStringList& columns);

    [[nodiscard]] bool isEmpty() const { return m_parts.empty(); }
    /// Why the text cannot be followed; empty where it can. Such a part admits every row.
    [[nodiscard]] const QString& trouble() const { return m_trouble; }
    /// `textOf`: what the cell of a column shows.
    [[nodiscard]] bool admits(const std::function<QString(int column)>& textOf) const;

private:
    enum class Test : std::uint8_t { Holds, Matches, Is, Less, LessOrEqual, Greater, GreaterOrEqual };
    struct Part {
        Test test = Test::Holds;
        bool isInverted = false;
        /// −1: any.
        int column = -1;
        QString text;
        QRegularExpression expression;
        double number = 0;
    };
    [[nodiscard]] static bool meets(const Part& part, const QString& cell);
    void add(QString word, bool isQuoted, const QStringList& columns);
    bool readColumn(QString& word, Part& part, const QStringList& columns);

    std::vector<Part> m_parts;
    int m_columns = 0;
    QString m_trouble;
};

/// The number at the beginning of what a cell shows, "1 415.2", "−3.0 %"; nothing where it shows none.
[[nodiscard]] std::optional<double> shownNumber(const QString& cell);
/// The part that admits the rows whose cell of this column is `cell`, or the others.
[[nodiscard]] QString rowFilterText(const QString& column, const QString& cell, bool isInverted);

} // namespace views
