#pragma once

#include "core/base/json.h"
#include "core/base/object_reader.h"
#include "core/config/pipeline_options.h"

namespace core {

/// Reads the options among the keys of `pipeline`. The caller owns the reader: it reads `stages` and
/// `device_mapping` and finishes it.
[[nodiscard]] PipelineOptions readPipelineOptions(ObjectReader& reader);

/// Adds the options that differ from their defaults to `object`.
void writePipelineOptions(const PipelineOptions& options, Json& object);

} // namespace core
