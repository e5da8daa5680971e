#include "views/common/text/unit_words.h"

namespace views {

core::QuantityWords unitWords(const Units& units, double clockHz) {
    core::QuantityWords words = core::plainWords(clockHz);
    words.bytes = [units](core::Bytes bytes) { return bytesText(bytes, units.bytes).joined().toStdString(); };
    if (units.time == TimeUnit::Cycles)
        words.time = [](core::Cycles cycles) {
            return timeText(cycles, TimeUnit::Cycles, {}).joined().toStdString();
        };
    return words;
}

} // namespace views
