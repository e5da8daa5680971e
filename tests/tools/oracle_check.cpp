// Runs the shared oracles through the product's own lowering, kernels and trainer.
#include "tests/tools/oracle/report.h"

int main(int argc, char** argv) {
    const auto arguments = oracles::readArguments(argc, argv, "oracle_check");
    if (!arguments)
        return 2;
    return oracles::report(oracles::runFolders(arguments->folders), arguments->asJson,
                           "ipu-workbench/oracle-check");
}
