#pragma once

#include "core/catalogue/functions.h"

#include <cstdint>

namespace simulator {

using core::UnaryFunction;

/// What a cell puts the sums of a gate through: a function of each number, or the softmax of all units.
struct GateFunction {
    UnaryFunction function = UnaryFunction::Identity;
    bool isSoftmax = false;
    GateFunction(UnaryFunction one) // NOLINT: every function of one number is one of a gate
        : function(one) {}
    static GateFunction softmax() {
        GateFunction gate(UnaryFunction::Identity);
        gate.isSoftmax = true;
        return gate;
    }
    bool operator==(const GateFunction&) const = default;
};

enum class RecurrentCell : std::uint8_t { Simple, Lstm, Gru };

/// x [N, T, I], kernel [I, G·U], recurrent kernel [U, G·U], bias (only with `useBias`: [G·U], GRU with
/// `resetAfter` [2, G·U]), initial states (h [N, U]; LSTM also c [N, U]), then those of the optional inputs
/// below that are switched on, in their order → y [N, T, U] (or [N, U] without `returnSequences`), final
/// states, and with `keepReserve` the reserve (what the backward pass needs). Gate order is Keras': LSTM i,
/// f, c, o; GRU z, r, h.
struct Recurrent {
    RecurrentCell cell = RecurrentCell::Lstm;
    GateFunction activation = UnaryFunction::Tanh;
    GateFunction recurrentActivation = UnaryFunction::Sigmoid;
    bool useBias = true;
    bool returnSequences = false;
    bool goBackwards = false;
    bool resetAfter = true;
    /// Optional input: attention scores [N, T]; the update gate z becomes (1 − score)·z (AUGRU).
    bool attentionUpdate = false;
    /// Optional input: lengths [N] (int32); later steps keep the state and give zeros (DynamicGRU).
    bool sequenceLengths = false;
    /// Optional input: mask [N, T] (bool); a step that is off keeps state and output (Keras' masks).
    bool masked = false;
    /// Optional input: factors [N, U] on the previous output (Keras' recurrent dropout).
    bool recurrentFactors = false;
    bool keepReserve = true;
    /// As those of MatMul.
    bool halfPartials = false;
    bool operator==(const Recurrent&) const = default;
};
/// The inputs of `Recurrent`, its y, its reserve, dy, d(final states)… → dx, dkernel, drecurrent kernel,
/// dbias (with `useBias`), d(initial states)…, d(attention scores) (with `attentionUpdate`).
struct RecurrentGradient {
    Recurrent forward;
    bool operator==(const RecurrentGradient&) const = default;
};

// clang-format off
#define RECURRENT_KINDS(KIND)                                                                               \
    KIND(Recurrent) KIND(RecurrentGradient)
// clang-format on

} // namespace simulator
