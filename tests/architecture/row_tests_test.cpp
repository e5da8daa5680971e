#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

/// What tests/README.md says about rows and their tests.
class RowTestsTest : public QObject {
    Q_OBJECT

    static std::string textOf(const std::filesystem::path& file) {
        std::ifstream stream(file);
        std::stringstream text;
        text << stream.rdbuf();
        return text.str();
    }

private slots:
    void everyTestOfTheTableIsThereAndEveryRowHasOne() {
        const std::filesystem::path tests = tests::projectRoot() / "tests";
        std::istringstream table(textOf(tests / "README.md"));
        const std::regex row(R"(\| (N?\d+) \| [^|]+ \| (.+) \|)");
        const std::regex unit(R"(`([a-z_/]+)` ([A-Za-z0-9, ]+))");
        const std::regex word(R"([A-Za-z0-9]+)");
        std::set<std::string> rows;
        for (std::string line; std::getline(table, line);) {
            std::smatch parts;
            if (!std::regex_match(line, parts, row))
                continue;
            rows.insert(parts[1]);
            const std::string shown = parts[2];
            int functions = 0;
            for (std::sregex_iterator one(shown.begin(), shown.end(), unit), end; one != end; ++one) {
                const std::filesystem::path file = tests / ((*one)[1].str() + "_test.cpp");
                const std::string source = textOf(file);
                QVERIFY2(!source.empty(), file.c_str());
                const std::string names = (*one)[2];
                for (std::sregex_iterator name(names.begin(), names.end(), word); name != end; ++name) {
                    QVERIFY2(source.find("void " + name->str() + "()") != std::string::npos,
                             (file.string() + ": " + name->str()).c_str());
                    ++functions;
                }
            }
            QVERIFY2(functions > 0, line.c_str());
        }
        for (int number = 40; number <= 91; ++number)
            QVERIFY2(rows.contains(std::to_string(number)), std::to_string(number).c_str());
        for (const char* number : {"N2", "N5", "N6", "N7", "N8", "N10", "N11"})
            QVERIFY2(rows.contains(number), number);
    }
};

REGISTER_TEST("row_tests", RowTestsTest)
#include "row_tests_test.moc"
