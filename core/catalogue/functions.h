#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace core {

/// Functions of one number, element by element.
enum class UnaryFunction : std::uint8_t {
    Identity,
    Negate,
    Absolute,
    Sign,
    Square,
    SquareRoot,
    ReciprocalSquareRoot,
    Reciprocal,
    Exponential,
    ExponentialMinusOne,
    Logarithm,
    LogarithmPlusOne,
    Sine,
    Cosine,
    Tangent,
    ArcSine,
    ArcCosine,
    ArcTangent,
    HyperbolicSine,
    HyperbolicCosine,
    ErrorFunction,
    Floor,
    Ceiling,
    Round,
    LogicalNot,
    IsNan,
    IsInfinite,
    Relu,
    Relu6,
    LeakyRelu,
    ThresholdedRelu,
    Elu,
    Selu,
    Sigmoid,
    HardSigmoid,
    Tanh,
    Softplus,
    Softsign,
    Swish,
    GeluErf,
    GeluTanh,
    Mish,
    Clip,
    ScaleShift,
};

/// What the derivative of a function is computed from.
enum class Derivative : std::uint8_t {
    Constant, ///< it is the same everywhere
    OfInput,
    OfOutput,
    Flat, ///< zero wherever it exists
};

/// How the activations of ONNX's RNN, LSTM and GRU say a function: those lists have names and numbers of
/// their own.
struct OnnxGate {
    /// Empty: no gate is called so.
    std::string_view name;
    /// How many numbers it takes from activation_alpha and activation_beta: 0, 1 (alpha) or 2.
    int parameters = 0;
    /// Where the node gives none.
    double alpha = 0;
    double beta = 0;
};

/// A function of one number by all its names. What it costs and how it is computed is the simulator's.
struct UnaryDefinition {
    UnaryFunction function = UnaryFunction::Identity;
    /// "SquareRoot".
    std::string_view name;
    /// "sqrt": of formulas and of the cost query.
    std::string_view key;
    /// What it is called in functional models of Keras (functions of TensorFlow, NumPy, keras.ops), separated
    /// and enclosed by blanks, that of tf.math first; empty: it is met as a layer or an activation only.
    std::string_view calls;
    /// The ONNX operator that is the function and nothing more.
    std::string_view onnx;
    /// The Keras activation that is the function with `alpha` and `beta`.
    std::string_view activation;
    Derivative derivative = Derivative::OfInput;
    bool answersBool = false;
    /// Parameters where nobody gives others.
    double alpha = 0;
    double beta = 0;
    /// It means nothing without parameters of its own.
    bool needsParameters = false;
    OnnxGate onnxGate{};
};

