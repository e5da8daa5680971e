#pragma once

#include "views/inspector/form/property.h"

#include <QTimer>
#include <QWidget>
#include <map>

class QGridLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace views {

/// A section head that opens and closes what is below it.
class SectionHeader final : public QWidget {
    Q_OBJECT

public:
    explicit SectionHeader(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Muted at the right; a link when it is clickable.
    void setRemark(const QString& remark, bool isLink = false);
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    void setOpen(bool open);

signals:
    void toggled(bool open);
    void remarkClicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    [[nodiscard]] double remarkWidth() const;

    QString m_title;
    QString m_remark;
    bool m_remarkIsLink = false;
    bool m_isOpen = true;
};

/// One line: label, editor, and below it what is wrong.
class PropertyRow final : public QWidget {
    Q_OBJECT

public:
    PropertyRow(Property property, QWidget* parent);

    [[nodiscard]] const Property& property() const { return m_property; }
    /// Takes over a new value; what the user is typing stays.
    void update(const Property& property);
    void showError(const QString& message);
    [[nodiscard]] QWidget* editor() const { return m_editor; }

signals:
    void edited(const core::Json& value);
    /// What is being typed means this value, and differs from what the property has.
    void typed(const core::Json& value);
    /// The field was left or confirmed.
    void settled();

private:
    void makeEditor();
    void tryText(const QString& text);
    void fillEditor();
    void commitText(const QString& text);
    void commit(const core::Json& value);

    Property m_property;
    QLabel* m_label;
    QWidget* m_editor = nullptr;
    QLabel* m_hint;
    QVBoxLayout* m_column;
    QTimer m_pause;
};

/// Sections of properties with an editor each. Edits are announced with the property's id; the owner applies
/// them, and shows new properties or the refusal.
class PropertyForm final : public QWidget {
    Q_OBJECT

public:
    explicit PropertyForm(QWidget* parent = nullptr);

    /// Keeps the rows where the same properties are shown, so that focus and typing survive; rows of the last
    /// few other shapes wait to be shown again.
    void setSections(std::vector<PropertySection> sections);
    /// Makes the rows of sections that may be shown soon, while there is space for them; false: nothing was
    /// made.
    bool prepare(const std::vector<PropertySection>& sections);
    /// The first row that is shown; null: none.
    [[nodiscard]] PropertyRow* firstRow() const;
    /// Says at the row why its value was refused; false when there is no such row.
    bool showError(const std::string& id, const QString& message);
    void focusProperty(const std::string& id);
    [[nodiscard]] PropertyRow* row(const std::string& id) const;

signals:
    void edited(const std::string& id, const core::Json& value);
    /// While a field is typed into, a moment after the last letter.
    void typed(const std::string& id, const core::Json& value);
    void settled();

protected:
    void changeEvent(QEvent* event) override;

private:
    /// The rows of one list of sections.
    struct Page {
        std::vector<PropertySection> sections;
        QWidget* content = nullptr;
        std::map<std::string, PropertyRow*> rows;
        /// One for each section; null where it has no title.
        std::vector<SectionHeader*> headers;

        [[nodiscard]] bool hasShapeOf(const std::vector<PropertySection>& others) const;
    };

    [[nodiscard]] Page makePage(const std::vector<PropertySection>& sections);
    void dropPagesFrom(std::size_t first);
    [[nodiscard]] bool isOpen(const PropertySection& section) const;

    /// The one that is shown, then the others by when they were.
    std::vector<Page> m_pages;
    std::map<QString, bool> m_isOpen;
    QVBoxLayout* m_layout;
};

} // namespace views
