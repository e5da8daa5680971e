#pragma once

// What a mutated source asks: whether the fault with this number is the one that is in force. mutate.py puts
// the questions in; no source of the program has them.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>

namespace mutant {

/// The number in the environment variable MUTANT; 0: none.
inline int inForce() {
    static const int number = [] {
        const char* text = std::getenv("MUTANT");
        return text == nullptr ? 0 : std::atoi(text);
    }();
    return number;
}

/// Says, to the file that MUTANT_REPORT names, what became of the fault: "reached", or "inapplicable" where
/// it cannot be made for the types that it meets.
inline void report(const char* what) {
    static std::string said;
    const char* file = std::getenv("MUTANT_REPORT");
    if (said == what || file == nullptr)
        return;
    said = what;
    if (std::FILE* out = std::fopen(file, "a")) {
        std::fprintf(out, "%s\n", what);
        std::fclose(out);
    }
}

/// With MUTANT_REACHED, the file that gets the numbers of all faults that are met.
class Reached {
public:
    static Reached* wanted() {
        static const char* const file = std::getenv("MUTANT_REACHED");
        static Reached reached(file);
        return file == nullptr ? nullptr : &reached;
    }
    void note(int number) {
        if (m_numbers[static_cast<std::size_t>(number)].exchange(true, std::memory_order_relaxed))
            return;
        if (std::FILE* out = std::fopen(m_file, "a")) {
            std::fprintf(out, "%d\n", number);
            std::fclose(out);
        }
    }

private:
    explicit Reached(const char* file)
        : m_file(file) {}

    static constexpr std::size_t most = 1'000'000;
    const char* m_file;
    std::array<std::atomic<bool>, most> m_numbers{};
};

inline bool isMet(int number) {
    static Reached* const reached = Reached::wanted();
    if (reached != nullptr)
        reached->note(number);
    if (inForce() != number)
        return false;
    report("reached");
    return true;
}

/// False where the compiler itself computes.
constexpr bool is(int number) {
    return !std::is_constant_evaluated() && isMet(number);
}

/// A literal, and another one in its place.
template <class Value>
constexpr Value other(int number, Value value, Value changed) {
    return is(number) ? changed : value;
}

// An operator becomes two around an object that knows what to do instead: `a < b` becomes `a < Less{17} > b`,
// which binds as the first did and evaluates no operand more often.

template <class Left, class Self>
struct Half {
    Left&& left;
    Self self;
};

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
/// `a FIRST x SECOND b` computes `a WAS b`, or `a NOW b` when the fault is in force.
#define MUTANT_OPERATOR(NAME, FIRST, SECOND, WAS, NOW)                                                       \
    struct NAME {                                                                                            \
        int number;                                                                                          \
    };                                                                                                       \
    template <class Left>                                                                                    \
    constexpr Half<Left, NAME> operator FIRST(Left&& left, NAME self) {                                      \
        return {std::forward<Left>(left), self};                                                             \
    }                                                                                                        \
    template <class Left, class Right>                                                                       \
    constexpr auto operator SECOND(Half<Left, NAME>&& half, Right&& right)                                   \
        ->decltype(std::forward<Left>(half.left) WAS std::forward<Right>(right)) {                           \
        using Result = decltype(std::forward<Left>(half.left) WAS std::forward<Right>(right));               \
        if constexpr (requires { static_cast<Result>(half.left NOW right); }) {                              \
            if (is(half.self.number))                                                                        \
                return static_cast<Result>(half.left NOW right);                                             \
        } else if (is(half.self.number)) {                                                                   \
            report("inapplicable");                                                                          \
        }                                                                                                    \
        return std::forward<Left>(half.left) WAS std::forward<Right>(right);                                 \
    }

MUTANT_OPERATOR(LessToLessEqual, <, >, <, <=)
MUTANT_OPERATOR(GreaterToGreaterEqual, <, >, >, >=)
MUTANT_OPERATOR(LessEqualToLess, <, >, <=, <)
MUTANT_OPERATOR(GreaterEqualToGreater, <, >, >=, >)
MUTANT_OPERATOR(EqualToUnequal, ==, ==, ==, !=)
MUTANT_OPERATOR(UnequalToEqual, ==, ==, !=, ==)
MUTANT_OPERATOR(PlusToMinus, +, +, +, -)
MUTANT_OPERATOR(MinusToPlus, +, +, -, +)
MUTANT_OPERATOR(TimesToPlus, *, *, *, +)
MUTANT_OPERATOR(OverToTimes, *, *, /, *)
MUTANT_OPERATOR(RestToOver, *, *, %, /)
#undef MUTANT_OPERATOR
// NOLINTEND(cppcoreguidelines-macro-usage)

} // namespace mutant
