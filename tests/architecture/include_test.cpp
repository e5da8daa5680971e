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

/// Folders of a module in order: a folder includes only itself and folders that come before it. Sub-folders
/// have places of their own.
const std::map<std::string, Names> folderOrder{
    {"core",
     {"text",
      "platform",
      "base",
      "catalogue",
      "model",
      "model/layers",
      "model/layers/convolution",
      "model/layers/data",
      "model/onnx",
      "model/graph",
      "model/layers/recurrent",
      "model/layers/ipu",
      "model/edit",
      "plan/schedule",
      "plan/schedule/definitions",
      "config/ipu_config",
      "config",
      "plan",
      "project",
      "project/blocks",
      "project/choices",
      "project/options",
      "interchange/archive",
      "interchange/trace",
      "interchange/keras",
      "interchange/onnx",
      "interchange/project",
      "interchange/templates",
      "interchange/templates/models",
      "interchange/python/syntax",
      "interchange/python/language",
      "interchange/python/language/control",
      "interchange/python/draft",
      "interchange/python/apis/rates",
      "interchange/python/apis/calls",
      "interchange/python/apis/data/constants",
      "interchange/python/apis/data",
      "interchange/python/apis/graphs",
      "interchange/python/apis/files",
      "interchange/python/apis/functions",
      "interchange/python/apis/weights",
      "interchange/python/apis/models",
      "interchange/python/apis/older",
      "interchange/python/apis/standard",
      "interchange/python/apis",
      "interchange/python/writer/text",
      "interchange/python/writer/layers",
      "interchange/python/writer",
      "interchange/python",
      "interchange/sweep",
      "interchange",
      "profile/records",
      "profile/notes",
      "profile/schema",
      "profile/writer",
      "profile/spans",
      "profile/queries",
      "profile/queries/explained",
      "profile/notes/store",
      "profile/analysis/path",
      "profile/analysis",
      "profile/analysis/compared",
      "profile/exports"}},
    {"simulator",
     {"target",
      "graph/operations",
      "graph",
      "graph/rules",
      "catalogue",
      "cost/vertex",
      "cost",
      "cost/operations",
      "cost/query",
      "memory",
      "program",
      "compiler/lowering",
      "compiler/lowering/functions",
      "compiler/lowering/layers",
      "compiler/lowering/onnx",
      "compiler/staging",
      "compiler/ordering",
      "compiler/planning",
      "compiler/memory",
      "compiler/passes",
      "compiler",
      "numerics/kernels",
      "numerics/kernels/products",
      "numerics/kernels/recurrent",
      "numerics",
      "numerics/bindings",
      "numerics/bindings/convolution",
      "numerics/bindings/families",
      "numerics/sequence",
      "data/files",
      "data/samples",
      "data/readers",
      "engine/replica",
      "engine/clock",
      "engine/training",
      "engine/records",
      "engine",
      "planner",
      "planner/bounds",
      "planner/search",
      "calibration"}},
    {"views", {"common/theme",   "common/text",       "common/access",  "common/widgets",
               "common/tabs",    "document",          "profile/tables", "profile/time",
               "profile/pareto", "profile",           "graph/model",    "graph/layout",
               "graph/painting", "graph/scene",       "graph/gestures", "graph/canvas",
               "graph",          "plan/target",       "plan/schedule",  "plan",
               "inspector/form", "inspector",         "layers",         "predictions",
               "runs",           "timeline/painting", "timeline",       "liveness",
               "tiles",          "program",           "roofline",       "flame",
               "training",       "comparison",        "sweep",          "ask",
               "explain",        "summary",           "diagnostics"}},
    {"app",
     {"platform", "reports", "services/run", "services/plan", "services/lessons", "services/sweep",
      "services/catalogue", "services/features", "verbs/base", "verbs/project", "verbs/machine", "verbs/runs",
      "verbs", "window/frame", "window/dialogs", "window/start", "window/lessons", "window", "."}},
};