/// In the order of `UnaryFunction`.
[[nodiscard]] constexpr auto unaryDefinitions() {
    using F = UnaryFunction;
    using enum Derivative;
    // clang-format off
    return std::array{
        UnaryDefinition{F::Identity, "Identity", "identity", "", "", "linear", Constant},
        UnaryDefinition{F::Negate, "Negate", "negate", " negative neg ", "Neg", "", Constant},
        UnaryDefinition{F::Absolute, "Absolute", "abs", " abs absolute ", "Abs", "absolute"},
        UnaryDefinition{F::Sign, "Sign", "sign", " sign ", "Sign", "", Flat},
        UnaryDefinition{F::Square, "Square", "square", " square ", "", "square"},
        UnaryDefinition{F::SquareRoot, "SquareRoot", "sqrt", " sqrt ", "Sqrt", "", OfOutput},
        UnaryDefinition{F::ReciprocalSquareRoot, "ReciprocalSquareRoot", "rsqrt", " rsqrt ", "", "", OfOutput},
        UnaryDefinition{F::Reciprocal, "Reciprocal", "inverse", " reciprocal ", "Reciprocal", "", OfOutput},
        UnaryDefinition{F::Exponential, "Exponential", "exp", " exp ", "Exp", "exponential", OfOutput},
        UnaryDefinition{F::ExponentialMinusOne, "ExponentialMinusOne", "expm1", " expm1 ", "", "", OfOutput},
        UnaryDefinition{F::Logarithm, "Logarithm", "log", " log ", "Log", ""},
        UnaryDefinition{F::LogarithmPlusOne, "LogarithmPlusOne", "log1p", " log1p ", "", ""},
        UnaryDefinition{F::Sine, "Sine", "sin", " sin ", "Sin", "sine"},
        UnaryDefinition{F::Cosine, "Cosine", "cos", " cos ", "Cos", ""},
        UnaryDefinition{F::Tangent, "Tangent", "tan", " tan ", "Tan", "", OfOutput},
        UnaryDefinition{F::ArcSine, "ArcSine", "asin", " asin ", "Asin", ""},
        UnaryDefinition{F::ArcCosine, "ArcCosine", "acos", " acos ", "Acos", ""},
        UnaryDefinition{F::ArcTangent, "ArcTangent", "atan", " atan arctan ", "Atan", ""},
        UnaryDefinition{F::HyperbolicSine, "HyperbolicSine", "sinh", " sinh ", "Sinh", ""},
        UnaryDefinition{F::HyperbolicCosine, "HyperbolicCosine", "cosh", " cosh ", "Cosh", ""},
        UnaryDefinition{F::ErrorFunction, "ErrorFunction", "erf", " erf ", "Erf", ""},
        UnaryDefinition{F::Floor, "Floor", "floor", " floor ", "Floor", "", Flat},
        UnaryDefinition{F::Ceiling, "Ceiling", "ceil", " ceil ", "Ceil", "", Flat},
        UnaryDefinition{F::Round, "Round", "round", " round ", "Round", "", Flat},
        UnaryDefinition{F::LogicalNot, "LogicalNot", "logical_not", " logical_not ", "Not", "", Flat, true},
        UnaryDefinition{F::IsNan, "IsNan", "is_nan", " is_nan isnan ", "IsNaN", "", Flat, true},
        UnaryDefinition{F::IsInfinite, "IsInfinite", "is_inf", " is_inf isinf ", "", "", Flat, true},
        UnaryDefinition{F::Relu, "Relu", "relu", "", "Relu", "", OfOutput, false, 0, 0, false, {"Relu"}},
        UnaryDefinition{F::Relu6, "Relu6", "relu6", "", "", "relu6", OfOutput},
        UnaryDefinition{F::LeakyRelu, "LeakyRelu", "leaky_relu", "", "", "", OfOutput, false, 0, 0, true, {"LeakyRelu", 1, 0.01}},
        UnaryDefinition{F::ThresholdedRelu, "ThresholdedRelu", "thresholded_relu", "", "", "", OfOutput, false, 0, 0, true, {"ThresholdedRelu", 1, 1}},
        UnaryDefinition{F::Elu, "Elu", "elu", "", "", "", OfOutput, false, 1, 0, false, {"Elu", 1, 1}},
        UnaryDefinition{F::Selu, "Selu", "selu", "", "", "selu", OfOutput},
        UnaryDefinition{F::Sigmoid, "Sigmoid", "sigmoid", "", "Sigmoid", "sigmoid", OfOutput, false, 0, 0, false, {"Sigmoid"}},
        UnaryDefinition{F::HardSigmoid, "HardSigmoid", "hard_sigmoid", "", "", "hard_sigmoid", OfInput, false, 0.2, 0.5, false, {"HardSigmoid", 2, 0.2, 0.5}},
        UnaryDefinition{F::Tanh, "Tanh", "tanh", "", "Tanh", "tanh", OfOutput, false, 0, 0, false, {"Tanh"}},
        UnaryDefinition{F::Softplus, "Softplus", "softplus", "", "Softplus", "softplus", OfOutput, false, 0, 0, false, {"Softplus"}},
        UnaryDefinition{F::Softsign, "Softsign", "softsign", "", "Softsign", "softsign", OfOutput, false, 0, 0, false, {"Softsign"}},
        UnaryDefinition{F::Swish, "Swish", "swish", "", "", "swish"},
        UnaryDefinition{F::GeluErf, "GeluErf", "gelu_erf", "", "", "gelu"},
        UnaryDefinition{F::GeluTanh, "GeluTanh", "gelu", "", "", "gelu_tanh"},
        UnaryDefinition{F::Mish, "Mish", "mish", "", "Mish", "mish"},
        UnaryDefinition{F::Clip, "Clip", "clip", "", "", "", OfInput, false, 0, 0, true},
        UnaryDefinition{F::ScaleShift, "ScaleShift", "scale_shift", "", "", "", Constant, false, 0, 0, true, {"Affine", 2, 1, 0}},
    };
    // clang-format on
}

/// Functions of two numbers, element by element with broadcasting.
enum class BinaryFunction : std::uint8_t {
    Add,
    Subtract,
    Multiply,
    Divide,
    Maximum,
    Minimum,
    Power,
    Modulo,
    Remainder,
    SquaredDifference,
    Atan2,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
};

