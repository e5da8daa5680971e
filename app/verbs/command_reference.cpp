#include "app/verbs/command_reference.h"

#include "app/verbs/base/common_options.h"
#include "app/verbs/verb_table.h"

#include <CLI/CLI.hpp>

namespace app {

namespace {

OptionReference referenceOf(const CLI::Option& option) {
    OptionReference reference;
    reference.isArgument = option.get_positional();
    if (reference.isArgument)
        reference.names.push_back(option.get_name(true));
    for (const std::string& name : option.get_snames())
        reference.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        reference.names.push_back("--" + name);
    if (option.get_items_expected_max() > 0)
        reference.value = option.get_type_name();
    reference.text = option.get_description();
    reference.isRequired = option.get_required();
    reference.isRepeated = option.get_items_expected_max() > 1 ||
                           option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    return reference;
}

} // namespace

std::vector<VerbReference> commandReference() {
    std::vector<VerbReference> references;
    for (const VerbDefinition& definition : verbTable()) {
        VerbReference reference{definition.name, definition.summary, definition.examples, {}};
        const std::unique_ptr<Verb> verb = definition.make();
        CommonOptions common;
        CLI::App command;
        verb->addOptions(command);
        addCommonOptions(command, definition.hasCsv, common);
        for (const CLI::Option* option : command.get_options())
            reference.options.push_back(referenceOf(*option));
        references.push_back(std::move(reference));
    }
    return references;
}

} // namespace app