/// Folders at the top of a module that never include each other, whatever their places.
const std::map<std::string, std::set<std::string>> siblings{
    {"views",
     {"graph", "plan", "inspector", "layers", "predictions", "runs", "timeline", "liveness", "tiles",
      "program", "roofline", "flame", "training", "comparison", "sweep", "ask", "explain", "diagnostics"}},
    {"app", {"verbs", "window"}},
};

/// The most source files that a folder may hold.
constexpr int mostFiles = 25;

/// Third-party headers that a module must never see.
const std::map<std::string, std::string> forbiddenHeaders{
    {"core", "Q[A-Z].*|Qt.*|qcustomplot.*|Eigen/.*|thread|iostream|cstdio|chrono"},
    {"simulator", "Q[A-Z].*|Qt.*|qcustomplot.*|SQLiteCpp/.*|sqlite3.*|iostream|cstdio"},
    {"views", "SQLiteCpp/.*|sqlite3.*|QSettings|Eigen/.*"},
};

/// The folders that hold what another operating system would need anew, and headers of nothing else.
const std::set<std::string> platformFolders{"core/platform", "app/platform"};
const std::regex platformHeaders(
    R"((unistd|signal|fcntl|poll|dlfcn|spawn|sched|pthread|termios|pwd|grp|dirent|glob|utime|ftw|execinfo|link)\.h|)"
    R"(csignal|(sys|linux|netinet|arpa|net)/.*|QDBus.*|QtDBus.*|QSocketNotifier|windows\.h)");

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

/// The folder of a path below its module; empty for a file in the module itself.
std::string folderOf(const fs::path& path) {
    return path.parent_path().lexically_relative(part(path, 0)).string();
}

