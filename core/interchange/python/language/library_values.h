#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// What libraries make. The language hands these on; only the libraries look into them.
namespace core {

struct PythonClass;
struct PythonArray;
struct PythonComputation;
struct PythonValue;

/// The learning rate of an optimizer, which a program may set while it trains; copies of the optimizer share
/// it.
struct PythonRate {
    /// A number, or a schedule as JSON; null: only a run knows it.
    Json now;
    /// The program set it since the optimizer was made.
    bool isSet = false;
    /// A variable of the program that the rate is; null: it is none.
    std::shared_ptr<PythonArray> variable = nullptr;
};

class SeededNumbers;

/// Samples, and whatever else only the running program knows.
struct PythonData {
    /// The dataset, where it is one that comes with a library.
    std::string dataset;
    /// 0: unknown.
    std::int64_t batchSize = 0;
    /// From 1: a value that the program feeds when it runs; 0: none.
    std::int64_t placeholder = 0;
    /// Extents of an array or placeholder with all its axes, null where one is open; null: unknown.
    Json shape;
    /// Its numbers, where the program says them; null: it does not. Copies share them, as in Python.
    std::shared_ptr<PythonArray> array;
    /// Of a dataset, or of what iterates over one: what it answers each time; null: unknown, or no dataset.
    std::shared_ptr<const PythonValue> element;
    /// Of a dataset: the arrays whose rows it answers, in the structure of `element`; null: their numbers are
    /// not known, or what becomes of them is not.
    std::shared_ptr<const PythonValue> whole = nullptr;
    /// Of such a dataset: its order is drawn; its last batch may be smaller than the others.
    bool isShuffled = false;
    bool keepsRemainder = false;
    /// Its rows are what it answers as a whole.
    bool answersWholes = false;
    /// How large its batches are only a run knows.
    bool hasOpenBatch = false;
    /// Of samples of a dataset of a library, whose numbers are all that the program did to them: what they
    /// were divided by; none: more was done.
    std::optional<double> divisor = {};
    /// How often it answers that; see below for the negative ones.
    std::int64_t count = unknownCount;
    /// What made it, as messages name it: "np.load()"; empty: nothing that is worth saying.
    std::string origin;
    /// The call whose answer only a run knows that it is made of: "np.unwrap() at 12:8"; empty: none is
    /// known.
    std::string unread;
    /// Of numbers that are drawn: the initializer that draws alike, {"class_name", "config"}; null: none.
    Json initializer;
    /// Of a generator of random numbers: those that it draws next; null: it is none, or has no known seed.
    std::shared_ptr<SeededNumbers> numbers;
    /// How a person can say it to the import; empty: not.
    std::string cure;
    /// What a model answered, or what is computed of it: the model; −1: it comes from elsewhere.
    std::int64_t model = -1;
    /// Which of that model's outputs it is.
    std::int64_t output = 0;
    /// Of what a dataset answers each time: which of its parts; −1: something else.
    std::int64_t part = -1;
    /// How the program computed it of such parts or answers; null: it is one, or comes from elsewhere.
    std::shared_ptr<const PythonComputation> computed;
    /// From 1: the operation that answered it, of those that ran on the device one by one; 0: none.
    std::int64_t onDevice = 0;
    /// What compiling the training of a model answers: that model; −1: something else.
    std::int64_t compiled = -1;
    /// The learning rate of the optimizer of a compiled model: that model; −1: something else.
    std::int64_t rateOf = -1;
    /// `rateOf` of an optimizer that no model was compiled with.
    static constexpr std::int64_t ofNoModel = -2;
    /// Of a learning rate: where the optimizer keeps it; null: it has no such place.
    std::shared_ptr<PythonRate> rate;
    /// Of gradients: the model whose loss they are of; −1: the loss is not read.
    std::int64_t gradientsOf = -1;
    /// Of gradients: what the loss and they were multiplied by in all; none: by more than numbers.
    std::optional<double> factor = 1;
    /// Of gradients: this times its variable was added to each; and whether they were clipped before.
    double decay = 0;
    bool decaysClipped = false;
    /// Of gradients: whether the program added up those of all replicas, or took their mean.
    bool areSummed = false;
    bool areAveraged = false;
    /// Of gradients: which of the losses that gradients were taken of; −1: it is not known.
    std::int64_t lossTaken = -1;
    /// Of gradients: the variable that they are of; null: it is not known, or all of them.
    std::shared_ptr<const PythonValue> gradientOf;
    /// Of the weights of a model: what they are multiplied by; none: something else.
    std::optional<double> weights;
    /// Which of them: "kernel", "bias", …; empty: all.
    std::string weightKind;
    /// Of one variable of a graph: "dense/kernel:0".
    std::string weightName;
    /// Of weights: a list of the models and layers that have them, and none where they are some of those.
    /// Null: it is not known.
    std::shared_ptr<const PythonValue> weightOwners;
    /// Of a sum of squares of weights: its factor for each kind.
    std::map<std::string, double> penalty;
    /// Whole numbers, no truth values: as an index they are places, not a mask.
    bool areWhole = false;
    /// Numbers of 16 bits.
    bool areHalves = false;
    /// Whole numbers of 8 bits: "uint8", "int8".
    std::string byteType = {};
    /// enumerate() of a dataset: what it answers is a pair with a number.
    bool isNumbered = false;
    /// The model was called on what another model answers.
    bool isChained = false;
    bool isGradient = false;
    /// In a list: values of unknown number.
    bool standsForMany = false;
    /// Of gradients of a loss that is left out, because the program trains several models by it.
    bool isLeftOut = false;

