#include "tests/support/shared_data.h"

namespace tests {

std::filesystem::path sharedData() {
    const std::filesystem::path root(SHARED_DATA_ROOT);
    std::error_code error;
    return std::filesystem::is_directory(root, error) ? root : std::filesystem::path();
}

std::filesystem::path projectRoot() {
    return PROJECT_ROOT;
}

} // namespace tests