/// −1 when the folder is not in the list.
std::ptrdiff_t placeOf(const std::string& module, const std::string& folder) {
    const Names& order = folderOrder.at(module);
    const auto found = std::find(order.begin(), order.end(), folder);
    return found == order.end() ? -1 : found - order.begin();
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
    if (!include.quoted && std::regex_match(include.header, platformHeaders) &&
        !platformFolders.contains(include.file.parent_path().string()))
        return "is of one operating system: core/platform and app/platform alone see it";
    const std::string target = part(include.header, 0);
    if (!include.quoted || !allowedModules.contains(target))
        return target == "tests" ? "tests are above the product" : "";
    if (target != module)
        return allowedModules.at(module).contains(target) ? "" : module + " must not know " + target;
    if (!folderOrder.contains(module))
        return "";
    const std::string from = folderOf(include.file);
    const std::string to = folderOf(include.header);
    if (from == to)
        return "";
    const std::string fromTop = part(include.file, 1);
    const std::string toTop = part(include.header, 1);
    const auto apart = siblings.find(module);
    if (apart != siblings.end() && fromTop != toTop && apart->second.contains(fromTop) &&
        apart->second.contains(toTop))
        return fromTop + " and " + toTop + " are siblings";
    return placeOf(module, to) < placeOf(module, from) ? "" : "climbs from " + from + " to " + to;
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
        QVERIFY(!objection({"views/timeline/x.h", 1, "views/graph/model/y.h", true}).empty());
        QVERIFY(!objection({"core/profile/schema/x.h", 1, "core/profile/queries/y.h", true}).empty());
        QVERIFY(!objection({"core/base/x.h", 1, "unistd.h", false}).empty());
        QVERIFY(!objection({"simulator/engine/x.h", 1, "sys/mman.h", false}).empty());
        QVERIFY(!objection({"app/window/x.h", 1, "QDBusConnection", false}).empty());
        QVERIFY(objection({"core/platform/x.cpp", 1, "unistd.h", false}).empty());
        QVERIFY(objection({"app/platform/x.cpp", 1, "QDBusConnection", false}).empty());
        QVERIFY(objection({"core/profile/queries/x.h", 1, "core/profile/schema/y.h", true}).empty());
        QVERIFY(!objection({"views/graph/x.h", 1, "simulator/cost/y.h", true}).empty());
        QVERIFY(!objection({"views/graph/x.h", 1, "../common/y.h", true}).empty());
        QVERIFY(objection({"views/graph/x.h", 1, "views/common/y.h", true}).empty());
        QVERIFY(objection({"app/main.cpp", 1, "app/verbs/y.h", true}).empty());
        QVERIFY(objection({"app/window/x.h", 1, "simulator/engine/y.h", true}).empty());
        QVERIFY(!objection({"app/services/run/x.h", 1, "app/verbs/base/y.h", true}).empty());
        QVERIFY(!objection({"app/window/x.h", 1, "app/verbs/base/y.h", true}).empty());
    }

    /// Files of the system's own, and what headers of other things declare as well.
    void onlyThePlatformAsksTheSystemByName() {
        const std::regex ofTheSystem(
            "\"/(proc|sys|dev)/"
            "|\\b(mkstemp|mkostemp|mkdtemp|popen|setenv|fork|sysconf|isatty)\\(|\\benviron;");
        for (const auto& [module, allowed] : allowedModules) {
            for (const fs::path& file : sources(module)) {
                if (platformFolders.contains(file.parent_path().string()))
                    continue;
                std::ifstream stream(tests::projectRoot() / file);
                std::string line;
                for (int number = 1; std::getline(stream, line); ++number)
                    QVERIFY2(!std::regex_search(line, ofTheSystem),
                             (file.string() + ":" + std::to_string(number)).c_str());
            }
        }
    }

    /// Text, CSV and JSON of a table come from the same rows.
    void onlyReportTableLaysOutTextTables() {
        for (const fs::path& file : sources("app")) {
            if (file.parent_path() == "app/reports" && file.stem() == "report_table")
                continue;
            const bool isItself = file.stem() == "text_table";
            for (const Include& include : includesOf(file))
                QVERIFY2(isItself || include.header != "app/reports/text_table.h", file.c_str());
        }
    }

    /// `core::makeError` and its siblings alone make diagnostics: what they make has a hint.
    void diagnosticsAreMadeByTheirMakers() {
        const std::regex byHand(
            R"(\bDiagnostic( (?!m_)[a-z]\w*)?\{|\bDiagnostic (?!m_)[a-z]\w*;|\{(core::)?Severity::\w+,|)"
            R"([{(]\.(severity|trouble|code|message) = )");
        const std::regex emptyHint(R"(\b(hint|hints|cures) = (\{\}|"")[,)])");
        for (const auto& [module, allowed] : allowedModules) {
            for (const fs::path& file : sources(module)) {
                const bool isItself = file.parent_path() == "core/base" && file.stem() == "diagnostic";
                const bool isHeader = file.extension() == ".h";
                if (isItself)
                    continue;
                std::ifstream stream(tests::projectRoot() / file);
                std::string line;
                for (int number = 1; std::getline(stream, line); ++number) {
                    // Patterns are slow, and few lines hold any of these.
                    constexpr std::string_view marks[]{"Diagnostic", "Severity", "{.", "(.", "hint", "cures"};
                    if (std::ranges::none_of(marks, [&](std::string_view mark) {
                            return line.find(mark) != std::string::npos;
                        }))
                        continue;
                    QVERIFY2(isHeader || !std::regex_search(line, byHand),
                             qPrintable(QString("%1:%2").arg(file.c_str()).arg(number)));
                    QVERIFY2(!std::regex_search(line, emptyHint),
                             qPrintable(QString("%1:%2").arg(file.c_str()).arg(number)));
                }
            }
        }
    }

    void everyFolderIsInTheList() {
        for (const auto& [module, order] : folderOrder) {
            for (const fs::path& file : sources(module))
                QVERIFY2(placeOf(module, folderOf(file)) >= 0, file.c_str());
            for (const std::string& folder : order)
                QVERIFY2(fs::is_directory(tests::projectRoot() / module / folder), folder.c_str());
        }
    }

    void noFolderIsCrowded() {
        std::map<fs::path, int> files;
        for (const char* module : {"core", "simulator", "views", "app", "tests"}) {
            for (const fs::path& file : sources(module))
                ++files[file.parent_path()];
        }
        for (const auto& [folder, count] : files)
            QVERIFY2(count <= mostFiles, qPrintable(QString("%1 holds %2").arg(folder.c_str()).arg(count)));
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
