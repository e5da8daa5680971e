#pragma once

#include "tests/tools/oracle/oracle_case.h"

namespace onnx_cases {

/// A folder with `model.onnx` and `test_data_set_N/{input,output}_M.pb`: every data set computed and
/// compared. Tolerance of ONNX backends' runner: 1e-3 relative, 1e-5 absolute.
[[nodiscard]] oracles::Verdict runCase(const std::filesystem::path& folder);

/// Every case below the folders, in order of path.
[[nodiscard]] core::Result<std::vector<oracles::Outcome>>
runFolders(const std::vector<std::filesystem::path>& folders);

} // namespace onnx_cases
