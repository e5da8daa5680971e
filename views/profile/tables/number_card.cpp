#include "views/profile/tables/number_card.h"

#include "views/common/theme/widget_theme.h"

#include <QGuiApplication>
#include <QScreen>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

QString coloured(const QString& text, const QColor& colour) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colour.name(), text.toHtmlEscaped());
}

QString linkTo(const QString& target, const QString& text, const Theme& theme) {
    return QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
        .arg(target.toHtmlEscaped(), theme.color(Role::AccentText).name(), text.toHtmlEscaped());
}

/// With the unit that stands in the header.
QString valueWithUnit(const TableContent& content, std::size_t row, std::size_t column) {
    const QString value = content.rows[row][column].text;
    const QString& unit = content.columns[column].unit;
    return unit.isEmpty() ? value : value + thinSpace + unit;
}

/// What the row is about: its first cell.
QString nameOfRow(const TableContent& content, std::size_t row) {
    return content.rows[row].empty() ? QString() : content.rows[row].front().text;
}

QString inputRow(const TableContent& content, std::size_t row, const NumberExplanation::Input& input,
                 const Theme& theme) {
    QString name = input.name.toHtmlEscaped();
    QString value = input.value;
    const auto column = std::ranges::find(content.columns, input.name, &TableColumn::title);
    const auto index = static_cast<std::size_t>(column - content.columns.begin());
    if (!input.figure.empty())
        name = linkTo(QStringLiteral("figure:") + QString::fromStdString(input.figure), input.name, theme);
    else if (value.isEmpty() && column != content.columns.end() && index < content.rows[row].size()) {
        value = valueWithUnit(content, row, index);
        name = linkTo(QStringLiteral("column:%1").arg(index), input.name, theme);
    }
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\"><b>%2</b>&nbsp;&nbsp;</td>"
                          "<td>%3</td></tr>")
        .arg(name, value.toHtmlEscaped(), coloured(input.meaning, theme.color(Role::Text2)));
}

} // namespace

std::optional<NumberExplanation> explanationOf(const TableContent& content, std::size_t row,
                                               std::size_t column) {
    if (row >= content.rows.size() || column >= content.columns.size() ||
        column >= content.rows[row].size() || content.rows[row][column].text.isEmpty() ||
        content.rows[row][column].text == dashCell().text)
        return std::nullopt;
    if (content.explanation)
        if (std::optional<NumberExplanation> own = content.explanation(content, row, column))
            return own;
    const TableColumn& asked = content.columns[column];
    if (asked.kind != ColumnKind::Number || asked.toolTip.isEmpty())
        return std::nullopt;
    NumberExplanation fromHeader;
    fromHeader.meaning = asked.toolTip;
    return fromHeader;
}

QString numberPage(const TableContent& content, std::size_t row, std::size_t column,
                   const NumberExplanation& explanation, const Theme& theme) {
    const QColor soft = theme.color(Role::Text2);
    QStringList name{nameOfRow(content, row)};
    if (column > 0 && !content.columns[column].title.isEmpty())
        name.append(content.columns[column].title);
    name.removeAll(QString());
    QString page =
        QStringLiteral("<p><b>%1</b>&nbsp;&nbsp;=&nbsp;&nbsp;<b>%2</b></p><p>%3</p>")
            .arg(name.join(QStringLiteral(" · ")).toHtmlEscaped(),
                 valueWithUnit(content, row, column).toHtmlEscaped(), explanation.meaning.toHtmlEscaped());
    if (!explanation.formula.isEmpty())
        page += QStringLiteral("<p>%1 %2</p>")
                    .arg(coloured(QStringLiteral("="), soft), explanation.formula.toHtmlEscaped());
    QString inputs;
    for (const NumberExplanation::Input& input : explanation.inputs)
        inputs += inputRow(content, row, input, theme);
    if (!inputs.isEmpty())
        page += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\">%1</table>").arg(inputs);
    if (!explanation.bound.isEmpty())
        page += QStringLiteral("<p>%1 %2</p>")
                    .arg(coloured(QStringLiteral("Bound:"), soft), explanation.bound.toHtmlEscaped());
    if (!explanation.figure.empty())
        page += QStringLiteral("<p>%1</p>")
                    .arg(linkTo(QStringLiteral("figure:") + QString::fromStdString(explanation.figure),
                                QStringLiteral("On the page of figures: ") +
                                    QString::fromStdString(explanation.figure),
                                theme));
    return page;
}

void explainColumns(TableContent& content, std::vector<std::pair<QString, NumberExplanation>> byTitle) {
    content.explanation = [byTitle = std::move(byTitle), before = std::move(content.explanation)](
                              const TableContent& asked, std::size_t row,
                              std::size_t column) -> std::optional<NumberExplanation> {
        for (const auto& [title, explanation] : byTitle)
            if (asked.columns[column].title == title)
                return explanation;
        return before ? before(asked, row, column) : std::nullopt;
    };
}

NumberCard::NumberCard(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_page(new QTextBrowser(this)) {
    setProperty("surface", "raised");
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Explanation of a number"));
    m_page->setAccessibleName(tr("Explanation of a number"));
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setOpenLinks(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_page);
    setFocusProxy(m_page);
    connect(m_page, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { emit linkChosen(link.toString()); });
}

void NumberCard::showAt(const QPoint& globalPosition, const QString& page) {
    const Theme& theme = themeOf(parentWidget());
    m_page->setFont(theme.font(12));
    m_page->setHtml(page);
    // As high as the page is, and not beyond the screen. The browser's own document is as high as its window.
    constexpr double pageWidth = 430;
    const int width = theme.ipx(pageWidth);
    QTextDocument measured;
    measured.setDefaultFont(m_page->font());
    measured.setHtml(page);
    measured.setTextWidth(width - theme.ipx(12));
    const QScreen* screen = QGuiApplication::screenAt(globalPosition);
    const QRect space = (screen != nullptr ? screen : QGuiApplication::primaryScreen())->availableGeometry();
    const int height = std::min(int(std::ceil(measured.size().height())) + theme.ipx(12),
                                std::max(theme.ipx(120), space.height() / 2));
    QRect place(globalPosition, QSize(width, height));
    place.moveRight(std::min(place.right(), space.right()));
    if (place.bottom() > space.bottom())
        place.moveBottom(globalPosition.y() - theme.ipx(26));
    setGeometry(place);
    show();
    m_page->setFocus(Qt::PopupFocusReason);
}

} // namespace views
