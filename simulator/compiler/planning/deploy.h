#pragma once

#include "simulator/compiler/planning/compile_options.h"

namespace simulator {

/// How a model is put on its machine. Host input that does not fit twice into its share of the I/O tiles (one
/// micro-batch arriving, one read) is not overlapped: "warning/io-tiles".
[[nodiscard]] Deployment deploy(const TrainingGraph& graph, const CompileOptions& options,
                                const IpuSystem& system);

} // namespace simulator
