#pragma once

#include "core/base/json.h"
#include "core/interchange/python/language/library_values.h"
#include "core/interchange/python/syntax/syntax.h"
#include "core/model/opaque_layer.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace core {

/// One call of a layer: its node in Keras' form, tensors in it as {"$tensor": index}.
struct PythonCall {
    std::vector<PythonTensor> tensors;
    /// The positional arguments as Keras 2 writes them and the keyword arguments.
    Json structure = Json::array();
    Json keywords = Json::object();
    std::optional<std::int64_t> stage;
    /// The IPU of an `ipu_shard` scope around it.
    std::optional<std::int64_t> shard;
    /// It is computed on the host, in the middle of the device's program.
    bool isOnHost = false;
    /// The layer of the program that it is a part of: from 1 in `PythonDraft::groups`; 0: none.
    std::int64_t group = 0;
};

/// Where the JSON of an optimizer keeps the options of the pipeline that a wrapper around it sets.
inline constexpr const char* pythonOptimizerOptions = "$pipeline";
/// Whether an optimizer averages gradients over replicas, or leaves each replica alone.
inline constexpr const char* pythonOptimizerAverages = "$averages";
inline constexpr const char* pythonOptimizerAlone = "$alone";
/// Whether its schedule counts a global step that its minimize() is not given.
inline constexpr const char* pythonOptimizerStepless = "$stepless";
/// By how many it divides gradients: by the replicas, where those are as many.
inline constexpr const char* pythonOptimizerDivides = "$divides";
/// Whether the gradients that decay its variables are those of each micro-batch, not of an update.
inline constexpr const char* pythonOptimizerDecaysEach = "$decays_each";
/// Where it keeps the name and the place of a function that its class overrides: [name, line, column].
inline constexpr const char* pythonOptimizerOverride = "$override";

/// Where the options of a pipeline keep the place of a call that gives one that it does not have.
inline constexpr const char* pythonUnknownArgument = "$unknown";

/// A layer that a program makes.
struct PythonLayer {
    std::string className;
    std::string name;
    Json config = Json::object();
    std::vector<PythonCall> calls;
    /// Position of the inner model where it is one; else −1.
    std::int64_t model = -1;
    PythonPlace place;
    /// Keras' key "module", where the class name does not say enough.
    std::string module = {};
    /// The pipeline stage in whose scope it was made: that of calls which are made outside of any.
    std::optional<std::int64_t> stage = {};
    /// Of a layer that is a part before it is called.
    std::int64_t group = 0;
    /// What the variables of TensorFlow 1 that it makes are called, without their own part: "/scope/dense".
    std::string variableName = {};
    /// What the program calls it, where another layer has that name, too; empty: it is its name.
    std::string ownName = {};
    /// It is called by a model or layer of the program, which has its names to itself.
    bool isInner = false;
    /// The system knows no derivative of what it computes.
    bool hasNoGradient = false;
};

/// A call of a layer that a class or function of the program computes: Keras has one layer for it where a
/// project has its parts.
struct PythonLayerGroup {
    std::string name;
    std::string className;
    /// Null for a Lambda.
    std::shared_ptr<const PythonClass> definition;
    /// What the object that is called has; null for a Lambda.
    std::shared_ptr<std::map<std::string, PythonValue>> attributes = nullptr;
};

/// Samples that a model is given.
struct PythonFed {
    PythonPlace place;
    /// How many; PythonData::unknownCount: only a run knows.
    std::int64_t samples = PythonData::unknownCount;
    /// Arrays for the inputs, then for the outputs; none where the program does not say their numbers.
    std::vector<std::shared_ptr<const PythonArray>> inputs = {};
    std::vector<std::shared_ptr<const PythonArray>> labels = {};
    /// Of `inputs`: under which name of a dictionary each came; empty: under none.
    std::vector<std::string> names = {};
    bool isShuffled = false;
    bool keepsRemainder = false;
    /// Extents of one sample and of its labels, by arrays; null where they are not known. How many labels.
    std::vector<Json> inputShapes = {};
    std::vector<Json> labelShapes = {};
    std::int64_t labelled = PythonData::unknownCount;
    /// The dataset of a library that they and their labels are; empty: none, or the program did more to them
    /// than to divide the samples by `divisor`.
    std::string dataset = {};
    double divisor = 1;
    /// Why their numbers are not known here; empty: they are.
    std::string reason = {};
    /// Of a dataset: its rows; null: they are not known.
    std::shared_ptr<const PythonValue> whole = nullptr;
};

