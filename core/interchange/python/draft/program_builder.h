#pragma once

#include "core/interchange/python/draft/program_draft.h"
#include "core/interchange/python/draft/step_tally.h"
#include "core/interchange/python/language/arguments.h"
#include "core/interchange/python/syntax/messages.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace core {

class PythonInterpreter;
class PythonModules;

/// The JSON of an object: of an optimizer with the learning rate that the program set.
[[nodiscard]] Json configuredNow(const PythonConfigured& object);
/// Where an optimizer's JSON has its options: that of a loss scale has them in the one within it.
[[nodiscard]] Json& optimizerOptions(Json& optimizer);

/// What a program has made up to the statement that is followed. The functions of the APIs build with it.
class PythonProgramBuilder {
public:
    explicit PythonProgramBuilder(PythonMessages& messages)
        : m_messages(messages) {}

    [[noreturn]] void refuse(PythonPlace place, std::string code, std::string message,
                             std::vector<std::string> cures) const {
        m_messages.refuse(place, std::move(code), std::move(message), std::move(cures));
    }
    void warn(PythonPlace place, std::string code, std::string message, std::vector<std::string> cures) {
        m_messages.warn(place, std::move(code), std::move(message), std::move(cures));
    }
    [[nodiscard]] const std::string& file() const { return m_messages.file(); }

    [[nodiscard]] PythonLayer& layer(std::int64_t index);
    [[nodiscard]] PythonModel& model(std::int64_t index);
    [[nodiscard]] PythonConfiguration& configuration(std::int64_t index);
    /// They answer what stands for what was added.
    PythonLayerName addLayer(PythonLayer layer);
    PythonModelName addModel(PythonModel model);
    PythonOptions addConfiguration();

    /// Keras' name for the next object of a kind: "dense", "dense_1", …
    [[nodiscard]] std::string freshName(const std::string& stem, bool startsAtOne = false);
    void useName(const std::string& name) { m_usedNames.insert(name); }
    /// Layers of one name get a number behind it, but for the first of them: what functions and classes of
    /// a program compute may have them.
    void separateNames(const PythonModel& model);
    [[nodiscard]] bool isUsed(const std::string& name) const { return m_usedNames.contains(name); }
    /// What was named up to now, to take back what is named from here on.
    struct Names {
        std::map<std::string, std::int64_t> counts;
        std::set<std::string> used;
    };
    [[nodiscard]] Names names() const { return {m_counts, m_usedNames}; }
    void setNames(Names names) {
        m_counts = std::move(names.counts);
        m_usedNames = std::move(names.used);
    }

    /// JSON of a value: names of libraries by their last part, layers and objects as Keras writes them.
    /// Refuses what the program does not write, such as samples.
    [[nodiscard]] Json json(const PythonValue& value, PythonPlace place) const;
    /// The JSON of an optimizer's number, which a run of the program may feed later.
    [[nodiscard]] Json optimizerNumber(const PythonValue& value, PythonPlace place) const;

    /// A number that a run of the program feeds.
    [[nodiscard]] PythonData addPlaceholder(Json shape);
    /// What a placeholder is where nothing feeds it.
    void feedByDefault(const PythonData& placeholder, Json number) {
        m_fedByDefault[placeholder.placeholder] = std::move(number);
    }
    /// Remembers what `feed_dict` gives first.
    void feed(const PythonValue& dictionary);
    /// Placeholders that are inputs of a model, in the order in which its function takes them, and what runs
    /// of it feed them: the arrays of each run; null where only a run knows one.
    struct FedPlaceholders {
        std::int64_t model = -1;
        std::vector<std::int64_t> placeholders;
        std::vector<std::vector<std::shared_ptr<const PythonArray>>> runs;
        PythonPlace place;
    };
    std::vector<FedPlaceholders> fedPlaceholders;
    /// The system is configured with it from here on.
    void applyConfiguration(std::int64_t index);
    /// The model runs on the system that is configured now.
    void useConfiguration(PythonModel& model) const;
    /// What was made so far, as a text that differs where anything of it does.
    [[nodiscard]] std::string state() const;
    /// The same with how often a session runs what is compiled.
    [[nodiscard]] std::string progress() const;
    /// How many layers and calls of them there are.
    [[nodiscard]] std::size_t countParts() const;
    /// How often each layer was called up to now.
    [[nodiscard]] std::vector<std::size_t> callCounts() const;
    /// What a graph of TensorFlow 1 collects, to go back to it: a second graph of the same functions is none
    /// of the project.
    struct Collections {
        Names names;
        std::map<std::string, PythonValue> variables;
        std::map<std::string, std::int64_t> layersOfStem;
        std::map<std::array<int, 3>, std::map<std::string, double>> penalties;
        std::size_t collected = 0;
        std::size_t losses = 0;
        std::size_t weights = 0;
        std::size_t handed = 0;
    };
    [[nodiscard]] Collections collections() const;
    void restore(const Collections& before);
    /// Says which convolutions of a multi_conv are called outside of it, too, at the program's end.
    void settleJoined();
    /// Says how long the loops of the program train, at its end.
    void settleLoops();
    /// Says what the program hands to an outfeed beside its loss, at its end.
    void settleOutfeeds();
    /// Whether a tensor that a training hands to an outfeed is no part of a project.
    [[nodiscard]] bool isLeftOut(const PythonValue& handed) const;
    /// What layers that are made from now on compute in; those that are there keep what held for them.
    void setPrecision(const Json& policy);
    /// A program all of whose variables are of 16 bits computes in them.
    void settlePrecision();
    /// Says that a strategy over several workers does not know how many there are.
    void settleWorkers();
    /// Puts what was fed where it belongs, at the program's end.
    void settleFedNumbers();