/// A function of two numbers by all its names.
struct BinaryDefinition {
    BinaryFunction function = BinaryFunction::Add;
    /// "SquaredDifference".
    std::string_view name;
    /// "squared_difference": of the cost query.
    std::string_view key;
    /// As those of UnaryDefinition.
    std::string_view calls;
    /// Calls that swap the operands ("rsub" of Python's operators).
    std::string_view swappedCalls;
    /// The ONNX operator that is the function and nothing more.
    std::string_view onnx;
    bool answersBool = false;
};

/// In the order of `BinaryFunction`.
[[nodiscard]] constexpr auto binaryDefinitions() {
    using F = BinaryFunction;
    // clang-format off
    return std::array{
        BinaryDefinition{F::Add, "Add", "add", " add addv2 bias_add ", " radd ", "Add"},
        BinaryDefinition{F::Subtract, "Subtract", "subtract", " subtract sub ", " rsub ", "Sub"},
        BinaryDefinition{F::Multiply, "Multiply", "multiply", " multiply mul ", " rmul ", "Mul"},
        BinaryDefinition{F::Divide, "Divide", "divide", " truediv true_divide divide div realdiv real_div ", " rtruediv rdiv ", ""},
        BinaryDefinition{F::Maximum, "Maximum", "maximum", " maximum ", "", ""},
        BinaryDefinition{F::Minimum, "Minimum", "minimum", " minimum ", "", ""},
        BinaryDefinition{F::Power, "Power", "power", " pow power ", " rpow ", "Pow"},
        BinaryDefinition{F::Modulo, "Modulo", "modulo", " mod floormod floor_mod remainder ", "", ""},
        BinaryDefinition{F::Remainder, "Remainder", "remainder", "", "", ""},
        BinaryDefinition{F::SquaredDifference, "SquaredDifference", "squared_difference", " squared_difference ", "", ""},
        BinaryDefinition{F::Atan2, "Atan2", "atan2", " atan2 arctan2 ", "", ""},
        BinaryDefinition{F::Equal, "Equal", "equal", " equal ", "", "Equal", true},
        BinaryDefinition{F::NotEqual, "NotEqual", "not_equal", " not_equal ", "", "", true},
        BinaryDefinition{F::Less, "Less", "less", " less ", "", "Less", true},
        BinaryDefinition{F::LessEqual, "LessEqual", "less_equal", " less_equal ", "", "LessOrEqual", true},
        BinaryDefinition{F::Greater, "Greater", "greater", " greater ", "", "Greater", true},
        BinaryDefinition{F::GreaterEqual, "GreaterEqual", "greater_equal", " greater_equal ", "", "GreaterOrEqual", true},
        BinaryDefinition{F::LogicalAnd, "LogicalAnd", "logical_and", " logical_and ", "", "And", true},
        BinaryDefinition{F::LogicalOr, "LogicalOr", "logical_or", " logical_or ", "", "Or", true},
        BinaryDefinition{F::LogicalXor, "LogicalXor", "logical_xor", " logical_xor ", "", "Xor", true},
    };
    // clang-format on
}

[[nodiscard]] const UnaryDefinition& definitionOf(UnaryFunction function);
[[nodiscard]] const BinaryDefinition& definitionOf(BinaryFunction function);

/// By one of its `calls`; null when none is called so.
[[nodiscard]] const UnaryDefinition* unaryCalled(std::string_view name);
struct BinaryCall {
    const BinaryDefinition* definition = nullptr;
    bool isSwapped = false;
};
[[nodiscard]] BinaryCall binaryCalled(std::string_view name);

/// By its ONNX operator; null when none is the function and nothing more.
[[nodiscard]] const UnaryDefinition* unaryOfOnnx(std::string_view operation);
[[nodiscard]] const BinaryDefinition* binaryOfOnnx(std::string_view operation);

/// By its name among the activations of ONNX's recurrent operators; null when no gate is called so.
[[nodiscard]] const UnaryDefinition* unaryOfOnnxGate(std::string_view name);

/// The first of a row's `calls`: its name in tf.math.
[[nodiscard]] std::string_view firstCall(std::string_view calls);

/// "SquareRoot", "Add".
[[nodiscard]] std::string_view toString(UnaryFunction function);
[[nodiscard]] std::string_view toString(BinaryFunction function);

} // namespace core