/// A function of its own that a program puts in the place of one of Keras.
struct PythonOverride {
    /// "train_step"; empty: none.
    std::string name;
    PythonPlace place;
};

/// A model that a program makes, with everything it is told.
struct PythonModel {
    /// What it was told that something later replaces; whoever imports another model need not hear of it.
    struct Replaced {
        PythonPlace place;
        std::string message;
        std::string cure;
    };
    std::vector<Replaced> replaced;
    /// What it was told when fit() was called.
    struct Fitted {
        Json pipeline, pipelining, accumulation, training, derived;
        PythonPlace pipelinePlace, trainingPlace;
        PythonOverride optimizerOverridden;
        std::optional<PythonPlace> eager;
        bool trainsAlone = false;
    };

    std::string name;
    bool isSequential = false;
    /// Of a Sequential model, in order.
    std::vector<std::int64_t> layers;
    std::vector<PythonTensor> inputs;
    std::vector<PythonTensor> outputs;
    /// Other keys of the model's config.
    Json config = Json::object();
    /// The layer that stands for it where another model calls it; −1 until then.
    std::int64_t asLayer = -1;
    Json pipeline = Json::object();
    /// What set_pipelining_options() says, which counts with stages, and set_gradient_accumulation_options(),
    /// which counts without.
    Json pipelining = Json::object();
    Json accumulation = Json::object();
    Json training = Json::object();
    /// What follows for the training from the samples, where nothing else says it.
    Json derived = Json::object();
    /// Its steps_per_epoch are told, as predict(steps=N) does: they hold beside a description of the dataset.
    bool isToldSteps = false;
    /// Flat list of stages; null where unset.
    Json stages;
    PythonPlace place;
    PythonPlace pipelinePlace;
    /// Where a list of stages is given; none: stages come from scopes.
    std::optional<PythonPlace> stagesPlace;
    PythonPlace trainingPlace;
    /// Where fit() is given samples to validate with.
    std::optional<PythonPlace> validation;
    /// What it is trained with (without a training: measured, or asked), and validated with.
    std::optional<PythonFed> fed = {};
    std::optional<PythonFed> validated = {};
    /// What samples of class 0, 1, … count for; null: nothing is said.
    Json classWeights = {};
    /// Made of a class whose call() builds it: it has no layers here.
    bool isSubclass = false;
    bool isBuilt = false;
    /// It stands for models that the program calls one behind the other, and has no name there.
    bool isPart = false;
    /// How many of its outputs are those of the first of them.
    std::int64_t firstOutputs = 0;
    /// It was made in the scope of a strategy.
    bool isInStrategy = false;
    /// Its steps are those of each replica: a loop or pipeline of the program feeds them all.
    bool countsReplicaSteps = false;
    /// What the program calls the steps of an execution; empty: steps_per_execution.
    std::string executionSteps = {};
    /// How many replicas its estimator asks for; at most 1: nothing is said.
    std::int64_t wantedReplicas = 0;
    /// Its optimizer is one of TensorFlow 1, which does nothing about replicas by itself.
    bool trainsAlone = false;
    /// Of a class of TensorFlow 2.1.
    bool isOlder = false;
    /// What takes its options of the pipeline, as cures name it; empty: set_pipelining_options().
    std::string pipelineCall = {};
    /// Its learning rate follows a global step that its optimizer does not count up.
    bool hasNoGlobalStep = false;
    /// The configuration that is applied where the model is used; −1: none.
    std::int64_t configuration = -1;
    /// What its class overrides, what the class of its optimizer does, and where eager execution is asked
    /// for.
    PythonOverride overridden;
    PythonOverride optimizerOverridden;
    std::optional<PythonPlace> eager;
    /// fit() was called since it was compiled.
    bool isFitted = false;
    /// train_on_batch() was called: the program counts its steps itself.
    bool isTrainedByBatch = false;
    /// evaluate() was called, and predict().
    bool isEvaluated = false;
    bool isPredicted = false;
    /// An evaluate() or predict() in IPUStrategy, of so many batches.
    struct Asking {
        std::string function;
        std::int64_t steps = 0;
        PythonPlace place;
    };
    std::vector<Asking> askings;
    /// The last training: what it is told behind it, to evaluate or to predict, is not the project's.
    std::optional<Fitted> fitted;
    /// How much was done with it: 0 made, 1 given options, 2 compiled, 3 fitted.
    int use = 0;
    [[nodiscard]] bool isTrained() const { return use >= 3; }
};

