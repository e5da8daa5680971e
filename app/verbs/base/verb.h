#pragma once

#include "app/reports/console.h"
#include "app/reports/report.h"
#include "core/base/job_context.h"

#include <memory>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace app {

/// What a verb is given beside its own options.
struct VerbContext {
    core::JobContext job;
    Console& console;
    const OutputOptions& output;
};

/// One verb of the command line: its options, and what it does with them.
class Verb {
public:
    Verb() = default;
    Verb(const Verb&) = delete;
    Verb& operator=(const Verb&) = delete;
    virtual ~Verb() = default;

    virtual void addOptions(CLI::App& command) = 0;
    [[nodiscard]] virtual core::Result<Report> run(const VerbContext& context) = 0;
};

/// A row of the verb table.
struct VerbDefinition {
    std::string_view name;
    /// One sentence for `--help`.
    std::string_view summary;
    /// Command lines one can paste.
    std::vector<std::string_view> examples;
    std::unique_ptr<Verb> (*make)() = nullptr;
    bool hasCsv = false;
    /// The file of `-o` is one that the verb adds to itself; its report goes to stdout.
    bool ownsOutput = false;
};

/// `make` of a definition.
template <class VerbType>
std::unique_ptr<Verb> makeVerb() {
    return std::make_unique<VerbType>();
}

/// A usage error in one line.
[[nodiscard]] core::Diagnostic usageError(std::string code, std::string place, std::string message,
                                          std::string hint);

} // namespace app
