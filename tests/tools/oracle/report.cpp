#include "tests/tools/oracle/report.h"

#include <cstring>
#include <fmt/format.h>
#include <iostream>

namespace oracles {

namespace {

const char* textOf(Verdict::Kind kind) {
    switch (kind) {
    case Verdict::Kind::Passed:
        return "passed";
    case Verdict::Kind::Failed:
        return "failed";
    case Verdict::Kind::Unsupported:
        return "unsupported";
    }
    return "";
}

core::Json reportOf(const std::vector<Outcome>& outcomes, const std::size_t (&counts)[3],
                    std::string_view schema) {
    core::Json cases = core::Json::array();
    for (const Outcome& outcome : outcomes) {
        core::Json row{{"name", outcome.name},
                       {"kind", outcome.kind},
                       {"file", outcome.file.string()},
                       {"result", textOf(outcome.verdict.kind)}};
        row["largest_error"] = outcome.verdict.largestError;
        row["error_in_tolerances"] = outcome.verdict.worst;
        if (!outcome.verdict.message.empty())
            row["message"] = outcome.verdict.message;
        cases.push_back(std::move(row));
    }
    return {{"schema", std::string(schema)}, {"version", 1},        {"cases", std::move(cases)},
            {"passed", counts[0]},           {"failed", counts[1]}, {"skipped", counts[2]}};
}

} // namespace

std::optional<CheckArguments> readArguments(int argc, char** argv, std::string_view program) {
    CheckArguments arguments;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--json") == 0)
            arguments.asJson = true;
        else
            arguments.folders.emplace_back(argv[i]);
    }
    if (!arguments.folders.empty())
        return arguments;
    std::cerr << "usage: " << program << " DIR… [--json]\n";
    return std::nullopt;
}

int report(const core::Result<std::vector<Outcome>>& outcomes, bool asJson, std::string_view schema) {
    if (!outcomes) {
        for (const core::Diagnostic& diagnostic : outcomes.error())
            std::cerr << core::toText(diagnostic) << "\n";
        return 4;
    }
    std::size_t counts[3] = {};
    for (const Outcome& outcome : *outcomes) {
        const Verdict& verdict = outcome.verdict;
        ++counts[static_cast<std::size_t>(verdict.kind)];
        if (!asJson)
            std::cout << fmt::format("{:<11} {:<48} largest error {:.2g}{}{}\n", textOf(verdict.kind),
                                     outcome.name, verdict.largestError, verdict.message.empty() ? "" : ": ",
                                     verdict.message);
    }
    if (asJson)
        std::cout << core::toText(reportOf(*outcomes, counts, schema));
    else
        std::cout << fmt::format("{} passed, {} failed, {} skipped\n", counts[0], counts[1], counts[2]);
    return counts[1] == 0 ? 0 : 1;
}

} // namespace oracles
