#include "simulator/numerics/bindings/user_call.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace simulator {
namespace {

constexpr std::size_t guardElements = 64;
constexpr float guard = -1.234567e30F;
constexpr float unwritten = 7.654321e30F;

/// Tensors start as those of the program do.
std::size_t aligned(std::size_t offset) {
    constexpr std::size_t alignment = 64;
    return (offset + alignment - 1) / alignment * alignment;
}

template <class Memory>
auto floatsAt(Memory memory, std::size_t offset) {
    using Element = std::conditional_t<std::is_const_v<typename Memory::element_type>, const float, float>;
    return reinterpret_cast<Element*>(memory.data() + offset);
}

} // namespace

UserCall::UserCall(const BindRequest& request)
    : m_operation(request.operation->name)
    , m_entry(request.attributes<UserOperation>().entry +
              (request.attributes<UserOperation>().isGradient ? "_grad" : ""))
    , m_attributes(request.attributes<UserOperation>().attributes) {
    constexpr std::size_t fixedNumbers = 6;
    std::size_t numbers = fixedNumbers;
    for (const auto* operands : {&request.inputs, &request.outputs})
        for (const Operand& operand : *operands)
            numbers += 2 + operand.extents().size();
    const std::size_t texts = numbers * sizeof(std::int64_t);
    m_numbers = {static_cast<std::int64_t>(texts),
                 static_cast<std::int64_t>(m_entry.size()),
                 static_cast<std::int64_t>(texts + m_entry.size()),
                 static_cast<std::int64_t>(m_attributes.size()),
                 static_cast<std::int64_t>(request.inputs.size()),
                 static_cast<std::int64_t>(request.outputs.size())};
    m_bytes = aligned(texts + m_entry.size() + m_attributes.size()) + guardElements * sizeof(float);
    for (const Operand& operand : request.inputs)
        add(operand, true);
    for (const Operand& operand : request.outputs)
        add(operand, false);
}

void UserCall::add(const Operand& operand, bool isInput) {
    const auto elements = static_cast<std::size_t>(operand.elements());
    m_numbers.push_back(static_cast<std::int64_t>(operand.extents().size()));
    m_numbers.push_back(static_cast<std::int64_t>(m_bytes));
    m_numbers.insert(m_numbers.end(), operand.extents().begin(), operand.extents().end());
    m_pieces.push_back({m_bytes, elements, operand.as(), isInput});
    m_bytes = aligned(m_bytes + (elements + guardElements) * sizeof(float));
}

template <class Memory, class Function>
void UserCall::eachGuard(Memory memory, Function function) const {
    std::size_t begin = m_pieces.front().offset - guardElements * sizeof(float);
    for (const Piece& piece : m_pieces) {
        function(floatsAt(memory, begin), floatsAt(memory, piece.offset));
        begin = piece.offset + piece.elements * sizeof(float);
    }
    function(floatsAt(memory, begin), floatsAt(memory, m_bytes));
}

void UserCall::describe(std::span<std::byte> memory) const {
    std::memcpy(memory.data(), m_numbers.data(), m_numbers.size() * sizeof(std::int64_t));
    std::ranges::copy(std::as_bytes(std::span(m_entry)), memory.data() + m_numbers[0]);
    std::ranges::copy(std::as_bytes(std::span(m_attributes)), memory.data() + m_numbers[2]);
    eachGuard(memory, [](float* begin, float* end) { std::fill(begin, end, guard); });
}

void UserCall::write(std::span<std::byte> memory) const {
    describe(memory);
    for (const Piece& piece : m_pieces)
        if (piece.isInput && piece.elements > 0)
            std::memcpy(floatsAt(memory, piece.offset), piece.data, piece.elements * sizeof(float));
}

void UserCall::readOutputs(std::span<const std::byte> memory) const {
    for (const Piece& piece : m_pieces)
        if (!piece.isInput && piece.elements > 0)
            std::memcpy(piece.data, floatsAt(memory, piece.offset), piece.elements * sizeof(float));
}

bool UserCall::isGuarded(std::span<const std::byte> memory) const {
    bool isGuarded = true;
    eachGuard(memory, [&](const float* begin, const float* end) {
        isGuarded = isGuarded && std::all_of(begin, end, [](float value) { return value == guard; });
    });
    return isGuarded;
}

void UserCall::spoilOutputs() const {
    for (const Piece& piece : m_pieces)
        if (!piece.isInput)
            std::fill_n(piece.data, piece.elements, std::numeric_limits<float>::quiet_NaN());
}

void UserCall::writeTrial(std::span<std::byte> memory) const {
    describe(memory);
    for (const Piece& piece : m_pieces)
        std::fill_n(floatsAt(memory, piece.offset), piece.elements, piece.isInput ? 0.0F : unwritten);
}

bool UserCall::keptInputs(std::span<const std::byte> memory) const {
    return std::ranges::all_of(m_pieces, [&](const Piece& piece) {
        const float* begin = floatsAt(memory, piece.offset);
        return !piece.isInput ||
               std::all_of(begin, begin + piece.elements, [](float value) { return value == 0.0F; });
    });
}

bool UserCall::filledOutputs(std::span<const std::byte> memory) const {
    return std::ranges::all_of(m_pieces, [&](const Piece& piece) {
        const float* begin = floatsAt(memory, piece.offset);
        return piece.isInput ||
               std::all_of(begin, begin + piece.elements, [](float value) { return value != unwritten; });
    });
}

} // namespace simulator
