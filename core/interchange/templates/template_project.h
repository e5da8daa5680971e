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

/// Whether a parameter, by any of its names, is the template's own: the others do not change its model. False
/// where there is no such template or parameter.
[[nodiscard]] bool shapesTheModel(std::string_view templateName, std::string_view parameter);
/// The default of a template's parameter, by any of its names; null where it has none.
[[nodiscard]] Json defaultArgument(std::string_view templateName, std::string_view parameter);
/// The model of such a project alone, for many projects that differ in other parameters. The same errors.
[[nodiscard]] Result<TemplateModel> templateModel(std::string_view templateName, const Json& arguments);
/// What `newProject` makes around the template's model, which is left out. The same errors.
[[nodiscard]] Result<Project> projectAround(const TemplateModel& model, std::string_view templateName,
                                            const Json& arguments);

} // namespace core
