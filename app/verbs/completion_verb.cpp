#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb.h"
#include "app/verbs/completion_script.h"

namespace app {

namespace {

/// What lets a shell complete the command line.
class CompletionVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        addChoice<Shell>(command, "SHELL", m_shell,
                         {{"bash", Shell::Bash}, {"zsh", Shell::Zsh}, {"fish", Shell::Fish}},
                         "bash, zsh or fish")
            ->required();
    }

    core::Result<Report> run(const VerbContext& /*context*/) override {
        Report report;
        report.content = completionScript(m_shell, commandReference());
        report.json = reportJson("completion");
        report.json["content"] = *report.content;
        return report;
    }

private:
    Shell m_shell = Shell::Bash;
};

} // namespace

VerbDefinition completionVerb() {
    return {.name = "completion",
            .summary = "The script that lets bash, zsh or fish complete verbs and options",
            .examples = {"completion bash -o ipu-workbench.bash", "completion zsh -o _ipu-workbench",
                         "completion fish -o ipu-workbench.fish"},
            .make = makeVerb<CompletionVerb>};
}

} // namespace app
