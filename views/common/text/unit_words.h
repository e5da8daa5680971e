#pragma once

#include "core/profile/analysis/quantity_words.h"
#include "views/common/text/number_text.h"

namespace views {

/// How sentences about a run write quantities in the units of the person. Shares of a step make no sentences
/// about the step: where they are chosen, time is plain.
[[nodiscard]] core::QuantityWords unitWords(const Units& units, double clockHz);

} // namespace views
