#pragma once

#include "core/base/quantity.h"
#include "views/common/text/number_text.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/gauge.h"

#include <QAbstractTableModel>
#include <QString>
#include <QVariant>
#include <functional>
#include <optional>
#include <vector>

namespace views {

/// How a column is drawn and aligned.
enum class ColumnKind : std::uint8_t { Text, Number, StackedBar, SignedBar, Chip, Waterfall };

struct TableColumn {
    QString title;
    ColumnKind kind = ColumnKind::Text;
    /// Muted in the header beside the title.
    QString unit;
    /// In px of a theme of scale 1; 0: as wide as its content.
    double width = 0;
    QString toolTip;
    /// Takes what space is left.
    bool isElastic = false;
    /// Left out where the table is too narrow for all columns.
    bool isExtra = false;
};

/// What a cell says. A value without text is empty.
struct TableCell {
    QString text;
    /// What it is sorted by; the text where there is none.
    QVariant sort;
    std::optional<std::size_t> stage;
    /// Colour of a swatch before the text, in the theme that it is painted in.
    ThemeColour colour;
    /// Segments of a stacked bar, in the theme that it is painted in.
    std::function<std::vector<GaugeSegment>(const Theme&)> bar;
    /// −1 … 1 of a signed bar.
    std::optional<double> signedShare;
    std::optional<bool> isBetter;
    std::optional<ChipTone> tone;
    bool isMuted = false;
    bool isLink = false;
    /// What one edits in place of the text; nothing where the cell cannot be edited.
    std::optional<QString> edit = std::nullopt;
    /// 0 … 1: the cell is filled by it, its text in the ink that reads best on the fill.
    std::optional<double> heat = std::nullopt;
    /// 0 … 1: where a bar of a waterfall begins and ends.
    std::optional<std::pair<double, double>> way = std::nullopt;
};

/// How a number comes about.
struct NumberExplanation {
    struct Input {
        /// The title of a column of the same table, whose cell in the row is the value where none is given.
        QString name;
        QString value = {};
        /// One sentence: what it is.
        QString meaning = {};
        /// The figure of the run that it is, as `core::explainedMetrics` names it.
        std::string figure = {};
    };
    /// One sentence: what the number is.
    QString meaning;
    /// In the names of the inputs.
    QString formula = {};
    std::vector<Input> inputs = {};
    /// What it can reach, and why.
    QString bound = {};
    /// The figure of the run that the number is.
    std::string figure = {};
};

/// A table as a value: what a view computes and a test compares. The footer row stays below whatever the
/// order of the rows; it follows the filter where it can be told of some of the rows.
struct TableContent {
    /// How the number of a cell of the content comes about; nothing where it is none.
    using Explain = std::function<std::optional<NumberExplanation>(const TableContent& content,
                                                                   std::size_t row, std::size_t column)>;

    std::vector<TableColumn> columns;
    std::vector<std::vector<TableCell>> rows;
    std::vector<TableCell> footer;
    /// The footer of these rows alone.
    std::function<std::vector<TableCell>(const std::vector<std::size_t>& rows)> footerOf = nullptr;
    /// Rows that may be ticked, and whether they are; empty: no ticks.
    std::vector<bool> ticks;
    /// `explainColumns` makes one.
    Explain explanation = nullptr;
};

/// As wide as its content, aligned right.
[[nodiscard]] TableColumn numberColumn(const QString& title, const QString& toolTip = {});
[[nodiscard]] TableCell textCell(const QString& text);
[[nodiscard]] TableCell stageCell(std::size_t stage, const QString& text);
/// A number with its value to sort by.
[[nodiscard]] TableCell numberCell(const QString& text, double value);
[[nodiscard]] TableCell dashCell();
/// Cycles under a header that names the unit; "–" for none.
[[nodiscard]] TableCell cyclesCell(core::Cycles cycles, const UnitChoice& unit);
/// Bytes under a header that names the unit; "–" for none.
[[nodiscard]] TableCell bytesCell(core::Bytes bytes, const UnitChoice& unit);

/// Cell of a table as plain text for tests: columns joined by " | ", one line per row, footer last.
[[nodiscard]] QString toPlainText(const TableContent& content);

enum ContentRole : int {
    /// The function TableCell::bar
    StackedBarRole = Qt::UserRole + 200,
    /// ThemeColour
    SwatchRole,
    IsFooterRole,
    IsLinkRole,
    /// Row of the content, whatever the order of display.
    ContentRowRole,
    /// TableCell::heat
    HeatRole,
    /// TableCell::way as QPointF
    WayRole,
};

/// Shows a TableContent to Qt's item views.
class ContentModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setContent(TableContent content);
    [[nodiscard]] const TableContent& content() const { return m_content; }
    /// In place of the footer there is.
    void setFooter(std::vector<TableCell> footer);
    /// Titles take several lines where their columns are narrow.
    void setFoldedTitles(bool areFolded);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

signals:
    void ticked(int row, bool isTicked);
    void edited(int row, int column, const QString& text);

private:
    [[nodiscard]] const TableCell* cell(const QModelIndex& index) const;
    [[nodiscard]] bool isFooter(int row) const { return row == static_cast<int>(m_content.rows.size()); }

    TableContent m_content;
    bool m_areTitlesFolded = false;
};

} // namespace views
