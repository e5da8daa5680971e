#include "tests/support/test_registry.h"

#include "core/platform/helper_process.h"

#include <QtTest/QTest>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#ifdef TESTS_WITH_WIDGETS
#include <QApplication>
using TestApplication = QApplication;
#else
#include <QCoreApplication>
using TestApplication = QCoreApplication;
#endif

namespace tests {

namespace {

struct RegisteredTest {
    TestFactory factory;
    bool needsApplication = false;
};

std::map<std::string, RegisteredTest, std::less<>>& registry() {
    static std::map<std::string, RegisteredTest, std::less<>> tests;
    return tests;
}

} // namespace

bool registerTest(std::string_view unit, TestFactory factory, bool needsApplication) {
    return registry()
        .try_emplace(std::string(unit), RegisteredTest{std::move(factory), needsApplication})
        .second;
}

} // namespace tests

/// First argument: the unit to run; the rest goes to Qt Test.
int main(int argc, char** argv) {
    if (const auto code = core::serveHelper(std::vector<std::string>(argv + 1, argv + argc)))
        return *code;
    if (argc < 2 || !tests::registry().contains(std::string_view(argv[1]))) {
        std::fprintf(stderr, "usage: %s UNIT [Qt Test options]; units:", argv[0]);
        for (const auto& [unit, test] : tests::registry())
            std::fprintf(stderr, " %s", unit.c_str());
        std::fputc('\n', stderr);
        return 2;
    }
    const tests::RegisteredTest& test = tests::registry().find(std::string_view(argv[1]))->second;
    std::vector<char*> arguments{argv[0]};
    arguments.insert(arguments.end(), argv + 2, argv + argc);
    int count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    std::unique_ptr<TestApplication> application;
    if (test.needsApplication)
        application = std::make_unique<TestApplication>(count, arguments.data());
    const std::unique_ptr<QObject> object = test.factory();
    return QTest::qExec(object.get(), count, arguments.data());
}
