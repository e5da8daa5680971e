#pragma once

#include "core/interchange/python/python_model.h"
#include "core/interchange/python/python_value.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace core {

/// One IPUConfig (or one of the older form) of a program.
struct PythonConfiguration {
    Json options = Json::object();
    std::map<std::string, PythonPlace> places;
    bool isApplied = false;
};

/// What a program says about models, stages, options and training.
struct PythonFacts {
    PythonDraft draft;
    std::vector<PythonConfiguration> configurations;
    /// For the whole program: seed, precision.
    Json training = Json::object();
    Diagnostics warnings;
};

/// Follows a program statement by statement as far as models and their options go. It knows the names of
/// Keras and of the IPU extensions; data stays opaque; nothing is computed but constants. The first statement
/// that it does not understand ends it with a diagnostic at its place.
class PythonEvaluator {
public:
    explicit PythonEvaluator(std::string_view file);

    [[nodiscard]] Result<PythonFacts> run(const PythonBlock& program);

private:
    using Names = std::map<std::string, PythonValue>;
    struct Failed {};

    [[noreturn]] void refuse(PythonPlace place, std::string code, std::string message,
                             std::vector<std::string> hints = {});
    void warn(PythonPlace place, std::string code, std::string message, std::vector<std::string> hints = {});

    // Statements; the value of `return` where one was met.
    std::optional<PythonValue> block(const PythonBlock& statements);
    std::optional<PythonValue> statement(const PythonStatement& statement);
    std::optional<PythonValue> scope(const PythonStatement& statement);
    std::optional<PythonValue> repeat(const PythonStatement& statement);
    void import(const PythonStatement& statement);
    void assign(const PythonExpression& target, PythonValue value);
    void assignAttribute(const PythonExpression& target, const PythonValue& value);

    // Expressions.
    PythonValue evaluate(const PythonExpression& expression);
    PythonValue lookUp(const PythonExpression& name);
    PythonValue attribute(const PythonExpression& expression);
    PythonValue subscript(const PythonExpression& expression);
    PythonValue sliceTensor(const PythonValue& tensor, const PythonExpression& index);
    PythonValue unary(const PythonExpression& expression);
    PythonValue binary(const PythonExpression& expression);
    bool isTrue(const PythonExpression& condition);

    // Classes of the program.
    struct Class {
        /// Its own and its bases' functions, by name.
        std::map<std::string, PythonPlace> functions;
        /// The library class below them, by its full name; empty where none is known.
        std::string base;
    };
    void define(const PythonStatement& statement);
    [[nodiscard]] std::string pathOf(const PythonExpression& expression) const;

    // Calls.
    struct Arguments {
        std::vector<PythonValue> list;
        std::vector<std::pair<std::string, PythonValue>> keywords;
        PythonPlace place;

        [[nodiscard]] const PythonValue* keyword(std::string_view name) const;
        /// By name, or by position.
        [[nodiscard]] const PythonValue* find(std::string_view name, std::size_t position) const;
    };
    PythonValue call(const PythonExpression& expression);
    PythonValue callValue(const PythonValue& callee, Arguments& arguments);
    PythonValue callFunction(const PythonValue& function, Arguments& arguments);
    PythonValue callSymbol(const std::string& path, Arguments& arguments);
    PythonValue callClass(const std::string& name, Arguments& arguments);
    PythonValue callBuiltin(const std::string& name, Arguments& arguments, bool& isKnown);
    std::int64_t wholeArgument(const std::string& name, const Arguments& arguments, std::size_t position);
    PythonValue rangeList(const Arguments& arguments);
    PythonValue zippedList(const std::string& name, const Arguments& arguments);
    PythonValue makeKerasObject(const std::string& path, const std::string& className, Arguments& arguments);
    PythonValue deserializeLayer(Arguments& arguments);
    PythonValue callLayerClass(const std::string& last, Arguments& arguments);
    PythonValue callKeras(const std::string& path, const std::string& last, Arguments& arguments);
    void namePositional(const std::string& path, const std::string& className, const Arguments& arguments,
                        Json& config);
    PythonValue makeCallback(const std::string& className, Arguments& arguments);
    PythonValue makeLossScaleOptimizer(Arguments& arguments);
    PythonValue makeNumberedScope(const std::string& name, const Arguments& arguments);
    PythonValue callIpu(const std::string& path, const std::string& last, Arguments& arguments);
    PythonValue callTensorFlow(const std::string& path, Arguments& arguments);
    PythonValue callMethod(const PythonValue& method, Arguments& arguments);
    PythonValue callModelMethod(const PythonValue& model, const std::string& name, Arguments& arguments);
    PythonValue callDataMethod(const PythonValue& data, const std::string& name, Arguments& arguments);
    static PythonValue madeOf(const Arguments& arguments);
    PythonValue olderConfig(const std::string& name, Arguments& arguments);

