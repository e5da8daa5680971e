#include "views/inspector/form/property_form.h"

#include "views/common/text/elided_text.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/elided_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

namespace views {

namespace {

/// As many layers of different classes are looked at in turn.
constexpr std::size_t pagesKept = 12;

/// The wheel scrolls the form; it never changes a value that happens to be under the mouse.
class WheelGuard final : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::Wheel)
            return false;
        event->ignore();
        return true;
    }
};

void guardWheel(QWidget* widget) {
    widget->setFocusPolicy(Qt::StrongFocus);
    widget->installEventFilter(new WheelGuard(widget));
}

} // namespace

SectionHeader::SectionHeader(const QString& title, QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTitle(title);
}

void SectionHeader::setTitle(const QString& title) {
    m_title = title;
    setAccessibleName(title);
    update();
}

void SectionHeader::setRemark(const QString& remark, bool isLink) {
    m_remark = remark;
    m_remarkIsLink = isLink;
    update();
}

void SectionHeader::setOpen(bool open) {
    if (open == m_isOpen)
        return;
    m_isOpen = open;
    update();
    emit toggled(open);
}

QSize SectionHeader::sizeHint() const {
    return {120, themeOf(this).ipx(28)};
}

double SectionHeader::remarkWidth() const {
    return m_remark.isEmpty() ? 0 : textWidth(m_remark, themeOf(this).font(11)) + themeOf(this).px(4);
}

void SectionHeader::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    const double side = theme.px(12);
    const QRectF line = rect();
    paintIcon(painter, QRectF(0, line.center().y() - side / 2, side, side),
              m_isOpen ? QStringLiteral("chevron") : QStringLiteral("chevron-right"),
              theme.color(Role::Text2));
    painter.setPen(theme.color(Role::Text));
    paintElided(painter, line.adjusted(theme.px(18), 0, -remarkWidth() - theme.px(6), 0),
                Qt::AlignLeft | Qt::AlignVCenter, m_title, theme.font(11, QFont::DemiBold));
    painter.setPen(theme.color(m_remarkIsLink ? Role::AccentText : Role::Text3));
    painter.setFont(theme.font(11));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, m_remark);
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(Role::Accent), 2));
        painter.drawRoundedRect(line.adjusted(1, 1, -1, -1), 4, 4);
    }
}

void SectionHeader::mousePressEvent(QMouseEvent* event) {
    if (m_remarkIsLink && event->position().x() > width() - remarkWidth())
        emit remarkClicked();
    else
        setOpen(!m_isOpen);
}

void SectionHeader::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return)
        setOpen(!m_isOpen);
    else
        QWidget::keyPressEvent(event);
}

namespace {

/// Leaves undo and redo of a field to the document once what was typed is committed: the field's own history
/// is of typing alone.
class HistoryPasser final : public QObject {
public:
    explicit HistoryPasser(QLineEdit* field)
        : QObject(field)
        , m_field(field) {
        field->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride || m_field->isModified())
            return QObject::eventFilter(watched, event);
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!key->matches(QKeySequence::Undo) && !key->matches(QKeySequence::Redo))
            return QObject::eventFilter(watched, event);
        event->ignore();
        return true;
    }

private:
    QLineEdit* m_field;
};

} // namespace

PropertyRow::PropertyRow(Property property, QWidget* parent)
    : QWidget(parent)
    , m_property(std::move(property))
    , m_label(new ElidedLabel(this))
    , m_hint(new QLabel(this))
    , m_column(new QVBoxLayout) {
    const Theme& theme = themeOf(this);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, theme.ipx(2), 0, theme.ipx(2));
    layout->setSpacing(theme.ipx(8));
    m_label->setProperty("role", "text2");
    layout->addWidget(m_label, 10, Qt::AlignTop);
    m_column->setSpacing(1);
    m_column->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(m_column, 11);
    m_hint->setWordWrap(true);
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_hint->setFont(theme.font(11));
    m_hint->hide();
    constexpr int pause = 250;
    m_pause.setSingleShot(true);
    m_pause.setInterval(pause);
    makeEditor();
    m_column->addWidget(m_editor);
    m_column->addWidget(m_hint);
    m_label->setFixedHeight(m_editor->sizeHint().height());
    m_label->setBuddy(m_editor);
    fillEditor();
}

