#include "app/reports/console.h"

#include "core/platform/terminal.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

namespace app {

namespace {

constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view plain = "\x1b[0m";

/// A hostile file can break a rule a million times, with names as long.
constexpr std::size_t mostDiagnostics = 100;
constexpr std::size_t longestText = 1000;

core::Diagnostic brief(core::Diagnostic diagnostic) {
    const auto cut = [](std::string& text) {
        if (text.size() > longestText)
            text = text.substr(0, longestText) + "…";
    };
    cut(diagnostic.location.place);
    cut(diagnostic.message);
    for (std::string& hint : diagnostic.hints)
        cut(hint);
    return diagnostic;
}

void writeLine(std::string_view line) {
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fputc('\n', stderr);
}

} // namespace

Console::Console()
    : m_isTerminal(core::isErrorTerminal()) {
    const char* noColour = std::getenv("NO_COLOR");
    m_hasColour = m_isTerminal && (noColour == nullptr || *noColour == '\0');
}

void Console::print(const core::Diagnostics& diagnostics) {
    endProgress();
    std::size_t printed = 0;
    for (const core::Diagnostic& diagnostic : diagnostics) {
        if (printed++ == mostDiagnostics) {
            writeLine(fmt::format("… and {} more; --json tells all", diagnostics.size() - mostDiagnostics));
            return;
        }
        print(diagnostic);
    }
}

void Console::print(const core::Diagnostic& diagnostic) {
    const bool isError = diagnostic.severity == core::Severity::Error;
    if (!isError && m_verbosity == Verbosity::Quiet)
        return;
    std::string text = core::toText(brief(diagnostic));
    if (m_hasColour) {
        const std::string severity = fmt::format("{}:", core::toString(diagnostic.severity));
        if (const auto at = text.find(severity); at != std::string::npos)
            text.replace(at, severity.size(), fmt::format("{}{}{}", isError ? red : yellow, severity, plain));
    }
    writeLine(text);
}

void Console::line(std::string_view text) {
    endProgress();
    writeLine(text);
}

void Console::note(std::string_view line) {
    if (m_verbosity == Verbosity::Quiet)
        return;
    endProgress();
    writeLine(core::visibleText(line));
}

void Console::detail(std::string_view line) {
    if (m_verbosity == Verbosity::Verbose)
        note(line);
}

core::Progress Console::progress() {
    m_lastStep = -1;
    if (m_verbosity == Verbosity::Quiet)
        return {};
    return [this](double fraction, std::string_view activity) { report(fraction, activity); };
}

void Console::report(double fraction, std::string_view activity) {
    const std::string text = core::visibleText(activity);
    const int percent = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100);
    const int step = m_isTerminal ? percent : percent / 10;
    if (step <= m_lastStep)
        return;
    m_lastStep = step;
    if (m_isTerminal) {
        std::fputs(fmt::format("\r\x1b[K{:3} % {}", percent, text).c_str(), stderr);
        std::fflush(stderr);
        m_hasLine = true;
    } else if (step > 0) {
        writeLine(fmt::format("{} % {}", step * 10, text));
    }
}

void Console::endProgress() {
    if (m_hasLine)
        std::fputs("\r\x1b[K", stderr);
    m_hasLine = false;
}

} // namespace app
