#pragma once

#include "simulator/numerics/bindings/bound_operation.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

/// The name of the task under which this program is started to hold a library.
inline constexpr std::string_view userLibraryTask = "user-library";

/// What the process that holds a library answers to a call.
struct UserAnswer {
    enum Ending : std::int32_t { Fine, Failed, NotLoaded, NoInterface, OtherInterface, NoFunction };
    std::int32_t ending = Fine;
    std::array<char, 200> message{};
};

/// How a call of a user operation lies in the memory that the program shares with the process that holds its
/// library: numbers that describe it, texts, then the tensors, each between guards that must stay as they
/// are.
class UserCall {
public:
    explicit UserCall(const BindRequest& request);

    /// Of the whole call.
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    /// "NAME" or "NAME_grad".
    [[nodiscard]] const std::string& entry() const { return m_entry; }
    /// The name of the operation in its graph.
    [[nodiscard]] const std::string& operation() const { return m_operation; }

    /// Description, guards and inputs.
    void write(std::span<std::byte> memory) const;
    void readOutputs(std::span<const std::byte> memory) const;
    /// Whether all guards are as they were.
    [[nodiscard]] bool isGuarded(std::span<const std::byte> memory) const;
    /// Outputs of a call that went wrong: numbers that are none.
    void spoilOutputs() const;

    // A trial: inputs of zeros, outputs that tell whether they were written.

    void writeTrial(std::span<std::byte> memory) const;
    [[nodiscard]] bool keptInputs(std::span<const std::byte> memory) const;
    [[nodiscard]] bool filledOutputs(std::span<const std::byte> memory) const;

private:
    struct Piece {
        std::size_t offset = 0;
        std::size_t elements = 0;
        float* data = nullptr;
        bool isInput = false;
    };
    void add(const Operand& operand, bool isInput);
    void describe(std::span<std::byte> memory) const;
    /// From the end of a piece to the start of the next, and before the first.
    template <class Memory, class Function>
    void eachGuard(Memory memory, Function function) const;

    std::string m_operation;
    std::string m_entry;
    std::string m_attributes;
    /// Offsets and lengths of the two texts, numbers of inputs and of outputs; of each tensor the rank, the
    /// offset of its elements and the extents.
    std::vector<std::int64_t> m_numbers;
    std::vector<Piece> m_pieces;
    std::size_t m_bytes = 0;
};

} // namespace simulator
