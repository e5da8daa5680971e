#pragma once

#include "core/interchange/python/language/arguments.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace core {

/// How a program computed something of samples, or of what a model answers of them, outside of a model. It is
/// kept until gradients are taken of it: only then it is a loss.
struct PythonComputation {
    enum class Kind : std::uint8_t {
        Function, ///< of a library, by its full name
        Operator, ///< of two operands
        Negative,
        Element, ///< the first operand at the second
        Loss,    ///< a loss of Keras, of labels and predictions; `loss` is its JSON
    };
    Kind kind = Kind::Function;
    std::string name;
    PythonArguments arguments;
    Json loss = {};
    /// The longest chain of computations that it ends.
    int depth = 1;
};

/// Where the weights of a model come from, which a loss of labels and predictions does not know.
inline constexpr const char* modelWeights = "the weights of a model";
[[nodiscard]] PythonData weightsOfModel();
/// The class of a weight that the program makes itself.
inline constexpr const char* pythonWeightClass = "keras.weight";
[[nodiscard]] bool isProgramWeight(const PythonValue& value);
/// Lists of weights of both, one behind the other; nothing where the owners of either are not known.
[[nodiscard]] std::optional<PythonValue> joinedWeights(const PythonValue& left, const PythonValue& right);
/// The models and layers whose weights a value is, or holds in a list; nothing where that is not known of
/// all. A value that is none stands for some of their weights only.
[[nodiscard]] std::optional<PythonValues> weightOwners(const PythonValue& value);

/// Whether a function of a library draws numbers by chance.
[[nodiscard]] bool drawsNumbers(std::string_view path);
/// Whether any of them is computed of what a model answers, or of a part of what a dataset answers.
[[nodiscard]] bool areOfSamples(const PythonArguments& arguments);
/// Whether one of them is computed as `data` is: it was handed on.
[[nodiscard]] bool isHandedOn(const PythonData& data, const PythonArguments& arguments);
/// Calls `visit` with every value that a value is computed of in the end, each computation looked into once.
void visitOperands(const PythonValue& value, const std::function<void(const PythonValue&)>& visit);
/// Whether any value that it is computed of in the end is a part of what a dataset answers.
[[nodiscard]] bool holdsParts(const PythonValue& value);
/// The function whose numbers, drawn by chance, it is computed of: "tf.random.normal()"; empty: there is
/// none.
[[nodiscard]] std::string drawnIn(const PythonData& data);
/// Whether a loss is of labels that the program reckons with: smoothed, scaled. What it makes of the samples
/// that the model is called on, as autoencoders do, is a matter of the data.
[[nodiscard]] bool areChangedLabels(const PythonData& data);
/// Whether samples are reckoned with, by operators or functions that do more than to arrange them.
[[nodiscard]] bool areReckoned(const PythonData& samples);
/// Remembers in `made` how it is computed, where that is of such values.
void rememberComputation(PythonValue& made, PythonComputation computation);

} // namespace core