void PropertyRow::makeEditor() {
    if (m_property.editor == PropertyEditor::Switch) {
        auto* box = new QCheckBox(this);
        connect(box, &QCheckBox::clicked, this, [this](bool on) { commit(on); });
        m_editor = box;
    } else if (m_property.editor == PropertyEditor::OptionalSwitch) {
        auto* combo = new QComboBox(this);
        combo->addItems({tr("default"), QStringLiteral("true"), QStringLiteral("false")});
        connect(combo, &QComboBox::activated, this,
                [this](int index) { commit(index == 0 ? core::Json(nullptr) : core::Json(index == 1)); });
        guardWheel(combo);
        m_editor = combo;
    } else if (m_property.editor == PropertyEditor::Choice ||
               m_property.editor == PropertyEditor::OpenChoice) {
        auto* combo = new QComboBox(this);
        for (const std::string& choice : m_property.choices)
            combo->addItem(toQString(choice));
        combo->setEditable(m_property.editor == PropertyEditor::OpenChoice);
        combo->setInsertPolicy(QComboBox::NoInsert);
        combo->setMinimumContentsLength(6);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setFont(themeOf(this).font(12));
        connect(combo, &QComboBox::textActivated, this, &PropertyRow::commitText);
        if (combo->isEditable())
            connect(combo->lineEdit(), &QLineEdit::editingFinished, this,
                    [this, combo] { commitText(combo->currentText()); });
        if (combo->isEditable())
            new HistoryPasser(combo->lineEdit());
        guardWheel(combo);
        m_editor = combo;
    } else {
        auto* field = new QLineEdit(this);
        field->setFont(themeOf(this).mono(11));
        connect(field, &QLineEdit::editingFinished, this, [this, field] {
            m_pause.stop();
            if (field->isModified())
                commitText(field->text());
            emit settled();
        });
        connect(field, &QLineEdit::textEdited, this, [this] { m_pause.start(); });
        connect(&m_pause, &QTimer::timeout, this, [this, field] {
            if (field->isModified())
                tryText(field->text());
            else // taken back
                showError({});
        });
        new HistoryPasser(field);
        m_editor = field;
    }
    m_editor->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_editor->setMinimumWidth(themeOf(this).ipx(60));
}

void PropertyRow::update(const Property& property) {
    auto* field = qobject_cast<QLineEdit*>(m_editor);
    const bool isTyping = field != nullptr && field->hasFocus() && field->isModified();
    m_property = property;
    if (!isTyping)
        fillEditor();
}

void PropertyRow::fillEditor() {
    const QString text = propertyText(m_property);
    m_label->setText(m_property.label);
    QFont font =
        themeOf(this).font(12, m_property.isDefault() || m_property.isMixed ? QFont::Normal : QFont::Medium);
    font.setStrikeOut(!m_property.note.isEmpty() && m_property.note.startsWith(tr("Deprecated")));
    m_label->setFont(font);
    QString tip = m_property.documentation;
    if (!m_property.note.isEmpty())
        tip += QStringLiteral("\n\n") + m_property.note;
    m_label->setToolTip(tip);
    m_editor->setToolTip(m_property.accepted.isEmpty() ? tip
                                                       : tip + QStringLiteral("\n\n") + m_property.accepted);
    m_editor->setAccessibleName(m_property.label);
    m_editor->setAccessibleDescription(m_property.documentation);
    m_editor->setEnabled(!m_property.isReadOnly);
    const QString placeholder = m_property.isMixed      ? tr("mixed")
                                : m_property.isNullable ? tr("default")
                                                        : QString();
    if (auto* box = qobject_cast<QCheckBox*>(m_editor)) {
        box->setTristate(m_property.isMixed);
        if (m_property.isMixed)
            box->setCheckState(Qt::PartiallyChecked);
        else
            box->setChecked(m_property.value.is_boolean() && m_property.value.get<bool>());
        box->setText(m_property.isMixed ? tr("mixed")
                     : box->isChecked() ? QStringLiteral("true")
                                        : QStringLiteral("false"));
    } else if (auto* combo = qobject_cast<QComboBox*>(m_editor)) {
        if (m_property.editor == PropertyEditor::OptionalSwitch) {
            combo->setCurrentIndex(m_property.value.is_boolean() ? (m_property.value.get<bool>() ? 1 : 2)
                                                                 : 0);
        } else {
            combo->setCurrentIndex(combo->findText(text));
            combo->setPlaceholderText(text.isEmpty() ? placeholder : text);
            if (combo->isEditable()) {
                combo->setEditText(text);
                combo->lineEdit()->setPlaceholderText(placeholder);
            }
        }
    } else if (auto* field = qobject_cast<QLineEdit*>(m_editor)) {
        field->setText(text);
        field->setCursorPosition(0);
        field->setPlaceholderText(placeholder);
    }
    showError({});
}

