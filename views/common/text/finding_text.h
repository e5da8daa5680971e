#pragma once

#include "core/model/model_graph.h"
#include "views/common/text/number_text.h"

#include <QString>

namespace views {

/// A message of a finding as a sentence for people: it begins with a capital, unless its first word is a name
/// that programs know as it is (a layer of `model`, an attribute, an option); and counts of bytes are in the
/// unit that was chosen.
[[nodiscard]] QString findingText(const QString& message, const core::ModelGraph* model, ByteUnit unit);

} // namespace views
