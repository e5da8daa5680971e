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
               const std::string& file)
        : m_project(project)
        , m_mode(mode)
        , m_facts(facts)
        , m_file(file)
        , m_figures(runFigures(project, mode, facts)) {}

    ValidationOutcome run() {
        inferModel();
        askRules();
        ValidationOutcome outcome;
        outcome.findings = std::move(m_findings);
        if (!hasErrors(outcome.findings))
            outcome.project = makeProject();
        return outcome;
    }

private:
    void inferModel() {
        auto flattened = flattenModel(m_project.model, m_file);
        if (!flattened) {
            m_modelFindings = flattened.error();
            return;
        }
        m_flattened = std::move(*flattened);
        InferredModel inferred = inferKnownShapes(m_project.model, inferenceOptions(m_project, m_file));
        m_modelFindings = std::move(inferred.findings);
        m_graph = std::make_shared<const TypedGraph>(std::move(inferred.graph));
    }

    void askRules() {
        const RuleContext context{
            m_project,     m_mode,          m_figures, m_facts,   m_flattened ? &*m_flattened : nullptr,
            m_graph.get(), m_modelFindings, m_file,    m_findings};
        // The order in which the programming system meets them: configuration, setters, building the model
        // and counting replicas, the data handler, the pipeline, the compiler.
        for (const auto& rules :
             {configurationRules(), stageRules(), modelRules(), deviceRules(), stepRules()})
            ask(rules, context);
        if (m_figures.isPipelined)
            ask(pipelineRules(), context);
        ask(compilationRules(), context);
        ask(effectRules(), context);
    }

    static void ask(std::span<const ValidationRule> rules, const RuleContext& context) {
        for (const ValidationRule& rule : rules)
            rule.ask(context);
    }

    ValidatedProject makeProject() {
        ValidatedProject validated;
        validated.m_project = std::make_shared<const Project>(withDefaults(m_project));
        validated.m_graph = m_graph;
        validated.m_mode = m_mode;
        validated.m_stageCount = m_figures.stages;
        validated.m_stageOf.assign(m_graph->invocations.size(), StageId(0));
        if (m_figures.isPipelined) {
            const std::vector<InvocationId> assignable = m_flattened->assignable();
            for (std::size_t entry = 0; entry < assignable.size(); ++entry)
                validated.m_stageOf[assignable[entry].index()] = m_project.assignment.stages[entry];
        } else if (m_project.assignment.isSharded()) {
            validated.m_stageOf = shardStages(*m_flattened, m_project.assignment.stages).stageOf;
        }
        validated.m_ipuOf = m_figures.ipuOf;
        validated.m_ipusPerReplica = m_figures.ipusPerReplica;
        validated.m_replicas = m_figures.replicas;
        validated.m_microBatches = m_figures.microBatches;
        validated.m_updatesPerExecution =
            m_figures.isTraining ? m_figures.stepsPerExecution / m_figures.microBatches : 1;
        validated.m_executionsPerEpoch =
            m_figures.stepsPerReplica ? *m_figures.stepsPerReplica / m_figures.stepsPerExecution : 1;
        return validated;
    }

    const Project& m_project;
    RunMode m_mode;
    const std::optional<DatasetFacts>& m_facts;
    const std::string& m_file;
    RunFigures m_figures;
    std::optional<FlattenedModel> m_flattened;
    std::shared_ptr<const TypedGraph> m_graph;
    Diagnostics m_modelFindings;
    Diagnostics m_findings;
};

ValidationOutcome validateAll(const Project& project, RunMode mode, const std::optional<DatasetFacts>& facts,
                              const std::string& file) {
    return Validation(project, mode, facts, file).run();
}

Result<ValidatedProject> validate(const Project& project, RunMode mode,
                                  const std::optional<DatasetFacts>& facts, const std::string& file) {
    ValidationOutcome outcome = validateAll(project, mode, facts, file);
    if (!outcome.project)
        return failure(std::move(outcome.findings));
    return std::move(*outcome.project);
}

} // namespace core
