#include "app/window/dialogs/shortcut_sheet.h"

#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/filter_edit.h"

#include <QLineEdit>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace app {

ShortcutSheet::ShortcutSheet(const ShortcutSources& sources, QWidget* parent)
    : QDialog(parent)
    , m_groups(shortcutGroups(sources))
    , m_search(new QLineEdit(this))
    , m_text(new QTextBrowser(this)) {
    setWindowTitle(tr("Shortcuts"));
    const views::Theme& theme = views::themeOf(parent);
    auto* layout = new QVBoxLayout(this);
    views::makeFilter(*m_search, tr("Search by key or by what it does"), QStringLiteral("search"));
    m_text->setAccessibleName(tr("Shortcuts"));
    m_text->setFont(theme.font(12));
    layout->addWidget(m_search);
    layout->addWidget(m_text, 1);
    connect(m_search, &QLineEdit::textChanged, this, &ShortcutSheet::fill);
    resize(QSize(theme.ipx(640), theme.ipx(640)).boundedTo(parent->size() * 0.9));
    fill();
    m_search->setFocus();
}

QString ShortcutSheet::text() const {
    return m_text->toPlainText();
}

/// Rows that hold every word in their keys, their meaning or the name of their group.
void ShortcutSheet::fill() {
    const QStringList words = m_search->text().split(u' ', Qt::SkipEmptyParts);
    QString html;
    for (const ShortcutGroup& group : m_groups) {
        QString rows;
        for (const auto& [keys, meaning] : group.rows) {
            const QString all = keys + u' ' + meaning + u' ' + group.title;
            const bool isShown = std::ranges::all_of(
                words, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
            if (isShown)
                rows +=
                    QStringLiteral("<tr><td width='45%'><span style='font-family:monospace'>%1</span></td>"
                                   "<td>%2</td></tr>")
                        .arg(keys.toHtmlEscaped(), meaning.toHtmlEscaped());
        }
        if (!rows.isEmpty())
            html += QStringLiteral("<h3>%1</h3><table width='100%' cellpadding='2'>%2</table>")
                        .arg(group.title, rows);
    }
    m_text->setHtml(html.isEmpty() ? tr("<p>No key does that. Ctrl+Shift+P finds every command.</p>") : html);
}

} // namespace app
