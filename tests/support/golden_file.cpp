#include "tests/support/golden_file.h"

#include "tests/support/shared_data.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace tests {

std::string differenceFromGolden(const std::string& path, const std::string& text) {
    const auto file = projectRoot() / path;
    if (std::getenv("UPDATE_GOLDEN") != nullptr) {
        std::ofstream(file, std::ios::binary) << text;
        return {};
    }
    std::ostringstream golden;
    golden << std::ifstream(file, std::ios::binary).rdbuf();
    if (golden.str() == text)
        return {};
    std::istringstream expected(golden.str());
    std::istringstream actual(text);
    std::string expectedLine;
    std::string actualLine;
    for (int number = 1;; ++number) {
        const bool hasExpected = static_cast<bool>(std::getline(expected, expectedLine));
        const bool hasActual = static_cast<bool>(std::getline(actual, actualLine));
        if (hasExpected && hasActual && expectedLine == actualLine)
            continue;
        return fmt::format("{}:{}: \"{}\" instead of \"{}\"; run the test with UPDATE_GOLDEN=1 to accept it",
                           path, number, hasActual ? actualLine : "the end",
                           hasExpected ? expectedLine : "the end");
    }
}

} // namespace tests
