#pragma once

#include "core/interchange/templates/model_template.h"
#include "core/plan/plan_estimate.h"
#include "core/project/project.h"
#include "simulator/compiler/compilation_cache.h"
#include "views/common/text/number_text.h"
#include "views/document/latest_runner.h"
#include "views/inspector/form/property.h"

#include <QDialog>
#include <memory>

class QLabel;
class QPushButton;

namespace views {
class FactList;
class PropertyForm;
} // namespace views

namespace app {

class ModelPicture;

/// A template before it becomes a project: its parameters, the model they make, and what a run of it would
/// give, while one changes them.
class TemplateDialog final : public QDialog {
    Q_OBJECT

public:
    TemplateDialog(const core::ModelTemplate& row, const views::Units& units, QWidget* parent);

    [[nodiscard]] views::PropertyForm& form() { return *m_form; }
    /// The parameters that differ from their defaults, as they are typed.
    [[nodiscard]] const core::Json& arguments() const { return m_arguments; }
    /// The project as it would be made; null while a value is refused.
    [[nodiscard]] const std::shared_ptr<const core::Project>& project() const { return m_project; }
    /// Figure and what it is, as shown: "Throughput" → "1 033 samples/s".
    [[nodiscard]] QString figure(const QString& name) const;
    /// The figures are those of the present parameters.
    [[nodiscard]] bool isCurrent() const { return !m_runner.isBusy(); }

signals:
    void projectWanted(const std::string& name, const core::Json& arguments);

protected:
    /// Return ends what is typed into a field; it creates the project on a button alone.
    void keyPressEvent(QKeyEvent* event) override;

private:
    void change(const std::string& id, const core::Json& value);
    void refresh();
    void showFigures(const core::PlanEstimate* estimate, std::int64_t parameters);

    const core::ModelTemplate& m_template;
    views::Units m_units;
    core::Json m_arguments = core::Json::object();
    std::shared_ptr<const core::Project> m_project;
    views::PropertyForm* m_form;
    ModelPicture* m_picture;
    views::FactList* m_facts;
    QLabel* m_state;
    QPushButton* m_create;
    std::vector<std::pair<QString, QString>> m_figures;
    std::shared_ptr<simulator::CompilationCache> m_cache;
    views::LatestRunner m_runner;
};

} // namespace app