    PythonFacts facts;
    /// The files beside the program; null: it has none.
    PythonModules* modules = nullptr;
    /// The command line that the program is read with, without its own name.
    std::vector<std::string> commandLine;
    bool asksForCommandLine = false;
    /// Its `tf` is that of TensorFlow 1.
    bool importsOlderApi = false;
    /// A person said which of several models to take: how another one is trained is left out where it is not
    /// read.
    bool isModelChosen = false;
    /// The pipeline stage and the shard in whose scope the program is.
    PythonScope scope;
    /// The layer of the program whose parts are made; 0: none. See `PythonCall::group`.
    std::int64_t group = 0;
    /// While a callback of the program is asked what it does when an epoch begins: the rate of the optimizer,
    /// and whether the callback sets it.
    struct EpochRate {
        std::optional<double> rate;
        bool isSet = false;
    };
    std::optional<EpochRate> epochRate;
    /// Rates that a loop of the program sets while it trains a model: from so many of its steps on.
    struct SetRate {
        std::int64_t step = 0;
        double rate = 0;
    };
    std::map<std::int64_t, std::vector<SetRate>> setRates;
    /// What the functions of np.random draw next; null: the program gave them no seed.
    std::shared_ptr<SeededNumbers> sharedNumbers;
    /// The loops that the program is in, the outermost first.
    struct LoopAround {
        PythonPlace place;
        std::int64_t rounds = 0;
        /// Its rounds are followed one by one.
        bool isFollowed = true;
    };
    std::vector<LoopAround> loopsAround;
    /// Loops whose rounds differ in what is imported, as following the program once before told.
    std::set<std::string> differingLoops;
    [[nodiscard]] static std::string loopAt(PythonPlace place);
    /// Numbers that tf.Variable() begins with are assigned others, as following the program once before told.
    bool assignsNumbers = false;
    /// Conditions around that only a run knows.
    int unknownWays = 0;
    /// Models that are called on what another one answers: [first, its output, second] → both as one model,
    /// whose outputs are those of the first, then those of the second.
    std::map<std::array<std::int64_t, 3>, std::int64_t> chains;
    /// Layers and calls that were made for chains alone: the program makes none by them.
    std::size_t chainParts = 0;
    /// The model itself, or the first of a chain as the chain, whose outputs begin with its own.
    [[nodiscard]] bool isWithin(std::int64_t model, std::int64_t chain) const {
        return model == chain || std::ranges::any_of(chains, [&](const auto& entry) {
                   return entry.second == chain && entry.first[0] == model;
               });
    }
    /// Pipelines that were made, so that a compiled function that is called again runs the one that it has.
    struct MadePipeline {
        PythonPlace place;
        PythonValues stages;
        PythonValue optimizer;
        std::int64_t model = 0;
    };
    std::vector<MadePipeline> pipelines;
    /// The stage that reads the infeed.
    std::optional<std::int64_t> infeedStage;
    /// What models compute that classes of the program define: the object, or the layers of a sequence.
    std::map<std::int64_t, PythonValue> computed;
    /// Models that the program calls on whole arrays: arrays beside those are samples, too, where they are
    /// constants beside what a dataset answers.
    std::set<std::int64_t> fedWhole;
    /// Objects of models whose class says itself what a step of training does.
    std::map<std::int64_t, PythonValue> ownSteps;
    /// Models and layers of the program whose call() is followed, one within the other.
    int calledObjects = 0;
    /// A tensor that the layer of the program whose call() is followed was called on.
    std::optional<PythonTensor> anchor;
    /// The first tensor that the stage whose function is followed is given.
    std::optional<PythonTensor> arrival;
    /// The last loss that a loop of the program computed, and how often it updates weights.
    std::optional<PythonLoss> lastLoss;
    /// Sums of squares of weights that the program adds to its loss, by the place (file, line, column) that
    /// adds them: the factor for each kind of weight.
    std::map<std::array<int, 3>, std::map<std::string, double>> penalties;
    /// Regularizers of TensorFlow 1, which count where the program adds them to its loss: "@0" is the kind of
    /// the first of them.
    struct CollectedPenalty {
        /// A layer, a weight of the program, or sums of squares that the program made itself.
        PythonValue owner;
        /// Of a layer: "kernel_regularizer".
        std::string option;
        Json regularizer;
        std::string scope;
        PythonPlace place;
    };
    std::vector<CollectedPenalty> collected;
    /// Losses of tf.losses, which TensorFlow 1 collects likewise.
    std::vector<PythonValue> collectedLosses;
    /// Variables of TensorFlow 1 by their names with those of their scopes: "/scope/w".
    std::vector<std::pair<std::string, PythonValue>> graphWeights;
    /// Weights of the program whose squares it adds: "#0" is the kind of the first of them.
    std::vector<PythonValue> penalized;
    /// Whose weights the program trains by gradients of a loss of a model, and where.
    struct TrainedWeights {
        std::int64_t model = -1;
        PythonValues owners;
        PythonPlace place;
    };
    std::vector<TrainedWeights> trainedWeights;
    /// Losses given to compile() that the program computes by itself, by model: they are followed as soon as
    /// the labels are known.
    struct OwnLoss {
        PythonValue loss;
        PythonPlace place;
    };
    std::map<std::int64_t, OwnLoss> ownLosses;
    /// Models whose compiled loss, with its weights, a step of the program asks for.
    std::set<std::int64_t> askedLosses;
    /// Schedules of learning rates that the program computes, by the number in the optimizers that have them.
    struct OwnSchedule {
        std::function<PythonValue(PythonInterpreter&, const PythonValue& step)> rate;
        /// As messages name it.
        std::string name;
        PythonPlace place;
    };
    std::vector<OwnSchedule> ownSchedules;
    /// Where the program last took gradients of what a model answers by something else than weights.
    std::optional<PythonPlace> inputGradient;
    /// An optimizer applied gradients whose loss is read.
    bool hasApplied = false;
    /// While a class of the program that wraps an optimizer is asked what it makes of gradients: those that
    /// it hands on; null: none yet.
    std::optional<PythonValue> handedGradients;
    /// How often it did so at each place (file, line, column) of the program.
    std::map<std::array<int, 3>, std::int64_t> appliedAt;
    /// A loss function of the program is followed: labels and losses are tensors there like others.
    bool computesLoss = false;
    /// Gradients were taken and not applied yet: how the program clips them meanwhile, as options of an
    /// optimizer of Keras; null: none were taken.
    Json clipping;
    /// A flag of absl: what it is now, and when the program is started without it.
    struct Flag {
        PythonValue value;
        PythonValue byDefault;
        /// What the command line says of it is read as: "integer", "multi_enum_class", …
        std::string kind;
        /// The class of its members, where it has one.
        PythonValue enumeration;
    };
    std::map<std::string, Flag> flags;
    /// Other names of flags.
    std::map<std::string, std::string> flagAliases;
    PythonStepTally tally;
    /// How often a session runs what trains a model.
    PythonStepTally launches;
    /// Tensors that the last body, stage or step handed to the outfeed.
    std::vector<PythonTensor> enqueued;
    /// What is handed to an outfeed first, and the loss that is trained by first, at each place of the
    /// program that does so.
    struct Handed {
        PythonValue values;
        PythonPlace place;
    };
    std::vector<Handed> handedOn;
    std::vector<Handed> trainedLosses;
    /// Statistics that a loop of the program takes of what a model answers, and where.
    std::vector<Handed> measuredAnswers;
    static void remember(std::vector<Handed>& known, const PythonValue& values, PythonPlace place);
    /// Input and output of sequences, where the program asks for them.
    std::map<std::int64_t, std::pair<PythonTensor, PythonTensor>> opened;
    /// Variables of TensorFlow 1 and layers made with a name, by their scopes and name.
    std::map<std::string, PythonValue> variables;
    /// How often a scope and function named a layer that the program does not name.
    std::map<std::string, std::int64_t> layersOfStem;
    /// Where weights are made that the program uses in several ways ("12:9"): they are variables of their
    /// own.
    std::set<std::string> wholeWeights;
    /// Layers with weights that the first round of a loop on the device made, in order, while a further round
    /// is followed: it makes none of its own, but calls those.
    std::deque<std::int64_t> layersOfRound;
    /// Weights of layers that the program uses beside them, by layer and name: "embeddings".
    std::map<std::pair<std::int64_t, std::string>, PythonValue> layerWeights;
    /// What tensors are, once it was asked: the type of a layer is settled before it is called.
    struct KnownTensor {
        Json shape;
        std::string type;
    };
    std::map<std::array<std::int64_t, 3>, KnownTensor> knownTensors;
    /// Tensors of 16 bits are among those of the program; weights are that take their type.
    bool hasHalves = false;
    bool computesInHalves = false;
    /// Losses that gradients were taken of: of a graph, or of what a model answers.
    struct TakenLoss {
        PythonValue loss;
        /// Layers whose weights those gradients are not of.
        std::vector<std::int64_t> untrained;
    };
    std::vector<TakenLoss> takenLosses;
    /// The layers whose weights stay as they are where a step of a graph changes these variables alone;
    /// nothing: it is not known which variables these are. What it is asked for stands at a place.
    std::function<std::optional<std::vector<std::int64_t>>(PythonPlace, const PythonValue&)> layersLeft;
    /// Losses that were multiplied by a number, as graphs compute them: the product, what was multiplied, and
    /// the number.
    struct MultipliedLoss {
        PythonTensor product;
        PythonLoss loss;
        double factor = 1;
    };
    std::vector<MultipliedLoss> multipliedLosses;
    /// Models whose loss has terms that they add themselves, and outputs of models that have no loss: they
    /// are none of the model that is trained.
    std::set<std::int64_t> addedTerms;
    std::map<std::int64_t, std::set<std::int64_t>> untrainedOutputs;
    /// os.environ: the program is read as it is started without any; it may set them.
    PythonValue environment = pythonDictionary({});
    /// While a computation is compiled: the pipelines in it so far.
    std::optional<int> compiledPipelines;
    /// The model function of an IPUPipelineEstimator is followed.
    bool isInPipelineEstimator = false;
    /// Something of the program counts its global step up.
    bool countsGlobalStep = false;
    /// It makes a strategy for IPUs.
    bool makesStrategy = false;
    /// The strategy over several workers, and where it is made; no name: there is none.
    std::pair<std::string, PythonPlace> workerStrategy;
    /// That strategy keeps variables on the host.
    bool hasVariablesOnHost = false;
    /// That strategy adds up the gradients of replicas, whatever the optimizer is.
    bool reducesReplicas = false;
    /// A loop on the device was followed as one that trains by itself.
    bool hasOwnDeviceLoop = false;
    /// What popdist is told; 0: nothing.
    std::int64_t ipusPerReplica = 0;
    /// Layers that join convolutions, by those convolutions.
    std::map<std::vector<std::int64_t>, std::int64_t> joinedConvolutions;
    /// The last function that a strategy ran, and what it was given: the whole program where it makes no
    /// model.
    std::optional<std::pair<PythonValue, PythonArguments>> deviceCall;
    /// What ran on the device operation by operation, in its order: the whole program where it makes no
    /// model.
    std::vector<std::shared_ptr<const PythonComputation>> eagerOperations;
    /// The last loss that an optimizer's minimize() was called with.
    std::optional<PythonTrainingStep> step;

private:
    [[nodiscard]] Json json(const PythonValue& value, PythonPlace place, int depth, int& count) const;

    PythonMessages& m_messages;
    std::int64_t m_placeholders = 0;
    std::map<std::int64_t, std::vector<Json>> m_fed;
    std::map<std::int64_t, Json> m_fedByDefault;
    std::map<std::string, std::int64_t> m_counts;
    std::set<std::string> m_usedNames;
};

} // namespace core
