// Runs the cases of ONNX backends' test folders as a user does: import, project file, validate, compile, run.
#include "tests/tools/onnx/onnx_case.h"
#include "tests/tools/oracle/report.h"

int main(int argc, char** argv) {
    const auto arguments = oracles::readArguments(argc, argv, "onnx_check");
    if (!arguments)
        return 2;
    return oracles::report(onnx_cases::runFolders(arguments->folders), arguments->asJson,
                           "ipu-workbench/onnx-check");
}