    // Models.
    PythonValue makeLayer(const std::string& className, Arguments& arguments);
    PythonValue makeInput(Arguments& arguments);
    PythonValue makeModel(const std::string& className, Arguments& arguments);
    PythonValue wrapOptimizer(const std::string& className, Arguments& arguments);
    PythonValue makeSequential(Arguments& arguments, bool isPipelined);
    PythonValue makeApplication(const std::string& name, Arguments& arguments);
    PythonValue callLayer(std::int64_t layer, Arguments& arguments);
    PythonValue callOnTensors(const std::string& function, Arguments& arguments);
    /// Whether a function is decorated with multi_conv; warns of decorators that are left out.
    bool joinsConvolutions(const PythonStatement& function);
    /// Makes one layer of the convolutions that a function called: those from `firstLayer` on.
    void joinConvolutions(std::size_t firstLayer, PythonValue& result, PythonPlace place);
    std::int64_t asLayer(const PythonValue& value, PythonPlace place);
    void addToSequential(PythonModel& model, const PythonValue& layer, PythonPlace place);
    void setOlderModelArguments(PythonModel& model, Arguments& arguments);
    [[noreturn]] void refuseSubclass(const PythonModel& model, PythonPlace place);
    void compile(PythonModel& model, Arguments& arguments);
    void fit(PythonModel& model, Arguments& arguments);
    void setPipelining(PythonModel& model, Arguments& arguments);
    PythonValue stageAssignment(std::int64_t model, PythonPlace place);
    std::string freshName(const std::string& stem, bool startsAtOne = false);

    // Pipelines of stage functions.
    /// Nothing: the function has nothing to do with them.
    std::optional<PythonValue> callPipelining(const std::string& path, Arguments& arguments);
    PythonValue makeStageOptions(const Arguments& arguments);
    PythonValue makeQueue(const std::string& className, Arguments& arguments);
    PythonValue callQueueMethod(const std::string& name, const PythonValue& queue, PythonPlace place);
    void refuseSecondInfeed(std::int64_t stage, PythonPlace place);
    PythonValue makeLoss(const std::string& className, Json config, const PythonValue* target,
                         const PythonValue* prediction, PythonPlace place);
    /// Nothing: the function is no loss and reduces none.
    std::optional<PythonValue> callLoss(const std::string& path, Arguments& arguments);
    /// Nothing: the class is no optimizer of tf.train.
    std::optional<PythonValue> makeOlderOptimizer(const std::string& path, Arguments& arguments);
    PythonValue makePlaceholder(Arguments& arguments);
    /// A value of an optimizer's configuration, which a session may feed later.
    Json optimizerNumber(const PythonValue& value, PythonPlace place);
    /// What a loss is told beside these, by name or behind their places.
    void refuseFurtherArguments(const Arguments& arguments, const std::set<std::string_view>& read);
    void feed(const Arguments& arguments);
    void settleFedNumbers();
    std::vector<PythonValue> firstStageArguments(const PythonValue& stage, const PythonValue* inputs,
                                                 const PythonValue* infeed, PythonPlace place);
    PythonValue callPipeline(Arguments& arguments);
    PythonValue makeOptimizerOutput(Arguments& arguments);
    /// Calls the function that a function takes with a list of its arguments.
    PythonValue callWithList(const char* function, const char* list, Arguments& arguments);
    void trainPipeline(PythonModel& model, const PythonValue& function,
                       const std::vector<PythonValue>& outputs, PythonPlace place);
    void finishPipeline(PythonModel& model, const std::vector<PythonValue>& elements,
                        const PythonValue& stages, const PythonValue* infeed, const PythonValue* outfeed);
    /// Shape of a sample as far as it is known: [null] for other datasets than Keras' own.
    static Json datasetShape(const std::string& dataset);

    Json json(const PythonValue& value, PythonPlace place);
    Json structure(const PythonValue& value, PythonCall& call, PythonPlace place);

    std::string m_file;
    std::optional<Diagnostic> m_error;
    PythonFacts m_facts;
    Names m_globals;
    std::map<std::string, Class> m_classes;
    std::vector<Names> m_locals;
    std::optional<std::int64_t> m_stage;
    std::optional<std::int64_t> m_shard;
    /// The stage that reads the infeed.
    std::optional<std::int64_t> m_infeedStage;
    std::int64_t m_placeholders = 0;
    std::map<std::int64_t, Json> m_fed;
    std::map<std::string, std::int64_t> m_counts;
    std::set<std::string> m_usedNames;
    std::set<std::string> m_warned;
    int m_depth = 0;
    std::int64_t m_steps = 0;
};

} // namespace core