    static constexpr std::int64_t unknownCount = -1;
    static constexpr std::int64_t endless = -2;
};

/// The kind of a weight that the program takes by its place: it may be any of them.
inline constexpr const char* pythonWeightAtPlace = "[]";

/// An object that is known by its class and its configuration, such as an optimizer:
/// {"class_name", "config"} in `json`.
struct PythonConfigured {
    Json json;
    /// Full name of the class; empty where nothing asks for it.
    std::string path;
    /// The model that was compiled with it; −1: none.
    std::int64_t model = -1;
    /// Of an optimizer of Keras: its learning rate; null: it is none.
    std::shared_ptr<PythonRate> rate = nullptr;
};

// What objects of libraries say in attributes of these names: their text; that they are a scope themselves.
inline constexpr std::string_view pythonTextFunction = "__str__";
inline constexpr std::string_view pythonEnterFunction = "__enter__";
/// contextlib.suppress(): its attribute "errors" lists what it ends.
inline constexpr std::string_view pythonSuppress = "contextlib.suppress";

/// An object of a class of a library, by the class's full name; its functions are names below that.
struct PythonLibraryObject {
    std::string className;
    std::shared_ptr<std::map<std::string, PythonValue>> attributes;
};

/// A layer, by its position among the layers of the program.
struct PythonLayerName {
    std::int64_t layer = 0;
};

/// A tensor: an output of a call of a layer.
struct PythonTensor {
    std::int64_t layer = 0;
    std::int64_t call = 0;
    std::int64_t output = 0;
    bool operator==(const PythonTensor&) const = default;
};

/// A model, by its position among the models of the program.
struct PythonModelName {
    std::int64_t model = 0;
};

/// A configuration of the system, or an option below it: "" or "matmuls.clear_pass_type".
struct PythonOptions {
    std::int64_t configuration = 0;
    std::string path;
};

/// A queue between host and device.
struct PythonQueue {
    bool isInfeed = true;
    Json options = Json::object();
    PythonData dataset;
    bool keepsLastOnly = false;
};

/// A loss of a tensor: {"class_name", "config"} in `json`.
struct PythonLoss {
    Json json;
    PythonTensor prediction;
    /// Of a loss that a loop of the program computes: the model; else −1.
    std::int64_t model = -1;
    /// The number that it was multiplied by since.
    double factor = 1;
    /// The labels, where they are a tensor.
    PythonTensor label = {};
    /// One value, no longer one for each sample.
    bool isReduced = false;
    /// The program has one value for each number of the prediction, where Keras has their mean.
    bool isElementwise = false;
    /// Which of the model's outputs it is of; a loss of all of them has a list in `json`.
    std::int64_t output = 0;
    /// The labels of a loss that a loop of the program computes: samples; null: none are known.
    std::shared_ptr<const PythonValue> target = nullptr;
};

/// The first item of a list that stands for values of unknown number; null: none does.
[[nodiscard]] const PythonValue* manyIn(const PythonValue& list);

/// What a step of training needs: an optimizer as JSON, and a loss.
struct PythonTrainingStep {
    Json optimizer;
    std::shared_ptr<const PythonValue> loss;
    int line = 1;
    int column = 1;
    int file = 0;
    /// Layers whose weights it leaves as they are.
    std::vector<std::int64_t> untrained = {};
    /// The variables that the program changes by it one after the other; null: an optimizer does.
    std::shared_ptr<const PythonValue> variables = nullptr;
};

/// A scope: of a strategy, of a pipeline stage, of a shard.
struct PythonScope {
    std::optional<std::int64_t> stage;
    std::optional<std::int64_t> shard;
    /// Of a strategy; within it, models are for the IPU.
    bool isStrategy = false;
    /// Of variables of TensorFlow 1, by the scopes around it; and whether those that are there are used
    /// again.
    std::string variables = {};
    bool reuses = false;
    /// What variables begin with, how they are regularized and of which type they are where nobody says
    /// otherwise; null: nothing is said.
    std::shared_ptr<const PythonValue> initializer = nullptr;
    std::shared_ptr<const PythonValue> regularizer = nullptr;
    std::shared_ptr<const PythonValue> type = nullptr;
    /// What is computed within it is computed on the host.
    bool isHost = false;
};

/// An entry of a model's stage assignment, or its layer.
struct PythonStageEntry {
    std::int64_t model = 0;
    /// Places in the flat list of stages: several where a layer of the program is made of several.
    std::vector<std::int64_t> calls;
    std::string layer;
    std::string className;
    /// The class of the program that it is an object of; null: one of the catalogue.
    std::shared_ptr<const PythonClass> definition;
    /// What that object has; null: it is none.
    std::shared_ptr<std::map<std::string, PythonValue>> attributes;
    /// The layer of the program; −1: it is made of several, or is one of an inner model.
    std::int64_t ownLayer = -1;
    /// Which of that layer's calls in the model, from 0.
    std::int64_t node = 0;
    bool isLayer = false;
};

} // namespace core
