// Runs the shared oracles through the product's own lowering, kernels and trainer.
#include "tests/tools/oracle/oracle_case.h"

#include <cstring>
#include <fmt/format.h>
#include <iostream>

namespace {

using oracles::Verdict;

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

core::Json reportOf(const std::vector<oracles::Outcome>& outcomes, const std::size_t (&counts)[3]) {
    core::Json cases = core::Json::array();
    for (const oracles::Outcome& outcome : outcomes) {
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
    return {{"schema", "ipu-workbench/oracle-check"},
            {"version", 1},
            {"cases", std::move(cases)},
            {"passed", counts[0]},
            {"failed", counts[1]},
            {"skipped", counts[2]}};
}

} // namespace

int main(int argc, char** argv) {
    bool asJson = false;
    std::vector<std::filesystem::path> folders;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--json") == 0)
            asJson = true;
        else
            folders.emplace_back(argv[i]);
    }
    if (folders.empty()) {
        std::cerr << "usage: oracle_check DIR… [--json]\n";
        return 2;
    }
    const auto outcomes = oracles::runFolders(folders);
    if (!outcomes) {
        for (const core::Diagnostic& diagnostic : outcomes.error())
            std::cerr << core::toText(diagnostic) << "\n";
        return 4;
    }
    std::size_t counts[3] = {};
    for (const oracles::Outcome& outcome : *outcomes) {
        const Verdict& verdict = outcome.verdict;
        ++counts[static_cast<std::size_t>(verdict.kind)];
        if (!asJson)
            std::cout << fmt::format("{:<11} {:<48} largest error {:.2g}{}{}\n", textOf(verdict.kind),
                                     outcome.name, verdict.largestError, verdict.message.empty() ? "" : ": ",
                                     verdict.message);
    }
    if (asJson)
        std::cout << core::toText(reportOf(*outcomes, counts));
    else
        std::cout << fmt::format("{} passed, {} failed, {} skipped\n", counts[0], counts[1], counts[2]);
    return counts[1] == 0 ? 0 : 1;
}