void PropertyRow::showError(const QString& message) {
    if (message == m_hint->text())
        return;
    m_hint->setText(message);
    m_hint->setVisible(!message.isEmpty());
    m_hint->setProperty("role", message.isEmpty() ? "text3" : "error");
    m_hint->style()->unpolish(m_hint);
    m_hint->style()->polish(m_hint);
    m_editor->setProperty("invalid", !message.isEmpty());
    m_editor->update();
}

/// What is wrong shows while it is typed; what is right is tried. An empty field is one that is being filled.
void PropertyRow::tryText(const QString& text) {
    if (text.trimmed().isEmpty())
        return showError({});
    const tl::expected<core::Json, QString> value = propertyValue(m_property, text);
    if (!value)
        return showError(m_property.accepted.isEmpty()
                             ? value.error()
                             : value.error() + QStringLiteral(": ") + m_property.accepted);
    showError({});
    if (*value != m_property.value || m_property.isMixed)
        emit typed(*value);
}

void PropertyRow::commitText(const QString& text) {
    if (text == propertyText(m_property) && !m_property.isMixed) {
        if (auto* field = qobject_cast<QLineEdit*>(m_editor))
            field->setModified(false);
        showError({});
        return;
    }
    if (m_property.isMixed && text.isEmpty())
        return;
    const tl::expected<core::Json, QString> value = propertyValue(m_property, text);
    if (!value) {
        showError(m_property.accepted.isEmpty() ? value.error()
                                                : value.error() + QStringLiteral(": ") + m_property.accepted);
        return;
    }
    commit(*value);
}

void PropertyRow::commit(const core::Json& value) {
    if (auto* field = qobject_cast<QLineEdit*>(m_editor))
        field->setModified(false);
    showError({});
    emit edited(value);
}

PropertyForm::PropertyForm(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
}

bool PropertyForm::Page::hasShapeOf(const std::vector<PropertySection>& others) const {
    const auto isSame = [](const Property& a, const Property& b) {
        return a.id == b.id && a.editor == b.editor && a.choices == b.choices;
    };
    return std::ranges::equal(sections, others, [&](const PropertySection& a, const PropertySection& b) {
        return a.title == b.title && std::ranges::equal(a.properties, b.properties, isSame);
    });
}

void PropertyForm::setSections(std::vector<PropertySection> sections) {
    const auto known =
        std::ranges::find_if(m_pages, [&](const Page& page) { return page.hasShapeOf(sections); });
    const bool isKnown = known != m_pages.end();
    QWidget* shown = m_pages.empty() || known == m_pages.begin() ? nullptr : m_pages.front().content;
    if (isKnown)
        std::rotate(m_pages.begin(), known, known + 1);
    else
        m_pages.insert(m_pages.begin(), makePage(sections));
    dropPagesFrom(pagesKept);
    Page& page = m_pages.front();
    page.sections = std::move(sections);
    for (std::size_t i = 0; isKnown && i < page.sections.size(); ++i) {
        for (const Property& property : page.sections[i].properties)
            page.rows.at(property.id)->update(property);
        if (page.headers[i] != nullptr)
            page.headers[i]->setOpen(isOpen(page.sections[i]));
    }
    page.content->show();
    // Last: a field that loses the focus may announce an edit.
    if (shown != nullptr)
        shown->hide();
}

