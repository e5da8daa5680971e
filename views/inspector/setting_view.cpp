#include "views/inspector/setting_view.h"

#include "views/common/theme/widget_theme.h"
#include "views/inspector/form/property_form.h"
#include "views/inspector/setting_rows.h"

#include <QVBoxLayout>

namespace views {

SettingView::SettingView(Document& document, const QString& name, Sections sections, QWidget* parent)
    : QScrollArea(parent)
    , m_document(document)
    , m_sections(std::move(sections))
    , m_form(new PropertyForm) {
    const Theme& theme = themeOf(this);
    setAccessibleName(name);
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(theme.ipx(12), theme.ipx(8), theme.ipx(12), theme.ipx(12));
    layout->addWidget(m_form);
    layout->addStretch(1);
    setWidget(content);
    connect(m_form, &PropertyForm::edited, this, &SettingView::apply);
    connect(&document, &Document::projectChanged, this, &SettingView::refresh);
    connect(&document, &Document::opened, this, &SettingView::refresh);
    refresh();
}

void SettingView::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    refresh();
}

void SettingView::refresh() {
    m_form->setEnabled(m_document.isOpen());
    // A form behind another tab is filled when it is looked at.
    if (m_document.isOpen() && isVisible())
        m_form->setSections(m_sections(m_document.project()));
}

void SettingView::apply(const std::string& path, const core::Json& value) {
    const core::Result<void> done =
        m_document.apply(tr("Set %1").arg(toQString(path)),
                         [&](const core::Project& project) { return withSetting(project, path, value); });
    if (!done) {
        QString message = toQString(done.error().front().message);
        for (const std::string& hint : done.error().front().hints)
            message += QStringLiteral(". ") + toQString(hint);
        m_form->showError(path, message);
    }
}

} // namespace views
