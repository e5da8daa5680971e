#pragma once

#include "core/base/quantity.h"

#include <functional>
#include <string>

namespace core {

/// How sentences write quantities: views in the units of the person, verbs plainly.
struct QuantityWords {
    std::function<std::string(Cycles)> time;
    std::function<std::string(Bytes)> bytes;
};

/// Time of a clock as "9.21 ms" or "41.6 µs" (cycles where the clock is unknown), sizes as "164.2 MiB".
[[nodiscard]] QuantityWords plainWords(double clockHz);

} // namespace core
