#include "core/project/validate.h"

#include "core/config/keras_catalogue.h"
#include "core/model/graph/infer_shapes.h"
#include "core/plan/shard_stages.h"
#include "core/project/validation_rules.h"

#include <algorithm>

namespace core {

namespace {

/// What runs need and a project may leave open: Keras' default optimizer, one loss per output.
Project withDefaults(Project project) {
    TrainingOptions& training = project.training;
    if (!training.optimizer)
        training.optimizer = optimizerOf(training);
    if (training.losses.empty())
        training.losses.push_back({"MeanSquaredError", Json::object()});
    if (training.losses.size() == 1)
        training.losses.resize(std::max<std::size_t>(1, project.model.outputs.size()),
                               training.losses.front());
    return project;
}

InferenceOptions inferenceOptions(const Project& project, const std::string& file) {
    InferenceOptions options;
    options.batchSize = project.training.batchSize;
    options.opaqueLayers = project.opaqueLayers;
    options.precision = precisionFromName(project.training.precision).value_or(PrecisionPolicy{});
    options.requiresKnownShapes = true;
    options.file = file;
    return options;
}

} // namespace

/// Asks the rules and makes the validated project; the only one who can.
class Validation {
public:
    Validation(const Project& project, RunMode mode, const std::optional<DatasetFacts>& facts,
               const std::string& file, const ExaminedModel& model)
        : m_project(project)
        , m_mode(mode)
        , m_facts(facts)
        , m_file(file)
        , m_model(model)
        , m_figures(runFigures(project, mode, facts)) {}

    /// The project's findings.
    [[nodiscard]] Diagnostics askRules() {
        const RuleContext context{m_project,
                                  m_mode,
                                  m_figures,
                                  m_facts,
                                  m_model.flattened ? &*m_model.flattened : nullptr,
                                  m_model.graph.get(),
                                  m_model.findings,
                                  m_model.layerWarnings,
                                  m_model.trainingWarnings,
                                  m_file,
                                  m_findings,
                                  m_model.flattened ? m_model.flattened->assignable().size() : 0};
        // The order in which the programming system meets them: configuration, setters, building the model
        // and counting replicas, the data handler, the pipeline, the compiler.
        for (const auto& rules :
             {configurationRules(), stageRules(), modelRules(), deviceRules(), stepRules()})
            ask(rules, context);
        if (m_figures.isPipelined)
            ask(pipelineRules(), context);
        ask(compilationRules(), context);
        ask(effectRules(), context);
        return std::move(m_findings);
    }

    /// Of a project without errors; `project` is what the rules were asked about.
    [[nodiscard]] ValidatedProject validated(Project&& project) const {
        ValidatedProject validated;
        validated.m_graph = m_model.graph;
        validated.m_mode = m_mode;
        validated.m_stageCount = m_figures.stages;
        validated.m_stageOf.assign(m_model.graph->invocations.size(), StageId(0));
        if (m_figures.isPipelined) {
            const std::vector<InvocationId>& assignable = m_model.flattened->assignable();
            for (std::size_t entry = 0; entry < assignable.size(); ++entry)
                validated.m_stageOf[assignable[entry].index()] = project.assignment.stages[entry];
        } else if (project.assignment.isSharded()) {
            validated.m_stageOf = shardStages(*m_model.flattened, project.assignment.stages).stageOf;
        }
        validated.m_ipuOf = m_figures.ipuOf;
        validated.m_ipusPerReplica = m_figures.ipusPerReplica;
        validated.m_replicas = m_figures.replicas;
        validated.m_microBatches = m_figures.microBatches;
        // Without weight updates: how often the pipeline runs.
        validated.m_updatesPerExecution =
            m_figures.microBatches > 0 ? m_figures.stepsPerExecution / m_figures.microBatches : 1;
        validated.m_executionsPerEpoch =
            m_figures.stepsPerReplica ? *m_figures.stepsPerReplica / m_figures.stepsPerExecution : 1;
        validated.m_project = std::make_shared<Project>(withDefaults(std::move(project)));
        return validated;
    }

private:
    static void ask(std::span<const ValidationRule> rules, const RuleContext& context) {
        for (const ValidationRule& rule : rules)
            rule.ask(context);
    }

    const Project& m_project;
    RunMode m_mode;
    const std::optional<DatasetFacts>& m_facts;
    const std::string& m_file;
    const ExaminedModel& m_model;
    RunFigures m_figures;
    Diagnostics m_findings;
};

namespace {

/// `take` gives the project away once the rules have been asked.
template <class Take>
ValidationOutcome outcomeOf(Validation validation, Take take) {
    ValidationOutcome outcome;
    outcome.findings = validation.askRules();
    if (!hasErrors(outcome.findings))
        outcome.project = validation.validated(take());
    return outcome;
}

} // namespace

ValidationOutcome validateAll(const Project& project, RunMode mode, const std::optional<DatasetFacts>& facts,
                              const std::string& file) {
    const ExaminedModel model = examineModel(project.model, inferenceOptions(project, file));
    return outcomeOf(Validation(project, mode, facts, file, model), [&] { return Project(project); });
}

ValidationOutcome validateAll(Project&& project, RunMode mode, const std::optional<DatasetFacts>& facts,
                              const std::string& file, ModelExaminer& examiner) {
    const auto model = examiner.examined(inferenceOptions(project, file));
    return outcomeOf(Validation(project, mode, facts, file, *model),
                     [&]() -> Project&& { return std::move(project); });
}

Result<ValidatedProject> validate(const Project& project, RunMode mode,
                                  const std::optional<DatasetFacts>& facts, const std::string& file) {
    ValidationOutcome outcome = validateAll(project, mode, facts, file);
    if (!outcome.project)
        return failure(std::move(outcome.findings));
    return std::move(*outcome.project);
}

} // namespace core