bool PropertyForm::prepare(const std::vector<PropertySection>& sections) {
    const bool isKnown =
        std::ranges::any_of(m_pages, [&](const Page& page) { return page.hasShapeOf(sections); });
    if (isKnown || m_pages.size() >= pagesKept)
        return false;
    Page page = makePage(sections);
    page.content->hide();
    page.content->ensurePolished();
    page.content->layout()->activate();
    m_pages.push_back(std::move(page));
    return true;
}

PropertyRow* PropertyForm::firstRow() const {
    if (m_pages.empty())
        return nullptr;
    for (const PropertySection& section : m_pages.front().sections)
        if (!section.properties.empty())
            return row(section.properties.front().id);
    return nullptr;
}

void PropertyForm::dropPagesFrom(std::size_t first) {
    for (std::size_t i = first; i < m_pages.size(); ++i) {
        m_pages[i].content->hide();
        m_pages[i].content->deleteLater();
    }
    m_pages.resize(std::min(first, m_pages.size()));
}

void PropertyForm::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // Those that wait were laid out for other fonts.
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        dropPagesFrom(1);
}

bool PropertyForm::isOpen(const PropertySection& section) const {
    const auto known = m_isOpen.find(section.title);
    return known == m_isOpen.end() ? section.isOpen : known->second;
}

PropertyForm::Page PropertyForm::makePage(const std::vector<PropertySection>& sections) {
    const Theme& theme = themeOf(this);
    Page page;
    page.sections = sections;
    page.content = new QWidget(this);
    auto* layout = new QVBoxLayout(page.content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (const PropertySection& section : sections) {
        auto* body = new QWidget(page.content);
        auto* rows = new QVBoxLayout(body);
        rows->setContentsMargins(theme.ipx(18), 0, 0, theme.ipx(6));
        rows->setSpacing(0);
        for (const Property& property : section.properties) {
            auto* row = new PropertyRow(property, body);
            page.rows[property.id] = row;
            connect(row, &PropertyRow::edited, this,
                    [this, id = property.id](const core::Json& value) { emit edited(id, value); });
            connect(row, &PropertyRow::typed, this,
                    [this, id = property.id](const core::Json& value) { emit typed(id, value); });
            connect(row, &PropertyRow::settled, this, &PropertyForm::settled);
            rows->addWidget(row);
        }
        page.headers.push_back(nullptr);
        if (!section.title.isEmpty()) {
            auto* header = new SectionHeader(section.title, page.content);
            page.headers.back() = header;
            layout->addWidget(header);
            connect(header, &SectionHeader::toggled, this, [this, body, title = section.title](bool open) {
                body->setVisible(open);
                m_isOpen[title] = open;
            });
            header->setOpen(isOpen(section));
        } else {
            rows->setContentsMargins(0, 0, 0, 0);
        }
        layout->addWidget(body);
    }
    m_layout->addWidget(page.content);
    return page;
}

PropertyRow* PropertyForm::row(const std::string& id) const {
    if (m_pages.empty())
        return nullptr;
    const auto found = m_pages.front().rows.find(id);
    return found == m_pages.front().rows.end() ? nullptr : found->second;
}

bool PropertyForm::showError(const std::string& id, const QString& message) {
    PropertyRow* where = row(id);
    if (where != nullptr)
        where->showError(message);
    return where != nullptr;
}

void PropertyForm::focusProperty(const std::string& id) {
    if (PropertyRow* where = row(id))
        where->editor()->setFocus(Qt::OtherFocusReason);
}

} // namespace views
