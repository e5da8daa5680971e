#include "core/base/diagnostic.h"

#include "core/text/visible_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

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

Diagnostic makeError(Trouble trouble, std::string code, Location location, std::string message,
                     std::vector<std::string> hints) {
    std::erase(hints, "");
    return {Severity::Error,    trouble,         std::move(code), std::move(location),
            std::move(message), std::move(hints)};
}

bool hasErrors(const Diagnostics& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

} // namespace core
