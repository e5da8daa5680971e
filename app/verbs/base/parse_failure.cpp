#include "app/verbs/base/parse_failure.h"

#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb.h"
#include "core/text/nearest_name.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

std::string seeHelp(const CLI::App& command) {
    return fmt::format("see {} --help", command.get_name());
}

/// An argument nobody takes; an option names its nearest.
core::Diagnostic unexpected(const CLI::App& command) {
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames())
            known.push_back("--" + name);
    }
    // What belongs to an unknown option is listed before it, so options are looked for first.
    std::vector<std::string> extras = command.remaining();
    std::ranges::stable_partition(extras, [](const std::string& text) { return text.starts_with('-'); });
    const std::string extra = extras.empty() ? std::string() : extras.front();
    const bool isOption = extra.starts_with('-');
    const auto near = isOption ? core::nearestName(extra, known) : std::nullopt;
    return usageError("usage/arguments", extra.substr(0, 80),
                      isOption ? fmt::format("`{}` has no such option", command.get_name())
                               : fmt::format("`{}` takes no further argument", command.get_name()),
                      near ? fmt::format("did you mean {}?", *near) : seeHelp(command));
}

/// The option that the parser's sentence is about.
const CLI::Option* optionOf(const CLI::App& command, const std::string& sentence) {
    const CLI::Option* longest = nullptr;
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        if (sentence.find(name) != std::string::npos &&
            (longest == nullptr || longest->get_name().size() < name.size()))
            longest = option;
    }
    return longest;
}

} // namespace

core::Diagnostic parseFailure(const CLI::App& command, const CLI::ParseError& error) {
    if (const auto* refused = dynamic_cast<const RefusedValue*>(&error))
        return usageError("usage/value", refused->option, refused->what(), refused->hint);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
        return unexpected(command);
    std::string message = error.what();
    const CLI::Option* option = optionOf(command, message);
    const std::string place = option == nullptr ? "" : option->get_name();
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
        message = "is required";
    else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && option != nullptr)
        message = option->count() > 1 ? "is given more than once" : "needs a value";
    std::ranges::replace(message, '\n', ' ');
    return usageError("usage/arguments", place, std::move(message), seeHelp(command));
}

} // namespace app
