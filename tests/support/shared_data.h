#pragma once

#include <filesystem>

namespace tests {

/// The folder of shared test data; empty when it is not on this machine. Tests that need it skip then.
[[nodiscard]] std::filesystem::path sharedData();

/// The root of the project's sources.
[[nodiscard]] std::filesystem::path projectRoot();

} // namespace tests

/// Skips the test when the shared data is absent.
#define REQUIRE_SHARED_DATA()                                                                                \
    if (tests::sharedData().empty())                                                                         \
        QSKIP("the shared test data is not on this machine");
