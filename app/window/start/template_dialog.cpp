#include "app/window/start/template_dialog.h"

#include "app/window/start/model_picture.h"
#include "core/config/proposed_loss.h"
#include "core/interchange/templates/template_catalogue.h"
#include "core/interchange/templates/template_project.h"
#include "core/model/graph/model_summary.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"
#include "views/common/theme/widget_theme.h"
#include "views/document/layer_count.h"
#include "views/inspector/form/fact_list.h"
#include "views/inspector/form/property_form.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace app {

using core::Json;
using views::toQString;

namespace {

/// "512, 256" of a list; other values are themselves.
Json asTyped(const Json& value) {
    if (!value.is_array())
        return value;
    std::string text;
    for (const Json& item : value)
        text += (text.empty() ? "" : ", ") +
                (item.is_string() ? item.get<std::string>() : core::toText(item, -1));
    return text;
}

views::PropertyEditor editorOf(core::TemplateParameterKind kind) {
    switch (kind) {
    case core::TemplateParameterKind::Integer:
        return views::PropertyEditor::Integer;
    case core::TemplateParameterKind::Number:
        return views::PropertyEditor::Number;
    case core::TemplateParameterKind::Switch:
        return views::PropertyEditor::Switch;
    case core::TemplateParameterKind::Choice:
        return views::PropertyEditor::Choice;
    case core::TemplateParameterKind::Text:
    case core::TemplateParameterKind::Integers:
    case core::TemplateParameterKind::Numbers:
    case core::TemplateParameterKind::Texts:
        break;
    }
    return views::PropertyEditor::Text;
}

views::Property propertyOf(const core::TemplateParameter& parameter, const Json& arguments) {
    views::Property property;
    property.id = parameter.name;
    property.label = toQString(parameter.name).replace(u'_', u' ');
    property.documentation = toQString(parameter.documentation);
    property.editor = editorOf(parameter.kind);
    property.choices = parameter.choices;
    property.accepted = toQString(core::acceptedValues(parameter));
    property.defaultValue = asTyped(parameter.defaultValue);
    property.isNullable = parameter.defaultValue.is_null();
    const auto given = arguments.find(parameter.name);
    property.value = given == arguments.end() ? property.defaultValue : *given;
    return property;
}

/// What a person changes first; the other common settings are below, folded.
bool isEveryday(const std::string& name) {
    return name == "stages" || name == "schedule" || name == "micro_batch" || name == "accumulation" ||
           name == "replicas" || name == "recomputation" || name == "precision";
}

/// As `new TEMPLATE key=value` takes them: a list without spaces between its numbers.
Json readArguments(Json typed) {
    for (auto& [name, value] : typed.items()) {
        if (value.is_string())
            value = toQString(value.get<std::string>()).remove(u' ').toStdString();
    }
    return typed;
}

/// What a plan costs depends on shapes alone, not on data.
core::Project withoutData(core::Project project) {
    project.training.dataset.reset();
    project.training.validationDataset.reset();
    if (project.training.losses.empty())
        project.training.losses = core::proposedLosses(project.model);
    return project;
}

} // namespace

TemplateDialog::TemplateDialog(const core::ModelTemplate& row, const views::Units& units, QWidget* parent)
    : QDialog(parent)
    , m_template(row)
    , m_units(units)
    , m_form(new views::PropertyForm)
    , m_picture(new ModelPicture(this))
    , m_facts(new views::FactList(this))
    , m_state(new QLabel(this))
    , m_create(new QPushButton(tr("Create project"), this))
    , m_cache(std::make_shared<simulator::CompilationCache>()) {
    const views::Theme& theme = views::themeOf(this);
    setWindowTitle(tr("New: %1").arg(toQString(core::templateTitle(row))));
    auto* page = new QVBoxLayout(this);
    page->setSpacing(theme.ipx(10));
    auto* text = new QLabel(toQString(row.documentation), this);
    text->setWordWrap(true);
    text->setProperty("role", "text2");
    page->addWidget(text);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(theme.ipx(16));
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_form);
    scroll->setMinimumWidth(theme.ipx(340));
    columns->addWidget(scroll, 3);
    auto* side = new QVBoxLayout;
    side->setSpacing(theme.ipx(8));
    m_picture->setMinimumSize(theme.ipx(300), theme.ipx(220));
    m_picture->setAccessibleName(tr("Drawing of the model"));
    side->addWidget(m_picture, 1);
    m_state->setWordWrap(true);
    m_state->setProperty("role", "text3");
    m_state->setFont(theme.font(11));
    m_facts->setAccessibleName(tr("Figures of the project"));
    side->addWidget(m_facts);
    side->addWidget(m_state);
    columns->addLayout(side, 4);
    page->addLayout(columns, 1);
    auto* buttons = new QDialogButtonBox(this);
    auto* leave = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    buttons->addButton(m_create, QDialogButtonBox::AcceptRole);
    m_create->setProperty("kind", "primary");
    m_create->setDefault(true);
    page->addWidget(buttons);
    resize(theme.ipx(820), theme.ipx(600));
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_create, &QPushButton::clicked, this, [this] {
        emit projectWanted(m_template.name, readArguments(m_arguments));
        accept();
    });
    connect(m_form, &views::PropertyForm::edited, this, &TemplateDialog::change);
    connect(m_form, &views::PropertyForm::typed, this, &TemplateDialog::change);
    refresh();
}

