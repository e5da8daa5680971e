#pragma once

#include "core/profile/analysis/quantity_words.h"
#include "core/profile/queries/program_queries.h"
#include "core/profile/records/run_records.h"
#include "core/profile/records/time_records.h"

#include <map>
#include <string>

namespace core {

/// What the reason of an idle gap is told from.
struct IdleContext {
    const StageProgramMap& programs;
    /// Where each stage is.
    const std::map<StageId, IpuId>& ipus;
    const RunProvenance& provenance;
    QuantityWords words;
};

/// Why the gap is there, as one or two sentences with the run's own figures, and what would make it shorter.
/// Never empty. `ipu`: whose gap it is. A gap outside every slot belongs to the weight update.
[[nodiscard]] std::string idleReason(const IdleContext& context, const SpanRecord& gap, IpuId ipu);

} // namespace core
