#include "app/verbs/base/verb.h"
#include "app/verbs/manual_page.h"

namespace app {

namespace {

/// The manual page.
class ManVerb final : public Verb {
public:
    void addOptions(CLI::App& /*command*/) override {}

    core::Result<Report> run(const VerbContext& /*context*/) override {
        Report report;
        report.content = manualPage(commandReference());
        report.json = reportJson("man");
        report.json["content"] = *report.content;
        return report;
    }
};

} // namespace

VerbDefinition manVerb() {
    return {.name = "man",
            .summary = "The manual page: every verb with its options, for man",
            .examples = {"man -o ipu-workbench.1"},
            .make = makeVerb<ManVerb>};
}

} // namespace app