void TemplateDialog::keyPressEvent(QKeyEvent* event) {
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isReturn || qobject_cast<QPushButton*>(focusWidget()) != nullptr)
        QDialog::keyPressEvent(event);
}

QString TemplateDialog::figure(const QString& name) const {
    const auto found = std::ranges::find(m_figures, name, &std::pair<QString, QString>::first);
    return found == m_figures.end() ? QString() : found->second;
}

void TemplateDialog::change(const std::string& id, const Json& value) {
    Json wanted = m_arguments;
    wanted.erase(id);
    const auto isIt = [&](const core::TemplateParameter& each) { return each.name == id; };
    const core::TemplateParameter* parameter = nullptr;
    for (const auto* list : {&m_template.parameters, &core::commonTemplateParameters()}) {
        if (const auto found = std::ranges::find_if(*list, isIt); found != list->end())
            parameter = &*found;
    }
    const bool isEmpty = value.is_null() || value == Json("");
    if (parameter != nullptr && !isEmpty && value != asTyped(parameter->defaultValue))
        wanted[id] = value;
    const auto made = core::newProject(m_template.name, readArguments(wanted));
    if (!made) {
        const core::Diagnostic& why = made.error().front();
        if (!m_form->showError(why.location.place, toQString(why.message)))
            m_form->showError(id, toQString(why.message));
        m_create->setEnabled(false);
        m_project.reset();
        return;
    }
    m_arguments = std::move(wanted);
    refresh();
}

void TemplateDialog::refresh() {
    views::PropertySection own{toQString(core::templateTitle(m_template)), {}, true};
    for (const core::TemplateParameter& parameter : m_template.parameters)
        own.properties.push_back(propertyOf(parameter, m_arguments));
    views::PropertySection everyday{tr("Stages and training"), {}, true};
    views::PropertySection others{tr("More"), {}, false};
    for (const core::TemplateParameter& parameter : core::commonTemplateParameters())
        (isEveryday(parameter.name) ? everyday : others)
            .properties.push_back(propertyOf(parameter, m_arguments));
    m_form->setSections({std::move(own), std::move(everyday), std::move(others)});
    m_create->setEnabled(true);
    m_state->setText(tr("Estimating…"));
    m_runner.request([this, name = m_template.name, arguments = readArguments(m_arguments),
                      cache = m_cache](const core::JobContext& job) -> views::LatestRunner::Deliver {
        auto made = core::newProject(name, arguments);
        if (!made)
            return [] {};
        auto project = std::make_shared<const core::Project>(std::move(*made));
        auto drawn = std::make_shared<const DrawnModel>(drawnModel(*project));
        const auto summary = core::summarize(project->model, 1);
        const std::int64_t parameters = summary ? summary->parameters : 0;
        auto estimate = std::make_shared<std::optional<core::PlanEstimate>>();
        const core::Project priced = withoutData(*project);
        if (const auto sound = core::validate(priced, core::RunMode::Train))
            *estimate = simulator::estimate(*sound, *cache, job);
        return [this, project, drawn, estimate, parameters] {
            m_project = project;
            m_picture->setDrawn(drawn);
            showFigures(*estimate ? &**estimate : nullptr, parameters);
        };
    });
}

void TemplateDialog::showFigures(const core::PlanEstimate* estimate, std::int64_t parameters) {
    std::vector<views::Fact> facts;
    const auto add = [&](const QString& name, const views::NumberText& value) {
        facts.push_back({name, value.value, value.unit, {}, false});
    };
    add(tr("Layers"), {views::groupedText(views::layerCount(m_project->model)), {}});
    add(tr("Parameters"), views::countText(double(parameters)));
    const std::size_t stages = m_project->assignment.stageCount();
    add(tr("Stages"), {QString::number(std::max<std::size_t>(1, stages)), {}});
    QString state;
    if (estimate != nullptr && estimate->refusal.empty() && !estimate->ipus.empty()) {
        add(tr("Throughput"), {views::compactText(estimate->samplesPerSecond), tr("samples/s")});
        add(tr("Step"), views::timeText(estimate->step, m_units.time, {estimate->clockHz, estimate->step}));
        const auto fullest = std::ranges::max_element(
            estimate->ipus, {}, [](const core::IpuEstimate& ipu) { return ratio(ipu.peak, ipu.limit); });
        add(tr("Fullest IPU"), views::bytesText(fullest->peak, m_units.bytes));
        add(tr("Limit"), views::bytesText(fullest->limit, m_units.bytes));
        state = estimate->fits
                    ? tr("It fits. The figures are simulated, as a run would give them.")
                    : tr("It does not fit in the memory of the IPUs: more stages, recomputation or "
                         "a smaller micro-batch may help.");
    } else {
        state = estimate != nullptr && !estimate->refusal.empty()
                    ? toQString(estimate->refusal)
                    : tr("The plan is not sound yet; Problems says why once the project is open.");
    }
    m_figures.clear();
    for (const views::Fact& fact : facts)
        m_figures.emplace_back(fact.name, views::NumberText{fact.value, fact.unit}.joined());
    m_facts->setFacts(std::move(facts));
    m_state->setText(state);
}

} // namespace app
