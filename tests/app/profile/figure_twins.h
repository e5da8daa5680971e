#pragma once

#include "tests/app/profile/ran_window.h"
#include "tests/support/workbench.h"
#include "views/profile/tables/table_panel.h"

#include <QTableView>
#include <cmath>
#include <functional>
#include <map>

namespace tests {

/// What the batch knows of a run, by its verbs.
class BatchTwin {
public:
    explicit BatchTwin(const RanWindow& ran)
        : m_database(QString::fromStdString(ran.bench.window->source().path().string())) {}

    /// Verbs that look at projects take no database.
    [[nodiscard]] core::Json ask(QStringList arguments, bool isOfRuns = true) const {
        arguments << "--json";
        if (isOfRuns)
            arguments << "--database" << m_database;
        return m_workbench.run(arguments).json();
    }
    [[nodiscard]] core::Json rows(const QString& query) const { return ask({"sql", query})["rows"]; }
    /// The first columns of a query as one key, the last as its number.
    [[nodiscard]] std::map<QString, double> numbers(const QString& query) const {
        std::map<QString, double> found;
        for (const core::Json& row : rows(query)) {
            QStringList key;
            for (std::size_t i = 0; i + 1 < row.size(); ++i)
                key << text(row[i]);
            found[key.join('/')] = row.back().is_number() ? row.back().get<double>() : 0;
        }
        return found;
    }
    [[nodiscard]] static QString text(const core::Json& value) {
        return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
    }

private:
    Workbench m_workbench;
    QString m_database;
};

/// "Weight update", "Stash (FIFO)" or "remote memory" as SQL writes it.
inline QString sqlName(const QString& title) {
    static const std::map<QString, QString> others{
        {"remote_memory", "offload"}, {"stash_(fifo)", "stash"}, {"host_i/o", "host_io"}};
    const QString name = title.toLower().replace(u' ', u'_').replace(u'-', u'_');
    const auto other = others.find(name);
    return other == others.end() ? name : other->second;
}

/// Null is 0.
inline double number(const core::Json& value) {
    return value.is_number() ? value.get<double>() : 0;
}

template <class Key>
std::optional<double> found(const std::map<Key, double>& numbers, const Key& key) {
    const auto at = numbers.find(key);
    return at == numbers.end() ? std::nullopt : std::optional(at->second);
}

/// The table of a view that has this name.
inline const views::TablePanel& tablePanel(const QWidget& view, const QString& name) {
    for (const views::TablePanel* table : view.findChildren<views::TablePanel*>())
        if (table->table().accessibleName() == name)
            return *table;
    qFatal("no table %s", qPrintable(name));
}

/// Holds what a table shows against numbers of the batch: as exactly as its digits tell.
class ShownTable {
public:
    /// `twinOf` answers the number of a cell in cycles, bytes, shares, or as it is, and nothing for a column
    /// that it does not know, which is a complaint. Columns without numbers are named in `words`.
    using TwinOf = std::function<std::optional<double>(std::size_t row, const QString& column)>;

    ShownTable(const views::TablePanel& panel, double clockHz, QStringList& complaints)
        : m_name(panel.table().accessibleName())
        , m_content(panel.content())
        , m_clockHz(clockHz)
        , m_complaints(complaints) {}

    [[nodiscard]] std::size_t rows() const { return m_content.rows.size(); }
    [[nodiscard]] QString text(std::size_t row, const QString& column) const {
        for (std::size_t i = 0; i < m_content.columns.size(); ++i)
            if (m_content.columns[i].title == column)
                return cells(row)[i].text;
        return {};
    }
    [[nodiscard]] std::optional<std::size_t> stage(std::size_t row) const { return cells(row)[0].stage; }
    [[nodiscard]] QString first(std::size_t row) const { return cells(row)[0].text; }

    /// The footer is the row after the last.
    void hold(const QStringList& words, const TwinOf& twinOf, bool withFooter = false) const {
        if (m_content.rows.empty())
            complain("it is empty");
        if (withFooter && m_content.footer.size() != m_content.columns.size())
            return complain("it has no sum");
        for (std::size_t row = 0; row < rows() + (withFooter ? 1 : 0); ++row)
            for (std::size_t i = 0; i < m_content.columns.size(); ++i) {
                const views::TableColumn& column = m_content.columns[i];
                if (words.contains(column.title))
                    continue;
                const std::optional<double> twin = twinOf(row, column.title);
                const QString told = cells(row)[i].text;
                if (!twin)
                    complain(QStringLiteral("%1: \"%2\" has no twin").arg(column.title, told));
                else if (!agrees(told, *twin * factorOf(column.unit, m_clockHz)))
                    complain(QStringLiteral("%1, %2: %3 is %4 %5")
                                 .arg(first(row), column.title, told)
                                 .arg(*twin * factorOf(column.unit, m_clockHz), 0, 'g', 10)
                                 .arg(column.unit));
            }
    }
    void complain(const QString& what) const {
        constexpr int most = 40;
        if (m_complaints.size() < most)
            m_complaints << m_name + ": " + what;
    }
    /// Digits told against a number: no further apart than the last digit is rounded.
    static bool agrees(QString told, double number) {
        for (const QChar character : {views::thinSpace, QChar(u' '), QChar(u'+'), QChar(u'±')})
            told.remove(character);
        told.replace(u'\u2212', u'-');
        if (told.isEmpty() || told == QString(QChar(0x2013)))
            return std::abs(number) < 1e-9;
        bool isNumber = false;
        const double shown = told.toDouble(&isNumber);
        const qsizetype exponent = told.indexOf(u'e');
        const qsizetype point = told.indexOf(u'.');
        const qsizetype decimals = point < 0 ? 0 : (exponent < 0 ? told.size() : exponent) - point - 1;
        const double power = exponent < 0 ? 0 : told.mid(exponent + 1).toDouble();
        return isNumber && std::abs(shown - number) <=
                               0.5001 * std::pow(10.0, power - double(decimals)) + 1e-9 * std::abs(number);
    }

    /// What cycles, bytes and shares are multiplied with to be of a unit.
    [[nodiscard]] static double factorOf(const QString& unit, double clockHz) {
        constexpr double kibi = 1024;
        static const std::map<QString, double> ofBytes{{"KiB", 1 / kibi},
                                                       {"MiB", 1 / kibi / kibi},
                                                       {"GiB", 1 / kibi / kibi / kibi},
                                                       {"%", 100.0},
                                                       {"TFLOP/s", 1e-12}};
        static const std::map<QString, double> ofTime{
            {"s", 1}, {"ms", 1e3}, {QStringLiteral("µs"), 1e6}, {"ns", 1e9}};
        if (const auto found = ofTime.find(unit); found != ofTime.end())
            return found->second / clockHz;
        const auto found = ofBytes.find(unit);
        return found == ofBytes.end() ? 1 : found->second;
    }

private:
    [[nodiscard]] const std::vector<views::TableCell>& cells(std::size_t row) const {
        return row < rows() ? m_content.rows[row] : m_content.footer;
    }
    QString m_name;
    const views::TableContent& m_content;
    double m_clockHz;
    QStringList& m_complaints;
};

} // namespace tests
