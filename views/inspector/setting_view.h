#pragma once

#include "views/document/document.h"
#include "views/inspector/form/property.h"

#include <QScrollArea>
#include <functional>

namespace views {

class PropertyForm;

/// A form over some sections of the project file: pipeline, training, system.
class SettingView final : public QScrollArea {
    Q_OBJECT

public:
    using Sections = std::function<std::vector<PropertySection>(const core::Project&)>;

    SettingView(Document& document, const QString& name, Sections sections, QWidget* parent = nullptr);

    [[nodiscard]] PropertyForm& form() { return *m_form; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void apply(const std::string& path, const core::Json& value);

    Document& m_document;
    Sections m_sections;
    PropertyForm* m_form;
};

} // namespace views
