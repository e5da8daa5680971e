#include "views/profile/tables/row_filter.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

namespace views {

namespace {

QString filterWords(const char* text) {
    return QCoreApplication::translate("views::RowFilter", text);
}

QString columnKey(const QString& title) {
    return title.toLower().remove(QLatin1Char(' '));
}

/// Words at spaces, but for those in quotes and between slashes.
struct FilterWord {
    QString text;
    /// From the first letter to the last: no column, no expression.
    bool isQuoted = false;
};
std::vector<FilterWord> filterWordsOf(const QString& text) {
    std::vector<FilterWord> words;
    for (qsizetype at = 0; at < text.size();) {
        if (text[at].isSpace()) {
            ++at;
            continue;
        }
        FilterWord word;
        qsizetype from = at;
        if (text[from] == QLatin1Char('-') && from + 1 < text.size())
            ++from;
        const qsizetype slash =
            text[from] == QLatin1Char('/') ? text.indexOf(QRegularExpression("/(?=\\s|$)"), from + 1) : -1;
        if (slash > from + 1) {
            word.text = text.mid(at, slash + 1 - at);
            at = slash + 1;
        } else {
            const bool beginsQuoted = text[from] == QLatin1Char('"');
            bool isInside = false;
            for (; at < text.size() && (isInside || !text[at].isSpace()); ++at) {
                if (text[at] == QLatin1Char('"')) {
                    isInside = !isInside;
                } else {
                    word.text += text[at];
                }
            }
            word.isQuoted = beginsQuoted && text[at - 1] == QLatin1Char('"');
        }
        words.push_back(std::move(word));
    }
    return words;
}

} // namespace

RowFilter RowFilter::parse(const QString& text, const QStringList& columns) {
    RowFilter filter;
    filter.m_columns = int(columns.size());
    for (const FilterWord& word : filterWordsOf(text))
        filter.add(word.text, word.isQuoted, columns);
    return filter;
}

/// Reads "time>" off the word; false where it names no column.
bool RowFilter::readColumn(QString& word, Part& part, const QStringList& columns) {
    static const QRegularExpression comparison(QStringLiteral("^([^:<>=/]+)(:=|:|<=|>=|<|>)(.+)$"));
    const QRegularExpressionMatch match = comparison.match(word);
    if (!match.hasMatch())
        return false;
    const QString key = columnKey(match.captured(1));
    const auto column =
        std::ranges::find_if(columns, [&](const QString& title) { return columnKey(title).startsWith(key); });
    const QString sign = match.captured(2);
    const bool isNumber = sign[0] != QLatin1Char(':');
    if (column == columns.end()) {
        if (isNumber)
            m_trouble = filterWords("No column is called “%1”: there are %2.")
                            .arg(match.captured(1), columns.join(QStringLiteral(", ")));
        return false;
    }
    part.column = int(column - columns.begin());
    word = match.captured(3);
    if (!isNumber) {
        part.test = sign == QLatin1String(":=") ? Test::Is : Test::Holds;
        return true;
    }
    constexpr std::array<std::pair<const char*, Test>, 4> signs{
        {{"<", Test::Less}, {"<=", Test::LessOrEqual}, {">", Test::Greater}, {">=", Test::GreaterOrEqual}}};
    part.test = std::ranges::find_if(signs, [&](const auto& one) {
                    return sign == QLatin1String(one.first);
                })->second;
    const auto number = shownNumber(word);
    if (!number)
        m_trouble = filterWords("“%1” is no number.").arg(word);
    part.number = number.value_or(0);
    return true;
}

void RowFilter::add(QString word, bool isQuoted, const QStringList& columns) {
    Part part;
    if (word.size() > 1 && word[0] == QLatin1Char('-')) {
        part.isInverted = true;
        word.remove(0, 1);
    }
    const bool isExpression =
        word.size() > 2 && word.startsWith(QLatin1Char('/')) && word.endsWith(QLatin1Char('/')) && !isQuoted;
    if (isExpression) {
        part.test = Test::Matches;
        part.expression =
            QRegularExpression(word.mid(1, word.size() - 2), QRegularExpression::CaseInsensitiveOption);
        if (!part.expression.isValid())
            m_trouble = filterWords("/%1/ is no regular expression: %2.")
                            .arg(part.expression.pattern(), part.expression.errorString());
    } else if (!isQuoted) {
        readColumn(word, part, columns);
    }
    part.text = word;
    if (!word.isEmpty() && m_trouble.isEmpty())
        m_parts.push_back(std::move(part));
}

bool RowFilter::meets(const Part& part, const QString& cell) {
    switch (part.test) {
    case Test::Holds:
        return cell.contains(part.text, Qt::CaseInsensitive);
    case Test::Matches:
        return part.expression.match(cell).hasMatch();
    case Test::Is:
        return cell.compare(part.text, Qt::CaseInsensitive) == 0;
    case Test::Less:
    case Test::LessOrEqual:
    case Test::Greater:
    case Test::GreaterOrEqual:
        break;
    }
    const auto number = shownNumber(cell);
    if (!number)
        return false;
    return part.test == Test::Less          ? *number < part.number
           : part.test == Test::LessOrEqual ? *number <= part.number
           : part.test == Test::Greater     ? *number > part.number
                                            : *number >= part.number;
}

bool RowFilter::admits(const std::function<QString(int)>& textOf) const {
    return std::ranges::all_of(m_parts, [&](const Part& part) {
        bool isMet = false;
        if (part.column >= 0)
            isMet = meets(part, textOf(part.column));
        for (int column = 0; part.column < 0 && column < m_columns && !isMet; ++column)
            isMet = meets(part, textOf(column));
        return isMet != part.isInverted;
    });
}

std::optional<double> shownNumber(const QString& cell) {
    QString digits;
    for (const QChar letter : cell) {
        if (letter == QChar(0x202F) || letter == QLatin1Char('+'))
            continue;
        if (letter == QChar(0x2212) || letter == QLatin1Char('-'))
            digits += QLatin1Char('-');
        else if (letter.isDigit() || letter == QLatin1Char('.'))
            digits += letter;
        else
            break;
    }
    bool isNumber = false;
    const double number = digits.toDouble(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

QString rowFilterText(const QString& column, const QString& cell, bool isInverted) {
    return QStringLiteral("%1%2:=\"%3\"")
        .arg(isInverted ? QStringLiteral("-") : QString(), columnKey(column),
             QString(cell).remove(QLatin1Char('"')));
}

} // namespace views
