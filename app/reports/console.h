#pragma once

#include "core/base/diagnostic.h"
#include "core/base/job_context.h"

#include <string_view>

namespace app {

enum class Verbosity { Quiet, Normal, Verbose };

/// Everything a batch verb tells people beside its data: diagnostics, notes and progress, on stderr.
class Console {
public:
    /// Colour only on a terminal, and not when NO_COLOR is set.
    Console();

    void setVerbosity(Verbosity verbosity) { m_verbosity = verbosity; }

    /// Errors always, warnings and notes unless quiet; hints below.
    void print(const core::Diagnostics& diagnostics);
    /// One line that was asked for, quiet or not.
    void line(std::string_view text);
    /// One line, unless quiet.
    void note(std::string_view line);
    /// One line, only when verbose.
    void detail(std::string_view line);

    /// Shows how far work is: on a terminal a line that changes in place, else a line per 10 %. Nothing when
    /// quiet. May be called from any one thread at a time.
    [[nodiscard]] core::Progress progress();
    /// Clears what progress left on a terminal.
    void endProgress();

private:
    void print(const core::Diagnostic& diagnostic);
    void report(double fraction, std::string_view activity);

    Verbosity m_verbosity = Verbosity::Normal;
    bool m_isTerminal = false;
    bool m_hasColour = false;
    /// Hundredths last shown on a terminal, tenths otherwise.
    int m_lastStep = -1;
    bool m_hasLine = false;
};

} // namespace app
