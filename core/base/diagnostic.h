#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

enum class Severity : std::uint8_t { Note, Warning, Error };

/// Who has to act on a diagnostic; the batch verbs derive their exit code from it.
enum class Trouble : std::uint8_t {
    Negative,    ///< a correct answer that is a "no": does not fit, check failed, refused schedule
    Usage,       ///< a command line that cannot be understood
    Input,       ///< the content of a file or option breaks a rule
    World,       ///< the file system, the disk or the database refused
    Internal,    ///< a fault of the program
    Interrupted, ///< stopped on request
};

/// Where a diagnostic points: a file (may be empty for values without one) and a place inside it
/// (a JSON pointer, a `line:column`, or a layer name).
struct Location {
    std::string file;
    std::string place;

    bool operator==(const Location&) const = default;
};

/// One finding that a person can correct. `code` is stable kebab-case text. A rule of the programming system
/// starts with its kind of error and a slash: "value-error/stage-order",
/// "failed-precondition/micro-batch-multiple".
struct Diagnostic {
    Severity severity = Severity::Error;
    Trouble trouble = Trouble::Input;
    std::string code;
    Location location;
    std::string message;
    std::vector<std::string> hints;

    bool operator==(const Diagnostic&) const = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// "error", "warning" or "note".
[[nodiscard]] std::string_view toString(Severity severity);

/// `FILE:PLACE: error: MESSAGE [code]`, then one `hint: …` line per hint; no trailing newline.
/// File and place are left out where they are empty. Control characters of the message are escaped, so a
/// hostile name cannot forge a second line.
[[nodiscard]] std::string toText(const Diagnostic& diagnostic);

/// How to correct what is wrong: one sentence or more. There is always one: none cannot be written, and where
/// all turn out empty, a sentence that asks for a report takes their place.
class Hints {
public:
    Hints() = delete;
    Hints(std::vector<std::string> sentences); // NOLINT: hints are written as plain texts
    Hints(std::initializer_list<std::string> sentences)
        : Hints(std::vector(sentences)) {}
    Hints(std::string sentence) // NOLINT
        : Hints(std::vector<std::string>{std::move(sentence)}) {}

    [[nodiscard]] std::vector<std::string> take() && { return std::move(m_sentences); }

private:
    std::vector<std::string> m_sentences;
};

/// An error in words, the one way to make one: who has to act, what it is, where, and how to correct it.
[[nodiscard]] Diagnostic makeError(Trouble trouble, std::string code, Location location, std::string message,
                                   Hints hints);
/// The same for what does not stop the work.
[[nodiscard]] Diagnostic makeWarning(Trouble trouble, std::string code, Location location,
                                     std::string message, Hints hints);
[[nodiscard]] Diagnostic makeNote(Trouble trouble, std::string code, Location location, std::string message,
                                  Hints hints);

/// True when any of them is an error.
[[nodiscard]] bool hasErrors(const Diagnostics& diagnostics);

} // namespace core
