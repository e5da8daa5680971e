#pragma once

#include "core/interchange/templates/model_template.h"

#include <span>
#include <string_view>

namespace core {

/// Every template, in the order of the gallery.
[[nodiscard]] std::span<const ModelTemplate> templateCatalogue();

/// By name or alias; null when there is none.
[[nodiscard]] const ModelTemplate* findTemplate(std::string_view name);

/// As people write it: "GPT-2".
[[nodiscard]] std::string templateTitle(const ModelTemplate& row);

// The templates, one source file each; a new one is declared here and named in the list of
// template_catalogue.cpp.

[[nodiscard]] ModelTemplate mlpTemplate();
[[nodiscard]] ModelTemplate cnnTemplate();
[[nodiscard]] ModelTemplate smallCnnTemplate();
[[nodiscard]] ModelTemplate resnetTemplate();
[[nodiscard]] ModelTemplate resnextTemplate();
[[nodiscard]] ModelTemplate vggTemplate();
[[nodiscard]] ModelTemplate mobilenetTemplate();
[[nodiscard]] ModelTemplate efficientnetTemplate();
[[nodiscard]] ModelTemplate unetTemplate();
[[nodiscard]] ModelTemplate lstmTemplate();
[[nodiscard]] ModelTemplate bertTemplate();
[[nodiscard]] ModelTemplate gpt2Template();
[[nodiscard]] ModelTemplate vitTemplate();
[[nodiscard]] ModelTemplate conformerTemplate();

} // namespace core
