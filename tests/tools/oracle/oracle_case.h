#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "simulator/graph/output_rules.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace oracles {

/// A tensor of a case: extents and values, row-major.
struct Values {
    simulator::TensorForm form;
    std::vector<float> data;

    [[nodiscard]] std::vector<double> asDoubles() const { return {data.begin(), data.end()}; }
};
/// Reads {shape, dtype, data}; data may be nested lists, or base64 of little-endian float32.
[[nodiscard]] std::optional<Values> valuesFromJson(const core::Json& json);

/// How close results must be: |result − expected| ≤ atol + rtol·|expected|.
struct Tolerance {
    double rtol = 1e-4;
    double atol = 1e-5;
};
[[nodiscard]] Tolerance toleranceOf(const core::Json& document);

/// What comparing one case gave.
struct Verdict {
    enum class Kind { Passed, Failed, Unsupported };
    Kind kind = Kind::Passed;
    /// Largest error of any value, in units of its tolerance; above 1 the case fails.
    double worst = 0;
    /// Largest absolute error.
    double largestError = 0;
    /// What failed, or why the case cannot be run.
    std::string message;

    /// Joins the comparison of some results with what is expected.
    void compare(const std::string& what, const std::vector<float>& results,
                 const std::vector<float>& expected, const Tolerance& tolerance);
    void fail(std::string why);
};
[[nodiscard]] Verdict unsupported(std::string why);
[[nodiscard]] Verdict failed(const core::Diagnostics& diagnostics);

/// A case and its verdict.
struct Outcome {
    std::filesystem::path file;
    std::string name;
    std::string kind;
    Verdict verdict;
};

/// Runs the case of one document by its kind ("layer", "loss", "optimizer", "training", or an IPU operation
/// fact).
[[nodiscard]] Verdict runCase(const core::Json& document);
/// Runs every case below the folders (or the files themselves), in order of path. READMEs, indexes and
/// calibration points are no cases.
[[nodiscard]] core::Result<std::vector<Outcome>>
runFolders(const std::vector<std::filesystem::path>& folders);

[[nodiscard]] Verdict runLayerCase(const core::Json& document);
[[nodiscard]] Verdict runLossCase(const core::Json& document);
[[nodiscard]] Verdict runOptimizerCase(const core::Json& document);
[[nodiscard]] Verdict runTrainingCase(const core::Json& document);
[[nodiscard]] Verdict runIpuCase(const core::Json& document);

} // namespace oracles
