#pragma once

#include "core/profile/analysis/counter_queries.h"
#include "views/timeline/painting/timeline_frame.h"

#include <QString>

namespace views {

/// "Tiles computing", "Link traffic": for headers and menus.
[[nodiscard]] QString counterName(core::Counter counter);
/// What the full height of a counter's rows stands for, in tiles or bytes per cycle: the same for all IPUs.
[[nodiscard]] double counterTop(const TimelineFrame& frame, const core::CounterRates& tops,
                                core::Counter counter);
/// "1 209 of 1 472 tiles", "12.4 GB/s" of a mean.
[[nodiscard]] QString counterText(const TimelineFrame& frame, core::Counter counter, double mean);
/// The mean over the bin at a time of an update; 0 where nothing is known.
[[nodiscard]] double counterAt(const core::CounterWindow& window, core::IpuId ipu, core::Counter counter,
                               core::Cycles time);

} // namespace views