/// Everything a program makes.
struct PythonDraft {
    std::vector<PythonLayer> layers;
    /// Models are made while others are at hand: a deque leaves those where they are.
    std::deque<PythonModel> models;
    std::vector<PythonLayerGroup> groups;

    /// The model in the form of `model.to_json()`.
    [[nodiscard]] Json kerasJson(std::int64_t model) const;
    /// Stages by layer where calls stood in the scope of a stage; null where none did.
    [[nodiscard]] Json stagesByLayer(std::int64_t model) const;
    /// The same of shards.
    [[nodiscard]] Json shardsByLayer(std::int64_t model) const;
    /// Layers that lead from the inputs to the outputs, in the order in which they were made.
    [[nodiscard]] std::vector<std::int64_t> layersOf(const PythonModel& model) const;
    /// The same of a graph; of a sequence the layers that were added to it.
    [[nodiscard]] std::vector<std::int64_t> ownLayers(const PythonModel& model) const;
    /// model.layers of Keras: those of a graph from its inputs on, by how far they are from the outputs at
    /// most and then as they are met from there back; those of a class as they were made.
    [[nodiscard]] std::vector<std::int64_t> listedLayers(const PythonModel& model) const;
    /// Its outputs, and what its layers add to the loss.
    [[nodiscard]] std::vector<PythonTensor> endsOf(const PythonModel& model) const;

private:
    /// Calls that lead to a model's outputs, by layer and position, and their positions among those of the
    /// layer: a layer may be called for other models, too.
    using CallPositions = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;
    [[nodiscard]] CallPositions callsOf(const PythonModel& model) const;
    /// `calls` null: without its calls.
    [[nodiscard]] Json layerEntry(std::int64_t layer, const CallPositions* calls) const;
    [[nodiscard]] Json history(const PythonTensor& tensor, const CallPositions& calls) const;
    using CallMember = std::optional<std::int64_t> PythonCall::*;
    /// Numbers of calls by layer, in the order of the layers.
    struct ByLayer {
        void set(const std::string& layer, Json numbers);

        Json object = Json::object();
        /// Those that `object` has: looking a key up in it takes as long as it has keys.
        std::unordered_set<std::string> known = {};
        bool any = false;
    };
    [[nodiscard]] Json byLayer(std::int64_t model, CallMember member) const;
    /// `around`: the number of the call of the model, where another one calls it.
    void collectStages(std::int64_t model, CallMember member, const std::string& prefix,
                       const std::optional<std::int64_t>& around, ByLayer& stages) const;
};

/// Moves what an optimizer says of the model from there to it: options of the pipeline that a wrapper sets
/// (whether there are any), and a function that its class overrides.
bool takeOptimizerOptions(PythonModel& model, Json& optimizer);

/// The option that says how many processes run a program together.
inline constexpr const char* pythonProcessCount = "experimental.multi_replica_distribution.process_count";

/// One IPUConfig (or one of the older form) of a program.
struct PythonConfiguration {
    Json options = Json::object();
    std::map<std::string, PythonPlace> places;
    /// The system was configured with it, as the first, second, … of all; 0: it was not.
    std::int64_t applied = 0;
};

/// What a program says about models, stages, options and training.
struct PythonFacts {
    PythonDraft draft;
    std::vector<PythonConfiguration> configurations;
    /// The configuration that the system was configured with last; −1: with none.
    [[nodiscard]] std::int64_t lastApplied() const;
    /// How many workers a cluster of the program has; 0: it says nothing of any.
    std::int64_t workers = 0;
    /// For the whole program: seed, precision.
    Json training = Json::object();
    /// The simulated machine, beside the number of its IPUs.
    Json system = Json::object();
    /// What the program says of operations whose code is not read, by the names of their layers.
    OpaqueLayers opaqueLayers = {};
    /// The device that models are put on, of those that auto_select_ipus makes, and where; the first, where
    /// nobody says another one.
    std::pair<std::int64_t, PythonPlace> device = {0, {}};
    /// An exported program says that its project has no samples.
    bool saysNoData = false;
    /// What queues and iterators of the program take samples of: for loops of its own.
    std::vector<PythonFed> fedToLoops = {};
    /// Commands of its command line, none of which was chosen: "train, evaluate".
    std::string openCommands;
    /// The files that the program is made of, by the numbers in its places; the first is its own.
    std::vector<std::string> files;
};

} // namespace core
