#include "app/verbs/manual_page.h"

#include "core/base/version.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string_view>

namespace app {

namespace {

/// Text as roff prints it: a backslash and the minus of a command line are escaped, and nothing at the start
/// of a line is taken for a request (groff_man(7), "Portability").
std::string roff(std::string_view text) {
    std::string escaped;
    bool isAtStart = true;
    for (const char letter : text) {
        if (isAtStart && (letter == '.' || letter == '\''))
            escaped += "\\&";
        if (letter == '\\')
            escaped += "\\e";
        else if (letter == '-')
            escaped += "\\-";
        else
            escaped += letter;
        isAtStart = letter == '\n';
    }
    return escaped;
}

std::string bold(std::string_view text) {
    return fmt::format("\\fB{}\\fR", roff(text));
}

std::string italic(std::string_view text) {
    return fmt::format("\\fI{}\\fR", roff(text));
}

/// "NAME …" or "-o, --output FILE".
std::string headOf(const OptionReference& option) {
    std::string head;
    for (const std::string& name : option.names)
        head += fmt::format("{}{}", head.empty() ? "" : ", ", option.isArgument ? italic(name) : bold(name));
    if (!option.isArgument && !option.value.empty())
        head += " " + italic(option.value);
    if (option.isArgument && option.isRepeated)
        head += " ...";
    return head;
}

/// Options that every verb has stand once, in a section of their own.
bool isCommon(const std::vector<VerbReference>& verbs, const OptionReference& option) {
    return std::ranges::all_of(verbs, [&](const VerbReference& verb) {
        return std::ranges::find(verb.options, option.names, &OptionReference::names) != verb.options.end();
    });
}

std::string listed(const OptionReference& option) {
    return fmt::format(".TP\n{}\n{}\n", headOf(option), roff(option.text));
}

constexpr std::string_view ending = R"(.SH EXIT STATUS
.TP
0
Done.
.TP
1
A correct answer that is a "no": does not fit, a check failed, a schedule that is refused.
.TP
2
A command line that cannot be understood.
.TP
3
The content of a file or a value breaks a rule.
.TP
4
The file system, the disk, the database or a cluster refused.
.TP
70
A fault of the program.
.TP
130
Interrupted; what was finished is kept.
.SH ENVIRONMENT
.TP
.B NO_COLOR
Where it is set, stderr has no colours.
.SH FILES
.TP
.I NAME.ipuproj
A project.
.TP
.I NAME.profiles.sqlite
The runs of a project, beside it unless \fB\-\-database\fR names another file.
.SH SEE ALSO
.BR sqlite3 (1),
.BR sbatch (1)
)";

} // namespace

std::string manualPage(const std::vector<VerbReference>& verbs) {
    std::string page = fmt::format(".TH IPU\\-WORKBENCH 1 \"{}\" \"ipu\\-workbench {}\" \"User Commands\"\n",
                                   core::releaseDate, core::programVersion);
    page +=
        ".SH NAME\nipu\\-workbench \\- plan, simulate, train and profile pipelined Keras models on IPU "
        "systems\n"
        ".SH SYNOPSIS\n.B ipu\\-workbench\n.RI [ PROJECT ]\n.br\n.B ipu\\-workbench\n.I VERB\n.RI [ OPTIONS "
        "]\n"
        ".SH DESCRIPTION\nWith a project or nothing the window opens. With a verb the program runs without a "
        "display: data goes to stdout, everything else to stderr.\n"
        ".SH COMMON OPTIONS\n";
    for (const OptionReference& option : verbs.front().options) {
        if (isCommon(verbs, option))
            page += listed(option);
    }
    page += ".SH VERBS\n";
    for (const VerbReference& verb : verbs) {
        page += fmt::format(".SS {}\n{}\n", roff(verb.name), roff(verb.summary));
        for (const OptionReference& option : verb.options) {
            if (!isCommon(verbs, option))
                page += listed(option);
        }
        page += ".PP\nExamples:\n.PP\n.nf\n.RS\n";
        for (const std::string_view example : verb.examples)
            page += fmt::format("ipu\\-workbench {}\n", roff(example));
        page += ".RE\n.fi\n";
    }
    page += ending;
    return page;
}

} // namespace app
