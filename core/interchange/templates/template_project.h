#pragma once

#include "core/interchange/templates/model_template.h"
#include "core/project/project.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Settings that every template takes beside its own: stages, batch, precision, memory.
[[nodiscard]] const std::vector<TemplateParameter>& commonTemplateParameters();

/// A project from a template: `arguments` is an object of its own and the common parameters, as
/// `new TEMPLATE key=value` gives them (texts are read).
///
/// `split` cuts the model into stages: numbers count the template's layers or blocks per stage ("3,7,7,7";
/// what comes before them joins the first stage, the heads the last), names start a new stage at a block or
/// layer
/// ("block4a,conv5_block1"). Without `head_ipu`, heads that share weights with the front run on its IPU, as a
/// further stage. `attention_split` and `ffn_split` place the halves of transformer layers by themselves.
///
/// Errors: "template/unknown-template", "template/unknown-key", "template/value", all of Trouble::Usage.
[[nodiscard]] Result<Project> newProject(std::string_view templateName, const Json& arguments,
                                         const std::string& name = {});

} // namespace core
