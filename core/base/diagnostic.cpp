#include "core/base/diagnostic.h"

#include "core/text/visible_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// Where whoever found the mistake knew no cure.
constexpr std::string_view helpOfLastResort = "report this message, with what led to it";

} // namespace

std::string_view toString(Severity severity) {
    switch (severity) {
    case Severity::Note:
        return "note";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        break;
    }
    return "error";
}

std::string toText(const Diagnostic& diagnostic) {
    std::string text;
    for (const std::string& part : {diagnostic.location.file, diagnostic.location.place}) {
        if (!part.empty())
            text += visibleText(part) + ":";
    }
    if (!text.empty())
        text += ' ';
    text += fmt::format("{}: {} [{}]", toString(diagnostic.severity), visibleText(diagnostic.message),
                        diagnostic.code);
    for (const std::string& hint : diagnostic.hints)
        text += "\nhint: " + visibleText(hint);
    return text;
}

Hints::Hints(std::vector<std::string> sentences)
    : m_sentences(std::move(sentences)) {
    std::erase(m_sentences, "");
    if (m_sentences.empty())
        m_sentences.emplace_back(helpOfLastResort);
}

Diagnostic makeError(Trouble trouble, std::string code, Location location, std::string message, Hints hints) {
    return {Severity::Error,        trouble, std::move(code), std::move(location), std::move(message),
            std::move(hints).take()};
}

Diagnostic makeWarning(Trouble trouble, std::string code, Location location, std::string message,
                       Hints hints) {
    Diagnostic warning =
        makeError(trouble, std::move(code), std::move(location), std::move(message), std::move(hints));
    warning.severity = Severity::Warning;
    return warning;
}

Diagnostic makeNote(Trouble trouble, std::string code, Location location, std::string message, Hints hints) {
    Diagnostic note =
        makeError(trouble, std::move(code), std::move(location), std::move(message), std::move(hints));
    note.severity = Severity::Note;
    return note;
}

bool hasErrors(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

} // namespace core
