#include "core/base/version.h"

#include <fmt/format.h>

int main() {
    fmt::print("ipu-workbench {}\n", core::programVersion);
    return 0;
}
