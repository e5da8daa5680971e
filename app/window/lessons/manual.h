#pragma once

#include <QDialog>
#include <QString>
#include <vector>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace app {

/// A page of the manual: a file of resources/manual, Markdown whose first line is the title. A picture
/// "picture:NAME" is drawn by the program, in the theme it wears.
struct ManualPage {
    QString title;
    QString text;
};
/// In the order of their files.
[[nodiscard]] const std::vector<ManualPage>& manualPages();

/// The manual beside the work: pages at the left, narrowed by what is searched; each hit on a page is marked,
/// and Enter goes from one to the next, over all pages.
class Manual final : public QDialog {
    Q_OBJECT

public:
    explicit Manual(QWidget* parent);

    [[nodiscard]] QLineEdit& search() const { return *m_search; }
    [[nodiscard]] QListWidget& pages() const { return *m_list; }
    [[nodiscard]] QTextBrowser& text() const { return *m_text; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void filter();
    void showPage();
    void markHits();
    void findNext();

    QLineEdit* m_search;
    QListWidget* m_list;
    QTextBrowser* m_text;
};

/// Opens the manual of the window, or brings it to the front.
Manual* showManual(QWidget& window);

} // namespace app
