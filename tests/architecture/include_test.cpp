#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

/// Modules and what each may include beside itself.
const std::map<std::string, std::set<std::string>> allowedModules{
    {"core", {}},
    {"simulator", {"core"}},
    {"views", {"core"}},
    {"app", {"core", "simulator", "views"}},
};

/// Folders of a module in order; a folder includes only itself and folders of an earlier step. Folders of one
/// step are siblings and never include each other.
const std::map<std::string, std::vector<Names>> folderSteps{
    {"core", {{"base"}, {"model"}, {"config"}, {"plan"}, {"project"}, {"interchange"}, {"profile"}}},
    {"simulator",
     {{"target"},
      {"graph"},
      {"cost"},
      {"schedule"},
      {"memory"},
      {"program"},
      {"compiler"},
      {"numerics"},
      {"data"},
      {"engine"},
      {"planner"}}},
    {"views",
     {{"common"},
      {"document"},
      {"profile"},
      {"graph", "plan", "inspector", "runs", "timeline", "liveness", "tiles", "program", "training",
       "comparison", "diagnostics"}}},
};

/// Third-party headers that a module must never see.
const std::map<std::string, std::string> forbiddenHeaders{
    {"core", "Q[A-Z].*|Qt.*|qcustomplot.*|Eigen/.*|thread|iostream|cstdio|chrono"},
    {"simulator", "Q[A-Z].*|Qt.*|qcustomplot.*|SQLiteCpp/.*|sqlite3.*|iostream|cstdio"},
    {"views", "SQLiteCpp/.*|sqlite3.*|QSettings|Eigen/.*"},
};

struct Include {
    fs::path file;
    int line = 0;
    std::string header;
    bool quoted = false;
};

std::vector<fs::path> sources(const std::string& module) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(tests::projectRoot() / module)) {
        const std::string extension = entry.path().extension().string();
        if (entry.is_regular_file() && (extension == ".h" || extension == ".cpp"))
            files.push_back(fs::relative(entry.path(), tests::projectRoot()));
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<Include> includesOf(const fs::path& file) {
    static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    std::vector<Include> includes;
    std::ifstream stream(tests::projectRoot() / file);
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        std::smatch match;
        if (std::regex_search(line, match, pattern))
            includes.push_back({file, number, match[2], match[1] == "\""});
    }
    return includes;
}

std::string part(const fs::path& path, std::size_t index) {
    auto it = path.begin();
    for (std::size_t i = 0; i < index && it != path.end(); ++i)
        ++it;
    return it == path.end() ? std::string() : it->string();
}

/// −1 when the folder is not in the list.
int stepOf(const std::string& module, const std::string& folder) {
    const std::vector<Names>& steps = folderSteps.at(module);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (std::find(steps[i].begin(), steps[i].end(), folder) != steps[i].end())
            return static_cast<int>(i);
    }
    return -1;
}

/// Why the include is not allowed; empty when it is.
std::string objection(const Include& include) {
    const std::string module = part(include.file, 0);
    if (include.header.find("../") != std::string::npos)
        return "includes are written from the root";
    const auto forbidden = forbiddenHeaders.find(module);
    if (!include.quoted && forbidden != forbiddenHeaders.end() &&
        std::regex_match(include.header, std::regex(forbidden->second)))
        return "must not be seen by " + module;
    const std::string target = part(include.header, 0);
    if (!include.quoted || !allowedModules.contains(target))
        return target == "tests" ? "tests are above the product" : "";
    if (target != module)
        return allowedModules.at(module).contains(target) ? "" : module + " must not know " + target;
    if (!folderSteps.contains(module))
        return "";
    const std::string from = part(include.file, 1);
    const std::string to = part(include.header, 1);
    if (from == to)
        return "";
    return stepOf(module, to) < stepOf(module, from) ? "" : "climbs from " + from + " to " + to;
}

} // namespace

class IncludeTest : public QObject {
    Q_OBJECT

private slots:
    void includesOnlyRunDownhill() {
        std::vector<std::string> violations;
        for (const auto& [module, allowed] : allowedModules) {
            for (const fs::path& file : sources(module)) {
                for (const Include& include : includesOf(file)) {
                    const std::string reason = objection(include);
                    if (!reason.empty())
                        violations.push_back(file.string() + ":" + std::to_string(include.line) + ": " +
                                             include.header + ": " + reason);
                }
            }
        }
        for (const std::string& violation : violations)
            qWarning("%s", violation.c_str());
        QCOMPARE(violations.size(), std::size_t{0});
    }

    void theRulesCatchViolations() {
        QVERIFY(!objection({"core/model/x.h", 1, "core/plan/y.h", true}).empty());
        QVERIFY(!objection({"core/model/x.h", 1, "simulator/graph/y.h", true}).empty());
        QVERIFY(!objection({"core/model/x.h", 1, "QString", false}).empty());
        QVERIFY(!objection({"views/graph/x.h", 1, "views/timeline/y.h", true}).empty());
        QVERIFY(!objection({"views/graph/x.h", 1, "simulator/cost/y.h", true}).empty());
        QVERIFY(!objection({"views/graph/x.h", 1, "../common/y.h", true}).empty());
        QVERIFY(objection({"views/graph/x.h", 1, "views/common/y.h", true}).empty());
        QVERIFY(objection({"app/x.h", 1, "simulator/engine/y.h", true}).empty());
    }

    void everyFolderIsInTheList() {
        for (const auto& [module, steps] : folderSteps) {
            for (const fs::path& file : sources(module))
                QVERIFY2(stepOf(module, part(file, 1)) >= 0, file.c_str());
        }
    }

    /// A source that includes its own header first proves that the header needs nothing before it.
    void sourcesIncludeTheirOwnHeaderFirst() {
        for (const auto& [module, allowed] : allowedModules) {
            for (const fs::path& file : sources(module)) {
                const fs::path header = fs::path(file).replace_extension(".h");
                if (file.extension() != ".cpp" || !fs::exists(tests::projectRoot() / header))
                    continue;
                const std::vector<Include> includes = includesOf(file);
                QVERIFY2(!includes.empty() && includes.front().header == header.string(), file.c_str());
            }
        }
    }

    void headersAreGuardedByPragmaOnce() {
        for (const auto& [module, allowed] : allowedModules) {
            for (const fs::path& file : sources(module)) {
                if (file.extension() != ".h")
                    continue;
                std::ifstream stream(tests::projectRoot() / file);
                std::string first;
                std::getline(stream, first);
                QVERIFY2(first == "#pragma once", file.c_str());
            }
        }
    }
};

REGISTER_TEST("include", IncludeTest)
#include "include_test.moc"
